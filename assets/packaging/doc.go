// Command packaging writes what a package holds beside the program, in the layout of a Unix prefix: icons, desktop entry,
// AppStream metainfo, manual pages, completions, and the licences of what is linked for the target that GOOS, GOARCH,
// CGO_ENABLED and GOFLAGS name. It is run at the top of the sources, by .ci/dist; the same sources give the same bytes.
package main

package main

import "os"

// rule opens the processor's energy counters; a package only shows it, as it is for the user to decide.
const rule = "70-headroom-rapl.rules"

// writeDoc writes what stands under share/doc: the terms, the texts of all licences, the udev rule to copy, and
// the changes as Debian writes them, under its maintainer's name.
func writeDoc(p prefix, history []release, maintainer string) error {
	text, err := os.ReadFile("assets/udev/" + rule)
	if err != nil {
		return err
	}
	if err := p.write("share/doc/headroom/"+rule, text); err != nil {
		return err
	}
	parts, err := linkedParts()
	if err != nil {
		return err
	}
	if err := p.write("share/doc/headroom/copyright", []byte(terms)); err != nil {
		return err
	}
	if err := p.write("share/doc/headroom/NOTICES", []byte(notices(parts))); err != nil {
		return err
	}
	if maintainer == "" {
		return nil
	}
	changes, err := changelog(history, maintainer)
	if err != nil {
		return err
	}
	return p.writeGzip("share/doc/headroom/changelog", []byte(changes))
}

package main

// writeDoc writes what stands under share/doc: the terms, the texts of all licences, and the changes.
func writeDoc(p prefix, maintainer string) error {
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
	history, err := releases()
	if err != nil {
		return err
	}
	changes, err := changelog(history, maintainer)
	if err != nil {
		return err
	}
	return p.writeGzip("share/doc/headroom/changelog", []byte(changes))
}

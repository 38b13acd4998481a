package main

import (
	"encoding/xml"
	"errors"
	"fmt"
	"strings"
	"time"
)

// release is one entry of the metainfo's history.
type release struct {
	Version string   `xml:"version,attr"`
	Date    string   `xml:"date,attr"`
	Changes []string `xml:"description>p"`
}

func (r release) day() (time.Time, error) {
	day, err := time.Parse(time.DateOnly, r.Date)
	if err != nil {
		return day, fmt.Errorf("metainfo: release %s: %w", r.Version, err)
	}
	return day, nil
}

// releases are those of the metainfo, newest first.
func releases() ([]release, error) {
	var component struct {
		Releases []release `xml:"releases>release"`
	}
	if err := xml.Unmarshal(metainfo, &component); err != nil {
		return nil, fmt.Errorf("metainfo: %w", err)
	}
	if len(component.Releases) == 0 {
		return nil, errors.New("metainfo: it names no release")
	}
	return component.Releases, nil
}

// changelog is the same history as Debian writes it. maintainer is a name with an address.
func changelog(all []release, maintainer string) (string, error) {
	var b strings.Builder
	for _, r := range all {
		day, err := r.day()
		if err != nil {
			return "", err
		}
		fmt.Fprintf(&b, "headroom (%s) stable; urgency=medium\n\n", r.Version)
		for _, change := range r.Changes {
			fmt.Fprintf(&b, "  * %s\n", strings.Join(strings.Fields(change), " "))
		}
		fmt.Fprintf(&b, "\n -- %s  %s\n\n", maintainer, day.Format(time.RFC1123Z))
	}
	return b.String(), nil
}

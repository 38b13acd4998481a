package main

import _ "embed"

// appID names the program to the desktop; FyneApp.toml and the two files below say the same.
const appID = "dev.headroom.Headroom"

//go:embed dev.headroom.Headroom.desktop
var desktopEntry []byte

//go:embed dev.headroom.Headroom.metainfo.xml
var metainfo []byte

func writeDesktop(p prefix) error {
	if err := p.write("share/applications/"+appID+".desktop", desktopEntry); err != nil {
		return err
	}
	return p.write("share/metainfo/"+appID+".metainfo.xml", metainfo)
}

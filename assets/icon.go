package assets

import _ "embed"

// IconPNG is the application's icon, 512 × 512.
//
//go:embed icon.png
var IconPNG []byte

// IconSVG is the same icon as it was drawn; packages are made from it.
//
//go:embed icon.svg
var IconSVG []byte

package main

import (
	"bytes"
	"fmt"
	"image"
	"image/png"
	"sync"

	"golang.org/x/image/draw"

	"headroom/assets"
)

// themeSizes are those of the hicolor theme, in pixels a side.
var themeSizes = []int{16, 22, 24, 32, 48, 64, 128, 256, 512}

// drawn is the icon as it was drawn.
var drawn = sync.OnceValues(func() (image.Image, error) { return png.Decode(bytes.NewReader(assets.IconPNG)) })

// icon is the icon at a size, as PNG.
func icon(size int) ([]byte, error) {
	drawn, err := drawn()
	if err != nil {
		return nil, fmt.Errorf("icon.png: %w", err)
	}
	scaled := image.NewNRGBA(image.Rect(0, 0, size, size))
	draw.CatmullRom.Scale(scaled, scaled.Bounds(), drawn, drawn.Bounds(), draw.Src, nil)
	var out bytes.Buffer
	encoder := png.Encoder{CompressionLevel: png.BestCompression}
	err = encoder.Encode(&out, scaled)
	return out.Bytes(), err
}

// writeIcons fills the hicolor theme.
func writeIcons(p prefix) error {
	for _, size := range themeSizes {
		data, err := icon(size)
		if err != nil {
			return err
		}
		if err := p.write(fmt.Sprintf("share/icons/hicolor/%dx%d/apps/%s.png", size, size, appID), data); err != nil {
			return err
		}
	}
	return p.write("share/icons/hicolor/scalable/apps/"+appID+".svg", assets.IconSVG)
}

// Barewindow opens a Fyne window of a size that shows nothing, until it is ended: what any program with such a window costs.
// With -images it shows as many images as Headroom's Live page has figures, and changes them all once a second.
package main

import (
	"flag"
	"image"
	"image/color"
	"math"
	"os"
	"os/signal"
	"syscall"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/app"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/container"
)

func main() {
	width := flag.Float64("width", 1280, "the window's width")
	height := flag.Float64("height", 800, "the window's height")
	images := flag.Int("images", 0, "how many images the window shows and changes once a second")
	flag.Parse()
	a := app.NewWithID("dev.headroom.barewindow")
	w := a.NewWindow("Bare window")
	if *images == 0 {
		w.SetContent(canvas.NewRectangle(color.Gray{0x20}))
	} else {
		w.SetContent(changing(a, *images))
	}
	w.SetPadded(false)
	w.Resize(fyne.NewSize(float32(*width), float32(*height)))
	stop := make(chan os.Signal, 1)
	signal.Notify(stop, syscall.SIGTERM, os.Interrupt)
	go func() {
		<-stop
		fyne.Do(a.Quit)
	}()
	w.ShowAndRun()
}

// changing is a grid of plain images that take another colour each second.
func changing(a fyne.App, n int) fyne.CanvasObject {
	shade := uint8(0)
	grid := container.NewGridWithColumns(int(math.Ceil(math.Sqrt(float64(n)))))
	for range n {
		var img *image.Gray
		grid.Add(canvas.NewRaster(func(w, h int) image.Image {
			if img == nil || img.Rect.Dx() != w || img.Rect.Dy() != h {
				img = image.NewGray(image.Rect(0, 0, w, h))
			}
			for i := range img.Pix {
				img.Pix[i] = shade
			}
			return img
		}))
	}
	a.Lifecycle().SetOnStarted(func() {
		go func() {
			for range time.Tick(time.Second) {
				fyne.Do(func() {
					shade += 16
					for _, o := range grid.Objects {
						o.Refresh()
					}
				})
			}
		}()
	})
	return grid
}

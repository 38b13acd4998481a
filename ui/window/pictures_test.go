//go:build cgo || !darwin

package window

import (
	"flag"
	"image"
	"image/png"
	"os"
	"path/filepath"
	"testing"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/driver/software"

	"headroom/policy/workload"
	"headroom/sensors"
)

var update = flag.Bool("update", false, "write the pictures of testdata anew")

// Each page, theme, size and state is drawn by Fyne's software painter and compared with testdata, at half the size and
// with tolerance: processors round differently.
func TestPictures(t *testing.T) {
	at := func(name string, d time.Duration) func(*bench) {
		return func(b *bench) {
			for i := range 60 {
				b.eng.emit(script(b.t, name).SampleAt(d + time.Duration(i-59)*time.Second))
			}
			b.settle()
		}
	}
	hot := at("thin-laptop", 80*time.Second)
	press := func(keys string) func(*bench) {
		return func(b *bench) {
			for _, r := range keys {
				b.press(r)
			}
		}
	}
	for _, p := range []struct {
		name   string
		w, h   float32
		light  bool
		scale  float32
		origin string
		steps  []func(*bench)
	}{
		{name: "live-dark", w: 1280, h: 800, steps: []func(*bench){hot}},
		{name: "live-light", w: 1280, h: 800, light: true, steps: []func(*bench){hot}},
		{name: "live-least", w: 900, h: 600, steps: []func(*bench){hot}},
		{name: "live-least-twice", w: 900, h: 600, scale: 2, light: true, steps: []func(*bench){hot}},
		{name: "live-large", w: 2560, h: 1440, light: true, steps: []func(*bench){hot}},
		{name: "live-no-fit", w: 1280, h: 800, steps: []func(*bench){at("server-gpu", 30*time.Second), func(b *bench) {
			b.choose(workload.Bare(400e9), modelChoice{Params: 400e9})
		}}},
		{name: "live-waiting", w: 1280, h: 800},
		{name: "live-no-sensors", w: 1280, h: 800, light: true, steps: []func(*bench){func(b *bench) { b.eng.emit(bareMachine()); b.settle() }}},
		{name: "what-if", w: 1280, h: 800, steps: []func(*bench){hot, press("ps"), func(b *bench) {
			b.setPin(&b.set.Pins.ThermalC, sensors.Num(12))
			b.setPin(&b.set.Pins.VRAMBytes, sensors.Num(6<<30))
		}}},
		{name: "what-if-least", w: 900, h: 600, light: true, steps: []func(*bench){hot, press("p")}},
		{name: "compare", w: 1280, h: 800, light: true, steps: []func(*bench){at("thin-laptop", 20*time.Second), press("x"), hot}},
		{name: "enlarged", w: 1280, h: 800, steps: []func(*bench){hot, func(b *bench) { b.live.enlarge("map") }}},
		{name: "failed", w: 1280, h: 800, light: true, steps: []func(*bench){hot, func(b *bench) {
			b.eng.do(func() { b.eng.feedErr, b.eng.ended, b.eng.dirty = os.ErrPermission, true, true })
		}}},
		{name: "models-dark", w: 1280, h: 800, steps: []func(*bench){hot, press("2")}},
		{name: "models-light", w: 900, h: 600, light: true, steps: []func(*bench){hot, press("2")}},
		{name: "sensors-dark", w: 1280, h: 800, steps: []func(*bench){hot, press("3"), func(b *bench) {
			b.sensors.find(b.last.frame.Budget.Thermal.ReadingID)
		}}},
		{name: "sensors-light", w: 900, h: 600, light: true, steps: []func(*bench){hot, press("3")}},
		{name: "keys", w: 1280, h: 800, steps: []func(*bench){hot, press("?")}},
		{name: "commands", w: 1280, h: 800, light: true, steps: []func(*bench){hot, func(b *bench) { b.commandMenu() }}},
		{name: "chooser", w: 1280, h: 800, steps: []func(*bench){hot, press("m")}},
		{name: "demo", w: 1920, h: 1080, steps: []func(*bench){hot, func(b *bench) { b.toggleDemo() }}},
	} {
		t.Run(p.name, func(t *testing.T) {
			state := defaults()
			state.Theme = themeDark
			if p.light {
				state.Theme = themeLight
			}
			b := newBench(t, Options{Models: manyModels(), SetInterval: func(time.Duration) {}}, state)
			b.win.Canvas().(software.WindowlessCanvas).SetScale(max(p.scale, 1))
			b.win.Resize(fyne.NewSize(p.w, p.h))
			b.settle()
			for _, step := range p.steps {
				step(b)
				b.settle()
			}
			b.canvas().Unfocus()
			got := capture(b.win)
			if dir := os.Getenv("HEADROOM_PICTURES"); dir != "" {
				writePNG(t, filepath.Join(dir, p.name+".png"), got)
			}
			compare(t, filepath.Join("testdata", p.name+".png"), halved(got))
		})
	}
}

// bareMachine is a virtual machine that offers memory and nothing else.
func bareMachine() sensors.Sample {
	at := time.Date(2026, 3, 1, 14, 0, 0, 0, time.UTC)
	bytes := func(id string, n float64) sensors.Reading {
		return sensors.Reading{ID: id, Kind: "memory", Value: sensors.Num(n), Unit: sensors.Bytes, State: sensors.StateOK, Source: "/proc/meminfo", At: at}
	}
	return sensors.Sample{
		Time: at, Host: sensors.Host{OS: "linux", Arch: "amd64", Threads: 2},
		Memory:        sensors.Memory{Total: bytes("memory/total", 4<<30), Available: bytes("memory/available", 3<<30)},
		AdaptersState: sensors.Missing("webgpu", "gpu", sensors.Count, sensors.StateNotOffered, "WebGPU", "no adapter was found"),
		Mains:         sensors.Missing("mains", "power", sensors.Count, sensors.StateNotOffered, "/sys/class/power_supply", "no supply is listed"),
	}
}

// halved is the picture at half its size, each pixel the mean of four.
func halved(img image.Image) *image.RGBA {
	from := rgba(img)
	out := image.NewRGBA(image.Rect(0, 0, from.Rect.Dx()/2, from.Rect.Dy()/2))
	for y := range out.Rect.Dy() {
		upper, lower, to := from.Pix[2*y*from.Stride:], from.Pix[(2*y+1)*from.Stride:], out.Pix[y*out.Stride:]
		for i := range 4 * out.Rect.Dx() {
			j := i/4*8 + i%4
			to[i] = uint8((uint16(upper[j]) + uint16(upper[j+4]) + uint16(lower[j]) + uint16(lower[j+4])) / 4)
		}
	}
	return out
}

func writePNG(t *testing.T, path string, img image.Image) {
	t.Helper()
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	enc := png.Encoder{CompressionLevel: png.BestCompression}
	if err := enc.Encode(f, img); err != nil {
		t.Fatal(err)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
}

// compare allows one pixel in two hundred to differ clearly: a line of text that moved is more.
func compare(t *testing.T, path string, got *image.RGBA) {
	t.Helper()
	if *update {
		writePNG(t, path, got)
		return
	}
	f, err := os.Open(path)
	if err != nil {
		t.Fatalf("%v; run the test with -update, and look at the picture", err)
	}
	defer f.Close()
	want, err := png.Decode(f)
	if err != nil {
		t.Fatalf("read %s: %v", path, err)
	}
	const most = 0.005
	if share := differing(want, got); share > most {
		t.Errorf("%s: %.2f %% of the pixels differ, %.2f %% at most may; where the change is meant, run with -update and look", path, share*100, most*100)
	}
}

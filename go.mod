module headroom

go 1.26.0

require (
	fyne.io/fyne/v2 v2.8.1 // indirect
	github.com/cogentcore/webgpu v0.23.0 // indirect
	github.com/distatus/battery v0.11.0 // indirect
	github.com/dustin/go-humanize v1.1.0 // indirect
	github.com/inconshreveable/mousetrap v1.1.0 // indirect
	github.com/prometheus/procfs v0.23.0 // indirect
	github.com/shirou/gopsutil/v3 v3.24.5 // indirect
	github.com/spf13/cobra v1.10.2 // indirect
	github.com/spf13/pflag v1.0.9 // indirect
	golang.org/x/sys v0.50.0 // indirect
	howett.net/plist v1.0.0 // indirect
)

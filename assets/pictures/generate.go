package pictures

//go:generate env CGO_ENABLED=0 go run headroom shot -o live-dark.png --scenario thin-laptop --at 150s --theme dark
//go:generate env CGO_ENABLED=0 go run headroom shot -o live-light.png --scenario thin-laptop --at 150s --theme light

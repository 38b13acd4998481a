package pictures

//go:generate env CGO_ENABLED=0 go run headroom shot --manifest pictures.yaml

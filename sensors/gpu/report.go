package gpu

import (
	"strings"

	"headroom/sensors"
)

// readingID names the adapters' reading; its value is their number.
const readingID = "gpu/adapters"

// reported makes the Sample's adapters and the reading about them; empty is the state when there are none. An error beside
// adapters is of a driver that failed where others did not.
func reported(a answer, empty sensors.State, source string) ([]sensors.Adapter, sensors.Reading) {
	detail := strings.Join(a.Notes, "; ")
	if len(a.Adapters) == 0 {
		if detail == "" {
			detail = "WebGPU finds no adapter here"
		}
		r := missing(empty, source, detail)
		r.Value = sensors.Num(0)
		return nil, r
	}
	state := sensors.StateOK
	if a.incomplete {
		state = sensors.StateError
	}
	return a.listed(), sensors.Reading{
		ID: readingID, Kind: "gpu", Value: sensors.Num(float64(len(a.Adapters))), Unit: sensors.Count,
		State: state, Source: source, Detail: detail,
	}
}

func missing(state sensors.State, source, detail string) sensors.Reading {
	return sensors.Missing(readingID, "gpu", sensors.Count, state, source, detail)
}

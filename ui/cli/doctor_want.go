package cli

import (
	"encoding/json"
	"fmt"
	"maps"
	"strings"

	"headroom/ui/frame"
)

// wantedGroups are the parts of a snapshot that a recorded host must show again. Time, load and texts differ from run to run.
var wantedGroups = []string{"throttle", "thermal", "power", "battery", "memory", "gpu", "npu", "workload", "budget", "capabilities", "plan"}

// wanted is the answer of a snapshot as a recorded host states it: scalars by their dotted keys.
func wanted(s frame.Snapshot) (map[string]any, error) {
	data, err := json.Marshal(s)
	if err != nil {
		return nil, fmt.Errorf("state what the recording shows: %w", err)
	}
	var tree map[string]any
	if err := json.Unmarshal(data, &tree); err != nil {
		return nil, fmt.Errorf("state what the recording shows: %w", err)
	}
	want := map[string]any{"gpus_asleep": tree["gpus_asleep"]}
	for _, group := range wantedGroups {
		maps.Copy(want, scalars(group, tree[group]))
	}
	return want, nil
}

func scalars(key string, v any) map[string]any {
	switch v := v.(type) {
	case map[string]any:
		out := map[string]any{}
		for k, child := range v {
			maps.Copy(out, scalars(key+"."+k, child))
		}
		return out
	case []any:
		return nil
	case string:
		// A word is a decision or a state; a sentence is free to be put better.
		if strings.ContainsAny(v, " /") {
			return nil
		}
	}
	return map[string]any{key: v}
}

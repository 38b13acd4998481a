package trace

import (
	"bytes"
	"encoding/csv"
	"slices"
	"strconv"
	"testing"
	"time"

	"headroom/sensors"
)

func TestCSVHasAColumnForEachReadingAndNoPretendedNumbers(t *testing.T) {
	samples := samplesOf(t, "gpu-comes-and-goes", 180, time.Second)
	var file bytes.Buffer
	w, err := NewWriter(&file, Header{By: "test"})
	if err != nil {
		t.Fatal(err)
	}
	for i, s := range samples {
		if i == 45 {
			if err := w.Mark(s.Time, "=plugged in"); err != nil {
				t.Fatal(err)
			}
		}
		if err := w.Write(s); err != nil {
			t.Fatal(err)
		}
	}
	var out bytes.Buffer
	err = reopen(t, file.Bytes()).CSV(t.Context(), &out, Columns{
		Names: []string{"number"},
		Cells: func(i int, _ sensors.Sample) ([]string, error) { return []string{strconv.Itoa(i)}, nil },
	})
	if err != nil {
		t.Fatal(err)
	}
	rows, err := csv.NewReader(&out).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	if len(rows) != 181 {
		t.Fatalf("%d rows, want a heading and 180", len(rows))
	}
	cell := func(row int, name string) string {
		at := slices.Index(rows[0], name)
		if at < 0 {
			t.Fatalf("no column %q in %q", name, rows[0])
		}
		return rows[row+1][at]
	}
	for _, c := range []struct {
		row        int
		name, want string
	}{
		{0, "time", "2026-03-02 11:00:00.000"},
		{179, "seconds", "179"},
		{7, "number", "7"},
		{44, "mark", "'=plugged in"},
		{45, "mark", ""},
		{10, "hwmon/amdgpu/edge (°C)", ""},
		{10, "hwmon/amdgpu/edge/crit (°C)", ""},
		{60, "hwmon/amdgpu/edge/crit (°C)", "100"},
		{60, "pci/0000:2f:00.0/vram_total (B)", "25748832256"},
	} {
		if got := cell(c.row, c.name); got != c.want {
			t.Errorf("row %d, %s: %q, want %q", c.row, c.name, got, c.want)
		}
	}
	if slices.Contains(rows[0], "memory/container_limit (B)") {
		t.Error("a reading that never had a value has a column")
	}
}

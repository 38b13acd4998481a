package trace

import (
	"bytes"
	"slices"
	"testing"
	"time"

	"headroom/sensors"
)

func FuzzOpen(f *testing.F) {
	whole := record(f, small(12))
	f.Add(whole)
	f.Add(whole[:len(whole)/2])
	f.Add(bytes.ReplaceAll(whole, []byte(`,"c":`), []byte(`,"x":`)))
	f.Add([]byte(`{"schema":"headroom.trace/1"}` + "\n" + `{"k":1,"s":{"time":"2026-03-02T14:00:00Z","at":"2026-03-02T14:00:00Z"}}` + "\n" + `{"d":[1,5,1,"x",9,{}]}`))
	f.Add([]byte(`{"schema":"headroom.trace/1","settings":{"workload":{"context":18446744073709551615},"model":{"params":1,"embedding":18446744073709551615,"layers":[{"attention":true,"heads":0,"kv_heads":9}]}}}` + "\n" + `{"set":{"workload":{"bare":true,"params":5}},"at":"2026-03-02T14:00:00Z"}` + "\n" + `{"m":"x","at":"2026-03-02T14:00:00Z"}`))
	f.Fuzz(func(t *testing.T, b []byte) {
		r, err := newRecording(bytes.NewReader(b), int64(len(b)))
		if err != nil {
			return
		}
		for _, p := range r.Problems() {
			if p.Count < 1 || p.Kind != Newer && p.String() == "" {
				t.Errorf("an empty problem: %+v", p)
			}
		}
		before := time.Duration(-1)
		var one, inTurn []string
		for i := range r.Len() {
			s, offset, err := r.At(i)
			if err != nil {
				continue
			}
			one = append(one, text(t, s))
			if offset < before || offset > r.Length() {
				t.Fatalf("sample %d lies at %s after %s of %s", i, offset, before, r.Length())
			}
			before = offset
			if _, err := r.SettingsAt(i); err != nil {
				continue
			}
		}
		err = r.Each(0, r.Len(), func(_ int, s sensors.Sample) bool {
			inTurn = append(inTurn, text(t, s))
			return true
		})
		if err != nil || !slices.Equal(one, inTurn) {
			t.Fatalf("read one by one, the samples are %q, in turn %q (%v)", one, inTurn, err)
		}
		if i, err := r.Index(r.Length() / 2); err != nil || i < 0 || i > r.Len() {
			t.Fatalf("middle is sample %d (%v)", i, err)
		}
	})
}

func FuzzScript(f *testing.F) {
	f.Add([]byte(`{"title":"t","start":"2026-03-02T14:00:00Z","seconds":10,"mains":{"points":[[0,1],[5,2]],"wobble":1},"load":"asleep"}`))
	f.Fuzz(func(t *testing.T, b []byte) {
		s, err := parseScript("fuzzed", b)
		if err != nil {
			return
		}
		s.SampleAt(0)
		s.SampleAt(-3 * time.Second)
		s.SampleAt(s.Length * 3 / 2)
	})
}

// FuzzApply reaches behind the checksums.
func FuzzApply(f *testing.F) {
	f.Add([]byte(`{"time":"2026-03-02T14:00:00Z","temperatures":[{"value":{"value":50,"at":"2026-03-02T14:00:00Z"}}]}`), []byte(`{"d":[1,1000,1,51.5`+`]`))
	f.Add([]byte(`{"time":"2026-03-02T14:00:00Z","mains":{"detail":"a\\\"b"}}`), []byte(`{"d":[1,1000,1,"c\\\"d"]`))
	f.Fuzz(func(t *testing.T, sample, line []byte) {
		k, err := takeApart(sample)
		if err != nil {
			return
		}
		k.sample()
		key := &keyed{keySample: k}
		if !bytes.HasPrefix(line, []byte(`{"d":[`)) {
			return
		}
		d, err := parseDelta(line)
		if err != nil {
			return
		}
		// Decoding the changes alone must give what decoding all gives.
		want, err := key.apply(d)
		if err != nil {
			return
		}
		got, err := key.apply(d)
		if err != nil || text(t, got) != text(t, want) {
			t.Fatalf("patched: %s (%v), spliced: %s", text(t, got), err, text(t, want))
		}
	})
}

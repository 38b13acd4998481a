//go:build cgo || !darwin

package window

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"headroom/sensors"
	"headroom/sensors/gpu/prove"
	"headroom/ui/frame"
)

// fakeProver stands for the adapter: its outcomes come in order, then err.
type fakeProver struct {
	kept     Proven
	outcomes []prove.Proof
	err      error
	// during is called before each outcome.
	during func(name string)
	ctx    context.Context
	effort prove.Effort
}

func (p *fakeProver) Kept(frame.Frame) Proven { return p.kept }

func (p *fakeProver) Run(ctx context.Context, _ frame.Frame, effort prove.Effort, tell func(ProofStep)) error {
	p.ctx, p.effort = ctx, effort
	for _, o := range p.outcomes {
		tell(ProofStep{Proof: o.Name, Step: "measuring", Done: 0.4})
		if p.during != nil {
			p.during(o.Name)
		}
		if err := ctx.Err(); err != nil {
			return err
		}
		tell(ProofStep{Proof: o.Name, Outcome: &o})
		p.kept.Result.Proofs = append(p.kept.Result.Proofs, o)
	}
	return p.err
}

var someAdapter = sensors.Adapter{Name: "Radeon 890M", Type: "integrated", Backend: "vulkan", Driver: "radv Mesa 25.1"}

func outcomes() []prove.Proof {
	return []prove.Proof{
		{Name: prove.Bandwidth, Verified: true, Meaning: "this adapter copies 96 GB/s", Figures: map[string]float64{"copy_gb_per_s": 96}},
		{Name: prove.Fusion, Verified: true, Meaning: "fusing made them 7.7 times faster", Figures: map[string]float64{"unary_ops": 8, "unary_speedup_x": 7.7, "unary_bound_x": 8}},
		{Name: prove.Precision, Verified: false, MaxError: 0.25, Figures: map[string]float64{"q8_speed_of_f16_x": 1.5, "q8_bound_of_f16_x": 1.88}},
		{Name: prove.ZeroCopy, Error: "the device was lost"},
		{Name: prove.Tiles, Verified: true, Meaning: "tiles are as fast", Figures: map[string]float64{"pieces_run": 4, "tiles_planned": 3}},
	}
}

// provePageOf is a window on its Prove page after one sample.
func provePageOf(t *testing.T, p Prover) *bench {
	b := newBench(t, Options{Prove: p}, defaults())
	cool, _ := coolAndHot(t)
	b.sample(cool)
	b.press('3')
	if b.state.Page != PageProve {
		t.Fatalf("3 turns to %s", b.state.Page)
	}
	return b
}

// proofWords are all words of the page's figure.
func (b *bench) proofWords() string {
	text := []string{b.prove.figure.scene.Desc}
	for _, it := range b.prove.figure.scene.Items {
		text = append(text, it.Text)
	}
	return strings.Join(text, "\n")
}

func wantWords(t *testing.T, got string, want ...string) {
	t.Helper()
	for _, w := range want {
		if !strings.Contains(got, w) {
			t.Errorf("nothing says %q in\n%s", w, got)
		}
	}
}

func TestKeptProofsStandMeasuredBesidePredicted(t *testing.T) {
	b := provePageOf(t, &fakeProver{kept: Proven{Adapter: someAdapter, Result: prove.Result{
		Date: time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC), Effort: prove.Full, Proofs: outcomes()[:4],
	}}})
	wantWords(t, b.proofWords(), "7.7× · ", "predicted 8×", "Fusing made them 7.7 times faster.", "96 GB/s", "wrong", "differ from the CPU's by 0.25", "failed", "The device was lost.", "not proven yet")
	wantWords(t, b.prove.adapter.text+b.prove.about.text+b.prove.note.text, "Radeon 890M", "radv Mesa 25.1", "2 of 5 proofs verified", "1 Mar 2026", "full")
	if b.prove.run.label != "Prove again" {
		t.Errorf("the key says %q", b.prove.run.label)
	}
}

func TestACancelledProofIsNoFailedOne(t *testing.T) {
	b := provePageOf(t, &fakeProver{kept: Proven{Adapter: someAdapter, Result: prove.Result{Proofs: []prove.Proof{
		{Name: prove.Bandwidth, Error: prove.Cancelled, Figures: map[string]float64{"copy_gb_per_s": 96}},
	}}}})
	words := b.proofWords()
	wantWords(t, words, "96 GB/s", "Cancelled before it was finished.")
	if strings.Contains(words, "failed") {
		t.Errorf("cancelling is called a failure:\n%s", words)
	}
}

func TestPiecesAreNoPartOfThePlannedTiles(t *testing.T) {
	b := provePageOf(t, &fakeProver{kept: Proven{Adapter: someAdapter, Result: prove.Result{Proofs: []prove.Proof{
		{Name: prove.Tiles, Verified: true, Figures: map[string]float64{"pieces_run": 7, "tiles_planned": 4}},
	}}}})
	words := b.proofWords()
	wantWords(t, words, "tiles that the plan counts", "pieces run, two held at a time")
	if strings.Contains(words, "of 4") || strings.Contains(words, "predicted 4") {
		t.Errorf("the plan's tiles are taken for a prediction of the pieces:\n%s", words)
	}
}

func TestBeforeTheFirstRunTheCardsSayWhichKeyStartsItAndHowLongItTakes(t *testing.T) {
	b := provePageOf(t, &fakeProver{kept: Proven{Adapter: someAdapter}})
	wantWords(t, b.prove.note.text, "Press D", "20 seconds")
	wantWords(t, b.proofWords(), "D runs all five proofs", "some 20 seconds", "the adapter copies", "—")
	b.prove.efforts[2].Tapped(nil)
	b.settle()
	wantWords(t, b.proofWords(), "many minutes")
}

func TestProofsRunWithProgressAndStayAsTheyCome(t *testing.T) {
	p := &fakeProver{kept: Proven{Adapter: someAdapter}, outcomes: outcomes()}
	b := provePageOf(t, p)
	wantWords(t, b.prove.note.text, "Nothing was proven")
	seen := 0
	p.during = func(name string) {
		if name != prove.Fusion {
			return
		}
		seen++
		b.settle()
		wantWords(t, b.proofWords(), "measuring", "40 %", "96 GB/s", "waiting")
		if b.prove.run.label != "Cancel" || !b.prove.efforts[0].disabled {
			t.Errorf("while proving the key says %q", b.prove.run.label)
		}
	}
	b.prove.efforts[1].Tapped(nil)
	b.press('d')
	if seen != 1 || p.effort != prove.Standard {
		t.Errorf("proven %d times with effort %q", seen, p.effort)
	}
	wantWords(t, b.prove.note.text, "3 of 5 proofs verified")
	wantWords(t, b.proofWords(), "7.7× · ", "predicted 8×", "The device was lost.")
}

func TestCancelKeepsWhatWasProven(t *testing.T) {
	p := &fakeProver{kept: Proven{Adapter: someAdapter}, outcomes: outcomes()}
	b := provePageOf(t, p)
	p.during = func(name string) {
		if name == prove.Fusion {
			b.prove.run.Tapped(nil)
			if b.prove.run.label != "Cancelling" {
				t.Errorf("after Cancel the key says %q", b.prove.run.label)
			}
		}
	}
	b.prove.run.Tapped(nil)
	b.settle()
	if p.ctx.Err() == nil || b.prove.running() || b.notices.top().fault {
		t.Errorf("cancelled: %v, running: %v, the notice says %q", p.ctx.Err(), b.prove.running(), b.told())
	}
	wantWords(t, b.told(), "Cancelled")
	wantWords(t, b.prove.note.text, "1 of 5 proofs verified")
}

func TestProveSaysWhyItCannot(t *testing.T) {
	none := provePageOf(t, &fakeProver{kept: Proven{None: "no Vulkan driver is installed"}})
	wantWords(t, none.prove.empty.text, "no Vulkan driver is installed")
	if !none.prove.run.disabled || none.prove.figure.Visible() {
		t.Error("without an adapter Prove is offered")
	}
	software := someAdapter
	software.Type = "cpu"
	cpu := provePageOf(t, &fakeProver{kept: Proven{Adapter: software}})
	wantWords(t, cpu.prove.note.text, "say nothing of a GPU")
	damaged := provePageOf(t, &fakeProver{kept: Proven{Adapter: someAdapter, Err: errors.New("unexpected end of JSON input")}})
	wantWords(t, damaged.prove.note.text, "unexpected end of JSON input")
	failing := provePageOf(t, &fakeProver{kept: Proven{Adapter: someAdapter}, err: errors.New("the child did not start")})
	failing.prove.run.Tapped(nil)
	if !failing.notices.top().fault || !strings.Contains(failing.told(), "the child did not start") {
		t.Errorf("the notice says %q", failing.told())
	}
}

func TestWithoutWebGPUThereIsNoProvePage(t *testing.T) {
	state := defaults()
	state.Page = PageProve
	b := newBench(t, Options{}, state)
	if b.state.Page != PageLive || len(b.header.pages) != 3 {
		t.Errorf("the page is %s of %d", b.state.Page, len(b.header.pages))
	}
	for o, want := range map[*Options]string{
		{}: "this build has no WebGPU", {Origin: "scenario apu"}: "what is shown is not this machine", {Host: "laptop.json"}: "what is shown is not this machine",
	} {
		b := newBench(t, *o, defaults())
		b.press('d')
		if b.prove.running() || b.told() != "D does nothing now: "+want {
			t.Errorf("D of %+v says %q, want %q", *o, b.told(), want)
		}
	}
}

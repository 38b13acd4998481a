package frame

// Verdict is the whole answer in plain words.
type Verdict struct {
	// Headline is one sentence: "Runs at q8 on the GPU · 8.8 of 21.7 GiB", or "Nothing fits: q4 in 9 tiles on the GPU".
	// Before and After are the text around Precision, which faces may colour.
	Before, Precision, After string
	// Because says what holds it back: "Held back by heat: 3.2 °C of headroom is under 5 °C, so f32 and f16 are off."
	Because string
	// Change says what would change it: "1.8 °C more gives f16."; it names an assumed input and the value that would flip it.
	Change string
	// Assumed are the inputs that rest on an assumption, each in a few words; empty when none does.
	Assumed []string
	// Pinned are the inputs that the user holds.
	Pinned []string
}

// Headline is the sentence in one piece.
func (v Verdict) Headline() string { return v.Before + v.Precision + v.After }

// Verdict puts the Frame's plan into words.
func (f Frame) Verdict() Verdict { return Verdict{} }

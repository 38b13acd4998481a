package modelfile

// windowRule is how an architecture's sliding-window layers alternate with full ones, where its file does not say.
type windowRule struct {
	// period: every period-th layer attends to all, the others to the window.
	period uint64
	// fullFirst: the first layer of each period is the full one, not the last.
	fullFirst bool
	// window is the width where the file gives none; 0: no window then.
	window uint64
}

// windowRules are llama.cpp's, by its names for the architectures (src/models in ggml-org/llama.cpp). An architecture that
// is not here and names no pattern keeps every token in every layer, whatever window its file mentions: that is what
// llama.cpp does for Mistral 7B v0.1, Phi-3 and Qwen2.
var windowRules = map[string]windowRule{
	"gemma2":          {period: 2, window: 4096},
	"gemma3":          {period: 6},
	"gemma3n":         {period: 5},
	"gemma-embedding": {period: 6},
	"cohere2":         {period: 4},
	"olmo2":           {period: 4},
	"gpt-oss":         {period: 2},
	"exaone4":         {period: 4},
	"exaone-moe":      {period: 4},
	"afmoe":           {period: 4},
	"smallthinker":    {period: 4, fullFirst: true},
	"llama4":          {period: 4, window: 8192},
}

// full reports whether layer i attends to all tokens.
func (r windowRule) full(i int) bool {
	n := uint64(i) % r.period
	if r.fullFirst {
		return n == 0
	}
	return n == r.period-1
}

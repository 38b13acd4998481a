package modelfile

import (
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"headroom/assets"
	"headroom/policy/workload"
)

// TestCatalogueCounts counts every model's weights from its architecture and compares them with the published count.
func TestCatalogueCounts(t *testing.T) {
	list, err := entries(assets.Catalogue)
	if err != nil {
		t.Fatal(err)
	}
	if len(list) < 40 {
		t.Errorf("%d models, want 40 at least", len(list))
	}
	ids := map[string]bool{}
	for _, e := range list {
		m, err := e.model()
		if err != nil {
			t.Errorf("%s: %v", e.ID, err)
			continue
		}
		if m.ID != e.ID {
			t.Errorf("%s: its id reads as %q", e.ID, m.ID)
		}
		for _, n := range append([]string{e.ID}, e.Aliases...) {
			if ids[n] {
				t.Errorf("%s: the name %q is taken", e.ID, n)
			}
			ids[n] = true
		}
		if e.Params == 0 || e.ParamsSource == "" || !strings.HasPrefix(e.Source, "https://") {
			t.Errorf("%s: published count %d from %q, source %q", e.ID, e.Params, e.ParamsSource, e.Source)
		}
		if math.Abs(float64(m.Params)/float64(e.Params)-1) > 0.005 {
			t.Errorf("%s: %d weights from its architecture, %d published", e.ID, m.Params, e.Params)
		}
		// Makers count active weights with or without embedding and output, and round to the billion.
		table := m.Vocab * m.Embedding
		if e.ActiveParams > 0 && (float64(e.ActiveParams) > 1.03*float64(m.ActiveParams) || float64(e.ActiveParams) < 0.9*float64(m.ActiveParams-2*table)) {
			t.Errorf("%s: %d active weights, %d published", e.ID, m.ActiveParams, e.ActiveParams)
		}
		if e.ActiveParams == 0 && m.ActiveParams > m.Params {
			t.Errorf("%s: %d of %d weights are active", e.ID, m.ActiveParams, m.Params)
		}
		var c hfConfig
		if json.Unmarshal(e.Config, &c) == nil && !knownFamilies[c.ModelType] {
			t.Errorf("%s: the family %q is not known", e.ID, c.ModelType)
		}
		if m.MaxContext == 0 || m.Vocab == 0 || len(m.Layers) == 0 {
			t.Errorf("%s: context %d, vocabulary %d, %d layers", e.ID, m.MaxContext, m.Vocab, len(m.Layers))
		}
	}
}

// TestCatalogueCache sizes caches of models that keep less than every token of every layer.
func TestCatalogueCache(t *testing.T) {
	for _, c := range []struct {
		name    string
		context uint64
		want    uint64
	}{
		{"llama-3.1-8b", 8192, 1 << 30},
		{"llama-3.1-70b", 4096, 1_342_177_280},
		{"deepseek-v3", 8192, 575_668_224},
		{"gemma-3-27b", 8192, (10*8192 + 52*1792) * 16 * 256 * 2},
		{"gpt-oss-20b", 131072, (12*131072 + 12*768) * 8 * 128 * 2},
		{"command-r7b", 8192, (8*8192 + 24*4864) * 8 * 256 * 2},
		{"olmo-3-7b", 8192, (8*8192 + 24*4864) * 32 * 256 * 2},
		{"qwen-3.5-9b", 8192, 8*8192*4*512*2 + 24*4*(3*(4096+2*16*128)+128*4096)},
		{"lfm-2-1.2b", 8192, 100_827_136},
		{"granite-4.0-h-micro", 8192, 4*8192*8*128*2 + 36*4*(3*(4096+2*128)+4096*128)},
		{"gemma-4-31b", 8192, 10*8192*4*1024*2 + 50*1792*16*512*2},
		{"nemotron-3-nano-30b-a3b", 8192, 6*8192*2*256*2 + 23*4*(3*(4096+2*8*128)+4096*128)},
	} {
		m, err := Find(c.name)
		if err != nil {
			t.Error(err)
			continue
		}
		if got := m.KVBytes(workload.Options{Context: c.context}); got != c.want {
			t.Errorf("%s: %d bytes at %d, want %d", c.name, got, c.context, c.want)
		}
	}
}

func TestFind(t *testing.T) {
	for name, want := range map[string]string{
		"llama-3.1-8b":                          "llama-3.1-8b",
		"Llama 3.1 8B":                          "llama-3.1-8b",
		"llama3.1:8b":                           "llama-3.1-8b",
		"meta-llama/Llama-3.1-8B-Instruct":      "llama-3.1-8b",
		"Meta_Llama 3.1 70B":                    "",
		"Llama-3.3-70B-Instruct":                "llama-3.1-70b",
		"Qwen/Qwen2.5-7B-Instruct":              "qwen-2.5-7b",
		"qwen3:30b":                             "qwen-3-30b-a3b",
		"gemma3:27b-it-qat":                     "gemma-3-27b",
		"mixtral:8x7b":                          "mixtral-8x7b",
		"tinyllama":                             "tinyllama-1.1b",
		"gpt-oss:120b":                          "gpt-oss-120b",
		"deepseek-r1:671b":                      "deepseek-r1",
		"Qwen2.5-Coder-32B-Instruct-Q4_K_M":     "qwen-2.5-32b",
		"HuggingFaceTB/SmolLM2-1.7B-Instruct":   "smollm-2-1.7b",
		"qwen":                                  "",
		"mistral":                               "",
		"":                                      "",
		"llama-3.1-9b":                          "",
		strings.Repeat("llama-3.1-8b-", 10_000): "",
	} {
		m, err := Find(name)
		if want == "" {
			if err == nil {
				t.Errorf("%.40q is %s", name, m.ID)
			}
			continue
		}
		if err != nil || m.ID != want {
			t.Errorf("%q is %q (%v), want %s", name, m.ID, err, want)
		}
	}
	if _, err := Find("lama-3.1-8b"); err == nil || !strings.Contains(err.Error(), "llama-3.1-8b") {
		t.Errorf("a name with a slip: %v; want the near name in it", err)
	}
	if _, err := Find("nosuch"); err == nil || strings.Contains(err.Error(), "near it") {
		t.Errorf("a name like none: %v; want no name that is as far from it", err)
	}
	if _, err := Find("llama"); err == nil || !strings.Contains(err.Error(), "near it: llama-3.1-8b, llama-3.1-70b,") {
		t.Errorf("a name that many start with: %v; want those", err)
	}
}

// TestExpertsInMXFP4 holds the two models that are published so to the GiB that llama-bench prints of their files.
func TestExpertsInMXFP4(t *testing.T) {
	format, _ := workload.FormatNamed("MXFP4")
	for name, want := range map[string]float64{"gpt-oss-20b": 11.27, "gpt-oss-120b": 59.02} {
		m, err := Find(name)
		if err != nil {
			t.Fatal(err)
		}
		if got := float64(format.Of(m)) / (1 << 30); math.Abs(got-want) > 0.003*want {
			t.Errorf("%s takes %.2f GiB, its file %.2f", name, got, want)
		}
	}
	dense, err := Find("llama-3.1-8b")
	if err != nil || format.Of(dense) != format.Bytes(dense.Params) {
		t.Errorf("a model without experts is not sized by the average: %v", err)
	}
}

// TestFilesOfSmallModels holds the sizes of models with other shares of vocabulary than the one that the averages were measured
// on to the files that people download, in bytes, a tokenizer of some megabytes included.
func TestFilesOfSmallModels(t *testing.T) {
	for _, c := range []struct {
		model, format string
		file          float64
	}{
		{"llama-3.1-8b", "Q4_K_M", 4_920_739_232},
		{"llama-3.2-1b", "Q4_K_M", 807_694_464},
		{"llama-3.2-3b", "Q4_K_M", 2_019_377_696},
		{"gemma-3-4b", "Q4_K_M", 2_489_757_856},
		{"qwen2.5-0.5b", "Q4_K_M", 397_808_192},
		{"qwen2.5-1.5b", "Q4_K_M", 986_048_768},
	} {
		m, err := Find(c.model)
		if err != nil {
			t.Fatal(err)
		}
		f, _ := workload.FormatNamed(c.format)
		if got := float64(f.Of(m)); math.Abs(got-c.file) > 0.025*c.file {
			t.Errorf("%s in %s takes %.0f bytes, its file %.0f: %+.1f %%", c.model, c.format, got, c.file, 100*(got/c.file-1))
		}
	}
}

// TestUserCatalogue adds a model of the user's own, and another that is wrong.
func TestUserCatalogue(t *testing.T) {
	home := t.TempDir()
	t.Setenv("HOME", home)
	t.Setenv("XDG_CONFIG_HOME", home)
	t.Setenv("AppData", home)
	before, err := Catalogue()
	if err != nil {
		t.Fatal(err)
	}
	path := UserCatalogue()
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	config := `{"model_type":"llama","hidden_size":2048,"intermediate_size":8192,"num_hidden_layers":16,"num_attention_heads":32,"num_key_value_heads":8,"head_dim":64,"vocab_size":128256,"tie_word_embeddings":true}`
	own := `{"models":[{"id":"my-model","name":"My model","params":1235814400,"source":"here","config":` + config + `},
		{"id":"wrong","name":"Wrong","params":7000000000,"source":"here","config":` + config + `},
		{"id":"unsourced","name":"Unsourced","config":` + config + `}]}`
	if err := os.WriteFile(path, []byte(own), 0o600); err != nil {
		t.Fatal(err)
	}
	after, err := Catalogue()
	if len(after) != len(before)+1 || after[0].ID != "my-model" || after[0].Source != "here" {
		t.Errorf("%d models after %d, the first %q from %q", len(after), len(before), after[0].ID, after[0].Source)
	}
	for _, want := range []string{"wrong", "1235814400", "7000000000", "unsourced", "lacks the source"} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v does not say %q", err, want)
		}
	}
	if m, err := Find("my model"); err != nil || m.Params != 1_235_814_400 {
		t.Errorf("the user's model: %d %v", m.Params, err)
	}
	if _, err := Find("llama-3.1-8b"); err != nil {
		t.Errorf("a wrong entry hides others: %v", err)
	}
}

package prove

import "strings"

// spoiler breaks a kernel on purpose, each in the last thing that it does: a proof that does not notice proves nothing.
var spoiler = strings.NewReplacer(
	"result[i] = v;", "result[i] = v * 1.001;",
	"] = sums[0u + t];", "] = 1.01 * sums[t];",
	"atomicAdd(&sum, mixed)", "atomicAdd(&sum, mixed + 1u)",
	"= total", "= 1.01 * total",
)

// spoiled is the kernel's text, broken where the request asks for that.
func (r Request) spoiled(code string) string {
	if r.Break {
		return spoiler.Replace(code)
	}
	return code
}

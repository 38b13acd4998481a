package workload_test

import (
	"fmt"

	"headroom/policy"
	"headroom/policy/workload"
)

func ExampleModel_At() {
	model := *workload.Default().Model
	for _, context := range []uint64{8192, 32768} {
		w := model.At(workload.Options{Context: context, KV: workload.KVQ80})
		fmt.Printf("%d tokens: KV %d MiB, buffers %d MiB\n", w.Context, w.KVBytes>>20, w.ComputeBytes>>20)
	}
	// Output:
	// 8192 tokens: KV 544 MiB, buffers 266 MiB
	// 32768 tokens: KV 2176 MiB, buffers 266 MiB
}

func ExampleSequence_Groups() {
	s := workload.Default().Decode[policy.F16]
	for g := range s.Groups() {
		if g.To-g.From > 1 {
			fmt.Println(s.Names[g.From:g.To], "share a pass over", s.Shapes[g.From])
		}
	}
	// Output:
	// [scale mask] share a pass over 32×8192
	// [silu mul] share a pass over 14336
}

func ExampleParseParams() {
	for _, s := range []string{"8B", "8.03e9", "-8B"} {
		fmt.Println(workload.ParseParams(s))
	}
	// Output:
	// 8000000000 <nil>
	// 8030000000 <nil>
	// 0 read weight count "-8B": it is negative; write it like 8B, 500M or 8.03e9
}

func ExampleFormat_Bytes() {
	for _, name := range []string{"F16", "Q8_0", "Q4_K_M"} {
		f, _ := workload.FormatNamed(name)
		fmt.Printf("%s %.2f GiB\n", f.Name, float64(f.Bytes(8_030_261_248))/(1<<30))
	}
	// Output:
	// F16 14.96 GiB
	// Q8_0 7.95 GiB
	// Q4_K_M 4.58 GiB
}

package fdinfo

import (
	"testing"
	"time"
)

func TestParse(t *testing.T) {
	for _, tt := range []struct {
		name, text string
		want       Client
		ok         bool
	}{
		{
			"amdgpu", "pos:\t0\nflags:\t02\ndrm-driver:\tamdgpu\ndrm-client-id:\t86\ndrm-pdev:\t0000:C5:00.0\npasid:\t32784\ndrm-memory-vram:\t12 MiB\ndrm-memory-gtt:\t2048 KiB\ndrm-memory-cpu:\t900 KiB\n" +
				"drm-total-vram:\t14 MiB\ndrm-resident-vram:\t12 MiB\ndrm-total-gtt:\t2048 KiB\ndrm-resident-gtt:\t2048 KiB\ndrm-resident-cpu:\t4 MiB\ndrm-engine-gfx:\t5000 ns\ndrm-engine-compute:\t9000 ns\n",
			Client{Driver: "amdgpu", PCI: "0000:c5:00.0", ID: "86", VRAM: 12 << 20, System: 2 << 20, Busy: 9 * time.Microsecond},
			true,
		},
		{
			"xe", "drm-driver:\txe\ndrm-client-id:\t7\ndrm-pdev:\t0000:03:00.0\ndrm-total-vram0:\t100 MiB\ndrm-resident-vram0:\t90 MiB\ndrm-resident-vram1:\t0\ndrm-total-vram1:\t7 MiB\ndrm-total-system:\t0\ndrm-resident-system:\t0\ndrm-engine-capacity-ccs:\t4\n",
			Client{Driver: "xe", PCI: "0000:03:00.0", ID: "7", VRAM: 90 << 20},
			true,
		},
		{
			"i915", "drm-driver: i915\ndrm-client-id: 3\ndrm-pdev: 0000:00:02.0\ndrm-total-system0: 3 MiB\ndrm-resident-system0: 2 MiB\ndrm-engine-render: 70 ns\n",
			Client{Driver: "i915", PCI: "0000:00:02.0", ID: "3", System: 2 << 20, Busy: 70},
			true,
		},
		{"a plain file", "pos:\t0\nflags:\t0100002\nmnt_id:\t29\n", Client{}, false},
		{"nonsense", "drm-driver:\tx\ndrm-memory-vram:\t-5 KiB\ndrm-memory-gtt:\t5 furlongs\ndrm-engine-gfx:\tsoon\n", Client{Driver: "x"}, true},
		{"empty", "", Client{}, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got, ok := Parse(tt.text)
			if got != tt.want || ok != tt.ok {
				t.Errorf("the client is %+v, %v; want %+v, %v", got, ok, tt.want, tt.ok)
			}
		})
	}
}

func FuzzParse(f *testing.F) {
	f.Add("drm-driver:\tamdgpu\ndrm-memory-vram:\t12 MiB\n")
	f.Fuzz(func(t *testing.T, text string) {
		c, _ := Parse(text)
		if c.Busy < 0 {
			t.Errorf("the time is %v", c.Busy)
		}
	})
}

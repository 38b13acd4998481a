package sensors

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"headroom/sensors/nvidiasmi"
)

// proc makes a process's folder. Resident is in pages, the rest in kB.
func proc(pid int, comm string, ticks, pages, anon, file int, more files) files {
	dir := fmt.Sprintf("proc/%d", pid)
	return join(under(dir, more), files{
		dir + "/stat":   fmt.Sprintf("%d (%s) S 1 1 1 0 -1 0 0 0 0 0 %d 0 0 0 20 0 1 0 100 1000000 %d 0 0 0 0 0 0 0 0 0 0 0 0 17 0 0 0 0 0 0 0 0 0 0 0 0 0 0\n", pid, comm, ticks, pages),
		dir + "/comm":   comm + "\n",
		dir + "/statm":  fmt.Sprintf("%d %d 0 0 0 0 0\n", pages, pages),
		dir + "/status": fmt.Sprintf("Name:\t%s\nVmRSS:\t%d kB\nRssAnon:\t%d kB\nRssFile:\t%d kB\nRssShmem:\t0 kB\n", comm, anon+file, anon, file),
	})
}

const ggufMap = "7f0000000000-7f0100000000 r--s 00000000 103:02 42 /home/someone/models/llama-3.1-8b.Q4_K_M.gguf\n"

func TestModelServers(t *testing.T) {
	s := sampleOf(t, join(
		proc(100, "ollama", 50, 20000, 60000, 20000, nil),
		proc(101, "llama-server", 900, 1500000, 1<<20, 5<<20, files{
			"maps":     "55d000000000-55d000001000 r-xp 00000000 103:02 1 /usr/bin/llama-server\n" + ggufMap,
			"fdinfo/3": "pos:\t0\n",
			"fdinfo/5": "drm-driver:\tamdgpu\ndrm-client-id:\t86\ndrm-pdev:\t0000:03:00.0\ndrm-memory-vram:\t4194304 KiB\ndrm-memory-gtt:\t1024 KiB\n",
			"fdinfo/6": "drm-driver:\tamdgpu\ndrm-client-id:\t86\ndrm-pdev:\t0000:03:00.0\ndrm-memory-vram:\t4194304 KiB\ndrm-memory-gtt:\t1024 KiB\n",
		}),
		proc(102, "my own thing", 9, 200000, 1000, 700000, files{"maps": ggufMap}),
		proc(103, "bash", 9, 500, 1000, 1000, nil),
		proc(104, "browser", 9, 1<<20, 4<<20, 1000, files{"maps": "7f00-7f01 r--p 0 0 0 /usr/lib/libc.so.6\n"}),
	))
	got := map[int]Process{}
	for _, p := range s.Workloads {
		got[p.PID] = p
	}
	if len(got) != 4 {
		t.Errorf("%d processes are listed: %+v", len(got), s.Workloads)
	}
	server := got[101]
	if server.Name != "llama-server" || !strings.HasSuffix(server.Model, "llama-3.1-8b.Q4_K_M.gguf") {
		t.Errorf("the server is %+v", server)
	}
	// The mapped model counts as available already, and one client seen through two descriptors is one.
	is(t, server.RAM, Num(1<<30), StateOK)
	is(t, server.GPU, Num(4<<30+1<<20), StateOK)
	if got[100].Name != "ollama" || got[100].Model != "" {
		t.Errorf("ollama is %+v", got[100])
	}
	is(t, got[100].GPU, unknown, StateNotOffered)
	if got[102].Model == "" {
		t.Errorf("a program with an open model is %+v", got[102])
	}
	if got[104].Model != "" || got[104].RAM.Value != Num(4<<30) {
		t.Errorf("the large holder is %+v", got[104])
	}
}

// TestServerPower holds that a server's power is its part of the processor's, marked as an estimate.
func TestServerPower(t *testing.T) {
	stat := func(busy int) files {
		return files{"proc/stat": fmt.Sprintf("cpu  %d 0 0 99999 5 0 0 0 0 0\n", busy)}
	}
	_, s := pollTwice(t,
		join(proc(101, "llama-server", 1000, 20000, 1000, 1000, nil), stat(5000), raplZone("intel-rapl:0", "package-0", files{"energy_uj": "0\n"})),
		join(proc(101, "llama-server", 1150, 20000, 1000, 1000, nil), stat(5200), files{"sys/class/powercap/intel-rapl:0/energy_uj": "20000000\n"}),
	)
	if len(s.Workloads) != 1 {
		t.Fatalf("%d processes are listed", len(s.Workloads))
	}
	is(t, s.Workloads[0].Power, Num(15000), StateAssumed)
	// On a card it is its part of the card's time.
	fd := func(ns int) files {
		return files{"proc/101/fdinfo/5": fmt.Sprintf("drm-driver:\tamdgpu\ndrm-client-id:\t86\ndrm-pdev:\t0000:03:00.0\ndrm-memory-vram:\t4 MiB\ndrm-engine-compute:\t%d ns\n", ns)}
	}
	_, s = pollTwice(t,
		join(proc(101, "llama-server", 1000, 20000, 1000, 1000, nil), stat(5000), fd(0),
			drmCard("card0", "amdgpu", "0000:03:00.0", nil), hwmon(1, "amdgpu", files{"power1_average": "200000000\n", "device/uevent": "PCI_SLOT_NAME=0000:03:00.0\n"})),
		join(stat(5200), fd(int(800*time.Millisecond))),
	)
	is(t, s.Workloads[0].Power, Num(160000), StateAssumed)
}

func TestNVIDIAProcesses(t *testing.T) {
	list := []candidate{{Process: Process{PID: 101}}, {Process: Process{PID: 102}}}
	addNVIDIAProcesses(list, []nvidiasmi.Process{{PID: 101, PCI: "0000:01:00.0", Memory: nvidiasmi.Value{V: 5 << 30, Known: true}}, {PID: 9}, {PID: 102}})
	if list[0].cards["pci/0000:01:00.0"] != 5<<30 || list[1].cards != nil {
		t.Errorf("the processes hold %+v", list)
	}
}

func TestServerNames(t *testing.T) {
	for name, w := range map[string]bool{
		"ollama": true, "Ollama": true, "llama-server": true, "llama-cli": true, "LM Studio": true, "lms": true, "koboldcpp": true, "vllm": true, "jan": true,
		"bash": false, "january": false, "lmsensors": false, "firefox": false, "": false,
	} {
		if isServer(name) != w {
			t.Errorf("%q serves models: %v", name, !w)
		}
	}
}

package cli

import (
	"context"
	"fmt"
	"io"
	"slices"
	"strconv"

	"github.com/spf13/cobra"

	"headroom/policy/workload"
	"headroom/sensors"
	"headroom/sensors/budget"
	"headroom/sensors/gpu"
	"headroom/sensors/hostfile"
	"headroom/sensors/sysfs"
	"headroom/ui/frame"
)

func newDoctorCommand() *cobra.Command {
	var c choices
	var output string
	cmd := &cobra.Command{
		Use: "doctor", Short: "Report what was read, from where, and what was made of it", Args: noArgs,
		Long: "Doctor prints a report to paste into a bug report: each source with what it said, what was chosen and why, and what\n" +
			"more permission would add. With -o it writes the machine as a recorded host, which a test can replay. Neither names a\n" +
			"user, a host or a control group, or holds a serial number, network address or UUID; a model file's path is left out, too.",
		RunE: func(cmd *cobra.Command, _ []string) error {
			set, err := c.settings(cmd.ErrOrStderr())
			if err != nil {
				return err
			}
			e := examine(cmd.Context(), c.sysroot, set)
			if err := cmd.Context().Err(); err != nil {
				return err
			}
			if output == "" {
				_, err = io.WriteString(cmd.OutOrStdout(), e.report())
				return err
			}
			args, replayed := settingArgs(cmd, set)
			host, err := e.host(cmd.Context(), args, replayed)
			if err != nil {
				return err
			}
			if err := writeFile(output, host.Write); err != nil {
				return err
			}
			_, err = fmt.Fprintf(cmd.OutOrStdout(), "%s: %s of this machine; send it with a report of what is wrong, or test with it\n",
				output, plural(uint32(len(host.Files)), "file"))
			return err
		},
	}
	c.add(cmd)
	cmd.Flags().StringVarP(&output, "output", "o", "", "write the machine to `FILE` as a recorded host, in place of the report")
	return cmd
}

// settingArgs are the flags given that the plan depends on, and what they set: a recorded host is replayed with them. A model
// file is not there then, and its path can name a user: its count of weights stands for it.
func settingArgs(cmd *cobra.Command, set budget.Settings) ([]string, budget.Settings) {
	given := func(name string) []string { return cmd.Flags().Lookup(name).Value.(*parsed).given }
	args := []string{}
	names := []string{"params", "model", "context", "kv", "device", "pin", "limit", "runtime"}
	if slices.ContainsFunc(given("model"), isFile) {
		args = append(args, "--params", strconv.FormatUint(set.Workload.Params, 10))
		names = []string{"device", "pin", "limit", "runtime"}
		set.Workload = workload.Bare(set.Workload.Params)
	}
	for _, name := range names {
		for _, text := range given(name) {
			args = append(args, "--"+name, text)
		}
	}
	return args, set
}

// examination is one round with everything that was read for it.
type examination struct {
	root     sysfs.Root
	recorder *hostfile.Recorder
	frame    frame.Frame
}

func examine(ctx context.Context, sysroot string, set budget.Settings) examination {
	r := hostfile.NewRecorder()
	poller := sensors.NewPoller(sensors.Options{Sysroot: sysroot, Observe: r.Observe, Probe: probeOnce(sysroot)})
	defer poller.Close()
	return examination{root: sysfs.New(sysroot, nil), recorder: r, frame: frame.New(poller.Once(ctx), set)}
}

// probeOnce asks this machine for its adapters, or the file that stands for them in a recorded tree.
func probeOnce(sysroot string) sensors.ProbeFunc {
	return func(ctx context.Context) ([]sensors.Adapter, sensors.Reading) {
		if sysroot == "" {
			return gpu.Probe(ctx, gpu.Options{})
		}
		return adaptersIn(sysroot)
	}
}

// host is the machine as a recorded host. What it must show is what the recording itself gives when it is replayed: a
// counter's rate, for one, is not in a recording.
func (e examination) host(ctx context.Context, args []string, set budget.Settings) (hostfile.Host, error) {
	files, err := e.recorder.Tree(e.root, e.frame.Sample)
	if err != nil {
		return hostfile.Host{}, err
	}
	h := hostfile.Host{About: "Recorded by headroom doctor.", Args: args, Files: files}
	in, err := newScratch()
	if err != nil {
		return hostfile.Host{}, fmt.Errorf("replay the recording: %w", err)
	}
	defer in.remove()
	if err := h.WriteTree(in.dir); err != nil {
		return hostfile.Host{}, err
	}
	poller := sensors.NewPoller(sensors.Options{Sysroot: in.dir, Probe: probeOnce(in.dir)})
	defer poller.Close()
	h.Want, err = wanted(frame.New(poller.Once(ctx), set).Snapshot())
	return h, err
}

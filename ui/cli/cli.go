package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strings"
	"syscall"
	"unicode"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"headroom/sensors/gpu"
)

// The exit statuses.
const (
	exitOK = iota
	// exitFailed is a failure while running.
	exitFailed
	// exitUsage is a command line that cannot be followed.
	exitUsage
)

// Main runs the program with its arguments (without its name) and returns its exit status: 0 when all went well, 1 when
// something failed while running, 2 when the command line cannot be followed. An error is one line on stderr.
func Main(args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	if len(args) > 0 && args[0] == gpu.ChildCommand {
		return gpu.ChildMain(args[1:], stdout, stderr)
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	ctx, clear := withScrap(ctx)
	defer clear()
	// With a handler in place, writing to a closed pipe is an error like others, not a silent death by signal.
	pipe := make(chan os.Signal, 1)
	signal.Notify(pipe, syscall.SIGPIPE)
	defer signal.Stop(pipe)

	root := newRoot()
	root.SetArgs(args)
	root.SetIn(stdin)
	root.SetOut(stdout)
	root.SetErr(stderr)
	return exitStatus(root.ExecuteContext(ctx), stderr)
}

func exitStatus(err error, stderr io.Writer) int {
	var usage usageError
	switch {
	case err == nil, errors.Is(err, syscall.EPIPE), errors.Is(err, context.Canceled):
		return exitOK
	case errors.As(err, &usage):
		complain(stderr, err)
		return exitUsage
	}
	complain(stderr, err)
	return exitFailed
}

// maxComplaint is how many bytes of a complaint are shown: it may name what was given, or what a file holds, at any length.
const maxComplaint = 2000

// complain writes one line, without what would steer a terminal. Of a long one it leaves out the middle.
func complain(stderr io.Writer, what any) {
	line := strings.Join(strings.Fields(fmt.Sprint(what)), " ")
	if n := len(line); n > maxComplaint {
		line = line[:maxComplaint/2] + " … " + line[n-maxComplaint/2:]
	}
	line = strings.Map(func(r rune) rune {
		if unicode.IsPrint(r) {
			return r
		}
		return unicode.ReplacementChar
	}, line)
	fmt.Fprintln(stderr, "headroom: "+line)
}

// usageError is a command line that cannot be followed.
type usageError struct{ error }

func (e usageError) Unwrap() error { return e.error }

// badUsage makes a usageError.
func badUsage(format string, args ...any) error { return usageError{fmt.Errorf(format, args...)} }

// noArgs refuses arguments that belong to no flag.
func noArgs(cmd *cobra.Command, args []string) error {
	switch {
	case len(args) == 0:
		return nil
	case cmd.HasParent():
		return badUsage("unexpected argument %q: %s takes flags only; see headroom %s --help", args[0], cmd.Name(), cmd.Name())
	}
	return badUsage("unknown command %q; see headroom --help", args[0])
}

func newRoot() *cobra.Command {
	root := newWindowCommand()
	root.SilenceErrors, root.SilenceUsage = true, true
	root.Version = build()
	root.SetVersionTemplate("headroom {{.Version}}\n")
	root.Flags().Bool("version", false, "print the version and what this build has")
	root.DisableSuggestions = true
	root.SetFlagErrorFunc(func(_ *cobra.Command, err error) error { return usageError{flagError(err)} })
	for _, make := range commands {
		root.AddCommand(make())
	}
	completeValues(root)
	root.SetHelpCommand(newHelpCommand(root))
	root.InitDefaultCompletionCmd()
	if c, _, err := root.Find([]string{"completion"}); err == nil {
		c.Args = cobra.ArbitraryArgs
		for _, shell := range c.Commands() {
			shell.Args = noArgs
		}
		c.RunE = func(_ *cobra.Command, args []string) error {
			return badUsage("completion is for bash, fish, powershell or zsh; see headroom completion --help")
		}
	}
	return root
}

// flagError names the flag and what is wrong with its value, without saying it twice.
func flagError(err error) error {
	var invalid *pflag.InvalidValueError
	if !errors.As(err, &invalid) {
		return err
	}
	if f := invalid.GetFlag(); f.Value.Type() != "bool" {
		return fmt.Errorf("--%s: %w", f.Name, invalid.Unwrap())
	}
	return fmt.Errorf("--%s: %q is neither true nor false", invalid.GetFlag().Name, invalid.GetValue())
}

func newHelpCommand(root *cobra.Command) *cobra.Command {
	return &cobra.Command{
		Use: "help [COMMAND]", Short: "Explain a command",
		RunE: func(_ *cobra.Command, args []string) error {
			c, rest, err := root.Find(args)
			if err != nil || len(rest) > 0 {
				return badUsage("unknown command %q; see headroom --help", strings.Join(args, " "))
			}
			return c.Help()
		},
	}
}

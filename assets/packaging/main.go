package main

import (
	"flag"
	"fmt"
	"os"
	"time"
)

func main() {
	var o options
	date := flag.Int64("date", 0, "the date of the manual pages, in seconds since 1970 (default that of the release)")
	flag.StringVar(&o.out, "out", "", "the folder to make share/ in, laid out like /usr")
	flag.StringVar(&o.ico, "ico", "", "the file to write Windows' icon to (default none)")
	flag.StringVar(&o.maintainer, "maintainer", "", "who made the packages, as NAME <ADDRESS>, for Debian's changelog (default none is written)")
	flag.Parse()
	if o.out == "" || flag.NArg() > 0 {
		fmt.Fprintln(os.Stderr, "packaging: name the folder to make share/ in, and no more: -out DIR")
		os.Exit(2)
	}
	if *date != 0 {
		o.date = time.Unix(*date, 0).UTC()
	}
	if err := write(o); err != nil {
		fmt.Fprintln(os.Stderr, "packaging:", err)
		os.Exit(1)
	}
}

// options are the flags. What is not to be written is empty; a zero date is the newest release's.
type options struct {
	out, ico, maintainer string
	date                 time.Time
}

func write(o options) error {
	p := prefix(o.out)
	history, err := releases()
	if err != nil {
		return err
	}
	if o.date.IsZero() {
		if o.date, err = history[0].day(); err != nil {
			return err
		}
	}
	for _, step := range []func() error{
		func() error { return writeIcons(p) },
		func() error { return writeDesktop(p) },
		func() error { return writeCompletions(p) },
		func() error { return writeManual(p, o.date) },
		func() error { return writeDoc(p, history, o.maintainer) },
		func() error { return writeWindowsIcon(o.ico) },
	} {
		if err := step(); err != nil {
			return err
		}
	}
	return nil
}

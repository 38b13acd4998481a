package main

import (
	"flag"
	"fmt"
	"os"
	"time"
)

func main() {
	var o options
	date := flag.Int64("date", 0, "the date of the manual pages, in seconds since 1970")
	flag.StringVar(&o.out, "out", "", "the folder to make share/ in")
	flag.StringVar(&o.ico, "ico", "", "the file to write Windows' icon to")
	flag.StringVar(&o.maintainer, "maintainer", "", "who made the packages, as NAME <ADDRESS>")
	flag.Parse()
	o.date = time.Unix(*date, 0).UTC()
	if err := write(o); err != nil {
		fmt.Fprintln(os.Stderr, "packaging:", err)
		os.Exit(1)
	}
}

type options struct {
	out, ico, maintainer string
	date                 time.Time
}

func write(o options) error {
	p := prefix(o.out)
	for _, step := range []func() error{
		func() error { return writeIcons(p) },
		func() error { return writeDesktop(p) },
		func() error { return writeCompletions(p) },
		func() error { return writeManual(p, o.date) },
		func() error { return writeDoc(p, o.maintainer) },
		func() error { return writeWindowsIcon(o.ico) },
	} {
		if err := step(); err != nil {
			return err
		}
	}
	return nil
}

package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"sync/atomic"
	"time"

	"github.com/mattn/go-isatty"

	"github.com/roceplan/roceplan/diag"
	"github.com/roceplan/roceplan/internal/disk"
	"github.com/roceplan/roceplan/internal/plain"
	"github.com/roceplan/roceplan/observe/live"
)

// A terminal has the streams of a command. Its context ends with an interrupt.
type terminal struct {
	context.Context
	in   io.Reader
	out  *bufio.Writer // to plain
	err  io.Writer     // escapes as out does
	tty  io.Writer     // err as it is: for colours, and the line that shows progress
	disk disk.FS       // where files are written

	dial   live.Dial    // the connection to devices; nil: the system's
	listen net.Listener // where metrics are served; nil: at the address that is named

	plain *plain.Writer // standard output; escapes what a terminal obeys
	shown bool          // standard output is a terminal
	width int           // of its lines, in characters; 0 where that is not known

	json     bool // --json: results and findings as JSON on out
	all      bool // --all: every finding by itself
	colour   bool // on err
	progress bool // err is watched by a person
	asks     bool // a person answers on in
}

func isTerminal(stream any) bool {
	f, ok := stream.(*os.File)
	return ok && isatty.IsTerminal(f.Fd())
}

// printf prints a result, tables as wide as the terminal is.
func (t *terminal) printf(format string, args ...any) {
	for i, arg := range args {
		switch arg := arg.(type) {
		case table:
			arg.width = t.width
			args[i] = arg
		case *Summary:
			arg.width = t.width
		}
	}
	fmt.Fprintf(t.out, format, args...)
}

// exactly prints bytes that another program reads, such as a patch, as they are. A terminal is not
// such a program.
func (t *terminal) exactly(print func() error) error {
	if t.plain == nil || t.shown {
		return print()
	}
	if err := t.out.Flush(); err != nil {
		return err
	}
	t.plain.Exact = true
	err := errors.Join(print(), t.out.Flush())
	t.plain.Exact = false
	return err
}

// linef prints one line, whatever names hold.
func (t *terminal) linef(format string, args ...any) {
	t.printf("%s\n", plain.Line(fmt.Sprintf(format, args...)))
}

// errorf prints one line on standard error, whatever names hold.
func (t *terminal) errorf(format string, args ...any) {
	fmt.Fprintf(t.err, "%s\n", plain.Line(fmt.Sprintf(format, args...)))
}

// printJSON prints a result for a machine.
func (t *terminal) printJSON(v any) error {
	enc := json.NewEncoder(t.out)
	enc.SetIndent("", "  ")
	enc.SetEscapeHTML(false)
	return enc.Encode(v)
}

// mostFindings is the number of findings that are printed unless all are asked for.
const mostFindings = 20

// report prints findings for a person, in the order of the files; warnings only where there
// are not errors. With --json that is left to the command: there they are part of its result.
func (t *terminal) report(found diag.List, sources diag.Sources) error {
	if t.json {
		return nil
	}
	if t.all {
		return t.text(t.tty, sources).Write(t.tty, found)
	}
	return t.digest(t.tty, diag.ErrorsFirst(folded(found), mostFindings), sources)
}

// tell is report for findings about existing devices: there a warning is reported, whatever else is
// wrong.
func (t *terminal) tell(found diag.List, sources diag.Sources) error {
	if t.json {
		return nil
	}
	return t.rank(t.tty, found, sources)
}

// rank prints findings, the first ones as they are.
func (t *terminal) rank(w io.Writer, found diag.List, sources diag.Sources) error {
	if t.all {
		return t.text(w, sources).Write(w, found)
	}
	return t.digest(w, diag.NewDigest(found, mostFindings), sources)
}

// text returns the format of findings; colours are for standard error alone.
func (t *terminal) text(w io.Writer, sources diag.Sources) diag.Text {
	return diag.Text{Sources: sources, Colour: t.colour && w == t.tty}
}

func (t *terminal) digest(w io.Writer, d diag.Digest, sources diag.Sources) error {
	err := t.text(w, sources).Write(w, d.Shown)
	if rest := d.Withheld(); rest != "" && err == nil {
		_, err = fmt.Fprintf(w, "%s; --all shows every finding\n", rest)
	}
	return err
}

// patience is the time for which a command may be silent on a terminal.
const patience = 2 * time.Second

// logInterval is the time for which it may be silent in a log. Tests change it.
var logInterval = 10 * time.Second

// watch counts steps of long work and shows them once it has taken longer than a person likes to wait: on a terminal
// in one line that changes and that stop wipes, in a log by a line from time to time. Without a total it shows for how
// long the work has been done. More is further text.
func (t *terminal) watch(what string, total int, more ...func() string) (step, stop func()) {
	var done atomic.Int64
	begun := time.Now()
	show := func() {
		text := fmt.Sprintf("%d of %d %s", done.Load(), total, what)
		if total == 0 {
			text = fmt.Sprintf("%s for %d s", what, int(time.Since(begun).Seconds()))
		}
		for _, say := range more {
			text += say()
		}
		if t.progress {
			fmt.Fprintf(t.tty, "\r\x1b[K%s", text)
		} else {
			t.errorf("%s", text)
		}
	}
	first, next := logInterval, logInterval
	if t.progress {
		first, next = patience, 200*time.Millisecond
	}
	quit, ended := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(ended)
		for wait := first; ; wait = next {
			select {
			case <-quit:
				if t.progress && wait == next {
					fmt.Fprint(t.tty, "\r\x1b[K")
				}
				return
			case <-time.After(wait):
				show()
			}
		}
	}()
	return func() { done.Add(1) }, func() { close(quit); <-ended }
}

// nonNil makes an empty list an empty array of JSON rather than null.
func nonNil(found diag.List) diag.List {
	if found == nil {
		return diag.List{}
	}
	return found
}

package main

import (
	"errors"
	"fmt"
	"io"
	"runtime/debug"
	"slices"
	"strings"
	"time"

	"github.com/roceplan/roceplan"
	"github.com/roceplan/roceplan/cabling"
	"github.com/roceplan/roceplan/internal/plain"
	"github.com/roceplan/roceplan/observe"
	"github.com/roceplan/roceplan/observe/live"
	"github.com/roceplan/roceplan/observe/scrape"
	"github.com/roceplan/roceplan/units"
)

// A watch observes a fabric until a signal comes.
type watch struct {
	t      *terminal
	loaded *loaded
	server *scrape.Server
	config string // the file of its configuration

	devices *live.Watcher
	files   []*watchedFiles
	down    map[string]bool // addresses and paths that do not answer
	faults  *observe.Log
	rounds  int
	read    time.Time // of the last reading that succeeded
}

// watchedFiles holds the last content of an argument that is no address.
type watchedFiles struct {
	path   string
	failed int
	last   observed
	read   time.Time
}

// watch reads again and again, says what changed, and serves metrics until a signal comes.
func (c observeCmd) watch(t *terminal, loaded *loaded) error {
	every, err := units.ParseTime(c.Every)
	if err != nil || every < units.Millisecond {
		return misusef("--every must be a time of at least 1ms, such as 30s, not %q", c.Every)
	}
	memory, err := c.memory()
	if err != nil {
		return err
	}
	w, err := c.newWatch(t, loaded)
	if err != nil {
		return err
	}
	defer w.server.Close()
	addresses, err := c.addresses()
	if err != nil {
		return err
	}
	pause := time.Duration(every / units.Nanosecond)
	w.devices = live.Watch(t, addresses, live.Options{Every: pause, Memory: memory, Dial: t.dial})
	t.printf("metrics on %s\n", w.server.URL())
	if err := t.out.Flush(); err != nil {
		return err
	}
	next := time.NewTicker(pause)
	defer next.Stop()
	for {
		if err := w.round(); err != nil {
			return err
		}
		select {
		case <-t.Done():
			return nil
		case <-next.C:
		}
	}
}

// newWatch makes a watch that serves and has not read.
func (c observeCmd) newWatch(t *terminal, loaded *loaded) (*watch, error) {
	w := &watch{t: t, loaded: loaded, config: c.WebConfig, down: map[string]bool{}, faults: observe.NewLog()}
	for _, arg := range c.Paths {
		if !live.IsAddress(arg) {
			w.files = append(w.files, &watchedFiles{path: arg})
		}
	}
	config := &scrape.Config{}
	if c.WebConfig != "" {
		var err error
		if config, err = scrape.Load(c.WebConfig); err != nil {
			return nil, err
		}
	}
	if t.listen != nil {
		w.server = scrape.ServeOn(t.listen, config)
		return w, nil
	}
	var err error
	w.server, err = scrape.Serve(c.Watch, config)
	return w, err
}

// addresses returns the addresses of the devices to observe. Two that are equal are one.
func (c observeCmd) addresses() (list []*live.Address, err error) {
	have := map[string]bool{}
	for _, arg := range c.Paths {
		if !live.IsAddress(arg) {
			continue
		}
		a, wrong := live.ParseAddress(arg)
		switch {
		case wrong != nil:
			err = errors.Join(err, wrong)
		case !a.Counts(): // a file of devices is for apply too
		case !have[a.Device+" "+a.String()]:
			have[a.Device+" "+a.String()] = true
			list = append(list, a)
		}
	}
	return list, err
}

// say prints a line with the time, whatever a device has written into it.
func (w *watch) say(format string, args ...any) {
	w.t.printf("%s %s\n", time.Now().UTC().Format(time.RFC3339), plain.Line(fmt.Sprintf(format, args...)))
}

// round reads what there is, and concludes. A failure is reported, and the next round tries again: the error is that
// the report reaches no reader any more.
func (w *watch) round() error {
	readings := w.devices.Round(w.t)
	if w.t.Err() != nil {
		return nil
	}
	w.reload()
	for _, f := range w.files {
		w.readFiles(f)
	}
	w.conclude(readings)
	return w.t.out.Flush()
}

// reload reads who is served anew. A configuration that is wrong leaves the last one.
func (w *watch) reload() {
	if w.config == "" {
		return
	}
	config, err := scrape.Load(w.config)
	if err == nil {
		err = w.server.Change(config)
	}
	w.answers(w.config, err)
}

// answers prints once that something does not answer, and once that it does again.
func (w *watch) answers(what string, err error) {
	switch {
	case err != nil && !w.down[what]:
		w.say("down %s: %s", what, oneLine(err))
	case err == nil && w.down[what]:
		w.say("up %s", what)
	}
	w.down[what] = err != nil
}

// readFiles reads the files of an argument. A malformed file leaves the last values.
func (w *watch) readFiles(f *watchedFiles) {
	var in observed
	err := in.readPath(w.t, f.path, w.loaded.Sources)
	if wrong := in.found.FirstError(); err == nil && wrong != nil {
		err = fmt.Errorf("%v: %s", wrong.Subject, wrong.Message)
	}
	w.answers(f.path, err)
	if err != nil {
		f.failed++
		return
	}
	f.last, f.read = in, time.Now()
}

// conclude compares what was read with the plan, prints what changed, and serves the figures. A fault
// of the program there ends the round and not the watch.
func (w *watch) conclude(readings []live.Reading) {
	defer func() {
		if p := recover(); p != nil {
			w.say("a fault of roceplan, please report it: %v %s", p, debug.Stack())
		}
	}()
	in, silent := w.gather(readings)
	r, err := roceplan.Observe(w.loaded.Fabric, in.rows)
	if err != nil {
		w.say("%v", err)
		return
	}
	faults := append(r.Faults(), w.remarks(readings, in)...)
	for _, e := range w.faults.Update(time.Now(), faults, r, silent) {
		w.say("%v", e)
	}
	w.publish(r, readings)
}

// gather joins the rows of all devices and files. Devices without rows are silent.
func (w *watch) gather(readings []live.Reading) (in observed, silent []string) {
	for _, d := range readings {
		if d.Up || d.Err != nil {
			w.answers(d.Device+" "+d.Address, d.Err)
		}
		if d.Rows == nil {
			silent = append(silent, d.Device)
		}
		in.rows = append(in.rows, d.Rows...)
		if d.Read.After(w.read) {
			w.read = d.Read
		}
	}
	for _, f := range w.files {
		in.rows, in.seen, in.found = append(in.rows, f.last.rows...), append(in.seen, f.last.seen...), append(in.found, f.last.found...)
		if f.read.After(w.read) {
			w.read = f.read
		}
	}
	return in, silent
}

// remarks are findings that are no conclusions from counters: about what was sent, and about cables.
func (w *watch) remarks(readings []live.Reading, in observed) (faults []observe.Fault) {
	for _, d := range readings {
		for _, f := range d.Found {
			faults = append(faults, observe.Fault{Code: f.Code, Device: d.Device, Severity: f.Severity, Message: f.Message})
		}
	}
	found := in.found
	if len(in.seen) > 0 {
		p, _ := w.loaded.Plan()
		found = slices.Concat(found, cabling.Check(p, in.seen).Found)
	}
	for _, f := range found {
		faults = append(faults, observe.Fault{Code: f.Code, Object: f.Message, Severity: f.Severity, Message: "see it with roceplan observe"})
	}
	return faults
}

// publish makes the page that is served until the next round.
func (w *watch) publish(r *observe.Report, readings []live.Reading) {
	w.rounds++
	known := observe.Watched{Read: w.read, Rounds: w.rounds, Log: w.faults}
	for _, d := range readings {
		known.Failed += d.Failed
		known.Devices = append(known.Devices, observe.Watchee{Device: d.Device, Address: d.Address, Up: d.Up, Read: d.Read, Failed: d.Failed})
	}
	for _, f := range w.files {
		known.Failed += f.failed
	}
	var page strings.Builder
	observe.WriteMetrics(&page, r, known) // which never fails
	oldest := r.Oldest
	w.server.Set([]byte(page.String()), func(out io.Writer, now time.Time) {
		observe.WriteAge(out, oldest, now) // an error is of a client that has gone
	})
}

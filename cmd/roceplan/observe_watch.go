package main

import (
	"context"
	"errors"
	"net"
	"net/http"
	"sync"
	"time"

	"github.com/roceplan/roceplan/observe"
	"github.com/roceplan/roceplan/observe/live"
	"github.com/roceplan/roceplan/units"
)

// A watched fabric is what the last reading gave, for Prometheus.
type watched struct {
	lock   sync.Mutex
	last   *observe.Report
	read   time.Time // of the last reading that succeeded
	errors int       // readings that failed
}

// watch reads again and again, says what is new, and serves metrics until a signal comes.
func (c observeCmd) watch(t *terminal, loaded *loaded) error {
	every, err := units.ParseTime(c.Every)
	if err != nil || every < units.Millisecond {
		return misusef("--every is a time of 1ms at least, such as 30s; not %q", c.Every)
	}
	listener, err := net.Listen("tcp", c.Watch)
	if err != nil {
		return err
	}
	w := &watched{}
	handler := http.NewServeMux()
	handler.HandleFunc("GET /metrics", w.serve)
	const patience = 10 * time.Second
	server := &http.Server{Handler: handler, ReadHeaderTimeout: patience}
	go server.Serve(listener) // its error is that it was closed
	defer server.Close()
	t.printf("metrics on http://%s/metrics\n", listener.Addr())
	pause := time.Duration(every / units.Nanosecond)
	devices := live.NewWatcher(t, pause)
	told := map[string]bool{}
	for {
		if err := c.once(t, loaded, w, devices, told); err != nil {
			return err
		}
		if err := t.out.Flush(); err != nil {
			return err
		}
		select {
		case <-t.Done():
			return nil
		case <-time.After(pause):
		}
	}
}

// once reads and concludes. A device that does not answer is told, and asked again.
func (c observeCmd) once(t *terminal, loaded *loaded, w *watched, devices *live.Watcher, told map[string]bool) error {
	in, err := c.read(t, loaded, devices.Read)
	if err != nil {
		if errors.Is(err, context.Canceled) {
			return nil
		}
		w.failed()
		t.printf("%s: %s\n", time.Now().UTC().Format(time.RFC3339), oneLine(err))
		return nil
	}
	r, found, err := in.conclude(loaded)
	if err != nil {
		return err
	}
	if in.found.HasErrors() {
		w.failed()
	} else {
		w.succeeded(r)
	}
	fresh := found[:0:0]
	for _, d := range found {
		if key := string(d.Code) + d.Message; !told[key] {
			told[key] = true
			fresh = append(fresh, d)
		}
	}
	return t.tell(fresh, loaded.Sources)
}

func (w *watched) failed() {
	w.lock.Lock()
	defer w.lock.Unlock()
	w.errors++
}

func (w *watched) succeeded(r *observe.Report) {
	w.lock.Lock()
	defer w.lock.Unlock()
	w.last, w.read = r, time.Now()
}

func (w *watched) serve(out http.ResponseWriter, _ *http.Request) {
	w.lock.Lock()
	defer w.lock.Unlock()
	out.Header().Set("Content-Type", "text/plain; version=0.0.4; charset=utf-8")
	observe.WriteMetrics(out, w.last, observe.Watched{Read: w.read, Failed: w.errors, Now: time.Now()}) // who asked may have gone
}

package live

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"net/url"
	"slices"
	"strings"
	"sync"
	"time"
)

// A Watcher asks devices again and again. To those that speak gNMI it subscribes as a stream, so
// that they send what they count while nobody asks; others are asked each time.
type Watcher struct {
	ctx     context.Context
	every   time.Duration
	streams map[string]*stream
}

// NewWatcher asks every so often, until the context ends.
func NewWatcher(ctx context.Context, every time.Duration) *Watcher {
	return &Watcher{ctx: ctx, every: max(every, time.Millisecond), streams: map[string]*stream{}}
}

// Read is what a device tells now: see [Read]. A stream that broke is an error, and begun again at
// the next reading. It is not for several goroutines at once.
func (w *Watcher) Read(ctx context.Context, arg string) (Document, error) {
	device, u, err := parse(arg)
	if err != nil || u.Scheme != GNMI && u.Scheme != GNMIPlain {
		return Read(ctx, arg)
	}
	s := w.streams[arg]
	if s == nil {
		s = follow(w.ctx, u, w.every)
		w.streams[arg] = s
	}
	text, err := s.wait(ctx, patience+3*w.every)
	if err != nil {
		s.stop()
		delete(w.streams, arg)
		return Document{}, fmt.Errorf("%s: %w", u.Redacted(), err)
	}
	return toldNow(device, text), nil
}

// A stream is a subscription, with the last value of each path.
type stream struct {
	stop  context.CancelFunc
	ready chan struct{} // closed where all was sent once, or the stream ended

	lock   sync.Mutex
	values map[string][]byte // lines of JSON by path
	size   int               // of all lines
	heard  time.Time
	err    error
}

// follow begins a stream.
func follow(ctx context.Context, u *url.URL, every time.Duration) *stream {
	ctx, stop := context.WithCancel(ctx)
	s := &stream{stop: stop, ready: make(chan struct{}), values: map[string][]byte{}, heard: time.Now()}
	go func() {
		err := s.run(ctx, u, every)
		s.lock.Lock()
		s.err = cmp.Or(err, errors.New("the target ended the stream"))
		s.lock.Unlock()
		s.setReady()
		stop()
	}()
	return s
}

// run reads until the stream ends. The side of the request stays open: targets take its end for
// that of the subscriber.
func (s *stream) run(ctx context.Context, u *url.URL, every time.Duration) error {
	open, request := io.Pipe()
	context.AfterFunc(ctx, func() { request.Close() })
	go request.Write(framed(subscribe(sampled(every)))) // its error is that the call ended
	response, err := subscribeTo(ctx, u, open)
	if err != nil {
		return err
	}
	defer response.Body.Close()
	for {
		message, err := nextMessage(response.Body)
		if errors.Is(err, io.EOF) {
			return statusOf(response.Trailer)
		}
		if err != nil {
			return err
		}
		note, synced, err := notification(message)
		if err == nil && note != nil {
			err = s.take(note)
		}
		if err != nil {
			return err
		}
		if synced {
			s.setReady()
		}
	}
}

// setReady is called by the goroutine of the stream alone.
func (s *stream) setReady() {
	select {
	case <-s.ready:
	default:
		close(s.ready)
	}
}

// take keeps what a notification changes. What a target sends of a path replaces what it sent
// before: SONiC samples whole tables (sonic-gnmi, sonic_data_client/db_client.go), and a leaf is one value.
func (s *stream) take(note *jsonNotification) error {
	s.lock.Lock()
	defer s.lock.Unlock()
	s.heard = time.Now()
	for _, gone := range note.deleted {
		at := pathText(note.Prefix) + pathText(gone)
		for path := range s.values {
			if path == at || strings.HasPrefix(path, at+"/") {
				s.forget(path)
			}
		}
	}
	for _, u := range note.Update {
		path := pathText(note.Prefix) + pathText(u.Path)
		one := jsonNotification{Timestamp: note.Timestamp, Prefix: note.Prefix, Update: []jsonUpdate{u}}
		text, err := one.text()
		if err != nil {
			return err
		}
		s.forget(path)
		if s.size += len(text); s.size > mostText {
			return fmt.Errorf("the target sent more than %d bytes", mostText)
		}
		s.values[path] = text
	}
	return nil
}

func (s *stream) forget(path string) {
	s.size -= len(s.values[path])
	delete(s.values, path)
}

func pathText(p jsonPath) string {
	text := ""
	for _, e := range p.Elem {
		keys, err := json.Marshal(e.Key) // in the order of the keys
		if err != nil {
			panic(err) // texts can always be written
		}
		text += "/" + e.Name + string(keys)
	}
	return text
}

// wait gives the last values, once all were sent; silence is how long a target may be quiet.
func (s *stream) wait(ctx context.Context, silence time.Duration) ([]byte, error) {
	late := time.NewTimer(patience)
	defer late.Stop()
	select {
	case <-s.ready:
	case <-ctx.Done():
		return nil, ctx.Err()
	case <-late.C:
		return nil, fmt.Errorf("the target has not sent all within %v: there was no sync_response", patience)
	}
	s.lock.Lock()
	defer s.lock.Unlock()
	quiet := time.Since(s.heard)
	switch {
	case s.err != nil:
		return nil, s.err
	case len(s.values) == 0:
		return nil, errNothing
	case quiet > silence:
		return nil, fmt.Errorf("the target has sent nothing for %v", quiet.Round(time.Second))
	}
	var out bytes.Buffer
	for _, path := range slices.Sorted(maps.Keys(s.values)) {
		out.Write(s.values[path])
	}
	return out.Bytes(), nil
}

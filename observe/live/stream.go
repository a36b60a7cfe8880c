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
	"slices"
	"strings"
	"sync"
	"time"
)

// A stream is a subscription, with the last value of each path.
type stream struct {
	stop    context.CancelFunc
	ready   chan struct{} // closed where all was sent once, or the stream ended
	account *account
	every   time.Duration

	lock   sync.Mutex
	values map[string][]byte // lines of JSON by path
	size   int               // of all lines
	heard  time.Time
	err    error

	window time.Time // in which work is counted
	work   int
}

// mostWork bounds what a target sends in the time between two readings, or in a second where that
// is less: in bytes of messages, those of deletions times the paths that they are compared with.
const mostWork = 4 * mostText

// follow begins a stream.
func (w *Watcher) follow(a *Address) *stream {
	ctx, stop := context.WithCancel(w.ctx)
	s := &stream{stop: stop, ready: make(chan struct{}), account: w.budget.open(stop), every: w.every, values: map[string][]byte{}, heard: time.Now()}
	go func() {
		defer s.end()
		err := a.Hide(s.run(ctx, a))
		if over := s.account.take(0); over != nil {
			err = over
		}
		s.lock.Lock()
		s.err = cmp.Or(err, errors.New("the target ended the stream"))
		s.lock.Unlock()
		s.setReady()
	}()
	return s
}

// end ends the stream, and gives up what it holds.
func (s *stream) end() {
	s.stop()
	s.account.close()
}

// run reads until the stream ends. The side of the request stays open: targets take its end for
// that of the subscriber.
func (s *stream) run(ctx context.Context, a *Address) (err error) {
	defer recovered(&err)
	open, request := io.Pipe()
	context.AfterFunc(ctx, func() { request.Close() })
	go request.Write(framed(subscribe(sampled(s.every)))) // its error is that the call ended
	response, err := subscribeTo(ctx, a, open)
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
		if err := s.spend(len(message)); err != nil {
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

// spend counts work, so that a target that sends without end is not read without end.
func (s *stream) spend(work int) error {
	if now := time.Now(); now.Sub(s.window) > max(s.every, time.Second) {
		s.window, s.work = now, 0
	}
	if s.work += work; s.work > mostWork {
		return errors.New("the target sends more than is read in the time between two readings")
	}
	return nil
}

// take keeps what a notification changes. A value replaces the one that the target
// sent before for the path: SONiC samples whole tables (sonic-gnmi, sonic_data_client/db_client.go), and a leaf is one value.
func (s *stream) take(note *jsonNotification) error {
	s.lock.Lock()
	defer s.lock.Unlock()
	s.heard = time.Now()
	for _, gone := range note.deleted {
		at := pathText(note.Prefix) + pathText(gone)
		if err := s.spend(len(s.values) * len(at)); err != nil {
			return err
		}
		for path := range s.values {
			if path == at || strings.HasPrefix(path, at+"/") {
				s.forget(path)
			}
		}
	}
	for _, u := range note.Update {
		if err := s.update(note, u); err != nil {
			return err
		}
	}
	return nil
}

func (s *stream) update(note *jsonNotification, u jsonUpdate) error {
	path := pathText(note.Prefix) + pathText(u.Path)
	one := jsonNotification{Timestamp: note.Timestamp, Prefix: note.Prefix, Update: []jsonUpdate{u}}
	text, err := one.text()
	if err != nil {
		return err
	}
	s.forget(path)
	took := held(path, text)
	if s.size += took; s.size > mostText {
		return errTooMuch
	}
	s.values[path] = text
	if err := s.account.take(took); err != nil {
		return err
	}
	return s.spend(took)
}

// held returns the memory that a value takes, with its place in the map.
func held(path string, text []byte) int {
	const place = 128
	return place + len(path) + len(text)
}

func (s *stream) forget(path string) {
	text, ok := s.values[path]
	if !ok {
		return
	}
	took := held(path, text)
	s.size -= took
	s.account.take(-took) // the call that takes more reports the error
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
	select {
	case <-s.ready:
	case <-ctx.Done():
		return nil, Cause(ctx, errLate)
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

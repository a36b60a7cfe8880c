package fakedevice

import (
	"bytes"
	"fmt"
	"io"
	"regexp"
	"sync"
)

// A history is all configurations that ran on a device, in turn.
type history struct {
	passed [][]byte
	seen   func([]byte)
}

// pass notes what runs now.
func (h *history) pass(text []byte) {
	if n := len(h.passed); n > 0 && bytes.Equal(h.passed[n-1], text) {
		return
	}
	h.passed = append(h.passed, text)
	if h.seen != nil {
		h.seen(text)
	}
}

// Passed returns all configurations that ran, in turn.
func (h *history) Passed() [][]byte { return h.passed }

// Seen has a function called with each further configuration.
func (h *history) Seen(call func([]byte)) { h.seen = call }

// A store has the configurations of a device that commits as a whole, and takes back a commit that
// is not confirmed.
type store struct {
	history
	lock           sync.Mutex
	running, saved string
	before         string // the unconfirmed commit
	waiting        string // its name; empty: there is none
	refuse         bool
	edit           *regexp.Regexp // what an edit by hand changes: its second part
	was            string         // before the edit
	edited         string         // after it
}

func newStore(config string, edit string) store {
	return store{running: config, saved: config, history: history{passed: [][]byte{[]byte(config)}}, edit: regexp.MustCompile(edit)}
}

func (s *store) run(config string) {
	s.running = config
	s.pass([]byte(config))
}

// try commits a configuration that has to be confirmed.
func (s *store) try(config, name string) {
	s.before, s.waiting = s.running, name
	s.run(config)
}

// end ends the wait for a confirm: the commit stays, or is taken back.
func (s *store) end(name string, stays bool) error {
	if s.waiting == "" || s.waiting != name {
		return fmt.Errorf("no commit of %s waits to be confirmed", name)
	}
	s.waiting = ""
	if !stays {
		s.run(s.before)
	}
	return nil
}

// refused reports, once, whether the device has to refuse.
func (s *store) refused() bool {
	refused := s.refuse
	s.refuse = false
	return refused
}

func (s *store) RefuseNext() {
	s.lock.Lock()
	defer s.lock.Unlock()
	s.refuse = true
}

func (s *store) Running() []byte {
	s.lock.Lock()
	defer s.lock.Unlock()
	return []byte(s.running)
}

func (s *store) Save() {
	s.lock.Lock()
	defer s.lock.Unlock()
	s.saved = s.running
}

// Restart begins with what was saved. A commit that waits for its confirm was not saved.
func (s *store) Restart() {
	s.lock.Lock()
	defer s.lock.Unlock()
	s.waiting = ""
	s.run(s.saved)
}

// Expire lets the time of a commit that waits for its confirm run out.
func (s *store) Expire() {
	s.lock.Lock()
	defer s.lock.Unlock()
	if s.waiting != "" {
		_ = s.end(s.waiting, false) // it waits
	}
}

func (s *store) Edit() {
	s.lock.Lock()
	defer s.lock.Unlock()
	at := s.edit.FindStringSubmatchIndex(s.running)
	if at == nil {
		return
	}
	s.was, s.edited = s.running[at[2]:at[5]], s.running[at[2]:at[3]]+"1600"
	s.run(s.running[:at[2]] + s.edited + s.running[at[5]:])
}

// Unedit takes the edit back where it is still there, also where it was saved.
func (s *store) Unedit() {
	s.lock.Lock()
	defer s.lock.Unlock()
	for _, config := range []*string{&s.running, &s.saved} {
		if at := s.edit.FindStringSubmatchIndex(*config); at != nil && (*config)[at[2]:at[5]] == s.edited {
			*config = (*config)[:at[2]] + s.was + (*config)[at[5]:]
		}
	}
	s.pass([]byte(s.running))
}

func (s *store) Subsystem(string, io.ReadWriter, func(func() string) (string, bool)) bool {
	return false
}

func (s *store) Exec(string, string) (output, errors string, code int) {
	return "", "no such command\n", 127
}

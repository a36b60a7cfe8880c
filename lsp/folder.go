package lsp

import (
	"context"
	"encoding/json"
	"fmt"
	"path/filepath"
	"time"

	"github.com/roceplan/roceplan"

	"github.com/roceplan/roceplan/internal/stable"
)

// A folder is one fabric: all files of a folder, or one of several that a folder holds. Its text is read at
// once after each change, and its shapes are planned in the background: answers are always of the text as it is.
type folder struct {
	name   string
	memory roceplan.Memory
	trials roceplan.Memory // of texts with edits
	stale  bool            // the text has changed since it was understood
	now    *analysis       // as it was last understood; nil: never

	planned bool               // now has been planned
	cancel  context.CancelFunc // ends planning; nil: nothing is being planned
	ended   chan struct{}      // closed when planning has ended
	waiting []waiting          // for the plan

	abandonTrials context.CancelFunc // nil: there were none
	tried         chan struct{}      // closed when the last trials have ended
}

// A waiting is a request that is answered later.
type waiting struct {
	id     json.RawMessage
	path   string
	at     at
	answer func(*analysis, string, *at) any
}

// An event reports the planning of a folder.
type event struct {
	folder  *folder
	of      *analysis
	planned bool   // else it takes so long that the findings of the text go first
	edits   *edits // that have been tried
	failed  any    // the panic that ended planning; nil: there was none
}

// patience is the time for which the findings of the text wait for those of the plan, so that most
// keystrokes have one answer. A longer time would be felt.
const patience = 15 * time.Millisecond

// quiet is the time without a key after which edits are tried: a typist pauses longer. Trials would slow down the
// next key.
const quiet = 200 * time.Millisecond

func (s *server) folder(path string) *folder {
	name := s.fabricOf(path)
	if s.folders[name] == nil {
		s.folders[name] = &folder{name: name}
	}
	return s.folders[name]
}

// changed says that a file is not what it was.
func (s *server) changed(path string) {
	for _, f := range s.concerned(path) {
		f.stale = true
		s.abandon(f, failure{contentModified, "the text has changed since"})
	}
}

// refuse gives up requests that wait for a plan.
func (s *server) refuse(because failure, which func(waiting) bool) {
	for _, f := range s.folders {
		f.waiting = stable.Delete(f.waiting, func(w waiting) bool {
			if !which(w) {
				return false
			}
			s.wire.write(message{ID: w.id, Error: &because})
			return true
		})
	}
}

// abandon ends planning of a folder, and gives up what waits for it.
func (s *server) abandon(f *folder, because failure) {
	f.stopPlanning()
	f.stopTrials()
	for _, w := range f.waiting {
		s.wire.write(message{ID: w.id, Error: &because})
	}
	f.waiting = nil
}

// finish answers what was asked.
func (s *server) finish(ctx context.Context) {
	for _, f := range s.folders {
		for len(f.waiting) > 0 && ctx.Err() == nil {
			select {
			case e := <-s.events:
				s.happened(e)
			case <-ctx.Done():
			}
		}
	}
}

// stop ends all that is under way.
func (s *server) stop() {
	for _, f := range s.folders {
		f.stopPlanning()
		if f.stopTrials(); f.tried != nil {
			<-f.tried
		}
	}
}

// stopTrials lets no further edit be tried. It does not wait: a text is read as a whole.
func (f *folder) stopTrials() {
	if f.abandonTrials != nil {
		f.abandonTrials()
	}
}

// stopPlanning returns when nothing is planned any more. That takes no longer than one shape.
func (f *folder) stopPlanning() {
	if f.cancel != nil {
		f.cancel()
		<-f.ended
		f.cancel = nil
	}
}

// understand reads all folders that have changed, and begins to plan them.
func (s *server) understand(ctx context.Context) {
	for name, f := range s.folders {
		if f.stale {
			f.stale, f.planned = false, false
			s.guard(f, func() {
				f.now = s.analyse(name, f)
				s.startPlanning(ctx, f)
			})
		}
	}
}

// teller hands events to the conversation until a context ends.
func (s *server) teller(ctx context.Context) func(event) {
	return func(e event) {
		select {
		case s.events <- e:
		case <-ctx.Done():
		}
	}
}

// startPlanning plans in the background, and notifies the conversation when that is done or takes
// long.
func (s *server) startPlanning(ctx context.Context, f *folder) {
	ctx, cancel := context.WithCancel(ctx)
	f.cancel, f.ended = cancel, make(chan struct{})
	now, ended := f.now, f.ended
	tell := s.teller(ctx)
	go func() {
		defer close(ended)
		slow := time.AfterFunc(patience, func() { tell(event{folder: f, of: now}) })
		defer slow.Stop()
		defer func() {
			if why := recover(); why != nil {
				tell(event{folder: f, of: now, failed: why})
			}
		}()
		if _, _, err := now.fabric.PlanContext(ctx); err == nil {
			tell(event{folder: f, of: now, planned: true})
		}
	}()
}

// happened takes the news of planning. Those of a text that has changed since are old.
func (s *server) happened(e event) {
	f := e.folder
	if f.now != e.of || f.stale || f.planned && e.edits == nil && e.failed == nil {
		return
	}
	if e.failed != nil {
		s.failed(f, e.failed)
		return
	}
	s.guard(f, func() { s.news(f, e) })
}

// news sends the editor the present results.
func (s *server) news(f *folder, e event) {
	switch {
	case e.edits != nil:
		f.now.edits = *e.edits
		if f.now.offersActions() {
			_, found := f.now.fabric.Plan()
			s.publish(f.now, found) // for editors to ask again: the protocol has no other way for actions
		}
		return
	case !e.planned:
		s.publish(f.now, f.now.fabric.Findings())
		return
	}
	f.stopPlanning()
	f.planned = true
	p, found := f.now.fabric.Plan()
	f.now.ports = portsByGroup(p)
	s.publish(f.now, found)
	s.answerAll(f)
	if !s.forget(f) {
		s.startTrials(f)
	}
}

// answerAll answers what waits.
func (s *server) answerAll(f *folder) {
	asked := f.waiting
	f.waiting = nil
	for _, w := range asked {
		s.answer(f, w)
	}
}

// forget drops a folder that has been planned and has no open file, and reports whether it did: all that was
// published of it stays with the editor.
func (s *server) forget(f *folder) bool {
	if len(f.waiting) > 0 || s.watched(f.name) {
		return false
	}
	f.stopTrials()
	delete(s.folders, f.name)
	return true
}

// watched reports whether a file of a folder is open.
func (s *server) watched(name string) bool {
	heads := s.heads(rootOf(name))
	for path := range s.open {
		if filepath.Dir(path) == rootOf(name) && among(heads, path) == name {
			return true
		}
	}
	return false
}

// failed drops a folder whose text crashes the program, and reports that. Its memory may be half
// written, so the next change begins anew.
func (s *server) failed(f *folder, why any) {
	s.notify("window/showMessage", map[string]any{"type": 1, "message": fmt.Sprintf("roceplan failed on the fabric in %s, which is a fault of the program: %v", f.name, why)})
	s.abandon(f, failure{internalError, "the program failed on this fabric"})
	delete(s.folders, f.name)
}

// guard does work for a folder; its panic is reported and ends nothing else.
func (s *server) guard(f *folder, work func()) {
	defer func() {
		if why := recover(); why != nil {
			s.failed(f, why)
		}
	}()
	work()
}

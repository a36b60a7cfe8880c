package main

import (
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"github.com/roceplan/roceplan/internal/completion"
)

// lineInterval is how often a log gets a line.
const lineInterval = 10 * time.Second

// progress shows how far a search is: on a terminal in one line that changes, in a log by a line from time to
// time.
type progress struct {
	step func()
	stop func()

	done atomic.Int64
	lock sync.Mutex
	best completion.Ratio
}

// progressOf begins to show the progress of so many runs.
func (t *terminal) progressOf(total int, every time.Duration) *progress {
	p := &progress{}
	if t.progress {
		p.step, p.stop = t.watch("runs", total)
		return p
	}
	quit, ended := make(chan struct{}), make(chan struct{})
	p.step = func() { p.done.Add(1) }
	p.stop = func() { close(quit); <-ended }
	go func() {
		defer close(ended)
		for {
			select {
			case <-quit:
				return
			case <-time.After(every):
				t.errorf("%d of %d runs%s", p.done.Load(), total, p.found())
			}
		}
	}()
	return p
}

// better takes note of the best point so far.
func (p *progress) better(r completion.Ratio) {
	p.lock.Lock()
	defer p.lock.Unlock()
	p.best = r
}

// found says how good that is.
func (p *progress) found() string {
	p.lock.Lock()
	defer p.lock.Unlock()
	if p.best.Seeds == 0 || p.best.Ratio >= 1 {
		return ""
	}
	return fmt.Sprintf("; the best point so far takes %.2f of what the compiled settings take", p.best.Ratio)
}

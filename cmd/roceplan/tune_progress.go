package main

import (
	"fmt"
	"sync"

	"github.com/roceplan/roceplan/internal/completion"
)

// best is the best point that a search has found so far.
type best struct {
	lock  sync.Mutex
	ratio completion.Ratio
}

// better takes note of the best point so far.
func (b *best) better(r completion.Ratio) {
	b.lock.Lock()
	defer b.lock.Unlock()
	b.ratio = r
}

// String says how good that is.
func (b *best) String() string {
	b.lock.Lock()
	defer b.lock.Unlock()
	if b.ratio.Seeds == 0 || b.ratio.Ratio >= 1 {
		return ""
	}
	return fmt.Sprintf("; the best point so far takes %.2f of what the compiled settings take", b.ratio.Ratio)
}

package parallel_test

import (
	"context"
	"errors"
	"fmt"
	"sync/atomic"
	"testing"

	"github.com/roceplan/roceplan/internal/parallel"
)

// Every piece is done once, no more than the limit at a time, and errors come in order.
func TestEach(t *testing.T) {
	var now, most, done atomic.Int64
	err := parallel.Each(t.Context(), 3, 100, func(i int) error {
		if n := now.Add(1); n > most.Load() {
			most.Store(n)
		}
		defer now.Add(-1)
		done.Add(1)
		if i%50 == 7 {
			return fmt.Errorf("piece %d", i)
		}
		return nil
	})
	if done.Load() != 100 || most.Load() > 3 || err == nil || err.Error() != "piece 7\npiece 57" {
		t.Errorf("%d pieces, %d at a time: %v", done.Load(), most.Load(), err)
	}
}

// When the context ends nothing more is begun, and its error is told once.
func TestEachEnds(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	begun := 0
	err := parallel.Each(ctx, 1, 100, func(i int) error {
		begun++
		if i == 4 {
			cancel()
		}
		return nil
	})
	if begun != 5 || err != context.Canceled {
		t.Errorf("%d pieces were begun: %v", begun, err)
	}
	if err := parallel.Each(ctx, 2, 0, nil); !errors.Is(err, context.Canceled) {
		t.Errorf("nothing to do, and the context ended: %v", err)
	}
}

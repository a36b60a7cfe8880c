// Package parallel does pieces of work several at a time.
package parallel

import (
	"context"
	"errors"
	"sync"
)

// Few is a limit for pieces that each hold files or a switch of hundreds of ports: memory does not
// grow with the cores of the machine.
const Few = 4

// Each calls do for 0 to n−1, at most limit at a time, and returns the errors in order; that of
// the context alone where it ended, after which no piece is begun.
func Each(ctx context.Context, limit, n int, do func(i int) error) error {
	failed := make([]error, n)
	var group sync.WaitGroup
	slots := make(chan struct{}, limit)
	for i := range n {
		slots <- struct{}{}
		group.Go(func() {
			defer func() { <-slots }()
			if failed[i] = ctx.Err(); failed[i] == nil {
				failed[i] = do(i)
			}
		})
	}
	group.Wait()
	if err := ctx.Err(); err != nil {
		return err
	}
	return errors.Join(failed...)
}

package live

import (
	"fmt"
	"sync"
)

// A budget bounds the memory that all devices take together. Where it is exceeded, what takes most
// is given up: devices that send without end are the largest, and cost the others nothing.
type budget struct {
	most int // bytes

	lock     sync.Mutex
	used     int
	accounts map[*account]bool
}

// An account is what one reading takes: first what comes in, then what is left of it.
type account struct {
	budget *budget
	stop   func() // ends what comes in
	held   int
	over   bool // it was the largest where the budget was exceeded
}

func newBudget(most int) *budget { return &budget{most: most, accounts: map[*account]bool{}} }

// open makes an account. Stop is called where it is given up, and must not use the budget.
func (b *budget) open(stop func()) *account {
	b.lock.Lock()
	defer b.lock.Unlock()
	a := &account{budget: b, stop: stop}
	b.accounts[a] = true
	return a
}

// take takes memory. The error is that the account was given up.
func (a *account) take(bytes int) error {
	b := a.budget
	b.lock.Lock()
	defer b.lock.Unlock()
	if b.accounts[a] {
		a.held += bytes
		b.used += bytes
	}
	for b.used > b.most {
		b.giveUp()
	}
	if a.over {
		return fmt.Errorf("all devices together take more than %d bytes, and this one took most; --memory sets the bound", b.most)
	}
	return nil
}

// giveUp closes the largest account.
func (b *budget) giveUp() {
	var largest *account
	for a := range b.accounts {
		if largest == nil || a.held > largest.held {
			largest = a
		}
	}
	largest.over = true
	b.remove(largest)
	largest.stop()
}

func (b *budget) remove(a *account) {
	if b.accounts[a] {
		b.used -= a.held
		delete(b.accounts, a)
	}
}

// settle is take where the account holds so much from now on, whatever it took before.
func (a *account) settle(bytes int) error {
	a.budget.lock.Lock()
	bytes -= a.held
	a.budget.lock.Unlock()
	return a.take(bytes)
}

// isOver reports whether the account was given up.
func (a *account) isOver() bool {
	a.budget.lock.Lock()
	defer a.budget.lock.Unlock()
	return a.over
}

// close gives back what the account holds.
func (a *account) close() {
	a.budget.lock.Lock()
	defer a.budget.lock.Unlock()
	a.budget.remove(a)
}

// batched takes memory in larger pieces, so that devices do not wait for each other at each word.
func (a *account) batched() func(bytes int) error {
	const piece = 32 << 10
	pending := 0
	return func(bytes int) error {
		if pending += bytes; pending < piece {
			return nil
		}
		bytes, pending = pending, 0
		return a.take(bytes)
	}
}

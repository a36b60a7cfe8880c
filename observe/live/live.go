// Package live reads counters of devices that run: COUNTERS_DB over Redis, and gNMI. What it
// gives are documents as devices would write them into files, for package observe/intake: so
// there is one reader of each format, and one judge of what is malformed.
package live

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"path"
	"runtime/debug"
	"strings"
	"sync"
	"time"
)

// Patience is how long a device may take to answer.
const Patience = 10 * time.Second

// A Document is what a device told, under a name that says which device and when.
type Document struct {
	Name string
	Text []byte
}

// ReadAll asks devices once, side by side, each as long as it may take. The documents are in the order
// of the addresses. They take at most memory bytes together; beyond that, the devices that sent most are given
// up. The error names all that failed.
func ReadAll(ctx context.Context, addresses []*Address, memory int) ([]Document, error) {
	documents, failed := make([]Document, len(addresses)), make([]error, len(addresses))
	slots, budget := make(chan struct{}, atOnceAsked), newBudget(memory)
	accounts := make([]*account, len(addresses))
	var all sync.WaitGroup
	for i, a := range addresses {
		all.Go(func() {
			slots <- struct{}{}
			defer func() { <-slots }()
			ctx, stop := context.WithTimeout(ctx, Patience)
			defer stop()
			accounts[i] = budget.open(stop)
			documents[i], failed[i] = a.read(ctx, accounts[i])
		})
	}
	all.Wait()
	for i, held := range accounts {
		if over := held.take(0); over != nil { // perhaps after it was read, for what others sent
			documents[i], failed[i] = Document{}, fmt.Errorf("%s: %w", addresses[i], over)
		}
	}
	return documents, errors.Join(failed...)
}

// read asks a device once. What it holds of the budget stays with its document.
func (a *Address) read(ctx context.Context, held *account) (Document, error) {
	text, err := a.once(ctx, held.batched())
	if err == nil {
		err = held.settle(len(text))
	}
	if err != nil {
		held.close()
		return Document{}, fmt.Errorf("%s: %w", a, err)
	}
	return a.toldNow(text), nil
}

// once asks a device once, until the context ends. Charge is called before memory is taken.
func (a *Address) once(ctx context.Context, charge func(int) error) (text []byte, err error) {
	defer func() { err = a.Hide(err) }()
	defer recovered(&err)
	if a.isRedis() {
		return readRedis(ctx, a, charge)
	}
	return readGNMI(ctx, a, charge)
}

// recovered makes a panic an error: no device can end the program for the others, also by a fault
// of the program. The first line of the stack that is ours says where it is.
func recovered(err *error) {
	if p := recover(); p != nil {
		*err = fmt.Errorf("a fault of roceplan, please report it: %v at %s", p, where(debug.Stack()))
	}
}

// where is the place in a stack at which something panicked.
func where(stack []byte) string {
	_, after, _ := bytes.Cut(stack, []byte("panic("))
	ours := false // the last function is
	for line := range strings.Lines(string(after)) {
		if file := strings.Fields(line); ours && len(file) > 0 {
			return path.Base(file[0])
		}
		ours = strings.HasPrefix(line, "github.com/roceplan/roceplan/")
	}
	return "an unknown place"
}

// toldNow is what a device tells at this moment.
func (a *Address) toldNow(text []byte) Document {
	return Document{Name: a.Device + "/" + time.Now().UTC().Format(stamp) + ".json", Text: text}
}

// stamp is intake.TimeLayout with parts of a second.
const stamp = "20060102T150405.000Z"

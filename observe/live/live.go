// Package live reads counters of devices that run: COUNTERS_DB over Redis, and gNMI. It returns
// documents as devices would write them into files, for package observe/intake. So there is one
// reader of each format, and one judge of malformed text.
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

	"github.com/roceplan/roceplan/diag"
	"github.com/roceplan/roceplan/observe"
	"github.com/roceplan/roceplan/observe/intake"
)

// Patience is how long a device may take to answer.
const Patience = 10 * time.Second

// A Document is the text of a device, under a name with the device and the time.
type Document struct {
	Device string
	Name   string
	Text   []byte
	Err    error // why the device was not read
}

// ReadAll asks devices once, side by side, each as long as it may take. The documents are in the
// order of the addresses. They take at most o.Memory bytes together; beyond that, the devices that
// sent most are given up. A slow or failing device does not affect the others.
func ReadAll(ctx context.Context, addresses []*Address, o Options) []Document {
	documents := make([]Document, len(addresses))
	slots, budget := make(chan struct{}, atOnceAsked), newBudget(o.Memory)
	accounts := make([]*account, len(addresses))
	var all sync.WaitGroup
	for i, a := range addresses {
		a.reach = o.Dial
		all.Go(func() {
			slots <- struct{}{}
			defer func() { <-slots }()
			ctx, stop := context.WithTimeout(ctx, Patience)
			defer stop()
			accounts[i] = budget.open(stop)
			documents[i] = a.read(ctx, accounts[i])
		})
	}
	all.Wait()
	for i, held := range accounts {
		if over := held.take(0); over != nil { // perhaps after it was read, for what others sent
			documents[i] = addresses[i].unread(over)
		}
	}
	return documents
}

// read asks a device once. Its part of the budget stays with its document.
func (a *Address) read(ctx context.Context, held *account) Document {
	text, err := a.once(ctx, held.batched())
	if err == nil {
		err = held.settle(len(text))
	}
	if err != nil {
		held.close()
		return a.unread(err)
	}
	return a.reportedNow(text)
}

// unread returns the known facts of a device that was not read.
func (a *Address) unread(why error) Document {
	return Document{Device: a.Device, Err: fmt.Errorf("%s: %w", a, why)}
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

// where returns the place in a stack at which something panicked.
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

// reportedNow is a device's report at this moment.
func (a *Address) reportedNow(text []byte) Document {
	return Document{Device: a.Device, Name: a.Device + "/" + time.Now().UTC().Format(stamp) + ".json", Text: text}
}

// stamp is intake.TimeLayout with parts of a second.
const stamp = "20060102T150405.000Z"

// mostNodes bounds the values of a text: a chassis has some 200,000.
const mostNodes = 1 << 20

// errMalformed begins the error of a text that cannot be decoded.
var errMalformed = errors.New("its answer is malformed")

// Rows decodes the text of a device. The rows have the name of this device. The error is the reason why it
// was not read.
func (d *Document) Rows() (rows []observe.Row, found diag.List, err error) {
	defer recovered(&err)
	if d.Err != nil {
		return nil, nil, d.Err
	}
	rows, found = intake.ReadWithin(d.Name, d.Text, mostNodes)
	if wrong := found.FirstError(); wrong != nil {
		return nil, nil, fmt.Errorf("%w: %.300q", errMalformed, wrong.Message)
	}
	for i := range rows {
		rows[i].Device = d.Device
	}
	return rows, found, nil
}

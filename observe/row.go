// Package observe checks what was measured of a fabric against what was computed for it.
//
// Counters of devices come in many formats; package observe/intake reads them into rows. A [Row] is
// one number of one counter of one object. A counter without a row is unknown: it is never taken
// for zero.
package observe

import (
	"cmp"
	"fmt"
	"time"

	"github.com/roceplan/roceplan/diag"
	"github.com/roceplan/roceplan/internal/natural"
)

// A Row is one value of one counter.
type Row struct {
	Device  string
	Object  Object
	Counter Counter
	Value   uint64 // bytes or packets, as the counter's name says; times are in nanoseconds
	Kind    Kind

	// Since and Until bound the time that the value covers: of a counter the time of its
	// last zero and the time of reading, of a watermark the time in which it is the highest.
	// A zero time is unknown.
	Since, Until time.Time
	// Every is how often the device itself reads the value from the chip. 0: unknown.
	Every time.Duration
	// Cleared is set where the source says that it was set to zero between Since and Until,
	// so that it does not hold all that happened since then.
	Cleared bool
	// Derived is set where the device computed the value, and did not read it from the chip.
	Derived bool

	Source string     // the table or the command: "PERSISTENT_WATERMARKS", "ethtool -S"
	At     diag.Range // where a file holds it; zero of what was read live
}

// Kind is the sort of a counter.
type Kind uint8

const (
	Total     Kind = iota // grows, until it is cleared
	Watermark             // the highest value in a time
	Gauge                 // the value at a moment
)

func (k Kind) String() string { return [...]string{"counter", "watermark", "gauge"}[k] }

// ObjectKind is the sort of thing that is counted at.
type ObjectKind uint8

const (
	Port  ObjectKind = iota // of a switch
	Group                   // ingress priority group of a port
	Queue                   // egress queue of a port
	Pool                    // of the packet buffer
	NIC                     // of a server
)

func (k ObjectKind) String() string {
	return [...]string{"port", "group", "queue", "pool", "nic"}[k]
}

// An Object is what a counter belongs to.
type Object struct {
	Kind ObjectKind
	Name string // of the port, also of a group's or queue's; of the pool; of the NIC
	ID   uint8  // of the group or queue, else 0
}

func (o Object) String() string {
	switch o.Kind {
	case Group:
		return fmt.Sprintf("%s PG %d", o.Name, o.ID)
	case Queue:
		return fmt.Sprintf("%s queue %d", o.Name, o.ID)
	}
	return o.Name
}

// Compare orders rows by device, object, counter, time and source: the order in which they are
// reported.
func (r Row) Compare(o Row) int {
	return cmp.Or(natural.Compare(r.Device, o.Device),
		cmp.Compare(r.Object.Kind, o.Object.Kind), natural.Compare(r.Object.Name, o.Object.Name), cmp.Compare(r.Object.ID, o.Object.ID),
		natural.Compare(string(r.Counter), string(o.Counter)), r.Until.Compare(o.Until), r.Since.Compare(o.Since),
		cmp.Compare(r.Source, o.Source), cmp.Compare(r.At.Filename, o.At.Filename), cmp.Compare(r.At.Start.Byte, o.At.Start.Byte))
}

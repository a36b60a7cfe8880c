package lint

import (
	"fmt"

	"github.com/roceplan/roceplan/diag"
)

// A Joint holds the facts about a link that follow from the files at both ends. Links with the same
// settings share one.
type Joint struct {
	Agreed Facts
	Denied []Denial
}

// Facts are the properties of a link that both files agree on.
type Facts uint8

// Assumptions of the ends of a link about each other.
const (
	Pauses  Facts = 1 << iota // each obeys the pauses of the other
	Classes                   // each code point is in the same class
	Frame                     // the largest frame is the same
	Speed
	Cable
	FEC
)

// A Denial is an assumption of one end about the other, which the other's file contradicts.
type Denial struct {
	OfB   bool       // end B takes it for granted, and the file of end A denies it; else the reverse
	Loses bool       // lossless packets are lost by it; else what follows is not known
	Text  string     // "does not obey pauses of priority 3"
	At    diag.Range // in the file of the other end; without a place where it says nothing
}

// agree notes what both files say alike.
func (l *joined) agree(fact Facts) { l.joint.Agreed |= fact }

// denies notes that the file of an end contradicts an assumption of the other.
func (l *joined) denies(by *end, loses bool, at diag.Range, format string, args ...any) {
	l.joint.Denied = append(l.joint.Denied, Denial{by == l.a, loses, fmt.Sprintf(format, args...), at})
}

// deniesBoth notes that the ends contradict each other, and that what follows is not known.
func (l *joined) deniesBoth(a, b diag.Range, format string, ofA, ofB any) {
	l.denies(l.a, false, a, format, ofA)
	l.denies(l.b, false, b, format, ofB)
}

// other returns the end that an end is joined to.
func (l *joined) other(e *end) *end {
	if e == l.a {
		return l.b
	}
	return l.a
}

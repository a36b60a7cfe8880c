package format

import (
	"fmt"

	"github.com/roceplan/roceplan/diag"
	"github.com/roceplan/roceplan/units"
)

// A Unit is the unit of a leaf.
type Unit struct {
	Name string // "whole per cent"
	Is   int64  // of the plan's units: of bytes, bits per second, picoseconds, billionths
}

// Units of leaves. Counts of a plan without a unit are in ones.
var (
	Ones         = Unit{"whole numbers", 1}
	Bytes        = Unit{"whole bytes", 1}
	Kilobytes    = Unit{"whole kB", int64(units.KB)}
	BitsPerSec   = Unit{"whole b/s", 1}
	KilobitsPerS = Unit{"whole kb/s", int64(units.Kbps)}
	Milliseconds = Unit{"whole milliseconds", int64(units.Millisecond)}
	PerCent      = Unit{"whole per cent", int64(units.Percent)}
)

// Rounding is the direction in which a number that is between two is rounded.
type Rounding uint8

const (
	Down Rounding = iota
	Up
)

// A Number describes the format in which a leaf counts a quantity.
type Number struct {
	Unit  Unit
	Round Rounding
	// Less is the part of the quantity that the leaf does not count, in the plan's unit: the FCS of a frame.
	Less int64
	// Least and Most bound the leaf, in its own unit. Both 0: nothing does.
	Least, Most int64
	// Clamps is set where a quantity beyond a bound gets the bound, with a warning; otherwise it is
	// an error.
	Clamps bool
}

// A Quantity is a number of a plan with a unit.
type Quantity interface {
	~int64 | ~int8
	fmt.Stringer
}

// Of converts a quantity into the unit of the leaf; it may be out of bounds.
func (n Number) Of(v int64) int64 {
	switch v -= n.Less; {
	case n.Unit.Is <= 1 || v < 0:
		return v / max(1, n.Unit.Is)
	case n.Round == Up:
		return units.CeilMulDiv(v, 1, n.Unit.Is)
	}
	return units.FloorMulDiv(v, 1, n.Unit.Is)
}

// Fits reports whether a quantity, in the unit of the leaf, is between the bounds.
func (n Number) Fits(v int64) bool { return n.Fit(v) == n.Of(v) }

// Fit converts a quantity into the unit of the leaf, and puts it between the bounds.
func (n Number) Fit(v int64) int64 {
	leaf := n.Of(v)
	if n.Bounded() {
		return min(max(leaf, n.Least), n.Most)
	}
	return leaf
}

// Means returns the quantity of a plan that a number of the leaf means.
func (n Number) Means(leaf int64) int64 { return leaf*max(1, n.Unit.Is) + n.Less }

// Bounded reports whether a leaf has bounds.
func (n Number) Bounded() bool { return n.Least != 0 || n.Most != 0 }

// A Voice collects the findings of a system.
type Voice struct {
	List    *diag.List
	System  string // "SR Linux"
	Rounded diag.Code
	Range   diag.Code
}

// Write converts a quantity of a plan for a leaf. It adds a warning where the quantity is rounded, and
// an error where it is out of bounds. at is the line of the user's file.
func Write[Q Quantity](to Voice, n Number, what Attribute, v Q, at diag.Range) int64 {
	leaf := n.Fit(int64(v))
	got := Q(n.Means(leaf))
	switch least, most := Q(n.Means(n.Least)), Q(n.Means(n.Most)); {
	case got == v:
	case !n.Clamps && !n.Fits(int64(v)):
		to.List.Errorf(to.Range, at, "%s of %v is not supported: %s takes %v to %v", what.one(), v, to.System, least, most).Fixf("%s", advice(what, least, most))
	default:
		to.List.WarnOnceAtf(to.Rounded, at, "%s of %v is not supported: %s takes %s, and gets %v", what.one(), v, to.System, n.taken(), got).
			Fixf("write %v in the fabric, so that plan and switch agree", got)
	}
	return leaf
}

// advice returns the fix of an error: the quantity is out of bounds.
func advice(what Attribute, least, most fmt.Stringer) string {
	if what == Headroom {
		return fmt.Sprintf("shorten the cable, or lower the frame, until %v are enough", most)
	}
	return fmt.Sprintf("choose %s from %v to %v", what.one(), least, most)
}

// taken names the numbers of a leaf: "whole per cent from 1 to 100".
func (n Number) taken() string {
	if !n.Bounded() {
		return n.Unit.Name
	}
	return fmt.Sprintf("%s from %d to %d", n.Unit.Name, n.Least, n.Most)
}

// WholePerCent is the number of a marking probability: rounded down, but not to 0, at which no packet
// is marked.
var WholePerCent = Number{Unit: PerCent, Least: 1, Most: 100, Clamps: true}

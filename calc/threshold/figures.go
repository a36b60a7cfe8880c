package threshold

import (
	"errors"

	"github.com/roceplan/roceplan/units"
)

// Figures answers the questions of a buffer test. [Run] sends packets to the model,
// [Formula] has closed forms. An answer fails if an input is missing, or if what is
// asked for never happens.
type Figures interface {
	// FirstPause is the number, from 1, of the packet to one empty PG that makes it pause.
	FirstPause() (int64, error)
	// FirstIngressDrop is the number of the packet to one empty PG that finds no headroom.
	FirstIngressDrop() (int64, error)
	// PauseToDrop is the number of packets from the one that pauses to the one that is dropped.
	PauseToDrop() (int64, error)
	// FirstLossyEgressDrop is the number of the packet that an empty lossy queue drops.
	FirstLossyEgressDrop() (int64, error)
	// DrainedToResume returns the number of packets that leave after the pause until the PG resumes.
	DrainedToResume() (int64, error)
	// EqualPGs returns the number of packets that each of n PGs of a slice has received when the
	// first of them pauses, if they receive in turn.
	EqualPGs(n int) (int64, error)
	// Successive is the packet that makes each of n PGs of a slice pause, if they are
	// filled one after another.
	Successive(n int) ([]int64, error)
	// HeadroomPool fills n PGs of a slice to their pause and then, one after another, until they
	// drop. full is the headroom in use by the first, last by the last, in packets.
	HeadroomPool(n int) (full, last int64, err error)
}

var (
	_ Figures = Run{}
	_ Figures = Formula{}
)

// needs checks the inputs of an answer, with those of the pool's size, and returns the
// slice.
func (s *Setup) needs(inputs ...Input) (Slice, error) {
	if err := s.lacks(append(inputs, s.sizeNeeds()...)); err != nil {
		return Slice{}, err
	}
	return s.Slice()
}

// losslessSlice returns the slice for every question about a pause at a threshold.
func (s *Setup) losslessSlice(more ...Input) (Slice, error) {
	return s.needs(append([]Input{Reserved, Alpha}, more...)...)
}

// slicePGs is losslessSlice for a question about n PGs.
func (s *Setup) slicePGs(n int, more ...Input) (Slice, error) {
	if err := ValidatePGs(n); err != nil {
		return Slice{}, err
	}
	return s.losslessSlice(more...)
}

// headroomSlice returns the slice for PauseToDrop. The position of the threshold does not matter:
// if it cannot be derived, one packet's worth of cells below it will do.
func (s *Setup) headroomSlice() (Slice, error) {
	if err := s.lacks([]Input{Xoff}); err != nil {
		return Slice{}, err
	}
	c, err := s.losslessSlice()
	if !isMissing(err) {
		return c, err
	}
	c, err = s.Slice()
	if err != nil && !isMissing(err) {
		return Slice{}, err
	}
	c.Shared, c.Reserved = 0, c.PacketCells
	return c, nil
}

func isMissing(err error) bool { return errors.As(err, new(*Missing)) }

// exponent returns the exponent of the PG's threshold, 1 where the answer does not depend on it.
func exponent(a *units.Alpha) units.Alpha {
	if a == nil {
		return 0
	}
	return *a
}

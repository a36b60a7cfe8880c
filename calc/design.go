package calc

import (
	"slices"

	"github.com/roceplan/roceplan/calc/formulas"
	"github.com/roceplan/roceplan/policy"
	"github.com/roceplan/roceplan/units"
)

// A Design lists alternatives to a shape of switch, whether or not it compiles as it is. Each
// answer was planned before it is given, and the next step was planned too and does not hold.
type Design struct {
	Names []string // of the switches
	Chip  string
	Fits  bool // as it is

	// Classes is the most lossless classes like the first one, at most eight.
	Classes int
	// FanIn is the most ports that may send to one, at most all others; 0: none.
	FanIn int
	// Trades are the designs by ratio of the headroom pool: 1:1, and where groups of the chip can
	// share it 2:1 and 4:1.
	Trades []Trade
}

// A Trade is the capacity with a headroom pool that is so many times smaller than all headroom.
type Trade struct {
	Ratio int64
	// Held is the number of groups, paused at once, for which each part of the pool suffices, with
	// the cables as they are; 0 where even one does not fit.
	Held int
	// Cables is the longest cable for 1, 2, … lossless classes, for each kind of port.
	Cables []Reach
}

// A Reach is the longest cable of one kind of port by the number of lossless classes: the
// first for one class. The other ports keep theirs; 0 is none.
type Reach struct {
	Group   string
	Now     units.Length
	Longest []units.Length
}

const (
	mostClasses  = 8
	longestTrial = 100 * units.Kilometre
)

// Designs answers for each shape of a fabric that has lossless ports.
func Designs(f *policy.Fabric) (list []Design) {
	path := pathOf(f)
	for _, sw := range f.Switches {
		s, ok := newShape(f, sw, &path, &findings{trial: true})
		if !ok || len(s.lossless) == 0 || s.losslessPorts() == 0 {
			continue
		}
		list = append(list, s.design())
	}
	return list
}

func (s *shape) design() Design {
	d := Design{Names: s.sw.Names, Chip: s.chip.Title, Fits: s.works()}
	d.Classes = int(formulas.Largest(0, mostClasses, func(n int64) bool { return s.likeFirst(int(n)).works() }))
	d.FanIn = int(formulas.Largest(0, int64(max(1, s.losslessPorts()-1)), func(n int64) bool { return s.withFanIn(int(n)).works() }))
	for _, ratio := range []int64{1, 2, 4} {
		if ratio > 1 && !s.pooled {
			break
		}
		d.Trades = append(d.Trades, s.trade(ratio))
	}
	return d
}

func (s *shape) trade(ratio int64) Trade {
	shared := s.withoutSharing()
	if ratio > 1 {
		shared = s.withSharing(ratio)
	}
	t := Trade{Ratio: ratio}
	if shared.works() {
		t.Held = shared.groupsHeld()
	}
	for _, k := range s.kinds {
		if !k.lossless() {
			continue
		}
		reach := Reach{Group: k.group.Name, Now: k.cable.Value}
		for n := 1; n <= max(2, len(s.lossless)); n++ {
			reach.Longest = append(reach.Longest, shared.likeFirst(n).longestCable(k, longestTrial))
		}
		t.Cables = append(t.Cables, reach)
	}
	return t
}

// likeFirst returns the shape with n lossless classes: its own as far as there are, then more
// like the first, each with a queue's weight of its own.
func (s *shape) likeFirst(n int) *shape {
	if n <= len(s.lossless) {
		return s.withClasses(n)
	}
	other := *s
	other.lossless = slices.Clone(s.lossless)
	for len(other.lossless) < n {
		class := *s.lossless[0]
		other.lossless = append(other.lossless, &class)
	}
	return &other
}

// withoutSharing returns the shape in which every group owns its headroom.
func (s *shape) withoutSharing() *shape {
	other := *s
	other.sharing = policy.Opt[policy.Sharing]{}
	return &other
}

// withFanIn returns the shape with so many senders to each port.
func (s *shape) withFanIn(n int) *shape {
	other := *s
	other.kinds = make([]*kind, len(s.kinds))
	for i, k := range s.kinds {
		changed, group := *k, *k.group
		group.FanIn = policy.Opt[int]{Value: n, Set: true, Range: k.group.Range}
		changed.group = &group
		other.kinds[i] = &changed
	}
	return &other
}

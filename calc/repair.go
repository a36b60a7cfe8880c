package calc

import (
	"fmt"
	"slices"
	"strings"

	"github.com/roceplan/roceplan/calc/formulas"
	"github.com/roceplan/roceplan/diag"
	"github.com/roceplan/roceplan/units"
)

// repairFit finds what would make the buffer suffice, and where to say so: at the group
// that takes most. Every change that it names was tried.
func (b *budget) repairFit() (diag.Range, string) {
	most := b.greediest()
	switch {
	case most == nil:
		return b.sw.Range, "use a chip with more buffer, or fewer ports"
	case most.group.Headroom.Set:
		return most.group.Headroom.Range, "lower headroom, or use fewer lossless classes or fewer lossless ports"
	}
	if b.brief {
		return most.cable.Range, ""
	}
	if ways := b.ways(most); ways != nil {
		return most.cable.Range, "the buffer suffices with any of these: " + strings.Join(ways, "; ")
	}
	return most.cable.Range, "neither shorter cables nor a shared pool of headroom nor a single lossless class suffices: use fewer lossless ports, or a chip with more buffer"
}

// greediest returns the kind of port whose headroom takes most.
func (b *budget) greediest() *kind {
	var most *kind
	var taken units.Bytes
	for _, k := range b.kinds {
		if all := b.rooms[k.index].headroom.Value * units.Bytes(len(k.ports)); all > taken {
			most, taken = k, all
		}
	}
	return most
}

// ways lists changes after which the switch can be planned: shorter cables, sharing of
// headroom, fewer lossless classes, and the last two together.
func (s *shape) ways(k *kind) (list []string) {
	if length := s.longestCable(k, k.cable.Value); length != 0 {
		list = append(list, fmt.Sprintf("cables of at most %v in port group %q", length, k.group.Name))
	}
	if s.pooled {
		for _, ratio := range []int64{2, 4, 8} {
			if shared := s.withSharing(ratio); !s.sharing.Set && shared.works() {
				list = append(list, fmt.Sprintf("headroom_sharing = \"%d:1\", which holds %d groups paused at once in each part", ratio, shared.groupsHeld()))
				break
			}
		}
	}
	for n := len(s.lossless) - 1; n > 0; n-- {
		fewer := s.withClasses(n)
		if fewer.works() {
			list = append(list, fmt.Sprintf("%s instead of %d", classesText(n), len(s.lossless)))
			break
		}
		if length := fewer.longestCable(k, k.cable.Value); length != 0 {
			list = append(list, fmt.Sprintf("%s instead of %d, with cables of at most %v in port group %q", classesText(n), len(s.lossless), length, k.group.Name))
			break
		}
	}
	return list
}

func classesText(n int) string {
	if n == 1 {
		return "one lossless class"
	}
	return fmt.Sprintf("%d lossless classes", n)
}

func (s *shape) groupsHeld() int {
	h := planHeadrooms(s, &findings{trial: true})
	return h.groupsHeld()
}

// longestCable bisects for the longest cable of a kind of port, in whole metres and no longer
// than most, with which the switch can be planned; 0: with none.
func (s *shape) longestCable(k *kind, most units.Length) units.Length {
	metres := formulas.Largest(0, int64(most/units.Metre), func(n int64) bool { return s.withCable(k, units.Length(n)*units.Metre).works() })
	return units.Length(metres) * units.Metre
}

// works plans a trial and reports whether the inequalities of its buffer hold.
func (s *shape) works() bool {
	found := findings{trial: true}
	s.stages(&found)
	decisive := []string{"buffer-fits", "lossy-leaves-lossless", "pg-before-queue", "xon-below-xoff", "ecn-before-pfc"}
	for _, check := range found.checks {
		if !check.Holds && slices.Contains(decisive, check.ID) {
			return false
		}
	}
	return true
}

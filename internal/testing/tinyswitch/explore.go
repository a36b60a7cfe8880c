package tinyswitch

import (
	"math/bits"

	"github.com/roceplan/roceplan/model"
	"github.com/roceplan/roceplan/model/mmu"
	"github.com/roceplan/roceplan/units"
)

// MostGroups is the largest number of groups of a switch whose states are visited.
const MostGroups = 4

// A Group is a priority group, and the queue of the last port that it feeds.
type Group struct {
	Port, Number, Slice, Queue int

	pg    *mmu.PG
	after uint8 // packets that may come in after the one that decides to pause
}

// A Cells counts the cells that a group holds, and those that its peer may still send.
type Cells struct {
	Below, Above uint8 // its threshold: reserve and shared part, and headroom
	paused       bool
	at, left     uint8 // while it is paused: what was below when it paused, packets that may still come in
}

// A State is the state of all groups.
type State [MostGroups]Cells

// A Walk records the maxima over all states that a switch can be in.
type Walk struct {
	Groups []Group
	States int
	// Lost are the reasons for which lossless packets are lost, as mmu has them, and Memory.
	Lost map[string]bool
	// FullBefore is set, by group, where a packet that paused its peer found no cell below the threshold.
	FullBefore [MostGroups]bool
	// AtResume is the most that each group had in its headroom when it was resumed.
	AtResume [MostGroups]uint8

	config *mmu.Config
	model  *model.Switch
	seen   map[State]bool
	todo   []State
	atOnce int
}

// Memory is the reason of a packet that mmu takes and the memory does not.
const Memory = "memory"

// Visit walks through all states: whatever comes in, in any order, and leaves. visit may be nil. False
// if there are more states than so many.
func Visit(sw *model.Switch, most int, visit func(w *Walk, s *State)) (*Walk, bool) {
	return VisitPausing(sw, 0, most, visit)
}

// VisitPausing is Visit where no more than so many groups of a slice are paused, or have anything in their
// headroom, at once; 0: all.
func VisitPausing(sw *model.Switch, paused, most int, visit func(w *Walk, s *State)) (*Walk, bool) {
	w := &Walk{config: sw.Config, model: sw, Lost: map[string]bool{}, seen: map[State]bool{}, atOnce: paused}
	for port := range sw.Config.Ports {
		for number := range sw.Config.Ports[port].PGs {
			g := Group{Port: port, Number: number, Slice: sw.Config.Ports[port].Slice, pg: &sw.Config.Ports[port].PGs[number]}
			g.Queue = bits.TrailingZeros16(sw.Ports[port].Queues[number])
			g.after = uint8(ComesIn(sw.Config, sw.Ports[port].Link) - 1)
			w.Groups = append(w.Groups, g)
		}
	}
	w.reach(State{})
	for len(w.todo) > 0 {
		s := w.todo[len(w.todo)-1]
		w.todo = w.todo[:len(w.todo)-1]
		if visit != nil {
			visit(w, &s)
		}
		for i := range w.Groups {
			w.arrive(s, i)
			w.leave(s, i)
		}
		if w.States = len(w.seen); w.States > most {
			return w, false
		}
	}
	return w, true
}

func (w *Walk) reach(s State) {
	if !w.seen[s] {
		w.seen[s] = true
		w.todo = append(w.todo, s)
	}
}

// Shared returns the cells of the shared part that a group holds.
func (w *Walk) Shared(s *State, i int) int64 {
	return max(0, int64(s[i].Below)-int64(w.Groups[i].pg.ReservedCells))
}

// ingress returns the cells that groups hold that pass.
func (w *Walk) ingress(s *State, pass func(g *Group) bool) (sum int64) {
	for i := range w.Groups {
		if pass(&w.Groups[i]) {
			sum += w.Shared(s, i)
		}
	}
	return sum
}

// admits reports the result of the comparison of mmu.Admission for one cell more: s are held before it, and
// free are free.
func (w *Walk) admits(l mmu.Limit, s, free int64) bool {
	threshold := func(free int64) int64 {
		switch {
		case !l.Dynamic:
			return int64(l.StaticCells)
		case l.Alpha < 0:
			return free / (1 << -l.Alpha)
		}
		return free * (1 << l.Alpha)
	}
	switch w.config.Rules.Admission {
	case mmu.BeforeCell:
		return free > 0 && s < threshold(free)
	case mmu.BelowWithCell:
		return free > 0 && s+1 < threshold(free-1)
	}
	return free > 0 && s+1 <= threshold(free-1)
}

// takes reports whether the shared part takes a cell of a group.
func (w *Walk) takes(s *State, i int) bool {
	g := &w.Groups[i]
	free := w.free(s, g)
	whole, bounded := mmu.BoundOf(w.config.Ports[g.Port].Ingress, g.pg.Pool)
	ofPort := w.ingress(s, func(o *Group) bool { return o.Port == g.Port && o.pg.Pool == g.pg.Pool })
	return w.admits(g.pg.Limit, w.Shared(s, i), free) && (!bounded || w.admits(whole, ofPort, free))
}

func (w *Walk) free(s *State, g *Group) int64 {
	return int64(w.config.IngressPools[g.pg.Pool].SharedCells) - w.ingress(s, func(o *Group) bool { return o.Slice == g.Slice && o.pg.Pool == g.pg.Pool })
}

// crowded reports whether as many other groups of a slice are paused as may be.
func (w *Walk) crowded(s *State, i int) bool {
	others := 0
	for j := range w.Groups {
		if j != i && w.Groups[j].Slice == w.Groups[i].Slice && (s[j].paused || s[j].Above > 0) {
			others++
		}
	}
	return w.atOnce > 0 && others >= w.atOnce
}

// arrive lets a packet of a group come in, if its peer may send one.
func (w *Walk) arrive(s State, i int) {
	g, own := &w.Groups[i], &s[i]
	if g.pg.Lossless && !own.paused && w.crowded(&s, i) {
		after := s
		after[i].Below++
		if units.Cells(own.Below) >= g.pg.ReservedCells && !w.takes(&s, i) || w.config.Rules.Pause == mmu.WhenFull && units.Cells(own.Below)+1 >= g.pg.ReservedCells && !w.takes(&after, i) {
			return // it would be paused too
		}
	}
	pausable := w.model.Ports[g.Port].Pausable>>g.Number&1 == 1
	if own.paused && pausable {
		if own.left == 0 {
			return
		}
		own.left--
	}
	before := s
	above := false
	switch {
	case units.Cells(own.Below) < g.pg.ReservedCells || w.takes(&s, i):
		own.Below++
	case !g.pg.Lossless:
		return
	default:
		above = true
		why := ""
		if own.Above++; units.Cells(own.Above) > g.pg.HeadroomCells {
			why = mmu.DropHeadroom.String()
		} else if g.pg.HeadroomPooled && w.pooled(&s, g) > int64(w.config.IngressPools[g.pg.Pool].HeadroomCells) {
			why = mmu.DropHeadroomPool.String()
		}
		if why != "" {
			w.Lost[why] = true
			own.Above--
			w.pause(&s, i, true)
			w.reach(s)
			return
		}
	}
	if why := w.refused(&before, g); why != "" { // it does not pause either
		if g.pg.Lossless {
			w.Lost[why] = true
		}
		w.reach(before)
		return
	}
	if memory := int64(w.config.SliceCells); memory > 0 && w.Held(&s, func(o *Group) bool { return o.Slice == g.Slice }) > memory && g.pg.Lossless {
		w.Lost[Memory] = true
	}
	w.pause(&s, i, above)
	w.reach(s)
}

// pooled returns the cells taken of the headroom pool of a group.
func (w *Walk) pooled(s *State, g *Group) (sum int64) {
	for i, o := range w.Groups {
		if o.pg.HeadroomPooled && o.pg.Pool == g.pg.Pool && o.Slice == g.Slice {
			sum += int64(s[i].Above)
		}
	}
	return sum
}

// Held returns the cells that groups hold that pass.
func (w *Walk) Held(s *State, pass func(g *Group) bool) (sum int64) {
	for i := range w.Groups {
		if pass(&w.Groups[i]) {
			sum += int64(s[i].Below) + int64(s[i].Above)
		}
	}
	return sum
}

// Pooled reports whether a group has its headroom in a pool.
func (g *Group) Pooled() bool { return g.pg.HeadroomPooled }

// Lossless reports whether a group is.
func (g *Group) Lossless() bool { return g.pg.Lossless }

// refused returns the reason why the way out does not take a cell more of a group; empty if it
// does.
func (w *Walk) refused(s *State, g *Group) string {
	out := &w.config.Ports[len(w.config.Ports)-1]
	queue := &out.Queues[g.Queue]
	shared := func(number int) int64 {
		held := w.Held(s, func(o *Group) bool { return o.Slice == g.Slice && o.Queue == number })
		return max(0, held-int64(out.Queues[number].ReservedCells))
	}
	held := w.Held(s, func(o *Group) bool { return o.Slice == g.Slice && o.Queue == g.Queue })
	if held < int64(queue.ReservedCells) {
		return ""
	}
	used := int64(0)
	for number := range out.Queues {
		if out.Queues[number].Pool == queue.Pool {
			used += shared(number)
		}
	}
	free := int64(w.config.EgressPools[queue.Pool].SharedCells) - used
	whole, bounded := mmu.BoundOf(out.Egress, queue.Pool)
	switch {
	case free == 0:
		return mmu.DropEgressPool.String()
	case !w.admits(queue.Limit, shared(g.Queue), free):
		return mmu.DropQueueLimit.String()
	case bounded && !w.admits(whole, used, free):
		return mmu.DropPortLimit.String()
	}
	return ""
}

// pause follows what mmu.Pause says of a packet that has come in, above the threshold or not.
func (w *Walk) pause(s *State, i int, above bool) {
	g, own := &w.Groups[i], &s[i]
	if !g.pg.Lossless || own.paused {
		return
	}
	full := units.Cells(own.Below) >= g.pg.ReservedCells && !w.takes(s, i)
	if above || w.config.Rules.Pause == mmu.WhenFull && full {
		own.paused, own.at, own.left = true, own.Below, g.after
		w.FullBefore[i] = w.FullBefore[i] || above
	}
}

// leave lets a packet of a group leave, and resumes its peer below the level at which it was paused.
func (w *Walk) leave(s State, i int) {
	g, own := &w.Groups[i], &s[i]
	switch {
	case own.Above > 0:
		own.Above--
	case own.Below > 0:
		own.Below--
	default:
		return
	}
	if own.paused {
		top := int64(own.at)
		level := max(0, top-1)
		switch {
		case g.pg.XonOffsetCells > 0:
			level = max(0, int64(g.pg.XonCells), top-int64(g.pg.XonOffsetCells))
		case g.pg.XonCells > 0:
			level = int64(g.pg.XonCells)
		}
		if int64(own.Below)+int64(own.Above) <= level {
			w.AtResume[i] = max(w.AtResume[i], own.Above)
			own.paused, own.at, own.left = false, 0, 0
		}
	}
	w.reach(s)
}

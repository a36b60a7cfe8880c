package observe

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/roceplan/roceplan/diag"
	"github.com/roceplan/roceplan/internal/natural"
)

// A root is where a tree of pauses begins: a port whose neighbour, a server, pauses it, or a switch
// whose queue is full though no neighbour pauses it.
type root struct {
	site     *site
	priority uint8
	server   bool
	queue    Row     // where no server pauses it: the longest of its switch
	over     []*site // ports above the goal whose tree ends here
	way      []string
	evidence []Row
}

// pauses finds ports that pause more often than the goal, and follows each to its root.
func (c *checker) pauses() {
	var roots []*root
	for _, s := range c.sites {
		for _, pg := range s.lossless() {
			priority, _, ok := s.pfcOf(pg.ID)
			if !ok {
				continue
			}
			// Pauses that a switch sends are explained by what holds its queues; those that a
			// server sends are a root of their own.
			if got, over := c.paused(s, priority); over && s.toNIC() {
				roots = c.rooted(roots, &root{site: s, priority: priority, server: true, way: []string{s.String()}, evidence: got.evidence()}, s)
			}
			if sent, over := c.above(s, PFCSent(priority)); over {
				if r := c.descend(s, priority); r != nil {
					r.evidence = append(sent.evidence(), r.evidence...)
					roots = c.rooted(roots, r, s)
				}
			}
		}
	}
	for _, r := range roots {
		c.tell(r)
	}
}

// above reports whether a port counted more pauses than the goal allows in the time between
// readings. Of less than a second, the whole second's are allowed.
func (c *checker) above(s *site, counter Counter) (growth, bool) {
	g, ok := c.r.grown(s.end.Switch, Object{Kind: Port, Name: s.end.Port}, counter)
	lasted := max(g.lasted(), time.Second)
	if !ok || g.Readings < 2 || g.lasted() <= 0 {
		return g, false
	}
	seconds := uint64((lasted + time.Second - 1) / time.Second)
	return g, g.Amount > uint64(c.fabric.Targets.PausesPerSecond.Value)*seconds
}

// paused returns the same of the pauses that a port got: of frames, or of pauses where frames are not counted.
func (c *checker) paused(s *site, priority uint8) (growth, bool) {
	if g, over := c.above(s, PFCReceived(priority)); over || g.Readings > 0 {
		return g, over
	}
	return c.above(s, PFCPauses(priority))
}

// rooted adds a port to the root that it leads to.
func (c *checker) rooted(roots []*root, r *root, s *site) []*root {
	i := slices.IndexFunc(roots, func(have *root) bool {
		return have.site == r.site && have.priority == r.priority && have.server == r.server
	})
	if i < 0 {
		roots, i = append(roots, r), len(roots)
	}
	if have := roots[i]; !slices.Contains(have.over, s) {
		have.over = append(have.over, s)
		if len(r.way) > len(have.way) {
			have.way, have.evidence = r.way, r.evidence
		}
	}
	return roots
}

// descend follows pauses from a port that sends them: in its switch to the port that is paused
// most, along that cable to the next switch, and so on. Where that leads back to a switch, the
// pauses were not all at one time, and the longest queue there is the root. Nil where counters end.
func (c *checker) descend(s *site, priority uint8) *root {
	r := &root{priority: priority, way: []string{s.String()}}
	var passed []string
	for {
		passed = append(passed, s.end.Switch)
		next, got := c.mostPaused(s, priority)
		if next == nil || next.far != nil && slices.Contains(passed, next.far.end.Switch) {
			return c.longest(r, s, priority)
		}
		r.way, r.evidence = append(r.way, next.String()), append(r.evidence, got)
		if next.far == nil {
			r.site, r.server = next, true
			return r
		}
		s = next.far
	}
}

// mostPaused returns the port of a switch that got most pauses. It is none of those that got fewer
// than the goal allows.
func (c *checker) mostPaused(from *site, priority uint8) (most *site, row Row) {
	var amount uint64
	for _, s := range c.bySwitch[from.end.Switch] {
		if s == from {
			continue
		}
		if got, over := c.paused(s, priority); over && got.Amount > amount {
			most, row, amount = s, got.Last, got.Amount
		}
	}
	return most, row
}

// longest makes the longest queue of a switch the root.
func (c *checker) longest(r *root, from *site, priority uint8) *root {
	for _, s := range c.bySwitch[from.end.Switch] {
		if s == from {
			continue
		}
		for _, class := range s.sw.Classes {
			if !class.Lossless || class.PFC != priority {
				continue
			}
			row, ok := c.r.highest(s.end.Switch, Object{Kind: Queue, Name: s.end.Port, ID: s.port.QoS.QueueOf(&class)}, QueueShared)
			if ok && row.Value > r.queue.Value {
				r.site, r.queue = s, row
			}
		}
	}
	if r.site == nil {
		return nil
	}
	r.way, r.evidence = append(r.way, r.site.String()), append(r.evidence, r.queue)
	return r
}

// tell says what a tree comes from.
func (c *checker) tell(r *root) {
	k := Conclusion{Code: Pauses, Assumption: AssumesGoal, Worth: Likely, severity: diag.Warning}
	goal := c.fabric.Targets.PausesPerSecond.Value
	object := Object{Kind: Port, Name: r.site.end.Port}
	switch {
	case r.server:
		k.severity = diag.Error
		who := "NIC"
		if !r.site.toNIC() {
			who = "neighbour"
		}
		k.Message = fmt.Sprintf("the %s at %v pauses it more than %d times a second, and %s for it", who, r.site, goal, natural.Count(len(r.over), "port waits", "ports wait"))
		k.Fix = "look at the server: a NIC that is slow, or a storm"
	default:
		k.Message = fmt.Sprintf("%s more than %d times a second because %v cannot send at the rate of its arrivals; its queue held %d B", natural.Count(len(r.over), "port pauses", "ports pause"), goal, r.site, r.queue.Value)
		k.Fix = "spread the load, or mark earlier"
	}
	if len(r.way) > 1 {
		k.Message += "; the way is " + strings.Join(r.way, ", ")
	}
	c.say(r.site, object, k, r.evidence...)
}

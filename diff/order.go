package diff

import (
	"cmp"
	"slices"

	"github.com/roceplan/roceplan/internal/natural"
	"github.com/roceplan/roceplan/plan"
)

// A Rollout is the order in which devices can be changed.
type Rollout struct {
	Steps []Step // one after the other; the devices of one step in any order
	// Quiet are code points that no order keeps lossless, see the package comment.
	Quiet []Quiet
	// Uncabled is set where no plan says which ports are joined, so that any switch had
	// to be taken for a neighbour of any other.
	Uncabled bool
	// Taken reports that cables and NICs before the change are not known, and are those of the new plan.
	// Compare does not set it.
	Taken bool
}

// A Quiet is code points whose packets must be stopped for the change.
type Quiet struct {
	DSCPs []uint8
	A, B  string // two devices between which they are not lossless on the way, or one that cannot have both of their places
}

// Reversed returns the way back from the end of the steps to the plan before them: each step restores
// the settings before it.
func (r *Rollout) Reversed(before *plan.Plan) *Rollout {
	back, told := &Rollout{Uncabled: r.Uncabled, Taken: r.Taken}, map[string]*plan.Switch{}
	for _, q := range r.Quiet {
		for _, d := range q.DSCPs {
			back.Stop(d, [2]string{q.A, q.B})
		}
	}
	for _, sw := range before.Switches {
		for _, name := range sw.Names {
			told[name] = sw
		}
	}
	back.Steps = make([]Step, len(r.Steps))
	for i, there := range r.Steps {
		step := &back.Steps[len(r.Steps)-1-i]
		*step = there
		step.Told, step.NICs = nil, nil
		for _, t := range there.Told {
			first := len(step.Told)
			for _, name := range t.Devices {
				i := first
				for ; i < len(step.Told) && step.Told[i].Switch != told[name]; i++ {
				}
				if i == len(step.Told) {
					step.Told = append(step.Told, Told{Switch: told[name]})
				}
				step.Told[i].Devices = append(step.Told[i].Devices, name)
				told[name] = t.Switch
			}
		}
		for _, n := range there.NICs {
			step.NICs = append(step.NICs, NIC{n.Is, n.Was})
		}
	}
	return back
}

// Action is the kind of a step.
type Action uint8

const (
	Whole   Action = iota // a device gets its new configuration at once
	Grow                  // a device gets the first part, which takes nothing away
	Move                  // a device gets a part in the middle
	Shrink                // a device gets the rest
	Cable                 // cables are changed
	Accept                // NICs take in what becomes lossless, and send as before
	Host                  // NICs are changed
	Drop                  // NICs no longer take in what they do not send any more
	Install               // a switch that is new
	Retire                // a switch that goes
	Upgrade               // a person installs another release
)

func (a Action) String() string {
	return [...]string{"whole", "grow", "move", "shrink", "cable", "accept", "host", "drop", "install", "retire", "upgrade"}[a]
}

// A Step is one thing to do.
type Step struct {
	Action  Action
	Devices []string // in natural order; of cables, both ends
	Changes []Change // its changes on them
	Why     []Rule   // why here
	Told    []Told   // settings of switches when it is done; empty for cables and NICs
	NICs    []NIC    // NICs before and after it; empty for switches and cables
}

// Told is the settings of switches of one shape at some moment, nil where they are gone.
type Told struct {
	Devices []string
	Switch  *plan.Switch
}

// A Rule is one of the reasons for an order.
type Rule string

// The rules, as the package comment explains them.
const (
	HeadroomFirst Rule = "headroom-first" // a receiver's headroom grows before more can arrive
	ClassFirst    Rule = "class-first"    // PFC, groups and queues are there before traffic relies on them
	MarkingFirst  Rule = "marking-first"  // congestion control acts before PFC does
	LessFirst     Rule = "less-first"     // steps that reduce arrivals come before headroom goes
	UnusedLast    Rule = "unused-last"    // nothing is taken away while a neighbour needs it
	NoOrder       Rule = "no-order"       // nothing depends on when it is done
	WrittenForIt  Rule = "written-for-it" // later steps are written for the release
)

// Text says a rule in a sentence without a full stop.
func (r Rule) Text() string {
	switch r {
	case HeadroomFirst:
		return "headroom grows before a cable, a port or a frame lets more arrive after a pause"
	case ClassFirst:
		return "PFC, priority groups and queues of a class are on both ends of a cable before traffic relies on them"
	case MarkingFirst:
		return "congestion control acts before PFC does"
	case LessFirst:
		return "less arrives before headroom is taken away"
	case UnusedLast:
		return "no neighbour uses the removed classes"
	case WrittenForIt:
		return "the next steps are written for this release"
	}
	return "no other device depends on it"
}

// The levels of parts: a dependence always goes from a lower to a higher one.
const (
	levelReady = iota // smaller frames and larger buffers of hosts
	levelGrow
	levelCables
	levelMove
	levelHosts
	levelShrink
)

// A node is a part of the change of a pair, or cables, or a host.
type node struct {
	level int
	rank  int       // distance from hosts
	name  string    // of the first device
	pair  *group    // nil for cables and hosts
	ends  []spanEnd // of cables
	less  bool      // cables and hosts let less arrive than before
	step  Step
	why   map[Rule]bool

	after, before map[*node]bool // the steps that it waits for, and those that wait for it
	first         int            // level of its first part, where parts are joined
	from, to      int            // states of the pair before and after
	merged        bool           // into a later part
	run           int            // number of its step, once it has one
}

// A group is a pair with its states.
type group struct {
	*pair
	states [4]*plan.Switch // old, grown, moved, new
	parts  [3]*node        // grow, move, shrink; nil where a part is empty
	ports  [4]map[string]*plan.Port
	apart  [3][3]bool // parts for which devices of the group wait for one another
	rank   int
	// Its classes leave their place at once, and their code points are stopped.
	once    bool
	stopped []int
}

// at returns a port of the group in one of its states, nil where there is none.
func (g *group) at(state int, port string) *plan.Port {
	if g.states[state] == nil {
		return nil
	}
	if g.ports[state] == nil {
		g.ports[state] = g.states[state].PortsByName()
	}
	return g.ports[state][port]
}

func (g *group) add(n *node) { n.pair, n.rank, n.name = g, g.rank, g.names[0] }

// order finds the steps.
func order(before, after *plan.Plan, pairs []*pair) Rollout {
	var o *orderer
	for once := map[*pair]bool{}; o == nil || o.once(once); {
		o = newOrderer(before, after, pairs, once)
		o.depend()
		o.join()
	}
	r := Rollout{Steps: o.steps(), Quiet: o.quiet()}
	r.Uncabled = len(o.cables) == 0 && len(o.of) > 1 && len(r.Steps) > 1
	return r
}

type orderer struct {
	groups []*group
	of     map[string]*group // by device
	cables []cable
	nodes  []*node
	hosts  []*node
}

func newOrderer(before, after *plan.Plan, pairs []*pair, once map[*pair]bool) *orderer {
	o := &orderer{of: map[string]*group{}}
	for _, p := range pairs {
		g := &group{pair: p, once: once[p], states: [4]*plan.Switch{p.old, p.old, p.old, p.new}}
		for _, name := range p.names {
			o.of[name] = g
		}
		o.groups = append(o.groups, g)
	}
	o.cables = cablesOf(before, after)
	o.rank(after)
	for _, g := range o.groups {
		if g.differs {
			o.cut(g)
		}
	}
	o.addCables()
	o.addHosts(before, after)
	return o
}

// rank sets the distance from hosts over cables; edges of the fabric have 0.
func (o *orderer) rank(after *plan.Plan) {
	next := map[*group]map[*group]bool{}
	for _, c := range o.cables {
		a, b := o.of[c.a.Switch], o.of[c.b.Switch]
		if a != nil && b != nil && a != b {
			for _, ends := range [][2]*group{{a, b}, {b, a}} {
				if next[ends[0]] == nil {
					next[ends[0]] = map[*group]bool{}
				}
				next[ends[0]][ends[1]] = true
			}
		}
	}
	const far = 1 << 20
	var queue []*group
	for _, g := range o.groups {
		if g.rank = far; servesHosts(g, after) {
			g.rank = 0
			queue = append(queue, g)
		}
	}
	for ; len(queue) > 0; queue = queue[1:] {
		for n := range next[queue[0]] {
			if n.rank == far {
				n.rank = queue[0].rank + 1
				queue = append(queue, n)
			}
		}
	}
	for _, g := range o.groups {
		if g.rank == far {
			g.rank = 0
		}
	}
}

func servesHosts(g *group, after *plan.Plan) bool {
	sw := g.new
	if sw == nil {
		sw = g.old
	}
	for i := range sw.Ports {
		if after.Host(sw.Ports[i].Peer) != nil {
			return true
		}
	}
	return false
}

// cut finds the states of a pair and the parts between them that are not empty.
func (o *orderer) cut(g *group) {
	if g.old == nil || g.new == nil {
		action, level, part := Install, levelGrow, 0
		if g.new == nil {
			action, level, part = Retire, levelShrink, 2
		}
		g.states = [4]*plan.Switch{g.old, g.old, g.old, g.new}
		if g.old == nil {
			g.states = [4]*plan.Switch{nil, g.new, g.new, g.new}
		}
		g.parts[part] = o.part(g, level, 0, 3)
		g.parts[part].step.Action = action
		return
	}
	grown := Grown(g.old, g.new)
	if g.once {
		grown, g.stopped = atOnce(g.old, g.new)
	}
	g.states = [4]*plan.Switch{g.old, grown, moved(grown, g.new), g.new}
	if g.old.Chip != g.new.Chip || g.old.OS != g.new.OS {
		g.states[1], g.states[2] = g.new, g.new // hardware is exchanged at once
	}
	for i, level := range []int{levelGrow, levelMove, levelShrink} {
		if differ(g.states[i], g.states[i+1]) {
			g.parts[i] = o.part(g, level, i, i+1)
		}
	}
}

// differ reports whether the settings of a switch change.
func differ(a, b *plan.Switch) bool {
	m := newMerger()
	m.telling = true
	return a != b && len(m.compare(&pair{names: []string{""}, old: a, new: b})) > 0
}

// part makes a part of a pair between two of its states; settle says what its step does.
func (o *orderer) part(g *group, level, from, to int) *node {
	n := &node{level: level, first: level, from: from, to: to, after: map[*node]bool{}, why: map[Rule]bool{}, step: Step{Devices: g.names}}
	g.add(n)
	o.nodes = append(o.nodes, n)
	return n
}

// compareNodes returns the order where nothing else decides: growing from the core to the
// edge, shrinking from the edge to the core, and then by names, so that no two are equal.
func compareNodes(a, b *node) int {
	if a.first != b.first {
		return a.first - b.first
	}
	if a.rank != b.rank {
		if a.first == levelGrow {
			return b.rank - a.rank
		}
		return a.rank - b.rank
	}
	return cmp.Or(natural.Compare(a.name, b.name), slices.CompareFunc(a.step.Devices, b.step.Devices, natural.Compare),
		slices.CompareFunc(a.ends, b.ends, func(x, y spanEnd) int { return slices.CompareFunc(x.ports, y.ports, natural.Compare) }))
}

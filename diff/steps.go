package diff

import (
	"cmp"
	"container/heap"
	"slices"

	"github.com/roceplan/roceplan/internal/natural"
	"github.com/roceplan/roceplan/internal/stable"
	"github.com/roceplan/roceplan/plan"
)

// join makes one part of parts of a group between which no other part waits. The tier with most
// devices is joined first, so that fewest devices are touched twice.
func (o *orderer) join() {
	tier := map[int]int{}
	for _, g := range o.groups {
		tier[g.rank] += len(g.names)
	}
	groups := slices.Clone(o.groups)
	stable.Sort(groups, func(a, b *group) int {
		return cmp.Or(cmp.Compare(tier[b.rank], tier[a.rank]), cmp.Compare(b.rank, a.rank), cmp.Compare(len(b.names), len(a.names)))
	})
	o.followers()
	for _, g := range groups {
		last := -1
		for i, part := range g.parts {
			if part == nil {
				continue
			}
			if last >= 0 && !g.keptApart(last, i) && o.joinable(g.parts[last], part) {
				o.merge(g, i)
			}
			last = i
		}
	}
	o.nodes = stable.Delete(o.nodes, func(n *node) bool { return n.merged })
}

// keptApart reports whether devices of the group wait for one another between a part and
// those that it would be joined with.
func (g *group) keptApart(last, part int) bool {
	for i, n := range g.parts[:part] {
		if n == g.parts[last] && g.apart[i][part] {
			return true
		}
	}
	return false
}

// followers turns the edges round.
func (o *orderer) followers() {
	for _, n := range o.nodes {
		n.before = map[*node]bool{}
	}
	for _, n := range o.nodes {
		for a := range n.after {
			a.before[n] = true
		}
	}
}

// joinable reports whether two parts may become one: no way leads from one over another node to
// the other.
func (o *orderer) joinable(from, to *node) bool {
	seen := map[*node]bool{from: true}
	stack := []*node{}
	push := func(n *node) {
		for next := range n.before {
			if !(n == from && next == to) && !seen[next] && next.first <= to.level {
				seen[next] = true
				stack = append(stack, next)
			}
		}
	}
	push(from)
	for len(stack) > 0 {
		n := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		if n == to {
			return false
		}
		push(n)
	}
	return true
}

// merge gives a part all that the one before it has.
func (o *orderer) merge(g *group, part int) {
	to := g.parts[part]
	var from *node
	for i := range part {
		if g.parts[i] != nil {
			from = g.parts[i]
		}
	}
	for i := range part {
		if g.parts[i] == from {
			g.parts[i] = to
		}
	}
	delete(to.after, from)
	for n := range from.after {
		to.after[n] = true
		delete(n.before, from)
		n.before[to] = true
	}
	for n := range from.before {
		if n != to {
			to.before[n] = true
			delete(n.after, from)
			n.after[to] = true
		}
	}
	for rule := range from.why {
		to.why[rule] = true
	}
	to.first, to.from = from.first, from.from
	from.merged = true
}

// A frontier is the nodes that wait for nothing any more.
type frontier []*node

func (f frontier) Len() int           { return len(f) }
func (f frontier) Less(i, j int) bool { return compareNodes(f[i], f[j]) < 0 }
func (f frontier) Swap(i, j int)      { f[i], f[j] = f[j], f[i] }
func (f *frontier) Push(x any)        { *f = append(*f, x.(*node)) }
func (f *frontier) Pop() any {
	n := (*f)[len(*f)-1]
	*f = (*f)[:len(*f)-1]
	return n
}

// steps sorts the nodes topologically and joins neighbours in the order that do the
// same on devices of one tier and do not wait for one another.
func (o *orderer) steps() []Step {
	left := map[*node]int{}
	ready := &frontier{}
	for _, n := range o.nodes {
		if left[n] = len(n.after); left[n] == 0 {
			heap.Push(ready, n)
		}
	}
	var runs [][]*node
	for ready.Len() > 0 {
		n := heap.Pop(ready).(*node)
		for next := range n.before {
			if left[next]--; left[next] == 0 {
				heap.Push(ready, next)
			}
		}
		n.settle()
		if last := len(runs) - 1; last >= 0 && alike(runs[last][0], n, len(runs)) {
			runs[last] = append(runs[last], n)
		} else {
			runs = append(runs, []*node{n})
		}
		n.run = len(runs)
	}
	var steps []Step
	for _, run := range runs {
		steps = append(steps, stepOf(run))
	}
	return steps
}

// settle names what a part does once it is known which parts are joined.
func (n *node) settle() {
	if n.pair == nil || n.step.Action == Install || n.step.Action == Retire {
		return
	}
	switch first, last := n.pair.first() == n, n.pair.last() == n; {
	case first && last:
		n.step.Action = Whole
	case first:
		n.step.Action = Grow
	case last:
		n.step.Action = Shrink
	default:
		n.step.Action = Move
	}
}

func (g *group) first() *node {
	return g.parts[slices.IndexFunc(g.parts[:], func(n *node) bool { return n != nil })]
}

func (g *group) last() (last *node) {
	for _, n := range g.parts {
		if n != nil {
			last = n
		}
	}
	return last
}

// states returns the settings of a device before and after a part.
func (n *node) states() (before, after *plan.Switch) {
	return n.pair.states[n.from], n.pair.states[n.to]
}

// alike reports whether a node belongs to a step, given by its first node and its number.
func alike(first, n *node, run int) bool {
	if first.step.Action != n.step.Action || first.rank != n.rank || (first.pair == nil) != (n.pair == nil) {
		return false
	}
	for before := range n.after {
		if before.run == run {
			return false
		}
	}
	return true
}

// stepOf makes one step of nodes.
func stepOf(run []*node) Step {
	step := Step{Action: run[0].step.Action}
	why := map[Rule]bool{}
	m := newMerger()
	m.telling = true
	for _, n := range run {
		step.Devices = append(step.Devices, n.step.Devices...)
		step.Changes = append(step.Changes, n.step.Changes...)
		step.NICs = append(step.NICs, n.step.NICs...)
		for rule := range n.why {
			why[rule] = true
		}
		if n.pair != nil {
			old, new := n.states()
			m.compare(&pair{names: n.pair.names, old: old, new: new})
			step.Told = append(step.Told, Told{n.pair.names, new})
		}
	}
	step.Changes = append(step.Changes, m.finish()...)
	slices.SortFunc(step.Devices, natural.Compare)
	step.Devices = slices.Compact(step.Devices)
	if len(why) > 0 && run[0].first == levelGrow && slices.ContainsFunc(step.Changes, marksEarlier) {
		why[MarkingFirst] = true
	}
	for _, rule := range []Rule{HeadroomFirst, ClassFirst, MarkingFirst, LessFirst, UnusedLast} {
		if why[rule] {
			step.Why = append(step.Why, rule)
		}
	}
	if step.Why == nil {
		step.Why = []Rule{NoOrder}
	}
	return step
}

func marksEarlier(c Change) bool { return c.Quantity == "ecn" && c.Kind == Added }

package way

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/roceplan/roceplan/diff"
	"github.com/roceplan/roceplan/internal/natural"
	"github.com/roceplan/roceplan/internal/stable"
	"github.com/roceplan/roceplan/model/proof"
	"github.com/roceplan/roceplan/plan"
	"github.com/roceplan/roceplan/units"
)

// A nicTrack is the states of NICs of a kind.
type nicTrack struct {
	name   string
	states []State
	views  []int // raw
	chain  int
}

// nics returns all kinds. A NIC that changes in a step has some of its settings before others.
func (b *Builder) nics() (all []*nicTrack) {
	of, most := map[string]*nicTrack{}, max(smallestFrame(b.before), smallestFrame(b.after))
	add := func(name string, s State, h *plan.Host, v View) {
		t := of[name]
		if t == nil {
			t = &nicTrack{name: name}
			of[name] = t
			all = append(all, t)
		}
		if h == nil {
			s.Gone = true
			t.states, t.views = append(t.states, s), append(t.views, -1)
			return
		}
		s.Sends, s.Frame = listed(sends(h)), min(frameOf(h), most) // the verdict on its own plan reports a larger frame
		t.states, t.views = append(t.states, s), append(t.views, b.intern(v))
	}
	for _, h := range b.before.Hosts {
		add(h.Name, State{}, h, nic(h))
	}
	for i, step := range b.rollout.Steps {
		for _, n := range step.NICs {
			switch {
			case n.Is == nil:
				add(n.Was.Name, State{Step: i + 1}, nil, View{})
				continue
			case n.Was != nil:
				for half, v := range half(nic(n.Was), nic(n.Is)) {
					was := [2]*plan.Host{n.Was, n.Is}[half]
					add(n.Is.Name, State{Step: i + 1, Phase: fmt.Sprintf("%02d half changed, PFC %s", half+1, [2]string{"before", "after"}[half])}, was, v)
				}
			}
			add(n.Is.Name, State{Step: i + 1}, n.Is, nic(n.Is))
		}
	}
	return all
}

func (t *nicTrack) live(step int) []int { return (&Chain{States: t.states}).live(step) }

// losslessIn returns the code points of the lossless classes of a plan.
func losslessIn(p *plan.Plan) (set uint64) {
	for _, sw := range p.Switches {
		for _, c := range sw.Classes {
			for _, d := range c.DSCPs {
				if c.Lossless {
					set |= 1 << (d & 63)
				}
			}
		}
	}
	return set
}

// moments say what is under way during each step. A code point that both plans have lossless always is. One of the old plan is
// until the last NIC that sends it has changed, and queue pairs from before are gone; one of the new plan from the first NIC on
// that sends it. Between that and the change of switches no host sends it.
func (b *Builder) moments(w *Way, nics []*nicTrack, classes []*class) {
	old, now := losslessIn(b.before), losslessIn(b.after)
	var quiet uint64
	for _, q := range b.rollout.Quiet {
		for _, d := range q.DSCPs {
			quiet |= 1 << (d & 63)
		}
	}
	w.Moments, w.Assumed = []Moment{}, nil
	w.Before, w.After, w.Stopped = notNil(listed(old)), notNil(listed(now)), listed(quiet)
	sent := make([]uint64, len(b.names)+1) // by NICs, by step
	var ever uint64
	for step := 1; step <= len(b.names); step++ {
		m := Moment{Step: b.names[step-1]}
		for _, t := range nics {
			for _, i := range t.live(step) {
				sent[step] |= bitsOf(t.states[i].Sends)
				m.Frame = max(m.Frame, t.states[i].Frame)
			}
		}
		ever |= sent[step]
		w.Moments = append(w.Moments, m)
	}
	ends := b.abandoned(old&^now&^ever, classes)
	least := min(smallestFrame(b.before), smallestFrame(b.after))
	for step := 1; step <= len(b.names); step++ {
		m := &w.Moments[step-1]
		lossless := old & now
		for d := range 64 {
			bit := uint64(1) << d
			switch {
			case old&^now&bit != 0 && ever&bit == 0 && step < ends[d]:
				lossless |= bit
			case (old^now)&ever&bit != 0:
				lossless |= sent[step] & bit
			}
		}
		lossless &^= quiet
		m.Lossless, m.Silent = notNil(listed(lossless)), listed((old|now)&^lossless)
		if m.Frame == 0 { // no NIC is known
			m.Frame = least
		}
	}
	b.assume(w, quiet)
}

// assume states the assumptions of the moments.
func (b *Builder) assume(w *Way, quiet uint64) {
	say := func(format string, args ...any) { w.Assumed = append(w.Assumed, fmt.Sprintf(format, args...)) }
	for _, port := range slices.SortedFunc(maps.Keys(b.others), natural.Compare) {
		devices := b.others[port]
		slices.SortFunc(devices, natural.Compare)
		say("%s of %s, which neither plan has, carries no lossless traffic", port, diff.Fold(slices.Compact(devices)))
	}
	if b.patched {
		say("while the updater of SONiC writes the rows of one patch, in an order of its own, or config load those of one file, no state is worse than those before and after it: PFC, headroom and pools are looked at there, and not proved")
	}
	if quiet != 0 {
		say("packets with DSCP %s are stopped until the last step is done", spelled(quiet))
	}
	for d := range 64 { // of each code point, the steps from and to which it is silent
		from := 0
		for step := 1; step <= len(b.names)+1; step++ {
			silent := step <= len(b.names) && slices.Contains(w.Moments[step-1].Silent, d) && quiet>>d&1 == 0
			if silent && from == 0 {
				from = step
			}
			if !silent && from > 0 {
				switch {
				case from == 1 && step > len(b.names):
					say("no host sends DSCP %d until the last step is done", d)
				case from == 1:
					say("no host sends DSCP %d before step %s", d, b.names[step-1])
				default:
					say("no host sends DSCP %d from step %s on", d, b.names[from-1])
				}
				from = 0
			}
		}
	}
	if smallestFrame(b.before) != smallestFrame(b.after) && len(b.before.Hosts)+len(b.after.Hosts) == 0 {
		say("until the last step is done no lossless frame is larger than %v", min(smallestFrame(b.before), smallestFrame(b.after)))
	}
}

func spelled(set uint64) string {
	var all []uint8
	for _, d := range listed(set) {
		all = append(all, uint8(d))
	}
	return plan.Ranges(all)
}

func notNil(all []int) []int {
	if all == nil {
		return []int{}
	}
	return all
}

// smallestFrame returns the smallest MTU of all ports with PFC.
func smallestFrame(p *plan.Plan) units.Bytes {
	smallest := units.Bytes(1 << 16)
	for _, sw := range p.Switches {
		for i := range sw.Ports {
			if q := sw.Ports[i].QoS; q != nil && q.PFC != 0 {
				if f := sw.Frame(&sw.Ports[i]).Value; f > 0 {
					smallest = min(smallest, f)
				}
			}
		}
	}
	return smallest
}

// abandoned returns the steps from which on some switch does not hold a code point any more, one after the last where
// all do.
func (b *Builder) abandoned(set uint64, classes []*class) (step [64]int) {
	for d := range step {
		step[d] = len(b.names) + 1
		if set>>d&1 == 0 {
			continue
		}
		for _, c := range classes {
			had := false
			for i, s := range c.states {
				holds := slices.ContainsFunc(slices.Collect(valuesOf(c.views[i])), func(v int) bool {
					return b.raw[v].In[d]&uint16(b.raw[v].Lossless) != 0 && b.raw[v].PFC != 0
				})
				if had && !holds && len(c.views[i]) > 0 {
					step[d] = min(step[d], s.Step)
				}
				had = had || holds
			}
		}
	}
	return step
}

func valuesOf(m map[string]int) func(func(int) bool) {
	return func(yield func(int) bool) {
		for _, v := range m {
			if !yield(v) {
				return
			}
		}
	}
}

// chains are classes and NICs with the views that matter, those that are alike as one.
func (b *Builder) chains(w *Way, classes []*class, nics []*nicTrack) {
	w.Chains, w.Views, w.Links = []Chain{}, []View{}, []Link{}
	var matter uint64
	for i := range b.raw {
		v := &b.raw[i]
		for d := range v.In {
			if v.In[d]&uint16(v.Lossless) != 0 {
				matter |= 1 << d
			}
		}
	}
	index, of := map[View]int{}, make([]int, len(b.raw))
	for i, v := range b.raw {
		v.trim(matter)
		at, ok := index[v]
		if !ok {
			at = len(w.Views)
			index[v] = at
			w.Views = append(w.Views, v)
		}
		of[i] = at
	}
	alike := map[string]int{}
	for _, c := range classes {
		chain := Chain{Devices: c.devices}
		for i, s := range c.states {
			state := s.State
			if j := c.proofs[i]; j != nil {
				state.Proof = j.name
			}
			chain.States = append(chain.States, state)
		}
		kinds := map[string]int{}
		c.kinds = map[string]int{}
		for _, port := range sortedPorts(c.views) {
			var views []int
			var key strings.Builder
			for i, v := range c.views {
				view := -1
				if raw, ok := v[port]; ok {
					view = of[raw]
				}
				views = append(views, view)
				fmt.Fprintf(&key, "%d %d %s,", view, c.facts[i][port].cable, b.peerOf(c.states[i], port))
			}
			k, ok := kinds[key.String()]
			if !ok {
				k = len(chain.Kinds)
				kinds[key.String()] = k
				chain.Kinds = append(chain.Kinds, Kind{Views: views})
			}
			chain.Kinds[k].Ports = append(chain.Kinds[k].Ports, port)
			c.kinds[port] = k
		}
		key := fmt.Sprintf("%+v %+v", chain.States, chain.Kinds)
		if at, ok := alike[key]; ok {
			w.Chains[at].Devices = append(w.Chains[at].Devices, c.devices...)
			c.chain = at
			continue
		}
		c.chain = len(w.Chains)
		alike[key] = c.chain
		w.Chains = append(w.Chains, chain)
	}
	for i := range w.Chains {
		slices.SortFunc(w.Chains[i].Devices, natural.Compare)
	}
	for _, t := range nics {
		t.chain = len(w.Chains)
		views := make([]int, len(t.views))
		for i, v := range t.views {
			if views[i] = -1; v >= 0 {
				views[i] = of[v]
			}
		}
		w.Chains = append(w.Chains, Chain{Devices: []string{t.name}, NIC: true, States: t.states, Kinds: []Kind{{Ports: []string{"nic"}, Views: views}}})
	}
}

// peerOf returns the peer of a port in the fabric.
func (b *Builder) peerOf(s *tracked, port string) string {
	if s.sw != nil {
		if p := b.portNamed(s.sw, port); p != nil {
			return p.Peer
		}
	}
	return ""
}

// A joint is a link whose cable has these lengths.
type joint struct {
	a, b  [2]int
	cable string
}

// links finds the cables between kinds of ports.
func (b *Builder) links(w *Way, classes []*class, nics []*nicTrack) {
	of, at := map[string]*class{}, map[joint]int{}
	for _, c := range classes {
		for _, name := range c.devices {
			of[name] = c
		}
	}
	note := func(x, y [2]int, ends [2]string, cable []units.Length) {
		if !w.pauses(x) && !w.pauses(y) {
			return
		}
		if slices.Compare(y[:], x[:]) < 0 {
			x, y, ends[0], ends[1] = y, x, ends[1], ends[0]
		}
		key := joint{x, y, fmt.Sprint(cable)}
		i, ok := at[key]
		if !ok {
			i = len(w.Links)
			at[key] = i
			w.Links = append(w.Links, Link{A: x, B: y, Ends: ends, Cable: cable})
		}
		w.Links[i].Links++
	}
	seen := map[[2]plan.LinkEnd]int{}
	for side, p := range []*plan.Plan{b.before, b.after} {
		for _, l := range p.Links {
			seen[[2]plan.LinkEnd{l.A, l.B}] |= 1 << side
		}
	}
	keys := make([][2]plan.LinkEnd, 0, len(seen))
	for l := range seen {
		if l[1].Switch != "" {
			keys = append(keys, l)
		}
	}
	stable.Sort(keys, func(x, y [2]plan.LinkEnd) int {
		return cmpEnds(x, y)
	})
	for _, l := range keys {
		x, y := of[l[0].Switch], of[l[1].Switch]
		if x == nil || y == nil {
			continue
		}
		i, okx := x.kinds[l[0].Port]
		j, oky := y.kinds[l[1].Port]
		if okx && oky {
			note([2]int{x.chain, i}, [2]int{y.chain, j}, [2]string{l[0].Switch + " " + l[0].Port, l[1].Switch + " " + l[1].Port}, b.during(l[0], l[1], seen[l]))
		}
	}
	for _, t := range nics {
		b.hostLinks(w, t, classes, note)
	}
	if len(keys) == 0 {
		b.everyLink(w, classes, note)
	}
}

func cmpEnds(x, y [2]plan.LinkEnd) int {
	for i := range x {
		if c := natural.Compare(x[i].Switch+" "+x[i].Port, y[i].Switch+" "+y[i].Port); c != 0 {
			return c
		}
	}
	return 0
}

// pauses reports whether ports of a kind have PFC in some state.
func (w *Way) pauses(at [2]int) bool {
	return slices.ContainsFunc(w.Chains[at[0]].Kinds[at[1]].Views, func(v int) bool { return v >= 0 && w.Views[v].PFC != 0 })
}

// during returns the longest cables of a link by step, 0 where there is none: in is 1 for the old plan, 2 for the new
// one, 3 for both.
func (b *Builder) during(x, y plan.LinkEnd, in int) (cable []units.Length) {
	at, changes := b.cables[x]
	if !changes && y.Switch != "" {
		at, changes = b.cables[y]
	}
	for step := 1; step <= len(b.names); step++ {
		length := b.cable(x, y, step)
		if changes && (in == 1 && step > at || in == 2 && step < at) {
			length = 0
		} else {
			length = max(length, 1) // its length is not known
		}
		cable = append(cable, length)
	}
	return cable
}

// hostLinks adds the cables of NICs of a kind.
func (b *Builder) hostLinks(w *Way, t *nicTrack, classes []*class, note func(x, y [2]int, ends [2]string, cable []units.Length)) {
	for _, c := range classes {
		done := map[int]bool{}
		for _, s := range c.states {
			if s.sw == nil {
				continue
			}
			for i := range s.sw.Ports {
				port := &s.sw.Ports[i]
				k, ok := c.kinds[port.Name]
				if port.Peer != t.name || !ok || done[k] {
					continue
				}
				done[k] = true
				x := plan.LinkEnd{Switch: c.devices[0], Port: port.Name}
				note([2]int{c.chain, k}, [2]int{t.chain, 0}, [2]string{c.devices[0] + " " + port.Name, "nic " + t.name}, b.during(x, plan.LinkEnd{}, 3))
			}
		}
	}
}

// everyLink takes each kind of ports for the peer of each other: no plan says which are joined. Each end counts with its own cable, so
// that of both is the shorter one.
func (b *Builder) everyLink(w *Way, classes []*class, note func(x, y [2]int, ends [2]string, cable []units.Length)) {
	type place struct {
		at   [2]int
		end  plan.LinkEnd
		peer plan.LinkEnd // another one of the kind; of a single device, none
	}
	var all []place
	known := map[[2]int]bool{}
	for _, c := range classes {
		for _, s := range c.states {
			if s.sw == nil {
				continue
			}
			for i := range s.sw.Ports {
				port := &s.sw.Ports[i]
				k, ok := c.kinds[port.Name]
				at := [2]int{c.chain, k}
				if !ok || known[at] || b.isNIC(port.Peer) {
					continue
				}
				known[at] = true
				p := place{at: at, end: plan.LinkEnd{Switch: c.devices[0], Port: port.Name}}
				for _, name := range w.Chains[c.chain].Devices {
					if name != c.devices[0] {
						p.peer = plan.LinkEnd{Switch: name, Port: port.Name}
					}
				}
				all = append(all, p)
			}
		}
	}
	for i, x := range all {
		for _, y := range all[i:] {
			if x.at[0] == y.at[0] {
				y.end = y.peer
			}
			if y.end.Switch != "" {
				cable := b.during(x.end, plan.LinkEnd{}, 3)
				for i, other := range b.during(y.end, plan.LinkEnd{}, 3) {
					cable[i] = min(cable[i], other)
				}
				note(x.at, y.at, [2]string{x.end.Switch + " " + x.end.Port, y.end.Switch + " " + y.end.Port}, cable)
			}
		}
	}
}

func (b *Builder) isNIC(name string) bool {
	is := func(h *plan.Host) bool { return h.Name == name }
	return slices.ContainsFunc(b.before.Hosts, is) || slices.ContainsFunc(b.after.Hosts, is)
}

// Text says the way in sentences.
func (w *Way) Text() string {
	if len(w.Moments) == 0 {
		return ""
	}
	var out strings.Builder
	states, pairs := w.Counts()
	fmt.Fprintf(&out, "\nThe way has %s, and %s of the ends of cables: %s.\n", natural.Count(states, "state", "states"), natural.Count(pairs, "pair of states", "pairs of states"), w.Says())
	for _, a := range w.Assumed {
		fmt.Fprintf(&out, "   provided that %s\n", a)
	}
	for _, l := range w.Links {
		for i, d := range l.Lossy {
			if len(d) > 0 {
				fmt.Fprintf(&out, "   not counted: DSCP %s from %s to %s, which one of the plans does not keep lossless there\n", spelled(bitsOf(d)), l.Ends[i], l.Ends[1-i])
			}
		}
	}
	for _, d := range w.Drained {
		fmt.Fprintf(&out, "   not counted: states within step %s of %s, which are drained\n", w.Moments[d.Step-1].Step, diff.Fold(d.Devices))
	}
	return out.String()
}

// Proved reports whether no state on the way loses a lossless packet, under the conditions of its certificates.
func (w *Way) Proved() bool { return w.Verdict == proof.Holds || w.Verdict == proof.Conditional }

// Says returns the verdict in a clause.
func (w *Way) Says() string {
	switch w.Verdict {
	case proof.Holds:
		return "no state on the way loses a lossless packet"
	case proof.Conditional:
		return "no state on the way loses a lossless packet, under the conditions of the verdict on both plans"
	case proof.Fails:
		return "lossless packets can be lost"
	}
	return "not all states can be judged"
}

package way

import (
	"fmt"
	"math/bits"
	"slices"
	"strconv"
	"strings"

	"github.com/roceplan/roceplan/model/mmu"
	"github.com/roceplan/roceplan/model/proof"
)

// Evaluate goes through all pairs of states that the order allows, on each link and during each step.
func (w *Way) Evaluate() (all []Pairs) {
	for l := range w.Links {
		for step := 1; step <= len(w.Moments); step++ {
			if p := w.pairs(l, step); p.Pairs > 0 {
				all = append(all, p)
			}
		}
	}
	return all
}

// pairs evaluates those of a link during a step.
func (w *Way) pairs(l, step int) Pairs {
	link, p := &w.Links[l], Pairs{Link: l, Step: step, Verdict: proof.Holds}
	demanded := w.demandedOf(link)
	w.each(link, step, func(i, j int, x, y *View) {
		p.Pairs++
		if x.disagrees(y) {
			p.Down++
			return
		}
		d, because := w.refuted(step, x, y, demanded[0], link.Ends[0], link.Ends[1])
		if because == "" {
			d, because = w.refuted(step, y, x, demanded[1], link.Ends[1], link.Ends[0])
		}
		if because != "" {
			p.Verdict = proof.Fails
			p.Fails = append(p.Fails, Failure{A: i, B: j, DSCP: d, Because: because})
		}
	})
	return p
}

// each visits the pairs of states that the ends of a link can be in during a step.
func (w *Way) each(link *Link, step int, visit func(i, j int, x, y *View)) {
	a, b := &w.Chains[link.A[0]], &w.Chains[link.B[0]]
	if link.Cable[step-1] == 0 {
		return
	}
	for _, i := range a.live(step) {
		for _, j := range b.live(step) {
			x, y := w.at(link.A, i), w.at(link.B, j)
			if x != nil && y != nil && !w.excluded(a, &a.States[i]) && !w.excluded(b, &b.States[j]) {
				visit(i, j, x, y)
			}
		}
	}
}

// demandedOf returns the code points that a link has to keep lossless, from A to B, and back.
func (w *Way) demandedOf(l *Link) [2]uint64 {
	return [2]uint64{w.demanded(l.A, l.B), w.demanded(l.B, l.A)}
}

// moving are code points that no order of these steps keeps lossless although both plans have them
// so, or that fill the group of such a one, with two devices between which it is not lossless. For
// code points that are lossless in one plan alone the order matters, except for states at both ends
// that are on the way from one plan to the other: they have what both plans need, as far as that
// can be.
func (w *Way) moving() map[int][2]string {
	found := map[int][2]string{}
	old, now := bitsOf(w.Before), bitsOf(w.After)
	for l := range w.Links {
		link := &w.Links[l]
		demanded := w.demandedOf(link)
		for step := range w.Moments {
			w.each(link, step+1, func(i, j int, x, y *View) {
				if x.disagrees(y) {
					return
				}
				always := old & now
				if w.Chains[link.A[0]].grown(i) && w.Chains[link.B[0]].grown(j) {
					always = old | now
				}
				for way, ends := range [2][2]*View{{x, y}, {y, x}} {
					for _, d := range w.Moments[step].Lossless {
						by, because := 0, ""
						if demanded[way]>>d&1 == 1 {
							by, because = w.broken(step+1, ends[0], ends[1], d)
						}
						if because != "" && always>>d&1 == 1 && (old|now)>>by&1 == 1 && found[by] == [2]string{} {
							found[by] = [2]string{deviceOf(link.Ends[0]), deviceOf(link.Ends[1])}
						}
					}
				}
			})
		}
	}
	return found
}

// deviceOf returns the device of an end of a link.
func deviceOf(end string) string {
	if device, _, _ := strings.Cut(end, " "); device != "nic" {
		return device
	}
	return end
}

// at returns the view of a kind of ports in a state, nil where it is not there.
func (w *Way) at(end [2]int, state int) *View {
	if state < 0 {
		return nil
	}
	v := w.Chains[end[0]].Kinds[end[1]].Views[state]
	if v < 0 {
		return nil
	}
	return &w.Views[v]
}

// disagrees reports whether a link is down because its ends differ.
func (v *View) disagrees(o *View) bool {
	fec := func(s string) bool { return s != "" && s != "auto" }
	return v.Speed > 0 && o.Speed > 0 && v.Speed != o.Speed || fec(v.FEC) && fec(o.FEC) && v.FEC != o.FEC
}

// demanded returns the code points that a direction of a link has to keep lossless: those that both plans keep so
// there; of one that is lossless in one plan alone, those that it keeps. A link that is new or goes keeps all, also
// those of the other plan.
func (w *Way) demanded(from, to [2]int) uint64 {
	if len(w.Moments) == 0 {
		return 0
	}
	fa, la := w.Chains[from[0]].ends()
	fb, lb := w.Chains[to[0]].ends()
	kept := func(i, j, step int) (set uint64, there bool) {
		x, y := w.at(from, i), w.at(to, j)
		if x == nil || y == nil {
			return 0, false
		}
		for d := range 64 {
			if _, because := w.broken(step, x, y, d); because == "" {
				set |= 1 << d
			}
		}
		return set, true
	}
	before, was := kept(fa, fb, 1)
	after, is := kept(la, lb, len(w.Moments))
	if !was {
		before = ^uint64(0)
	}
	if !is {
		after = ^uint64(0)
	}
	old, now := bitsOf(w.Before), bitsOf(w.After)
	return before&after&old&now | before&old&^now | after&now&^old
}

// lossy returns the code points that a link does not keep lossless in one of the plans although both ends have them
// lossless there, by their certificates: from A to B, and back. nil where there are none.
func (w *Way) lossy(l *Link, of map[string]*proof.Certificate) (all [][]int) {
	for _, way := range [][2][2]int{{l.A, l.B}, {l.B, l.A}} {
		all = append(all, listed(w.promised(way[0], way[1], of)&^w.demanded(way[0], way[1])))
	}
	if all[0] == nil && all[1] == nil {
		return nil
	}
	return [][]int{notNil(all[0]), notNil(all[1])}
}

func (w *Way) promised(from, to [2]int, of map[string]*proof.Certificate) (set uint64) {
	var ends [2][2]uint64 // of each end, at the beginning and at the end
	for i, at := range [][2]int{from, to} {
		first, last := w.Chains[at[0]].ends()
		ends[i] = [2]uint64{w.promises(at, first, of), w.promises(at, last, of)}
	}
	return ends[0][0]&ends[1][0]&bitsOf(w.Before) | ends[0][1]&ends[1][1]&bitsOf(w.After)
}

// promises returns the code points that a state has lossless, by its certificate, if ports of the kind have a
// lossless group. NICs promise all.
func (w *Way) promises(at [2]int, state int, of map[string]*proof.Certificate) (set uint64) {
	c := &w.Chains[at[0]]
	if w.at(at, state) == nil {
		return 0
	}
	if c.NIC {
		return ^uint64(0)
	}
	cert := of[c.States[state].Proof]
	if cert == nil {
		return 0
	}
	for i := range cert.Model.Ports {
		lossless := func(g mmu.PG) bool { return g.Lossless }
		if cert.Model.Ports[i].Name == c.Kinds[at[1]].Ports[0] && slices.ContainsFunc(cert.Model.Config.Ports[i].PGs, lossless) {
			return spelledOut(cert.Coverage.LosslessDSCPs)
		}
	}
	return 0
}

// spelledOut reads code points as a certificate has them: "24-26,46".
func spelledOut(text string) (set uint64) {
	for part := range strings.SplitSeq(text, ",") {
		first, last, several := strings.Cut(part, "-")
		from, err := strconv.Atoi(first)
		to := from
		if several && err == nil {
			to, err = strconv.Atoi(last)
		}
		for d := from; err == nil && d <= min(to, 63); d++ {
			set |= 1 << (d & 63)
		}
	}
	return set
}

// refuted returns the first code point that a sender and a receiver do not keep lossless during a step, and why.
func (w *Way) refuted(step int, sender, receiver *View, demanded uint64, from, to string) (d int, because string) {
	m := &w.Moments[step-1]
	for _, d := range m.Lossless {
		if demanded>>d&1 == 0 {
			continue
		}
		if frame := min(sender.Frame, m.Frame); frame > receiver.Frame && receiver.Frame > 0 {
			return d, fmt.Sprintf("%s sends frames of %v, and %s takes %v", from, frame, to, receiver.Frame)
		}
		if other, because := w.broken(step, sender, receiver, d); because != "" {
			return d, fmt.Sprintf("DSCP %d from %s to %s: %s", other, from, to, because)
		}
	}
	return 0, ""
}

// broken says why a code point is not lossless from a sender to a receiver, "" where it is: the code point that cannot be stopped,
// which is another one where that fills the same priority group.
func (w *Way) broken(step int, sender, receiver *View, d int) (by int, because string) {
	if because := stops(sender, receiver, d); because != "" {
		return d, because
	}
	silent := bitsOf(w.Moments[step-1].Silent)
	for other := range 64 {
		if receiver.In[other]&receiver.In[d]&uint16(receiver.Lossless) == 0 || silent>>other&1 == 1 {
			continue
		}
		if because := stops(sender, receiver, other); because != "" {
			return other, because + fmt.Sprintf(", and it fills the group of DSCP %d", d)
		}
	}
	return 0, ""
}

// stops says why a receiver cannot stop a code point, "" where it can.
func stops(sender, receiver *View, d int) string {
	if receiver.In[d] == 0 || receiver.In[d]&^uint16(receiver.Lossless) != 0 {
		return "it enters no lossless priority group"
	}
	if sender.Out[d] == 0 {
		return "its queue is not known"
	}
	for g := range uint8(8) {
		if receiver.In[d]>>g&1 == 0 {
			continue
		}
		left := sender.Out[d]
		for p := range 8 {
			if sender.PFC&receiver.PFC>>p&1 == 1 && receiver.Groups[p] == g && sender.Queues[p] < 16 {
				left &^= 1 << sender.Queues[p]
			}
		}
		if left != 0 {
			return fmt.Sprintf("it leaves by queue %d, which no pause of priority group %d stops", bits.TrailingZeros16(left), g)
		}
	}
	return ""
}

package main

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// states checks that each state in which something is lossless has a certificate, with the ports as their links have them.
func (w *certificate) states() (wrong []string) {
	used := map[string]bool{}
	for i := range w.Chains {
		c := &w.Chains[i]
		for j, s := range c.States {
			used[s.Proof] = true
			promises := s.Proof != ""
			for _, k := range c.Ports {
				promises = promises || k.Views[j] >= 0 && w.Views[k.Views[j]].PFC != 0 && w.Views[k.Views[j]].Lossless != 0
			}
			if promises && !c.NIC && !s.Gone && !w.drained(c, s) && w.of[s.Proof] == nil && !w.lacks[s.Proof] {
				wrong = append(wrong, fmt.Sprintf("state %d of %s has no certificate", j, c.Devices[0]))
			}
		}
	}
	for name := range w.of {
		if !used[name] {
			wrong = append(wrong, fmt.Sprintf("%s is the certificate of no state", name))
		}
	}
	for name := range w.lacks {
		if !used[name] {
			wrong = append(wrong, fmt.Sprintf("%s is no state", name))
		}
	}
	for i, l := range w.Links {
		if !w.lossyAsTold(l) {
			wrong = append(wrong, fmt.Sprintf("link %d: it does not say which code points it does not keep lossless", i))
		}
		for _, at := range [][2][2]int{{l.A, l.B}, {l.B, l.A}} {
			c, demanded := &w.Chains[at[0][0]], w.demanded(at[1], at[0])
			for step, cable := range l.Cable {
				for _, s := range w.during(c, step+1) {
					v := w.view(at[0], s)
					if p := w.of[c.States[s].Proof]; p != nil && v != nil && cable > 0 {
						for _, name := range c.Ports[at[0][1]].Names {
							if !p.has(name, v, cable, w.Moments[step].Lossless, demanded) {
								wrong = append(wrong, fmt.Sprintf("step %d: %s has another port %s", step+1, c.States[s].Proof, name))
							}
						}
					}
				}
			}
		}
	}
	return wrong
}

// lossyAsTold reports whether a link names the code points that it does not keep, although both ends have them lossless in one of the
// plans by their certificates: NICs have all so, and a port of a switch those of the certificate if it has a lossless group.
func (w *certificate) lossyAsTold(l link) bool {
	found, some := [][]int{{}, {}}, false
	for i, at := range [][2][2]int{{l.A, l.B}, {l.B, l.A}} {
		demanded := w.demanded(at[0], at[1])
		for d := range 64 {
			promised := slices.Contains(w.Before, d) && w.promises(at[0], d, false) && w.promises(at[1], d, false) ||
				slices.Contains(w.After, d) && w.promises(at[0], d, true) && w.promises(at[1], d, true)
			if promised && !demanded[d] {
				found[i], some = append(found[i], d), true
			}
		}
	}
	if !some {
		return len(l.Lossy) == 0
	}
	return len(l.Lossy) == 2 && slices.Equal(l.Lossy[0], found[0]) && slices.Equal(l.Lossy[1], found[1])
}

// end returns the first or the last state of a chain in which it is there, -1 if there is none.
func (c *chain) end(last bool) int {
	end := -1
	for i, s := range c.States {
		if !s.Gone && (last || end < 0) {
			end = i
		}
	}
	return end
}

func (w *certificate) promises(at [2]int, d int, last bool) bool {
	c := &w.Chains[at[0]]
	end := c.end(last)
	if end < 0 || w.view(at, end) == nil {
		return false
	}
	p := w.of[c.States[end].Proof]
	if c.NIC || p == nil {
		return c.NIC
	}
	for _, port := range p.Model.Ports {
		if port.Name != c.Ports[at[1]].Names[0] {
			continue
		}
		for _, g := range port.Groups {
			if g.Lossless {
				return among(d, p.Coverage.DSCPs)
			}
		}
	}
	return false
}

// among reports whether a number is in a list such as "24-26,46".
func among(d int, list string) bool {
	for _, part := range strings.Split(list, ",") {
		first, last, several := strings.Cut(part, "-")
		if !several {
			last = first
		}
		from, err := strconv.Atoi(first)
		to, also := strconv.Atoi(last)
		if err == nil && also == nil && from <= d && d <= to {
			return true
		}
	}
	return false
}

// has reports whether a certificate has a port with a cable that is no shorter, a length of 1 mm is an unknown one, of its speed, and with
// the groups of code points lossless and paused.
func (p *proof) has(name string, v *view, cable int64, lossless []int, demanded [64]bool) bool {
	for _, port := range p.Model.Ports {
		if port.Name != name {
			continue
		}
		good := (port.Link.Cable >= cable || cable == 1) && (v.Speed == 0 || port.Link.Rate == v.Speed)
		for _, d := range lossless {
			for g := range 16 {
				if demanded[d] && v.In[d]>>g&1 == 1 {
					good = good && g < 8 && g < len(port.Groups) && port.Groups[g].Lossless && port.Pausable>>g&1 == 1
				}
			}
		}
		return good
	}
	return false
}

func (w *certificate) view(at [2]int, state int) *view {
	if v := w.Chains[at[0]].Ports[at[1]].Views[state]; v >= 0 {
		return &w.Views[v]
	}
	return nil
}

// demanded returns the code points that have to stay lossless in one direction: of those in both plans, the ones that
// both keep so there; of the others, those that their plan keeps. A plan without the link keeps all.
func (w *certificate) demanded(from, to [2]int) (list [64]bool) {
	keeps := func(last bool, d int) bool {
		step, ends := 0, [2]*view{}
		for i, at := range [][2]int{from, to} {
			if end := w.Chains[at[0]].end(last); end >= 0 {
				ends[i] = w.view(at, end)
			}
		}
		if last {
			step = len(w.Moments) - 1
		}
		return ends[0] == nil || ends[1] == nil || kept(ends[0], ends[1], d, w.Moments[step].Silent)
	}
	for d := range list {
		old, now := slices.Contains(w.Before, d), slices.Contains(w.After, d)
		list[d] = len(w.Moments) > 0 && (old || now) && (!old || keeps(false, d)) && (!now || keeps(true, d))
	}
	return list
}

package main

import (
	"fmt"
	"slices"
)

// order checks that states follow one another, and that all numbers are of something.
func (w *certificate) order() (wrong []string) {
	good, steps, names := ascending(w.Before, w.After, w.Stopped), len(w.Moments), map[string]bool{}
	for _, m := range w.Moments {
		good = good && ascending(m.Lossless, m.Silent)
	}
	for _, c := range w.Chains {
		good = good && len(c.Devices) > 0 && len(c.States) > 0
		for _, name := range c.Devices {
			good = good && !names[name]
			names[name] = true
		}
		for i, s := range c.States {
			good = good && s.Step >= 0 && s.Step <= steps && ascending(s.Sends) && (c.NIC && s.Proof == "" || !c.NIC && len(s.Sends) == 0 && s.Frame == 0) && s.Frame >= 0
			if i == 0 {
				good = good && (s.Step > 0 || s.Phase == "")
			} else { // a state after the step ends it
				last := c.States[i-1]
				good = good && s.Step > 0 && (last.Step < s.Step && last.Phase == "" || last.Step == s.Step && last.Phase != "")
			}
		}
		if good {
			good = c.States[len(c.States)-1].Phase == "" && (!c.NIC || len(c.Ports) > 0)
		}
		for _, k := range c.Ports {
			good = good && len(k.Names) > 0 && len(k.Views) == len(c.States)
			for _, v := range k.Views {
				good = good && v >= -1 && v < len(w.Views)
			}
		}
	}
	for _, l := range w.Links {
		good = good && len(l.Cable) == steps && l.Links > 0
		for _, e := range [][2]int{l.A, l.B} {
			good = good && e[0] >= 0 && e[0] < len(w.Chains) && e[1] >= 0 && e[1] < len(w.Chains[e[0]].Ports)
		}
		for _, length := range l.Cable {
			good = good && length >= 0
		}
	}
	for _, d := range w.Drained {
		good = good && d.Step > 0 && d.Step <= steps && d.Because != ""
	}
	if !good {
		wrong = append(wrong, "states, links or code points are out of order or of nothing")
	}
	return wrong
}

// during returns the states that a chain can have in a step: the last one from before it, and all of the step. Those
// within a step for which all of its devices are drained are left out.
func (w *certificate) during(c *chain, step int) (list []int) {
	last := -1
	for i, s := range c.States {
		if s.Step < step {
			last = i
		}
	}
	if last >= 0 {
		list = append(list, last)
	}
	for i := last + 1; i < len(c.States) && c.States[i].Step == step; i++ {
		if !w.drained(c, c.States[i]) {
			list = append(list, i)
		}
	}
	return list
}

func (w *certificate) drained(c *chain, s state) bool {
	for _, d := range w.Drained {
		out := d.Step == s.Step && s.Phase != ""
		for _, name := range c.Devices {
			out = out && slices.Contains(d.Devices, name)
		}
		if out {
			return true
		}
	}
	return false
}

// traffic checks that each step knows the traffic: code points that are lossless in both plans and
// not stopped, those that NICs send, and no frame is larger. A code point that is lossless in one
// of the plans is under way or silent.
func (w *certificate) traffic() (wrong []string) {
	for i, m := range w.Moments {
		good := true
		for d := range 64 {
			old, now, stopped := slices.Contains(w.Before, d), slices.Contains(w.After, d), slices.Contains(w.Stopped, d)
			lossless, silent := slices.Contains(m.Lossless, d), slices.Contains(m.Silent, d)
			good = good && lossless == (!silent && (old || now)) && !(silent && !old && !now) && !(old && now && !stopped && !lossless) && !(lossless && stopped)
		}
		for c := range w.Chains {
			for _, s := range w.during(&w.Chains[c], i+1) {
				if !w.Chains[c].NIC {
					continue
				}
				for _, d := range w.Chains[c].States[s].Sends {
					good = good && (slices.Contains(m.Lossless, d) || slices.Contains(w.Stopped, d))
				}
				good = good && w.Chains[c].States[s].Frame <= m.Frame
			}
		}
		if !good {
			wrong = append(wrong, fmt.Sprintf("step %d: its traffic is not that of the plans and NICs", i+1))
		}
	}
	return wrong
}

package verify

import (
	"maps"
	"slices"
	"strings"

	"github.com/roceplan/roceplan/diag"
	"github.com/roceplan/roceplan/internal/forest"
	"github.com/roceplan/roceplan/internal/natural"
	"github.com/roceplan/roceplan/plan"
	"github.com/roceplan/roceplan/read"
)

// cutOff reports switches that the cabling joins to the others and that the files cut off: all their links, or all
// those of their part of the fabric, carry nothing.
func cutOff(p *plan.Plan, all []*Switch, joined map[string]map[string]bool, speakers []speaker) (found diag.List) {
	down := map[plan.LinkEnd]diag.Range{}
	for _, s := range all {
		leads := s.leads(joined)
		for i := range leads {
			w := &leads[i]
			ports, _ := s.portsOf(w)
			switch {
			case w.Why == read.WayOff && w.Port == "" && s.stops(w):
				ports = s.routed()
			case !slices.Contains([]string{read.WayDown, read.WayDark, read.WayFew, read.WayRejected, read.WayLoose}, w.Why) || w.Port == "":
				continue
			}
			for _, name := range s.Names {
				for _, port := range ports {
					if joined[name][port] {
						down[plan.LinkEnd{Switch: name, Port: port}] = w.At
					}
				}
			}
		}
	}
	silenced(all, speakers, down)
	if len(down) == 0 {
		return nil
	}
	number := map[string]int32{}
	for _, name := range slices.Sorted(maps.Keys(joined)) {
		number[name] = int32(len(number))
	}
	left := forest.New(len(number))
	for _, link := range p.Links {
		_, a := down[link.A]
		_, b := down[link.B]
		if joined[link.A.Switch] != nil && joined[link.B.Switch] != nil && !a && !b {
			left.Join(number[link.A.Switch], number[link.B.Switch])
		}
	}
	return reportCut(p, down, number, left)
}

// stops reports whether a switch forwards no routed packet by a statement: its forwarding is off, or BGP is, and it has
// no other routes.
func (s *Switch) stops(w *read.Way) bool {
	return w.Value == read.Forwarding || w.Value == read.BGP &&
		!anyOf(s.shape.Ledger.Ways, func(w *read.Way) bool { return w.Why == read.WayStatic }) &&
		!slices.ContainsFunc(s.shape.Ledger.Statements, func(st read.Statement) bool {
			return strings.Contains(st.Text, "ospf") || strings.Contains(st.Text, "isis")
		})
}

// routed returns the ports of a switch that do not bridge.
func (s *Switch) routed() (names []string) {
	for i := range s.Plan.Ports {
		name := s.Plan.Ports[i].Name
		if !anyOf(s.shape.Ledger.Ways, func(w *read.Way) bool { return w.Why == read.WayBridged && w.Port == name }) {
			names = append(names, name)
		}
	}
	return names
}

// silenced adds the ends of links all of whose BGP neighbours are shut down, or give or get no routes.
func silenced(all []*Switch, speakers []speaker, down map[plan.LinkEnd]diag.Range) {
	type neighbour struct{ device, key string } // or a group of them
	shut := map[neighbour]*read.Way{}
	for _, s := range all {
		ways := s.shape.Ledger.Ways
		for i := range ways {
			w := &ways[i]
			for _, name := range s.Names {
				if key := (neighbour{name, w.Bundle}); (w.Why == read.WayShut || w.Why == read.WayRejected) && w.Bundle != "" && shut[key] == nil {
					shut[key] = w
				}
			}
		}
	}
	if len(shut) == 0 {
		return
	}
	shutAt := func(s *speaker, key string) *read.Way {
		for key := range s.peers.inherited(key) {
			if by := shut[neighbour{s.Switch, key}]; by != nil {
				return by
			}
		}
		return nil
	}
	for i := range speakers {
		s := &speakers[i]
		var by *read.Way
		for _, key := range s.keys {
			if by = shutAt(s, key); by == nil {
				break
			}
		}
		if by != nil {
			down[s.LinkEnd] = by.At
		}
	}
}

// reportCut names, once for each part of a fabric, a switch that is out of it and the line of one of its links.
func reportCut(p *plan.Plan, down map[plan.LinkEnd]diag.Range, number map[string]int32, left forest.Forest) (found diag.List) {
	size, reported := map[int32]int{}, map[int32]bool{}
	for i := range left {
		size[left.Root(int32(i))]++
	}
	for _, link := range p.Links {
		i, here := number[link.A.Switch]
		k, there := number[link.B.Switch]
		if !here || !there {
			continue
		}
		a, b := left.Root(i), left.Root(k)
		if a == b {
			continue
		}
		out, name := a, link.A.Switch
		if size[b] < size[a] {
			out, name = b, link.B.Switch
		}
		if reported[out] {
			continue
		}
		reported[out] = true
		at, ok := down[link.A]
		if !ok {
			at = down[link.B]
		}
		more := ""
		if n := size[out] - 1; n > 0 {
			more = " with " + natural.Count(n, "other switch", "other switches")
		}
		found.Errorf(PathCut, at, "%s%s is cut off from the rest of the fabric: by the files, no link between them carries packets", name, more).
			Fixf("turn on the links that the fabric declares")
	}
	return found
}

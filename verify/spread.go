package verify

import (
	"maps"
	"net/netip"
	"slices"
	"strconv"

	"github.com/roceplan/roceplan/diag"
	"github.com/roceplan/roceplan/internal/natural"
	"github.com/roceplan/roceplan/plan"
	"github.com/roceplan/roceplan/read"
)

// unspread reports switches that install fewer paths than they have links to one switch, or, if they have hosts and their
// neighbours have none, than they have links to other switches.
func unspread(p *plan.Plan, all []*Switch, says map[plan.LinkEnd]ending, joined map[string]map[string]bool) (found diag.List) {
	links, hosts, silent := map[string]map[string]int{}, map[string]bool{}, map[string]bool{}
	for _, s := range all {
		for _, name := range s.Names {
			silent[name] = s.shape.Format.OnePath && len(says[plan.LinkEnd{Switch: name}][read.MostWays]) == 0
		}
	}
	for _, link := range p.Links {
		for _, ends := range [][2]plan.LinkEnd{{link.A, link.B}, {link.B, link.A}} {
			own, peer := ends[0].Switch, ends[1].Switch
			if joined[own] == nil || joined[peer] == nil || silent[own] && len(speakerAt(ends[0], ends[1], says).keys) == 0 {
				continue // without a word on paths, links count that have a session
			}
			if links[own] == nil {
				links[own] = map[string]int{}
			}
			links[own][peer]++
		}
	}
	for _, sw := range p.Switches {
		for _, name := range sw.Names {
			hosts[name] = slices.ContainsFunc(sw.Ports, func(port plan.Port) bool { return !joined[name][port.Name] })
		}
	}
	for _, s := range all {
		ends := s.shape.Ledger.Ends
		if as := says[plan.LinkEnd{Switch: s.Names[0]}][read.OwnAS]; silent[s.Names[0]] && len(as) > 0 {
			ends = []read.Way{{At: as[0].At, Why: read.MostWays, Value: "1"}}
		}
		for _, w := range ends {
			n, err := strconv.Atoi(w.Value)
			if w.Why != read.MostWays || err != nil || n < 1 {
				continue
			}
			for _, name := range s.Names {
				most, sum, up := 0, 0, hosts[name]
				for peer, count := range links[name] {
					most, sum, up = max(most, count), sum+count, up && !hosts[peer]
				}
				if up {
					most = sum
				}
				if n < most {
					found.Warnf(PathsUnused, w.At, "%s %s %s, and the fabric gives it %d links that are equally near: the other links carry nothing", name, read.MostWays, natural.Count(n, "path", "paths"), most).
						Fixf("allow as many paths as there are links")
					break
				}
			}
		}
	}
	return found
}

// together reports switches with hosts that are in one AS and have a common neighbour in another one. Each drops the routes of
// the other as loops (RFC 4271, 9.1.2), unless it or the neighbour is set to pass them.
func (v *Verifier) together(all []*Switch, says map[plan.LinkEnd]ending, joined map[string]map[string]bool) (found diag.List) {
	passes, hosts := map[string]bool{}, map[string]bool{}
	for _, s := range all {
		pass := slices.ContainsFunc(s.shape.Ledger.Ways, func(w read.Way) bool { return w.Why == read.WayOwnAS || w.Why == read.WayPaired })
		for _, name := range s.Names {
			passes[name] = pass
			hosts[name] = v.planned[name] != nil && slices.ContainsFunc(v.planned[name].Ports, func(p plan.Port) bool { return !joined[name][p.Name] })
		}
	}
	first, reported := map[[2]string]plan.LinkEnd{}, map[string]bool{}
	for _, link := range v.Fabric.Plan.Links {
		for _, ends := range [][2]plan.LinkEnd{{link.A, link.B}, {link.B, link.A}} {
			leaf, via := ends[0].Switch, ends[1].Switch
			own, other := says[plan.LinkEnd{Switch: leaf}][read.OwnAS], says[plan.LinkEnd{Switch: via}][read.OwnAS]
			if !hosts[leaf] || len(own) != 1 || len(other) != 1 || own[0].Value == other[0].Value || passes[leaf] || passes[via] ||
				len(speakerAt(ends[0], ends[1], says).keys) == 0 {
				continue
			}
			twin, ok := first[[2]string{via, own[0].Value}]
			if !ok {
				first[[2]string{via, own[0].Value}] = ends[0]
			} else if twin.Switch != leaf && !reported[own[0].Value] {
				reported[own[0].Value] = true
				found.Errorf(PathCut, own[0].At, "%s and %s are both in AS %s, and their neighbour %s is in AS %s: each drops the routes of the other as loops, so no packets pass between them", leaf, twin.Switch, own[0].Value, via, other[0].Value).
					Fixf("give each an AS of its own, or let them accept routes with their own AS").Notef(says[plan.LinkEnd{Switch: twin.Switch}][read.OwnAS][0].At, "the other one")
			}
		}
	}
	return found
}

// twice reports addresses that two switches have: those of loopbacks, which identify a switch, and of ports of the fabric. Of
// several addresses of a loopback the first is its own; others may be shared.
func (v *Verifier) twice(says map[plan.LinkEnd]ending) (found diag.List) {
	type owner struct {
		plan.LinkEnd
		read.Way
	}
	first, linked := map[netip.Addr]owner{}, map[[2]plan.LinkEnd]bool{}
	for _, link := range v.Fabric.Plan.Links {
		linked[[2]plan.LinkEnd{link.A, link.B}], linked[[2]plan.LinkEnd{link.B, link.A}] = true, true
	}
	reported := map[[2]diag.Range]bool{}
	for _, end := range slices.SortedFunc(maps.Keys(says), func(a, b plan.LinkEnd) int { return natural.Compare(a.Switch+" "+a.Port, b.Switch+" "+b.Port) }) {
		own := says[end][read.Loopback]
		if own = own[:min(1, len(own))]; v.planned[end.Switch] == nil {
			continue
		} else if v.has(end.Switch, end.Port) {
			own = says[end][read.Addressed]
		}
		for _, w := range own {
			p, err := netip.ParsePrefix(addressOf(w))
			if err != nil || p.Addr().IsLinkLocalUnicast() || end.Port != "" && v.has(end.Switch, end.Port) && p.IsSingleIP() {
				continue
			}
			other, ok := first[p.Addr()]
			if !ok {
				first[p.Addr()] = owner{end, w}
			} else if places := [2]diag.Range{w.At, other.At}; other.Switch != end.Switch && !linked[[2]plan.LinkEnd{end, other.LinkEnd}] && !reported[places] {
				reported[places] = true
				found.Errorf(AddressTwice, w.At, "%s has the address %v, and %s has it too: packets for one of them reach the other, or none", end.Switch, p.Addr(), other.Switch).
					Fixf("give each switch an address of its own").Notef(other.At, "the other one")
			}
		}
	}
	return found
}

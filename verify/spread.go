package verify

import (
	"slices"
	"strconv"

	"github.com/roceplan/roceplan/diag"
	"github.com/roceplan/roceplan/internal/natural"
	"github.com/roceplan/roceplan/plan"
	"github.com/roceplan/roceplan/read"
)

// unspread reports switches that install fewer paths than they have links to one switch, or, if they have hosts and their
// neighbours have none, than they have links to other switches.
func unspread(p *plan.Plan, all []*Switch, says map[plan.LinkEnd]*ending, speakers []speaker, joined map[string]map[string]bool) (found diag.List) {
	links, hosts, silent := map[string]map[string]int{}, map[string]bool{}, map[string]bool{}
	for _, s := range all {
		for _, name := range s.Names {
			says := says[plan.LinkEnd{Switch: name}]
			silent[name] = s.shape.Format.OnePath != "" && len(says.of(read.OwnAS)) > 0 && (len(says.of(read.MostWays)) == 0 || s.shape.Format.ByPolicy && !installs(says))
		}
	}
	for i := range speakers {
		own, peer := speakers[i].Switch, speakers[i].peer.Switch
		if joined[own] == nil || joined[peer] == nil || silent[own] && len(speakers[i].keys) == 0 {
			continue // without a word on paths, links count that have a session
		}
		if links[own] == nil {
			links[own] = map[string]int{}
		}
		links[own][peer]++
	}
	upper := map[string][]*speaker{}
	for _, sw := range p.Switches {
		for _, name := range sw.Names {
			hosts[name] = slices.ContainsFunc(sw.Ports, func(port plan.Port) bool { return !joined[name][port.Name] })
		}
	}
	for i := range speakers {
		if own, peer := speakers[i].Switch, speakers[i].peer; hosts[own] && !hosts[peer.Switch] && joined[peer.Switch] != nil {
			upper[own] = append(upper[own], peer)
		}
	}
	for _, s := range all {
		found = append(append(found, portless(s, links)...), oneAS(s, says, upper)...)
		ends := s.shape.Ledger.Ends
		if as := says[plan.LinkEnd{Switch: s.Names[0]}].of(read.OwnAS); silent[s.Names[0]] && len(as) > 0 {
			ends = []read.Way{{At: as[0].At, Why: read.MostWays, Value: "1"}}
		}
		for i := range ends {
			w := &ends[i]
			if w.Why != read.MostWays {
				continue
			}
			n, err := strconv.Atoi(w.Value)
			if err != nil || n < 1 {
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
					fix := "allow as many paths as there are links"
					if by := s.shape.Format.OnePath; by != "" {
						fix += ": " + by
					}
					found.Warnf(PathsUnused, w.At, "%s %s %s, and the fabric gives it %d links that are equally near: the other links carry nothing", name, read.MostWays, natural.Count(n, "path", "paths"), most).
						Fixf("%s", fix)
					break
				}
			}
		}
	}
	return found
}

// installs reports whether a policy that balances load is one of those by which next hops are installed.
func installs(says *ending) bool {
	for _, w := range says.of(read.Installs) {
		for _, policy := range says.of(read.Balances) {
			if policy.Value == w.Value {
				return true
			}
		}
	}
	return false
}

// portless reports a switch that chooses among several links without the UDP source port, which differs between the
// connections of RoCEv2 (InfiniBand Architecture Specification, annex A17: it gives ECMP its entropy).
func portless(s *Switch, links map[string]map[string]int) (found diag.List) {
	var at diag.Range
	if !anyOf(s.shape.Ledger.Ends, func(w *read.Way) bool { at = w.At; return w.Why == read.Portless }) {
		return nil
	}
	for _, name := range s.Names {
		sum := 0
		for _, count := range links[name] {
			sum += count
		}
		if sum > 1 {
			found.Warnf(PathsUnused, at, "%s %s: all RoCE connections of two NICs take one of its %d links", name, read.Portless, sum).
				Fixf("let the hash have the UDP ports")
			return found
		}
	}
	return nil
}

// oneAS reports a switch with hosts whose neighbours without hosts are in several AS, if it uses only equal paths through one
// of them together.
func oneAS(s *Switch, says map[plan.LinkEnd]*ending, upper map[string][]*speaker) (found diag.List) {
	for _, name := range s.Names {
		device := says[plan.LinkEnd{Switch: name}]
		own := slices.Concat(device.of(read.OneAS), device.of(read.OwnAS))
		if len(own) == 0 || len(device.of(read.OneAS)) == 0 && (!s.shape.Format.OneAS || len(device.of(read.ManyAS)) > 0) {
			continue
		}
		for _, peer := range upper[name] {
			as, first := peer.device.of(read.OwnAS), upper[name][0].device.of(read.OwnAS)
			if len(as) == 1 && len(first) == 1 && as[0].Value != first[0].Value {
				found.Warnf(PathsUnused, own[0].At, "%s %s, and its neighbours are in AS %s and %s: the links to those of one of them carry nothing", name, read.OneAS, first[0].Value, as[0].Value).
					Fixf("let the AS of equal paths differ, or give these neighbours one AS")
				return found
			}
		}
	}
	return found
}

package verify

import (
	"fmt"
	"net/netip"
	"slices"
	"strings"

	"github.com/roceplan/roceplan/diag"
	"github.com/roceplan/roceplan/internal/natural"
	"github.com/roceplan/roceplan/internal/stable"
	"github.com/roceplan/roceplan/plan"
	"github.com/roceplan/roceplan/read"
)

// askFiles takes the verdict on deadlocks back for switches whose files may lead packets elsewhere than
// the search lets them go. By passed statements all routes pass, or none comes back.
func (d *Deadlock) askFiles(joined map[string]map[string]bool, all []*Switch, passed map[diag.Range]bool) (found diag.List) {
	known := map[string]bool{} // devices, some of which have several files
	for _, s := range all {
		if !slices.ContainsFunc(s.Names, func(name string) bool { return joined[name] != nil }) {
			continue
		}
		for _, name := range s.Names {
			known[name] = true
		}
		ways := stable.Delete(s.leads(joined), func(w read.Way) bool { return (w.Why == read.WayPolicy || w.Why == read.WayOwnAS) && passed[w.At] })
		alike := map[string]int{}
		for i := range ways {
			alike[ways[i].Why]++
		}
		for i := range ways {
			w := &ways[i]
			n := alike[w.Why]
			if n == 0 {
				continue // the first of a kind counts the others
			}
			alike[w.Why] = 0
			more := ""
			if n > 1 {
				more = fmt.Sprintf(", and %s like it", natural.Count(n-1, "statement", "statements"))
			}
			text := fmt.Sprintf("%s: %q%s: %s", severalSwitches(s.Names), w.Text, more, w.Why)
			d.NotJudged = append(d.NotJudged, Reason{"of " + text, w.At, lineOf(w.At)})
			found.Warnf(DeadlockNotJudged, w.At, "the verdict on deadlocks does not hold for %s", text).
				Fixf("check whether packets can go down and up again, or wait for each other, on these paths")
		}
	}
	if len(d.NotJudged) == 0 {
		d.Routing += fmt.Sprintf("; no statement in the files of %d of %s is known to change their path", len(known), natural.Count(d.Devices, "switch", "switches"))
	} else {
		d.Routing += "; statements in files may change their path"
	}
	return found
}

// joints returns the ports of each switch with a cable to another switch.
func joints(p *plan.Plan) map[string]map[string]bool {
	switches := map[string]bool{}
	for _, sw := range p.Switches {
		for _, name := range sw.Names {
			switches[name] = true
		}
	}
	all := map[string]map[string]bool{}
	for _, link := range p.Links {
		for _, end := range []plan.LinkEnd{link.A, link.B} {
			if !switches[link.A.Switch] || !switches[link.B.Switch] {
				continue
			}
			if all[end.Switch] == nil {
				all[end.Switch] = map[string]bool{}
			}
			all[end.Switch][end.Port] = true
		}
	}
	return all
}

// leads returns the statements of a switch that lead packets between switches elsewhere. A statement
// about bridged packets does not count where no port to another switch bridges, nor does an
// instance that all these ports are in.
func (s *Switch) leads(joined map[string]map[string]bool) (all []read.Way) {
	between := func(w *read.Way) bool {
		ports, members := s.portsOf(w)
		return !enough(w, members) && slices.ContainsFunc(s.Names, func(name string) bool {
			return slices.ContainsFunc(ports, func(port string) bool { return joined[name][port] })
		})
	}
	bridges := anyOf(s.shape.Ledger.Ways, func(w *read.Way) bool { return w.Why == read.WayBridged && between(w) })
	several := slices.ContainsFunc(s.Names, func(name string) bool { return s.instances(joined[name]) > 1 })
	for i := range s.shape.Ledger.Ways {
		w := &s.shape.Ledger.Ways[i]
		behind := w.Why == read.WayNoFamily || w.Why == read.WayRejected && w.Bundle != "" && w.Port == ""
		if !(w.Why == read.WayShut && s.unused(w.Bundle) || behind && !s.nearby(w.Bundle) || w.Port != "" && !between(w) || w.Bridged && !bridges || w.Why == read.WayInstance && !several) {
			all = append(all, *w)
		}
	}
	return all
}

// anyOf reports whether a statement is one of those that are asked for, without a copy of it.
func anyOf(all []read.Way, is func(w *read.Way) bool) bool {
	for i := range all {
		if is(&all[i]) {
			return true
		}
	}
	return false
}

// unused reports whether a group of BGP neighbours has none, in a file that has others.
func (s *Switch) unused(group string) bool {
	if _, err := netip.ParseAddr(group); err == nil || group == "" || slices.ContainsFunc(s.Plan.Ports, func(p plan.Port) bool { return strings.HasPrefix(group, p.Name) }) {
		return false
	}
	others := false
	return !anyOf(s.shape.Ledger.Ends, func(w *read.Way) bool {
		others = others || w.Why == read.PeerIn || w.Why == read.PeerAS && w.Bundle != group
		return w.Why == read.PeerIn && w.Value == group || w.Why == read.Listens && (w.Bundle == group || w.Bundle == "")
	}) && others
}

// nearby reports whether a BGP neighbour, or one in a group, is in the subnet of a port, and not behind other switches.
func (s *Switch) nearby(key string) bool {
	ends := s.shape.Ledger.Ends
	return anyOf(ends, func(w *read.Way) bool {
		a, err := netip.ParseAddr(w.Bundle)
		if err != nil || w.Bundle != key && (w.Why != read.PeerIn || w.Value != key) {
			return false
		}
		return anyOf(ends, func(on *read.Way) bool {
			p, err := netip.ParsePrefix(addressOf(on))
			return on.Why == read.Addressed && err == nil && !p.IsSingleIP() && p.Contains(a)
		})
	})
}

// instances counts the routing instances that ports are in. Ports without a statement are in the
// default one.
func (s *Switch) instances(ports map[string]bool) int {
	in, apart := map[string]string{}, map[string]bool{}
	for i := range s.shape.Ledger.Ways {
		if w := &s.shape.Ledger.Ways[i]; w.Why == read.WayInstance {
			in[w.Port] = w.Value
		}
	}
	for port := range ports {
		apart[in[port]] = true
	}
	return len(apart)
}

func severalSwitches(names []string) string {
	if len(names) <= 2 {
		return strings.Join(names, " and ")
	}
	return fmt.Sprintf("%s and %s", names[0], natural.Count(len(names)-1, "other", "others"))
}

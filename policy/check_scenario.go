package policy

import (
	"strings"

	"github.com/roceplan/roceplan/diag"
)

// stations knows which ports have a host behind them, as the simulator sees it: those
// whose group names a NIC, or, where no group does, lossless ports that no link takes.
type stations struct {
	*wiring
	named bool // some group names a NIC
	total int
}

func newStations(w *wiring) *stations {
	s := &stations{wiring: w}
	for _, t := range w.templates {
		for _, g := range t.groups {
			s.named = s.named || g.peer.Value.block == "nic"
		}
	}
	for dev := range w.devices {
		s.total += len(s.of(int32(dev)))
	}
	return s
}

// of lists the hosts of a device.
func (s *stations) of(dev int32) []LinkEnd {
	var out []LinkEnd
	for port := range s.jacks[s.devices[dev].template] {
		if e := (end{dev, int32(port)}); s.is(e) {
			out = append(out, s.linkEnd(e))
		}
	}
	return out
}

func (s *stations) is(e end) bool {
	g := s.group(e)
	if !g.Lossless.Value {
		return false
	}
	if s.named {
		return g.peer.Value.block == "nic"
	}
	x := s.wireAt(e)
	return x == nil || x.b.device == none
}

// checkScenarios looks up the hosts and links that scenarios name, and whether there are
// as many hosts as they need.
func checkScenarios(d *decoder, f *Fabric, decls []*scenarioDecl, w *wiring) {
	if len(decls) == 0 {
		return
	}
	hosts := newStations(w)
	for _, s := range decls {
		s.resolveHosts(d, hosts)
		for i := range s.Traffic {
			t := &s.Traffic[i]
			var okSrc, okDst bool
			t.Src, okSrc = hosts.find(d, "src", t.src)
			t.Dst, okDst = hosts.find(d, "dst", t.dst)
			if okSrc && okDst && t.Src == t.Dst {
				d.errorf(ScenarioHost, t.dst.Range, "the flow goes from %s to itself", t.dst.Value).Fixf("name two hosts").Notef(t.src.Range, "src is here")
			}
			if t.Kind != "collective" || len(f.Servers) == 0 {
				s.checkEnough(d, t, hosts)
			}
		}
		for i := range s.Events {
			e := &s.Events[i]
			switch e.Kind {
			case "link_failure":
				e.Where, _ = hosts.findLink(d, "link", e.where)
			case "switch_failure":
				if _, ok := hosts.findSwitch(d, "switch", e.where); ok {
					e.Where.Switch = e.where.Value
				}
			default:
				e.Where, _ = hosts.find(d, "host", e.where)
			}
		}
		f.Scenarios = append(f.Scenarios, s.Scenario)
	}
}

// resolveHosts opens what hosts names: switches, for all hosts at them, or single ports.
func (s *scenarioDecl) resolveHosts(d *decoder, all *stations) {
	if !s.hosts.Set {
		s.Hosts.Range = s.hosts.Range
		return
	}
	s.Hosts = Opt[[]LinkEnd]{nil, true, s.hosts.Range}
	seen := map[LinkEnd]bool{}
	for _, name := range s.hosts.Value {
		one := Opt[string]{name, true, s.hosts.Range}
		var more []LinkEnd
		if strings.Contains(name, ":") {
			e, ok := all.find(d, "hosts", one)
			if !ok {
				return // a fault of one is a fault of all
			}
			more = []LinkEnd{e}
		} else if more = all.at(d, "hosts", one); more == nil {
			return
		}
		for _, e := range more {
			if !seen[e] {
				seen[e] = true
				s.Hosts.Value = append(s.Hosts.Value, e)
			}
		}
	}
	if len(s.Hosts.Value) < 2 {
		d.errorf(ScenarioHost, s.hosts.Range, "hosts: %d is not enough to send anything", len(s.Hosts.Value)).Fixf("name two hosts or more")
	}
}

// at lists the hosts of the switch with a name; nil where that is wrong.
func (s *stations) at(d *decoder, attr string, name Opt[string]) []LinkEnd {
	dev, ok := s.findSwitch(d, attr, name)
	if !ok {
		return nil
	}
	hosts := s.of(dev)
	if len(hosts) == 0 {
		d.errorf(ScenarioHost, name.Range, "%s: there is no host at switch %s", attr, name.Value).
			Fixf("hosts are at lossless ports whose group names a NIC as its peer")
	}
	return hosts
}

// findSwitch looks up a switch by its name; false where there is none, or no name.
func (s *stations) findSwitch(d *decoder, attr string, name Opt[string]) (int32, bool) {
	dev, ok := s.byName[name.Value]
	if name.Set && !ok {
		d.errorf(UnknownSwitch, name.Range, "%s: there is no switch %q", attr, clip(name.Value)).
			Repaired(renamed(name.Value, s.someNames(), "declare it; a port is written as SWITCH:PORT"))
	}
	return dev, ok && name.Set
}

// find looks up a host by its port; false where there is none, or no port.
func (s *stations) find(d *decoder, attr string, text Opt[string]) (LinkEnd, bool) {
	if !text.Set {
		return LinkEnd{}, false
	}
	e, ok := s.wiring.find(d, attr, text)
	if !ok {
		return LinkEnd{}, false
	}
	if !s.is(e) {
		d.errorf(ScenarioHost, text.Range, "%s: there is no host at %s", attr, text.Value).
			Repaired(renamed(text.Value, hostNames(s.of(e.device)), "hosts are at lossless ports whose group names a NIC as its peer")).
			Notef(s.group(e).Range, "the port is in this group")
		return LinkEnd{}, false
	}
	return s.linkEnd(e), true
}

// findLink looks up a link by a port at one end.
func (s *stations) findLink(d *decoder, attr string, text Opt[string]) (LinkEnd, bool) {
	if !text.Set {
		return LinkEnd{}, false
	}
	e, ok := s.wiring.find(d, attr, text)
	if !ok {
		return LinkEnd{}, false
	}
	if x := s.wireAt(e); !s.is(e) && (x == nil || x.b.device == none) {
		d.errorf(ScenarioHost, text.Range, "%s: nothing is connected to %s", attr, text.Value).
			Fixf("name a port that a link, a clos or a host is at")
		return LinkEnd{}, false
	}
	return s.linkEnd(e), true
}

func hostNames(ends []LinkEnd) []string {
	var names []string
	for _, e := range ends {
		names = append(names, e.Switch+":"+e.Port)
	}
	return names
}

// checkEnough checks the hosts that a traffic needs against those that there are.
func (s *scenarioDecl) checkEnough(d *decoder, t *Traffic, all *stations) {
	there, where := all.total, "the fabric has"
	if s.Hosts.Set {
		there, where = len(s.Hosts.Value), "the scenario has"
	}
	need, at, what := t.needs()
	if there == 0 || need <= there {
		return
	}
	d.errorf(ScenarioHosts, at, "%s needs %d hosts (%s), and %s %d", t.Kind, need, what, where, there).Fixf("take fewer, or more hosts")
}

// needs returns the least number of hosts of a traffic, its place, and its reason.
func (t *Traffic) needs() (n int, at diag.Range, what string) {
	switch t.Kind {
	case "incast":
		return t.Senders.Value + t.Receivers.Value, t.Senders.Range, "senders and receivers"
	case "shift":
		return max(2, t.By.Value+1), t.By.Range, "one more than by"
	case "collective":
		return max(2, t.Group.Value), t.Group.Range, "GPUs of a group"
	case "storage_write":
		return t.Copies.Value + 1, t.Copies.Range, "copies and one"
	case "ring_all_reduce", "tree_all_reduce":
		return 3, t.Range, "or there is no ring or tree"
	}
	return 2, t.Range, "one that sends and one that receives"
}

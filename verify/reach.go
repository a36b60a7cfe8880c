package verify

import (
	"maps"
	"net/netip"
	"slices"
	"strings"

	"github.com/roceplan/roceplan/diag"
	"github.com/roceplan/roceplan/internal/natural"
	"github.com/roceplan/roceplan/internal/stable"
	"github.com/roceplan/roceplan/plan"
	"github.com/roceplan/roceplan/read"
)

// A reach is what policies of routes do with the subnets of hosts.
type reach struct {
	of       map[string]*Switch
	hosts    map[string][]netip.Prefix // by switch
	order    []string                  // of switches with hosts
	decided  map[askedPolicies]*decided
	alike    map[string]*decided // by what policies say: many switches have equal ones
	left     int                 // decisions that may still be asked for
	passed   map[diag.Range]bool // statements by which routes to all hosts pass, or not
	reported map[diag.Range]bool
	found    diag.List
}

type askedPolicies struct {
	of    *Switch
	names string
	why   string
}

// decided are the first switches to whose hosts routes are rejected, and the first whose result is not known. At most two
// of three are the ends of a link.
type decided struct{ rejected, unsure []string }

// mostDecisions bounds the time for policies that all differ.
const mostDecisions = 1 << 20

// reachHosts reports policies that reject routes to hosts on a link between a switch with hosts and one without, and
// switches that announce no route to theirs. passed are the statements that reject none.
func (v *Verifier) reachHosts(all []*Switch, says map[plan.LinkEnd]*ending, order []plan.LinkEnd, speakers []speaker, joined map[string]map[string]bool) (found diag.List, passed map[diag.Range]bool) {
	r := &reach{of: byDevice(all), hosts: map[string][]netip.Prefix{}, decided: map[askedPolicies]*decided{}, alike: map[string]*decided{}, left: mostDecisions, passed: map[diag.Range]bool{}, reported: map[diag.Range]bool{}}
	instances := instancesOf(all)
	up := map[plan.LinkEnd]bool{} // routing instances of ports to other switches, as ports
	for i := range speakers {
		if in := instances[speakers[i].LinkEnd]; in != "" {
			up[plan.LinkEnd{Switch: speakers[i].Switch, Port: in}] = true
		}
	}
	for _, end := range order {
		if end.Port == "" || joined[end.Switch] == nil || joined[end.Switch][end.Port] || !v.serves(end) {
			continue
		}
		if in := instances[end]; in != "" {
			if own := says[end].of(read.Addressed); len(own) > 0 && v.has(end.Switch, end.Port) && !up[plan.LinkEnd{Switch: end.Switch, Port: in}] && !r.of[end.Switch].tunnels() {
				r.found.Warnf(PathsUnused, own[0].At, "%s of %s is in the routing instance %s, and no port to another switch is: its hosts reach no other switch", end.Port, end.Switch, in).
					Fixf("put it into the instance of the ports to other switches")
			}
			continue
		}
		for _, p := range prefixes(says[end].of(read.Addressed)) {
			if p.Addr().Is4() && !p.IsSingleIP() && (v.has(end.Switch, end.Port) || p.Bits() < 30) { // pairs of switches have smaller ones in VLANs
				r.hosts[end.Switch] = append(r.hosts[end.Switch], p.Masked())
			}
		}
	}
	r.order = stable.Sorted(maps.Keys(r.hosts), natural.Compare)
	r.subnets(joined)
	r.alone(v.Fabric.Plan.Links, says)
	asked := map[string]bool{}
	for i := range speakers {
		leaf, spine := &speakers[i], speakers[i].peer
		if len(r.hosts[leaf.Switch]) == 0 || len(r.hosts[spine.Switch]) > 0 || r.of[leaf.Switch] == nil || r.of[spine.Switch] == nil {
			continue
		}
		for _, key := range leaf.keys {
			if back := spine.keyFor(leaf, key); back != "" {
				if !asked[leaf.Switch] {
					asked[leaf.Switch] = true
					r.announces(leaf)
				}
				r.own(leaf, leaf, key, read.GivesBy, read.Direct)
				r.own(leaf, spine, back, read.TakesBy, read.BGPRoutes)
				r.others(leaf, spine, back, read.GivesBy)
				r.others(spine, leaf, key, read.TakesBy)
			}
		}
	}
	return r.found, r.passed
}

// unspoken reports links without a session between switches that have sessions on other links.
func (v *Verifier) unspoken(speakers []speaker) (found diag.List) {
	speaks := map[string]bool{}
	for i := range speakers {
		if len(speakers[i].keys) > 0 {
			speaks[speakers[i].Switch] = true
		}
	}
	for i := 0; i < len(speakers); i += 2 {
		a, b := &speakers[i], &speakers[i+1]
		if speaks[a.Switch] && speaks[b.Switch] && len(a.keys)+len(b.keys)+len(a.device.of(read.Listens))+len(b.device.of(read.Listens))+len(a.port.of(read.Bundled))+len(b.port.of(read.Bundled)) == 0 {
			found.Warnf(PathsUnused, a.at("", nil), "no neighbour of BGP is behind %v and %v, and other links of both switches have some: the link carries no routes", a, b).
				Fixf("give both ends an address, and each other as neighbours")
		}
	}
	return found
}

// idle reports ports to servers that have no address and do not bridge, on switches most of whose such ports do.
func (v *Verifier) idle(all []*Switch, joined map[string]map[string]bool) (found diag.List) {
	for _, s := range all {
		used := map[string]bool{}
		ways := s.shape.Ledger.Ways
		for i := range ways {
			used[ways[i].Port] = used[ways[i].Port] || ways[i].Why == read.WayBridged || ways[i].Why == read.WayDown
			if w := &ways[i]; w.Why == read.WayLoose && !joined[s.Names[0]][w.Port] && joined[s.Names[0]] != nil && (v.has(s.Names[0], w.Port) || w.Port == "system0") {
				found.Warnf(PathsUnused, w.At, "%s of %s has an address or bridges, and %s", w.Port, severalSwitches(s.Names), w.Why).Fixf("put it into the network instance of the other ports")
			}
		}
		ends := s.shape.Ledger.Ends
		for i := range ends {
			name, _, _ := strings.Cut(ends[i].Port, ".")
			used[name] = used[name] || slices.Contains([]string{read.Addressed, read.Bundled, read.Tagged}, ends[i].Why)
		}
		name := s.Names[0]
		var without []string
		others, at := 0, diag.Range{}
		for i := range s.Plan.Ports {
			switch port := &s.Plan.Ports[i]; {
			case joined[name] == nil || joined[name][port.Name] || !v.has(name, port.Name):
			case used[port.Name]:
				others++
			default:
				without, at = append(without, port.Name), port.Range
			}
		}
		if len(without) > 0 && others > len(without) {
			found.Warnf(PathsUnused, at, "%s of %s has no address and is in no VLAN, and %d other ports to servers have one: it carries nothing", plan.Abbreviate(without), severalSwitches(s.Names), others).
				Fixf("give it an address or a VLAN as theirs")
		}
	}
	return found
}

// serves reports whether hosts may be at a port: one of the fabric, or one of a VLAN.
func (v *Verifier) serves(end plan.LinkEnd) bool {
	name := strings.ToLower(end.Port)
	return v.has(end.Switch, end.Port) || strings.HasPrefix(name, "vlan") || strings.HasPrefix(name, "irb")
}

// announces reports a switch that sends no route to its hosts to any neighbour.
func (r *reach) announces(leaf *speaker) {
	s, says := r.of[leaf.Switch], leaf.device
	own := says.of(read.OwnAS)
	if s.shape.Format.Exports || len(own) == 0 || strings.HasPrefix(own[0].Text, "DEVICE_METADATA") || // SONiC's templates announce all
		slices.ContainsFunc(s.shape.Ledger.Statements, func(s read.Statement) bool { return strings.Contains(s.Text, "evpn") }) {
		return
	}
	for _, p := range r.hosts[leaf.Switch] {
		at, by, sent := own[0].At, "", slices.ContainsFunc(says.of(read.Announced), func(w *read.Way) bool {
			of, err := netip.ParsePrefix(w.Value)
			return err == nil && of.Bits() <= p.Bits() && of.Contains(p.Addr())
		})
		if len(says.of(read.Announces)) > 0 {
			sent = sent || len(says.of(read.AnnouncesBy)) == 0
			for _, w := range says.of(read.AnnouncesBy) {
				result := s.shape.Ledger.Policies.Of(w.Value, p, read.Direct)
				at, by, sent = w.At, w.Value, sent || result == read.Accept || result == read.Unsure
			}
		}
		if !sent {
			if by != "" {
				by = " by the policy " + by
			}
			r.found.Errorf(PathCut, at, "%s announces no route to its hosts in %v%s: packets from other switches do not reach them", leaf.Switch, p, by).
				Fixf("let BGP announce the subnets of hosts")
			return
		}
	}
}

// own judges the policies of a speaker for a neighbour by the hosts of one of both.
func (r *reach) own(leaf, by *speaker, key, why, from string) {
	chain, result := by.chain(key, why), read.Accept
	for _, p := range r.hosts[leaf.Switch] {
		switch got := r.decide(by, chain, why, p, from); {
		case got == read.Reject:
			r.reject(by, chain, key, why, leaf.Switch, p)
			return
		case got == read.Unsure:
			result = got
		}
	}
	r.pass(by, chain, result == read.Accept)
}

// others judges the policies of a speaker for a neighbour by the hosts of all other switches.
func (r *reach) others(peer, by *speaker, key, why string) {
	chain := by.chain(key, why)
	if len(chain) == 0 {
		return
	}
	asked := askedPolicies{of: r.of[by.Switch], why: why}
	for _, w := range chain {
		asked.names += w.Value + "\n"
	}
	d := r.decided[asked]
	if d == nil {
		text := asked.of.Format + why
		for _, w := range chain {
			text += asked.of.shape.Ledger.Policies.Text(w.Value)
		}
		if d = r.alike[text]; d == nil {
			d = r.all(by, chain, why)
			r.alike[text] = d
		}
		r.decided[asked] = d
	}
	ends := func(name string) bool { return name == peer.Switch || name == by.Switch }
	for _, name := range d.rejected {
		if !ends(name) {
			r.reject(by, chain, key, why, name, r.hosts[name][0])
			return
		}
	}
	r.pass(by, chain, !slices.ContainsFunc(d.unsure, func(name string) bool { return !ends(name) }) && len(r.order) > 1)
}

// all asks policies for the hosts of all switches.
func (r *reach) all(by *speaker, chain []*read.Way, why string) *decided {
	d := &decided{}
	for _, name := range r.order {
		for _, p := range r.hosts[name] {
			switch r.decide(by, chain, why, p, read.BGPRoutes) {
			case read.Reject:
				d.rejected = someOf(d.rejected, name)
			case read.Unsure:
				d.unsure = someOf(d.unsure, name)
			}
		}
	}
	return d
}

func someOf(names []string, name string) []string {
	if len(names) < 3 && !slices.Contains(names, name) {
		names = append(names, name)
	}
	return names
}

// decide returns what the policies of a speaker do with a route, one after another.
func (r *reach) decide(by *speaker, chain []*read.Way, why string, p netip.Prefix, from string) read.Decision {
	format := &r.of[by.Switch].shape.Format
	for _, w := range chain {
		if r.left--; r.left < 0 {
			return read.Unsure
		}
		if result := r.of[by.Switch].shape.Ledger.Policies.Of(w.Value, p, from); result != read.Next {
			return result
		}
	}
	switch {
	case why == read.GivesBy && from == read.Direct && format.Exports:
		return read.Reject
	case len(chain) > 0 && !format.ByPolicy: // there the default is not read
		return read.Unsure
	}
	return read.Accept
}

// pass notes whether policies are known to let routes to hosts pass.
func (r *reach) pass(by *speaker, chain []*read.Way, all bool) {
	for _, w := range chain {
		was, known := r.passed[w.At]
		policy := r.of[by.Switch].shape.Ledger.Policies[w.Value]
		r.passed[w.At] = all && (was || !known) && policy != nil && !policy.Sets
	}
}

// reject reports a route to hosts that does not pass a session.
func (r *reach) reject(by *speaker, chain []*read.Way, key, why, owner string, p netip.Prefix) {
	r.pass(by, chain, false)
	at, policy := by.at(key, nil), "without a policy that accepts it"
	if len(chain) > 0 {
		at, policy = chain[0].At, "by the policy "+chain[0].Value
	}
	does := "gives its neighbour"
	if why == read.TakesBy {
		does = "takes from its neighbour"
	}
	if r.reported[at] {
		return
	}
	r.reported[at] = true
	r.found.Errorf(PathCut, at, "%v %s %s no route to the hosts of %s in %v, %s: packets to them take other links, or none", by, does, key, owner, p, policy).
		Fixf("let the policy accept the subnets of hosts")
}

// chain returns the policies of a speaker for a neighbour: those of the neighbour, of its group, or of all.
func (s *speaker) chain(key, why string) (all []*read.Way) {
	for _, p := range s.peers.inherited(key) {
		if all = p.all(why); len(all) > 0 {
			return all
		}
	}
	if i, ok := s.peers.at[""]; ok {
		return s.peers.all[i].all(why)
	}
	return nil
}

// alone passes statements by which a switch takes routes with its own AS, if all its neighbours are in one other AS and drop
// routes with theirs: a route that comes back to it has passed two of them.
func (r *reach) alone(links []plan.Link, says map[plan.LinkEnd]*ending) {
	above := map[string]string{} // the AS of neighbours, "?" if it is not one
	for _, link := range links {
		for _, ends := range [][2]string{{link.A.Switch, link.B.Switch}, {link.B.Switch, link.A.Switch}} {
			peer := r.of[ends[1]]
			if peer == nil || r.of[ends[0]] == nil {
				continue // a host, or a switch without a file
			}
			own, as, is := says[plan.LinkEnd{Switch: ends[0]}].of(read.OwnAS), says[plan.LinkEnd{Switch: ends[1]}].of(read.OwnAS), above[ends[0]]
			above[ends[0]] = "?"
			if len(own) == 1 && len(as) == 1 && as[0].Value != own[0].Value && (is == "" || is == as[0].Value) && !anyOf(peer.shape.Ledger.Ways, ownAS) {
				above[ends[0]] = as[0].Value
			}
		}
	}
	for name, as := range above {
		for i := range r.of[name].shape.Ledger.Ways {
			w := &r.of[name].shape.Ledger.Ways[i]
			was, known := r.passed[w.At]
			if ownAS(w) && !strings.Contains(w.Text, "replace") && !strings.Contains(w.Text, "override") && !strings.Contains(w.Text, "advertise-peer-as") {
				r.passed[w.At] = as != "?" && (was || !known)
			}
		}
	}
}

func ownAS(w *read.Way) bool { return w.Why == read.WayOwnAS }

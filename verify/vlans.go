package verify

import (
	"net/netip"
	"slices"
	"strconv"
	"strings"

	"github.com/roceplan/roceplan/diag"
	"github.com/roceplan/roceplan/plan"
	"github.com/roceplan/roceplan/read"
)

// domains are the VLANs of a switch.
type domains struct {
	ids      map[string]string // numbers by the names of VLANs
	defined  []string
	listed   bool                 // a file that has VLANs of ports defines them: sonic-vlan, VLAN_MEMBER refers to VLAN
	untagged map[string]*read.Way // by port
	trunk    map[string]bool      // ports with tagged packets of any VLAN
	tags     map[string][]string  // VLANs of tagged packets, by port
	first    map[string]*read.Way
	routed   map[string]bool // VLANs with an address
	down     map[string]bool // interfaces that are shut down
	leaves   map[string]bool // VLANs that ports to other switches are in
	anywhere bool            // VLANs may leave by a trunk or a tunnel
}

// vlansOf returns the VLANs of a switch whose ports to other switches are known.
func vlansOf(s *Switch, joined map[string]bool) *domains {
	d := &domains{ids: map[string]string{}, untagged: map[string]*read.Way{}, trunk: map[string]bool{}, tags: map[string][]string{}, first: map[string]*read.Way{}, routed: map[string]bool{}, down: map[string]bool{}, leaves: map[string]bool{}}
	ends, ways := s.shape.Ledger.Ends, s.shape.Ledger.Ways
	if !anyOf(ends, isVLAN) && !anyOf(ways, isVLAN) {
		return d
	}
	d.listed = s.shape.Format.Name == "sonic"
	d.anywhere = s.tunnels()
	for i := range ends {
		if w := &ends[i]; w.Why == read.VLAN && w.Bundle != "" {
			d.ids[w.Bundle] = w.Value
		} else if w.Why == read.Tags && w.Value == "" {
			d.trunk[w.Port] = true
		}
	}
	in := map[string]string{} // routing instances
	for i := range ways {
		w := &ways[i]
		d.anywhere = d.anywhere || w.Why == read.WayPaired
		if w.Why == read.WayBridged {
			d.untagged[w.Port] = &read.Way{At: w.At, Value: "1"} // the default
		} else if w.Why == read.WayDown && w.Port != "" {
			d.down[w.Port] = true
		} else if w.Why == read.WayInstance && !strings.EqualFold(w.Value, "default") {
			in[w.Port] = w.Value
		}
	}
	up := map[string]bool{} // routing instances of ports to other switches
	for port := range joined {
		up[in[port]] = true
	}
	for port, of := range in { // as one that is shut down
		d.down[port] = d.down[port] || !joined[port] && !up[of]
	}
	addressed := map[string]bool{}
	for i := range ends {
		w := &ends[i]
		switch w.Why {
		case read.VLAN:
			d.defined = append(d.defined, d.number(w.Value))
		case read.Tags:
			d.first[w.Port] = w
			d.tags[w.Port] = append(d.tags[w.Port], d.number(w.Value))
		case read.Addressed, read.Shared:
			p, err := netip.ParsePrefix(addressOf(w))
			addressed[w.Port] = addressed[w.Port] || w.Why == read.Shared || err == nil && !p.IsSingleIP() // which has no hosts
		case read.Untagged, read.Native:
			if d.trunk[w.Port] == (w.Why == read.Native) {
				d.untagged[w.Port] = w
			}
		}
	}
	d.gateways(ends, addressed)
	for _, port := range s.bundled(joined) {
		d.anywhere = d.anywhere || d.trunk[port]
		if w := d.untagged[port]; w != nil {
			d.leaves[d.number(w.Value)] = true
		}
		for _, vlan := range d.tags[port] {
			d.leaves[vlan] = true
		}
	}
	return d
}

// tunnels reports whether packets may leave a switch in tunnels.
func (s *Switch) tunnels() bool {
	return slices.ContainsFunc(s.shape.Ledger.Statements, func(st read.Statement) bool {
		text := strings.ToLower(st.Text)
		return strings.Contains(text, "vxlan") || strings.Contains(text, "evpn") || strings.HasPrefix(text, "nve")
	})
}

// isVLAN reports whether a statement says which VLAN packets of a port are in.
func isVLAN(w *read.Way) bool {
	return w.Why == read.Untagged || w.Why == read.Tags || w.Why == read.WayBridged
}

// gateways notes the VLANs that have an address.
func (d *domains) gateways(ends []read.Way, addressed map[string]bool) {
	has := func(port, vlan string) {
		base, _, _ := strings.Cut(port, ".")
		if !d.down[port] && (addressed[port] || addressed[base]) {
			d.routed[vlan] = true
		}
	}
	said := map[string]bool{}
	for i := range ends {
		if w := &ends[i]; w.Why == read.Gateway {
			said[w.Port] = true
			has(w.Port, d.number(w.Value))
		}
	}
	for port := range addressed {
		if said[port] {
			continue
		}
		if name := strings.ToLower(port); strings.HasPrefix(name, "vlan") {
			has(port, strings.TrimPrefix(name, "vlan"))
		}
	}
}

// number returns what a VLAN is known by: its number, if it has one.
func (d *domains) number(vlan string) string {
	if id := d.ids[vlan]; id != "" {
		vlan = id
	}
	if number, ok := strings.CutPrefix(strings.ToLower(vlan), "vlan"); ok {
		return number
	}
	return vlan
}

// has reports whether a VLAN is one of those that a list, such as "1,100-110", or no list at all defines.
func (d *domains) has(vlan string) bool {
	id, err := strconv.Atoi(vlan)
	if err != nil || id == 1 {
		return true
	}
	for _, list := range d.defined {
		for one := range strings.SplitSeq(list, ",") {
			low, high, isRange := strings.Cut(one, "-")
			if !isRange {
				high = low
			}
			first, errA := strconv.Atoi(low)
			last, errB := strconv.Atoi(high)
			if errA != nil || errB != nil || first <= id && id <= last {
				return true
			}
		}
	}
	return len(d.defined) == 0 && !d.listed
}

// bundled returns ports, and the bundles that they are in.
func (s *Switch) bundled(ports map[string]bool) (names []string) {
	for port := range ports {
		names = append(names, port)
	}
	for i := range s.shape.Ledger.Ends {
		if e := &s.shape.Ledger.Ends[i]; e.Why == read.Bundled && ports[e.Port] {
			for _, prefix := range []string{"", "Port-Channel", "port-channel"} {
				names = append(names, prefix+e.Bundle)
			}
		}
	}
	return names
}

// vlans reports ports to servers whose untagged packets come into a VLAN that has no address on their switch and that no
// port to another switch is in, and those that take only tagged packets, among others that do not.
func (v *Verifier) vlans(all []*Switch, joined map[string]map[string]bool) (found diag.List) {
	for _, s := range all {
		name := s.Names[0]
		if joined[name] == nil {
			continue
		}
		d := vlansOf(s, joined[name])
		silent := !anyOf(s.shape.Ledger.Ends, func(w *read.Way) bool { return w.Why == read.Addressed || isVLAN(w) })
		if d.anywhere || len(d.untagged)+len(d.tags) == 0 || silent { // the file may have no part on routing
			continue
		}
		var order []string
		ports, good := map[string][]string{}, 0
		at := map[string]*read.Way{}
		for i := range s.Plan.Ports {
			port := s.Plan.Ports[i].Name
			if joined[name][port] || !v.has(name, port) {
				continue
			}
			w, text := d.fault(s.bundled(map[string]bool{port: true}))
			if text == "" && w != nil {
				good++
			} else if text != "" {
				if at[text] == nil {
					order, at[text] = append(order, text), w
				}
				ports[text] = append(ports[text], port)
			}
		}
		for _, text := range order {
			if text == onlyTagged && good == 0 {
				continue // the servers may tag their packets
			}
			found.Warnf(PathsUnused, at[text].At, "%s of %s %s", plan.Abbreviate(ports[text]), severalSwitches(s.Names), text).
				Fixf("put the ports into the VLAN of their servers' subnet, without a tag")
		}
	}
	return found
}

const onlyTagged = "takes untagged packets in no VLAN that has an address, and other ports to servers do: packets that a NIC does not tag go nowhere"

// fault returns what is wrong with the VLAN of packets that come to a port without a tag, and its line, which is nil if the
// port does not bridge.
func (d *domains) fault(names []string) (at *read.Way, text string) {
	for _, port := range names {
		w, trunk := d.untagged[port], d.trunk[port]
		if w == nil {
			if tags := d.tags[port]; len(tags) > 0 {
				return d.first[port], onlyTagged
			}
			continue
		}
		vlan := d.number(w.Value)
		switch {
		case !d.has(vlan):
			return w, "puts packets without a tag into VLAN " + vlan + ", which the switch does not have"
		case d.routed[vlan] || !trunk && d.leaves[vlan]:
			return w, ""
		case !trunk && len(d.tags[port]) == 0 || w.Value != "none" && w.Value != "1":
			return w, "puts packets without a tag into VLAN " + vlan + ", which has no address on the switch, or one of an interface that is shut down or in another routing instance than the ports to switches, and no port to another switch is in it: the packets of servers go nowhere"
		}
		return w, onlyTagged
	}
	return nil, ""
}

// subnets reports subnets of hosts that two switches have, if they neither bridge them to the other one nor share them.
func (r *reach) subnets(joined map[string]map[string]bool) {
	lengths, owner, reported := [129]bool{}, map[string]string{}, map[string]bool{}
	for _, name := range r.order {
		for _, p := range r.hosts[name] {
			lengths[p.Bits()] = true
			if owner[p.String()] == "" {
				owner[p.String()] = name
			}
		}
	}
	for _, name := range r.order {
		for _, p := range r.hosts[name] {
			for bits := range p.Bits() + 1 {
				if !lengths[bits] {
					continue
				}
				wide := netip.PrefixFrom(p.Addr(), bits).Masked()
				other := owner[wide.String()]
				own, peer := r.of[name], r.of[other]
				if other == "" || other == name || reported[other+" "+name] || !own.apartOf(joined[name]) || !peer.apartOf(joined[other]) {
					continue
				}
				reported[name+" "+other], reported[other+" "+name] = true, true
				r.found.Errorf(AddressTwice, own.lineOf(p), "hosts of %s and of %s are of one subnet, %v, and no VLAN joins them: packets for hosts of one switch reach the other, or none", name, other, wide).
					Fixf("give each switch a subnet of its own").Notef(peer.lineOf(wide), "the other one")
			}
		}
	}
}

// apartOf reports whether no subnet of a switch is that of another one by intent.
func (s *Switch) apartOf(joined map[string]bool) bool {
	if s == nil || anyOf(s.shape.Ledger.Ends, func(w *read.Way) bool { return w.Why == read.Shared }) {
		return false
	}
	d := vlansOf(s, joined)
	return !d.anywhere && len(d.leaves) == 0
}

// lineOf returns the line of an address in a subnet.
func (s *Switch) lineOf(subnet netip.Prefix) (at diag.Range) {
	anyOf(s.shape.Ledger.Ends, func(w *read.Way) bool {
		p, err := netip.ParsePrefix(addressOf(w))
		at = w.At
		return w.Why == read.Addressed && err == nil && p.Masked() == subnet
	})
	return at
}

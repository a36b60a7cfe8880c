package srlinux

import (
	"strings"

	"github.com/roceplan/roceplan/internal/posjson"
	"github.com/roceplan/roceplan/internal/stable"
	"github.com/roceplan/roceplan/read"
)

// domains notes which ports bridge in which instance, which interfaces route for them, and ports that are in no instance, where
// others are in one (Nokia, Network Instances: "interfaces must be associated with a network-instance").
func (r *reader) domains(l *read.Ledger, root, instances *posjson.Node) {
	in, bridged, bridges := map[string]*posjson.Node{}, map[string]*posjson.Node{}, map[string]bool{}
	for i := range instances.Len() {
		inst := &instances.Items[i]
		for k := range inst.Get("interface").Len() {
			name := inst.Get("interface").Items[k].Get("name").Word()
			if strings.HasSuffix(inst.Get("type").Word(), "mac-vrf") {
				bridged[name], bridges[inst.Get("name").Word()] = inst, true
			} else if inst.Get("name").Word() != "mgmt" {
				in[name] = inst
			}
		}
	}
	l.Ways = stable.Delete(l.Ways, func(w read.Way) bool { // a mac-vrf is no instance of routes
		return w.Why == read.WayInstance && strings.HasPrefix(w.Port, "irb") && bridges[w.Value]
	})
	probes := root.Get("bfd", "subinterface")
	for i := range probes.Len() {
		name, _, _ := strings.Cut(probes.Items[i].Get("id").Word(), ".")
		state := probes.Items[i].Get("admin-state").Word() // disable by default: srl_nokia-bfd
		l.Ends = append(l.Ends, read.Way{At: r.At(&probes.Items[i]), Text: "bfd subinterface " + name, Why: read.Probes, Port: name, Value: map[bool]string{true: "enable", false: "disable"}[state == "enable"]})
	}
	ports := root.Get("interface")
	for i := range ports.Len() {
		port := &ports.Items[i]
		name := port.Get("name").Word()
		subs := port.Get("subinterface")
		for k := range subs.Len() {
			sub := &subs.Items[k]
			full := name + "." + sub.Get("index").Word()
			way := read.Way{At: r.At(sub), Text: "interface " + name + " subinterface " + sub.Get("index").Word(), Port: name}
			inst := bridged[full]
			if inst != nil {
				way.Value = inst.Get("name").Word()
			}
			switch vlan := sub.Get("vlan", "encap"); {
			case strings.HasPrefix(name, "irb"):
				if inst != nil && in[full] != nil && sub.Get("admin-state").Word() != "disable" && sub.Get("ipv4", "address").Len()+sub.Get("ipv6", "address").Len() > 0 {
					way.Why = read.Gateway
					l.Ends = append(l.Ends, way)
				}
			case inst != nil && (vlan.Get("single-tagged") != nil || vlan.Get("single-tagged-range") != nil):
				way.Why = read.Tags
				l.Ends = append(l.Ends, way)
			case inst != nil:
				way.Why = read.Untagged
				l.Ends = append(l.Ends, way)
			case len(in) > 0 && in[full] == nil && (strings.HasPrefix(name, "ethernet") || name == "system0") && (sub.Get("ipv4", "address") != nil || sub.Get("ipv6", "address") != nil || strings.HasSuffix(sub.Get("type").Word(), "bridged")):
				way.Why = read.WayLoose
				l.Ways = append(l.Ways, way)
			}
		}
	}
}

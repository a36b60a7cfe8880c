package eos

import (
	"fmt"
	"strings"

	"go.yaml.in/yaml/v4"

	"github.com/roceplan/roceplan/diag"
	"github.com/roceplan/roceplan/emit"
	"github.com/roceplan/roceplan/plan"
)

// AVDFile is the path of the input for Arista AVD below the device's folder.
const AVDFile = "avd.yml"

const avdHeader = `# Input of AVD's eos_cli_config_gen for this device: its part of QoS and buffers.
# Merge it into the structured configuration of the device.
`

// minimumAVD says the first release of AVD that knows the newest keys of the document; empty
// where it has none of them. The pull requests of aristanetworks/avd that brought these were
// merged between the opening of 5.5.0 (5364, 2 May 2025) and its release (5587, 4 July 2025),
// that of clusters between then and 5.6.0 (5783, 29 August 2025).
func (v *view) minimumAVD() string {
	var by []string
	if v.MMU != nil {
		by = append(by, "ingress profiles of platform.trident.mmu: pull request 5479")
	}
	if v.HeadroomPool > 0 {
		by = append(by, "platform.trident.mmu.headroom_pool: 5459")
	}
	if v.Dynamic {
		by = append(by, "ip_hardware.fib.load_balance_distribution: 5450")
	}
	if v.Cluster != nil {
		by = append(by, "load_balance.cluster: 5648")
	}
	if by == nil {
		return ""
	}
	release := "5.5.0"
	if v.Cluster != nil {
		release = "5.6.0"
	}
	return "# It needs AVD " + release + " or later (" + strings.Join(by, "; ") + ").\n"
}

// EmitAVD prints what [Emit] says as structured configuration for Arista AVD's role
// eos_cli_config_gen, which renders it to a configuration. The names of queues and traffic classes
// and the guaranteed bandwidth of queues that also have a share have no keys there, so they are
// lines under eos_cli. The name of the device is AVD's.
//
// Source of the keys: aristanetworks/avd, python-avd/pyavd/_eos_cli_config_gen, schema
// fragments qos @0b0b09a1, qos_profiles @095c8687, priority_flow_control @32666f05,
// platform @032c0c2c, class_maps @3445b3c7, policy_maps @487d643d, ip_access_lists
// @10f7d8b7, ipv6_access_lists @0a29e185, ip_hardware @0a29e185, eos_cli @63a9f53c.
func EmitAVD(s *plan.Switch) ([]emit.File, diag.List) {
	return emit.Print(s, AVDFile, compose, func(v *view) []byte {
		text, err := yaml.Dump(v.avd(), yaml.WithIndent(2), yaml.WithLineWidth(-1))
		if err != nil {
			panic("avd: " + err.Error())
		}
		return append([]byte(avdHeader+v.minimumAVD()), text...)
	})
}

// avd returns the document, with the keys in the order in which AVD renders them.
func (v *view) avd() *yaml.Node {
	out := &yaml.Node{}
	v.avdMMU(out)
	v.avdCluster(out)
	put(out, "queue_monitor_length.enabled", some(v.QueueMonitor))
	for _, p := range v.Profiles {
		v.avdProfile(entry(out, "qos_profiles"), p)
	}
	for _, p := range v.Ports {
		v.avdPort(entry(out, "ethernet_interfaces"), p)
	}
	v.avdLists(out)
	put(out, "ip_hardware.fib.load_balance_distribution.dynamic.enabled", some(v.Dynamic),
		"ip_hardware.fib.load_balance_distribution.dynamic.flow_set_size", some(v.FlowSetSize))
	var points, queues []string
	for _, d := range v.DSCPs {
		points = append(points, fmt.Sprintf("%s to traffic-class %d", strings.Trim(fmt.Sprint(d.DSCPs), "[]"), d.TC))
	}
	for _, q := range v.Queues {
		queues = append(queues, fmt.Sprintf("%d to tx-queue %d", q.TC, q.Queue))
	}
	if points != nil {
		put(out, "qos.map.dscp", points)
	}
	for _, w := range v.Rewrites {
		queues = append(queues, fmt.Sprintf("%d to dscp %d", w.TC, w.DSCP))
	}
	put(out, "qos.map.traffic_class", queues)
	if len(v.Rewrites) > 0 {
		put(out, "qos.rewrite_dscp", true)
	}
	if w := v.Watchdog; w != nil {
		put(at(out, "priority_flow_control.watchdog"), "action", some(w.Action), "timeout", some(w.Timeout), "polling_interval", some(w.Polling), "recovery_time", some(w.Recovery))
	}
	if v.Marking {
		v.avdPolicy(out)
	}
	put(out, "eos_cli", some(v.avdLines()))
	return out
}

// avdLines returns the lines for which AVD has no keys.
func (v *view) avdLines() string {
	var out strings.Builder
	for _, q := range v.QueueNames {
		fmt.Fprintf(&out, "qos %s %d name %s\n", v.Queue, q.ID, q.Name)
	}
	for _, c := range v.ClassNames {
		fmt.Fprintf(&out, "qos traffic-class %d name %s\n", c.ID, c.Name)
	}
	for _, p := range v.Profiles {
		opened := false
		for _, q := range p.Queues {
			if !q.Guaranteed || q.Percent == 0 {
				continue
			}
			if !opened {
				opened = true
				fmt.Fprintf(&out, "!\nqos profile %s\n", p.Name)
			}
			fmt.Fprintf(&out, "   %s %d\n      bandwidth guaranteed percent 1\n", v.Queue, q.ID)
		}
	}
	return out.String()
}

func (v *view) avdMMU(out *yaml.Node) {
	const mmu = "platform.trident.mmu."
	if v.MMU != nil {
		put(out, mmu+"active_profile", v.MMU.Name)
	}
	put(out, mmu+"headroom_pool.limit", some(v.HeadroomPool))
	if v.MMU == nil {
		return
	}
	p := entry(out, mmu+"queue_profiles")
	put(p, "name", v.MMU.Name)
	if v.MMU.Lossless {
		put(p, "ingress.headroom.memory", v.MMU.Headroom, "ingress.resume", v.MMU.Resume)
	}
	for _, g := range v.MMU.PGs {
		put(entry(p, "ingress.priority_groups"), "id", g.ID, "threshold", some(g.Alpha), "reserved.memory", g.Reserved)
	}
	for _, q := range v.MMU.Queues {
		put(entry(p, "unicast_queues"), "id", q.ID, "reserved", q.Reserved, "threshold", some(q.Alpha))
	}
}

// avdCluster prints load-balance cluster.
func (v *view) avdCluster(out *yaml.Node) {
	if v.Cluster == nil {
		return
	}
	c := at(out, "load_balance.cluster")
	grouping, length, counted := strings.Cut(v.Cluster.Grouping, " length ")
	if counted {
		grouping += " length"
	}
	put(c, "forwarding_type", v.Cluster.Forwarding, "destination_grouping", grouping, "prefix_length", some(length),
		"load_balance_method_flow_round_robin", true, "flow.source_learning_aging_timeout", some(v.Cluster.Aging))
	at(c, "port_groups").Kind = yaml.SequenceNode // though it may stay empty
	for _, name := range v.Cluster.Ports {
		put(entry(c, "port_groups"), "group", name, "interface", name, "flow.limit", some(v.Cluster.FlowLimit))
	}
}

// avdProfile gives the watchdog's timers to each profile as well: AVD's template of a
// profile prints its last command a second time where there are none
// (j2templates/eos/qos-profiles.j2 @0a29e185).
func (v *view) avdProfile(out *yaml.Node, p *profileView) {
	put(out, "name", p.Name, "trust", map[bool]string{true: "dscp", false: "disabled"}[p.Trust])
	if p.Marking {
		put(out, "service_policy.type.qos_input", edgePolicy)
	}
	for _, q := range p.Queues {
		avdQueue(entry(out, v.avdQueues()), q)
	}
	put(out, "priority_flow_control.enabled", some(p.PFC != nil))
	for _, priority := range p.PFC {
		put(entry(out, "priority_flow_control.priorities"), "priority", priority, "no_drop", true)
	}
	if w := v.Watchdog; p.Watchdog && w != nil {
		put(at(out, "priority_flow_control.watchdog"), "enabled", true, "timer.timeout", some(w.Timeout), "timer.polling_interval", some(w.Polling), "timer.recovery_time", some(w.Recovery))
	}
}

// avdQueues returns the key of unicast queues: "tx_queues" or "uc_tx_queues".
func (v *view) avdQueues() string { return strings.ReplaceAll(v.Queue, "-", "_") + "s" }

func avdQueue(out *yaml.Node, q queueView) {
	put(out, "id", q.ID, "priority", map[bool]string{true: "priority strict", false: "no priority"}[q.Strict], "bandwidth_percent", some(q.Percent))
	if q.Guaranteed && q.Percent == 0 {
		put(out, "bandwidth_guaranteed_percent", 1)
	}
	if q.Kbps > 0 {
		put(out, "shape.rate", fmt.Sprintf("%d kbps", q.Kbps))
	}
	if e := q.ECN; e != nil {
		put(at(out, "random_detect.ecn.threshold"), "units", "bytes", "min", e.Min, "max", e.Max, "max_probability", e.Percent, "weight", 0)
	}
}

// avdPort says of switched ports nothing, as pyavd does: switchport.enabled is of routed ones.
func (v *view) avdPort(out *yaml.Node, p portView) {
	put(out, "name", p.Name, "mtu", some(p.MTU))
	if p.Routed {
		put(out, "switchport.enabled", false)
	}
	put(out, "service_profile", p.Profile)
	for _, id := range p.Counted {
		put(entry(out, v.avdQueues()), "id", id, "random_detect.ecn.count", true)
	}
	if p.DCBX {
		put(out, "eos_cli", "dcbx mode ieee\n")
	}
}

// markNames returns the access lists of a rule, which its class-maps are called after.
func markNames(m markView) (v4, v6 string) {
	return fmt.Sprintf("roceplan-mark-%d-v4", m.Number), fmt.Sprintf("roceplan-mark-%d-v6", m.Number)
}

// avdLists prints the access lists of the edge.
func (v *view) avdLists(out *yaml.Node) {
	for _, m := range v.Marks {
		_, name := markNames(m)
		action := fmt.Sprintf("permit ipv6 any any dscp %d", m.DSCP)
		if m.Port != 0 {
			action = fmt.Sprintf("permit udp any any eq %d dscp %d", m.Port, m.DSCP)
		}
		acl := entry(out, "ipv6_access_lists")
		put(acl, "name", name)
		put(entry(acl, "sequence_numbers"), "sequence", 10, "action", action)
	}
	for _, m := range v.Marks {
		name, _ := markNames(m)
		acl := entry(out, "ip_access_lists")
		put(acl, "name", name)
		e := entry(acl, "entries")
		protocol := "ip"
		if m.Port != 0 {
			protocol = "udp"
		}
		put(e, "sequence", 10, "action", "permit", "protocol", protocol, "source", "any", "destination", "any")
		if m.Port != 0 {
			put(e, "destination_ports", []string{fmt.Sprint(m.Port)})
		}
		put(e, "dscp", fmt.Sprint(m.DSCP))
	}
}

// avdPolicy prints the policy of the edge and its classes.
func (v *view) avdPolicy(out *yaml.Node) {
	for _, m := range v.Marks {
		v4, v6 := markNames(m)
		put(entry(out, "class_maps.qos"), "name", v4, "ip.access_group", v4)
		put(entry(out, "class_maps.qos"), "name", v6, "ipv6.access_group", v6)
	}
	policy := entry(out, "policy_maps.qos")
	put(policy, "name", edgePolicy)
	for _, m := range v.Marks {
		v4, v6 := markNames(m)
		put(entry(policy, "classes"), "name", v4, "set.traffic_class", m.TC)
		put(entry(policy, "classes"), "name", v6, "set.traffic_class", m.TC)
	}
	put(entry(policy, "classes"), "name", "class-default", "set.dscp", fmt.Sprint(v.DefaultDSCP), "set.traffic_class", v.DefaultTC)
}

// edgePolicy is the policy-map of ports that do not trust the sender.
const edgePolicy = "roceplan-edge"

// at returns what is at a path of keys with dots between, and makes what is missing.
func at(n *yaml.Node, path string) *yaml.Node {
	for key := range strings.SplitSeq(path, ".") {
		n.Kind = yaml.MappingNode
		i := 0
		for i < len(n.Content) && n.Content[i].Value != key {
			i += 2
		}
		if i == len(n.Content) {
			n.Content = append(n.Content, &yaml.Node{Kind: yaml.ScalarNode, Value: key}, &yaml.Node{})
		}
		n = n.Content[i+1]
	}
	return n
}

// put writes values, each behind its path. It leaves out those that are nil.
func put(n *yaml.Node, pathsAndValues ...any) {
	for i := 0; i < len(pathsAndValues); i += 2 {
		if value := pathsAndValues[i+1]; value != nil {
			if err := at(n, pathsAndValues[i].(string)).Dump(value); err != nil {
				panic("avd: " + err.Error())
			}
		}
	}
}

// some returns a value, and nil for 0, "" and false.
func some[T comparable](value T) any {
	var none T
	if value == none {
		return nil
	}
	return value
}

// entry adds an entry to the list at a path.
func entry(n *yaml.Node, path string) *yaml.Node {
	list, added := at(n, path), &yaml.Node{Kind: yaml.MappingNode}
	list.Kind, list.Content = yaml.SequenceNode, append(list.Content, added)
	return added
}

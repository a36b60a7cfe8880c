package eos

import (
	"fmt"
	"strings"
)

// An avdNode is a value of AVD's structured configuration, as templates see it: what is
// not there is absent at every depth.
type avdNode struct{ v any }

func (n avdNode) at(path ...string) avdNode {
	for _, key := range path {
		m, _ := n.v.(map[string]any)
		n = avdNode{m[key]}
	}
	return n
}

func (n avdNode) list() (out []avdNode) {
	items, _ := n.v.([]any)
	for _, item := range items {
		out = append(out, avdNode{item})
	}
	return out
}

func (n avdNode) String() string { return fmt.Sprint(n.v) }

// An avdPrinter collects lines.
type avdPrinter struct{ strings.Builder }

// line prints a command whose last words are values, unless one of them is absent.
func (p *avdPrinter) line(indent int, format string, values ...avdNode) {
	args := make([]any, len(values))
	for i, v := range values {
		if v.v == nil {
			return
		}
		args[i] = v
	}
	fmt.Fprintf(p, "%s"+format+"\n", append([]any{strings.Repeat(" ", indent)}, args...)...)
}

// avdTemplates renders a document as AVD's role eos_cli_config_gen does: the commands of
// j2templates/eos/*.j2 for the keys that roceplan prints (platform-trident @1855719a,
// qos-profiles @0a29e185, ethernet-interface-uc-tx-queues @2ad49e84, ip-access-lists
// @095c8687, ipv6-access-lists @0dc169fd, ip-hardware @8f0a38d7, qos @032c0c2c,
// priority-flow-control @0e61f7a1, class-maps @0dc169fd, policy-maps-qos @28c3292d,
// platform-apply, platform-headroom-pool, eos-cli @be153c48).
func avdTemplates(doc map[string]any) string {
	root, p := avdNode{doc}, &avdPrinter{}
	mmu := root.at("platform", "trident", "mmu")
	for _, profile := range mmu.at("queue_profiles").list() {
		p.mmu(profile)
	}
	p.cluster(root.at("load_balance", "cluster"))
	if root.at("queue_monitor_length", "enabled").v == true {
		p.line(0, "queue-monitor length")
	}
	for _, profile := range root.at("qos_profiles").list() {
		p.profile(profile)
	}
	for _, port := range root.at("ethernet_interfaces").list() {
		p.line(0, "interface %s", port.at("name"))
		p.line(3, "mtu %s", port.at("mtu"))
		if cli := port.at("eos_cli"); cli.v != nil {
			p.line(3, "%s", avdNode{strings.TrimSpace(cli.String())})
		}
		if port.at("switchport", "enabled").v == false {
			p.line(3, "no switchport")
		}
		p.line(3, "service-profile %s", port.at("service_profile"))
		for _, key := range []string{"tx_queues", "uc_tx_queues"} {
			for _, q := range port.at(key).list() {
				p.line(3, strings.TrimSuffix(strings.ReplaceAll(key, "_", "-"), "s")+" %s", q.at("id"))
				if q.at("random_detect", "ecn", "count").v == true {
					p.line(6, "random-detect ecn count")
				}
			}
		}
	}
	p.lists(root)
	if root.at("ip_hardware", "fib", "load_balance_distribution", "dynamic", "enabled").v == true {
		p.line(0, "ip hardware fib load-balance distribution dynamic")
		p.line(0, "ip hardware fib load-balance distribution dynamic flow-set-size %s", root.at("ip_hardware", "fib", "load_balance_distribution", "dynamic", "flow_set_size"))
	}
	for _, m := range root.at("qos", "map", "dscp").list() {
		p.line(0, "qos map dscp %s", m)
	}
	for _, m := range root.at("qos", "map", "traffic_class").list() {
		p.line(0, "qos map traffic-class %s", m)
	}
	w := root.at("priority_flow_control", "watchdog")
	p.line(0, "priority-flow-control pause watchdog default timeout %s", w.at("timeout"))
	p.line(0, "priority-flow-control pause watchdog default recovery-time %s", w.at("recovery_time"))
	p.line(0, "priority-flow-control pause watchdog default polling-interval %s", w.at("polling_interval"))
	p.line(0, "priority-flow-control pause watchdog action %s", w.at("action"))
	p.classification(root)
	p.line(0, "platform trident mmu queue profile %s apply", mmu.at("active_profile"))
	p.line(0, "platform trident mmu headroom-pool limit %s", mmu.at("headroom_pool", "limit"))
	p.line(0, "%s", root.at("eos_cli"))
	return p.String()
}

// cluster is j2templates/eos/load-balance.j2 @205cbdb9.
func (p *avdPrinter) cluster(c avdNode) {
	if c.v == nil {
		return
	}
	p.line(0, "load-balance cluster")
	p.line(3, "forwarding type %s", c.at("forwarding_type"))
	if grouping := c.at("destination_grouping"); grouping.v != "prefix length" {
		p.line(3, "destination grouping %s", grouping)
	} else {
		p.line(3, "destination grouping %s %s", grouping, c.at("prefix_length"))
	}
	if c.at("load_balance_method_flow_round_robin").v == true {
		p.line(3, "load-balance method flow round-robin")
	}
	if aging := c.at("flow", "source_learning_aging_timeout"); aging.v != nil {
		p.line(3, "flow source learning")
		p.line(6, "aging timeout %s seconds", aging)
	}
	for _, g := range c.at("port_groups").list() {
		p.line(3, "port group host %s", g.at("group"))
		p.line(6, "interface %s", g.at("interface"))
		p.line(6, "flow limit %s", g.at("flow", "limit"))
	}
}

func (p *avdPrinter) mmu(profile avdNode) {
	p.line(0, "platform trident mmu queue profile %s", profile.at("name"))
	p.line(4, "ingress headroom %s", profile.at("ingress", "headroom", "memory"))
	p.line(4, "ingress resume %s", profile.at("ingress", "resume"))
	for _, g := range profile.at("ingress", "priority_groups").list() {
		p.line(4, "ingress priority-group %s reserved %s", g.at("id"), g.at("reserved", "memory"))
		p.line(4, "ingress priority-group %s threshold %s", g.at("id"), g.at("threshold"))
	}
	for _, q := range profile.at("unicast_queues").list() {
		p.line(4, "egress unicast queue %s reserved %s", q.at("id"), q.at("reserved"))
		p.line(4, "egress unicast queue %s threshold %s", q.at("id"), q.at("threshold"))
	}
}

func (p *avdPrinter) profile(profile avdNode) {
	p.line(0, "qos profile %s", profile.at("name"))
	if trust := profile.at("trust"); trust.v == "disabled" {
		p.line(3, "no qos trust")
	} else {
		p.line(3, "qos trust %s", trust)
	}
	p.line(3, "service-policy type qos input %s", profile.at("service_policy", "type", "qos_input"))
	for _, key := range []string{"tx_queues", "uc_tx_queues"} {
		for _, q := range profile.at(key).list() {
			p.line(3, strings.TrimSuffix(strings.ReplaceAll(key, "_", "-"), "s")+" %s", q.at("id"))
			p.queue(q)
		}
	}
	pfc := profile.at("priority_flow_control")
	if pfc.at("enabled").v == true {
		p.line(3, "priority-flow-control on")
	}
	for _, priority := range pfc.at("priorities").list() {
		if priority.at("no_drop").v == true {
			p.line(3, "priority-flow-control priority %s no-drop", priority.at("priority"))
		}
	}
	if w := pfc.at("watchdog"); w.at("enabled").v == true {
		p.line(3, "priority-flow-control pause watchdog")
		t := w.at("timer")
		p.line(3, "priority-flow-control pause watchdog port timer timeout %s polling-interval %s recovery-time %s", t.at("timeout"), t.at("polling_interval"), t.at("recovery_time"))
	}
}

func (p *avdPrinter) queue(q avdNode) {
	p.line(6, "%s", q.at("priority"))
	if percent := q.at("bandwidth_percent"); percent.v != nil {
		p.line(6, "bandwidth percent %s", percent)
	} else {
		p.line(6, "bandwidth guaranteed percent %s", q.at("bandwidth_guaranteed_percent"))
	}
	p.line(6, "shape rate %s", q.at("shape", "rate"))
	e := q.at("random_detect", "ecn", "threshold")
	p.line(6, "random-detect ecn minimum-threshold %s %s maximum-threshold %s %s max-mark-probability %s weight %s",
		e.at("min"), e.at("units"), e.at("max"), e.at("units"), e.at("max_probability"), e.at("weight"))
}

func (p *avdPrinter) lists(root avdNode) {
	for _, l := range root.at("ipv6_access_lists").list() {
		p.line(0, "ipv6 access-list %s", l.at("name"))
		for _, s := range l.at("sequence_numbers").list() {
			p.line(3, "%s %s", s.at("sequence"), s.at("action"))
		}
	}
	for _, l := range root.at("ip_access_lists").list() {
		p.line(0, "ip access-list %s", l.at("name"))
		for _, e := range l.at("entries").list() {
			ports := ""
			for _, port := range e.at("destination_ports").list() {
				ports += " " + port.String()
			}
			if ports != "" {
				ports = " eq" + ports
			}
			p.line(3, "%s %s %s %s %s%s dscp %s", e.at("sequence"), e.at("action"), e.at("protocol"), e.at("source"), e.at("destination"), avdNode{ports}, e.at("dscp"))
		}
	}
}

func (p *avdPrinter) classification(root avdNode) {
	for _, c := range root.at("class_maps", "qos").list() {
		p.line(0, "class-map type qos match-any %s", c.at("name"))
		p.line(3, "match ip access-group %s", c.at("ip", "access_group"))
		p.line(3, "match ipv6 access-group %s", c.at("ipv6", "access_group"))
	}
	for _, m := range root.at("policy_maps", "qos").list() {
		p.line(0, "policy-map type quality-of-service %s", m.at("name"))
		for _, c := range m.at("classes").list() {
			p.line(3, "class %s", c.at("name"))
			p.line(6, "set dscp %s", c.at("set", "dscp"))
			p.line(6, "set traffic-class %s", c.at("set", "traffic_class"))
		}
	}
}

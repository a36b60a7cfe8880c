package nvue

import (
	"slices"

	"github.com/roceplan/roceplan/read"
)

// IDs of the neutral rules that depend on more than the place of a leaf: reading itself finds
// whether they hold.
const (
	ruleDefault      = "default"
	ruleOverridden   = "overridden"
	ruleUnset        = "unset-later"
	ruleUnsetNothing = "unset-nothing"
	ruleUnused       = "unused-profile"
	ruleNotTrusted   = "not-trusted"
	ruleNotIP        = "not-ip"
	ruleNoRewrite    = "no-rewrite"
	ruleSameClass    = "same-class"
	ruleStrictWeight = "strict-weight"
	ruleMinRate      = "min-rate"
	ruleNoCurve      = "no-curve"
	ruleOtherMode    = "other-mode"
	ruleTuned        = "tuned"
	ruleNoPFC        = "no-pfc"
	ruleLossyRoCE    = "roce-off"
	ruleBreakout     = "breakout"
	ruleSameDSCP     = "vxlan-dscp"
	ruleScript       = "script"
	ruleNotAPort     = "not-a-port"
	ruleUnattached   = "acl-unattached"
	rulePasses       = "acl-passes"
	ruleEmpty        = "empty"
)

// Public sources of what touches no buffer.
const (
	guide     = "Cumulus Linux 5.14 user guide, "
	qosGuide  = guide + "Quality of Service"
	reference = "NVUE command reference (Cumulus Linux 5.14), "
)

// found are the rules that reading finds to hold.
var found = []read.NeutralRule{
	{ID: ruleDefault, Pattern: "(any leaf)", Reason: "it sets the default", Evidence: qosGuide + ", the default of each setting and Default Configuration Files"},
	{ID: ruleOverridden, Pattern: "(any leaf)", Reason: "a later operation of the file sets the same leaf again", Evidence: guide + "NVIDIA User Experience, NVUE: a configuration is a tree, in which a path has one value"},
	{ID: ruleUnset, Pattern: "(any leaf)", Reason: "a later operation of the file removes it", Evidence: reference + "introduction: nv unset removes what nv set set"},
	{ID: ruleUnsetNothing, Pattern: "unset …", Reason: "nothing before it in the file sets it, so it removes nothing", Evidence: reference + "introduction: nv unset removes what nv set set"},
	{ID: ruleUnused, Pattern: "qos FEATURE PROFILE …", Reason: "no port has the profile", Evidence: qosGuide + ", Port Groups: ports that are in no profile have the global settings"},
	{ID: ruleNotTrusted, Pattern: "qos mapping PROFILE dscp|pcp …", Reason: "ports that do not trust the field do not look at its map", Evidence: qosGuide + ", Classification, its table"},
	{ID: ruleNotIP, Pattern: "qos mapping PROFILE pcp …", Reason: "where DSCP is trusted, IP packets have its priority with a tag too, and RoCEv2 is IP", Evidence: qosGuide + ", Classification, its table"},
	{ID: ruleNoRewrite, Pattern: "qos remark PROFILE switch-priority …", Reason: "no port where packets arrive enables rewriting, so none is rewritten", Evidence: qosGuide + ", Port Groups, Remarking"},
	{ID: ruleSameClass, Pattern: "qos remark PROFILE switch-priority N dscp D", Reason: "the code point leads to the same switch priority on the next switch with this map", Evidence: qosGuide + ", Port Groups, Remarking"},
	{ID: ruleStrictWeight, Pattern: "qos egress-scheduler PROFILE traffic-class N bw-percent", Reason: "a strict queue has no weight", Evidence: qosGuide + ", Egress Scheduler: bw-percent is of the mode dwrr"},
	{ID: ruleMinRate, Pattern: "qos egress-shaper PROFILE traffic-class N min-rate", Reason: "it gives a queue a part of the port; losslessness is judged with a port that sends nothing at all", Evidence: qosGuide + ", Shaping"},
	{ID: ruleNoCurve, Pattern: "qos congestion-control PROFILE traffic-class N …", Reason: "ECN is off there, so no threshold marks", Evidence: qosGuide + ", Congestion Control: ecn disable"},
	{ID: ruleOtherMode, Pattern: "qos advance-buffer-config … shared-alpha|shared-bytes", Reason: "the mode of the pool uses the other one", Evidence: qosGuide + ", Advanced Buffer Tuning, Buffer Regions"},
	{ID: ruleTuned, Pattern: "qos traffic-pool …", Reason: "advance-buffer-config sets the same for this pool, and overrides it", Evidence: qosGuide + ", Advanced Buffer Tuning"},
	{ID: ruleNoPFC, Pattern: "qos advance-buffer-config default-global ingress-lossless-buffer …", Reason: "no priority of any port pauses", Evidence: qosGuide + ", Traffic Pools: of lossless traffic when flow control is on"},
	{ID: rulePasses, Pattern: "acl NAME …, interface P acl NAME …", Reason: "all rules of the list permit packets, and those that no rule takes pass", Evidence: guide + "Access Control List Configuration"},
	{ID: ruleLossyRoCE, Pattern: "qos roce mode|cable-length", Reason: "RoCE mode is off, or lossy, which has no PFC", Evidence: guide + "RDMA over Converged Ethernet"},
	{ID: ruleBreakout, Pattern: "interface PORT link breakout", Reason: "the parts of the port are ports of the file, with speeds of their own", Evidence: guide + "Switch Port Attributes, Breakout Ports"},
	{ID: ruleSameDSCP, Pattern: "nve vxlan …", Reason: "packets get the DSCP of the inner packet, and keep it when they leave the tunnel: they have one class inside and outside", Evidence: reference + "nv set nve vxlan encapsulation dscp action copy, decapsulation dscp action preserve"},
	{ID: ruleScript, Pattern: "nv config …, nv show …, set -e", Reason: "it applies or prints staged settings, and sets nothing itself", Evidence: reference + "nv config"},
	{ID: ruleNotAPort, Pattern: "interface eth0|lo|vlan10|… …", Reason: "management ports, loopbacks and interfaces without a cable have no buffer in the chip", Evidence: guide + "Switch Port Attributes: which interfaces are switch ports"},
	{ID: ruleUnattached, Pattern: "acl …", Reason: "no interface has the list", Evidence: guide + "Access Control List Configuration: a list acts only on interfaces that have it"},
	{ID: ruleEmpty, Pattern: "qos {}, interface PORT link {}, …", Reason: "an empty container sets nothing", Evidence: guide + "NVIDIA User Experience, NVUE: leaves have the values"},
}

// paths are the rules by which a leaf is neutral at its place. A pattern covers all paths that
// begin so; * is one word.
var paths = []struct {
	read.NeutralRule
	covers []string
}{
	{read.NeutralRule{ID: "header", Pattern: "header …", Reason: "names the software and the model for which the file was written", Evidence: reference + "nv config show"},
		[]string{"header"}},
	{read.NeutralRule{ID: "routing", Pattern: "router …, vrf …, evpn …", Reason: "decides the path of packets; buffers are judged for all paths at once", Evidence: reference + "Routing, BGP, OSPF, VRF, EVPN"},
		[]string{"router bgp", "router ospf", "router policy", "router nexthop", "router static", "router vrr", "router vrrp", "router pim", "router igmp", "router bfd", "router ptm", "router password-obfuscation", "router adaptive-routing", "vrf", "interface * vrf", "evpn", "mlag", "interface * router bgp", "interface * router ospf", "interface * router pim", "interface * router adaptive-routing", "interface * evpn"}},
	{read.NeutralRule{ID: "switching", Pattern: "bridge …, interface PORT bridge …", Reason: "decides the path of frames; a DSCP counts with a tag and without one, and trust in the tag alone is not modelled", Evidence: qosGuide + ", Classification, its table; reference, Bridge"},
		[]string{"bridge", "interface * bridge"}},
	{read.NeutralRule{ID: "addresses", Pattern: "interface PORT ip …", Reason: "gives a port its addresses", Evidence: reference + "IP Addresses"},
		[]string{"interface * ip", "interface * ipv4", "interface * ipv6"}},
	{read.NeutralRule{ID: "label", Pattern: "interface PORT description, type", Reason: "describes the port, or repeats its kind", Evidence: reference + "Interfaces: description, type"},
		[]string{"interface * description", "interface * type"}},
	{read.NeutralRule{ID: "link-up", Pattern: "interface PORT link state, auto-negotiate, …", Reason: "decides whether and how the link comes up, at a speed that is set elsewhere; a port that is down sends and receives nothing", Evidence: guide + "Switch Port Attributes: auto-negotiation, link speed"},
		[]string{"interface * link state", "interface * link auto-negotiate", "interface * link fast-linkup", "interface * link flap-protection", "interface * link mac-address", "interface * link stats"}},
	{read.NeutralRule{ID: "storm-control", Pattern: "interface PORT storm-control broadcast, multicast", Reason: "limits broadcast and multicast; RoCEv2 is unicast", Evidence: guide + "Storm Control, which has unknown unicast too: that is not neutral"},
		[]string{"interface * storm-control broadcast", "interface * storm-control multicast"}},
	{read.NeutralRule{ID: "neighbours", Pattern: "interface PORT lldp|ptp|telemetry …, system lldp …", Reason: "reports the state of the port, or the time; it does not change the port", Evidence: guide + "Link Layer Discovery Protocol; Telemetry; Precision Time Protocol"},
		[]string{"interface * lldp", "interface * ptp", "interface * telemetry", "system lldp", "service lldp", "service ptp"}},
	{read.NeutralRule{ID: "bond", Pattern: "interface BOND bond …", Reason: "decides over which member a flow goes; each member is judged for all flows at once", Evidence: guide + "Bonding - Link Aggregation"},
		[]string{"interface * bond"}},
	{read.NeutralRule{ID: "hash", Pattern: "system forwarding ecmp-hash|lag-hash", Reason: "which fields choose among equal paths", Evidence: reference + "System Forwarding"},
		[]string{"system forwarding ecmp-hash", "system forwarding lag-hash"}},
	{read.NeutralRule{ID: "management", Pattern: "system aaa|api|ssh-server|…, service …, platform …", Reason: "access to the switch, its clock, its reports and its software; packets of the processor have buffers of their own", Evidence: reference + "System, Services; " + qosGuide + ", Ingress and Egress Management Buffers"},
		[]string{"system aaa", "system api", "system banner", "system cli", "system config auto-save", "system config apply overwrite", "system config snippet frr.conf", "system config snippet daemons", "system config snippet sshd_config", "system control-plane", "system counter", "system date-time", "system dns", "system docker", "system documentation", "system event", "system factory-default", "system forwarding host-route-preference", "system forwarding programming", "system global", "system image", "system link flap-protection", "system log", "system message", "system ntp", "system packages", "system ptp", "system reboot", "system security", "system sflow", "system snmp-server", "system ssh-server", "system ssl", "system syslog", "system telemetry", "system time", "system timezone", "system wjh", "system ztp", "service", "platform", "maintenance"}},
}

// containers are paths at which an empty mapping says nothing.
var containers = []string{
	"qos", "qos mapping", "qos remark", "qos pfc", "qos congestion-control", "qos egress-scheduler", "qos egress-shaper", "qos egress-queue-mapping", "qos traffic-pool", "qos advance-buffer-config", "qos link-pause",
	"qos mapping *", "qos remark *", "qos congestion-control *", "qos egress-scheduler *", "qos egress-shaper *", "qos egress-queue-mapping *", "qos advance-buffer-config *", "qos advance-buffer-config * *",
	"qos mapping * dscp", "qos mapping * dscp *", "qos mapping * pcp", "qos mapping * pcp *", "qos egress-queue-mapping * switch-priority", "qos egress-queue-mapping * switch-priority *",
	"qos pfc * switch-priority", "qos congestion-control * traffic-class", "qos egress-scheduler * traffic-class", "qos egress-shaper * traffic-class", "qos egress-shaper * traffic-class *", "qos remark * switch-priority", "qos remark * switch-priority *",
	"qos pfc-watchdog", "interface", "interface * link", "interface * qos", "interface * qos *", "system", "router",
}

// neutralRules are all rules, for people.
func neutralRules() []read.NeutralRule {
	rules := slices.Clone(found)
	for _, p := range paths {
		rules = append(rules, p.NeutralRule)
	}
	return rules
}

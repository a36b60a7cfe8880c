package sonic

import (
	"strings"

	schema "github.com/roceplan/roceplan/format/sonic"
	"github.com/roceplan/roceplan/read"
)

// Rules that the reader applies itself.
const (
	ruleUnreferenced  = "unreferenced"
	ruleUnwatched     = "watchdog-unbound"
	ruleHighTC        = "traffic-class-unused"
	ruleGlobalMap     = "global-map"
	ruleTraditional   = "calculator-off"
	ruleNoPause       = "threshold-without-pause"
	rulePermit        = "acl-permit"
	ruleOtherProtocol = "acl-other-protocol"
	ruleOneColour     = "one-colour"
	ruleRemote        = "remote-voq"
	ruleNoLag         = "lag-empty"
	ruleGuarantee     = "guarantee"
	ruleCurveOff      = "curve-off"
	ruleNothingCut    = "nothing-trimmed"
	ruleTrimmedTC     = "trimmed-by-dscp"
	rulePair          = "pair"
)

// referenced are the tables whose rows do nothing until another row refers to them.
var referenced = map[string]bool{
	schema.TableBufferProfile: true, schema.TableScheduler: true, schema.TableWREDProfile: true,
	schema.TableDSCPToTC: true, schema.TableTCToQueue: true, schema.TableTCToPG: true,
	schema.TablePFCToQueue: true, schema.TablePFCToPG: true, schema.TableTCToDSCP: true,
}

// alive are tables that devices obey and that no plan holds.
var alive = map[string]string{
	"ACL_RULE":              "an ACL rule drops, redirects or copies packets",
	"DSCP_TO_FC_MAP":        "forwarding classes choose paths, and the map is bound by PORT_QOS_MAP",
	"EVPN_ETHERNET_SEGMENT": "packets of an Ethernet segment are encapsulated",
	"FABRIC_PORT":           "a chassis: packets cross a fabric of cells between line cards",
	"FLEX_COUNTER_TABLE":    "the PFC watchdog polls by these counters, and without them it watches nothing",
	"MIRROR_SESSION":        read.Mirrored,
	"MUX_CABLE":             "a dual-ToR switch sends packets back through a tunnel, under another DSCP",
	"NVGRE_TUNNEL":          "packets are encapsulated: frames grow, and the outer DSCP decides",
	"PBH_RULE":              "a rule that matches packets may set their class",
	"PEER_SWITCH":           "a dual-ToR switch sends packets through a tunnel to its peer, under another DSCP",
	"PORT_STORM_CONTROL":    "a policer drops unicast packets whose address is not learned yet",
	"SRV6_MY_SIDS":          "packets are encapsulated: the outer DSCP decides",
	"SUBNET_DECAP":          "packets are taken out of a tunnel: another DSCP decides",
	"SWITCH":                "settings of the whole chip, such as Enterprise SONiC's lossless buffer mode",
	"SYSTEM_PORT":           "a chassis: queues of other line cards' ports are on this one",
	"TUNNEL":                "packets change their DSCP and class in a tunnel",
	"TUNNEL_DECAP_TABLE":    "packets change their DSCP and class in a tunnel",
	"VNET":                  "packets are encapsulated: frames grow, and the outer DSCP decides",
	"VOQ_INBAND_INTERFACE":  "a chassis: packets to other line cards leave by a port of their own",
	"VXLAN_TUNNEL":          "packets are encapsulated: frames grow, and the outer DSCP decides",
	"SYSTEM_DEFAULTS":       "a default such as tunnel_qos_remap changes classes of packets",
}

// A ruleBook finds the rule for a value.
type ruleBook struct {
	tables map[string]string // by table, of rules for all of it
	of     map[string][]pattern
}

// A pattern is one of a rule for a part of a table. "*" matches any row or field.
type pattern struct {
	row, field, value string
	hasValue          bool
	rule              string
}

func newRuleBook() *ruleBook {
	b := &ruleBook{tables: make(map[string]string), of: make(map[string][]pattern)}
	for _, rule := range patternRules() {
		for _, text := range strings.Split(rule.Pattern, ", ") {
			parts := strings.Split(text, "|")
			if len(parts) == 1 {
				b.tables[text] = rule.ID
				continue
			}
			p := pattern{row: parts[1], field: "*", rule: rule.ID}
			if len(parts) > 2 {
				p.field, p.value, p.hasValue = strings.Cut(parts[2], "=")
			}
			b.of[parts[0]] = append(b.of[parts[0]], p)
		}
	}
	return b
}

// table returns the rule for all of a table, empty where there is none.
func (b *ruleBook) table(name string) string { return b.tables[name] }

func (b *ruleBook) find(table, row, field, value string) string {
	for _, p := range b.of[table] {
		if (p.row == "*" || p.row == row) && (p.field == "*" || p.field == field) && (!p.hasValue || p.value == value) {
			return p.rule
		}
	}
	return ""
}

// bound are the rules that the reader applies itself: whether they hold depends on other
// values.
func boundRules() []read.NeutralRule {
	return []read.NeutralRule{
		{ID: ruleUnreferenced, Pattern: "a row of a profile or map that no other row names", Reason: "orchagent creates the object, and no port, queue or group has it", Evidence: "sonic-swss orchagent/qosorch.cpp, bufferorch.cpp: objects are bound by PORT_QOS_MAP, QUEUE, BUFFER_PG and BUFFER_QUEUE alone"},
		{ID: ruleUnwatched, Pattern: "pfcwd_sw_enable of a port without a row of PFC_WD", Reason: "it selects priorities for a watchdog, but the port has no watchdog", Evidence: "sonic-swss orchagent/pfcwdorch.cpp, registerInWdDb: the mask is read where PFC_WD starts the watchdog"},
		{ID: ruleHighTC, Pattern: "an entry of a map for traffic classes 8 to 15", Reason: "a packet has such a class only if a DSCP maps to it, and that entry is not modelled", Evidence: "facts of dual-ToR templates: sonic-buildimage files/build_templates/qos_config.j2 maps TC 8 of AZURE_TUNNEL"},
		{ID: rulePair, Pattern: "PEER_SWITCH, MUX_CABLE, DEVICE_METADATA subtype DualToR, SYSTEM_DEFAULTS tunnel_qos_remap enabled, and addresses, ECN and TTL of a TUNNEL that has all four maps in pipe mode", Reason: "the switch of a server decides whether a packet takes the tunnel; the maps of the tunnel, which are modelled, decide its class; CE reaches the receiver in both ECN modes", Evidence: "SONiC doc/qos/tunnel_dscp_remapping.md rev 0.2; RFC 6040; sonic-swss orchagent/muxorch.cpp"},
		{ID: ruleGlobalMap, Pattern: "dscp_to_tc_map of PORT_QOS_MAP|global where every port has the same map", Reason: "both say the same", Evidence: "sonic-swss orchagent/qosorch.cpp, handleGlobalQosMap"},
		{ID: ruleTraditional, Pattern: "DEFAULT_LOSSLESS_BUFFER_PARAMETER and LOSSLESS_TRAFFIC_PATTERN in the traditional buffer model", Reason: "the traditional manager does not read them", Evidence: "sonic-swss cfgmgr/buffermgr.cpp reads neither; cfgmgr/buffermgrdyn.cpp does"},
		{ID: ruleNoPause, Pattern: "xon and xon_offset of a profile without pauses", Reason: "a profile without xoff sends no pause that could end, and a queue's profile none at all", Evidence: "SAI saibuffer.h: the thresholds are those of ingress priority groups"},
		{ID: rulePermit, Pattern: "an ACL rule that forwards", Reason: "it does not change the path of matching packets", Evidence: "sonic-swss orchagent/aclorch.cpp: FORWARD maps to SAI_PACKET_ACTION_FORWARD"},
		{ID: ruleOtherProtocol, Pattern: "an ACL rule for a type of frame, or a protocol, that RoCEv2 is not", Reason: "RoCEv2 is UDP in IPv4 or IPv6; a rule with ETHER_TYPE, IP_PROTOCOL, NEXT_HEADER, TCP_FLAGS or an ICMP type of others matches none of it", Evidence: "InfiniBand Architecture Specification, Annex A17; sonic-swss orchagent/aclorch.cpp: all matches of a rule must hold"},
		{ID: ruleOneColour, Pattern: "yellow and red curves of WRED_PROFILE", Reason: "packets are green unless a policer colours them, and the binding of a policer is not modelled", Evidence: "RFC 2698; SAI saipolicer.h: colours come from policers"},
		{ID: ruleGuarantee, Pattern: "cir of a strict scheduler, and one of at most 1 B/s", Reason: "a strict queue is served first in any case, and a byte per second is nothing", Evidence: "sonic-swss orchagent/qosorch.cpp: SAI_SCHEDULER_ATTR_MIN_BANDWIDTH_RATE"},
		{ID: ruleCurveOff, Pattern: "green curve of WRED_PROFILE with wred_green_enable false and without ECN", Reason: "it neither drops nor marks", Evidence: "sonic-swss orchagent/qosorch.cpp, WredMapHandler: SAI_WRED_ATTR_GREEN_ENABLE"},
		{ID: ruleNothingCut, Pattern: "SWITCH_TRIMMING where no queue's profile has packet_discard_action trim", Reason: "no queue cuts packets", Evidence: "SONiC doc/packet_trimming/packet-trimming-design.md: eligible are queues with the action trim"},
		{ID: ruleTrimmedTC, Pattern: "tc_value of SWITCH_TRIMMING with a code point", Reason: "the class counts only if the code point is from-tc", Evidence: "sonic-swss orchagent/switchorch.cpp, setSwitchTrimming: skipped for symmetric DSCP"},
		{ID: ruleRemote, Pattern: "rows of BUFFER_QUEUE and QUEUE for ports of other line cards", Reason: "the chassis is not modelled as a whole, which its switch_type says", Evidence: "sonic-swss orchagent/qosorch.cpp: keys of four tokens"},
		{ID: ruleNoLag, Pattern: "mtu of a PORTCHANNEL that its members have too", Reason: "teammgrd sets the members' value again", Evidence: "sonic-swss cfgmgr/teammgr.cpp, addLagMember"},
	}
}

package nvue

import (
	"strconv"
	"strings"

	row "github.com/roceplan/roceplan/format/nvue"
	"github.com/roceplan/roceplan/plan"
	"github.com/roceplan/roceplan/read"
)

// maps reads the classification of ports that have no mapping of their own.
func (r *reader) maps() {
	m, places := &r.sw.Maps, &r.sw.Places
	for tc := range m.TCToQueue {
		m.TCToQueue[tc] = uint8(tc)
		if r.roce.on && tc != 3 && tc != 6 {
			m.TCToQueue[tc] = 0
		}
	}
	global := r.qos.get("mapping", "default-global")
	m.DSCPToTC = r.dscps(global, r.untold())
	r.trust = global.get("trust").word(r.trusts()...)
	for d := range places.DSCPToTC {
		places.DSCPToTC[d] = global.get("dscp", strconv.Itoa(d), "switch-priority").at()
		if r.trust == "port" || r.trust == "l2" {
			places.DSCPToTC[d] = global.get("trust").at()
		}
	}
	if r.trust == "l2" && global.get("trust").text() == "l2" {
		r.list.Warnf(NotModelled, global.get("trust").at(), "ports trust only 802.1p; the plan has the classes of untagged packets")
		global.get("trust").leaf().doubtf(read.Scope{}, trusting8021p)
	}
	r.qos.get("egress-queue-mapping", "default-global", "switch-priority").instances(7, func(tc int, kid *node) {
		to := kid.get("traffic-class")
		m.TCToQueue[tc], places.TCToQueue[tc] = uint8(to.number(0, 7, int64(m.TCToQueue[tc]))), to.at()
	})
	for tc := range m.TCToPG {
		m.TCToPG[tc] = r.bulk
	}
	r.buffers().get("ingress-lossy-buffer", "priority-group").each(func(group string, kid *node) {
		id, ok := r.groupID(group)
		if !ok {
			r.list.Errorf(Word, kid.named(), "%q is not a priority group", clip(group)).Fixf("write a priority group of NVUE, such as roce-lossless")
			return
		}
		kid.get("switch-priority").instances(7, func(tc int, at *node) {
			m.TCToPG[tc], places.TCToPG[tc] = id, at.at()
			at.took(id == r.bulk)
		})
	})
	for p := range m.PFCToQueue {
		m.PFCToQueue[p] = m.TCToQueue[p]
	}
}

const trusting8021p = "packets with a VLAN tag have the priority of the tag, whatever their DSCP"

// trusts returns the words of trust, the default first: 802.1p, and with RoCE both (Cumulus
// Linux 5.14, Default Configuration Files; RDMA over Converged Ethernet).
func (r *reader) trusts() []string {
	if r.roce.on {
		return []string{"both", "l3", "l2", "port"}
	}
	return []string{"l2", "l3", "both", "port"}
}

// untold returns the table of code points before any statement.
func (r *reader) untold() (tcs [64]uint8) {
	for d := range tcs {
		tcs[d] = uint8(d / 8)
	}
	return tcs
}

// dscps returns the switch priority of each code point by a mapping: of IP packets without a
// tag where 802.1p alone is trusted.
func (r *reader) dscps(mapping *node, tcs [64]uint8) [64]uint8 {
	port := mapping.get("port-default-sp")
	switch mapping.get("trust").word(r.trusts()...) {
	case "l3", "both":
		mapping.get("dscp").instances(63, func(d int, kid *node) {
			tcs[d] = uint8(kid.get("switch-priority").number(0, 7, int64(tcs[d])))
		})
		// Packets other than IP have it, or the priority of their tag: they may share a lossless class.
		if p := port.number(0, 7, 0); p != 0 {
			port.leaf().doubtf(read.Scope{TCs: 1 << p}, "packets that are not IP have this switch priority, and their rate is not known")
		}
		mapping.get("pcp").passAll(ruleNotIP)
	default:
		p := uint8(port.number(0, 7, 0))
		for d := range tcs {
			tcs[d] = p
		}
		mapping.get("dscp").passAll(ruleNotTrusted)
		if mapping.get("trust").text() == "port" {
			mapping.get("pcp").passAll(ruleNotTrusted)
		}
	}
	return tcs
}

// classify reads the mapping of a port. A port whose mapping differs from that of all ports trusts
// no marking: its packets cannot count for the classes that most ports map code points to.
func (r *reader) classify(q *plan.PortQoS, mapping, remark *node) {
	if !mapping.there() || mapping == r.qos.get("mapping", "default-global") {
		return
	}
	if mapping.get("trust").word(r.trusts()...) == "l2" {
		mapping.doubtAll(read.Scope{Ports: r.users["mapping "+mapping.name]}, trusting8021p)
	}
	tcs := r.dscps(mapping, r.untold())
	if tcs == r.sw.Maps.DSCPToTC && !rewrites(remark) {
		return // it says what holds for all ports
	}
	q.Trust = plan.TrustNone
	m := r.marking(mapping, tcs)
	if r.edge != nil && r.edge != mapping {
		r.list.Warnf(NotModelled, mapping.at(), "a plan has one marking of untrusted packets, but %q is a second one; its ports are read as those of %q", clip(mapping.name), clip(r.edge.name))
		mapping.doubtAll(read.Scope{Ports: r.users["mapping "+mapping.name]}, "a second classification of ports, after that of "+r.edge.name)
		return
	}
	r.edge = mapping
	if !rewrites(remark) {
		r.list.Warnf(NotModelled, mapping.at(), "packets keep the DSCP that these ports do not trust: the next switch sees the sender's DSCP").
			Fixf("give the ports a remark profile with rewrite: l3, and the ports that packets leave by the code points")
	} else {
		m.Default = uint8(remark.get("switch-priority", strconv.Itoa(int(m.DefaultTC))).row(row.RemarkDSCP).of(row.RemarkDSCP))
	}
	r.sw.Marking = m
}

func (r *reader) marking(mapping *node, tcs [64]uint8) *plan.Marking {
	m := &plan.Marking{Range: mapping.at()}
	var count [8]int
	for _, tc := range tcs {
		count[tc]++
	}
	for tc := range count {
		if count[tc] > count[m.DefaultTC] {
			m.DefaultTC = uint8(tc)
		}
	}
	for d, tc := range tcs {
		if tc != m.DefaultTC {
			m.Rules = append(m.Rules, plan.MarkRule{DSCP: uint8(d), TC: tc})
		}
	}
	return m
}

// rewrites reports whether packets that come in by a profile may leave with another DSCP.
func rewrites(remark *node) bool {
	rewrite := remark.get("rewrite").word("", "l2", "l3", "both")
	return rewrite == "l3" || rewrite == "both"
}

func (r *reader) buffers() *node { return r.qos.get("advance-buffer-config", "default-global") }

// bulkID returns the number by which the plan has the group bulk: 0, or where priority 0 pauses, whose group has it, the least that
// no other group has.
func (r *reader) bulkID() uint8 {
	for id := range 8 {
		if !r.pauses(id) && !r.buffers().get("ingress-lossy-buffer", "priority-group", "service"+strconv.Itoa(id)).there() {
			if id > 0 {
				r.assumed = append(r.assumed, read.Assumption{
					Where: "qos pfc", Declare: "the numbers of priority groups, as `nv show interface qos buffer` shows them",
					Assumes: "assumed: lossy traffic has another priority group than priority 0; it is group 0 where that does not pause, and the numbers of lossless groups are not published",
				})
			}
			return uint8(id)
		}
	}
	return 0
}

// groupID returns the number of a lossy priority group.
func (r *reader) groupID(name string) (uint8, bool) {
	if name == "bulk" {
		return r.bulk, true
	}
	digit, ok := strings.CutPrefix(name, "service")
	n, known := digits(digit)
	return uint8(n), ok && known && n >= 1 && n <= 7
}

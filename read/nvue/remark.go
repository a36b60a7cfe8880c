package nvue

import (
	row "github.com/roceplan/roceplan/format/nvue"
	"github.com/roceplan/roceplan/plan"
	"github.com/roceplan/roceplan/read"
)

// remarks sorts the code points that packets leave with. Rewriting is enabled where a
// packet comes in, the code points are set where it leaves (Cumulus Linux 5.14, Quality of
// Service, Port Groups, Remarking); one that leads another way on the next switch is a
// class that is lost there. Those of ports that trust no marking follow from the rules of the switch.
func (r *reader) remarks() {
	dscp, pcp := false, false
	r.qos.get("remark").each(func(profile string, n *node) {
		if r.isUnused("remark", profile) {
			return
		}
		rewrite := n.get("rewrite").word("", "l2", "l3", "both")
		dscp = dscp || rewrite == "l3" || rewrite == "both"
		pcp = pcp || rewrite == "l2" || rewrite == "both"
	})
	r.qos.get("remark").each(func(profile string, n *node) {
		if r.isUnused("remark", profile) {
			return
		}
		var out plan.Rewritten
		none := rewrites(n)
		n.get("switch-priority").instances(7, func(tc int, kid *node) {
			none = none && !kid.row(row.RemarkDSCP).there()
			if d := r.remark(kid.row(row.RemarkDSCP), dscp, tc, func(d int64) bool { return int(r.sw.Maps.DSCPToTC[d]) == tc }, row.Of(row.RemarkDSCP).Most); d >= 0 && dscp {
				out.AddRewrite(uint8(tc), uint8(d), kid.at())
			}
			r.remark(kid.get("pcp"), pcp, tc, func(p int64) bool { return int(p) == tc }, 7)
		})
		if none {
			r.assumed = append(r.assumed, read.Assumption{
				Where: "qos remark " + profile, Declare: "the code points of the profile: switch-priority N dscp D",
				Assumes: "assumed: packets leave with the DSCP that they came in with; what rewriting without code points writes is not published",
			})
		}
		for q, by := range r.remarked {
			if by == n && r.edge == nil {
				q.Rewritten = out
			}
		}
	})
}

// remark sorts one of them, and returns it; -1: there is none.
func (r *reader) remark(n *node, rewritten bool, tc int, same func(int64) bool, most int64) int64 {
	if !n.there() {
		return -1
	}
	leaf := n.leaf()
	was, differed := leaf.seen, leaf.differs
	v := n.number(0, most, -1)
	switch {
	case v < 0 || was && differed:
	case !rewritten:
		leaf.pass(ruleNoRewrite)
	case same(v):
		leaf.pass(ruleSameClass)
	default:
		leaf.doubtf(read.Scope{TCs: 1 << tc}, "packets leave with another "+n.name+", which the next switch maps to another class")
	}
	return v
}

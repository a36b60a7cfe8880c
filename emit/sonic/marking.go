package sonic

import (
	"fmt"
	"strings"

	"github.com/roceplan/roceplan/diag"
	"github.com/roceplan/roceplan/plan"
)

// checkMarking names what SONiC loses of the marking rules. Its ports classify by DSCP alone, no
// ACL action sets a traffic class (sonic-swss orchagent/aclorch.h), and the one that rewrites DSCPs
// is made for tunnels and unknown to the YANG models (SONiC
// doc/acl/egress_outer_dscp_change_table.md). The rest is a DSCP map for the ports that trust
// nothing, and one DSCP per traffic class at egress.
func (e *emitter) checkMarking() {
	m := e.sw.Marking
	if m == nil {
		return
	}
	e.within("traffic classes", int64(m.DefaultTC), 7, m.Range)
	e.within("DSCPs", int64(m.Default), 63, m.Range)
	for _, rule := range m.Rules {
		e.within("traffic classes", int64(rule.TC), 7, m.Range)
		e.within("DSCPs", int64(rule.DSCP), 63, m.Range)
	}
	if e.found.HasErrors() {
		return // the code below uses them as indices
	}
	e.checkRules(m)
	e.checkRewriting(m)
}

func (e *emitter) checkRules(m *plan.Marking) {
	taken := make(map[uint8]plan.MarkRule)
	for _, rule := range m.Rules {
		if rule.UDPPort != 0 {
			e.found.Warnf(MarkingLost, m.Range, "SONiC classifies by DSCP alone: all packets with DSCP %d get into traffic class %d, not only those to UDP port %d", rule.DSCP, rule.TC, rule.UDPPort).
				Fixf("set the DSCP in the hosts' hypervisor or NIC, or filter at the host")
		}
		if first, ok := taken[rule.DSCP]; ok && first.TC != rule.TC {
			e.found.Errorf(MarkingConflict, m.Range, "DSCP %d belongs to traffic class %d or %d depending on the UDP port (%d, %d), and SONiC classifies by DSCP alone", rule.DSCP, first.TC, rule.TC, first.UDPPort, rule.UDPPort).
				Fixf("use another DSCP for one of the two")
		} else if !ok {
			taken[rule.DSCP] = rule
		}
	}
}

// checkRewriting reports DSCPs that do not survive a rewrite by traffic class.
func (e *emitter) checkRewriting(m *plan.Marking) {
	var classes [8][64]bool
	for dscp, tc := range e.sw.Maps.DSCPToTC {
		classes[tc][dscp] = true
	}
	for _, rule := range m.Rules {
		classes[rule.TC][rule.DSCP] = true
		if rule.TC == m.DefaultTC && rule.DSCP != m.Default {
			e.lost(m.Range, "SONiC rewrites a traffic class to one DSCP: DSCP %d, admitted into traffic class %d, becomes %d like all packets of that class", rule.DSCP, rule.TC, m.Default)
		}
	}
	for tc, dscps := range classes {
		if names := listed(dscps); len(names) > 1 && tc != int(m.DefaultTC) {
			e.lost(m.Range, "SONiC rewrites a traffic class to one DSCP: traffic class %d has the DSCPs %s, and behind this switch its packets have only one of them", tc, strings.Join(names, ", "))
		}
	}
}

func (e *emitter) lost(where diag.Range, format string, args ...any) {
	e.found.Warnf(MarkingLost, where, format, args...).Fixf("use one DSCP for each traffic class")
}

func listed(dscps [64]bool) []string {
	var names []string
	for dscp, in := range dscps {
		if in {
			names = append(names, fmt.Sprint(dscp))
		}
	}
	return names
}

package sonic

import (
	"strconv"

	"github.com/roceplan/roceplan/plan"
)

// writeMap prints a map of code points under the main name.
func (e *emitter) writeMap(table string, to []uint8) {
	e.w.startTable(table)
	e.writeMapRow(MainMap, to)
}

func (e *emitter) writeMapRow(name string, to []uint8) {
	e.w.startRow(name)
	for from, value := range to {
		e.w.number(strconv.Itoa(from), int64(value))
	}
}

// writeDSCPMaps prints DSCP_TO_TC_MAP: one for ports that trust the sender, one for
// those that admit what the marking rules name and send all else to the default class.
func (e *emitter) writeDSCPMaps() {
	e.writeMap(TableDSCPToTC, e.sw.Maps.DSCPToTC[:])
	if m := e.sw.Marking; m != nil {
		edge := edgeMap(m)
		e.writeMapRow(EdgeMap, edge[:])
	}
}

func edgeMap(m *plan.Marking) [64]uint8 {
	var edge [64]uint8
	for dscp := range edge {
		edge[dscp] = m.DefaultTC
	}
	for i := len(m.Rules) - 1; i >= 0; i-- { // the first rule wins
		edge[m.Rules[i].DSCP] = m.Rules[i].TC
	}
	return edge
}

// needsPFCToPG tells whether PFC_PRIORITY_TO_PRIORITY_GROUP_MAP is written. SONiC's
// own templates write it for NVIDIA and Intel alone (sonic-buildimage
// files/build_templates/qos_config.j2, pfc_to_pg_map_supported_asics): others map each
// priority to the PG of the same number.
func (e *emitter) needsPFCToPG() bool {
	for p, pg := range e.sw.Maps.PFCToPG {
		if int(pg) != p {
			return true
		}
	}
	return e.dynamic()
}

// writePortMaps prints PORT_QOS_MAP. DSCPs are rewritten where packets leave for ports
// that trust them: SONiC can rewrite at egress only.
func (e *emitter) writePortMaps() {
	e.w.startTable(TablePortQoSMap)
	e.eachPort(func(p *plan.Port, _ *binding) {
		classify, priorities := MainMap, list(p.QoS.PFC)
		if p.QoS.Trust == plan.TrustNone {
			classify = EdgeMap
		}
		e.w.startRow(p.Name)
		e.w.text("dscp_to_tc_map", classify)
		e.w.text("pfc_enable", priorities)
		if e.needsPFCToPG() {
			e.w.text("pfc_to_pg_map", MainMap)
		}
		e.w.text("pfc_to_queue_map", MainMap)
		if p.QoS.Watchdog {
			e.w.text("pfcwd_sw_enable", priorities)
		}
		if e.sw.Marking != nil && p.QoS.Trust == plan.TrustDSCP {
			e.w.text("tc_to_dscp_map", MainMap)
		}
		e.w.text("tc_to_pg_map", MainMap)
		e.w.text("tc_to_queue_map", MainMap)
	})
	e.w.startRow(GlobalQoS)
	e.w.text("dscp_to_tc_map", MainMap)
}

// list prints a set of priorities as "3,4".
func list(bits uint8) string {
	text := make([]byte, 0, 16)
	for p := range 8 {
		if bits&(1<<p) == 0 {
			continue
		}
		if len(text) > 0 {
			text = append(text, ',')
		}
		text = append(text, '0'+byte(p))
	}
	return string(text)
}

// writeRewriting prints TC_TO_DSCP_MAP for the traffic classes that packets can be in.
func (e *emitter) writeRewriting() {
	m := e.sw.Marking
	if m == nil {
		return
	}
	var written [8]int // DSCP + 1
	for dscp := 63; dscp >= 0; dscp-- {
		written[e.sw.Maps.DSCPToTC[dscp]] = dscp + 1
	}
	for i := len(m.Rules) - 1; i >= 0; i-- {
		written[m.Rules[i].TC] = int(m.Rules[i].DSCP) + 1
	}
	written[m.DefaultTC] = int(m.Default) + 1
	e.w.startTable(TableTCToDSCP)
	e.w.startRow(MainMap)
	for tc, dscp := range written {
		if dscp != 0 {
			e.w.number(strconv.Itoa(tc), int64(dscp-1))
		}
	}
}

package sonic

import (
	"slices"
	"strconv"

	schema "github.com/roceplan/roceplan/format/sonic"
	"github.com/roceplan/roceplan/plan"
)

// writeMap prints a map of code points under the main name.
func (e *emitter) writeMap(table string, to []uint8) {
	e.w.startTable(table)
	e.writeMapRow(schema.MainMap, to)
}

func (e *emitter) writeMapRow(name string, to []uint8) {
	e.w.startRow(name)
	for from, value := range to {
		e.w.number(strconv.Itoa(from), int64(value))
	}
}

// writeDSCPMaps prints DSCP_TO_TC_MAP: one for ports that trust the sender, one for
// those that admit what the marking rules name and send all else to the default class.
//
// Ports that classify by themselves have a map each, and so has the tunnel.
func (e *emitter) writeDSCPMaps() {
	e.w.startTable(schema.TableDSCPToTC)
	write := func(name string, to [64]uint8) {
		e.keep(&to)
		e.writeMapRow(name, to[:])
	}
	for i, to := range e.classifiers {
		write(rowName(i), to)
	}
	if t := e.sw.Tunnel; t != nil {
		write(schema.TunnelMap, t.DSCPToTC)
	}
	if m := e.sw.Marking; m != nil {
		edge := m.Classes()
		e.writeMapRow(schema.EdgeMap, edge[:])
	}
}

// needsPFCToPG reports whether PFC_PRIORITY_TO_PRIORITY_GROUP_MAP is written. SONiC's
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
	e.w.startTable(schema.TablePortQoSMap)
	e.eachPort(func(p *plan.Port, _ *binding) {
		classify, priorities := schema.EdgeMap, list(p.QoS.PFC)
		if p.QoS.Trust != plan.TrustNone {
			classify = e.classifiers.name(*e.sw.ClassifiedBy(p.QoS))
		}
		e.w.startRow(p.Name)
		e.w.text("dscp_to_tc_map", classify)
		e.w.text("pfc_enable", priorities)
		if e.needsPFCToPG() {
			e.w.text("pfc_to_pg_map", schema.MainMap)
		}
		e.w.text("pfc_to_queue_map", schema.MainMap)
		if p.QoS.Watchdog {
			e.w.text("pfcwd_sw_enable", list(p.QoS.Watched()))
		}
		if r, ok := e.rewriting(p.QoS); ok {
			e.w.text("tc_to_dscp_map", e.rewrites.name(r))
		}
		e.w.text("tc_to_pg_map", schema.MainMap)
		e.w.text("tc_to_queue_map", e.queueMaps.name(*e.sw.QueuesOf(p.QoS)))
	})
	e.w.startRow(schema.GlobalQoS)
	e.w.text("dscp_to_tc_map", schema.MainMap)
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

// rewriting returns the rewriting of packets that leave by a kind of port; false where they keep
// their DSCP. A port at which nothing is trusted leads out of the fabric.
func (e *emitter) rewriting(qos *plan.PortQoS) (plan.Rewrite, bool) {
	switch {
	case qos.Rewrite != nil:
		return *qos.Rewrite, true
	case e.sw.Marking != nil && qos.Trust == plan.TrustDSCP:
		return e.sw.Marking.Rewriting(&e.sw.Maps), true
	}
	return plan.Rewrite{}, false
}

// contents are rows of a table of maps, each once, in the order of the ports.
type contents[T comparable] []T

func (c *contents[T]) add(row T) {
	if !slices.Contains(*c, row) {
		*c = append(*c, row)
	}
}

func (c contents[T]) name(row T) string { return rowName(slices.Index(c, row)) }

// rowName is AZURE, AZURE_2 and so on.
func rowName(i int) string {
	if i == 0 {
		return schema.MainMap
	}
	return schema.MainMap + "_" + strconv.Itoa(i+1)
}

// nameMaps finds the rows of TC_TO_DSCP_MAP, DSCP_TO_TC_MAP and TC_TO_QUEUE_MAP that ports need:
// first the one that follows from the marking rules, and those of the switch.
func (e *emitter) nameMaps() {
	if e.sw.Marking != nil {
		e.rewrites.add(e.sw.Marking.Rewriting(&e.sw.Maps))
	}
	e.classifiers.add(e.sw.Maps.DSCPToTC)
	e.queueMaps.add(e.sw.Maps.TCToQueue)
	for i := range e.sw.Ports {
		if qos := e.sw.Ports[i].QoS; qos != nil {
			if r, ok := e.rewriting(qos); ok {
				e.rewrites.add(r)
			}
			e.classifiers.add(*e.sw.ClassifiedBy(qos))
			e.queueMaps.add(*e.sw.QueuesOf(qos))
		}
	}
}

// writeRewriting prints TC_TO_DSCP_MAP.
func (e *emitter) writeRewriting() {
	if len(e.rewrites) == 0 && e.sw.Tunnel == nil {
		return
	}
	e.w.startTable(schema.TableTCToDSCP)
	for i, r := range e.rewrites {
		e.writeRewrite(rowName(i), r)
		for k, tc := range e.keptTCs() {
			if r.TCs&(1<<tc) != 0 {
				e.w.number(strconv.Itoa(schema.FirstKept+k), int64(r.DSCP[tc]))
			}
		}
	}
	if t := e.sw.Tunnel; t != nil {
		e.writeRewrite(schema.TunnelMap, t.Outer)
		for i, dscp := range t.Kept {
			e.w.number(strconv.Itoa(schema.FirstKept+i), int64(dscp))
		}
	}
}

func (e *emitter) writeRewrite(name string, r plan.Rewrite) {
	e.w.startRow(name)
	entries := r.Entries()
	for i, tc := range entries.From {
		e.w.number(strconv.Itoa(int(tc)), int64(entries.To[i]))
	}
}

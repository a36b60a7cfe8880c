package sonic

import (
	"strconv"

	schema "github.com/roceplan/roceplan/format/sonic"
	"github.com/roceplan/roceplan/plan"
)

// Tunnels: SONiC doc/qos/tunnel_dscp_remapping.md rev 0.2; sonic-yang-models sonic-tunnel;
// sonic-swss orchagent/muxorch.cpp, tunneldecaporch.cpp, which take the maps by name. Routing has
// the addresses, so the row is to be merged into one that has them.

// keep gives kept code points their traffic classes, where they are in the class that the
// switch has them in.
func (e *emitter) keep(to *[64]uint8) {
	if t := e.sw.Tunnel; t != nil {
		for i, dscp := range t.Kept {
			if to[dscp] == e.sw.Maps.DSCPToTC[dscp] {
				to[dscp] = uint8(schema.FirstKept + i)
			}
		}
	}
}

// keptTCs returns the traffic classes as which those of kept code points are carried.
func (e *emitter) keptTCs() (tcs []uint8) {
	if t := e.sw.Tunnel; t != nil {
		for _, dscp := range t.Kept {
			tcs = append(tcs, e.sw.Maps.DSCPToTC[dscp]&7)
		}
	}
	return tcs
}

// writeTCMap prints maps of traffic classes, and that of the tunnel.
func (e *emitter) writeTCMap(table string, all contents[[8]uint8], of func(*plan.Tunnel) [8]uint8) {
	e.w.startTable(table)
	write := func(name string, to [8]uint8) {
		e.writeMapRow(name, to[:])
		for i, tc := range e.keptTCs() {
			e.w.number(strconv.Itoa(schema.FirstKept+i), int64(to[tc]))
		}
	}
	for i, to := range all {
		write(rowName(i), to)
	}
	if t := e.sw.Tunnel; t != nil {
		write(schema.TunnelMap, of(t))
	}
}

// writeRemap has templates that are rendered again keep the maps of the tunnel.
func (e *emitter) writeRemap() {
	if e.sw.Tunnel != nil {
		e.w.startTable(schema.TableSystemDefaults)
		e.w.startRow(schema.TunnelRemap)
		e.w.text("status", "enabled")
	}
}

func (e *emitter) writeTunnel() {
	t := e.sw.Tunnel
	if t == nil {
		return
	}
	e.w.startTable(schema.TableTunnel)
	e.w.startRow(t.Name)
	e.w.text(schema.TunnelMaps[0].Field, schema.TunnelMap)
	e.w.text(schema.TunnelMaps[1].Field, schema.TunnelMap)
	e.w.text("dscp_mode", schema.Pipe)
	e.w.text(schema.TunnelMaps[3].Field, schema.TunnelMap)
	e.w.text(schema.TunnelMaps[2].Field, schema.TunnelMap)
	e.w.text("tunnel_type", "IPINIP")
}

// checkTunnel finds values that no map takes.
func (e *emitter) checkTunnel() {
	for i := range e.sw.Ports {
		qos := e.sw.Ports[i].QoS
		if qos != nil && qos.DSCPToTC != nil {
			e.checkValues("a map", e.sw.Ports[i].Range, []values{{"traffic classes", qos.DSCPToTC[:], 7}})
		}
		if qos != nil && qos.TCToQueue != nil {
			e.checkValues("a map", e.sw.Ports[i].Range, []values{{"queues", qos.TCToQueue.To[:], 9}})
		}
	}
	t := e.sw.Tunnel
	if t == nil {
		return
	}
	e.checkValues("a tunnel's map", t.Range, []values{
		{"traffic classes", t.DSCPToTC[:], 7}, {"priority groups", t.TCToPG[:], 7}, {"queues", t.TCToQueue[:], 9}, {"DSCPs", t.Outer.DSCP[:], 63}, {"DSCPs", t.Kept, 63},
	})
	e.within("kept code points", int64(len(t.Kept)), plan.MostKept, t.Range)
}

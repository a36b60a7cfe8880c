// Package sonic prints a [plan.Switch] as the ConfigDB of SONiC, config_db.json, and
// holds the names on which the reader of that format agrees with it.
//
// In the traditional buffer model the file holds every size. In the dynamic one, which
// NVIDIA's switches run, it holds what their calculator is given, and only those sizes
// that override it.
//
// The file is printed in the order in which `config save` writes it, so a diff with
// the device's own file shows what differs and nothing else.
package sonic

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/roceplan/roceplan/diag"
	"github.com/roceplan/roceplan/emit"
	schema "github.com/roceplan/roceplan/format/sonic"
	"github.com/roceplan/roceplan/plan"
)

// Files below a device's folder.
const (
	Path        = "config_db.json"
	OverlayPath = "overlay.json"
)

// Emit prints the configuration of a shape. A setting that SONiC does not support is an error at
// the line that asks for it, and then there is no file; if lossless traffic does not need it, it is
// a warning.
func Emit(sw *plan.Switch) ([]emit.File, diag.List) { return render(sw, Path, false) }

// Overlay prints what `config load` lays over a running configuration: the QoS and
// buffer tables, and of PORT the mtu alone, for which the headroom is computed. Ports
// are there already, so their lanes need not be known. Loading adds rows and replaces
// fields; it removes nothing.
func Overlay(sw *plan.Switch) ([]emit.File, diag.List) { return render(sw, OverlayPath, true) }

func render(sw *plan.Switch, path string, overlay bool) ([]emit.File, diag.List) {
	e := &emitter{
		sw:         sw,
		overlay:    overlay,
		w:          newWriter(4096 + 4096*len(sw.Ports)),
		profiles:   newProfiles(),
		bound:      make(map[kind]*binding),
		schedulers: make(map[string]scheduler),
		curves:     make(map[string]wred),
	}
	e.check()
	if e.found.HasErrors() {
		return nil, e.found.Sorted()
	}
	e.bindings()
	e.nameMaps()
	e.write()
	return []emit.File{{Path: path, Body: emit.NewBody(e.w.end())}}, e.found.Sorted()
}

type emitter struct {
	sw         *plan.Switch
	overlay    bool
	trims      bool // packets are cut
	w          *writer
	found      diag.List
	profiles   *profiles
	bound      map[kind]*binding
	schedulers map[string]scheduler
	curves     map[string]wred
	rewrites   contents[plan.Rewrite] // rows of TC_TO_DSCP_MAP
	// classifiers are rows of DSCP_TO_TC_MAP: of the switch, and of ports that have their own.
	classifiers contents[[64]uint8]
	queueMaps   contents[[8]uint8] // likewise of TC_TO_QUEUE_MAP
}

func (e *emitter) dynamic() bool { return e.sw.BufferModel == plan.DynamicModel }

// write prints the tables in natural order.
func (e *emitter) write() {
	e.writeCages()
	e.writeBound(schema.TableBufferPG, portKey, func(b *binding) []bound { return b.pgs })
	e.writePools()
	e.writeProfileLists(schema.TableBufferPortEgress, func(b *binding) string { return b.egress })
	e.writeProfileLists(schema.TableBufferPortIngress, func(b *binding) string { return b.ingress })
	e.profiles.write(e.w)
	e.writeBound(schema.TableBufferQueue, e.queueKey, func(b *binding) []bound { return b.queues })
	e.writeCables()
	e.writeDefaultLossless()
	e.writeMetadata()
	e.writeDSCPMaps()
	e.writeLosslessPattern()
	e.writeMap(schema.TablePFCToQueue, e.sw.Maps.PFCToQueue[:])
	if e.needsPFCToPG() {
		e.writeMap(schema.TablePFCToPG, e.sw.Maps.PFCToPG[:])
	}
	e.writeWatchdog()
	e.writePorts()
	e.writePortMaps()
	e.writeQueues()
	e.writeSchedulers()
	e.writeTrimming()
	e.writeRemap()
	e.writeRewriting()
	e.writeTCMap(schema.TableTCToPG, contents[[8]uint8]{e.sw.Maps.TCToPG}, func(t *plan.Tunnel) [8]uint8 { return t.TCToPG })
	e.writeTCMap(schema.TableTCToQueue, e.queueMaps, func(t *plan.Tunnel) [8]uint8 { return t.TCToQueue })
	e.writeTunnel()
	e.writeCurves()
}

// eachPort calls f for the ports with QoS.
func (e *emitter) eachPort(f func(p *plan.Port, b *binding)) {
	for i := range e.sw.Ports {
		if p := &e.sw.Ports[i]; p.QoS != nil {
			f(p, e.bound[kindOf(p)])
		}
	}
}

// portKey returns the key of a row for groups of a port.
func portKey(port, ids string) string { return port + "|" + ids }

func (e *emitter) writeBound(table string, key func(port, ids string) string, rows func(*binding) []bound) {
	e.w.startTable(table)
	e.eachPort(func(p *plan.Port, b *binding) {
		for _, row := range rows(b) {
			e.w.startRow(key(p.Name, row.ids))
			e.w.text("profile", row.profile)
		}
	})
}

// writePools prints BUFFER_POOL. In the dynamic model the switch computes the sizes that
// the file does not have, and gives all of these pools the one size that is shared
// (sonic-swss cfgmgr/buffer_pool_mellanox.lua): an egress pool that has another, such as
// the lossless one, which holds the whole buffer, is written, as in the templates that
// ship. The headroom pool's size it takes from the file unless an oversubscription ratio
// says how to compute it (same file).
func (e *emitter) writePools() {
	e.w.startTable(schema.TableBufferPool)
	for i := range e.sw.Pools {
		pool := &e.sw.Pools[i]
		mode := "static"
		if pool.Dynamic {
			mode = "dynamic"
		}
		e.w.startRow(pool.Name)
		e.w.text("mode", mode)
		if !e.dynamic() || !e.shared(pool) {
			e.w.put(schema.PoolSize, int64(pool.Size.Value))
		}
		if pool.Both {
			e.w.text("type", schema.PoolBoth)
		} else {
			e.w.text("type", pool.Direction.String())
		}
		if pool.Headroom.Value != 0 && !(e.dynamic() && e.sw.Calculator.Oversubscribe.Value != 0) {
			e.w.put(schema.PoolXOff, int64(pool.Headroom.Value))
		}
	}
}

// shared reports whether a pool has the size that the switch computes: that of the
// ingress pools.
func (e *emitter) shared(pool *plan.Pool) bool {
	if pool.Direction == plan.Ingress || pool.Size.Value == 0 {
		return true
	}
	for i := range e.sw.Pools {
		if other := &e.sw.Pools[i]; other.Direction == plan.Ingress && other.Size.Value == pool.Size.Value {
			return true
		}
	}
	return false
}

func (e *emitter) writeProfileLists(table string, list func(*binding) string) {
	e.w.startTable(table)
	e.eachPort(func(p *plan.Port, b *binding) {
		e.w.startRow(p.Name)
		e.w.text("profile_list", list(b))
	})
}

func (e *emitter) writeCables() {
	e.w.startTable(schema.TableCableLength)
	e.w.startRow(schema.MainMap)
	for i := range e.sw.Ports {
		if p := &e.sw.Ports[i]; p.Cable != 0 {
			e.w.text(p.Name, strconv.FormatInt(metres(p.Cable), 10)+"m")
		}
	}
}

func (e *emitter) writeDefaultLossless() {
	if !e.dynamic() {
		return
	}
	e.w.startTable(schema.TableDefaultLossless)
	e.w.startRow(schema.MainMap)
	e.w.put(schema.DefaultAlpha, int64(e.sw.Calculator.DefaultAlpha.Value))
	if ratio := e.sw.Calculator.Oversubscribe.Value; ratio != 0 {
		e.w.put(schema.Oversubscribe, ratio)
	}
}

func (e *emitter) writeLosslessPattern() {
	if !e.dynamic() {
		return
	}
	e.w.startTable(schema.TableLosslessPattern)
	e.w.startRow(schema.MainMap)
	e.w.put(schema.PatternMTU, int64(e.sw.Calculator.LosslessFrame.Value))
	e.w.put(schema.SmallPackets, int64(e.sw.Calculator.SmallPackets.Value))
}

func (e *emitter) writeMetadata() {
	if e.overlay {
		return
	}
	e.w.startTable(schema.TableDeviceMetadata)
	e.w.startRow(schema.Localhost)
	hardware := e.sw.HwSKU
	if e.sw.VOQ {
		var asic string
		hardware, asic = SplitSKU(hardware)
		e.w.text("asic_name", asic)
	}
	model := e.sw.BufferModel
	if model == "" {
		model = plan.Traditional
	}
	e.w.text("buffer_model", string(model))
	e.w.deviceName("hostname")
	e.w.text("hwsku", hardware)
	e.w.text("platform", e.sw.Platform)
	e.writeVirtual()
	e.w.text("type", schema.Router(e.sw.Role))
}

// writeWatchdog prints PFC_WD.
func (e *emitter) writeWatchdog() {
	wd := e.sw.Watchdog
	if wd == nil {
		return
	}
	e.w.startTable(schema.TablePFCWatchdog)
	e.eachPort(func(p *plan.Port, _ *binding) {
		if p.QoS.Watchdog {
			e.w.startRow(p.Name)
			e.w.text("action", string(wd.Action))
			e.w.put(schema.Detection, int64(wd.Detection.Value))
			e.w.put(schema.Restoration, int64(wd.Restoration.Value))
		}
	})
	e.w.startRow(schema.GlobalWatchdog)
	if wd.Poll.Value != 0 {
		e.w.put(schema.Poll, int64(wd.Poll.Value))
	}
}

func (e *emitter) writePorts() {
	e.w.startTable(schema.TablePort)
	for i := range e.sw.Ports {
		p := &e.sw.Ports[i]
		e.w.startRow(p.Name)
		for _, f := range PortRow(e.sw, p) {
			if !e.overlay || f.Name == "mtu" {
				e.w.text(f.Name, f.Value)
			}
		}
	}
}

// A Field is one of a row of ConfigDB.
type Field struct{ Name, Value string }

// PortRow returns the row of PORT of a port of a switch, in the order of its fields. A field without a value is left
// out of ConfigDB. subport is the part of its cage that the port is, 0 the whole of it (sonic-config-engine
// portconfig.py).
func PortRow(sw *plan.Switch, p *plan.Port) []Field {
	index, subport := "", ""
	if p.Numbered {
		index = strconv.Itoa(p.Index)
	}
	if p.Cage.Mode != "" {
		subport = strconv.Itoa(p.Cage.Subport)
	}
	return []Field{
		{"admin_status", "up"}, {"alias", p.Alias}, {"description", p.Peer}, {"fec", p.FEC}, {"index", index}, {"lanes", Lanes(p)},
		{"mtu", strconv.FormatInt(schema.Of(schema.PortMTU).Of(int64(sw.Frame(p).Value)), 10)}, {"speed", Speed(p)}, {"subport", subport},
	}
}

// Lanes returns the serdes lanes of a port as ConfigDB has them; empty where they are not known.
func Lanes(p *plan.Port) string {
	return strings.Trim(strings.ReplaceAll(fmt.Sprint(p.Lanes), " ", ","), "[]")
}

// Speed returns the speed of a port as ConfigDB has it, in Mb/s.
func Speed(p *plan.Port) string {
	return strconv.FormatInt(schema.Of(schema.PortSpeed).Of(int64(p.Speed)), 10)
}

// writeCages prints BREAKOUT_CFG: how each cage is used, by the name of its first port.
func (e *emitter) writeCages() {
	if e.overlay {
		return
	}
	e.w.startTable(schema.TableBreakout)
	done := map[string]bool{}
	for i := range e.sw.Ports {
		if c := &e.sw.Ports[i].Cage; !done[c.Port] && c.Mode != "" {
			e.w.startRow(c.Port)
			e.w.text("brkout_mode", c.Mode)
			done[c.Port] = true
		}
	}
}

func (e *emitter) writeQueues() {
	e.w.startTable(schema.TableQueue)
	e.eachPort(func(p *plan.Port, b *binding) {
		for _, s := range b.sending {
			e.w.startRow(e.queueKey(p.Name, s.id))
			e.w.text("scheduler", s.scheduler)
			e.w.text("wred_profile", s.wred)
		}
	})
}

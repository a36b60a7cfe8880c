// Package anyplan draws random switches for property tests of emitters and readers.
// Only tests import it.
package anyplan

import (
	"fmt"
	"slices"

	"github.com/hashicorp/hcl/v2"
	"pgregory.net/rapid"

	"github.com/roceplan/roceplan/diag"
	"github.com/roceplan/roceplan/plan"
	"github.com/roceplan/roceplan/units"
)

// Want bounds what is drawn to what a target can hold. The zero Want bounds nothing
// but what every plan keeps: numbers are in range, lists sorted, references resolve.
type Want struct {
	Chip string
	OS   string
	Cell units.Bytes // default 254 B
	// PortName names the i-th port, from 0.
	PortName func(i int) string
	// OneNumber gives a lossless class the same PFC priority, traffic class and group.
	OneNumber bool
	// OneBuffer gives the priority groups and queues of all ports the same thresholds.
	OneBuffer bool
	// StrictAbove has no strict queue below one that shares by weight.
	StrictAbove bool
	// NoBuffer leaves out headroom, limits and reserves.
	NoBuffer bool
	// Dynamic leaves out static thresholds; alpha lies between MinAlpha and MaxAlpha.
	Dynamic            bool
	MinAlpha, MaxAlpha units.Alpha // default -7 to 3
	// Unbounded has limits as large as the pool, also where Dynamic is set.
	Unbounded bool
	// LoadBalancing are the ways to draw from; default only the empty one.
	LoadBalancing []string
	// Actions of the watchdog to draw from; default all.
	Actions []plan.WatchdogAction
	// Trimming cuts packets of some lossy queues, to 256 B to 1 KiB.
	Trimming bool
}

type drawer struct {
	*rapid.T
	Want
}

// Switch draws one.
func Switch(t *rapid.T, w Want) *plan.Switch {
	if w.Cell == 0 {
		w.Cell = 254
	}
	if w.MinAlpha == 0 && w.MaxAlpha == 0 {
		w.MinAlpha, w.MaxAlpha = -7, 3
	}
	if w.PortName == nil {
		w.PortName = func(i int) string { return fmt.Sprintf("Ethernet%d/1", i+1) }
	}
	if w.LoadBalancing == nil {
		w.LoadBalancing = []string{""}
	}
	if w.Actions == nil {
		w.Actions = []plan.WatchdogAction{plan.WatchdogDrop, plan.WatchdogForward, plan.WatchdogAlert}
	}
	return drawer{t, w}.switchShape()
}

func (d drawer) int(lo, hi int, what string) int { return rapid.IntRange(lo, hi).Draw(d.T, what) }
func (d drawer) bool(what string) bool           { return rapid.Bool().Draw(d.T, what) }

// bytes draws a multiple of the cell size.
func (d drawer) bytes(cells int, what string) plan.Derived[units.Bytes] {
	return derived(units.Bytes(d.int(0, cells, what)) * d.Cell)
}

func derived[T any](v T) plan.Derived[T] {
	return plan.Of(v, &plan.Why{Kind: plan.Given, Name: "drawn", Range: place(1)})
}

func place(line int) diag.Range {
	return diag.Range{Filename: "drawn.hcl", Start: hcl.Pos{Line: line, Column: 1}, End: hcl.Pos{Line: line, Column: 2}}
}

func (d drawer) switchShape() *plan.Switch {
	s := &plan.Switch{
		Names: []string{fmt.Sprintf("leaf-%02d", d.int(1, 99, "name"))},
		Chip:  d.Chip, OS: d.OS, Cell: d.Cell, Range: place(1),
		MTU:           derived(units.Bytes(d.int(1500, 9216, "mtu"))),
		LoadBalancing: rapid.SampledFrom(d.LoadBalancing).Draw(d.T, "load balancing"),
	}
	d.classes(s)
	s.Pools = d.pools()
	if d.bool("watchdog") {
		s.Watchdog = d.watchdog()
	}
	d.ports(s)
	if d.bool("marking") {
		s.Marking = d.marking(s)
	}
	if d.Trimming && d.bool("trimming") {
		d.trimming(s)
	}
	return s
}

// trimming has queues of lossy classes cut what finds no room; what is left of it leaves by
// the queue that its code point has.
func (d drawer) trimming(s *plan.Switch) {
	dscp := uint8(d.int(0, 63, "trimmed dscp"))
	tc := s.Maps.DSCPToTC[dscp]
	s.Trim = &plan.Trim{Size: derived(4 * units.Bytes(d.int(64, 256, "trimmed size"))), DSCP: dscp, TC: tc, Queue: s.Maps.TCToQueue[tc], Range: place(5)}
	cut := d.int(0, 255, "cut queues")
	for _, c := range s.Classes {
		if c.Lossless {
			cut &^= 1 << c.Queue
		}
	}
	for _, p := range s.Ports {
		for i := range p.QoS.Queues {
			p.QoS.Queues[i].Trims = cut&(1<<p.QoS.Queues[i].ID) != 0
		}
	}
}

// classes draws one to six classes, spreads the code points over them and fills the maps.
func (d drawer) classes(s *plan.Switch) {
	tcs := rapid.Permutation([]uint8{0, 1, 2, 3, 4, 5, 6}).Draw(d.T, "traffic classes")[:d.int(1, 6, "classes")]
	if d.bool("class 7") {
		tcs = append(tcs, 7)
	}
	slices.Sort(tcs)
	for i, tc := range tcs {
		c := plan.Class{Name: fmt.Sprintf("class-%c", 'a'+i), TrafficClass: tc, Queue: tc, Range: place(2)}
		if !d.OneNumber && tc < 7 {
			c.Queue = uint8(d.int(0, 6, "queue"))
		}
		if c.Lossless = tc < 7 && d.bool("lossless"); c.Lossless {
			c.PFC, c.PG, c.CongestionControl = tc, tc, "dcqcn"
			if !d.OneNumber {
				c.PFC = freePriority(s.Classes, tc)
				c.PG = c.PFC
			}
		}
		s.Classes = append(s.Classes, c)
	}
	d.maps(s)
}

// freePriority returns the first PFC priority above tc that no class uses, going round.
func freePriority(have []plan.Class, tc uint8) uint8 {
	for p := tc; ; p = (p + 1) % 8 {
		if !slices.ContainsFunc(have, func(c plan.Class) bool { return c.Lossless && c.PFC == p }) {
			return p
		}
	}
}

// maps fills the tables. The group of lossy traffic is the highest that no lossless
// class uses.
func (d drawer) maps(s *plan.Switch) {
	lossy := uint8(7)
	for slices.ContainsFunc(s.Classes, func(c plan.Class) bool { return c.Lossless && c.PG == lossy }) {
		lossy--
	}
	m := &s.Maps
	for i := range 8 {
		m.TCToPG[i], m.TCToQueue[i], m.PFCToPG[i], m.PFCToQueue[i] = lossy, uint8(i), lossy, uint8(i)
	}
	for i := range s.Classes {
		c := &s.Classes[i]
		if !c.Lossless {
			c.PG = lossy
		}
		m.TCToQueue[c.TrafficClass], m.TCToPG[c.TrafficClass] = c.Queue, c.PG
		if c.Lossless {
			m.PFCToQueue[c.PFC], m.PFCToPG[c.PFC] = c.Queue, c.PG
		}
	}
	for dscp := range m.DSCPToTC {
		c := &s.Classes[d.int(0, len(s.Classes)-1, "class of a code point")]
		m.DSCPToTC[dscp] = c.TrafficClass
		c.DSCPs = append(c.DSCPs, uint8(dscp))
	}
}

// poolCells is the size of a pool.
const poolCells = 100_000

func (d drawer) pools() []plan.Pool {
	if d.NoBuffer {
		return nil
	}
	egress := plan.Pool{Name: "egress_pool", Direction: plan.Egress, Dynamic: true, Size: derived(poolCells * d.Cell)}
	ingress := plan.Pool{Name: "ingress_pool", Direction: plan.Ingress, Dynamic: true, Size: derived(poolCells * d.Cell)}
	if d.bool("headroom pool") {
		ingress.Headroom = derived(units.Bytes(d.int(1, 20000, "headroom pool")) * d.Cell)
	}
	return []plan.Pool{egress, ingress}
}

func (d drawer) watchdog() *plan.Watchdog {
	poll := d.int(100, 1000, "poll")
	return &plan.Watchdog{
		Detection:   derived(units.Time(d.int(2*poll, 5000, "detection")) / 10 * 10 * units.Millisecond),
		Restoration: derived(units.Time(d.int(2*poll, 60000, "restoration")) / 10 * 10 * units.Millisecond),
		Poll:        derived(units.Time(poll-5) * units.Millisecond),
		Action:      rapid.SampledFrom(d.Actions).Draw(d.T, "action"),
	}
}

func (d drawer) marking(s *plan.Switch) *plan.Marking {
	m := &plan.Marking{Default: uint8(d.int(0, 63, "rewrite")), DefaultTC: s.Classes[0].TrafficClass, Range: place(3)}
	for i := range d.int(0, 4, "rules") {
		c := s.Classes[d.int(0, len(s.Classes)-1, "class of a rule")]
		r := plan.MarkRule{DSCP: uint8(10*i + d.int(0, 9, "dscp")), TC: c.TrafficClass}
		if d.bool("udp") {
			r.UDPPort = uint16(d.int(1, 65535, "udp port"))
		}
		m.Rules = append(m.Rules, r)
	}
	return m
}

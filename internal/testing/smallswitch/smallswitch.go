// Package smallswitch draws switches of 2 to 16 ports whose buffers lie about where they begin
// to suffice, for tests of those who judge switches. Only tests import it.
package smallswitch

import (
	"fmt"
	"testing"

	"pgregory.net/rapid"

	"github.com/roceplan/roceplan/chips"
	"github.com/roceplan/roceplan/model"
	"github.com/roceplan/roceplan/model/proof"
	"github.com/roceplan/roceplan/plan"
	"github.com/roceplan/roceplan/units"
)

// A Switch is a drawn one with its chip.
type Switch struct {
	Plan *plan.Switch
	Chip *chips.Chip
}

// Generator draws switches; the same seed draws the same one.
func Generator(t testing.TB) *rapid.Generator[Switch] {
	usual, late := catalogue(t), Deciding(t, "end", shapes)
	return rapid.Custom(func(t *rapid.T) Switch {
		sw, chip := draw(t, usual, late)
		return Switch{sw, chip}
	})
}

func catalogue(t testing.TB) *chips.Catalogue {
	t.Helper()
	c, list := chips.Load()
	if list.HasErrors() {
		t.Fatal(list)
	}
	return c
}

// drawer draws small switches whose sizes lie about where they begin to suffice.
type drawer struct {
	*rapid.T
	chip  *chips.Chip
	cell  units.Bytes
	parts int // slices
	ports int
}

func (d drawer) int(low, high int, what string) int { return rapid.IntRange(low, high).Draw(d.T, what) }

// rare is true one time in n.
func (d drawer) rare(n int, what string) bool { return d.int(1, n, what) == n }

func (d drawer) cells(low, high int, what string) plan.Derived[units.Bytes] {
	return plan.Of(units.Bytes(d.int(low, high, what))*d.cell, nil)
}

// With the buffer in one part; in two, of which a group lies in one; and in four, of which it
// lies in two.
var shapes = []string{"trident2", "trident3", "spectrum1", "spectrum2", "spectrum4", "tomahawk3", "tomahawk4", "tomahawk5", "tomahawk6", "tomahawk", "tomahawk2"}

func draw(t *rapid.T, usual, late *chips.Catalogue) (*plan.Switch, *chips.Chip) {
	cat := usual
	if rapid.IntRange(1, 4).Draw(t, "decides with the last byte") == 1 {
		cat = late
	}
	chip, ok := cat.Find(rapid.SampledFrom(shapes).Draw(t, "chip"))
	if !ok {
		t.Fatal("a chip is not in the catalogue")
	}
	cell, _ := chip.CellSize.Get()
	d := drawer{t, chip, cell, chip.Slices.Or(1), rapid.IntRange(2, 16).Draw(t, "ports")}
	sw := &plan.Switch{Names: []string{"s"}, Chip: chip.Name, Cell: cell, MTU: plan.Of(units.Bytes(d.int(256, 9216, "mtu")), nil)}
	Number(sw)
	d.addPorts(sw)
	d.seats(sw)
	d.pools(sw)
	return sw, chip
}

// Number gives every traffic class the group and the queue of its number.
func Number(sw *plan.Switch) {
	for i := range sw.Maps.TCToPG {
		sw.Maps.TCToPG[i], sw.Maps.TCToQueue[i], sw.Maps.PFCToPG[i] = uint8(i), uint8(i), uint8(i)
	}
	for i := range sw.Maps.DSCPToTC {
		sw.Maps.DSCPToTC[i] = uint8(i % 8)
	}
}

// addPorts draws one or two kinds of ports, some of which may be down.
func (d drawer) addPorts(sw *plan.Switch) {
	classes := []uint8{3}
	if d.rare(3, "two classes") {
		classes = append(classes, 4)
	}
	var kinds []plan.Port
	lossy := d.rare(2, "lossy")
	for range d.int(1, 2, "kinds") {
		kinds = append(kinds, d.port(sw, classes, lossy))
	}
	for i := range d.ports {
		port := kinds[d.int(0, len(kinds)-1, "kind")]
		port.Name = fmt.Sprintf("Ethernet%d", i)
		if i > 1 && d.rare(8, "down") {
			port.QoS = nil
		}
		sw.Ports = append(sw.Ports, port)
	}
}

// seats gives the ports lanes: none, which are then as bad as can be; the first ones of the
// chip, of which the rest is empty; or any.
func (d drawer) seats(sw *plan.Switch) {
	const width = 4 // lanes of a port, of which no chip here has fewer than 64
	cages := d.chip.Parts.Pipes.Or(1) * d.chip.Parts.PipeLanes.Or(64) / width
	switch d.int(1, 3, "seats") {
	case 2:
		for i := range sw.Ports {
			sw.Ports[i].Lanes = []int{1 + i*width}
		}
	case 3:
		taken := map[int]bool{}
		for i := range sw.Ports {
			at := d.int(0, cages-1, "cage")
			for taken[at] {
				at = (at + 1) % cages
			}
			taken[at] = true
			sw.Ports[i].Lanes = []int{1 + at*width}
		}
	}
}

var rates = []units.BitRate{10 * units.Gbps, 25 * units.Gbps, 40 * units.Gbps, 100 * units.Gbps, 400 * units.Gbps, 800 * units.Gbps}

func (d drawer) port(sw *plan.Switch, classes []uint8, lossy bool) plan.Port {
	port := plan.Port{
		Speed: rapid.SampledFrom(rates).Draw(d.T, "speed"), Cable: units.Length(d.int(1, 200, "cable")) * units.Metre,
		Group: "g", MTU: sw.MTU.Value, QoS: &plan.PortQoS{},
	}
	frame := units.Bytes(d.int(256, int(sw.MTU.Value), "frame"))
	port.Assumed = &plan.Assumed{LosslessFrame: plan.Of(frame, nil)}
	if !d.rare(4, "nothing declared") {
		port.Assumed.Declared, port.Assumed.Response = true, plan.Of(units.Time(d.int(0, 2000, "response"))*units.Nanosecond, nil)
	}
	if d.rare(4, "gearbox") {
		port.Gearbox = units.Time(d.int(1, 500, "gearbox delay")) * units.Nanosecond
	}
	if d.rare(6, "traffic") {
		port.Assumed.SmallPackets = plan.Of(units.Ratio(d.int(1, 99, "small packets"))*units.Percent, nil)
	}
	headroom := d.headroom(&port)
	for _, class := range classes {
		if !d.rare(100, "PFC off") {
			port.QoS.PFC |= 1 << class
		}
		pg := plan.PG{ID: class, Pool: "in", Lossless: true, Reserved: d.cells(0, 40, "reserve"), Headroom: headroom, Limit: d.limit("PG")}
		if d.rare(4, "xon") {
			pg.XOn = d.cells(1, 200, "xon")
		}
		pg.XOnOffset = d.cells(0, 20, "xon offset")
		port.QoS.PGs = append(port.QoS.PGs, pg)
		port.QoS.Queues = append(port.QoS.Queues, plan.Queue{ID: class, Pool: "lossless", Limit: plan.Of(plan.Limit{Static: d.queue()}, nil)})
	}
	if lossy {
		port.QoS.PGs = append([]plan.PG{{ID: 0, Pool: "in", Limit: d.limit("lossy PG")}}, port.QoS.PGs...)
		port.QoS.Queues = append([]plan.Queue{{ID: 0, Pool: "lossy", Reserved: d.cells(0, 20, "queue reserve"), Limit: plan.Of(plan.Limit{Dynamic: true}, nil)}}, port.QoS.Queues...)
	}
	d.bounds(&port)
	return port
}

// bounds limits the whole port in some pools, now and then so much that it matters.
func (d drawer) bounds(port *plan.Port) {
	for _, pool := range []string{"in", "lossless", "lossy"} {
		if !d.rare(6, "whole port in "+pool) {
			continue
		}
		limit := d.limit("port in " + pool)
		if pool != "in" && !limit.Value.Dynamic {
			limit.Value.Static = d.queue()
		}
		port.QoS.Pools = append(port.QoS.Pools, plan.PortPool{Pool: pool, Limit: limit})
	}
}

// headroom lies about what the link needs, found by asking the prover once.
func (d drawer) headroom(port *plan.Port) plan.Derived[units.Bytes] {
	probe := &plan.Switch{
		Names: []string{"probe"}, MTU: plan.Of(port.MTU, nil), Ports: []plan.Port{*port, *port},
		Pools: []plan.Pool{{Name: "in", Size: plan.Of(units.GB, nil)}, {Name: "out", Direction: plan.Egress, Size: plan.Of(units.GB, nil)}},
	}
	probe.Ports[0].QoS = &plan.PortQoS{PGs: []plan.PG{{ID: 3, Pool: "in", Lossless: true, Limit: plan.Of(plan.Limit{Dynamic: true}, nil)}}}
	probe.Ports[1].QoS = probe.Ports[0].QoS
	report, err := proof.Prove(probe, d.chip, proof.Context{})
	if err != nil {
		d.Fatal(err)
	}
	for _, o := range report.Obligations {
		if o.ID == proof.Headroom {
			return plan.Of(units.Bytes(max(0, int(o.Left.Value)+d.about("headroom")))*d.cell, nil)
		}
	}
	d.Fatal("nothing was proved of headroom")
	return plan.Derived[units.Bytes]{}
}

// about returns the excess of something over the need: mostly a little.
func (d drawer) about(what string) int {
	if d.rare(2, what+" near") {
		return d.int(-2, 2, what)
	}
	return d.int(0, 200, what)
}

func (d drawer) limit(what string) plan.Derived[plan.Limit] {
	if d.rare(3, what+" static") {
		return plan.Of(plan.Limit{Static: units.Bytes(d.int(1, 600, what+" limit")) * units.Bytes(d.parts) * d.cell}, nil)
	}
	return plan.Of(plan.Limit{Dynamic: true, Alpha: units.Alpha(d.int(-3, 3, what+" alpha"))}, nil)
}

// queue is sometimes too small.
func (d drawer) queue() units.Bytes {
	if d.rare(8, "short queue") {
		return units.Bytes(d.int(100, 20000, "queue")) * units.Bytes(d.parts) * d.cell
	}
	return 1 << 20 * d.cell
}

// pools sizes the headroom pool about the sum of headrooms in the fullest part, if there is one.
func (d drawer) pools(sw *plan.Switch) {
	shared := d.int(200, 4000, "shared")
	in := plan.Pool{Name: "in", Dynamic: true}
	apart := *d.chip // whose reserves do not cover the headroom, as none does where there is a pool for it
	apart.Family = ""
	reserves, owned := model.Reserved(sw, &apart, false), model.Reserved(sw, &apart, true)
	if d.rare(2, "headroom pool") {
		needs := int((owned - reserves).FloorCells(d.cell))
		in.Headroom = plan.Of(units.Bytes(max(d.parts, needs+d.about("pool")*d.parts))*d.cell, nil)
	}
	gross := units.Bytes(shared*d.parts) * d.cell
	meaning := d.chip.PoolSize.Or(chips.Gross)
	switch meaning {
	case chips.GrossPool:
		gross += in.Headroom.Value
	case chips.Net:
	default:
		if gross += in.Headroom.Value + reserves; in.Headroom.Value == 0 {
			gross += owned - reserves
		}
		for _, port := range sw.Ports {
			if meaning == chips.GrossOwnHeadroom {
				break
			}
			for _, queue := range queuesOf(&port) {
				gross += queue.Reserved.Value * units.Bytes(d.parts)
			}
		}
	}
	in.Size = plan.Of(gross, nil)
	lossless := 1 << 20 * d.cell
	if d.rare(8, "short egress pool") {
		lossless = units.Bytes(d.int(500, 20000, "egress pool")) * units.Bytes(d.parts) * d.cell
	}
	sw.Pools = []plan.Pool{in,
		{Name: "lossless", Direction: plan.Egress, Size: plan.Of(lossless, nil)},
		{Name: "lossy", Direction: plan.Egress, Dynamic: true, Size: plan.Of(units.Bytes(d.int(100, 4000, "lossy")*d.parts)*d.cell, nil)},
	}
}

func queuesOf(port *plan.Port) []plan.Queue {
	if port.QoS == nil {
		return nil
	}
	return port.QoS.Queues
}

package main

import (
	"testing"

	"pgregory.net/rapid"

	"github.com/roceplan/roceplan/calc/headroom"
	"github.com/roceplan/roceplan/chips"
	"github.com/roceplan/roceplan/internal/testing/must"
	"github.com/roceplan/roceplan/internal/testing/plantest"
	"github.com/roceplan/roceplan/internal/testing/smallswitch"
	"github.com/roceplan/roceplan/model"
	"github.com/roceplan/roceplan/model/proof"
	"github.com/roceplan/roceplan/plan"
	"github.com/roceplan/roceplan/units"
)

// The headroom by which calc compiles a fabric that names no method is what the prover
// asks for, which computes it without calc: never less, and more by less than a packet of those
// that take most cells for their bytes, since calc lets a part of one arrive. Where nothing is published of the byte with
// which the chip decides to pause, the prover asks for the first, and on condition; the last takes
// a largest frame more.
func TestWorstCaseIsTheProvers(t *testing.T) {
	catalogue, _ := chips.Load()
	names := plantest.Chips(t, catalogue, func(chip *chips.Chip) bool {
		return chip.CellSize.Fact() != nil && chip.Family != chips.SiliconOneFam // what the prover judges
	})
	late := smallswitch.Deciding(t, "end", names)
	rapid.Check(t, func(t *rapid.T) {
		chip, _ := catalogue.Find(rapid.SampledFrom(names).Draw(t, "chip"))
		method := must.Get(headroom.For(chip, "worst-case"))(t)
		in := headroom.Input{
			Speed:   rapid.SampledFrom([]units.BitRate{10, 25, 40, 50, 100, 200, 400, 800, 1600}).Draw(t, "gbps") * units.Gbps,
			Cable:   units.Length(rapid.Int64Range(1, 40_000_000).Draw(t, "mm")),
			PortMTU: units.Bytes(rapid.Int64Range(1500, 9412).Draw(t, "mtu")),
			Gearbox: units.Time(rapid.Int64Range(0, 500).Draw(t, "gearbox")) * units.Nanosecond,
			Lanes:   4,
		}
		in.LosslessMTU = units.Bytes(rapid.Int64Range(256, int64(in.PortMTU)).Draw(t, "frame"))
		declared := plan.Assumed{LosslessFrame: plan.Of(in.LosslessMTU, nil)}
		_, standard := model.StandardResponse(in.Speed)
		if !standard || rapid.Bool().Draw(t, "declared") {
			in.PeerResponse = units.Time(rapid.Int64Range(1, 5_000_000).Draw(t, "response"))
			declared.Declared, declared.Response = true, plan.Of(in.PeerResponse, nil)
		}
		if rapid.Bool().Draw(t, "mix") {
			in.MixDeclared, in.SmallPackets = true, units.Ratio(rapid.Int64Range(1, 99).Draw(t, "small"))*units.Percent
			declared.SmallPackets = plan.Of(in.SmallPackets, nil)
		}
		last, _ := late.Find(chip.Name)
		for _, first := range []bool{false, true} {
			in.FirstByte = first
			r := must.Get(method.Compute(in))(t)
			judged := last
			if first {
				judged = chip
			}
			if need := proversNeed(t, judged, in, &declared); r.Cells < need || r.Cells > need+max(1, densest(chip, in.LosslessMTU)-1) {
				t.Fatalf("calc gives %d cells on %s, the prover needs %d; by the first byte: %v", r.Cells, chip.Name, need, first)
			}
		}
	})
}

// densest returns the cells of the packet that takes most for its bytes on the wire, which has 20 B of
// preamble and gap.
func densest(chip *chips.Chip, frame units.Bytes) (most units.Cells) {
	var wire units.Bytes = 1
	for size := units.Bytes(64); size <= frame; size++ {
		cells := (size + chip.PacketMetadata.Or(0)).CeilCells(chip.CellSize.Or(1))
		if units.Bytes(cells)*wire > units.Bytes(most)*(size+20) {
			most, wire = cells, size+20
		}
	}
	return most
}

// proversNeed asks the prover for a switch with one lossless priority group: what its
// obligation of headroom says may come in after the pause.
func proversNeed(t *rapid.T, chip *chips.Chip, in headroom.Input, declared *plan.Assumed) units.Cells {
	const ample = 100 * units.MiB
	qos := &plan.PortQoS{PGs: []plan.PG{{
		ID: 3, Lossless: true, Pool: "in", Limit: plan.Of(plan.Limit{Static: ample}, nil), Headroom: plan.Of(ample, nil),
	}}}
	sw := &plan.Switch{
		Chip: chip.Name, Names: []string{"sw"}, MTU: plan.Of(in.PortMTU, nil),
		Pools: []plan.Pool{{Name: "in", Direction: plan.Ingress, Size: plan.Of(3*ample, nil)}, {Name: "out", Direction: plan.Egress, Size: plan.Of(3*ample, nil)}},
		Ports: []plan.Port{{Name: "p", Speed: in.Speed, Cable: in.Cable, MTU: in.PortMTU, Gearbox: in.Gearbox, QoS: qos, Assumed: declared}},
	}
	report := must.Get(proof.Prove(sw, chip, proof.Context{}))(t)
	for _, o := range report.Obligations {
		for _, term := range o.Terms {
			if o.ID == proof.Headroom && term.Symbol == "N" {
				return units.Cells(term.Value)
			}
		}
	}
	t.Fatalf("the prover says nothing of headroom on %s", chip.Name)
	return 0
}

package calc

import (
	"strings"
	"testing"

	"github.com/roceplan/roceplan/chips"
	"github.com/roceplan/roceplan/diag"
	"github.com/roceplan/roceplan/plan"
	"github.com/roceplan/roceplan/policy"
	"github.com/roceplan/roceplan/units"
)

// A NIC that cuts less often than CNPs come halves a flow later: HalvingTime of the longer of the two.
func TestSpacingOfCuts(t *testing.T) {
	for _, c := range []struct{ cnps, cuts, spaced units.Time }{
		{50 * units.Microsecond, 4 * units.Microsecond, 50 * units.Microsecond},
		{50 * units.Microsecond, 50 * units.Microsecond, 50 * units.Microsecond},
		{50 * units.Microsecond, 200 * units.Microsecond, 200 * units.Microsecond},
	} {
		h := byHand()
		path := plan.Path{Tolerable: plan.Of(10*units.Microsecond, &plan.Why{}), Hops: plan.Of(plan.Count(3), &plan.Why{})}
		h.path = &path
		nic := &policy.NIC{Name: "nic", Classes: h.lossless[:1], CNPInterval: set(c.cnps)}
		nic.Reaction.DecreaseInterval = set(c.cuts)
		h.fabric.NICs = []*policy.NIC{nic}
		got := h.halvedInTime(h.lossless[0], h.kinds[0])
		r := reactionOf(h.fabric, nic, h.path)
		want := HalvingTime(c.spaced, r.AlphaInterval.Value, int64(r.G.Value), int64(r.GD.Value))
		if got.Left.Value != want || got.Left.Terms[0].Why.Value != c.spaced || got.Right.Value != 30*units.Microsecond || got.Holds {
			t.Errorf("CNPs every %v, cuts every %v: %v at %v of %v, want %v", c.cnps, c.cuts, got.Left.Value, got.Left.Terms[0].Why.Value, got.Right.Value, want)
		}
	}
}

// A class that leaves from the queue of its own is no reason for a map of the port.
func TestQueueBlockThatChangesNothing(t *testing.T) {
	classes := byHand().classes
	for _, c := range []struct {
		class, of *policy.Class
		own       bool
	}{{classes[0], classes[0], false}, {classes[0], classes[1], true}} {
		at := diag.Range{Filename: "fabric.hcl"}
		got := queuesOf(classes, &policy.PortGroup{Queues: []policy.PortQueue{{Class: c.class, Of: c.of, Range: at}}})
		if (got != nil) != c.own {
			t.Errorf("%s as %s: %v", c.class.Name, c.of.Name, got)
		}
		if got != nil && (got.To[3] != 4 || got.At[3] != at || got.To[4] != 4 || got.At[4] == at) {
			t.Errorf("%+v", got)
		}
	}
	if queuesOf(classes, &policy.PortGroup{}) != nil {
		t.Error("a group without a block has a map")
	}
}

// Lossy virtual queues that exceed their share with the smallest alpha of the chip are an error with
// both numbers. Nine ports, α = 1/256 of 1,000,000 B and cells of 100 B: a queue has
// ⌊1,000,000/(256+9)⌋ = 3,773 B, 37 cells, and nine of them 33,300 B.
func TestVirtualQueuesThatTakeTooMuch(t *testing.T) {
	for _, c := range []struct {
		share units.Bytes
		holds bool
	}{{33_300, true}, {33_299, false}} {
		b := &budget{headrooms: *byHand(), shared: plan.Of(units.Bytes(1_000_000), &plan.Why{}), lossyPool: plan.Of(c.share, &plan.Why{})}
		b.chip = &chips.Chip{Family: chips.DNX, Title: "Own"}
		b.sw.Label = "sw"
		got, needed := b.voqLeavesLossless()
		if !needed || got.Holds != c.holds || got.Left.Value != units.Bytes(33_300) {
			t.Errorf("%v: %v, %+v", c.share, needed, got)
		}
		var list diag.List
		got.report(&list)
		if len(list) != 1 || list[0].Code != LossyTakesLossless || list[0].Message != "lossy queues of sw may hold 33300B together at the smallest alpha that Own has, and their share is "+c.share.String() || !strings.Contains(list[0].Fix, "fewer ports") {
			t.Errorf("%v", list)
		}
	}
}

// A port has the label that its group gives it; one that the group has no label for has that of its place.
func TestLabelsOfPorts(t *testing.T) {
	h := byHand()
	k := h.kinds[1]
	k.group.Ports, k.group.Aliases = []string{"Ethernet0", "Ethernet4"}, []string{"etp1"}
	k.group.Places = []chips.Place{{Index: 1, Alias: "front1"}, {Index: 2, Alias: "front2"}}
	p := &ports{budget: &budget{headrooms: *h}}
	for i, want := range []string{"etp1", "front2"} {
		if got := p.port(k, i, nil); got.Alias != want || got.Index != i+1 {
			t.Errorf("%+v, want %s", got, want)
		}
	}
}

// Where there is none of a kind, nothing is set aside for it, and the reason says nothing as well.
func TestNothingOfAKind(t *testing.T) {
	frame := frameTime(&policy.Fabric{LosslessFrame: set(4200 * units.Byte), Switches: []*policy.Switch{{Groups: []*policy.PortGroup{{Speed: set(units.Gbps)}}}}})
	h := byHand()
	h.kinds = h.kinds[2:]
	h.kinds[0].index = 0
	none := planHeadrooms(h.shape, &findings{})
	b := &budget{headrooms: *byHand()}
	b.lossy = nil
	b.shareLossy()
	for what, got := range map[string]plan.Derived[units.Bytes]{"headroom": none.headroom, "lossy pool": b.lossyPool} {
		if got.Value != 0 || got.Why.Value != units.Bytes(0) {
			t.Errorf("%s: %v by %v", what, got.Value, got.Why.Value)
		}
	}
	if frame.Value != 0 || frame.Why.Value != units.Time(0) {
		t.Errorf("frame: %v by %v", frame.Value, frame.Why.Value)
	}
}

// The vendor's figure is a floor: one that is as much as is needed already is no reason, and one that is a cell
// more is.
func TestFloorOfTheVendor(t *testing.T) {
	catalogue, _ := chips.Load()
	s := byHand().shape
	s.chip, _ = catalogue.Find("tomahawk3")
	s.cell = s.chip.CellSize.Or(0)
	k := s.kinds[0]
	k.group.Speed, k.cable = set(s.chip.SDKHeadroom.Speeds.Or(nil)[0]), set(5*units.Metre)
	var most units.Bytes
	for _, f := range s.vendorFigures(k) {
		most = max(most, f.bytes)
	}
	for _, c := range []struct {
		needed, want units.Bytes
		floor        bool
	}{{most - s.cell, most, true}, {most, most, false}, {most + s.cell, most + s.cell, false}} {
		got := s.besideVendors(k, plan.Of(c.needed, &plan.Why{Name: "needed", Value: c.needed}))
		if got.Value != c.want || (got.Why.ID == "headroom-floor") != c.floor {
			t.Errorf("%v: %v by %+v", c.needed, got.Value, got.Why)
		}
	}
}

// A lossy virtual queue keeps the usual alpha, with its source, as long as all of them keep their share: nine with
// α = 1 hold ⌊1,000,000/10⌋ = 100,000 B each. With a byte less of share it is the next smaller one, for that reason.
func TestUsualAlphaOfVirtualQueues(t *testing.T) {
	for _, c := range []struct {
		share units.Bytes
		alpha units.Alpha
		usual bool
	}{{900_000, 0, true}, {899_999, -1, false}} {
		b := &budget{headrooms: *byHand(), shared: plan.Of(units.Bytes(1_000_000), &plan.Why{}), lossyPool: plan.Of(c.share, &plan.Why{})}
		b.chip = &chips.Chip{Family: chips.DNX}
		got := b.lossyLimit(0, "usual")
		if got.Value != (plan.Limit{Dynamic: true, Alpha: c.alpha}) || (got.Why.Source == "usual") != c.usual || got.Why.Value != c.alpha {
			t.Errorf("%v: %v by %+v", c.share, got.Value, got.Why)
		}
		b.chip = &chips.Chip{}
		if got = b.lossyLimit(0, "usual"); got.Value.Alpha != 0 || got.Why.Source != "usual" {
			t.Errorf("in a queue of its own: %v by %+v", got.Value, got.Why)
		}
	}
}

// What is whole cells already is not rounded, and has no reason for it.
func TestRoundingIsToldWhereItIs(t *testing.T) {
	s := byHand().shape
	why := &plan.Why{Name: "bytes"}
	if got := s.wholeCells("headroom", plan.Of(units.Bytes(200), why)); got.Value != 200 || got.Why != why {
		t.Errorf("%v by %+v", got.Value, got.Why)
	}
	if got := s.wholeCells("headroom", plan.Of(units.Bytes(201), why)); got.Value != 300 || got.Why.ID != "whole-cells" || got.Why.Terms[0].Why != why {
		t.Errorf("%v by %+v", got.Value, got.Why)
	}
}

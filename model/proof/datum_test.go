package proof_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/roceplan/roceplan/chips"
	"github.com/roceplan/roceplan/model/proof"
	"github.com/roceplan/roceplan/plan"
	"github.com/roceplan/roceplan/units"
)

// pair is a chip of 208 B cells with two ports that have one lossless class: 200 cells are shared, and each port has 250 of
// headroom.
func pair(t *testing.T, datum string) (*plan.Switch, *chips.Chip) {
	text := fmt.Sprintf("chip \"own\" {\n  extends = \"trident2\"\n  %s\n}\n", datum)
	all, found := chips.Load(chips.Source{Name: "own.hcl", Text: []byte(text)})
	chip, ok := all.Find("own")
	if !ok {
		t.Fatal(found)
	}
	cell, _ := chip.CellSize.Get()
	cells := func(n units.Bytes) plan.Derived[units.Bytes] { return plan.Of(n*cell, nil) }
	qos := &plan.PortQoS{
		PFC:    1 << 3,
		PGs:    []plan.PG{{ID: 3, Pool: "in", Lossless: true, Headroom: cells(250), Limit: plan.Of(plan.Limit{Dynamic: true, Alpha: -1}, nil)}},
		Queues: []plan.Queue{{ID: 3, Pool: "out", Limit: plan.Of(plan.Limit{Static: 1 << 30}, nil)}},
	}
	sw := &plan.Switch{
		Names: []string{"s"}, Chip: chip.Name, Cell: cell, MTU: plan.Of(units.Bytes(256), nil),
		Pools: []plan.Pool{{Name: "in", Size: cells(700)}, {Name: "out", Direction: plan.Egress, Size: cells(10_000)}},
	}
	for i := range sw.Maps.TCToPG {
		sw.Maps.TCToPG[i], sw.Maps.TCToQueue[i], sw.Maps.PFCToPG[i] = uint8(i), uint8(i), uint8(i)
	}
	for i := range sw.Maps.DSCPToTC {
		sw.Maps.DSCPToTC[i] = uint8(i % 8)
	}
	for _, name := range []string{"a", "b"} {
		sw.Ports = append(sw.Ports, plan.Port{
			Name: name, Speed: 10 * units.Gbps, Cable: units.Metre, Group: "g", MTU: 256, QoS: qos,
			Assumed: &plan.Assumed{Declared: true, Response: plan.Of(units.Time(0), nil), LosslessFrame: plan.Of(units.Bytes(256), nil)},
		})
	}
	return sw, chip
}

// Of a memory of 100 cells that the catalogue assumes it is a condition that it has as many as can be held at once, and
// the model is one that has them; that more is configured is a fault, and loses nothing by itself. Of a memory that is
// published nothing is assumed.
func TestAssumedMemory(t *testing.T) {
	for _, confidence := range []string{"assumed", "published"} {
		sw, chip := pair(t, fmt.Sprintf("usable_buffer {\n value = \"20800B\"\n confidence = %q\n source = \"a test\"\n }", confidence))
		report := prove(t, sw, chip, proof.Context{})
		for _, err := range proof.Recheck(proof.Certify(report, sw.Names, sw.Chip, nil), nil) {
			t.Errorf("%s: %v", confidence, err)
		}
		i := slices.IndexFunc(report.Obligations, func(o proof.Obligation) bool { return o.ID == proof.Memory && o.Verdict == proof.Conditional })
		if confidence == "published" {
			if i >= 0 || !report.LosesPackets() {
				t.Errorf("%v", report.Obligations)
			}
			continue
		}
		if i < 0 || report.LosesPackets() || !slices.ContainsFunc(report.Failing(), func(o *proof.Obligation) bool { return o.ID == proof.Memory && !o.Lossless }) {
			t.Fatalf("%v", report.Obligations)
		}
		o := &report.Obligations[i]
		c := o.Conditions[0]
		// 200 cells shared of which each of two, at alpha 1/2, takes no more than 67, and then what comes in; of all 100 are there.
		if c.ID != proof.AssumedDatum || c.Bound != 100 || c.Worst != o.Left.Value || c.Worst <= 100 || c.Short != c.Worst-100 || c.Unit != proof.InCells || o.Under == nil || o.Under.Left != o.Left || o.Under.Right.Value != c.Worst {
			t.Errorf("%+v\n%+v", o, c)
		}
		if got := int64(report.Model.Config.SliceCells); got != c.Worst || report.Worst.Config.SliceCells != 100 {
			t.Errorf("the model has %d cells, and %d at the worst", got, report.Worst.Config.SliceCells)
		}
		if last := o.Under.Terms[len(o.Under.Terms)-1]; last.Symbol != "V" || last.Value != c.Worst || o.Terms[len(o.Terms)-1].Value != 100 {
			t.Errorf("%+v", o.Under.Terms)
		}
	}
}

// The longest cable, the largest frame and so on are found where even the present ones break something, and say so.
func TestMarginsOfWhatBreaks(t *testing.T) {
	sw, chip := pair(t, "")
	sw.Ports[0].QoS.PGs[0].Headroom.Value = 0
	found, err := proof.Margins(sw, chip, proof.Context{})
	if err != nil || len(found) != 1 {
		t.Fatal(found, err)
	}
	if m := found[0]; m.Group != "g" || m.Cable != 0 || m.CableBreaks != proof.Headroom || m.FanIn != 0 || m.Classes != 0 || m.ClassesBreak != proof.Headroom || m.MTUBreaks != proof.Headroom {
		t.Errorf("%+v", m)
	}
	sw, _ = pair(t, "")
	sw.Pools = nil // nothing can be judged, so nothing breaks
	if found, err = proof.Margins(sw, chip, proof.Context{}); err != nil || len(found) != 1 || found[0].CableBreaks != "" || found[0].Classes != 8 || found[0].MTU != 16*1024 {
		t.Errorf("%+v, %v", found, err)
	}
}

// Of a memory of 400 cells 700 are distributed. That loses nothing: 66 and 44 cells of the 200 shared ones can be held at
// an alpha of 1/2, twice the 18 cells that come in after a pause, and twice the 2 of a frame that may decide with its last
// byte. A certificate says so, and a memory of which the catalogue only assumes that it has 400 is a condition of it.
func TestMemoryThatIsOverbooked(t *testing.T) {
	for confidence, want := range map[string]proof.Verdict{"assumed": proof.Conditional, "published": proof.Holds} {
		sw, chip := pair(t, fmt.Sprintf("usable_buffer {\n value = \"83200B\"\n confidence = %q\n source = \"a test\"\n }", confidence))
		report := prove(t, sw, chip, proof.Context{})
		certificate := func() *proof.Certificate {
			return proof.Certify(report, sw.Names, sw.Chip, nil)
		}
		if c := certificate(); c.Verdict != want || len(proof.Recheck(c, nil)) > 0 {
			t.Errorf("%s: %v, %v", confidence, c.Verdict, proof.Recheck(c, nil))
		}
		at := slices.IndexFunc(report.Obligations, func(o proof.Obligation) bool { return o.Where == "slice 0, held at once" })
		held := slices.IndexFunc(certificate().Obligations, func(o proof.Claim) bool { return o.ID == proof.HeldAtOnce })
		if at < 0 || held < 0 {
			t.Errorf("%s: nothing says what can be held at once", confidence)
			continue
		}
		if o := &report.Obligations[at]; o.ID != proof.Memory || o.Verdict != want || !o.Lossless || o.Left.Value != 66+44+2*18+2*2 || o.Right.Value != 400 {
			t.Errorf("%s: %v", confidence, o)
		}
		for what, forge := range map[string]func(c *proof.Certificate){
			"it is gone":              func(c *proof.Certificate) { c.Obligations = slices.Delete(c.Obligations, held, held+1) },
			"it is of another slice":  func(c *proof.Certificate) { c.Obligations[held].Where = "slice 1" },
			"it is of headroom":       func(c *proof.Certificate) { c.Obligations[held].ID = proof.EgressHolds },
			"less comes in than does": func(c *proof.Certificate) { c.Obligations[held].Left = 1 },
		} {
			c := certificate()
			c.Obligations = slices.Clone(c.Obligations)
			if forge(c); len(proof.Recheck(c, nil)) == 0 {
				t.Errorf("%s, %s: no problem", confidence, what)
			}
		}
	}
}

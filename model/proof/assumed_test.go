package proof_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/roceplan/roceplan/chips"
	"github.com/roceplan/roceplan/model/proof"
	"github.com/roceplan/roceplan/plan"
	"github.com/roceplan/roceplan/units"
)

// Each datum of the chip that the catalogue assumes is a condition of what rests on it: how cells are counted and when
// the chip pauses, of whatever is about the buffer; how it is divided, of what groups share; how much there is, of
// that alone. Whether a pause reaches the peer is no question of the chip.
func TestAssumedDataAreConditions(t *testing.T) {
	group := []string{proof.Headroom, proof.HeadroomPool, proof.QueueHolds, proof.EgressHolds}
	for datum, c := range map[string]struct {
		value string
		rests []string
	}{
		"cell_size": {`"254B"`, group}, "packet_metadata": {`"64B"`, group}, "pause": {`"when_full"`, group}, "admission": {`"with_cell"`, group},
		"xoff_decided": {`"start"`, group}, "pause_delay": {`"10ns"`, group},
		"slices": {"2", group[1:]}, "pool_size": {`"gross"`, group[1:]},
		"usable_buffer": {`"166115492B"`, []string{proof.Memory}}, "packet_buffer": {`"167546528B"`, nil}, // of which no more is usable
	} {
		text := fmt.Sprintf("chip \"own\" {\n  extends = \"tomahawk5\"\n  %s {\n    value = %s\n    confidence = \"assumed\"\n    source = \"a test\"\n  }\n}\n", datum, c.value)
		all, found := chips.Load(chips.Source{Name: "own.hcl", Text: []byte(text)})
		chip, ok := all.Find("own")
		if !ok {
			t.Fatal(datum, found)
		}
		sw, _ := leaf(t, "tomahawk5-ai-pod", "leaf")
		report := prove(t, sw, chip, proof.Context{})
		var rests []string
		var tightest *proof.Obligation
		said := ""
		for i := range report.Obligations {
			o := &report.Obligations[i]
			k := slices.IndexFunc(o.Conditions, func(k proof.Condition) bool {
				return k.ID == proof.AssumedDatum && strings.HasPrefix(k.Declare, datum+" of chip ")
			})
			if k < 0 {
				continue
			}
			said = o.Conditions[k].Assumes
			if !slices.Contains(rests, o.ID) {
				rests = append(rests, o.ID)
			}
			if o.Verdict != proof.Conditional || !o.Lossless {
				t.Errorf("%s: %v, lossless %v", datum, o, o.Lossless)
			}
			if alone := !slices.ContainsFunc(o.Conditions, func(k proof.Condition) bool { return k.ID != proof.AssumedDatum }); alone && (tightest == nil || o.Slack() < tightest.Slack()) {
				tightest = o
			}
		}
		slices.Sort(rests)
		want := slices.Clone(c.rests)
		if slices.Sort(want); datum != "usable_buffer" && len(want) > 0 && slices.Contains(rests, proof.Memory) {
			want = append(want, proof.Memory) // where it is about lossless packets
			slices.Sort(want)
		}
		if !slices.Equal(rests, want) {
			t.Errorf("on %s rest %v, want %v", datum, rests, want)
		}
		if text := ""; tightest != nil {
			text = fmt.Sprintf("; the tightest obligation that rests on it alone is %s of %s, with %d %s to spare", tightest.ID, tightest.Where, tightest.Slack(), tightest.Unit)
			if !strings.HasSuffix(said, text) {
				t.Errorf("%s: %q, want %q", datum, said, text)
			}
		}
		for _, err := range proof.Recheck(proof.Certify(report, sw.Names, sw.Chip, nil), nil) {
			t.Errorf("%s: %v", datum, err)
		}
	}
}

// A switch without a buffer model is not judged, and has no certificate.
func TestCertificateWithoutABuffer(t *testing.T) {
	sw, chip := leaf(t, "tomahawk5-ai-pod", "leaf")
	sw.Pools = nil
	c := proof.Certify(prove(t, sw, chip, proof.Context{}), sw.Names, sw.Chip, nil)
	if errs := proof.Recheck(c, nil); errs == nil || c.Verdict != proof.Unjudged {
		t.Fatal(c.Verdict, errs)
	}
}

// Groups of two pools of headroom count in their own pool alone, in proof and certificate.
func TestTwoHeadroomPools(t *testing.T) {
	sw, chip := leaf(t, "tomahawk5-ai-pod", "leaf")
	i := slices.IndexFunc(sw.Pools, func(p plan.Pool) bool { return p.Direction == plan.Ingress && p.Headroom.Value > 0 })
	other := sw.Pools[i]
	other.Name = "second"
	other.Size.Value, other.Headroom.Value = 10*units.MB, 10*units.MB
	sw.Pools[i].Size.Value -= 10 * units.MB
	sw.Pools = append(sw.Pools, other)
	own := *sw.Ports[0].QoS
	own.PGs = slices.Clone(own.PGs)
	for k := range own.PGs {
		if own.PGs[k].Lossless {
			own.PGs[k].Pool = "second"
		}
	}
	sw.Ports[0].QoS = &own
	report := prove(t, sw, chip, proof.Context{})
	for _, err := range proof.Recheck(proof.Certify(report, sw.Names, sw.Chip, nil), nil) {
		t.Error(err)
	}
	need, seconds := int64(0), 0
	for _, o := range report.Obligations {
		if o.ID == proof.Headroom && strings.Contains(o.Where, "(1 × ") {
			need = o.Left.Value // of the one port
		}
		if o.ID == proof.HeadroomPool && strings.HasSuffix(o.Where, "pool second") {
			// Nothing is published of the byte with which the chip decides: a frame of 17 cells more may come in.
			if seconds++; o.Left.Value != need+17 {
				t.Errorf("%v, want %d of one port, and a frame", &o, need)
			}
		}
	}
	if seconds != 1 || need == 0 {
		t.Errorf("%d obligations on the second pool, %d cells", seconds, need)
	}
}

// Of a switch without a lossless group there is no class to multiply, and no margin to find.
func TestMarginsWithoutALosslessGroup(t *testing.T) {
	sw, chip := leaf(t, "tomahawk5-ai-pod", "leaf")
	sw.Ports = sw.Ports[:2]
	for i := range sw.Ports {
		own := *sw.Ports[i].QoS
		own.PGs = slices.DeleteFunc(slices.Clone(own.PGs), func(g plan.PG) bool { return g.Lossless })
		sw.Ports[i].QoS = &own
	}
	found, err := proof.Margins(sw, chip, proof.Context{})
	if err != nil || len(found) != 1 || found[0].Classes != 8 || found[0].ClassesBreak != "" || found[0].CableBreaks != "" {
		t.Errorf("%+v, %v", found, err)
	}
}

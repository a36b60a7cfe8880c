package proof_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/roceplan/roceplan/chips"
	"github.com/roceplan/roceplan/internal/testing/must"
	"github.com/roceplan/roceplan/model/proof"
	"github.com/roceplan/roceplan/plan"
	"github.com/roceplan/roceplan/units"
)

// queued is pair with frames of 64 B, so much headroom and queues of so many cells, on a chip that pauses with the first packet
// that finds no room, and of which it may be published that its layers take 10 ns.
func queued(t *testing.T, known bool, headroom, queue units.Bytes, more ...string) (*plan.Switch, *chips.Chip) {
	published := func(datum, value string) string {
		return fmt.Sprintf("%s {\n value = %q\n confidence = \"published\"\n source = \"a test\"\n }\n", datum, value)
	}
	data := published("pause", "on_excess")
	if known {
		data += published("pause_delay", "10ns")
	}
	sw, chip := pair(t, data+strings.Join(more, ""))
	for i := range sw.Ports {
		sw.Ports[i].MTU, sw.Ports[i].Assumed.LosslessFrame.Value = 64, 64
	}
	sw.Ports[0].QoS.PGs[0].Headroom.Value, sw.Ports[0].QoS.Queues[0].Limit.Value.Static = headroom*208, queue*208
	return sw, chip
}

func ofQueue(t *testing.T, report *proof.Report) *proof.Obligation {
	i := slices.IndexFunc(report.Obligations, func(o proof.Obligation) bool { return o.ID == proof.QueueHolds })
	if i < 0 {
		t.Fatal(report.Obligations)
	}
	return &report.Obligations[i]
}

// A queue takes what its one sender holds: 220 of the 660 cells that are shared at an alpha of 1/2, 3 that come in (in
// 154,414 ps there are 193 B of frames of 84 B), and one more if the chip decides with the last byte, of which nothing is
// published. With a cell less it holds on the condition that it does not; with two less it fails. So it is at 100 Mb/s with
// a cable of 1 m, where 170 B come in before a peer that takes the 64 B that IEEE 802.3 allows, and 234 B with it.
func TestQueueThatDecides(t *testing.T) {
	for _, speed := range []units.BitRate{10 * units.Gbps, 100 * units.Mbps} {
		for limit, want := range map[units.Bytes]proof.Verdict{224: proof.Holds, 223: proof.Conditional, 222: proof.Fails} {
			sw, chip := queued(t, true, 20, limit)
			for i := range sw.Ports {
				if sw.Ports[i].Speed = speed; speed < units.Gbps {
					sw.Ports[i].Assumed.Declared = false
				}
			}
			report := prove(t, sw, chip, proof.Context{})
			o := ofQueue(t, report)
			if o.Verdict != want || o.Left.Value != 220+3+1 || len(o.Conditions) > 0 != (want == proof.Conditional) {
				t.Errorf("%v, %d cells: %v, %+v", speed, limit, o, o.Conditions)
			}
			if o.Verdict == proof.Conditional {
				if c := o.Conditions[0]; len(o.Conditions) != 1 || c.ID != proof.ChipDatum || c.Declare != "xoff_decided of chip own" || c.Short != 1 || o.Under == nil || o.Under.Left.Value != 223 || o.Under.Right.Value != 223 {
					t.Errorf("%v: %+v", speed, o)
				}
			}
			for _, err := range proof.Recheck(proof.Certify(report, sw.Names, sw.Chip, nil), nil) {
				t.Errorf("%v, %d cells: %v", speed, limit, err)
			}
		}
	}
}

// With a response of 100 ns that is declared there are 318 B in 254,414 ps, and 4 cells come in: that is so whichever byte decides.
func TestQueueThatDecidesWithAResponse(t *testing.T) {
	for limit, want := range map[units.Bytes]proof.Verdict{225: proof.Holds, 224: proof.Conditional, 223: proof.Fails} {
		sw, chip := queued(t, true, 20, limit)
		for i := range sw.Ports {
			sw.Ports[i].Assumed.Response.Value = 100 * units.Nanosecond
		}
		if o := ofQueue(t, prove(t, sw, chip, proof.Context{})); o.Verdict != want || o.Left.Value != 220+4+1 || o.Under != nil && o.Under.Left.Value != 224 {
			t.Errorf("%d cells: %+v", limit, o)
		}
	}
}

// A memory of 420 cells holds what two groups take of 580, 193 and 129, one each for the byte that decides, and 48 each that come
// in. That is so for less than 4032 B of wire, 3,225,277 ps, of which 154,414 are gone. That 700 are distributed is a fault, and
// loses nothing by itself.
func TestTimeOfAMemory(t *testing.T) {
	sw, chip := queued(t, true, 60, 1<<20, "usable_buffer {\n value = \"87360B\"\n confidence = \"published\"\n source = \"a test\"\n }\n")
	for i := range sw.Ports {
		sw.Ports[i].Assumed.Declared = false
	}
	report := prove(t, sw, chip, proof.Context{})
	var told []string
	for i := range report.Obligations {
		o := &report.Obligations[i]
		if o.ID != proof.Memory {
			continue
		}
		told = append(told, fmt.Sprint(o.Where, " ", o.Verdict, " ", o.Lossless, " ", o.Left.Value, " ", o.Right.Value))
		if o.Verdict == proof.Conditional {
			if c := o.Conditions[0]; len(o.Conditions) != 1 || c.ID != proof.PeerResponse || c.Bound != 3_225_277-154_414-1 || c.Short != 12 || o.Under == nil || o.Under.Left.Value != 420 || o.Under.Right.Value != 420 {
				t.Errorf("%+v", o)
			}
		}
	}
	if want := []string{"slice 0 fails false 700 420", "slice 0, held at once conditional true 432 420"}; !slices.Equal(told, want) {
		t.Errorf("%q, want %q", told, want)
	}
	c := proof.Certify(report, sw.Names, sw.Chip, nil)
	for _, err := range proof.Recheck(c, nil) {
		t.Error(err)
	}
	must.Equal(t, c.Verdict, proof.Conditional)
}

// What is conditional on a memory is not what another datum that is assumed tells to be tightest.
func TestTightestBesideAMemory(t *testing.T) {
	assumed := func(datum, value string) string {
		return fmt.Sprintf("%s {\n value = %q\n confidence = \"assumed\"\n source = \"a test\"\n }\n", datum, value)
	}
	sw, chip := pair(t, assumed("usable_buffer", "20800B")+assumed("xoff_decided", "start"))
	asked := 0
	for _, o := range prove(t, sw, chip, proof.Context{}).Obligations {
		for _, c := range o.Conditions {
			if asked++; c.ID == proof.AssumedDatum && strings.Contains(c.Assumes, "with -") {
				t.Errorf("%s: %s", o.Where, c.Assumes)
			}
		}
	}
	if asked == 0 {
		t.Error("nothing is assumed")
	}
}

// A queue of 240 cells takes 193 of the 580 that are shared, one more for the byte that decides, and 46 that come in. That is
// so for less than 3864 B of wire, 3,090,890 ps, of which 154,414 are gone; IEEE 802.3 allows the peer 67 quanta, 3,430,400 ps.
// A picosecond is taken off. With layers of which nothing is published it is 3,090,890 less 144,414 for both, of which the
// layers have their 819,200.
func TestTimeOfAQueue(t *testing.T) {
	for _, known := range []bool{true, false} {
		sw, chip := queued(t, known, 60, 240)
		want := int64(3_090_890 - 154_414 - 1)
		if !known {
			want = 3_090_890 - 144_414 - 1 - 819_200
		}
		for i := range sw.Ports {
			sw.Ports[i].Assumed.Declared = false
		}
		report := prove(t, sw, chip, proof.Context{})
		o := ofQueue(t, report)
		if o.Verdict != proof.Conditional || o.Under == nil || o.Under.Left.Value != 240 || len(o.Conditions) != 1 {
			t.Errorf("%v: %+v", known, o)
			continue
		}
		if c := o.Conditions[0]; c.ID != proof.PeerResponse || c.Bound != want || c.Worst != 3_430_400 || c.Unit != proof.InTime || c.Where != "g (2 × 10Gbps, 1m)" || c.Short != o.Left.Value-240 || !strings.HasPrefix(c.Assumes, fmt.Sprintf("the peer is silent within %v of a pause", units.Time(want))) {
			t.Errorf("%v: %+v, want %d", known, c, want)
		}
		for i := range report.Model.Ports {
			must.Equalf(t, int64(report.Model.Ports[i].Link.Response), want, "%v: in the model:", known)
		}
		for _, err := range proof.Recheck(proof.Certify(report, sw.Names, sw.Chip, nil), nil) {
			t.Error(err)
		}
	}
}

// Two passages of MAC and PCS, of 84,500 ps each, are the least time that a condition names: of what 5 frames leave,
// 335,966 less 144,414 ps, gearboxes take the rest. With two picoseconds less nothing but the first byte helps; a condition
// takes one off.
func TestShortestTimeOfAQueue(t *testing.T) {
	for more := range units.Time(2) {
		sw, chip := queued(t, false, 60, 193+5+1)
		for i := range sw.Ports {
			sw.Ports[i].Assumed.Declared, sw.Ports[i].Gearbox = false, (335_966-144_414-169_000)/2+more
		}
		report := prove(t, sw, chip, proof.Context{})
		o := ofQueue(t, report)
		if more == 0 && (o.Verdict != proof.Conditional || report.Model.Ports[0].Link.Interface != 0 || report.Model.Ports[0].Link.Response != 168_999) {
			t.Errorf("%v: %+v", o, report.Model.Ports[0].Link)
		}
		if decided := slices.ContainsFunc(o.Conditions, func(c proof.Condition) bool { return c.Declare == "xoff_decided of chip own" }); decided != (more == 1) {
			t.Errorf("%d more: %+v", more, o.Conditions)
		}
	}
}

// Half is the least share that is named: with a cable of 7 m 484 B come in, one large packet and two small ones, which with the
// one beside are half, and with less than that only one of them. Five small ones are more than 83 % of six.
func TestLeastShareOfAQueue(t *testing.T) {
	for limit, want := range map[units.Bytes]proof.Verdict{220 + 5 + 2: proof.Holds, 220 + 4 + 2: proof.Conditional, 220 + 3 + 2: proof.Fails} {
		sw, chip := queued(t, true, 20, limit, "xoff_decided {\n value = \"start\"\n confidence = \"published\"\n source = \"a test\"\n }\n")
		for i := range sw.Ports {
			sw.Ports[i].MTU, sw.Ports[i].Assumed.LosslessFrame.Value, sw.Ports[i].Cable = 280, 280, 7*units.Metre
		}
		o := ofQueue(t, prove(t, sw, chip, proof.Context{}))
		if o.Verdict != want || want == proof.Conditional && o.Conditions[0].Bound != int64(83*units.Percent) {
			t.Errorf("%d cells: %+v", limit, o)
		}
	}
}

// Where no time is left to shorten, fewer small packets may help. With frames of 280 B 409 B come in: four packets of a cell of
// 84 B of wire each, or with one of 300 B, which has two, one of 84 B; and one of two cells beside them. Four of five are
// small where 80 % may be: with 79 % it is a cell less, and no share of half and more saves another one.
func TestShareOfAQueue(t *testing.T) {
	for limit, want := range map[units.Bytes]proof.Verdict{220 + 4 + 2: proof.Holds, 220 + 3 + 2: proof.Conditional, 220 + 2 + 2: proof.Fails} {
		sw, chip := queued(t, true, 20, limit, "xoff_decided {\n value = \"start\"\n confidence = \"published\"\n source = \"a test\"\n }\n")
		for i := range sw.Ports {
			sw.Ports[i].MTU, sw.Ports[i].Assumed.LosslessFrame.Value = 280, 280
		}
		report := prove(t, sw, chip, proof.Context{})
		o := ofQueue(t, report)
		if o.Verdict != want || o.Left.Value != 220+4+2 {
			t.Errorf("%d cells: %+v", limit, o)
		}
		if want == proof.Conditional {
			if c := o.Conditions[0]; len(o.Conditions) != 1 || c.ID != proof.PacketMix || c.Bound != int64(79*units.Percent) || c.Worst != int64(100*units.Percent) || c.Short != 1 || o.Under.Left.Value != 225 || report.Model.Ports[0].Link.SmallPackets != 79*units.Percent {
				t.Errorf("%+v", o)
			}
		}
		for _, err := range proof.Recheck(proof.Certify(report, sw.Names, sw.Chip, nil), nil) {
			t.Error(err)
		}
		// Of packets of which nobody says how large the large ones are no mix is asked for.
		for i := range sw.Ports {
			sw.Ports[i].Assumed.LosslessFrame.Value = 0
		}
		if o := ofQueue(t, prove(t, sw, chip, proof.Context{})); (o.Verdict == proof.Conditional) || len(o.Conditions) > 0 {
			t.Errorf("%d cells: %+v", limit, o)
		}
	}
}

package proof_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/roceplan/roceplan/chips"
	"github.com/roceplan/roceplan/internal/testing/must"
	"github.com/roceplan/roceplan/model/proof"
	"github.com/roceplan/roceplan/plan"
	"github.com/roceplan/roceplan/units"
)

// of64 is pair with frames of 64 B, a cell each: 20 cells of headroom for 84 B of wire each.
func of64(t *testing.T) (*plan.Switch, *chips.Chip) {
	sw, chip := pair(t, "")
	sw.Ports[0].QoS.PGs[0].Headroom.Value = 20 * 208
	for i := range sw.Ports {
		sw.Ports[i].MTU = 64
		sw.Ports[i].Assumed.LosslessFrame.Value = 64
	}
	return sw, chip
}

// Margins by hand. In w = 134,414 + 819,200 + 10,000 ps for each metre there come floor(w · 10,001/8,000,000) B, each 84 of
// them a frame, and one more: 20 where w is less than 1,343,866 ps. That is 39 m; and 21 where w is less than 1,411,059, or
// 45 m, for a port that is alone and has a cell of those below its threshold. Frames of 352 B take 416 B of two cells, of
// 353 B one more; and where 21 fit, 429 B are too many: 1,569 B come in, nine packets of two cells and 165 B and one of 84 B, and
// one of three cells beside them. Of 100 cells three classes of two ports would leave none to share, of 90 not even two.
func TestMarginsByHand(t *testing.T) {
	declared := plan.Assumed{Declared: true, LosslessFrame: plan.Of(units.Bytes(64), nil)}
	for _, c := range []struct {
		what string
		of   func(sw *plan.Switch, ctx *proof.Context) *plan.Switch
		want proof.Margin
	}{
		{"two ports", func(sw *plan.Switch, _ *proof.Context) *plan.Switch { return sw }, proof.Margin{Cable: 39, FanIn: 1, Classes: 8, MTU: 352}},
		{"of which nothing is in the plan", func(sw *plan.Switch, ctx *proof.Context) *plan.Switch {
			for i := range sw.Ports {
				sw.Ports[i].Assumed = nil
			}
			ctx.Default = &declared
			return sw
		}, proof.Margin{Cable: 39, FanIn: 1, Classes: 8, MTU: 352}},
		{"one port", func(sw *plan.Switch, _ *proof.Context) *plan.Switch {
			sw.Ports = sw.Ports[:1]
			return sw
		}, proof.Margin{Cable: 45, FanIn: 1, Classes: 8, MTU: 428}},
		{"four ports of which two send at once, and queues take what two senders hold", func(sw *plan.Switch, ctx *proof.Context) *plan.Switch {
			ctx.FanIn = 2
			sw.Ports = append(sw.Ports, sw.Ports...)
			sw.Ports[2].Name, sw.Ports[3].Name = "c", "d"
			// Of 700 cells 80 are headroom: of 620 one takes 206 and the next 138, and each has 20 of headroom.
			sw.Ports[0].QoS.Queues[0].Limit.Value.Static = (206 + 138 + 2*20) * 208
			return sw
		}, proof.Margin{Cable: 39, FanIn: 2, Classes: 8, MTU: 352, FanInBreaks: proof.QueueHolds}},
		{"a pool of 100 cells", func(sw *plan.Switch, _ *proof.Context) *plan.Switch {
			sw.Pools[0].Size.Value = 100 * 208
			return sw
		}, proof.Margin{Cable: 39, FanIn: 1, Classes: 2, MTU: 352, ClassesBreak: proof.LossyShare}},
	} {
		sw, chip := of64(t)
		ctx := proof.Context{}
		sw = c.of(sw, &ctx)
		found, err := proof.Margins(sw, chip, ctx)
		if err != nil || len(found) != 1 {
			t.Errorf("%s: %+v, %v", c.what, found, err)
			continue
		}
		c.want.Group, c.want.Now, c.want.Cable, c.want.CableBreaks, c.want.MTUBreaks = "g", units.Metre, c.want.Cable*units.Metre, proof.Headroom, proof.Headroom
		must.Equalf(t, found[0], c.want, "%s:", c.what)
		for dimension, broken := range proof.AtMargin(sw, chip, ctx, found[0]) {
			if at, beyond, says := broken[0], broken[1], broken[2]; at != "" || says != "" && beyond != says {
				t.Errorf("%s, %s: at the margin %q breaks, beyond %q, said is %q", c.what, dimension, at, beyond, says)
			}
		}
	}
}

// Margins are those of each group and each length of its cables, in the order of their first ports. Ports without PFC, or
// of which nothing is told, have none.
func TestMarginsOfGroups(t *testing.T) {
	sw, chip := of64(t)
	port := func(name, group string, cable units.Length) plan.Port {
		own := sw.Ports[0]
		own.Name, own.Group, own.Cable = name, group, cable*units.Metre
		return own
	}
	off, bare := port("off", "off", 1), port("bare", "bare", 1)
	qos := *off.QoS
	qos.PFC, qos.PGs = 0, nil
	off.QoS, bare.QoS = &qos, nil
	sw.Ports = []plan.Port{port("a", "z", 5), off, bare, port("b", "", 2), port("c", "z", 3), port("d", "z", 5), port("e", "y", 5)}
	found, err := proof.Margins(sw, chip, proof.Context{})
	var got []string
	for _, m := range found {
		got = append(got, fmt.Sprint(m.Group, " ", m.Now, " ", m.Cable))
	}
	if want := []string{"z 5m 39m", "b 2m 39m", "z 3m 39m", "y 5m 39m"}; err != nil || !slices.Equal(got, want) {
		t.Errorf("%q, %v", got, err)
	}
}

// Where nothing can be judged nothing breaks, up to 100 km, frames of 16 KiB and eight classes.
func TestBoundsOfMargins(t *testing.T) {
	sw, chip := of64(t)
	sw.Pools = nil
	found, err := proof.Margins(sw, chip, proof.Context{})
	if want := (proof.Margin{Group: "g", Now: units.Metre, Cable: 100 * units.Kilometre, FanIn: 1, Classes: 8, MTU: 16_384}); err != nil || len(found) != 1 || found[0] != want {
		t.Errorf("%+v, %v", found, err)
	}
}

// Where something breaks whatever the margin is, there is none: a watchdog that waits for less than a pause.
func TestNoMargins(t *testing.T) {
	sw, chip := of64(t)
	sw.Watchdog = &plan.Watchdog{Detection: plan.Of(units.Time(1), nil), Restoration: plan.Of(units.Second, nil), Poll: plan.Of(units.Time(1), nil)}
	found, err := proof.Margins(sw, chip, proof.Context{})
	const watchdog = proof.WatchdogPause
	if want := (proof.Margin{Group: "g", Now: units.Metre, CableBreaks: watchdog, FanInBreaks: watchdog, ClassesBreak: watchdog, MTUBreaks: watchdog}); err != nil || len(found) != 1 || found[0] != want {
		t.Errorf("%+v, %v", found, err)
	}
}

// Of frames that are partly small, larger ones may need less: of 352 B ten cells come in on 1,492 B of wire (four of 84 B and
// three of 372 B) and two more, of 256 B eleven on 1,396 B (three and four of 276 B) and two more. A margin does not end below
// the MTU that holds.
func TestMTUThatHolds(t *testing.T) {
	sw, chip := of64(t)
	sw.Ports[0].QoS.PGs[0].Headroom.Value = 12 * 208
	at := func(mtu units.Bytes) proof.Verdict {
		for i := range sw.Ports {
			sw.Ports[i].MTU = mtu
			sw.Ports[i].Assumed = &plan.Assumed{Declared: true, LosslessFrame: plan.Of(mtu, nil), SmallPackets: plan.Of(50*units.Percent, nil)}
		}
		for _, o := range prove(t, sw, chip, proof.Context{}).Obligations {
			if o.ID == proof.Headroom {
				must.Equalf(t, o.Left.Value, map[units.Bytes]int64{256: 13, 352: 12}[mtu], "%v: cells:", mtu)
				return o.Verdict
			}
		}
		return proof.Unjudged
	}
	if at(256) == proof.Holds {
		t.Error("13 cells fit 12")
	}
	at(352)
	found, err := proof.Margins(sw, chip, proof.Context{})
	if err != nil || len(found) != 1 || found[0].MTU < 352 {
		t.Errorf("%+v, %v", found, err)
	}
}

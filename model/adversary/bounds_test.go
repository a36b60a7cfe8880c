package adversary_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/roceplan/roceplan/internal/testing/must"
	"github.com/roceplan/roceplan/internal/testing/smallswitch"
	"github.com/roceplan/roceplan/model/adversary"
	"github.com/roceplan/roceplan/model/proof"
	"github.com/roceplan/roceplan/plan"
	"github.com/roceplan/roceplan/units"
)

// small is a switch of so many ports at 40 Gb/s, with one lossless group and queue each. Sizes
// are in cells of 208 B and those of pools hold for the four slices of a Tomahawk together.
// The ports are at pipes 0 to 3 in turn: half of them in slice 0, half in slice 2.
func small(ports int, edit func(qos *plan.PortQoS, in *plan.Pool)) *plan.Switch {
	const cell = 208
	cells := func(n units.Bytes) plan.Derived[units.Bytes] { return plan.Of(n*cell, nil) }
	static := func(n units.Bytes) plan.Derived[plan.Limit] {
		return plan.Of(plan.Limit{Static: n * cell}, nil)
	}
	in := plan.Pool{Name: "in", Dynamic: true, Size: cells(20_000), Headroom: cells(8_000)}
	qos := &plan.PortQoS{
		PFC:    1 << 3,
		PGs:    []plan.PG{{ID: 3, Pool: "in", Lossless: true, Headroom: cells(1_000), Limit: plan.Of(plan.Limit{Dynamic: true}, nil)}},
		Queues: []plan.Queue{{ID: 3, Pool: "out", Limit: static(1 << 20)}},
	}
	edit(qos, &in)
	sw := &plan.Switch{
		Names: []string{"s"}, Chip: "tomahawk", Cell: cell, MTU: plan.Of[units.Bytes](1500, nil),
		Pools: []plan.Pool{in, {Name: "out", Direction: plan.Egress, Size: cells(1 << 20)}},
	}
	for i := range ports {
		sw.Ports = append(sw.Ports, plan.Port{
			Name: fmt.Sprintf("Ethernet%d", i), Speed: 40 * units.Gbps, Cable: 30 * units.Metre, MTU: 1500, QoS: qos,
			Lanes:   []int{1 + 32*(i%4) + 4*(i/4)},
			Assumed: &plan.Assumed{Declared: true, Response: plan.Of(units.Microsecond, nil)},
		})
	}
	smallswitch.Number(sw)
	return sw
}

// proved returns the report of a switch, with the counterexample where packets are lost, or would be
// but for the conditions. Prover and adversary have to agree.
func proved(t *testing.T, sw *plan.Switch) (*proof.Report, *adversary.Result) {
	t.Helper()
	chip, _ := catalogue(t).Find(sw.Chip)
	j, err := drawn{sw, chip}.judge()
	if err == nil {
		_, err = j.agree()
	}
	must.Do(t, err)
	if j.worst != nil {
		return j.report, j.worst
	}
	return j.report, j.result
}

// A whole port that may take less of the egress pool than its senders hold before they are
// all paused drops lossless packets, whatever its queues may take. One that may take more
// does not.
func TestPortBoundsAtTheEgress(t *testing.T) {
	bounded := func(limit plan.Limit) *plan.Switch {
		return small(8, func(qos *plan.PortQoS, _ *plan.Pool) {
			qos.Pools = []plan.PortPool{{Pool: "out", Limit: plan.Of(limit, nil)}}
		})
	}
	for _, limit := range []plan.Limit{{Static: 4 * 100 * 208}, {Dynamic: true, Alpha: -8}} {
		report, result := proved(t, bounded(limit))
		if result.Found == nil || result.Found.Loss.Why != "egress port limit" {
			t.Errorf("%v: %v", limit, result)
		}
		if failing := report.Failing(); len(failing) == 0 || failing[0].ID != proof.PortHolds {
			t.Errorf("%v: failing are %v", limit, failing)
		}
	}
	for _, limit := range []plan.Limit{{Static: 1 << 19 * 208}, {Dynamic: true, Alpha: 7}} {
		report, result := proved(t, bounded(limit))
		held := 0
		for _, o := range report.Obligations {
			if o.ID == proof.PortHolds && o.Verdict != proof.Fails && o.Verdict != proof.Unjudged {
				held++
			}
		}
		if result.Found != nil || held == 0 {
			t.Errorf("%v: %d obligations hold, %v", limit, held, result)
		}
	}
}

// A bound of the whole port on the ingress side pauses sooner and loses nothing by that: the
// group turns to its headroom.
func TestPortBoundsAtTheIngress(t *testing.T) {
	for _, limit := range []plan.Limit{{Static: 4 * 50 * 208}, {Dynamic: true, Alpha: -5}} {
		report, result := proved(t, small(8, func(qos *plan.PortQoS, _ *plan.Pool) {
			qos.Pools = []plan.PortPool{{Pool: "in", Limit: plan.Of(limit, nil)}}
		}))
		if report.LosesPackets() || result.Found != nil {
			t.Errorf("%v: %v %v", limit, report.Failing(), result)
		}
	}
}

// A reserve of a whole port on the ingress side is not modelled, and says so.
func TestPortReserveIsNotJudged(t *testing.T) {
	sw := small(4, func(qos *plan.PortQoS, _ *plan.Pool) {
		qos.Pools = []plan.PortPool{{Pool: "in", Reserved: plan.Of[units.Bytes](2080, nil), Limit: plan.Of(plan.Limit{Static: plan.NoLimit}, nil)}}
	})
	chip, _ := catalogue(t).Find(sw.Chip)
	report, err := proof.Prove(sw, chip, proof.Context{})
	if err != nil || report.Model != nil || len(report.Unjudged()) == 0 {
		t.Errorf("%v, %v", err, report.Unjudged())
	}
}

// Of switches that are all alike, a sender other than the port of the crowded queue has to
// climb: 22 cells below the threshold and an xon of 177 let each keep 130 in its headroom.
func TestClimberFromAnotherPort(t *testing.T) {
	sw := small(7, func(qos *plan.PortQoS, in *plan.Pool) {
		in.Size, in.Headroom = plan.Of[units.Bytes](4*205*208, nil), plan.Of[units.Bytes](4*7000*208, nil)
		pg := &qos.PGs[0]
		pg.Reserved, pg.XOn, pg.Limit.Value.Alpha = plan.Of[units.Bytes](25*208, nil), plan.Of[units.Bytes](177*208, nil), -3
	})
	report, _ := proved(t, sw)
	left := int64(0)
	for _, o := range report.Obligations {
		if o.ID == proof.QueueHolds {
			left = max(left, o.Left.Value)
		}
	}
	if left == 0 {
		t.Fatal("nothing was proved of queues")
	}
	for i := range sw.Ports {
		sw.Ports[i].QoS.Queues[0].Limit.Value.Static = units.Bytes(4*(left+20)) * 208
	}
	report, result := proved(t, sw)
	if result.Found == nil || result.Found.Loss.Why != "egress queue limit" {
		t.Errorf("a queue with 20 cells more than senders hold that do not climb: %v, %v", report.Failing(), result)
	}
}

// A group that may be resumed while it is full has no cell left below its threshold for the
// packet that pauses it again: alone in a pool of headroom it takes all that comes in.
func TestResumedFullTakesAllOfTheHeadroomPool(t *testing.T) {
	need := units.Bytes(0)
	full := func(pool units.Bytes) *plan.Switch {
		return small(2, func(qos *plan.PortQoS, in *plan.Pool) {
			in.Headroom = plan.Of(pool*4*208, nil)
			pg := &qos.PGs[0]
			pg.Limit, pg.XOn = plan.Of(plan.Limit{Static: 4 * 2 * 208}, nil), plan.Of[units.Bytes](2*208, nil)
		})
	}
	report, _ := proved(t, full(1000))
	for _, o := range report.Obligations {
		if o.ID == proof.HeadroomPool {
			need = units.Bytes(o.Left.Value)
		}
	}
	if report, result := proved(t, full(need)); result.Found != nil {
		t.Errorf("a pool of %d cells: %v %v", need, report.Failing(), result)
	}
	if report, result := proved(t, full(need-1)); result.Found == nil {
		t.Errorf("a pool of %d cells: %v %v", need-1, report.Failing(), result)
	}
}

// That a queue drops is not a verdict where it would take packets of ports of which the speed is
// not known; what the others send is.
func TestUnknownPortsRefuteNothing(t *testing.T) {
	verdicts := func(sw *plan.Switch) map[proof.Verdict]int {
		chip, _ := catalogue(t).Find(sw.Chip)
		report := must.Get(proof.Prove(sw, chip, proof.Context{}))(t)
		found := map[proof.Verdict]int{}
		for _, o := range report.Obligations {
			if o.ID == proof.QueueHolds {
				found[o.Verdict]++
			}
		}
		return found
	}
	// 5,000 cells of each slice are shared, of which one sender with an alpha of 1 takes half
	// and two take two thirds.
	sw := small(4, func(qos *plan.PortQoS, in *plan.Pool) { qos.Queues[0].Limit.Value.Static = 4 * 3_000 * 208 })
	if found := verdicts(sw); found[proof.Fails] == 0 {
		t.Errorf("two senders to a queue for one and a half: %v", found)
	}
	for i := range sw.Ports {
		if i%2 == 1 {
			sw.Ports[i].Speed = 0
		}
	}
	if found := verdicts(sw); found[proof.Fails] > 0 || found[proof.Unjudged] == 0 {
		t.Errorf("two senders, one of unknown speed: %v", found)
	}
	for i := range sw.Ports {
		sw.Ports[i].QoS.Queues[0].Limit.Value.Static = 4 * 300 * 208
	}
	if found := verdicts(sw); found[proof.Fails] == 0 {
		t.Errorf("a queue for less than one sender: %v", found)
	}
}

// A group that its port holds to 8 cells, whatever it may take itself, is not filled up by
// others who are held so too: of 206 cells five such groups leave 166, and one cell of the
// packet that pauses lies below the threshold.
func TestPortHoldsGroupsApart(t *testing.T) {
	d := drawing(t).Example(4573)
	report := must.Get(proof.Prove(d.sw, d.chip, proof.Context{}))(t)
	pg := report.Model.Config.Ports[0].PGs[3]
	if whole := report.Model.Config.Ports[0].Ingress[0].Limit.StaticCells; whole != 8 || pg.Limit.StaticCells != 587 {
		t.Fatalf("the port may take %v, the group %v", whole, pg.Limit.StaticCells)
	}
	for _, o := range report.Obligations {
		for _, term := range o.Terms {
			if o.ID == proof.Headroom && term.Symbol == "q" && term.Value != 1 {
				t.Errorf("%d cells below the threshold: %v", term.Value, &o)
			}
		}
	}
}

// Six senders draw on 1,002 cells: four with an alpha of 1/8 and two with one of 1. If those of 1 fill first, 844 cells
// are taken, since what they leave is rounded up twice before it is divided by nine; if the others do, 846. A queue for
// one cell less than that and headroom drops.
func TestNarrowGroupsFillFirst(t *testing.T) {
	of := func(queue units.Bytes) *plan.Switch {
		sw := small(12, func(qos *plan.PortQoS, in *plan.Pool) {
			in.Size, in.Headroom = plan.Of[units.Bytes](4*1002*208, nil), plan.Of[units.Bytes](4*6_000*208, nil)
			qos.Queues[0].Limit.Value.Static = 4 * queue * 208
		})
		narrow := *sw.Ports[0].QoS
		narrow.PGs = slices.Clone(narrow.PGs)
		narrow.PGs[0].Limit.Value.Alpha = -3
		for i := range 8 {
			sw.Ports[i].QoS = &narrow
		}
		return sw
	}
	report, _ := proved(t, of(9_000))
	need, most := int64(0), int64(0)
	for _, o := range report.Obligations {
		for _, term := range o.Terms {
			if o.ID == proof.Headroom && term.Symbol == "N" {
				need = term.Value
			}
		}
		if o.ID == proof.QueueHolds {
			most = max(most, o.Left.Value)
		}
	}
	// Nothing is published of the byte with which the chip decides: with the last one a frame of 8 cells more comes in.
	if most != 846+6*(need+8) {
		t.Errorf("senders hold %d cells, want 846 and six times %d and a frame", most, need)
	}
	if report, result := proved(t, of(units.Bytes(most))); report.LosesPackets() || result.Found != nil {
		t.Errorf("a queue of %d: %v %v", most, report.Failing(), result)
	}
	// Each of the six may have had a cell of its pausing packet below its threshold.
	report, result := proved(t, of(units.Bytes(most-7)))
	short := slices.ContainsFunc(report.Conditional(), func(o *proof.Obligation) bool { return o.ID == proof.QueueHolds })
	if !short || result.Found == nil {
		t.Errorf("a queue of %d: %v %v", most-7, report.Conditional(), result)
	}
}

package verify

import (
	"errors"
	"fmt"
	"slices"
	"testing"

	"github.com/roceplan/roceplan/chips"
	"github.com/roceplan/roceplan/diag"
	"github.com/roceplan/roceplan/internal/testing/must"
	"github.com/roceplan/roceplan/model/proof"
	"github.com/roceplan/roceplan/plan"
	"github.com/roceplan/roceplan/units"
)

// What the fabric declares of a port enters where the file says nothing, and each kind of it is
// listed once, with how many ports have it from there.
func TestFromFabric(t *testing.T) {
	declared := &plan.Assumed{Declared: true, Response: plan.Of(2*units.Microsecond, nil), LosslessFrame: plan.Of(units.Bytes(4200), nil)}
	of := func(name string) plan.Port {
		return plan.Port{Name: name, Group: "gpus", Peer: "nic-1", Speed: 100 * units.Gbps, Cable: 5 * units.Metre, MTU: 9216, Gearbox: 40 * units.Nanosecond, Lanes: []int{1, 2}, Assumed: declared}
	}
	planned := &plan.Switch{MTU: plan.Of(units.Bytes(9216), nil), PausedPGs: 3, Ports: []plan.Port{of("a"), of("b"), of("c")}}
	own := plan.Port{
		Name: "b", Group: "Ethernet", Peer: "nic-9", Speed: 25 * units.Gbps, Cable: units.Metre, MTU: 1500, Gearbox: units.Nanosecond, Lanes: []int{7},
		Assumed: &plan.Assumed{LosslessFrame: plan.Of(units.Bytes(1000), nil)},
	}
	s := &Switch{Plan: &plan.Switch{Ports: []plan.Port{{Name: "a"}, own, {Name: "x"}, {Name: "c"}}}}
	s.fromFabric(planned)
	want := own
	want.Group = "gpus"
	for i, want := range []plan.Port{of("a"), want, {Name: "x"}, of("c")} {
		if got := s.Plan.Ports[i]; fmt.Sprintf("%+v", got) != fmt.Sprintf("%+v", want) {
			t.Errorf("%+v, want %+v", got, want)
		}
	}
	if s.Plan.MTU.Value != 9216 || s.Plan.PausedPGs != 3 {
		t.Errorf("of the switch: %v, %d groups", s.Plan.MTU.Value, s.Plan.PausedPGs)
	}
	if want := []string{
		"at most 3 groups of a part of the buffer paused at once", "speeds of 2 ports", "lengths of cables of 2 ports", "largest frames of 2 ports",
		"delays of gearboxes of 2 ports", "serdes lanes of 2 ports",
		"lossless frames of gpus have 4200B at most", "peers of gpus respond to a pause within 2us",
	}; !slices.Equal(s.Declared, want) {
		t.Errorf("declared: %q, want %q", s.Declared, want)
	}
	again := &Switch{Plan: &plan.Switch{PausedPGs: 5, MTU: plan.Of(units.Bytes(1500), nil), Ports: []plan.Port{own}}}
	if again.fromFabric(planned); len(again.Declared) > 0 || again.Plan.PausedPGs != 5 || again.Plan.MTU.Value != 1500 {
		t.Errorf("a file that says everything: %q, %+v", again.Declared, again.Plan)
	}
}

// What is said of peers: a response where it is declared, a largest frame that is less than the
// port's, and a share of smallest packets that is not all of them.
func TestPeerText(t *testing.T) {
	for _, c := range []struct {
		a    *plan.Assumed
		want []string
	}{
		{nil, nil},
		{&plan.Assumed{}, nil},
		{&plan.Assumed{LosslessFrame: plan.Of(units.Bytes(1499), nil)}, []string{"lossless frames of g have 1499B at most"}},
		{&plan.Assumed{LosslessFrame: plan.Of(units.Bytes(1500), nil)}, nil}, // the port has no larger ones
		{&plan.Assumed{LosslessFrame: plan.Of(units.Bytes(1), nil)}, []string{"lossless frames of g have 1B at most"}},
		{&plan.Assumed{SmallPackets: plan.Of(50*units.Percent, nil)}, []string{"of the packets that g takes in after a pause at most 50% are of the smallest size"}},
		{&plan.Assumed{SmallPackets: plan.Of(100*units.Percent, nil)}, nil}, // any mix of sizes
		{&plan.Assumed{Declared: true}, []string{"peers of g respond to a pause within 0ps"}},
	} {
		if got := peerText(&plan.Port{Group: "g", MTU: 1500, Assumed: c.a}); !slices.Equal(got, c.want) {
			t.Errorf("%+v: %q, want %q", c.a, got, c.want)
		}
	}
}

// What is declared of one port counts before what is declared of all, and what is known already
// before both.
func TestDeclarePeers(t *testing.T) {
	known, single := &plan.Assumed{}, &plan.Assumed{Declared: true, Response: plan.Of(units.Microsecond, nil)}
	response := 3 * units.Microsecond
	for _, c := range []struct {
		peers Peers
		want  []string
		all   bool // whether the port of which nothing is said gets what is declared of all
	}{
		{Peers{}, []string{"peers of g respond to a pause within 1us"}, false},
		{Peers{Response: &response}, []string{"peers of g respond to a pause within 1us", "every peer responds to a pause within 3us"}, true},
		{Peers{LosslessFrame: 1}, []string{"peers of g respond to a pause within 1us", "lossless frames have 1B at most"}, true},
	} {
		c.peers.Of = map[plan.LinkEnd]*plan.Assumed{{Switch: "a", Port: "p1"}: single, {Switch: "a", Port: "p2"}: single, {Switch: "a", Port: "p0"}: single, {Switch: "b", Port: "p3"}: single}
		s := &Switch{Names: []string{"a", "b"}, Plan: &plan.Switch{Ports: []plan.Port{{Name: "p0", Assumed: known}, {Name: "p1", Group: "g"}, {Name: "p2", Group: "g"}, {Name: "p3"}}}}
		(&Verifier{Options: Options{Peers: c.peers}}).declarePeers(s)
		if ports := s.Plan.Ports; ports[0].Assumed != known || ports[1].Assumed != single || ports[2].Assumed != single || (ports[3].Assumed != nil) != c.all {
			t.Errorf("%+v: %v", c.peers, ports)
		}
		if !slices.Equal(s.Declared, c.want) {
			t.Errorf("%+v: %q, want %q", c.peers, s.Declared, c.want)
		}
		if a := s.Plan.Ports[3].Assumed; a != nil && (a.Declared != (c.peers.Response != nil) || a.Declared && a.Response.Value != response || a.LosslessFrame.Value != c.peers.LosslessFrame) {
			t.Errorf("%+v: %+v", c.peers, a)
		}
	}
}

// ofBuffer is a switch of one port with a lossless group and a queue.
func ofBuffer(reserved, headroom, queue units.Bytes, pools ...plan.Pool) *plan.Switch {
	why := &plan.Why{Kind: plan.ReadBack, Range: diag.Range{Filename: "f"}}
	return &plan.Switch{Pools: pools, Ports: []plan.Port{{Name: "a", QoS: &plan.PortQoS{
		PGs:    []plan.PG{{ID: 3, Lossless: true, Reserved: plan.Of(reserved, why), Headroom: plan.Of(headroom, why)}},
		Queues: []plan.Queue{{ID: 3, Reserved: plan.Of(queue, why)}},
	}}}}
}

// Memory that no line divides: reserves and headroom come off first, all that is left is the
// ingress pool's, and at egress all of it is one pool's. To the last byte of the 76,840 cells of 208 B
// that Tomahawk has, in four parts, each of which has as much taken off as the one where most is reserved.
func TestCompletePools(t *testing.T) {
	catalogue, _ := chips.Load()
	chip, _ := catalogue.Find("tomahawk")
	const memory, parts units.Bytes = 76_840 * 208, 4
	if chip.PoolSize.Or(chips.Gross) != chips.Net || chip.UsableBuffer.Or(0) != memory || chip.Slices.Or(1) != int(parts) {
		t.Fatal("the chip has other figures, or pools that hold reserves")
	}
	sized := func(side plan.Direction, size units.Bytes) plan.Pool {
		return plan.Pool{Name: side.String(), Direction: side, Size: plan.Of(size, nil)}
	}
	for _, c := range []struct {
		name            string
		sw              *plan.Switch
		taken           bool
		ingress, egress units.Bytes
	}{
		{"nothing is said", ofBuffer(1000, 3000, 500), true, memory - parts*4000, memory},
		{"both are sized", ofBuffer(1000, 3000, 500, sized(plan.Egress, 7), sized(plan.Ingress, 9)), false, 9, 7},
		{"the ingress pool is", ofBuffer(1000, 3000, 500, sized(plan.Ingress, 9)), true, 9, memory},
		{"the egress pool is", ofBuffer(1000, 3000, 500, sized(plan.Egress, 7)), true, memory - parts*4000, 7},
		{"a pool of headroom", ofBuffer(1000, 3000, 500, plan.Pool{Name: "own", Headroom: plan.Of(units.Bytes(2000), nil)}), true, memory - parts*1000 - 2000, memory},
		{"a byte is left", ofBuffer(memory/parts-4001, 4000, 0), true, parts, memory},
	} {
		taken, err := completePools(c.sw, chip)
		if err != nil || taken != c.taken {
			t.Errorf("%s: %v, %v", c.name, taken, err)
			continue
		}
		sizes := map[plan.Direction]units.Bytes{}
		for _, p := range c.sw.Pools {
			sizes[p.Direction] = p.Size.Value
		}
		qos := c.sw.Ports[0].QoS
		if sizes[plan.Ingress] != c.ingress || sizes[plan.Egress] != c.egress || len(c.sw.Pools) != 2 || qos.PGs[0].Pool == "" || qos.Queues[0].Pool == "" || qos.PGs[0].Pool == qos.Queues[0].Pool {
			t.Errorf("%s: %v, want %v and %v; group in %q, queue in %q", c.name, c.sw.Pools, c.ingress, c.egress, qos.PGs[0].Pool, qos.Queues[0].Pool)
		}
	}
	full := ofBuffer(memory/parts-4000, 4000, 0)
	_, err := completePools(full, chip)
	if e := (*exceeded)(nil); !errors.As(err, &e) || e.at.Filename != "f" {
		t.Errorf("no byte is left: %v", err)
	}
}

// Shares of pools: per cent, rounded down, where the file counts so; at egress all of it else;
// and to the first of the side, or a new one.
func TestSizePools(t *testing.T) {
	pool := func(name string, side plan.Direction, percent int64) plan.Pool {
		return plan.Pool{Name: name, Direction: side, Percent: percent}
	}
	for _, c := range []struct {
		pools []plan.Pool
		side  plan.Direction
		want  string
	}{
		{nil, plan.Ingress, "new 999B;"},
		{nil, plan.Egress, "new 999B;"},
		{[]plan.Pool{pool("e", plan.Egress, 0), pool("i", plan.Ingress, 0), pool("j", plan.Ingress, 0)}, plan.Ingress, "e 0B;i 999B;j 0B;"},
		{[]plan.Pool{pool("e", plan.Egress, 0), pool("i", plan.Ingress, 0), pool("f", plan.Egress, 0)}, plan.Egress, "e 999B;i 0B;f 999B;"},
		{[]plan.Pool{pool("i", plan.Ingress, 50), pool("j", plan.Ingress, 1), pool("k", plan.Ingress, 0)}, plan.Ingress, "i 499B;j 9B;k 0B;"}, // 499.5 and 9.99
		{[]plan.Pool{pool("e", plan.Egress, 10), pool("f", plan.Egress, 0)}, plan.Egress, "e 99B;f 999B;"},
	} {
		sw := &plan.Switch{Pools: c.pools}
		sizePools(sw, c.side, "new", 999)
		got := ""
		for _, p := range sw.Pools {
			got += p.Name + " " + p.Size.Value.String() + ";"
			if p.Name == "new" && (p.Direction != c.side || !p.Dynamic) {
				t.Errorf("the new one is %+v", p)
			}
		}
		must.Equalf(t, got, c.want, "%v of %v:", c.side, c.pools)
	}
}

// A static limit above its pool is the pool; one of a pool without a size, and a dynamic one,
// stay. Of groups, queues and whole ports.
func TestBoundByPools(t *testing.T) {
	limit := func(static units.Bytes, dynamic bool) plan.Derived[plan.Limit] {
		return plan.Of(plan.Limit{Static: static, Dynamic: dynamic}, nil)
	}
	qos := &plan.PortQoS{
		PGs:    []plan.PG{{Pool: "p", Limit: limit(1001, false)}, {Pool: "p", Limit: limit(999, false)}, {Pool: "p", Limit: limit(1001, true)}, {Pool: "open", Limit: limit(1001, false)}},
		Queues: []plan.Queue{{Pool: "p", Limit: limit(plan.NoLimit, false)}}, Pools: []plan.PortPool{{Pool: "p", Limit: limit(plan.NoLimit, false)}},
	}
	boundByPools(&plan.Switch{Pools: []plan.Pool{{Name: "p", Size: plan.Of(units.Bytes(1000), nil)}, {Name: "open"}}, Ports: []plan.Port{{QoS: qos}}})
	var got []units.Bytes
	for _, pg := range qos.PGs {
		got = append(got, pg.Limit.Value.Static)
	}
	got = append(got, qos.Queues[0].Limit.Value.Static, qos.Pools[0].Limit.Value.Static)
	if want := []units.Bytes{1000, 999, 1001, 1001, 1000, 1000}; !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
}

// Where most headroom is given: the first line of those that give most, and 0 is a headroom too.
func TestLargestHeadroom(t *testing.T) {
	pg := func(headroom units.Bytes, line int) plan.PG {
		why := &plan.Why{}
		why.Range.Start.Line = line
		return plan.PG{Headroom: plan.Of(headroom, why)}
	}
	sw := &plan.Switch{Ports: []plan.Port{{QoS: &plan.PortQoS{PGs: []plan.PG{pg(3, 1), pg(7, 2), {Headroom: plan.Of(units.Bytes(9), nil)}}}}, {QoS: &plan.PortQoS{PGs: []plan.PG{pg(7, 3)}}}}}
	must.Equalf(t, largestHeadroom(sw).Start.Line, 2, "line")
	must.Equalf(t, largestHeadroom(&plan.Switch{Ports: []plan.Port{{QoS: &plan.PortQoS{PGs: []plan.PG{pg(0, 4)}}}}}).Start.Line, 4, "line")
}

// What is taken for granted goes to the obligations that protect lossless packets and hold, or
// hold under conditions already; of headroom, of its pool, and of all, each to its own.
func TestAssume(t *testing.T) {
	of := func() *proof.Report {
		r := &proof.Report{}
		for _, id := range []string{proof.Headroom, proof.HeadroomPool, "other"} {
			for _, v := range []proof.Verdict{proof.Holds, proof.Conditional, proof.Fails, proof.Unjudged} {
				r.Obligations = append(r.Obligations, proof.Obligation{ID: id, Where: "w", Verdict: v, Lossless: true, Left: proof.Side{Value: 256}, Unit: proof.InBytes})
			}
		}
		r.Obligations = append(r.Obligations, proof.Obligation{ID: "fair", Verdict: proof.Holds})
		return r
	}
	format, _ := FormatOf("junos")
	format.Computed = "cables"
	for name, c := range map[string]struct {
		assume func(r *proof.Report)
		ids    []string
		text   string
	}{
		"all":      {func(r *proof.Report) { assume(r, proof.Condition{Assumes: "x"}) }, []string{proof.Headroom, proof.HeadroomPool, "other"}, "x"},
		"paused":   {func(r *proof.Report) { assumePaused(r, 2) }, []string{proof.HeadroomPool}, "at most 2 groups are paused at once"},
		"one":      {func(r *proof.Report) { assumePaused(r, 1) }, []string{proof.HeadroomPool}, "at most 1 group are paused at once"},
		"headroom": {func(r *proof.Report) { assumeHeadroom(r, format) }, []string{proof.Headroom}, "the device computes at least 256B of headroom, from cables"},
	} {
		r, before := of(), of()
		c.assume(r)
		for i, o := range r.Obligations {
			was := before.Obligations[i]
			want := slices.Contains(c.ids, o.ID) && (was.Verdict == proof.Holds || was.Verdict == proof.Conditional)
			if got := len(o.Conditions) == 1; got != want || got && (o.Verdict != proof.Conditional || o.Conditions[0].Assumes != c.text) || !got && o.Verdict != was.Verdict {
				t.Errorf("%s: %s, %v before: %v, %+v", name, o.ID, was.Verdict, o.Verdict, o.Conditions)
			}
		}
	}
}

// Figures have their unit, and what an inequality lacks is what is left beyond right.
func TestAmount(t *testing.T) {
	for want, c := range map[string]struct {
		value int64
		unit  string
	}{
		"3 cells": {3, proof.InCells}, "1500B": {1500, proof.InBytes}, "1us": {1_000_000, proof.InTime}, "100Gbps": {100_000_000_000, proof.InRate}, "7": {7, ""}, "7 mm": {7, "mm"},
	} {
		must.Equalf(t, Amount(c.value, c.unit), want, "%d %s is", c.value, c.unit)
	}
	o := &proof.Obligation{ID: "headroom", Where: "w", Title: "it fits", Left: proof.Side{Value: 12}, Right: proof.Side{Value: 10}, Unit: proof.InCells, Lossless: true, Note: "a note"}
	if got := obligationFinding(o); got.Message != "w: that it fits does not hold: 12 cells ≤ 10 cells fails by 2 cells; a note" || got.Severity != diag.Error || got.Code != "proof-headroom" {
		t.Errorf("%+v", got)
	}
	o.Lossless, o.Note = false, ""
	if got := obligationFinding(o); got.Message != "w: that it fits does not hold: 12 cells ≤ 10 cells fails by 2 cells" || got.Severity != diag.Warning {
		t.Errorf("%+v", got)
	}
	if o.ID = proof.Memory; obligationFinding(o).Severity != diag.Error {
		t.Error("more memory than there is is a warning")
	}
}

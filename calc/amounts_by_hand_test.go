package calc

import (
	"reflect"
	"strings"
	"testing"

	"github.com/roceplan/roceplan/calc/headroom"
	"github.com/roceplan/roceplan/chips"
	"github.com/roceplan/roceplan/internal/testing/must"
	"github.com/roceplan/roceplan/plan"
	"github.com/roceplan/roceplan/policy"
	"github.com/roceplan/roceplan/units"
)

// Of a chip without defaults a group and a queue own a frame: 900 B of a lossless one for each of 5 groups in each
// of 2 slices and of 2 classes, and 1,000 B for the lossy queue of each of 9 ports in each slice: 18,000 B and 18,000 B.
func TestReservesAddUp(t *testing.T) {
	b := &budget{headrooms: *byHand()}
	b.pgReserve = make([]plan.Derived[units.Bytes], 3)
	if b.reserves(); b.reserved.Value != 36_000 || b.queueReserve.Value != 1000 || b.pgReserve[2].Value != 900 {
		t.Errorf("%v, of them %v and %v", b.reserved.Value, b.pgReserve[2].Value, b.queueReserve.Value)
	}
	b.lossless = b.lossless[:1]
	if b.reserves(); b.reserved.Value != 27_000 {
		t.Errorf("of one lossless class %v", b.reserved.Value)
	}
	b.lossy = nil
	if b.reserves(); b.reserved.Value != 9000 {
		t.Errorf("without a lossy class %v", b.reserved.Value)
	}
}

// A lossy pool is a frame of each lossy queue at the least, in whole cells of 100 B.
func TestLeastLossyPool(t *testing.T) {
	for mtu, want := range map[units.Bytes]units.Bytes{1000: 1000, 1001: 1100, 1099: 1100, 1100: 1100} {
		b := &budget{headrooms: *byHand(), shared: plan.Of(units.Bytes(4000), &plan.Why{})}
		b.fabric.MTU = set(mtu)
		if b.shareLossy(); b.lossyPool.Value != want {
			t.Errorf("a frame of %v: %v, want %v", mtu, b.lossyPool.Value, want)
		}
	}
}

// A threshold in bytes is that many in whole steps of marking, rounded down, and one in time what a port sends meanwhile: 100 Gb/s
// are 12,500 B in a microsecond.
func TestThresholdsThatAreGiven(t *testing.T) {
	s := byHand().shape
	k, none := s.kinds[0], policy.Opt[units.Time]{}
	step := s.markingStep().Value
	if got, ok := s.given("kmin", set(10*step+1), none, k); !ok || got.Value != 10*step || got.Why.ID != "whole-cells-down" {
		t.Errorf("%+v, %v", got, ok)
	}
	got, ok := s.given("kmin", policy.Opt[units.Bytes]{}, set(8*units.Microsecond), k)
	if want := units.Bytes(100_000).FloorTo(step); !ok || got.Value != want || got.Why.ID != "kmax" {
		t.Errorf("%+v, %v, want %v", got, ok, want)
	}
	for _, term := range got.Why.Terms {
		if term.Symbol == "parts" && !reflect.DeepEqual(term.Why.Value, plan.Count(1)) {
			t.Errorf("in %v parts", term.Why.Value)
		}
	}
	if _, ok := s.given("kmin", policy.Opt[units.Bytes]{}, none, k); ok {
		t.Error("nothing is given")
	}
}

// What is wrong with pmax is told where the port group gives it, or at the class.
func TestPlaceOfPMax(t *testing.T) {
	s := byHand().shape
	class, k := s.lossless[0], s.kinds[0]
	class.Range = place(3)
	must.Equal(t, pMaxAt(class, k), place(3))
	k.group.Curves = []policy.PortCurve{{Curve: policy.Curve{PMax: policy.Opt[units.Ratio]{Value: units.Percent, Set: true, Range: place(7)}}}}
	must.Equalf(t, pMaxAt(class, k), place(7), "of the port group")
}

// With an alpha that the author gives, as many groups may be stuck as it stands.
func TestStuckGroupsOfAGivenAlpha(t *testing.T) {
	for _, c := range []struct {
		alpha units.Alpha
		burst units.Bytes
		want  plan.Count
	}{
		// Beside n stuck groups of alpha 1 a newcomer gets a part of 2·(1+n) of 1,000,000 B: 125,000, 166,666 and 250,000.
		{0, 1, 3}, {0, 125_000, 3}, {0, 125_001, 2}, {0, 166_600, 2}, {0, 166_667, 1}, {0, 250_001, 1},
	} {
		b := &budget{headrooms: *byHand(), slice: plan.Of(units.Bytes(1_000_000), &plan.Why{}), usual: plan.Of(units.Bytes(1_000_000), &plan.Why{}), leftover: plan.Of(units.Bytes(1_000_000), &plan.Why{})}
		b.together, b.usable = plan.Of(plan.Count(3), &plan.Why{}), plan.Of(units.Bytes(1)<<40, &plan.Why{})
		b.fabric.XOFFTime = policy.Opt[units.Time]{Value: units.Second}
		for range 3 {
			b.pgReserve = append(b.pgReserve, plan.Of(units.Bytes(100), &plan.Why{}))
		}
		class := b.lossless[0]
		class.Alpha, class.Burst = set(c.alpha), set(c.burst)
		if got := b.fixedAlpha(class, curves{{}, {}, {}}, dynamic(c.alpha, &plan.Why{})); got.stuck.Value != c.want || got.limit.Value.Alpha != c.alpha {
			t.Errorf("%+v: %d stuck, alpha 2^%d", c, got.stuck.Value, got.limit.Value.Alpha)
		}
	}
}

// Nothing is said of a Spectrum for which NVIDIA's calculator lacks a datum, or that it cannot answer.
func TestProfilesThatNobodyComputes(t *testing.T) {
	s := byHand().shape
	s.chip = &chips.Chip{Family: chips.Spectrum}
	must.Equalf(t, s.spectrumProfile(s.kinds[0], headroom.Result{}, headroom.Derivation{}), room{}, "of a chip without data:")
	catalogue, _ := chips.Load()
	s.chip, _ = catalogue.Find("spectrum-4")
	s.kinds[0].cable = set(5 * units.Metre)
	if got := s.spectrumProfile(s.kinds[0], headroom.Result{}, headroom.Derivation{}); got == (room{}) {
		t.Error("nothing is said of a port")
	}
	s.kinds[0].group.Gearbox = set(units.Second) // a millisecond at the most
	must.Equalf(t, s.spectrumProfile(s.kinds[0], headroom.Result{}, headroom.Derivation{}), room{}, "behind a gearbox of a second:")
}

// Beside a headroom stands what every method says, in cells and by how many it is more.
func TestWhatOtherMethodsSay(t *testing.T) {
	catalogue, _ := chips.Load()
	s := byHand().shape
	s.chip, _ = catalogue.Find("tomahawk3")
	s.cell = s.chip.CellSize.Or(0)
	k := s.kinds[0]
	k.cable = set(5 * units.Metre)
	method := must.Get(headroom.For(s.chip, "worst-case"))(t)
	result := must.Get(method.Compute(s.input(method, k)))(t)
	for more, want := range map[units.Bytes]string{0: "(+0)", s.cell: "(-1)", -s.cell: "(+1)", s.cell - 1: "(+0)"} {
		got := s.others(k, result.XOff.CeilTo(s.cell)+more)
		if rest, ok := strings.CutPrefix(got, "other methods, in cells: "); !ok || !strings.Contains(rest, "worst-case ") || !strings.Contains(rest[strings.Index(rest, "worst-case "):], want) {
			t.Errorf("%v more: %s, want %s", more, got, want)
		}
	}
}

// DCQCN that never gains has the least probability.
func TestFixedPointWithoutGain(t *testing.T) {
	s := Steady{Rate: 100 * units.Gbps, Flows: 1, PacketRate: 10_000_000, Gap: 50 * units.Microsecond, Timer: 300 * units.Microsecond, Threshold: 5, G: 1019, GD: 11, AlphaInterval: 55 * units.Microsecond}
	if got := s.FixedPoint(); got != 1 {
		t.Errorf("%d", int64(got))
	}
}

// Strict classes have an equal part each of the 5 % that a goal of 95 % leaves them, unless they are given a cap; by
// weight classes have theirs, and a cap if they are given one.
func TestSchedulersByHand(t *testing.T) {
	h := byHand()
	h.fabric.Targets.Throughput = set(95 * units.Percent)
	cnp := &policy.Class{Name: "cnp", TrafficClass: set(uint8(6)), Queue: set(uint8(6)), Strict: set(true), CNP: true, Range: place(2), MaxRate: policy.Opt[units.BitRate]{Value: units.Gbps, Set: true, Range: place(3)}}
	control := &policy.Class{Name: "control", TrafficClass: set(uint8(7)), Queue: set(uint8(7)), Strict: set(true), Range: place(4)}
	h.classes = append(h.classes, control, cnp)
	h.lossless[0].MaxRate = set(7 * units.Gbps)
	near, far := h.kinds[0], h.kinds[1]
	near.group.Range = place(9)
	all := planSchedulers(h.shape)
	for _, c := range []struct {
		k      *kind
		class  *policy.Class
		strict bool
		weight int64
		cap    units.BitRate
	}{
		{near, control, true, 0, 2500 * units.Mbps}, {far, control, true, 0, 10 * units.Gbps}, {near, cnp, true, 0, units.Gbps}, {near, h.lossless[0], false, 30, 7 * units.Gbps}, {near, h.lossless[1], false, 40, 0},
	} {
		if got := all[c.k.index][c.class]; got.Strict != c.strict || got.Weight.Value != c.weight || got.MaxRate.Value != c.cap {
			t.Errorf("%s of %s: %+v", c.class.Name, c.k.group.Name, got)
		}
	}
	p := &ports{budget: &budget{headrooms: *h}, schedulers: all}
	ids := func() (list string) {
		for _, one := range p.schedulingInequalities(near) {
			list += " " + one.ID
		}
		return list
	}
	must.Equalf(t, ids(), " cnp-cap-lower starvation", "without an expected delay:")
	h.fabric.ExpectedDelay = policy.Opt[units.Time]{Value: 3 * units.Microsecond, Set: true, Range: place(5)}
	must.Equalf(t, ids(), " cnp-cap-lower cnp-delay starvation", "with one:")
	list := p.schedulingInequalities(near)
	// Three switches of a microsecond and a frame of 1,020 B at 100 Gb/s, 81.6 ns.
	if got := list[1]; got.Left.Value != 3*(units.Microsecond+81_600*units.Picosecond) || got.Holds || got.Range != place(5) {
		t.Errorf("%+v", got.Check)
	}
	if got := list[2]; got.Left.Value != 3500*units.Mbps || got.Right.Value != 5*units.Gbps || !got.Holds || got.Range != place(3) || len(got.Left.Terms) != 2 {
		t.Errorf("%+v", got.Check)
	}
	// Nobody runs DCQCN, so there are no CNPs; what is wrong is told at the cap.
	if got := list[0]; got.Left.Value != units.BitRate(0) || got.Right.Value != units.Gbps || got.Range != place(3) {
		t.Errorf("%+v", got.Check)
	}
	cnp.MaxRate = policy.Opt[units.BitRate]{}
	p.schedulers = planSchedulers(h.shape)
	if list = p.schedulingInequalities(near); list[0].Range != place(2) || list[2].Range != place(9) || list[2].Left.Value != 5*units.Gbps {
		t.Errorf("without a cap that is given: %v, %v, %v", list[0].Range, list[2].Range, list[2].Left.Value)
	}
	h.lossless[1].CongestionControl = set("dcqcn")
	const rate = 15_680 * units.Kbps // one of 98 B on the wire in 50 us
	if list = p.schedulingInequalities(near); list[0].Left.Value != rate || len(list[0].Left.Terms) != 1 {
		t.Errorf("CNPs of one class: %v, want %v", list[0].Left.Value, rate)
	}
	h.classes = h.classes[:3]
	p = &ports{budget: &budget{headrooms: *h}, schedulers: all}
	if got := p.schedulingInequalities(near); got != nil {
		t.Errorf("without a strict class: %v", got)
	}
}

// A queue must be allowed a full packet, 512 B and 62 B around them, which takes 45.92 ns at 100 Gb/s; a curve that is
// given asks for nothing. It marks until its usual part of the path is used up, or the tolerable one where that is less.
func TestDelayIsSpent(t *testing.T) {
	const packet = 45_920 * units.Picosecond
	s := byHand().shape
	s.fixedPoints = map[Steady]units.Ratio{}
	class, k := s.lossless[0], s.kinds[0]
	s.fabric.Range, class.Range = place(2), place(3)
	path := func(usual, tolerable units.Time) {
		s.path = &plan.Path{Usual: plan.Of(usual, &plan.Why{Name: "usual"}), Tolerable: plan.Of(tolerable, &plan.Why{Name: "tolerable"}), Hops: plan.Of(plan.Count(1), &plan.Why{})}
	}
	for _, c := range []struct {
		usual units.Time
		curve policy.Curve
		goal  policy.Opt[units.Time]
		want  int // the line at which it is told; 0: it is not
	}{
		{packet, policy.Curve{}, policy.Opt[units.Time]{}, 0}, {packet - 1, policy.Curve{}, policy.Opt[units.Time]{}, 0}, {packet - 1, policy.Curve{}, policy.Opt[units.Time]{Value: 1, Set: true, Range: place(5)}, 5}, {0, policy.Curve{}, policy.Opt[units.Time]{Value: 1, Set: true, Range: place(5)}, 5},
		{0, policy.Curve{KMin: set(1 * units.Byte)}, policy.Opt[units.Time]{}, 0}, {0, policy.Curve{KMinDelay: set(units.Microsecond)}, policy.Opt[units.Time]{}, 0},
	} {
		path(c.usual, 4*packet)
		s.fabric.Targets.UsualLatency, k.group.Curves = c.goal, []policy.PortCurve{{Curve: c.curve}}
		var found findings
		spent := s.delaySpent(class, k, &found)
		if spent != (c.want > 0) || len(found.list) > 0 != spent || spent && found.list[0].Subject != place(c.want) {
			t.Errorf("%+v: %v, %v", c, spent, found.list)
		}
		class.ECN = set("off")
		if curve := planCurves(s, &found)[0][class]; curve != nil {
			t.Errorf("%+v: a class without marks has %+v", c, curve)
		}
		class.ECN = policy.Opt[string]{}
		if curve := planCurves(s, &found)[0][class]; (curve == nil) != spent {
			t.Errorf("%+v: %+v", c, curve)
		}
	}
	s.fabric.Targets.UsualLatency = policy.Opt[units.Time]{}
	if got := s.complete(); got.Value != 10*units.Millisecond {
		t.Errorf("without a goal: %v", got.Value)
	}
	s.fabric.Targets.UsualLatency, s.fabric.Targets.MaxLatency = set(40*units.Microsecond), set(80*units.Microsecond)
	for _, c := range []struct {
		usual, tolerable units.Time
		want             string
	}{{7, 8, "usual"}, {7, 7, "tolerable"}, {7, 6, "tolerable"}} {
		path(c.usual, c.tolerable)
		if got := s.complete(); got.Why.Name != c.want || got.Value != min(c.usual, c.tolerable) {
			t.Errorf("%+v: %v, %s", c, got.Value, got.Why.Name)
		}
	}
	if !wantsECN(&policy.Class{}) || wantsECN(&policy.Class{ECN: set("off")}) {
		t.Error("who marks")
	}
}

// Both ends of a path to servers are their cables, and what lies between is that between switches: 5 ns for each metre.
// Of a path over three switches two cables lie between, and frames are waited for four times.
func TestCablesOfAPath(t *testing.T) {
	group := func(nic *policy.NIC, metres units.Length, lossless bool) *policy.PortGroup {
		return &policy.PortGroup{PeerNIC: nic, Lossless: set(lossless), Speed: set(100 * units.Gbps), Cable: set(metres * units.Metre)}
	}
	f := &policy.Fabric{LosslessFrame: set(4200 * units.Byte), NICs: []*policy.NIC{{SendLatency: set(700 * units.Nanosecond), ReceiveLatency: set(500 * units.Nanosecond)}}}
	f.Switches = []*policy.Switch{{Groups: []*policy.PortGroup{group(f.NICs[0], 10, true), group(nil, 100, true), group(f.NICs[0], 900, false), group(nil, 900, false)}}}
	three := plan.Of(plan.Count(3), &plan.Why{Value: plan.Count(3)})
	want := 1200*units.Nanosecond + 2*50*units.Nanosecond + 2*500*units.Nanosecond + 3*assumedChipLatency + 4*336*units.Nanosecond
	if got := baseOf(f, three); got.Value != want {
		t.Errorf("%v, want %v", got.Value, want)
	}
}

// A frame of 1,000 B for the lossy queue of each of 9 ports, in two slices, is held against what stuck groups leave: with alpha
// 1 a half beside one, a third beside two. It is told at the class, or where the fabric asks for so many.
func TestWhatStuckGroupsLeave(t *testing.T) {
	for _, c := range []struct {
		slice units.Bytes
		stuck int64
		leave units.Bytes
		holds bool
	}{{9000, 1, 4500, true}, {8998, 1, 4499, false}, {13_500, 2, 4500, true}, {13_499, 2, 4499, false}} {
		b := &budget{headrooms: *byHand(), slice: plan.Of(c.slice, &plan.Why{}), usual: plan.Of(c.slice, &plan.Why{})}
		class := b.lossless[0]
		class.Range = place(3)
		got := b.losslessLeavesLossy(class, curves{{}, {}, {}}, dynamic(0, &plan.Why{}), b.stuck(c.stuck))
		if got.Left.Value != units.Bytes(4500) || got.Right.Value != c.leave || got.Holds != c.holds || got.Range != place(3) {
			t.Errorf("%+v: %+v", c, got.Check)
		}
		b.fabric.Isolation = policy.Opt[int]{Value: 1, Set: true, Range: place(5)}
		if got = b.losslessLeavesLossy(class, curves{{}, {}, {}}, dynamic(0, &plan.Why{}), b.stuck(c.stuck)); got.Range != place(5) {
			t.Errorf("asked for: %v", got.Range)
		}
	}
}

// A class that no port carries, or for which the chip lacks its alphas, has none; of the second the datum is told.
func TestClassesWithoutAlpha(t *testing.T) {
	b := &budget{headrooms: *byHand()}
	never := func(*policy.Class, curves, []units.Alpha) (classAlpha, bool) {
		t.Error("a search")
		return classAlpha{}, false
	}
	var found findings
	if all := planAlphas(b, curves{{}, {}, {}}, never, true, &found); len(all) != 0 || !found.list.HasErrors() || found.list[0].Code != ChipDatumUnknown {
		t.Errorf("%v, %v", all, found.list)
	}
	b.kinds = b.kinds[2:] // lossy ports
	found = findings{}
	if all := planAlphas(b, curves{{}, {}, {}}, never, true, &found); len(all) != 0 || len(found.list) != 0 {
		t.Errorf("%v, %v", all, found.list)
	}
}

package calc

import (
	"slices"
	"testing"

	"github.com/roceplan/roceplan/chips"
	"github.com/roceplan/roceplan/diag"
	"github.com/roceplan/roceplan/internal/testing/must"
	"github.com/roceplan/roceplan/plan"
	"github.com/roceplan/roceplan/policy"
	"github.com/roceplan/roceplan/units"
)

// byHand is a switch of two slices with four lossless ports of 100 Gb/s whose groups need 1,000 B,
// two of 400 Gb/s with 3,000 B, and three that are lossy; two lossless classes and a lossy one. So there
// are 12 lossless groups, of which 4 need 3,000 B.
func byHand() *headrooms {
	group := func(name string, ports int, speed units.BitRate, lossless bool) *policy.PortGroup {
		return &policy.PortGroup{Name: name, Ports: make([]string, ports), Speed: set(speed), Lossless: set(lossless)}
	}
	value := func(v units.Bytes) plan.Derived[units.Bytes] { return plan.Of(v, &plan.Why{Value: v}) }
	two := plan.Count(2)
	class := func(tc uint8, lossless bool) *policy.Class {
		return &policy.Class{Name: string('a' + rune(tc)), TrafficClass: set(tc), Queue: set(tc), PriorityGroup: set(tc), PFC: set(tc), Lossless: set(lossless), Weight: set(int64(10 * tc))}
	}
	s := &shape{
		fabric: &policy.Fabric{MTU: set(1000 * units.Byte), LosslessFrame: set(900 * units.Byte)}, sw: &policy.Switch{}, chip: &chips.Chip{}, cell: 100, cellWhy: &plan.Why{},
		slices: plan.Of(two, &plan.Why{Value: two}), pooled: true, ports: 9, together: plan.Of(plan.Count(5), &plan.Why{}), trunks: plan.Of(plan.Count(0), &plan.Why{}),
		classes: []*policy.Class{class(3, true), class(4, true), class(1, false)},
	}
	s.lossless, s.lossy = s.classes[:2], s.classes[2:]
	for i, g := range []*policy.PortGroup{group("near", 4, 100*units.Gbps, true), group("far", 2, 400*units.Gbps, true), group("lossy", 3, 10*units.Gbps, false)} {
		k := &kind{index: i, group: g}
		for port := range g.Ports {
			k.ports = append(k.ports, port)
		}
		s.kinds = append(s.kinds, k)
	}
	return &headrooms{shape: s, rooms: []room{{headroom: value(1000)}, {headroom: value(3000)}, {}}, headroom: value(20_000)}
}

// The groups that need most, one after another, and what a slice's part of a pool holds of them.
func TestGroupsByNeed(t *testing.T) {
	h := byHand()
	if h.losslessGroups() != 12 || h.losslessPorts() != 6 {
		t.Fatalf("%d groups, %d ports", h.losslessGroups(), h.losslessPorts())
	}
	for n, want := range map[int]units.Bytes{0: 0, 1: 3000, 4: 12_000, 5: 13_000, 12: 20_000, 13: 20_000} {
		must.Equalf(t, h.largestGroups(n), want, "the %d largest:", n)
	}
	for n, want := range map[int]units.Bytes{0: 0, 1: 3000, 2: 6000, 3: 7000, 6: 10_000, 7: 10_000} { // of one class
		must.Equalf(t, h.largestHeadrooms(n), want, "the %d largest of a class:", n)
	}
	for pool, want := range map[units.Bytes]int{0: 0, 5998: 0, 6000: 1, 11_998: 1, 12_000: 2, 24_000: 4, 26_000: 5, 40_000: 12, 99_000: 12} {
		h.headroom = plan.Of(pool, nil)
		must.Equalf(t, h.groupsHeld(), want, "half of %v holds", pool)
	}
	for _, c := range []struct {
		sharing policy.Opt[policy.Sharing]
		pooled  bool
		want    int
	}{
		{policy.Opt[policy.Sharing]{}, true, 0}, {set(policy.Sharing{Groups: 7}), true, 7}, {set(policy.Sharing{Groups: 7}), false, 0}, {set(policy.Sharing{Ratio: 2}), true, 12}, {set(policy.Sharing{Groups: 1}), true, 1},
	} {
		h.headroom, h.sharing, h.pooled = plan.Of(units.Bytes(40_000), nil), c.sharing, c.pooled
		must.Equalf(t, h.pausedAtOnce(), c.want, "%+v, pooled %v:", c.sharing.Value, c.pooled)
	}
}

// A pool by ratio has its part of what suffices in whole cells of every slice, and one group's
// headroom in each slice at least.
func TestHeadroomByRatioByHand(t *testing.T) {
	for _, c := range []struct {
		all        units.Bytes
		ratio      int64
		largest    units.Bytes
		slices     int64
		cell, want units.Bytes
	}{
		{20_000, 1, 100, 2, 100, 20_000}, {20_000, 2, 100, 2, 100, 10_000}, {20_000, 3, 100, 2, 100, 6800}, {20_000, 3, 100, 1, 100, 6700}, {20_000, 10, 3000, 2, 100, 6000}, {20_000, 10, 1000, 2, 100, 2000},
		{20_001, 2, 0, 1, 1, 10_001},
	} {
		must.Equalf(t, HeadroomByRatio(c.all, c.ratio, c.largest, c.slices, c.cell), c.want, "%+v:", c)
	}
	one := plan.Of(plan.Count(1), &plan.Why{Value: plan.Count(1)})
	for _, c := range []struct {
		sharing policy.Sharing
		pooled  bool
		want    units.Bytes
		code    diag.Code
	}{
		{policy.Sharing{Ratio: 100}, true, 3000, HeadroomShared}, {policy.Sharing{Ratio: 2}, true, 10_000, HeadroomShared}, {policy.Sharing{Ratio: 1}, true, 20_000, ""},
		{policy.Sharing{Groups: 1}, true, 3000, HeadroomShared}, {policy.Sharing{Groups: 2}, true, 6000, HeadroomShared}, {policy.Sharing{Groups: 11}, true, 19_000, HeadroomShared}, {policy.Sharing{Groups: 12}, true, 20_000, ""},
		{policy.Sharing{Groups: 2}, false, 20_000, HeadroomSharing},
	} {
		h := byHand()
		h.slices, h.sharing, h.pooled = one, set(c.sharing), c.pooled
		var found findings
		h.share(&found)
		said := diag.Code("")
		for _, d := range found.list {
			said += d.Code
		}
		if h.headroom.Value != c.want || said != c.code || (said == HeadroomSharing) != found.list.HasErrors() {
			t.Errorf("%+v, pooled %v: %v, %v", c.sharing, c.pooled, h.headroom.Value, found.list)
		}
	}
	h := byHand()
	h.sharing, h.headroom = set(policy.Sharing{Groups: 2}), plan.Of(units.Bytes(0), nil)
	if h.share(&findings{}); h.headroom.Value != 0 {
		t.Error("nothing is lossless, and there is headroom")
	}
}

// Who may send at once: all other lossless ports, all other ports where packets are cut, or as many
// as are declared; one at least.
func TestSenders(t *testing.T) {
	h := byHand()
	p := &ports{budget: &budget{headrooms: *h}}
	k := h.kinds[0]
	if got := h.fanIn(k); got.Value != 5 || got.Why.Kind != plan.Given {
		t.Errorf("fan-in %v", got.Value)
	}
	if got := p.trimmedSenders(k); got.Value != 8 || got.Why.Kind != plan.Given {
		t.Errorf("of trimmed packets %v", got.Value)
	}
	if got := h.fanInOfSlice(k); got.Value != 5 {
		t.Errorf("of a slice %v", got.Value)
	}
	h.together = plan.Of(plan.Count(3), &plan.Why{})
	if got := h.fanInOfSlice(k); got.Value != 3 {
		t.Errorf("of a slice with three %v", got.Value)
	}
	if h.stuckByOne() != 3 || !slices.Equal(h.stuckCandidates(), []int64{3, 2, 1}) || h.fewestStuck() != 1 {
		t.Errorf("stuck: %d, %v", h.stuckByOne(), h.stuckCandidates())
	}
	h.trunks = plan.Of(plan.Count(2), &plan.Why{})
	must.Equalf(t, h.stuckByOne(), 2, "over two trunks:")
	h.fabric.Isolation = set(9)
	if !slices.Equal(h.stuckCandidates(), []int64{9}) || h.fewestStuck() != 9 {
		t.Errorf("declared: %v", h.stuckCandidates())
	}
	h.fabric.FanIn = []policy.FanIn{{From: 7, To: 3}}
	var from, to []int64
	for _, pattern := range h.patterns(k) {
		from, to = append(from, pattern.from), append(to, pattern.to)
	}
	if !slices.Equal(from, []int64{1, 5, 7}) || !slices.Equal(to, []int64{1, 1, 3}) {
		t.Errorf("patterns %v to %v", from, to)
	}
	k.group.FanIn = set(2)
	if h.fanIn(k).Value != 2 || p.trimmedSenders(k).Value != 2 {
		t.Error("the declared fan-in does not count")
	}
	k.group.FanIn = policy.Opt[int]{}
	h.kinds = h.kinds[:1]
	k.ports, k.group.Ports = k.ports[:1], k.group.Ports[:1]
	p = &ports{budget: &budget{headrooms: *h}}
	if h.fanIn(k).Value != 1 || p.trimmedSenders(k).Value != 1 {
		t.Error("a lone port has no sender")
	}
}

// What a queue passes: its cap where it is strict, its part by weight, no more than its cap.
func TestServed(t *testing.T) {
	h := byHand() // weights 30, 40 and 10: the lossy class has an eighth
	k, class := h.kinds[0], h.lossy[0]
	for _, c := range []struct {
		scheduler plan.Scheduler
		want      units.BitRate
	}{
		{plan.Scheduler{Strict: true, MaxRate: plan.Of(units.Gbps, nil)}, units.Gbps},
		{plan.Scheduler{Weight: plan.Of(int64(10), nil)}, 12_500 * units.Mbps},
		{plan.Scheduler{Weight: plan.Of(int64(10), nil), MaxRate: plan.Of(5*units.Gbps, nil)}, 5 * units.Gbps},
		{plan.Scheduler{Weight: plan.Of(int64(10), nil), MaxRate: plan.Of(20*units.Gbps, nil)}, 12_500 * units.Mbps},
	} {
		p := &ports{budget: &budget{headrooms: *h}, schedulers: schedulers{{class: c.scheduler}}}
		if got := p.served(class, k); got.Value != c.want {
			t.Errorf("%+v: %v, want %v", c.scheduler, got.Value, c.want)
		}
	}
	p := &ports{budget: &budget{headrooms: *h}, schedulers: schedulers{{class: {Weight: plan.Of(int64(10), nil), MaxRate: plan.Of(12_500*units.Mbps, nil)}}}}
	if got := p.served(class, k); got.Why == nil {
		t.Error("of a cap as large as the part, the part is told")
	}
}

// The lossy pool has the weights' part, that of the number of classes where none has a weight, a frame
// for each queue at least, and nothing where there is no lossy class.
func TestLossyShare(t *testing.T) {
	budgetOf := func(shared units.Bytes) *budget {
		return &budget{headrooms: *byHand(), shared: plan.Of(shared, &plan.Why{})}
	}
	b := budgetOf(80_000)
	if b.shareLossy(); b.lossyPool.Value != 10_000 {
		t.Errorf("an eighth of 80,000: %v", b.lossyPool.Value)
	}
	b = budgetOf(4000) // an eighth is less than a frame of 1,000 B
	if b.shareLossy(); b.lossyPool.Value != 1000 {
		t.Errorf("of 4,000: %v", b.lossyPool.Value)
	}
	b = budgetOf(80_000)
	for _, class := range b.classes {
		class.Strict = set(true)
	}
	if b.shareLossy(); b.lossyPool.Value != 26_600 { // a third, in cells of 100 B
		t.Errorf("one of three: %v", b.lossyPool.Value)
	}
	b = budgetOf(80_000)
	b.lossy = nil
	if b.shareLossy(); b.lossyPool.Value != 0 || b.lossyPool.Why.Kind != plan.Default {
		t.Errorf("none: %+v", b.lossyPool)
	}
}

// The slowest lossless port, and the NIC whose CNPs come fastest of those that use a class.
func TestSlowestAndFastest(t *testing.T) {
	h := byHand()
	if got := h.slowest(); got == nil || got.group.Name != "near" {
		t.Errorf("%+v", got)
	}
	h.kinds[1].group.Speed = set(100 * units.Gbps)
	if got := h.slowest(); got.group.Name != "near" {
		t.Errorf("of equal ones the first: %s", got.group.Name)
	}
	h.kinds[1].group.Speed = set(25 * units.Gbps)
	if got := h.slowest(); got.group.Name != "far" {
		t.Errorf("%s", got.group.Name)
	}
	h.kinds = h.kinds[2:]
	if h.slowest() != nil {
		t.Error("no port is lossless")
	}
	class, us := h.lossless[0], units.Microsecond
	nic := func(name string, interval units.Time, classes ...*policy.Class) *policy.NIC {
		return &policy.NIC{Name: name, CNPInterval: set(interval * us), Classes: classes}
	}
	if h.nicOf(class) != nil {
		t.Error("there is no NIC")
	}
	h.fabric.NICs = []*policy.NIC{nic("other", 1), nic("unknown", 0, class), nic("slow", 60, class), nic("fast", 4, class), nic("as fast", 4, class)}
	if got := h.nicOf(class); got.Name != "fast" {
		t.Errorf("%s", got.Name)
	}
	h.fabric.NICs = h.fabric.NICs[:3] // where nothing is known it is the paper's, 50 us
	if got := h.nicOf(class); got.Name != "unknown" {
		t.Errorf("%s", got.Name)
	}
}

// The watchdog's shorter timer is held against two polls, and of equal ones it is the detection; ten
// longest pauses of the slowest port, 65,535 times 512 bits each, against the detection.
func TestWatchdogInequalities(t *testing.T) {
	ms := units.Millisecond
	h := byHand()
	for _, c := range []struct {
		detection, restoration, poll units.Time
		shorter                      string
		polls, pauses                bool // hold
	}{
		{200, 400, 100, "detection", true, true}, {400, 200, 100, "restoration", true, true}, {200, 200, 100, "detection", true, true}, {200, 200, 101, "detection", false, true}, {3, 400, 1, "detection", true, false},
	} {
		timer := func(name string, v units.Time) plan.Derived[units.Time] {
			return plan.Of(v*ms, &plan.Why{Name: name, Value: v * ms, Range: diag.Range{Filename: name}})
		}
		all := h.watchdogInequalities(&plan.Watchdog{Detection: timer("detection", c.detection), Restoration: timer("restoration", c.restoration), Poll: timer("poll", c.poll)})
		if len(all) != 2 || all[0].Holds != c.pauses || all[1].Holds != c.polls || all[1].Right.Name != c.shorter {
			t.Errorf("%+v: %+v", c, all)
		}
	}
	if got, want := LargestPause(100*units.Gbps), 335_539_200*units.Time(1); got != want { // 65,535·512 bit at 100 Gb/s: 335.5392 us
		t.Errorf("%v, want %v", int64(got), int64(want))
	}
}

// How the switch cuts packets, by the first class that is trimmed into another.
func TestPlanTrim(t *testing.T) {
	cut := &policy.Class{TrafficClass: set(uint8(5)), Queue: set(uint8(6))}
	trimming := &policy.Trimming{Size: set(256 * units.Byte), DSCP: set(uint8(9)), Class: cut, Range: place(4)}
	if planTrim(&policy.Fabric{Classes: []*policy.Class{{}, {Trimming: &policy.Trimming{}}}}) != nil {
		t.Error("nothing is trimmed")
	}
	got := planTrim(&policy.Fabric{Classes: []*policy.Class{{}, {Trimming: trimming}}})
	if got == nil || got.Size.Value != 256 || got.Size.Why.Kind != plan.Given || got.DSCP != 9 || got.TC != 5 || got.Queue != 6 || got.Range != place(4) {
		t.Errorf("%+v", got)
	}
}

// A whole port of a Spectrum is bounded in each pool that it has, loosely; of other chips in none.
func TestPortPools(t *testing.T) {
	h := byHand()
	if h.portPools() != nil {
		t.Error("SONiC asks it of Spectrum alone")
	}
	h.chip = &chips.Chip{Family: chips.Spectrum}
	for _, lossy := range []bool{true, false} {
		want := map[string]units.Bytes{EgressLosslessPool: 0, EgressLossyPool: 9216, IngressPool: 0}
		if !lossy {
			h.lossy = nil
			delete(want, EgressLossyPool)
		}
		for _, p := range h.portPools() {
			reserved, known := want[p.Pool]
			if !known || p.Reserved.Value != reserved || !p.Limit.Value.Dynamic || p.Limit.Value.Alpha != 7 || p.Limit.Why.Kind != plan.Default || p.Reserved.Why.Kind != plan.Default {
				t.Errorf("%+v", p)
			}
			delete(want, p.Pool)
		}
		if len(want) > 0 {
			t.Errorf("lossy %v: no %v", lossy, want)
		}
	}
}

// Where the buffer does not suffice, the group that takes most is to blame: at its headroom where it
// gives one, at its cables else, and at the switch where none has headroom.
func TestBlamedForTheBuffer(t *testing.T) {
	b := &budget{headrooms: *byHand()}
	if got := b.greediest(); got.group.Name != "far" { // 2 of 3,000 B against 4 of 1,000 B
		t.Errorf("%s takes most", got.group.Name)
	}
	b.rooms[1].headroom = plan.Of(units.Bytes(2000), nil)
	if got := b.greediest(); got.group.Name != "near" {
		t.Errorf("of equal ones the first: %s", got.group.Name)
	}
	b.kinds[0].group.Headroom = policy.Opt[units.Bytes]{Value: 1, Set: true, Range: place(7)}
	if at, fix := b.repairFit(); at != place(7) || fix != "lower headroom, or use fewer lossless classes or fewer lossless ports" {
		t.Errorf("%v: %s", at, fix)
	}
	b.rooms = make([]room, 3)
	b.sw.Range = place(9)
	if at, fix := b.repairFit(); at != place(9) || fix != "use a chip with more buffer, or fewer ports" {
		t.Errorf("%v: %s", at, fix)
	}
}

// Lossy virtual output queues are held against their share where there are some, a class and a port
// to protect from them.
func TestVoqIsHeldAgainst(t *testing.T) {
	catalogue, _ := chips.Load()
	chip, _ := catalogue.Find("jericho2c+")
	budgetOf := func(edit func(b *budget)) *budget {
		b := &budget{headrooms: *byHand(), shared: plan.Of(units.Bytes(1_000_000), &plan.Why{}), lossyPool: plan.Of(units.Bytes(500_000), &plan.Why{})}
		b.chip = chip
		b.kinds[0].group.Ports, b.kinds[0].ports = b.kinds[0].group.Ports[:1], []int{0}
		b.kinds = []*kind{b.kinds[0], b.kinds[2]}
		edit(b)
		return b
	}
	for name, c := range map[string]struct {
		edit func(b *budget)
		want bool
	}{
		"one lossless port":  {func(*budget) {}, true},
		"no lossless port":   {func(b *budget) { b.kinds = b.kinds[1:] }, false},
		"no lossless class":  {func(b *budget) { b.lossless = nil }, false},
		"no lossy class":     {func(b *budget) { b.lossy = nil }, false},
		"pools of their own": {func(b *budget) { b.chip = &chips.Chip{} }, false},
	} {
		if _, got := budgetOf(c.edit).voqLeavesLossless(); got != c.want {
			t.Errorf("%s: %v", name, got)
		}
	}
}

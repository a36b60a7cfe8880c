package calc

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/roceplan/roceplan/calc/headroom"
	"github.com/roceplan/roceplan/chips"
	"github.com/roceplan/roceplan/diag"
	"github.com/roceplan/roceplan/internal/testing/must"
	"github.com/roceplan/roceplan/plan"
	"github.com/roceplan/roceplan/policy"
	"github.com/roceplan/roceplan/units"
)

// What five senders hold together, by hand: a sixth of 10,000 B in cells and 100 B each, and the headroom of the
// two far and three near ports, 9,000 B, or what a part of a pool has if that is less.
func TestGroupsBeforeTheirQueue(t *testing.T) {
	for _, c := range []struct {
		pool   units.Bytes
		pooled bool
		want   units.Bytes
		says   string
	}{
		{20_000, true, 17_500, "each with its own speed and cable"}, {17_998, true, 17_499, "a pool of headroom that is shared holds no more in one slice"}, {17_998, false, 17_500, "each with its own speed and cable"},
	} {
		b := &budget{headrooms: *byHand(), slice: plan.Of(units.Bytes(10_000), &plan.Why{})}
		b.headroom, b.pooled, b.usable = plan.Of(c.pool, &plan.Why{}), c.pooled, plan.Of(units.Bytes(35_000), &plan.Why{})
		for range 3 {
			b.pgReserve = append(b.pgReserve, plan.Of(units.Bytes(100), &plan.Why{}))
		}
		got := b.pgBeforeQueue(b.lossless[0], b.kinds[0], dynamic(0, &plan.Why{}))
		if got.Left.Value != c.want || got.Right.Value != units.Bytes(17_500) || !got.Holds || got.Left.Terms[2].Why.Value == nil || !strings.Contains(got.Left.Terms[2].Why.Note+got.Left.Terms[2].Why.Source, c.says) {
			t.Errorf("%+v: %v of %v, %+v", c, got.Left.Value, got.Right.Value, got.Left.Terms[2].Why)
		}
	}
}

// A shape with more lossless classes has its own first and then more like the first; one with other senders has
// them on every port, and the shape itself stays.
func TestShapesThatAreTried(t *testing.T) {
	h := byHand()
	four := h.likeFirst(4).lossless
	if len(four) != 4 || four[0] != h.lossless[0] || four[1] != h.lossless[1] || four[2].Name != "d" || four[3].Name != "d" || four[2] == four[0] || four[2] == four[3] || len(h.lossless) != 2 {
		t.Errorf("%v", four)
	}
	one := h.withClasses(1)
	if len(one.lossless) != 1 || len(one.lossy) != 2 || len(h.lossy) != 1 {
		t.Errorf("%d lossless and %d lossy classes", len(one.lossless), len(one.lossy))
	}
	if two := one.likeFirst(2).lossless; len(two) != 2 || two[1].Name != "d" || two[0] == two[1] {
		t.Errorf("%v", two)
	}
	for _, k := range h.withFanIn(3).kinds {
		if k.group.FanIn.Value != 3 || !k.group.FanIn.Set {
			t.Errorf("%s: %+v", k.group.Name, k.group.FanIn)
		}
	}
	if h.kinds[0].group.FanIn.Set {
		t.Error("the shape has changed")
	}
	if cable := h.withCable(h.kinds[1], 7).kinds; cable[1].cable.Value != 7 || cable[0] != h.kinds[0] || h.kinds[1].cable.Value != 0 {
		t.Errorf("%+v", cable[1])
	}
	must.Equal(t, classesText(1)+", "+classesText(2), "one lossless class, 2 lossless classes")
}

// Lossy queues are held against lossless groups where the switch has both.
func TestLossyIsHeldAgainst(t *testing.T) {
	for name, c := range map[string]struct {
		edit func(b *budget)
		want bool
	}{
		"both": {func(*budget) {}, true}, "no lossy class": {func(b *budget) { b.lossy = nil }, false}, "no lossless class": {func(b *budget) { b.lossless = nil }, false}, "no lossless port": {func(b *budget) { b.kinds = b.kinds[2:] }, false},
	} {
		b := &budget{headrooms: *byHand(), shared: plan.Of(units.Bytes(20_000), &plan.Why{}), lossyPool: plan.Of(units.Bytes(9200), &plan.Why{})}
		c.edit(b)
		got, needed := b.lossyLeavesLossless()
		if needed != c.want || needed && (!got.Holds || got.Left.Value != units.Bytes(9200+12*900)) { // 12 groups with a frame of 900 B
			t.Errorf("%s: %v, %+v", name, needed, got.Left)
		}
	}
}

// Hosts are told of each class once, by priority and then by name, but not of those that switches alone send.
func TestClassesOfHosts(t *testing.T) {
	class := func(name string, tc uint8) *policy.Class {
		return &policy.Class{Name: name, TrafficClass: set(tc), Weight: set(int64(10))}
	}
	back, rdma := class("back", 2), class("rdma", 3)
	back.SentBack, rdma.Lossless, rdma.PFC = true, set(true), set(uint8(3))
	rdma.DSCPs = set([]uint8{26})
	cnp := class("cnp", 6)
	cnp.DSCPs = set([]uint8{48})
	nic := &policy.NIC{Name: "n", CNPDSCP: set(uint8(48)), CNPPFC: set(uint8(5)), Classes: []*policy.Class{rdma}}
	f := &policy.Fabric{Classes: []*policy.Class{class("z", 1), back, class("a", 1), rdma, cnp, class("three", 3)}}
	var got []string
	for _, c := range hostClasses(f, nic) {
		got = append(got, c.Name+string('0'+rune(c.Priority)))
		if c.Used != (c.Name == "rdma") || c.CNP != (c.Name == "cnp") || c.Lossless != (c.Name == "rdma") {
			t.Errorf("%+v", c)
		}
	}
	if want := []string{"three0", "a1", "z1", "rdma3", "cnp5"}; !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
	if h := planHost(f, nic, &plan.Path{}); h.Priorities[26] != 3 || h.Priorities[48] != 5 || h.Priorities[0] != 0 {
		t.Errorf("%v", h.Priorities)
	}
	var names []string
	for _, c := range planClasses([]*policy.Class{class("z", 1), class("a", 1), class("b", 0)}) {
		names = append(names, c.Name)
	}
	must.Equal(t, strings.Join(names, ""), "baz")
}

// The driver of ConnectX and BlueField asks for a buffer where a priority is lossless and the speed is known; of
// what it cannot compute, and of other NICs, nothing is said.
func TestBuffersOfNICs(t *testing.T) {
	for _, c := range []struct {
		model    string
		speed    units.BitRate
		lossless bool
		mtu      units.Bytes
		want     bool
	}{
		{"connectx-7", 100 * units.Gbps, true, 4200, true}, {"bluefield-3", 100 * units.Gbps, true, 4200, true}, {"thor", 100 * units.Gbps, true, 4200, false}, {"connectx-7", 0, true, 4200, false},
		{"connectx-7", 100 * units.Gbps, false, 4200, false}, {"connectx-7", 100 * units.Gbps, true, -1, false}, {"my-connectx", 100 * units.Gbps, true, 4200, false},
	} {
		host := &plan.Host{Model: c.model, Speed: c.speed, Cable: 5 * units.Metre, MTU: c.mtu, Classes: []plan.HostClass{{Lossless: c.lossless, Priority: 3}}}
		if got := hostBuffer(host); (got.Value > 0) != c.want || (got.Why != nil) != c.want {
			t.Errorf("%+v: %+v", c, got)
		}
		if got := hostBuffer(host); c.want && (got.Why.Kind != plan.Standard || got.Why.Terms[1].Why.Value != units.Bytes(128)) { // MLX5E_BUFFER_CELL_SHIFT 7
			t.Errorf("%+v: %+v", c, got.Why)
		}
	}
}

// Of a list of alphas above one the nearest to 1/√n is the least.
func TestNearestOfLargeAlphas(t *testing.T) {
	for _, c := range []struct {
		list []units.Alpha
		n    int64
		want units.Alpha
	}{{[]units.Alpha{1, 2, 3}, 1, 1}, {[]units.Alpha{3, 4}, 5, 3}, {[]units.Alpha{-1, 2, 3}, 1, -1}, {[]units.Alpha{-8, 8}, 1, 8}} {
		must.Equalf(t, nearest(c.list, c.n), c.want, "%v for %d:", c.list, c.n)
	}
}

// Goals that nobody sets are twice and four times what the path takes without queues, where that is more; each
// queue may take its part of what is left.
func TestGoalsOfLongPaths(t *testing.T) {
	nic := &policy.NIC{}
	group := &policy.PortGroup{PeerNIC: nic, Lossless: set(true), Speed: set(100 * units.Gbps), Cable: set(10 * units.Kilometre)}
	f := &policy.Fabric{LosslessFrame: set(4200 * units.Byte), NICs: []*policy.NIC{nic}, Switches: []*policy.Switch{{Groups: []*policy.PortGroup{group}}, {}}}
	p := pathOf(f)
	base := p.Base.Value
	if p.Hops.Value != 1 || base < 100*units.Microsecond || p.Usual.Value != base || p.Tolerable.Value != 3*base {
		t.Errorf("%v hops, %v: %v and %v", p.Hops.Value, base, p.Usual.Value, p.Tolerable.Value)
	}
	f.Targets.UsualLatency, f.Targets.MaxLatency = set(base+7), set(base-1)
	if p := pathOf(f); p.Usual.Value != 7 || p.Tolerable.Value != 0 {
		t.Errorf("goals that are set: %v and %v", p.Usual.Value, p.Tolerable.Value)
	}
	f.Targets.UsualLatency, f.Targets.MaxLatency = policy.Opt[units.Time]{Value: 2*base + 5}, policy.Opt[units.Time]{Value: 4 * base}
	if p := pathOf(f); p.Usual.Value != base+5 || p.Tolerable.Value != 3*base {
		t.Errorf("usual goals that are more: %v and %v", p.Usual.Value, p.Tolerable.Value)
	}
	// Switches without a chip have the latency that is assumed.
	if got := chipLatency(f); got.Value != assumedChipLatency || got.Why.Kind != plan.Default {
		t.Errorf("%+v", got)
	}
	catalogue, _ := chips.Load()
	f.Switches[1].Chip, _ = catalogue.Find("trident3")
	own := f.Switches[1].Chip.Latency.Or(assumedChipLatency)
	if got := chipLatency(f); got.Value != own {
		t.Errorf("%v, want %v", got.Value, own)
	}
	if got := frameTime(f); got.Value != 336*units.Nanosecond { // 4,200 B at 100 Gb/s
		t.Errorf("%v", got.Value)
	}
	group.Lossless = set(false)
	if got := frameTime(f); got.Value != 0 || fastestHost(f).Value != 0 {
		t.Errorf("no port is lossless: %v, %v", got.Value, fastestHost(f).Value)
	}
}

// What a fabric states of peers and packets is for the verifier; what it does not state is not there.
func TestDeclaredOfPeers(t *testing.T) {
	s := byHand().shape
	s.fabric.LosslessFrame = policy.Opt[units.Bytes]{}
	k := s.kinds[0]
	if got := s.declared(k); got != nil {
		t.Errorf("nothing is stated: %+v", got)
	}
	k.group.PauseResponse = set(3 * units.Microsecond)
	if got := s.declared(k); got == nil || !got.Declared || got.Response.Value != 3*units.Microsecond || got.LosslessFrame.Why != nil || got.SmallPackets.Why != nil {
		t.Errorf("%+v", got)
	}
	k.group.PauseResponse = policy.Opt[units.Time]{}
	s.fabric.SmallPackets = set(20 * units.Percent)
	if got := s.declared(k); got == nil || got.Declared || got.SmallPackets.Value != 20*units.Percent {
		t.Errorf("%+v", got)
	}
	s.fabric.SmallPackets, s.fabric.LosslessFrame = policy.Opt[units.Ratio]{}, set(900*units.Byte)
	if got := s.declared(k); got == nil || got.Declared || got.LosslessFrame.Value != 900 {
		t.Errorf("%+v", got)
	}
}

// Kmax is never below the Kmin that the author gives.
func TestKmaxIsNotBelowKmin(t *testing.T) {
	s := byHand().shape
	s.path = &plan.Path{Usual: plan.Of(10*units.Microsecond, &plan.Why{}), Tolerable: plan.Of(40*units.Microsecond, &plan.Why{}), Hops: plan.Of(plan.Count(1), &plan.Why{})}
	class, k := s.lossless[0], s.kinds[0]
	usual := s.kMax(class, k).Value
	if usual <= 0 {
		t.Fatal(usual)
	}
	s.fabric.Targets.MaxLatency = set(80 * units.Microsecond) // else Kmax is a width above Kmin
	usual = s.kMax(class, k).Value
	for kmin, want := range map[units.Bytes]units.Bytes{usual - 100: usual, usual: usual, usual + 100: usual + 100} {
		k.group.Curves = []policy.PortCurve{{Curve: policy.Curve{KMin: set(kmin)}}}
		must.Equalf(t, s.kMax(class, k).Value, want, "Kmin of %v: Kmax", kmin)
	}
}

// Who sizes buffers, and what SONiC's calculator is given: the share of small packets is the author's, or a half.
func TestCalculatorIsGiven(t *testing.T) {
	catalogue, _ := chips.Load()
	spectrum, _ := catalogue.Find("spectrum-4")
	tomahawk, _ := catalogue.Find("tomahawk")
	for _, c := range []struct {
		chip *chips.Chip
		os   string
		own  policy.Opt[string]
		want plan.BufferModel
	}{
		{spectrum, "sonic", policy.Opt[string]{}, plan.DynamicModel}, {spectrum, "cumulus", policy.Opt[string]{}, plan.Traditional}, {tomahawk, "sonic", policy.Opt[string]{}, plan.Traditional}, {nil, "sonic", policy.Opt[string]{}, plan.Traditional},
		{spectrum, "sonic", set("traditional"), plan.Traditional}, {tomahawk, "sonic", set("dynamic"), plan.DynamicModel},
	} {
		s := byHand().shape
		s.chip, s.sw.OS, s.sw.BufferModel = c.chip, set(c.os), c.own
		must.Equalf(t, s.bufferModel(), c.want, "%+v:", c)
		got := s.calculator(alphas{s.lossless[1]: {limit: dynamic(2, &plan.Why{})}})
		if (got != nil) != (c.want == plan.DynamicModel) {
			t.Errorf("%+v: %+v", c, got)
		}
		if got == nil {
			continue
		}
		if got.SmallPackets.Value != 50*units.Percent || got.LosslessFrame.Value != 900 || got.DefaultAlpha.Value != 2 || got.Oversubscribe.Value != 0 || got.Oversubscribe.Why.Value != plan.Count(0) {
			t.Errorf("%+v", got)
		}
		s.fabric.SmallPackets = set(7 * units.Percent)
		if got := s.calculator(alphas{}); got.SmallPackets.Value != 7*units.Percent || got.DefaultAlpha.Why != nil {
			t.Errorf("%+v", got)
		}
	}
	s := byHand().shape
	if s.chip = tomahawk; s.spectrumProfile(s.kinds[0], headroom.Result{}, headroom.Derivation{}) != (room{}) {
		t.Error("NVIDIA's calculator speaks of another family")
	}
}

// What lies in a slice is told with where it is known from, and lanes of a port by the group or by its place.
func TestPlacesAreTold(t *testing.T) {
	s := byHand().shape
	for _, c := range []struct {
		slices plan.Count
		known  bool
		says   string
	}{{1, false, "there is one slice"}, {1, true, "there is one slice"}, {2, false, "which ports share a slice is not known"}} {
		s.slices = plan.Of(c.slices, &plan.Why{})
		if got := s.placed("x", plan.Count(3), c.known); got.Kind != plan.Default || !strings.Contains(got.Note+got.Source, c.says) || got.Value != plan.Count(3) || got.Name != "x" {
			t.Errorf("%+v: %+v", c, got)
		}
	}
	catalogue, _ := chips.Load()
	parted := 0
	for _, chip := range catalogue.Chips() {
		fact := chip.Parts.Ingress.Fact()
		if fact == nil {
			continue
		}
		s.chip, parted = chip, parted+1
		if got := s.placed("x", plan.Count(3), true); got.Kind != plan.Catalogue || got.Name != "x" || got.Value != plan.Count(3) || got.Source != fact.Source {
			t.Errorf("%s: %+v", chip.Name, got)
		}
	}
	if parted == 0 {
		t.Error("of no chip it is known which ports share a slice")
	}
	k := s.kinds[0]
	if k.lanes(0) != nil {
		t.Error("lanes of nobody")
	}
	k.group.Places = []chips.Place{{Lanes: []int{5}}}
	if !slices.Equal(k.lanes(0), []int{5}) || k.lanes(1) != nil {
		t.Errorf("%v, %v", k.lanes(0), k.lanes(1))
	}
	k.group.Lanes = [][]int{{7}}
	if !slices.Equal(k.lanes(0), []int{7}) || k.lanes(1) != nil {
		t.Errorf("%v, %v", k.lanes(0), k.lanes(1))
	}
}

// A newcomer needs its burst where that is declared, else the largest Kmax, and what lies between its thresholds at
// the least; what is asked for is told at its line, as an error.
func TestNewcomerNeeds(t *testing.T) {
	b := &budget{headrooms: *byHand(), usual: plan.Of(units.Bytes(1_000_000), &plan.Why{})}
	class := b.lossless[0]
	class.Range = place(3)
	least := b.xonOffset().Value
	curve := func(kmax units.Bytes) *plan.ECN { return &plan.ECN{KMax: plan.Of(kmax, &plan.Why{Name: "kmax"})} }
	for _, c := range []struct {
		marks curves
		want  units.Bytes
	}{
		{curves{{}, {}, {}}, least}, {curves{{class: curve(least)}, {}, {}}, least}, {curves{{class: curve(least + 1)}, {class: curve(least + 9)}, {}}, least + 9}, {curves{{class: curve(least + 9)}, {class: curve(least + 1)}, {}}, least + 9},
		{curves{{}, {}, {class: curve(least + 50)}}, least}, // ports that do not carry it
	} {
		if got := b.newcomerNeed(class, c.marks); got.Value != c.want {
			t.Errorf("%v, want %v", got.Value, c.want)
		}
	}
	marks := curves{{}, {}, {}}
	at := func() (diag.Range, bool) {
		got := b.newcomerGuarantee(class, marks, dynamic(0, &plan.Why{}), b.stuck(1))
		var list diag.List
		b.fabric.MTU = set(1000 * units.Byte)
		got.report(&list)
		return got.Range, list.HasErrors()
	}
	if where, asked := at(); where != place(3) || asked {
		t.Errorf("nobody asks: %v, %v", where, asked)
	}
	b.fabric.Isolation = policy.Opt[int]{Value: 1, Set: true, Range: place(5)}
	if where, asked := at(); where != place(5) || !asked {
		t.Errorf("isolation: %v, %v", where, asked)
	}
	class.Burst = policy.Opt[units.Bytes]{Value: 77, Set: true, Range: place(7)}
	if where, asked := at(); where != place(7) || !asked || b.newcomerNeed(class, marks).Value != 77 {
		t.Errorf("burst: %v, %v", where, asked)
	}
	must.Equal(t, groupsOf(b.stuck(1))+", "+groupsOf(b.stuck(2)), "one priority group, 2 priority groups")
}

// Vendors' figures are the SDK's of the port's speed, and those of the method that the chip is known to follow.
func TestFiguresOfVendors(t *testing.T) {
	catalogue, _ := chips.Load()
	names := func(chip string, speed units.BitRate) (all []string) {
		s := byHand().shape
		s.chip, _ = catalogue.Find(chip)
		s.cell = s.chip.CellSize.Or(0)
		s.kinds[0].group.Speed, s.kinds[0].cable = set(speed), set(5*units.Metre)
		for _, f := range s.vendorFigures(s.kinds[0]) {
			all = append(all, f.name)
			if f.bytes <= 0 || f.why == nil || int64(f.bytes)%int64(s.cell) != 0 {
				t.Errorf("%s at %v: %+v", chip, speed, f)
			}
		}
		return all
	}
	tomahawk3, _ := catalogue.Find("tomahawk3")
	if speeds := tomahawk3.SDKHeadroom.Speeds.Or(nil); len(speeds) > 0 {
		if got := names("tomahawk3", speeds[0]); !slices.Contains(got, "the SDK's default") {
			t.Errorf("at %v: %v", speeds[0], got)
		}
	}
	if got := names("tomahawk3", 123*units.Mbps); slices.Contains(got, "the SDK's default") {
		t.Errorf("at 123 Mb/s: %v", got)
	}
	for _, chip := range []string{"jericho2", "trident3"} {
		found, _ := catalogue.Find(chip)
		_, none := found.HeadroomMethod.Get()
		if got := names(chip, 100*units.Gbps); slices.ContainsFunc(got, func(n string) bool { return strings.HasPrefix(n, "method ") }) != (none == nil) {
			t.Errorf("%s: %v", chip, got)
		}
	}
	// A chip is known to follow a method whose figures nobody publishes.
	own := must.Sound(chips.Load(chips.Source{Name: "own.hcl", Text: []byte("chip \"own\" {\n title = \"Own\"\n vendor = \"Own\"\n family = \"xgs\"\n cell_size {\n value = \"100B\"\n confidence = \"assumed\"\n source = \"by hand\"\n }\n headroom_method {\n value = \"xgs\"\n confidence = \"assumed\"\n source = \"by hand\"\n }\n}\n")}))(t)
	catalogue = own
	if got := names("own", 100*units.Gbps); len(got) != 0 {
		t.Errorf("%v", got)
	}
	s := byHand().shape
	must.Equal(t, s.chooses(s.kinds[0]), "headroom_method")
	s.kinds[0].group.Headroom = set(1 * units.Byte)
	must.Equal(t, s.chooses(s.kinds[0]), "headroom")
	if !s.choosesHeadroom(s.kinds[0]) || s.choosesHeadroom(s.kinds[1]) {
		t.Error("who gives a headroom chooses it")
	}
	s.fabric.HeadroomMethod = set("xgs")
	if !s.choosesHeadroom(s.kinds[1]) {
		t.Error("who names a method chooses it")
	}
}

// The buffer of a chip is planned where its cells and its size are known, not where one of them is.
func TestChipMustHaveBoth(t *testing.T) {
	datum := func(name, value string) string {
		return name + " {\n value = \"" + value + "\"\n confidence = \"assumed\"\n source = \"a test\"\n}\n"
	}
	cell, buffer, usable := datum("cell_size", "100B"), datum("packet_buffer", "1000B"), datum("usable_buffer", "850B")
	for _, c := range []struct {
		data string
		want units.Bytes // usable; 0: not planned
		lack int
	}{{cell + buffer, 1000, 0}, {cell + buffer + usable, 800, 0}, {cell, 0, 1}, {buffer, 0, 1}, {"", 0, 2}} {
		catalogue := must.Sound(chips.Load(chips.Source{Name: "own.hcl", Text: []byte("chip \"own\" {\n title = \"Own\"\n vendor = \"Own\"\n family = \"xgs\"\n" + c.data + "}\n")}))(t)
		chip, _ := catalogue.Find("own")
		var found findings
		s := &shape{chip: chip, sw: &policy.Switch{}}
		if ok := s.chipData(&found); ok != (c.want > 0) || s.usable.Value != c.want || len(found.list) != c.lack {
			t.Errorf("%q: %v, %v, %v", c.data, ok, s.usable.Value, found.list)
		}
	}
}

// A datum is told with its confidence, its source and the chip that it is of, and with its note if it has one.
func TestNotesOfData(t *testing.T) {
	for note, want := range map[string]string{"": "assumed", "note = \"of a test\"": "assumed: of a test"} {
		catalogue := must.Sound(chips.Load(chips.Source{Name: "own.hcl", Text: []byte("chip \"own\" {\n title = \"Own\"\n vendor = \"Own\"\n family = \"xgs\"\n cell_size {\n value = \"100B\"\n confidence = \"assumed\"\n source = \"by hand\"\n " + note + "\n }\n}\n")}))(t)
		chip, _ := catalogue.Find("own")
		if got := datum(chip, chip.CellSize, 100*units.Byte); got.Note != want || got.Source != "by hand" || got.ID != "own" || got.Name != "cell_size" || got.Kind != plan.Catalogue || got.Range.Filename != "own.hcl" {
			t.Errorf("%+v, want the note %q", got, want)
		}
	}
}

// What must hold of a class is asked of each kind of port that carries it, and what must hold of the buffer where it
// has something to divide.
func TestWhatMustHold(t *testing.T) {
	ids := func(all []inequality) string {
		var list []string
		for _, one := range all {
			list = append(list, one.ID)
		}
		return strings.Join(list, " ")
	}
	b := &budget{headrooms: *byHand(), slice: plan.Of(units.Bytes(100_000), &plan.Why{}), leftover: plan.Of(units.Bytes(50_000), &plan.Why{})}
	b.usable, b.reserved = plan.Of(units.Bytes(200_000), &plan.Why{}), plan.Of(units.Bytes(0), &plan.Why{})
	b.shared, b.lossyPool = plan.Of(units.Bytes(100_000), &plan.Why{}), plan.Of(units.Bytes(1000), &plan.Why{})
	for range 3 {
		b.pgReserve = append(b.pgReserve, plan.Of(units.Bytes(100), &plan.Why{}))
	}
	class := b.lossless[0]
	curve := &plan.ECN{KMax: plan.Of(units.Bytes(1000), &plan.Why{})}
	const each = "pg-before-queue xon-below-xoff"
	must.Equalf(t, ids(slices.Collect(b.musts(class, curves{{}, {}, {}}, dynamic(0, &plan.Why{})))), each+" "+each, "without curves:")
	// One sender, and all five, to a port that marks.
	if got := ids(slices.Collect(b.musts(class, curves{{}, {class: curve}, {}}, dynamic(0, &plan.Why{})))); got != each+" "+each+" ecn-before-pfc ecn-before-pfc" {
		t.Errorf("with a curve: %s", got)
	}
	must.Equalf(t, ids(b.inequalities()), "buffer-fits lossy-leaves-lossless", "of the buffer:")
	b.usable = plan.Of(units.Bytes(1000), &plan.Why{})
	must.Equalf(t, ids(b.inequalities()), "buffer-fits", "of a buffer that does not suffice:")
	if list := b.pools(); len(list) != 3 || list[1].Name != EgressLossyPool || list[1].Size.Value != 1000 {
		t.Errorf("%+v", list)
	}
	b.sizeMean = chips.GrossPool
	if size := b.ingressSize(plan.Of(units.Bytes(500), &plan.Why{})); size.Value != 100_500 || size.Why.Kind != plan.Formula || size.Why.ID != "sum" || len(size.Why.Terms) != 2 {
		t.Errorf("%+v", size)
	}
	b.sizeMean = chips.Gross
	if size := b.ingressSize(plan.Of(units.Bytes(500), &plan.Why{})); size.Value != b.usable.Value {
		t.Errorf("%+v", size)
	}
	b.lossy = nil
	if list := b.pools(); len(list) != 2 || list[0].Name != EgressLosslessPool || list[1].Name != IngressPool {
		t.Errorf("without a lossy class: %+v", list)
	}
}

// A port's groups and queues, by hand: two lossless classes in queues that hold all, a lossy one with alpha 8 and a
// strict one with alpha 1 of the lossy pool; on a lossy port the groups of lossless classes are group 0.
func TestWhatPortsAreTold(t *testing.T) {
	b := &budget{headrooms: *byHand(), queueReserve: plan.Of(units.Bytes(50), &plan.Why{}), lossyPool: plan.Of(units.Bytes(1000), &plan.Why{})}
	b.usable = plan.Of(units.Bytes(90_000), &plan.Why{})
	for range 3 {
		b.pgReserve = append(b.pgReserve, plan.Of(units.Bytes(100), &plan.Why{}))
	}
	strict := &policy.Class{Name: "cnp", TrafficClass: set(uint8(6)), Queue: set(uint8(6)), PriorityGroup: set(uint8(6)), Strict: set(true), Trimming: &policy.Trimming{}}
	again := &policy.Class{Name: "again", TrafficClass: set(uint8(7)), Queue: set(uint8(7)), PriorityGroup: set(uint8(1))}
	b.classes, b.lossy = append(b.classes, strict, again), append(b.lossy, strict, again)
	own := alphas{}
	for _, class := range b.lossless {
		own[class] = classAlpha{limit: dynamic(-2, &plan.Why{})}
	}
	p := &ports{budget: b, marks: curves{{}, {}, {}}, alphas: own, schedulers: schedulers{{}, {}, {}}}
	qos := p.portQoS(b.kinds[1])
	if qos.PFC != 1<<3|1<<4 || !qos.Watchdog || qos.Unwatched != 0 || qos.Trust != plan.TrustDSCP || len(qos.Pools) != 0 {
		t.Errorf("%+v", qos)
	}
	var groups, queues []string
	say := func(id uint8, pool string, reserved units.Bytes, limit plan.Limit, more any) string {
		if limit.Dynamic {
			return fmt.Sprint(id, " ", pool, " ", reserved, " alpha ", int(limit.Alpha), " ", more)
		}
		return fmt.Sprint(id, " ", pool, " ", reserved, " ", limit.Static, " ", more)
	}
	list := func(qos *plan.PortQoS) {
		groups, queues = nil, nil
		for _, pg := range qos.PGs {
			groups = append(groups, say(pg.ID, pg.Pool, pg.Reserved.Value, pg.Limit.Value, fmt.Sprint(pg.Lossless, pg.Headroom.Value)))
		}
		for _, q := range qos.Queues {
			queues = append(queues, say(q.ID, q.Pool, q.Reserved.Value, q.Limit.Value, q.Trims))
		}
	}
	list(qos)
	if want := []string{"1 ingress_lossless_pool 0B 90000B false 0B", "3 ingress_lossless_pool 100B alpha -2 true 3000B", "4 ingress_lossless_pool 100B alpha -2 true 3000B", "6 ingress_lossless_pool 0B 90000B false 0B"}; !slices.Equal(groups, want) {
		t.Errorf("groups %q", groups)
	}
	for _, q := range qos.Queues {
		if lossless := q.ID == 3 || q.ID == 4; lossless != (q.Reserved.Why != nil && q.Reserved.Why.Kind == plan.Default && q.Reserved.Why.Value == units.Bytes(0)) {
			t.Errorf("queue %d: %+v", q.ID, q.Reserved)
		}
	}
	if want := []string{"1 egress_lossy_pool 50B alpha 3 false", "3 egress_lossless_pool 0B 90000B false", "4 egress_lossless_pool 0B 90000B false", "6 egress_lossy_pool 50B alpha 0 true", "7 egress_lossy_pool 50B alpha 3 false"}; !slices.Equal(queues, want) {
		t.Errorf("queues %q", queues)
	}
	lossy := p.portQoS(b.kinds[2])
	list(lossy)
	if want := []string{"0 ingress_lossless_pool 0B 90000B false 0B", "1 ingress_lossless_pool 0B 90000B false 0B", "6 ingress_lossless_pool 0B 90000B false 0B"}; !slices.Equal(groups, want) || lossy.PFC != 0 || lossy.Watchdog {
		t.Errorf("a lossy port: %q, %+v", groups, lossy)
	}
	if len(queues) != 5 || !strings.HasPrefix(queues[1], "3 egress_lossy_pool 50B alpha 3") {
		t.Errorf("a lossy port: %q", queues)
	}
	b.classes[1].SentBack, b.kinds[1].group.SentBack = true, set(true) // of priority 4, which no watchdog drops
	if qos := p.portQoS(b.kinds[1]); qos.Unwatched != 1<<4 || !qos.Watchdog {
		t.Errorf("%+v", qos)
	}
	b.classes[1].SentBack, b.kinds[1].group.SentBack = false, policy.Opt[bool]{}
	b.kinds[1].group.Trust = set("marking")
	b.fabric.Watchdog = &policy.Watchdog{Off: true}
	if qos := p.portQoS(b.kinds[1]); qos.Trust != plan.TrustNone || qos.Watchdog {
		t.Errorf("%+v", qos)
	}
	// A level at which a group resumes stands for the offset.
	b.rooms[1].xon = plan.Of(units.Bytes(500), &plan.Why{})
	if pg := p.losslessPG(b.lossless[0], b.kinds[1]); pg.XOn.Value != 500 || pg.XOnOffset.Value != 0 || pg.XOnOffset.Why == nil || pg.XOnOffset.Why.Value != units.Bytes(0) {
		t.Errorf("%+v", pg)
	}
	b.rooms[1].xon = plan.Derived[units.Bytes]{}
	if pg := p.losslessPG(b.lossless[0], b.kinds[1]); pg.XOn.Value != 0 || pg.XOn.Why == nil || pg.XOn.Why.Value != units.Bytes(0) || pg.XOnOffset.Value != b.xonOffset().Value || pg.XOnOffset.Value == 0 {
		t.Errorf("%+v", pg)
	}
}

// A port's peer is called by its NIC, or by the kind of the switch without the numbers of a range.
func TestNamesOfPeers(t *testing.T) {
	sw := func(label string) *policy.PortGroup {
		return &policy.PortGroup{PeerSwitch: &policy.Switch{Label: label}}
	}
	for want, group := range map[string]*policy.PortGroup{"": {}, "cx7": {PeerNIC: &policy.NIC{Name: "cx7"}}, "spine": sw("spine-[1..4]"), "leaf-1": sw("leaf-1"), "pod_a": sw("pod_a.[1..2]"), "[1..2]": sw("[1..2]")} {
		must.Equal(t, peerName(group), want)
	}
}

// Where a port sits in its box: an alias that the author gives stays, a cage without a mode is not split, and lanes of
// 50 Gb/s and more have RS-FEC, which NVIDIA's driver chooses itself.
func TestPlaceOfAPort(t *testing.T) {
	at := &chips.Place{Index: 3, Alias: "etp3", Mode: "2x400G", Parent: "Ethernet16", Subport: 2, Lanes: []int{1, 2}}
	for _, c := range []struct {
		family chips.Family
		speed  units.BitRate
		mode   string
		alias  string
		want   plan.Port
	}{
		{chips.XGS, 100 * units.Gbps, "2x400G", "", plan.Port{Alias: "etp3", Index: 3, FEC: "rs", Cage: plan.Cage{Port: "Ethernet16", Mode: "2x400G", Subport: 2}}},
		{chips.XGS, 100*units.Gbps - 1, "2x400G", "own", plan.Port{Alias: "own", Index: 3, Cage: plan.Cage{Port: "Ethernet16", Mode: "2x400G", Subport: 2}}},
		{chips.XGS, 400 * units.Gbps, "", "", plan.Port{Alias: "etp3", Index: 3, FEC: "rs"}}, {chips.Spectrum, 400 * units.Gbps, "", "", plan.Port{Alias: "etp3", Index: 3}},
	} {
		h := byHand()
		h.chip = &chips.Chip{Family: c.family}
		own := *at
		own.Mode = c.mode
		port := plan.Port{Alias: c.alias, Speed: c.speed}
		(&ports{budget: &budget{headrooms: *h}}).place(&port, &own)
		if port.Alias != c.want.Alias || port.Index != c.want.Index || port.FEC != c.want.FEC || port.Cage != c.want.Cage {
			t.Errorf("%+v: %+v", c, port)
		}
	}
}

// The fewest senders that fill a port are those that its rate holds, and one: servers are no faster than the fastest
// of the fabric. Where the fan-in is less, there is no such burst; what is declared comes after.
func TestFewestSenders(t *testing.T) {
	for _, c := range []struct {
		host units.BitRate
		from []int64
		rate units.BitRate
	}{
		{0, []int64{2, 9}, 100 * units.Gbps}, {100 * units.Gbps, []int64{2, 9}, 100 * units.Gbps}, {400 * units.Gbps, []int64{2, 9}, 100 * units.Gbps}, {51 * units.Gbps, []int64{2, 9}, 51 * units.Gbps}, {50 * units.Gbps, []int64{3, 9}, 50 * units.Gbps},
		{25 * units.Gbps, []int64{5, 9}, 25 * units.Gbps}, {20 * units.Gbps, []int64{9}, 20 * units.Gbps},
	} {
		s := byHand().shape
		s.path = &plan.Path{Host: plan.Of(c.host, &plan.Why{})}
		s.fabric.FanIn = []policy.FanIn{{From: 9, To: 2}}
		var from []int64
		for _, p := range s.bursts(s.kinds[0]) {
			from = append(from, p.from)
		}
		if got := s.senderRate(s.kinds[0]); !slices.Equal(from, c.from) || got.Value != c.rate {
			t.Errorf("hosts of %v: %v at %v", c.host, from, got.Value)
		}
	}
}

// What arrives is asked of each kind of port that marks, and of each burst.
func TestOvershootsOfBursts(t *testing.T) {
	b := &budget{headrooms: *byHand(), leftover: plan.Of(units.Bytes(90_000), &plan.Why{})}
	b.path = &plan.Path{Base: plan.Of(8*units.Microsecond, &plan.Why{})}
	class := b.lossless[0]
	curve := func(kmax units.Bytes) *plan.ECN { return &plan.ECN{KMax: plan.Of(kmax, &plan.Why{})} }
	all := b.overshoots(class, curves{{class: curve(1000)}, {}, {class: curve(1000)}}, dynamic(0, &plan.Why{}), b.stuck(1))
	if len(all) != 1 {
		t.Fatalf("%d", len(all))
	}
	// One sender too many brings 100 Gb/s for as long as marks take.
	arrives := units.Bytes(int64(b.reactionTime().Value) * 100 / 8000)
	if got := all[0].Left.Value; got != 1000+arrives {
		t.Errorf("%v, want %v", got, 1000+arrives)
	}
	b.fabric.FanIn = []policy.FanIn{{From: 3, To: 3}}
	if all = b.overshoots(class, curves{{class: curve(1000)}, {class: curve(2000)}, {}}, dynamic(0, &plan.Why{}), b.stuck(1)); len(all) != 4 {
		t.Fatalf("%d", len(all))
	}
	if got := all[1].Left.Value; got != units.Bytes(1000) {
		t.Errorf("as many senders as ports bring nothing on top: %v", got)
	}
}

// A vendor's table that is not there, that has a fault, or that the chip cannot take is told at its line, and gives no
// method; faults in it by their line of the table.
func TestTablesOfVendors(t *testing.T) {
	catalogue, _ := chips.Load()
	chip, _ := catalogue.Find("tomahawk")
	const row = "100000 40m 1248 2288 177632 0\n"
	for _, c := range []struct {
		chip *chips.Chip
		text string
		says string
	}{
		{chip, row, ""}, {chip, "", `headroom_method = "table" needs the table`}, {chip, row + "100000 40m 1248\n", "headroom_table, line 2: the line has 3 fields"}, {&chips.Chip{Name: "bare"}, row, "the chip catalogue has no"},
	} {
		s := byHand().shape
		s.chip = c.chip
		s.fabric.HeadroomMethod = policy.Opt[string]{Value: "table", Set: true, Range: place(3)}
		if c.text != "" {
			s.fabric.HeadroomTable = policy.Opt[string]{Value: c.text, Set: true, Range: place(4)}
		}
		var found findings
		method, ok := s.tableMethod(&found)
		if ok != (c.says == "") || ok && method.Name() != "table" || !ok && (len(found.list) != 1 || !strings.HasPrefix(found.list[0].Message, c.says)) {
			t.Errorf("%q: %v, %v, want %q", c.text, ok, found.list, c.says)
			continue
		}
		line := 4
		if c.text == "" {
			line = 3
		}
		if !ok && found.list[0].Subject != place(line) {
			t.Errorf("%q: at %v", c.text, found.list[0].Subject)
		}
	}
}

// Wishes are dropped from the last. With no room for lossy frames a newcomer's part decides with as many groups stuck
// as it can be kept for; where that cannot be kept either, alpha is the nearest for one; where nothing works, it is the
// least of the menu.
func TestWishesAreDropped(t *testing.T) {
	menu := []units.Alpha{-3, -2, -1, 0, 1, 2, 3}
	catalogue, _ := chips.Load()
	chip, _ := catalogue.Find("tomahawk") // which has alphas, as reasons tell
	for _, c := range []struct {
		name  string
		mtu   units.Bytes
		burst units.Bytes
		slice units.Bytes
		stuck plan.Count
		alpha units.Alpha
		ok    bool
	}{
		{"all can be kept", 1000, 1, 1_000_000, 3, -1, true},
		{"no room for lossy frames", 1 << 40, 1, 1_000_000, 3, -1, true},
		// Of 1,000,000 B one beside another gets a quarter at most, one beside two no more than 171,572.
		{"for one alone", 1 << 40, 250_000, 1_000_000, 1, 0, true}, {"for two", 1 << 40, 166_600, 1_000_000, 2, 0, true}, {"for nobody", 1 << 40, 250_001, 1_000_000, 1, 0, true},
		{"nothing works", 1000, 1, 100, 1, -3, false},
	} {
		b := &budget{headrooms: *byHand(), slice: plan.Of(c.slice, &plan.Why{}), usual: plan.Of(c.slice, &plan.Why{}), leftover: plan.Of(c.slice, &plan.Why{})}
		b.chip = chip
		b.together, b.usable = plan.Of(plan.Count(3), &plan.Why{}), plan.Of(units.Bytes(1)<<40, &plan.Why{})
		b.fabric.MTU, b.fabric.XOFFTime = set(c.mtu), policy.Opt[units.Time]{Value: units.Second}
		for range 3 {
			b.pgReserve = append(b.pgReserve, plan.Of(units.Bytes(100), &plan.Why{}))
		}
		class := b.lossless[0]
		class.Burst = set(c.burst)
		got, ok := b.isolatingAlpha(class, curves{{}, {}, {}}, menu)
		if ok != c.ok || got.stuck.Value != c.stuck || got.limit.Value.Alpha != c.alpha || got.limit.Why.Kind != plan.Formula {
			t.Errorf("%s: %v, %d stuck, alpha 2^%d; want %d, 2^%d", c.name, ok, got.stuck.Value, got.limit.Value.Alpha, c.stuck, c.alpha)
		}
		// What the search counts is what is derived of the alpha that it chooses.
		for _, alpha := range menu {
			for n := int64(1); n < 5; n++ {
				wishes := b.wishes(class, curves{{}, {}, {}}, dynamic(alpha, nil), b.stuck(n))
				want := slices.IndexFunc(append(wishes, inequality{}), func(i inequality) bool { return !i.Holds })
				if got := b.granted(b.demands(class, curves{{}, {}, {}}), alpha, n); got != want {
					t.Errorf("%s: alpha 2^%d with %d stuck keeps %d wishes, want %d", c.name, alpha, n, got, want)
				}
			}
		}
	}
}

// Packets for which no rule says anything have the class that the rules name, or that of the rest; a switch all of
// whose ports trust the DSCP has no rules.
func TestPlanMarking(t *testing.T) {
	class := func(tc uint8, rest bool) *policy.Class { return &policy.Class{TrafficClass: set(tc), Rest: rest} }
	untrusted := &policy.Switch{Groups: []*policy.PortGroup{{}, {Trust: set("marking")}}}
	rules := &policy.Marking{Rewrite: set(uint8(5)), UDPPort: set(uint16(4791)), Range: place(7)}
	rules.Rules = append(rules.Rules, policy.MarkRule{DSCP: set(uint8(26)), Class: class(3, false)})
	f := &policy.Fabric{Marking: rules, Classes: []*policy.Class{class(3, false), class(1, true)}}
	if planMarking(&policy.Fabric{}, untrusted) != nil || planMarking(f, &policy.Switch{Groups: []*policy.PortGroup{{}}}) != nil {
		t.Error("rules of nobody")
	}
	got := planMarking(f, untrusted)
	if got == nil || got.DefaultTC != 1 || got.Default != 5 || got.Range != place(7) || len(got.Rules) != 1 || got.Rules[0] != (plan.MarkRule{UDPPort: 4791, DSCP: 26, TC: 3}) {
		t.Errorf("%+v", got)
	}
	rules.Class = class(6, false)
	if got := planMarking(f, untrusted); got.DefaultTC != 6 {
		t.Errorf("%+v", got)
	}
	rules.Class, f.Classes = nil, f.Classes[:1]
	if got := planMarking(f, untrusted); got.DefaultTC != 0 {
		t.Errorf("%+v", got)
	}
}

// What a congestion control needs is held against what its class says: marks, telemetry, and a strict class for what
// measures delay; what it does not react to is said where the author asks for it.
func TestCongestionControlNeeds(t *testing.T) {
	none := policy.Opt[string]{Value: "derived"}
	for _, c := range []struct {
		control policy.Opt[string]
		ecn     policy.Opt[string]
		strict  bool
		want    string
	}{
		{policy.Opt[string]{Value: "dcqcn"}, set("off"), false, ""}, {set("dcqcn"), none, false, ""}, {set("dcqcn"), set("derived"), false, ""}, {set("dcqcn"), set("off"), false, "dcqcn reacts to ECN marks"},
		{set("none"), set("off"), false, ""}, {set("none"), set("derived"), false, ""}, {set("hpcc"), set("off"), false, "hpcc needs in-band telemetry"}, {set("hpcc"), none, true, "hpcc needs in-band telemetry"},
		{set("hpcc"), set("derived"), true, "hpcc does not react to ECN marks; hpcc needs in-band telemetry"}, {set("swift"), set("off"), true, ""}, {set("swift"), none, false, "swift measures delay"}, {set("timely"), set("derived"), true, "timely does not react to ECN marks"},
	} {
		f := &policy.Fabric{Classes: []*policy.Class{{Name: "rdma", CongestionControl: c.control, ECN: c.ecn}, {Strict: set(c.strict)}}}
		var list diag.List
		checkCongestionControl(f, &list)
		wants := strings.Split(c.want, "; ")
		if c.want == "" {
			wants = nil
		}
		if len(list) != len(wants) {
			t.Errorf("%+v: %v, want %q", c, list, wants)
			continue
		}
		for i, want := range wants {
			if !strings.HasPrefix(list[i].Message, want) || (list[i].Severity == diag.Error) != strings.Contains(want, "reacts to") {
				t.Errorf("%+v: %v, want %s", c, list[i], want)
			}
		}
	}
}

// Which curve serves a lone flow and many alike, by hand. Between Kmin of 100,000 B and Kmax of 300,000 B a queue of
// 200,000 B is half way: a fixed point of 0.3 % needs a pmax of 0.6 %, which is 1 % in whole ones, one of 2 % needs 4 %.
// Marks above 5 CNPs in 50 us bring no more: of packets of 512 B and less at 100 Gb/s that is less than 1 %.
func TestBothEndsOfACurve(t *testing.T) {
	s := byHand().shape
	class, k := s.lossless[0], s.kinds[0]
	curve := func(low, high units.Bytes, pmax units.Ratio) *plan.ECN {
		return &plan.ECN{KMin: plan.Of(low, nil), KMax: plan.Of(high, nil), PMax: plan.Of(pmax, nil)}
	}
	const tenth = units.Percent / 10
	for _, c := range []struct {
		curve *plan.ECN
		fixed units.Ratio
		want  string
	}{
		{curve(200_000, 300_000, units.Percent), tenth, "no pmax and no kmax does: lower kmin below 200000B"},
		{curve(100_000, 300_000, units.Percent), 3 * tenth, "lower kmax to at most 400000B, or raise pmax to at least 1%, or declare"},
		{curve(100_000, 300_000, units.Percent), 2 * units.Percent, "lower kmax to at most 200000B, or no pmax up to 1%, above which"},
		{curve(100_000, 300_000, 4*tenth), 8 * tenth, "lower kmax to at most 200000B, or no pmax up to 1%, above which"}, // 1.6 % is 2 %
	} {
		if got := s.bothEnds(class, k, c.curve, c.fixed, 200_000); !strings.HasPrefix(got, c.want) {
			t.Errorf("%v: %s, want %s", c.fixed, got, c.want)
		}
	}
}

// Of servers that are as fast the first is told.
func TestFastestServer(t *testing.T) {
	group := func(line int, speed units.BitRate, lossless bool) *policy.PortGroup {
		return &policy.PortGroup{PeerNIC: &policy.NIC{}, Lossless: set(lossless), Speed: policy.Opt[units.BitRate]{Value: speed, Set: true, Range: place(line)}}
	}
	f := &policy.Fabric{Switches: []*policy.Switch{{Groups: []*policy.PortGroup{group(1, 25, true), group(2, 100, true)}}, {Groups: []*policy.PortGroup{group(3, 100, true), group(4, 400, false), {Lossless: set(true), Speed: set(units.BitRate(800))}}}}}
	if got := fastestHost(f); got.Value != 100 || got.Why.Range != place(2) {
		t.Errorf("%v at %v", got.Value, got.Why.Range)
	}
}

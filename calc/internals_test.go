package calc

import (
	"context"
	"maps"
	"math"
	"math/big"
	"os"
	"reflect"
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

// Each figure of the fabric and of the group gets to the method, and defaults stand where none is.
func TestHeadroomInput(t *testing.T) {
	catalogue, _ := chips.Load()
	chip, _ := catalogue.Find("tomahawk3")
	method := must.Get(headroom.For(chip, "worst-case"))(t)
	f, g := &policy.Fabric{MTU: set(9216 * units.Byte), LosslessFrame: set(4200 * units.Byte)}, &policy.PortGroup{Speed: set(100 * units.Gbps)}
	want := headroom.Defaults()
	want.Speed, want.Cable, want.PortMTU, want.LosslessMTU, want.Frame = 100*units.Gbps, 40*units.Metre, headroom.PortMTU(method, 9216), 4200, 4200
	if got := HeadroomInput(f, g, 40*units.Metre, method); !reflect.DeepEqual(got, want) {
		t.Errorf("%+v, want %+v", got, want)
	}
	f.SmallPackets, g.Gearbox, g.LaneCount, g.PauseResponse = set(7*units.Percent), set(2*units.Nanosecond), set(8), set(3*units.Microsecond)
	want.SmallPackets, want.MixDeclared, want.Gearbox, want.Lanes, want.PeerResponse = 7*units.Percent, true, 2*units.Nanosecond, 8, 3*units.Microsecond
	if got := HeadroomInput(f, g, 40*units.Metre, method); !reflect.DeepEqual(got, want) {
		t.Errorf("%+v, want %+v", got, want)
	}
}

// The wire's shares add up to 100, each is its exact part rounded down or up, and who is rounded up
// has no smaller remainder than who is rounded down.
func TestSharesByLargestRemainder(t *testing.T) {
	for _, given := range [][]int64{{60, 40}, {1, 1, 1}, {1, 1, 1, 1, 1, 1, 1}, {20, 30, 51}, {100, 1}, {7}, {0, 5}, {33, 33, 35, 1, 98}} {
		var classes []*policy.Class
		var sum int64
		for _, w := range given {
			classes = append(classes, &policy.Class{Weight: set(w)})
			sum += w
		}
		classes = append(classes, &policy.Class{Weight: set(int64(50)), Strict: set(true)})
		got := shares(classes)
		total, lowestUp, highestDown := int64(0), int64(math.MaxInt64), int64(-1)
		for i, w := range given {
			total += got[i]
			switch rest := w * 100 % sum; got[i] - w*100/sum {
			case 1:
				lowestUp = min(lowestUp, rest)
			case 0:
				highestDown = max(highestDown, rest)
			default:
				t.Errorf("%v: %v", given, got)
			}
		}
		if total != 100 || lowestUp < highestDown || got[len(given)] != 0 {
			t.Errorf("%v: %v", given, got)
		}
	}
	if got := shares([]*policy.Class{{Weight: set(int64(1))}, {Weight: set(int64(1))}, {Weight: set(int64(1))}}); !slices.Equal(got, []int64{34, 33, 33}) {
		t.Errorf("the first of equals gains: %v", got)
	}
	if got := shares([]*policy.Class{{Strict: set(true)}, {}}); !slices.Equal(got, []int64{0, 0}) {
		t.Errorf("nobody has a weight: %v", got)
	}
}

// A lossy class keeps its number unless a lossless one is paused by it; then it has the first that
// is free, and its own again where none is.
func TestLossyPriority(t *testing.T) {
	for _, c := range []struct{ tc, lossless, want uint8 }{
		{0, 0, 0}, {7, 0, 7}, {3, 1 << 3, 0}, {3, 1<<3 | 1, 1}, {0, 1, 1}, {5, 0x7f, 7}, {7, 0xff, 7}, {4, 0xef, 4}, {7, 0xfe, 0},
	} {
		must.Equalf(t, lossyPriority(c.tc, c.lossless), c.want, "class %d beside %08b:", c.tc, c.lossless)
	}
}

// Of an ascending list of alphas the nearest to 1/√n is the one whose logarithm is nearest, and of
// two equally near the larger: n = 2 lies in the middle of 1/2 and 1.
func TestNearestAlpha(t *testing.T) {
	var menu []units.Alpha
	for a := units.Alpha(-8); a <= 8; a++ {
		menu = append(menu, a)
	}
	for n := int64(1); n <= 300; n++ {
		want := math.Floor(-math.Log2(float64(n))/2 + 0.5 + 1e-12)
		if got := nearest(menu, n); float64(got) != want {
			t.Errorf("n = %d: 2^%d, want 2^%v", n, got, want)
		}
	}
	must.Equalf(t, nearest(menu[:1], 1), -8, "of one:")
}

// The steps of a chip to either side of a probability.
func TestSteps(t *testing.T) {
	steps := []units.Ratio{10, 20, 40}
	for p, want := range map[units.Ratio][2]units.Ratio{5: {10, 5}, 10: {10, 10}, 11: {20, 10}, 20: {20, 20}, 39: {40, 20}, 40: {40, 40}, 41: {41, 40}} {
		if up, down := stepUp(steps, p), stepDown(steps, p); up != want[0] || down != want[1] {
			t.Errorf("%d: up %d, down %d, want %v", int64(p), int64(up), int64(down), want)
		}
	}
	if stepUp(nil, 7) != 7 || stepDown(nil, 7) != 7 {
		t.Error("no steps")
	}
	for in, want := range map[units.Ratio]units.Ratio{0: 0, 1: units.Percent, units.Percent: units.Percent, units.Percent + 1: 2 * units.Percent} {
		must.Equalf(t, wholePercents(in), want, "%v:", in)
	}
	for _, c := range []struct{ fixed, bound, want units.Ratio }{
		{0, 0, units.Percent}, {units.Percent / 2, units.Percent, units.Percent}, {units.Percent, 0, 2 * units.Percent}, {units.Percent + 1, units.Percent, 3 * units.Percent},
		{60 * units.Percent, units.One, units.One}, {0, units.One, 20 * units.Percent}, {0, 19 * units.Percent, 19 * units.Percent}, {11 * units.Percent, units.One, 22 * units.Percent},
	} {
		must.Equalf(t, PMax(c.fixed, c.bound, 20*units.Percent), c.want, "pmax of %v, bound %v:", c.fixed, c.bound)
	}
}

// The lesser of two times, where the author sets a goal for the path; his own alone where not.
func TestLesser(t *testing.T) {
	part := plan.Of(10*units.Microsecond, nil)
	for _, c := range []struct {
		goal bool
		own  policy.Opt[units.Time]
		want units.Time
	}{
		{false, policy.Opt[units.Time]{}, 10}, {true, policy.Opt[units.Time]{}, 10}, {false, set(20 * units.Microsecond), 20}, {true, set(20 * units.Microsecond), 10},
		{true, set(9 * units.Microsecond), 9}, {false, set(9 * units.Microsecond), 9},
	} {
		if got := lesser("x", part, c.goal, c.own); got.Value != c.want*units.Microsecond {
			t.Errorf("%+v: %v", c, got.Value)
		}
	}
	if got := lesser("x", part, true, set(10*units.Microsecond)); got.Why != nil {
		t.Error("of equal ones the path's")
	}
}

// What is left of packets: nothing of one that is no larger than what is left; of two senders at
// 100 Gb/s whose packets of 4,158 B are cut to 256 B, no more than the balance of 1 sender, which is
// 100·276/(4158-256) rounded up.
func TestTrimmedRateByHand(t *testing.T) {
	up := func(num, den int64) units.BitRate { return units.BitRate((num + den - 1) / den) }
	const rate = 100_000_000_000
	for _, c := range []struct {
		senders      int64
		size, packet units.Bytes
		want         units.BitRate
	}{
		{2, 256, 256, 0}, {2, 256, 255, 0}, {1, 256, 4158, 0},
		{2, 256, 4158, up(rate*276, 4158-256)}, {3, 256, 4158, up(2*rate*276, 4158-256)},
		{2, 256, 257, up(2*rate*276, 277)}, // all that is cut: the balance is larger
	} {
		if got := TrimmedRate(c.senders, rate, c.size, c.packet); got != c.want {
			t.Errorf("%d senders, %v of %v: %v, want %v", c.senders, c.size, c.packet, int64(got), int64(c.want))
		}
	}
}

// What each congestion control asks of switches, and the transport where it is not the usual one.
func TestNeeds(t *testing.T) {
	for control, want := range map[string]requirement{
		"dcqcn": {ecn: true}, "dctcp": {ecn: true}, "hpcc": {int: true}, "timely": {probes: true}, "swift": {probes: true}, "rttcc": {probes: true}, "none": {}, "": {},
	} {
		got := needs(control)
		if (got.source == "") != (want == requirement{}) {
			t.Errorf("%s: source %q", control, got.source)
		}
		if got.source = ""; got != want {
			t.Errorf("%s: %+v, want %+v", control, got, want)
		}
	}
	for given, want := range map[string]string{"": "", "rc": "", "uec": "uec"} {
		must.Equalf(t, transportOf(&policy.Class{Transport: set(given)}), want, "%q:", given)
	}
}

// A Memo says what Compute says, whatever was asked of it before: of a fabric with one line more
// or less, with other numbers, of another one, and of the first again; with all places.
func TestMemoIsCompute(t *testing.T) {
	catalogue, _ := chips.Load()
	text := must.Get(os.ReadFile("../examples/tomahawk-eos-pod/fabric.hcl"))(t)
	whole := string(text)
	group := strings.Index(whole, "port_group")
	texts := []string{
		whole, "\n" + whole, whole, "# a remark\n\n" + whole, whole[:group] + "\n" + whole[group:], strings.Replace(whole, `"100m"`, `"90m"`, 1), whole,
		strings.Replace(whole, `mtu `, ` mtu  `, 1), strings.Replace(whole, `"9216B"`, `"9000B"`, 1), strings.Replace(whole, "\n}", "\n\n}", 3), whole,
	}
	load := func(text string) *policy.Fabric {
		f, _ := policy.Load(policy.Options{Files: []policy.Source{{Name: "fabric.hcl", Text: []byte(text)}}, Root: os.DirFS("../examples/tomahawk-eos-pod"), Catalogue: catalogue})
		if f == nil {
			t.Fatal("no fabric")
		}
		return f
	}
	var memo Memo
	for i, text := range texts {
		want, said := Compute(load(text))
		got, found, err := memo.Compute(context.Background(), load(text))
		if err != nil || !reflect.DeepEqual(got, want) || !reflect.DeepEqual(found, said) {
			t.Errorf("text %d: the plan or its findings are others (%v)", i, err)
		}
	}
	var none *Memo
	if got, _, err := none.Compute(context.Background(), load(whole)); err != nil || len(got.Switches) == 0 {
		t.Errorf("without a memo: %v", err)
	}
	ended, cancel := context.WithCancel(context.Background())
	cancel()
	if got, _, err := memo.Compute(ended, load(whole)); err == nil || got != nil {
		t.Error("the work was ended, and there is a plan")
	}
}

// Who has enough of the findings of a shape gets these and no plan, and what was remembered before is kept.
func TestMemoEndsWithEnough(t *testing.T) {
	catalogue, _ := chips.Load()
	text := string(must.Get(os.ReadFile("../examples/ucloud-pod/fabric.hcl"))(t))
	load := func(cable string) *policy.Fabric {
		text := strings.ReplaceAll(text, `"100m"`, cable)
		f, _ := policy.Load(policy.Options{Files: []policy.Source{{Name: "fabric.hcl", Text: []byte(text)}}, Catalogue: catalogue})
		if f == nil {
			t.Fatal("no fabric")
		}
		return f
	}
	var memo Memo
	must.Get(memo.planned(load(`"100m"`)))(t)
	before := maps.Clone(memo.shapes)
	asked := 0
	p, list, err := memo.ComputeUntil(t.Context(), load(`"20km"`), func(found diag.List) bool { asked++; return found.HasErrors() })
	if p != nil || err != nil || !list.HasErrors() || asked == 0 {
		t.Errorf("20 km of cable have the plan %p, %v and the error %v; asked %d times", p, list, err, asked)
	}
	if !maps.Equal(memo.shapes, before) {
		t.Error("shapes that were remembered are not the same as before")
	}
	if _, whole := Compute(load(`"20km"`)); len(list) == 0 || slices.ContainsFunc(list, func(d diag.Diagnostic) bool {
		return !slices.ContainsFunc(whole, func(w diag.Diagnostic) bool { return reflect.DeepEqual(w, d) })
	}) {
		t.Errorf("findings %v are not among all: %v", list, whole)
	}
	if p, _, err := memo.ComputeUntil(t.Context(), load(`"100m"`), func(diag.List) bool { return false }); p == nil || err != nil {
		t.Errorf("without enough there is no plan: %v", err)
	}
}

func (m *Memo) planned(f *policy.Fabric) (*plan.Plan, error) {
	p, _, err := m.Compute(context.Background(), f)
	return p, err
}

// What is remembered moves with its inputs, and stays where that cannot be said: other places than
// before, one that became two, or a place that no input names.
func TestRememberedMoves(t *testing.T) {
	sw := &plan.Switch{Range: place(2)}
	r := (&Memo{types: newTypes()}).remember(shapePlan{sw, diag.List{{Subject: place(1)}}}, []diag.Range{place(1), place(2), place(1)}, 0)
	if r.fixed || !r.move([]diag.Range{place(5), place(6), place(5)}) || sw.Range != place(6) || r.list[0].Subject != place(5) {
		t.Errorf("%+v, %v, %v", r, sw.Range, r.list)
	}
	for name, places := range map[string][]diag.Range{"fewer": {place(5), place(6)}, "more": {place(5), place(6), place(5), place(7)}, "one is two now": {place(5), place(6), place(7)}} {
		if r.move(places) || sw.Range != place(6) {
			t.Errorf("%s: %v", name, sw.Range)
		}
	}
	if !r.move([]diag.Range{place(5), place(6), place(5)}) {
		t.Error("nothing moved, and nothing is known")
	}
	elsewhere := place(9)
	elsewhere.Filename = "chips.hcl"
	for _, c := range []struct {
		at    diag.Range
		said  int
		fixed bool
	}{{place(9), 0, true}, {elsewhere, 0, false}, {place(9), 1, false}} {
		r := (&Memo{types: newTypes()}).remember(shapePlan{&plan.Switch{Range: c.at}, nil}, []diag.Range{place(1)}, c.said)
		if r.fixed != c.fixed || r.move([]diag.Range{place(2)}) == c.fixed {
			t.Errorf("%v, %d: fixed %v", c.at, c.said, r.fixed)
		}
	}
}

// An increase that comes before the next CNP can is never too late for it: with no rate to lose, what
// increases give is the additive rate, whole, and the hyper one's part where that comes as early.
func TestBalanceOfEarlyIncreases(t *testing.T) {
	us := int64(units.Microsecond)
	s := Steady{Flows: 1, PacketRate: 10_000_000, Gap: 10 * units.Microsecond, Additive: 7, Hyper: 9, G: 1019, GD: 11, AlphaInterval: 55 * units.Microsecond}
	whole := big.NewInt(1_000_000_000_000_000_000)
	for _, c := range []struct {
		additive, hyper int64
		want            int64
	}{{5 * us, 5 * us, 9}, {10 * us, 10 * us, 9}, {5 * us, 1000 * us, 7}, {0, 1000 * us, 7}} {
		got := s.balance(int64(units.One), 0, c.additive, c.hyper)
		if want := new(big.Int).Mul(whole, big.NewInt(c.want)); got.Cmp(want) != 0 && (c.hyper < 1000*us || got.Cmp(want) < 0 || got.Cmp(new(big.Int).Mul(whole, big.NewInt(c.want+1))) >= 0) {
			t.Errorf("%+v: %v, want %v", c, got, want)
		}
	}
}

// A NIC has the fabric's frame where it says none of its own, and is told of the longest cable and the
// fastest port that lead to it.
func TestHostOfFabric(t *testing.T) {
	nic := &policy.NIC{Name: "a"}
	other := &policy.NIC{Name: "b"}
	group := func(to *policy.NIC, speed units.BitRate, cables ...units.Length) *policy.PortGroup {
		g := &policy.PortGroup{PeerNIC: to, Speed: set(speed), Cable: set(cables[0])}
		g.Cables = map[string]policy.Opt[units.Length]{}
		for i, own := range cables[1:] {
			g.Cables[string('a'+rune(i))] = set(own)
		}
		return g
	}
	f := &policy.Fabric{MTU: set(9216 * units.Byte), Switches: []*policy.Switch{
		{Groups: []*policy.PortGroup{group(nic, 100*units.Gbps, 5*units.Metre, 40*units.Metre, 7*units.Metre), group(other, 800*units.Gbps, 900*units.Metre)}},
		{Groups: []*policy.PortGroup{group(nic, 400*units.Gbps, 3*units.Metre)}},
	}}
	if h := planHost(f, nic, &plan.Path{}); h.MTU != 9216 || h.Cable != 40*units.Metre || h.Speed != 400*units.Gbps {
		t.Errorf("%v, %v, %v", h.MTU, h.Cable, h.Speed)
	}
	nic.MTU = set(4200 * units.Byte)
	if h := planHost(f, nic, &plan.Path{}); h.MTU != 4200 {
		t.Errorf("%v", h.MTU)
	}
}

// A switch without lossless traffic has no design to speak of.
func TestNoDesignWithoutLossless(t *testing.T) {
	catalogue, _ := chips.Load()
	text := must.Get(os.ReadFile("../examples/tomahawk-eos-pod/fabric.hcl"))(t)
	f, _ := policy.Load(policy.Options{Files: []policy.Source{{Name: "fabric.hcl", Text: text}}, Root: os.DirFS("../examples/tomahawk-eos-pod"), Catalogue: catalogue})
	for _, sw := range f.Switches {
		for _, g := range sw.Groups {
			g.Lossless = set(false)
		}
	}
	if list := Designs(f); len(list) != 0 {
		t.Errorf("%d designs", len(list))
	}
}

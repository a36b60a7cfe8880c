package tune

import (
	"context"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclwrite"

	"github.com/roceplan/roceplan/calc"
	"github.com/roceplan/roceplan/chips"
	"github.com/roceplan/roceplan/internal/runs"
	"github.com/roceplan/roceplan/internal/scenario"
	"github.com/roceplan/roceplan/internal/testing/must"
	"github.com/roceplan/roceplan/internal/testing/plantest"
	"github.com/roceplan/roceplan/plan"
	"github.com/roceplan/roceplan/policy"
	"github.com/roceplan/roceplan/units"
)

// tiny is five hosts of 25G at one switch.
const tiny = `
fabric "tiny" {
  mtu             = "1522B"
  lossless_frame  = "1500B"
  expected_delay  = "40us"
  tolerable_delay = "80us"
  xoff_time       = "1s" # large alphas are of interest
  headroom_margin = "15%"
}
traffic_class "cnp" {
  dscp       = [48]
  queue      = 6
  scheduling = strict
  max_rate   = "500Mbps"
}
traffic_class "rdma" {
  dscp               = [46]
  queue              = 5
  pfc                = 5
  weight             = 60
  congestion_control = dcqcn
}
traffic_class "rest" {
  dscp   = rest
  queue  = 2
  weight = 40
}
nic "cx5" {
  model        = "connectx-5"
  cnp_interval = "4us"
  dcqcn {
    constants = model
  }
}
switch "tor" {
  chip = "trident3"
  os   = sonic
  port_group "servers" {
    ports = "Ethernet[0..4]"
    speed = "25Gbps"
    cable = "15m"
    peer  = nic.cx5
  }
}
scenario "four" {
  time = "300us"
  incast {
    senders = 4
  }
}
scenario "bursts" {
  time = "300us"
  poisson {
    message = "64KB"
    load    = "60%"
  }
}
`

func load(t *testing.T, text string) (*policy.Fabric, *plan.Plan) {
	t.Helper()
	catalogue, _ := chips.Load()
	return plantest.Text(t, catalogue, text)
}

func spaceOf(t *testing.T, text string, balancing ...string) *space {
	t.Helper()
	f, p := load(t, text)
	s := must.Get(newSpace(f, p, balancing))(t)
	return s
}

func options(f *policy.Fabric, budget int) Options {
	catalogue, _ := chips.Load()
	all := scenario.Traces(nil).All(f)
	for i := range all {
		all[i].Time = min(all[i].Time, 200*units.Microsecond)
	}
	return Options{Aim: Aim{Purpose: "storage", Own: []string{"four", "bursts"}}, Scenarios: all, Budget: budget, HeldOut: 2, Chip: catalogue.Find}
}

// What is printed for a point gives, written into the fabric, what the point was tried with.
func TestLinesGiveThePoint(t *testing.T) {
	s := spaceOf(t, tiny)
	r, tried := rand.New(rand.NewPCG(1, 1)), 0
	genomes := s.singles(1)
	for range 40 {
		genomes = append(genomes, s.child(r, s.drawn(r), s.drawn(r)))
	}
	for _, g := range genomes {
		p := s.point(g)
		planned, broken := s.plan(p)
		if broken != "" {
			continue
		}
		_, q := load(t, written(t, tiny, s.hcl(p)))
		must.NoDiffIn(t, cmp.Diff(s.settings(planned), s.settings(q)), "%v", g)
		if got, want := told(q), told(planned); got != want {
			t.Errorf("%v: NICs have\n%s as written, and\n%s as it was tried", g, got, want)
		}
		tried++
	}
	if tried < 15 {
		t.Errorf("%d points are feasible", tried)
	}
}

// told returns the constants of the first NIC.
func told(p *plan.Plan) string {
	r := p.Hosts[0].Reaction
	var out []string
	for _, v := range []interface{ String() string }{r.CNPInterval.Value, r.ClampTarget.Value, r.Threshold.Value, r.TimeReset.Value, r.AIRate.Value, r.HAIRate.Value, r.GD.Value, r.MinDecFac.Value, r.AlphaInterval.Value, r.DecreaseInterval.Value} {
		out = append(out, v.String())
	}
	return strings.Join(out, " ")
}

// written puts the blocks of a point into those of a fabric that have their names.
func written(t *testing.T, text, blocks string) string {
	t.Helper()
	file, found := hclwrite.ParseConfig([]byte(text), "fabric.hcl", hcl.InitialPos)
	point, of := hclwrite.ParseConfig([]byte(blocks), "point.hcl", hcl.InitialPos)
	if found.HasErrors() || of.HasErrors() {
		t.Fatal(found, of)
	}
	merge(t, file.Body(), point.Body())
	return string(file.Bytes())
}

// merge replaces attributes, and blocks without a label.
func merge(t *testing.T, into, from *hclwrite.Body) {
	t.Helper()
	for name, a := range from.Attributes() {
		into.SetAttributeRaw(name, a.Expr().BuildTokens(nil))
	}
	for _, b := range from.Blocks() {
		own := into.FirstMatchingBlock(b.Type(), b.Labels())
		if own == nil && len(b.Labels()) > 0 {
			t.Fatalf("%s %q is no block of the fabric", b.Type(), b.Labels())
		}
		if own == nil {
			own = into.AppendNewBlock(b.Type(), nil)
		}
		merge(t, own.Body(), b.Body())
	}
}

// A point leaves the fabric as it was.
func TestPointLeavesNothing(t *testing.T) {
	s := spaceOf(t, tiny, "flowlet")
	f, before := load(t, tiny)
	_ = f
	r := rand.New(rand.NewPCG(3, 3))
	for range 20 {
		s.plan(s.point(s.drawn(r)))
	}
	after, broken := s.plan(&Point{})
	if broken != "" || told(after) != told(before) || s.settings(after) != s.settings(before) || after.Switches[0].LoadBalancing != before.Switches[0].LoadBalancing {
		t.Errorf("%s: %+v, before %+v", broken, s.settings(after), s.settings(before))
	}
}

// What the compiled settings break too is no reason to reject a point: with CNPs every 50 us no queue is halved in
// time whatever the curve is, and a search would have nothing to compare.
func TestWhatIsBrokenAsCompiled(t *testing.T) {
	s := spaceOf(t, strings.Replace(tiny, `cnp_interval = "4us"`, `cnp_interval = "50us"`, 1))
	if !s.broken[check{"tor", "halved-in-time"}] {
		t.Fatalf("as compiled %v are broken: what was to be seen is not there", s.broken)
	}
	kept := 0
	for _, g := range s.singles(1) {
		if planned, broken := s.plan(s.point(g)); planned != nil {
			kept++
		} else if broken == "halved-in-time" {
			t.Errorf("%v is rejected by what is broken anyway", g)
		}
	}
	if kept == 0 {
		t.Error("no point is left")
	}
}

// A point is rejected by what it breaks, not by what is found of the fabric anyway: 1/256 is below the menu of the
// chip, and a shared pool of headroom is worth a warning.
func TestRejected(t *testing.T) {
	s := spaceOf(t, strings.Replace(tiny, "headroom_margin =", "headroom_sharing = \"3 groups\"\nheadroom_margin =", 1))
	if _, broken := s.plan(&Point{Marks: Marks{OwnAlpha: true, Alpha: -8}}); broken != string(calc.AlphaUnsettable) {
		t.Errorf("rejected by %s", broken)
	}
}

// Without NICs that can be told constants only marking is searched; a class that marks nothing is refused.
func TestWhatIsSearched(t *testing.T) {
	names := func(s *space) (list []string) {
		for _, a := range s.axes {
			list = append(list, a.name)
		}
		return list
	}
	if got := names(spaceOf(t, strings.Replace(tiny, `"connectx-5"`, `"e810"`, 1), "spray")); !slices.Equal(got, []string{"kmin", "kmax-kmin", "pmax", "alpha", "load_balancing"}) {
		t.Errorf("%q", got)
	}
	if got := names(spaceOf(t, tiny)); len(got) != 4+10 || !slices.Contains(got, "rpg_ai_rate") || !slices.Contains(got, "cnp_interval") {
		t.Errorf("%q", got)
	}
	f, p := load(t, strings.Replace(tiny, "congestion_control = dcqcn", "congestion_control = hpcc", 1))
	if _, err := newSpace(f, p, nil); err == nil || !strings.Contains(err.Error(), "marks nothing") {
		t.Errorf("%v", err)
	}
}

// A curve that begins twice as late is as wide as before; one twice as wide begins where it did.
func TestCurves(t *testing.T) {
	s := spaceOf(t, tiny)
	c := s.curve
	for _, want := range []struct {
		kmin, width int
		is          Marks
	}{
		{1, 0, Marks{KMin: 2 * c.KMin, KMax: c.KMax + c.KMin, PMax: c.PMax}},
		{0, 1, Marks{KMin: c.KMin, KMax: 2*c.KMax - c.KMin, PMax: c.PMax}},
		{1, 1, Marks{KMin: 2 * c.KMin, KMax: 2 * c.KMax, PMax: c.PMax}},
	} {
		g := s.compiled()
		g[0], g[1] = g[0]+want.kmin, g[1]+want.width
		must.Equal(t, s.point(g).Marks, want.is)
	}
}

// Of 5 Mb/s four times as much are 20, half are 2.5, which NICs take as 2, and an eighth is below the least. Of what
// is as compiled nothing is written.
func TestScaledConstants(t *testing.T) {
	s := spaceOf(t, tiny)
	if got := s.reactions[0].AIRate.Value; got != 5*units.Mbps {
		t.Fatalf("compiled is %v", got)
	}
	at := slices.IndexFunc(s.axes, func(a axis) bool { return a.name == "rpg_ai_rate" })
	for by, want := range map[int]string{2: "rpg_ai_rate 20Mbps", -1: "rpg_ai_rate 2Mbps", -3: "rpg_ai_rate 1Mbps", 0: "as they are"} {
		g := s.compiled()
		g[at] += by
		must.Equalf(t, s.point(g).constants(), want, "%d:", by)
	}
}

// A child has the level of either parent on each axis but three; levels stay on their axes.
func TestChild(t *testing.T) {
	s := spaceOf(t, tiny)
	r := rand.New(rand.NewPCG(5, 5))
	for range 200 {
		a, b := s.drawn(r), s.drawn(r)
		g, others := s.child(r, a, b), 0
		for i, level := range g {
			if level < 0 || level >= s.axes[i].levels {
				t.Fatalf("level %d of %d", level, s.axes[i].levels)
			}
			if level != a[i] && level != b[i] {
				others++
			}
		}
		if others > 3 {
			t.Fatalf("%v of %v and %v", g, a, b)
		}
	}
}

// All runs count, no more are made than the budget has, a second search finds the same, and so does one that goes on
// where another was interrupted.
func TestSearch(t *testing.T) {
	f, p := load(t, tiny)
	store := runs.Open(t.TempDir(), "")
	var first *Report
	for _, resumed := range []bool{false, true} {
		o := options(f, 150)
		made := 0
		o.Done = func() { made++ }
		if resumed {
			o.Store = store
			ctx, cancel := context.WithCancel(t.Context())
			o.Done = func() {
				if made++; made == 60 {
					cancel()
				}
			}
			r, err := Search(ctx, f, p, o)
			if err == nil || !r.Interrupted {
				t.Fatalf("%v: %+v", err, r)
			}
			if made, o.Done = 0, func() { made++ }; store.Found.Load() != 0 {
				t.Fatal("runs were found")
			}
		}
		r := must.Get(Search(t.Context(), f, p, o))(t)
		if s := r.Spent; r.Runs != made || r.Runs > 150 || r.Runs != s.Compiled+s.Search+s.Random+s.HeldOut {
			t.Errorf("%d runs of 150, %d were counted: %+v", r.Runs, made, s)
		}
		if first == nil {
			first = r
		} else if diff := cmp.Diff(first, r); diff != "" {
			t.Errorf("resumed:\n%s", diff)
		}
	}
	if store.Found.Load() < 50 {
		t.Errorf("%d runs were found", store.Found.Load())
	}
	// Four seeds of two scenarios as compiled.
	if first.Spent.Compiled != 8 || first.Points < fewest || first.Drawn < fewest {
		t.Errorf("%+v, %d points, %d by chance", first.Spent, first.Points, first.Drawn)
	}
	if first.Ends != [2]string{"mean", "p99"} || !slices.Equal(first.Parts, []string{"four", "bursts"}) {
		t.Errorf("%v, %v", first.Ends, first.Parts)
	}
}

// A budget that is too small is refused with one that would do, and that one does.
func TestTooSmallABudget(t *testing.T) {
	f, p := load(t, tiny)
	_, err := Search(t.Context(), f, p, options(f, 30))
	if err == nil || !strings.Contains(err.Error(), "30 runs is too small: the compiled settings take 8, what is held out 24, and each of the two searches at least 34; 100 runs would do") {
		t.Fatal(err)
	}
	if r, err := Search(t.Context(), f, p, options(f, 100)); err != nil || r.Points != fewest {
		t.Errorf("%v: %+v", err, r)
	}
}

// What says nothing as compiled is no objective.
func TestNotCompared(t *testing.T) {
	f, p := load(t, tiny)
	o := options(f, 150)
	o.Aim.Own = []string{"four", "incast-63"}
	r, err := Search(t.Context(), f, p, o)
	if err != nil || !slices.Equal(r.Searched, []string{"four"}) || len(r.Skipped) != 1 || !strings.HasPrefix(r.Skipped[0], "incast-63 did not run: ") {
		t.Errorf("%v: %q, %q", err, r.Searched, r.Skipped)
	}
	o = options(f, 150)
	o.Aim = Aim{Purpose: "training", Own: []string{"incast-63"}}
	if _, err := Search(t.Context(), f, p, o); err == nil || !strings.Contains(err.Error(), "incast-63") {
		t.Error(err)
	}
}

// What a purpose costs at the other end is shown of the best points, with fewer seeds than the objective has.
func TestOtherEnd(t *testing.T) {
	f, p := load(t, tiny)
	o := options(f, 100)
	o.Aim, o.Seeds = Aim{Purpose: "storage"}, 3
	for i := range o.Scenarios {
		o.Scenarios[i].Time = 500 * units.Microsecond
	}
	r, err := Search(t.Context(), f, p, o)
	if err != nil || len(r.Front) == 0 || !slices.Equal(r.Parts, []string{"storage", "small"}) {
		t.Fatalf("%v: %+v", err, r)
	}
	for _, own := range append(r.Front, r.Compiled) {
		if small := own.Parts["small"]; small.Unusable != "" || small.Seeds != shownSeeds || own.Aim.Seeds != 3 || small != own.Ends[1] || own.Aim != own.Ends[0] {
			t.Errorf("%+v", own)
		}
	}
}

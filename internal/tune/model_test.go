package tune

import (
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/roceplan/roceplan/chips"
	"github.com/roceplan/roceplan/internal/scenario"
	"github.com/roceplan/roceplan/internal/testing/must"
	"github.com/roceplan/roceplan/internal/testing/plantest"
	"github.com/roceplan/roceplan/model/sim/fabric"
	"github.com/roceplan/roceplan/model/sim/pattern"
	"github.com/roceplan/roceplan/plan"
	"github.com/roceplan/roceplan/policy"
	"github.com/roceplan/roceplan/units"
)

// With one value y at a genome the kernel's matrix is 1 + noise, and normal values are zero: the model expects y
// everywhere. Of two values ±1 whose genomes differ so far on the one axis that the kernel is nothing, the value at
// the first is y/(1+noise), with the variance 1 − 1/(1+noise).
func TestModelByHand(t *testing.T) {
	near := func(a, b float64) bool { return math.Abs(a-b) < 1e-6 }
	if v, _ := fit([]genome{{3}}, []float64{0.7}).expect(genome{90}); !near(v, 0.7) {
		t.Errorf("%v", v)
	}
	m := fit([]genome{{0}, {100}}, []float64{1, -1})
	v, d := m.expect(genome{0})
	if want := 1 / (1 + noise); !near(v, want) || !near(d, math.Sqrt(1-want)) || !near(m.hope(genome{0}), v-margin*d) {
		t.Errorf("%v, %v, want %v", v, d, want)
	}
	if v, d := m.expect(genome{50}); !near(v, 0) || !near(d, 1) {
		t.Errorf("%v, %v", v, d)
	}
}

// What adds up over axes is known from points that are elsewhere: of 60 drawn ones of six axes, the model finds the
// order of others.
func TestModelAddsUp(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	draw := func() (g genome) {
		for range 6 {
			g = append(g, r.IntN(7))
		}
		return g
	}
	truth := func(g genome) float64 { return math.Abs(float64(g[0]-5)) + 0.5*float64(g[1]) - 0.3*float64(g[2]) }
	var at []genome
	var values []float64
	for range 60 {
		g := draw()
		at, values = append(at, g), append(values, truth(g))
	}
	m, right := fit(at, values), 0
	for range 200 {
		a, b := draw(), draw()
		va, _ := m.expect(a)
		vb, _ := m.expect(b)
		if (va < vb) == (truth(a) < truth(b)) {
			right++
		}
	}
	if right < 180 {
		t.Errorf("%d of 200 are in order", right)
	}
}

// The curve that is read is that of the first port to a NIC, or else of the first with the queue; ports
// without QoS or without PFC have none.
func TestServerPort(t *testing.T) {
	class := &policy.Class{}
	class.Queue.Value, class.PriorityGroup.Value = 3, 3
	port := func(name, peer string, pfc uint8, queue uint8, alpha units.Alpha) plan.Port {
		pg := plan.PG{ID: 3, Lossless: true, Limit: plan.Of(plan.Limit{Dynamic: true, Alpha: alpha}, nil)}
		return plan.Port{Name: name, Peer: peer, QoS: &plan.PortQoS{PFC: pfc, Queues: []plan.Queue{{ID: queue}}, PGs: []plan.PG{{ID: 3}, {ID: 4, Lossless: true, Limit: plan.Of(plan.Limit{Dynamic: true, Alpha: -9}, nil)}, pg}}}
	}
	up, down, lossy, other := port("up", "spine", 8, 3, -1), port("down", "cx", 8, 3, -3), port("lossy", "cx", 0, 3, 0), port("other", "cx", 8, 4, 0)
	for want, ports := range map[string][]plan.Port{"down": {{Name: "bare"}, lossy, other, up, down}, "up": {other, up, lossy}, "": {other, lossy, {Name: "bare"}}} {
		p := &plan.Plan{Switches: []*plan.Switch{{Ports: ports}}, Hosts: []*plan.Host{{Name: "cx"}}}
		got, queue := serverPort(p, class)
		if (got != nil) != (want != "") || got != nil && (got.Name != want || queue.ID != 3) {
			t.Errorf("%v, want %s", got, want)
		}
		least := map[string]units.Alpha{"down": -3, "up": -1, "": 0}[want]
		must.Equalf(t, smallestAlpha(p, class), least, "%s: alpha", want)
	}
}

// Each remedy changes one thing, and what breaks an inequality is not tried.
func TestRemedies(t *testing.T) {
	catalogue, _ := chips.Load()
	f, p := plantest.Text(t, catalogue, tiny)
	list := must.Get(Remedies(f, p))(t)
	kinds := map[string]int{}
	for i := range list {
		r := &list[i]
		kinds[r.Kind]++
		if r.Change == "" || (r.plan == p) != (r.change != nil) {
			t.Errorf("%+v", r)
		}
	}
	if kinds["nic"] < 3 || kinds["curve"] == 0 || kinds["balancing"] != 2 || kinds["control"] != 2 {
		t.Errorf("%v", kinds)
	}
	f, p = plantest.Text(t, catalogue, strings.Replace(tiny, "congestion_control = dcqcn", "congestion_control = hpcc", 1))
	if _, err := Remedies(f, p); err == nil || !strings.Contains(err.Error(), "marks nothing") {
		t.Errorf("a class without marks: %v", err)
	}
}

// What any change meets is met with the first, and what no packet can with none of them, of all kinds.
func TestTry(t *testing.T) {
	catalogue, _ := chips.Load()
	f, p := plantest.Text(t, catalogue, tiny)
	list := must.Get(Remedies(f, p))(t)
	trials := &Trials{Remedies: list, Size: fabric.Size{Edges: 1, HostsPerEdge: 5}, Chip: catalogue.Find}
	four := scenario.Traces(nil).All(f)
	four = slices.DeleteFunc(four, func(s pattern.Scenario) bool { return s.Name != "four" })
	easy, never := four[0], four[0]
	easy.Goals = pattern.Goals{MaxLatency: units.Second, UsualLatency: units.Second, PausesPerSecond: 1 << 40}
	never.Goals = easy.Goals
	never.Goals.Throughput = 2 * units.One
	missed := &pattern.Outcome{Time: 200, Seed: 1}
	if got, err := trials.Try(t.Context(), &easy, missed); err != nil || got.Tried != 1 || got.Kind != list[0].Kind {
		t.Errorf("%+v, %v", got, err)
	}
	got, err := trials.Try(t.Context(), &never, missed)
	if err != nil || got.Kind != pattern.NoRemedy || got.Tried != len(list) || got.Change != "none alone of curve, nic, alpha, balancing, control" {
		t.Errorf("%+v, %v", got, err)
	}
}

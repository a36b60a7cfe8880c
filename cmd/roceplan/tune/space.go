// Package tune searches the marking curve and the dynamic threshold of a fabric's lossless
// class, within what the compiler's inequalities allow, for settings that the simulator
// finds better than the compiled ones. docs/tune.md says how and why.
package tune

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"

	"github.com/roceplan/roceplan/calc"
	"github.com/roceplan/roceplan/plan"
	"github.com/roceplan/roceplan/policy"
	"github.com/roceplan/roceplan/units"
)

// A Point is a choice of all that is searched.
type Point struct {
	KMin, KMax units.Time // in which a port drains the queue where marking begins, and is complete
	PMax       units.Ratio
	Alpha      units.Alpha
	OwnAlpha   bool // else alpha is derived
}

// HCL is what to write into the block of the class.
func (p *Point) HCL(class string) string {
	alpha := ""
	if p.OwnAlpha {
		alpha = fmt.Sprintf("  alpha = %v\n\n", p.Alpha)
	}
	return fmt.Sprintf("traffic_class %q {\n%s  ecn {\n    kmin = %q\n    kmax = %q\n    pmax = %q\n  }\n}\n", class, alpha, p.KMin, p.KMax, p.PMax)
}

// Settings are the numbers of a plan at the port of a server.
type Settings struct {
	KMin  units.Bytes `json:"kmin_bytes"`
	KMax  units.Bytes `json:"kmax_bytes"`
	PMax  units.Ratio `json:"-"`
	Alpha string      `json:"alpha"`
}

// A space is the fabric whose class is searched.
type space struct {
	fabric              *policy.Fabric
	class               *policy.Class
	expected, tolerable units.Time // what the port may take to drain a queue of Kmin, of Kmax
	alpha               units.Alpha
}

// newSpace takes the bounds of a fabric from its delays, or from what its latency goals leave
// each queue of the longest path.
func newSpace(f *policy.Fabric, compiled *plan.Plan) (*space, error) {
	s := &space{fabric: f, expected: f.ExpectedDelay.Value, tolerable: f.TolerableDelay.Value}
	for _, c := range f.Classes {
		if c.Lossless.Value && (s.class == nil || c.TrafficClass.Value < s.class.TrafficClass.Value) {
			s.class = c
		}
	}
	if s.class == nil {
		return nil, errors.New("no class of the fabric is lossless: there is nothing to tune")
	}
	port, queue := serverPort(compiled, s.class)
	if queue == nil || queue.ECN == nil {
		return nil, fmt.Errorf("class %s marks nothing, so that there is no curve to tune: its congestion control does not read ECN", s.class.Name)
	}
	if s.expected == 0 {
		s.expected = max(compiled.Path.Usual.Value, port.Speed.FloorTime(queue.ECN.KMin.Value))
	}
	if s.tolerable == 0 {
		s.tolerable = max(compiled.Path.Tolerable.Value, port.Speed.FloorTime(queue.ECN.KMax.Value))
	}
	s.alpha = smallestAlpha(compiled, s.class)
	return s, nil
}

// serverPort is the first port with the queue of the class that leads to a NIC, or to
// anything.
func serverPort(p *plan.Plan, class *policy.Class) (port *plan.Port, queue *plan.Queue) {
	for _, sw := range p.Switches {
		for i := range sw.Ports {
			own := &sw.Ports[i]
			if own.QoS == nil || own.QoS.PFC == 0 {
				continue
			}
			k := slices.IndexFunc(own.QoS.Queues, func(q plan.Queue) bool { return q.ID == class.Queue.Value })
			toNIC := slices.ContainsFunc(p.Hosts, func(h *plan.Host) bool { return h.Name == own.Peer })
			if k >= 0 && (port == nil || toNIC) {
				port, queue = own, &own.QoS.Queues[k]
			}
			if toNIC && k >= 0 {
				return port, queue
			}
		}
	}
	return port, queue
}

func eachPG(p *plan.Plan, class *policy.Class, visit func(*plan.PG)) {
	for _, sw := range p.Switches {
		for i := range sw.Ports {
			if sw.Ports[i].QoS == nil {
				continue
			}
			for k := range sw.Ports[i].QoS.PGs {
				if pg := &sw.Ports[i].QoS.PGs[k]; pg.Lossless && pg.ID == class.PriorityGroup.Value {
					visit(pg)
				}
			}
		}
	}
}

// smallestAlpha is the alpha of the switches whose alpha is smallest: above it the others'
// inequalities break.
func smallestAlpha(p *plan.Plan, class *policy.Class) units.Alpha {
	least := units.Alpha(10)
	eachPG(p, class, func(pg *plan.PG) {
		if pg.Limit.Value.Dynamic {
			least = min(least, pg.Limit.Value.Alpha)
		}
	})
	return least
}

// settings reads what a plan says at a server's port.
func (s *space) settings(p *plan.Plan) Settings {
	_, queue := serverPort(p, s.class)
	return Settings{
		KMin: queue.ECN.KMin.Value, KMax: queue.ECN.KMax.Value, PMax: queue.ECN.PMax.Value, Alpha: smallestAlpha(p, s.class).String(),
	}
}

// Steps of each axis, as parts of its bound in sixteenths. Below a sixteenth of the expected
// delay lies less than a few packets; above the bound a check breaks.
var (
	kminSteps = []units.Time{1, 2, 4, 8, 12, 16}
	kmaxSteps = []units.Time{2, 4, 8, 12, 16}
	pmaxSteps = []units.Ratio{1, 2, 5, 10, 20, 50, 100} // per cent: no target takes parts of one
)

// alphaSteps is how often alpha is halved, from the derived one on.
const alphaSteps = 3

// grid lists all points in an order without order, the same in every run: a budget that ends
// early has seen a fair sample.
func (s *space) grid() []Point {
	var all []Point
	for _, low := range kminSteps {
		for _, high := range kmaxSteps {
			p := Point{KMin: s.expected * low / 16, KMax: s.tolerable * high / 16}
			if p.KMin >= p.KMax || p.KMin == 0 {
				continue
			}
			for _, pmax := range pmaxSteps {
				p.PMax = pmax * units.Percent
				p.OwnAlpha, p.Alpha = false, 0
				all = append(all, p)
				for step := range units.Alpha(alphaSteps) {
					p.OwnAlpha, p.Alpha = true, s.alpha-1-step
					all = append(all, p)
				}
			}
		}
	}
	random := rand.New(rand.NewPCG(1, 0x74756e65))
	random.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
	return all
}

// plan compiles the fabric with a point. broken names the inequality that the point breaks;
// then there is no plan.
func (s *space) plan(p *Point) (planned *plan.Plan, broken string) {
	saved := *s.class
	defer func() { *s.class = saved }()
	defer s.withoutPortCurves()()
	at := saved.Range
	s.class.ECN = policy.Opt[string]{Value: "given", Set: true, Range: at}
	s.class.CurvesAt = nil
	s.class.KMin, s.class.KMax = policy.Opt[units.Bytes]{Range: at}, policy.Opt[units.Bytes]{Range: at}
	s.class.KMinDelay = policy.Opt[units.Time]{Value: p.KMin, Set: true, Range: at}
	s.class.KMaxDelay = policy.Opt[units.Time]{Value: p.KMax, Set: true, Range: at}
	s.class.PMax = policy.Opt[units.Ratio]{Value: p.PMax, Set: true, Range: at}
	if p.OwnAlpha {
		s.class.Alpha = policy.Opt[units.Alpha]{Value: p.Alpha, Set: true, Range: at}
	}
	planned, found := calc.Compute(s.fabric)
	for _, sw := range planned.Switches {
		for _, c := range sw.Checks {
			if !c.Holds {
				return nil, c.ID
			}
		}
	}
	for _, f := range found {
		if found.HasErrors() || f.Code == calc.PMaxStep { // a chip would mark otherwise than the point says
			return nil, string(f.Code)
		}
	}
	return planned, ""
}

// withoutPortCurves takes the curves of port groups away, which would win over the point's;
// what it gives puts them back.
func (s *space) withoutPortCurves() (restore func()) {
	own := map[*policy.PortGroup][]policy.PortCurve{}
	for _, sw := range s.fabric.Switches {
		for _, g := range sw.Groups {
			own[g], g.Curves = g.Curves, nil
		}
	}
	return func() {
		for g, curves := range own {
			g.Curves = curves
		}
	}
}

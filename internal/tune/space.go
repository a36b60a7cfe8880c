// Package tune searches the marking curve and the dynamic threshold of a fabric's lossless
// classes and the constants of its NICs, within what the compiler's inequalities allow, for
// settings under which more scenarios meet their goals in the simulator than under the compiled
// ones. docs/tune.md says how and why.
package tune

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"

	"github.com/roceplan/roceplan/calc"
	"github.com/roceplan/roceplan/diag"
	"github.com/roceplan/roceplan/plan"
	"github.com/roceplan/roceplan/policy"
	"github.com/roceplan/roceplan/units"
)

// A Point is a choice of all that is searched.
type Point struct {
	Marks
	Above     *Marks // on switches that lead to no server; nil: as on all others
	NIC       Constants
	Balancing string // of load; empty: as the fabric says
	Control   string // of congestion; empty: as the classes say
}

// Marks are how lossless classes mark and pause.
type Marks struct {
	Derived    bool       // the curve is as it was compiled for these constants; else:
	KMin, KMax units.Time // in which a port drains the queue where marking begins, and is complete
	PMax       units.Ratio
	Alpha      units.Alpha
	OwnAlpha   bool // else alpha is as it was compiled
}

// Constants are those of the NICs' reaction point that are searched; what is zero is as the fabric has it.
type Constants struct {
	Derived          bool          // the others follow from speed and CNPs, as the compiler derives them
	AlphaInterval    units.Time    // dce_tcp_rtt
	DecreaseInterval units.Time    // rate_reduce_monitor_period
	AIRate           units.BitRate // rpg_ai_rate
	HAIRate          units.BitRate // rpg_hai_rate
	GD               int           // rpg_gd
	MinDecFac        units.Ratio   // rpg_min_dec_fac
}

// derivedWord is what the language calls constants that the compiler derives.
const derivedWord = "derived"

// register is a constant by the name that the language has for it.
type register struct{ name, value string }

func (c Constants) registers() (list []register) {
	if c.Derived {
		list = append(list, register{"constants", derivedWord})
	}
	for _, r := range []struct {
		name  string
		value fmt.Stringer
		set   bool
	}{
		{"dce_tcp_rtt", c.AlphaInterval, c.AlphaInterval > 0},
		{"rate_reduce_monitor_period", c.DecreaseInterval, c.DecreaseInterval > 0},
		{"rpg_ai_rate", c.AIRate, c.AIRate > 0},
		{"rpg_hai_rate", c.HAIRate, c.HAIRate > 0},
		{"rpg_gd", plan.Count(c.GD), c.GD > 0},
		{"rpg_min_dec_fac", c.MinDecFac, c.MinDecFac > 0},
	} {
		if r.set {
			list = append(list, register{r.name, r.value.String()})
		}
	}
	return list
}

func (c Constants) hcl() (text string) {
	wide := 0
	for _, r := range c.registers() {
		wide = max(wide, len(r.name))
	}
	for _, r := range c.registers() {
		value := r.value
		if value != derivedWord && r.name != "rpg_gd" {
			value = strconv.Quote(value)
		}
		text += fmt.Sprintf("    %-*s = %s\n", wide, r.name, value)
	}
	return text
}

// String is short, for a table.
func (c Constants) String() string {
	var parts []string
	for _, r := range c.registers() {
		parts = append(parts, r.name+" "+r.value)
	}
	if parts == nil {
		return "as they are"
	}
	return strings.Join(parts, ", ")
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
	class               *policy.Class   // the first lossless one, by which bounds go
	classes             []*policy.Class // all that are searched: lossless ones that mark
	nics                []*policy.NIC   // whose constants are
	speed               units.BitRate   // of their ports
	broken              map[check]bool  // inequalities that the compiled settings break
	expected, tolerable units.Time      // what the port may take to drain a queue of Kmin, of Kmax
	alpha               units.Alpha
	above               []*policy.Switch // that lead to no server, where these can be told apart
	balancing, controls []string         // that are tried beside the fabric's own
}

// check is an inequality of a shape of switches.
type check struct{ shape, id string }

// brokenChecks are the inequalities of a plan that do not hold.
func brokenChecks(p *plan.Plan) map[check]bool {
	out := map[check]bool{}
	for _, sw := range p.Switches {
		for _, c := range sw.Checks {
			if !c.Holds {
				out[check{sw.Names[0], c.ID}] = true
			}
		}
	}
	return out
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
	for _, c := range f.Classes {
		if _, queue := serverPort(compiled, c); c.Lossless.Value && queue != nil && queue.ECN != nil {
			s.classes = append(s.classes, c)
		}
	}
	if s.class.CongestionControl.Value == "dcqcn" {
		s.nics, s.speed = f.NICs, port.Speed
	}
	s.above = above(f)
	s.broken = brokenChecks(compiled)
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

// settings reads what a plan says at a server's port. Where nothing is marked there is no curve.
func (s *space) settings(p *plan.Plan) Settings {
	out := Settings{Alpha: smallestAlpha(p, s.class).String()}
	if _, queue := serverPort(p, s.class); queue.ECN != nil {
		out.KMin, out.KMax, out.PMax = queue.ECN.KMin.Value, queue.ECN.KMax.Value, queue.ECN.PMax.Value
	}
	return out
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

// Constants of the NICs that are tried beside the fabric's. CNPs come every 4 us to 50 us, and alpha of DCQCN must
// not fade between them (finding cnps-behind-alpha); a cut need not wait for a period of 4 us to
// end. The compiler derives all from the speed of the port (docs/dcqcn.md, "Constants by speed"), with an additive
// increase of a thousandth; steps of two and of five let few flows come back sooner. A cut by alpha, and not by half
// of it, that leaves a tenth slows down in one step those who begin at line rate, which else takes four CNPs.
const (
	deepGD    = 10
	deepLeast = 10 * units.Percent

	alphaStep    = 4 * units.Microsecond
	decreaseStep = units.Microsecond
)

// nicSteps are the constants that are tried, of NICs at a speed.
func nicSteps(speed units.BitRate) []Constants {
	part := func(thousandths units.BitRate) units.BitRate {
		return max(units.Mbps, speed*thousandths/1000/units.Mbps*units.Mbps)
	}
	return []Constants{
		{},
		{Derived: true},
		{Derived: true, AIRate: part(2), HAIRate: part(10)},
		{Derived: true, AIRate: part(5), HAIRate: part(10)},
		{Derived: true, AIRate: part(2), HAIRate: part(10), GD: deepGD, MinDecFac: deepLeast},
		{AlphaInterval: alphaStep},
		{AlphaInterval: alphaStep, DecreaseInterval: decreaseStep},
		{AlphaInterval: 16 * units.Microsecond, DecreaseInterval: decreaseStep},
	}
}

// grid lists all points: first what changes one thing, the NICs' constants, the way to balance load, the
// congestion control, for these change most and break least, then all others in an order without order,
// the same in every run, so that a budget that ends early has seen a fair sample.
func (s *space) grid() []Point {
	constants := nicSteps(s.speed)
	if len(s.nics) == 0 {
		constants = constants[:1]
	}
	first := s.single(constants)
	var all []Point
	for _, p := range s.curves() {
		for _, p.NIC = range constants {
			for _, p.Above = range s.tiers() {
				for _, p.Balancing = range append([]string{""}, s.balancing...) {
					p.OwnAlpha, p.Alpha = false, 0
					if !p.Derived || p.Above != nil {
						all = append(all, p)
					}
					for step := range units.Alpha(alphaSteps) {
						p.OwnAlpha, p.Alpha = true, s.alpha-1-step
						all = append(all, p)
					}
				}
			}
		}
	}
	random := rand.New(rand.NewPCG(1, 0x74756e65))
	random.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
	return append(first, all...)
}

// single are the points that change one thing alone; a way to balance load also with each constants that are
// derived from the speed, as it changes how many flows share a queue.
func (s *space) single(constants []Constants) (list []Point) {
	as := Marks{Derived: true}
	for _, c := range constants[1:] {
		list = append(list, Point{Marks: as, NIC: c})
	}
	for _, way := range s.balancing {
		for _, c := range constants {
			if c == (Constants{}) || c.Derived {
				list = append(list, Point{Marks: as, NIC: c, Balancing: way})
			}
		}
	}
	for _, control := range s.controls {
		for step := range units.Alpha(alphaSteps + 1) {
			p := Point{Marks: as, Control: control}
			if step > 0 {
				p.OwnAlpha, p.Alpha = true, s.alpha-step
			}
			list = append(list, p)
		}
	}
	return list
}

// curves are the compiler's own, and those of the steps.
func (s *space) curves() []Point {
	list := []Point{{Marks: Marks{Derived: true}}}
	for _, low := range kminSteps {
		for _, high := range kmaxSteps {
			p := Point{Marks: Marks{KMin: s.expected * low / 16, KMax: s.tolerable * high / 16}}
			if p.KMin >= p.KMax || p.KMin == 0 {
				continue
			}
			for _, pmax := range pmaxSteps {
				p.PMax = pmax * units.Percent
				list = append(list, p)
			}
		}
	}
	return list
}

// plan compiles the fabric with a point. broken names the inequality that the point breaks though
// the compiled settings do not; then there is no plan.
func (s *space) plan(p *Point) (planned *plan.Plan, broken string) {
	defer s.write(p)()
	planned, found := calc.Compute(s.fabric)
	for _, sw := range planned.Switches {
		for _, c := range sw.Checks {
			if !c.Holds && !s.broken[check{sw.Names[0], c.ID}] {
				return nil, c.ID
			}
		}
	}
	for _, f := range found {
		if f.Severity == diag.Error || f.Code == calc.PMaxStep { // a chip would mark otherwise than the point says
			return nil, string(f.Code)
		}
	}
	return planned, ""
}

// apply writes the constants into what a nic block says.
func (c Constants) apply(r *policy.Reaction, at diag.Range) {
	if c.Derived {
		r.Derived = policy.Opt[bool]{Value: true, Set: true, Range: at}
	}
	if c.DecreaseInterval > 0 {
		r.DecreaseInterval = policy.Opt[units.Time]{Value: c.DecreaseInterval, Set: true, Range: at}
	}
	if c.AlphaInterval > 0 {
		r.AlphaInterval = policy.Opt[units.Time]{Value: c.AlphaInterval, Set: true, Range: at}
	}
	if c.HAIRate > 0 {
		r.HAIRate = policy.Opt[units.BitRate]{Value: c.HAIRate, Set: true, Range: at}
	}
	if c.GD > 0 {
		r.GD = policy.Opt[int]{Value: c.GD, Set: true, Range: at}
	}
	if c.MinDecFac > 0 {
		r.MinDecFac = policy.Opt[units.Ratio]{Value: c.MinDecFac, Set: true, Range: at}
	}
	if c.AIRate > 0 {
		r.AIRate = policy.Opt[units.BitRate]{Value: c.AIRate, Set: true, Range: at}
	}
}

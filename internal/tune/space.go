// Package tune searches the marking curve and the dynamic threshold of a fabric's lossless classes, the
// constants of its NICs and how load is balanced, within what the compiler's inequalities allow, for settings
// under which what runs on the fabric finishes sooner in the simulator. docs/tune.md says how and why.
package tune

import (
	"errors"
	"fmt"
	"slices"

	"github.com/roceplan/roceplan/calc"
	"github.com/roceplan/roceplan/diag"
	"github.com/roceplan/roceplan/plan"
	"github.com/roceplan/roceplan/policy"
	"github.com/roceplan/roceplan/units"
)

// A Point is a choice of the searched settings; a zero is as compiled.
type Point struct {
	Marks
	NICs      []Constants // of the NICs of the space; nil: as they are
	Balancing string      // of load
}

// Marks are the settings with which lossless classes mark and pause.
type Marks struct {
	KMin, KMax units.Time // in which a port drains the queue where marking begins, and is complete; KMax 0: the compiled curve
	PMax       units.Ratio
	Alpha      units.Alpha
	OwnAlpha   bool // else alpha is as it was compiled
}

// Settings are the numbers of a plan at the port of a server.
type Settings struct {
	KMin  units.Bytes `json:"kmin_bytes"`
	KMax  units.Bytes `json:"kmax_bytes"`
	PMax  string      `json:"pmax"`
	Alpha string      `json:"alpha"`
}

// A space is the fabric whose settings are searched.
type space struct {
	fabric    *policy.Fabric
	class     *policy.Class   // the first lossless one, by which bounds go
	classes   []*policy.Class // all that are searched: lossless ones that mark
	nics      []*policy.NIC   // that run DCQCN
	settable  []*policy.NIC   // of these, those whose constants can be set
	reactions []plan.Reaction // of settable, as compiled
	curve     Marks           // as compiled there
	broken    map[check]bool  // inequalities that the compiled settings break
	alpha     units.Alpha
	axes      []axis
}

// check is an inequality of a shape of switches.
type check struct{ shape, id string }

// brokenChecks returns the inequalities of a plan that do not hold.
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

// newSpace finds what of a fabric can be searched. The error is that of a fabric that marks nothing.
func newSpace(f *policy.Fabric, compiled *plan.Plan, balancing []string) (*space, error) {
	s := &space{fabric: f}
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
	s.curve = Marks{KMin: port.Speed.FloorTime(queue.ECN.KMin.Value), KMax: port.Speed.FloorTime(queue.ECN.KMax.Value), PMax: queue.ECN.PMax.Value}
	for _, c := range f.Classes {
		if _, queue := serverPort(compiled, c); c.Lossless.Value && queue != nil && queue.ECN != nil {
			s.classes = append(s.classes, c)
		}
	}
	if s.class.CongestionControl.Value == "dcqcn" {
		s.nics = f.NICs
		s.tell(compiled)
	}
	s.broken = brokenChecks(compiled)
	s.alpha = smallestAlpha(compiled, s.class)
	s.axes = s.allAxes(balancing)
	return s, nil
}

// tell finds the NICs whose constants can be set.
func (s *space) tell(compiled *plan.Plan) {
	for _, n := range s.nics {
		if h := compiled.Host(n.Name); h != nil && h.Tunable && n.Slowest.Set {
			s.settable, s.reactions = append(s.settable, n), append(s.reactions, h.Reaction)
		}
	}
}

// serverPort returns the first port with the queue of the class that leads to a NIC, or to
// anything.
func serverPort(p *plan.Plan, class *policy.Class) (port *plan.Port, queue *plan.Queue) {
	for _, sw := range p.Switches {
		for i := range sw.Ports {
			own := &sw.Ports[i]
			if own.QoS == nil || own.QoS.PFC == 0 {
				continue
			}
			q, toNIC := own.QoS.Queue(class.Queue.Value), p.Host(own.Peer) != nil
			if q != nil && (port == nil || toNIC) {
				port, queue = own, q
			}
			if toNIC && q != nil {
				return port, queue
			}
		}
	}
	return port, queue
}

// smallestAlpha returns the alpha of the switches whose alpha is smallest: above it the others'
// inequalities break.
func smallestAlpha(p *plan.Plan, class *policy.Class) units.Alpha {
	least := units.Alpha(10)
	for _, sw := range p.Switches {
		for i := range sw.Ports {
			if sw.Ports[i].QoS == nil {
				continue
			}
			for _, pg := range sw.Ports[i].QoS.PGs {
				if limit := pg.Limit.Value; pg.Lossless && pg.ID == class.PriorityGroup.Value && limit.Dynamic {
					least = min(least, limit.Alpha)
				}
			}
		}
	}
	return least
}

// settings reads what a plan says at a server's port.
func (s *space) settings(p *plan.Plan) Settings {
	out := Settings{Alpha: smallestAlpha(p, s.class).String()}
	if _, queue := serverPort(p, s.class); queue.ECN != nil {
		out.KMin, out.KMax, out.PMax = queue.ECN.KMin.Value, queue.ECN.KMax.Value, queue.ECN.PMax.Value.String()
	}
	return out
}

// advice reports whether an inequality is one that a point may break: that of a default and not of a statement, such
// as how long a port may send before it is paused, or that marks are more than CNPs can follow. Where the author
// stated it, breaking it is an error. Runs are judged by pauses, losses and stated latencies.
func advice(id string) bool { return id == "xoff-time" || id == "pmax-bounded" }

// plan compiles the fabric with a point. broken names the inequality that the point breaks though
// the compiled settings do not; then there is no plan.
func (s *space) plan(p *Point) (planned *plan.Plan, broken string) {
	defer s.write(p)()
	planned, found := calc.Compute(s.fabric)
	for _, sw := range planned.Switches {
		for _, c := range sw.Checks {
			if !c.Holds && !s.broken[check{sw.Names[0], c.ID}] && !advice(c.ID) {
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

// warned returns the inequalities of advice that a plan breaks and the compiled settings keep.
func (s *space) warned(p *plan.Plan) []string {
	list := []string{}
	for c := range brokenChecks(p) {
		if !s.broken[c] && advice(c.id) && !slices.Contains(list, c.id) {
			list = append(list, c.id)
		}
	}
	slices.Sort(list)
	return list
}

// Package published lays a published configuration over a plan: the curve and the dynamic threshold
// of its lossless classes, and the constants of its NICs. All else stays the plan's.
package published

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/roceplan/roceplan/chips"
	"github.com/roceplan/roceplan/plan"
	"github.com/roceplan/roceplan/units"
)

// An Overlay is a plan under a published configuration.
type Overlay struct {
	Plan *plan.Plan
	// LeftOut says what of the configuration the fabric's chips cannot do, and what replaces it; sorted.
	LeftOut []string
}

// Foreign says for what the source of a configuration gives it, where the plan is none of that; empty: for
// the plan, or the source names nothing.
func Foreign(p *plan.Plan, c *chips.Configuration) string {
	var words []string
	if speeds := c.Speeds.Or(nil); speeds != nil {
		if slices.ContainsFunc(serverSpeeds(p), func(s units.BitRate) bool { return !slices.Contains(speeds, s) }) {
			words = append(words, "servers at "+joined(speeds))
		}
	}
	if names := c.Chips.Or(nil); names != nil {
		if slices.ContainsFunc(p.Switches, func(sw *plan.Switch) bool { return !slices.Contains(names, sw.Chip) }) {
			words = append(words, strings.Join(names, ", "))
		}
	}
	return strings.Join(words, ", ")
}

func joined(speeds []units.BitRate) string {
	var words []string
	for _, s := range speeds {
		words = append(words, s.String())
	}
	return strings.Join(words, ", ")
}

// serverSpeeds returns the speeds of the ports that lead to NICs.
func serverSpeeds(p *plan.Plan) (speeds []units.BitRate) {
	for _, sw := range p.Switches {
		for i := range sw.Ports {
			if port := &sw.Ports[i]; toServer(p, port) && !slices.Contains(speeds, port.Speed) {
				speeds = append(speeds, port.Speed)
			}
		}
	}
	return speeds
}

func toServer(p *plan.Plan, port *plan.Port) bool { return p.Host(port.Peer) != nil }

// ErrNoMarks says that no lossless class of a plan marks.
var ErrNoMarks = errors.New("no lossless class of the fabric marks: its congestion control does not read ECN")

// Lay makes the plan under the configuration; p stays as it is. NICs have the constants of their factory, unless
// the configuration or the author gives others. The error says why it cannot be: no curve
// for a speed, or thresholds beyond those of a chip.
func Lay(p *plan.Plan, c *chips.Configuration, chip func(string) (*chips.Chip, bool)) (*Overlay, error) {
	own := *p
	o := &Overlay{Plan: &own}
	own.Switches = slices.Clone(p.Switches)
	marks := false
	for i, sw := range p.Switches {
		l := layer{plan: p, from: c, sw: sw, made: map[portKind]*plan.PortQoS{}}
		l.chip, _ = chip(sw.Chip)
		laid, err := l.lay()
		if err != nil {
			return nil, err
		}
		own.Switches[i], marks = laid, marks || l.marks
		o.LeftOut = append(o.LeftOut, l.leftOut...)
	}
	if !marks {
		return nil, ErrNoMarks
	}
	own.Reaction = react(p.Reaction, c, 0)
	own.Hosts = slices.Clone(p.Hosts)
	for i, h := range own.Hosts {
		host := *h
		host.Reaction = react(h.Factory, c, h.Speed)
		if !h.Tunable && host.Reaction != h.Factory {
			host.Reaction = h.Factory
			o.LeftOut = append(o.LeftOut, fmt.Sprintf("constants of DCQCN: how those of %s are set is not known, and its own stay", h.Model))
		}
		own.Hosts[i] = &host
	}
	slices.Sort(o.LeftOut)
	o.LeftOut = slices.Compact(o.LeftOut)
	return o, nil
}

// A portKind is the ports of one speed that have the same settings.
type portKind struct {
	qos   *plan.PortQoS
	speed units.BitRate
}

// A layer lays a configuration over one switch.
type layer struct {
	plan    *plan.Plan
	from    *chips.Configuration
	sw      *plan.Switch
	chip    *chips.Chip // nil: unknown
	made    map[portKind]*plan.PortQoS
	marks   bool
	leftOut []string
}

func (l *layer) lay() (*plan.Switch, error) {
	sw := *l.sw
	sw.Ports = slices.Clone(sw.Ports)
	above := !slices.ContainsFunc(sw.Ports, func(p plan.Port) bool { return toServer(l.plan, &p) })
	for i := range sw.Ports {
		port := &sw.Ports[i]
		if port.QoS == nil {
			continue
		}
		kind := portKind{port.QoS, port.Speed}
		if l.made[kind] == nil {
			qos, err := l.port(port, above)
			if err != nil {
				return nil, fmt.Errorf("%s: %w", sw.Names[0], err)
			}
			l.made[kind] = qos
		}
		port.QoS = l.made[kind]
	}
	return &sw, nil
}

// port returns the settings of a port under the configuration.
func (l *layer) port(port *plan.Port, above bool) (*plan.PortQoS, error) {
	own := *port.QoS
	own.PGs, own.Queues = slices.Clone(own.PGs), slices.Clone(own.Queues)
	for i := range own.PGs {
		if pg := &own.PGs[i]; pg.Lossless {
			l.alpha(pg)
		}
	}
	for i := range own.Queues {
		q := &own.Queues[i]
		if q.ECN == nil || !l.lossless(q.ID) {
			continue
		}
		curve, err := l.curve(port.Speed, above, l.most(&own, q))
		if err != nil {
			return nil, err
		}
		why := l.from.PMax.Fact() // all ends of a curve have one source
		q.ECN = &plan.ECN{KMin: derived(l.from, why, "kmin", curve.KMin), KMax: derived(l.from, why, "kmax", curve.KMax), PMax: derived(l.from, why, "pmax", curve.PMax)}
		l.marks = true
	}
	return &own, nil
}

func (l *layer) lossless(queue uint8) bool {
	return slices.ContainsFunc(l.sw.Classes, func(c plan.Class) bool { return c.Lossless && c.Queue == queue })
}

// alpha sets the threshold of a priority group, where the chip has it.
func (l *layer) alpha(pg *plan.PG) {
	alpha, err := l.from.Alpha.Get()
	if err != nil {
		return
	}
	if l.chip == nil || !slices.Contains(l.chip.Alphas.Or(nil), alpha) {
		l.leftOut = append(l.leftOut, fmt.Sprintf("alpha %v is not known of %s: that of the fabric stays", alpha, l.sw.Chip))
		return
	}
	pg.Limit = derived(l.from, l.from.Alpha.Fact(), "alpha", plan.Limit{Dynamic: true, Alpha: alpha})
}

// most returns the most that a queue may hold alone, which its priority group's threshold leaves it of the pool; 0:
// unknown.
func (l *layer) most(qos *plan.PortQoS, q *plan.Queue) units.Bytes {
	class := slices.IndexFunc(l.sw.Classes, func(c plan.Class) bool { return c.Lossless && c.Queue == q.ID })
	pg := qos.PG(l.sw.Classes[class].PG)
	if pg == nil {
		return 0
	}
	limit := pg.Limit.Value
	if !limit.Dynamic {
		return limit.Static
	}
	if pool := l.sw.Pool(pg.Pool); pool != nil {
		num, den := limit.Alpha.Fraction()
		return units.Bytes(units.FloorMulDiv(int64(pool.Size.Value), num, num+den))
	}
	return 0
}

// curve returns the chip's form of the configuration's curve: its probability may be a step lower.
func (l *layer) curve(speed units.BitRate, above bool, most units.Bytes) (chips.Curve, error) {
	c, err := l.from.Curve(speed, above, l.sw.Cell, most)
	if err != nil {
		return c, fmt.Errorf("%w, %v", err, speed)
	}
	if c.KMax == 0 {
		return c, errors.New("what a queue may hold is not known, of which its source gives shares")
	}
	if l.chip == nil {
		return c, nil
	}
	if largest := l.chip.Marking.Max.Or(1 << 62); c.KMax > largest {
		return c, fmt.Errorf("kmax is %v, the largest threshold of %s is %v", c.KMax, l.sw.Chip, largest)
	}
	steps := l.chip.Marking.Steps.Or(nil)
	at, exact := slices.BinarySearch(steps, c.PMax)
	if steps != nil && !exact {
		if at == 0 {
			return c, fmt.Errorf("pmax is %v, the least of %s is %v", c.PMax, l.sw.Chip, steps[0])
		}
		l.leftOut = append(l.leftOut, fmt.Sprintf("pmax %v is no step of %s: %v replaces it", c.PMax, l.sw.Chip, steps[at-1]))
		c.PMax = steps[at-1]
	}
	return c, nil
}

// react is DCQCN with the constants that the configuration gives, for a port of a speed; 0: unknown.
func react(r plan.Reaction, c *chips.Configuration, speed units.BitRate) plan.Reaction {
	scaled := func(v units.BitRate) units.BitRate {
		if from := c.ScalesFrom.Or(0); from > 0 && speed > 0 {
			return chips.Scaled(v, speed, from)
		}
		return v
	}
	set(c, c.AIRate, &r.AIRate, scaled)
	set(c, c.HAIRate, &r.HAIRate, scaled)
	set(c, c.MinRate, &r.MinRate, scaled)
	set(c, c.TimeReset, &r.TimeReset, same)
	set(c, c.ByteReset, &r.ByteReset, same)
	set(c, c.AlphaInterval, &r.AlphaInterval, same)
	set(c, c.DecreaseInterval, &r.DecreaseInterval, same)
	set(c, c.CNPInterval, &r.CNPInterval, same)
	set(c, c.Threshold, &r.Threshold, func(n int) plan.Count { return plan.Count(n) })
	set(c, c.G, &r.G, func(n int) plan.Count { return plan.Count(n) })
	set(c, c.ClampTarget, &r.ClampTarget, func(on bool) plan.Flag { return plan.Flag(on) })
	return r
}

func same[T any](v T) T { return v }

// set writes a value that the configuration has, with its source as the reason.
func set[T any, V fmt.Stringer](c *chips.Configuration, d chips.Datum[T], to *plan.Derived[V], as func(T) V) {
	if v, err := d.Get(); err == nil {
		*to = derived(c, d.Fact(), d.Name(), as(v))
	}
}

func derived[V fmt.Stringer](c *chips.Configuration, f *chips.Fact, name string, v V) plan.Derived[V] {
	return plan.Of(v, &plan.Why{Kind: plan.Catalogue, Name: name, Value: v, ID: c.Name, Source: f.Source, Note: f.Confidence.String(), Range: f.Range})
}

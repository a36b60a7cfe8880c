package fabric

import (
	"cmp"
	"errors"
	"slices"

	"github.com/roceplan/roceplan/internal/stable"
	"github.com/roceplan/roceplan/model/sim"
	"github.com/roceplan/roceplan/plan"
	"github.com/roceplan/roceplan/units"
)

// mostClasses is the largest number of classes of flows: class 0 is the simulator's own.
const mostClasses = 7

// classify numbers the classes of the plan from 1 in the order of the queues of the first edge
// switch, so that of strict queues the highest goes first (IEEE 802.1Q 8.6.8.1: a strict queue
// sends if no queue of a higher number can). Classes that share queue and PG are one.
func (b *builder) classify() error {
	sw := b.edges()[0].sw
	first := lossless(sw)
	if first == nil {
		return errNotLossless
	}
	sorted := stable.Sorted(slices.Values(sw.Classes), func(a, c plan.Class) int {
		return cmp.Or(cmp.Compare(a.Queue, c.Queue), cmp.Compare(a.PG, c.PG))
	})
	b.net.classes = map[string]uint8{}
	b.names = []string{""}
	var number uint8 // of a queue; 0: it is not simulated
	for i, c := range sorted {
		if i == 0 || c.Queue != sorted[i-1].Queue || c.PG != sorted[i-1].PG {
			if number = 0; len(b.names) <= mostClasses {
				number = uint8(len(b.names))
				b.names = append(b.names, c.Name)
			}
		}
		if number == 0 && c.Lossless {
			return errors.New("more queues are in use than the simulator has")
		}
		if number == 0 {
			b.note("class %s is not simulated: the switches have more than %d queues in use", c.Name, mostClasses)
		}
		b.net.classes[c.Name] = number
		if c.Lossless {
			b.net.Lossless |= 1 << number
			b.net.Priority[number] = c.PFC
		}
	}
	b.net.Classes = len(b.names) - 1
	b.net.RDMA = b.net.classes[first.Name]
	b.net.lossy = b.background(sw)
	return nil
}

// background returns the class of traffic that is not RDMA's: the first lossy one that shares by
// weight, for CNPs have a strict one; 0 if there is none.
func (b *builder) background(sw *plan.Switch) uint8 {
	for _, strict := range []bool{false, true} {
		for i := range sw.Classes {
			c := &sw.Classes[i]
			number := b.net.classes[c.Name]
			if c.Lossless || number == 0 {
				continue
			}
			if q := b.edges()[0].port0().QoS.Queue(c.Queue); q == nil || q.Scheduler.Strict == strict {
				return number
			}
		}
	}
	return 0
}

// port0 returns a device's first port to a server.
func (d *device) port0() *plan.Port { return &d.sw.Ports[d.hosts[0]] }

// class returns a switch's class of a number; nil if it has none of that name.
func (b *builder) class(sw *plan.Switch, number int) *plan.Class {
	i := slices.IndexFunc(sw.Classes, func(c plan.Class) bool { return c.Name == b.names[number] })
	if i < 0 {
		return nil
	}
	return &sw.Classes[i]
}

// sender decides how a port sends: the classes of its switch, and its queues.
type sender struct {
	sw  *plan.Switch
	qos *plan.PortQoS
}

// egress returns the settings with which a port sends. Ports with the same settings share one.
func (b *builder) egress(d *device, p *plan.Port) *sim.Egress {
	key := sender{d.sw, p.QoS}
	if e, ok := b.sends[key]; ok || p.QoS == nil {
		return e
	}
	e := &sim.Egress{}
	for number := 1; number < len(b.names); number++ {
		c := b.class(d.sw, number)
		if c == nil {
			continue
		}
		q := p.QoS.Queue(p.QoS.QueueOf(c))
		if q == nil {
			continue
		}
		if q.Scheduler.Strict {
			e.Scheduler.Strict |= 1 << number
		}
		e.Scheduler.Weights[number] = uint8(min(q.Scheduler.Weight.Value, 255))
		e.MaxRate[number] = q.Scheduler.MaxRate.Value
		if q.ECN != nil {
			e.ECN[number] = sim.ECN{KMin: q.ECN.KMin.Value, KMax: q.ECN.KMax.Value, PMax: float64(q.ECN.PMax.Value) / float64(units.One),
				PollPeriod: b.options.Polling.Period, Weight: b.options.Polling.Weight, ByPart: b.options.ECNByPart}
		}
	}
	b.sends[key] = e
	return e
}

// watchdog returns the watchdog of a switch; nil if it has none.
func (b *builder) watchdog(sw *plan.Switch) *sim.Watchdog {
	w := sw.Watchdog
	if w == nil || !slices.ContainsFunc(sw.Ports, func(p plan.Port) bool { return p.QoS != nil && p.QoS.Watchdog }) {
		return nil
	}
	own := &sim.Watchdog{
		Poll: w.Poll.Value, Detection: max(w.Detection.Value, w.Poll.Value), Restoration: max(w.Restoration.Value, w.Poll.Value),
		Classes: b.net.Lossless,
	}
	switch w.Action {
	case plan.WatchdogForward:
		own.Action = sim.WatchdogForward
	case plan.WatchdogAlert:
		own.Action = sim.WatchdogAlert
	}
	return own
}

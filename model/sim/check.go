package sim

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/roceplan/roceplan/model/sim/balance"
	"github.com/roceplan/roceplan/units"
)

// maxPayload keeps a packet with all headers within 16 bits.
const maxPayload = 65_000

// maxRates is the largest number of different link rates of a scenario.
const maxRates = 256

// check finds what a run cannot represent, all of it at once.
func (sc *Scenario) check() error {
	var errs []error
	bad := func(format string, args ...any) { errs = append(errs, fmt.Errorf(format, args...)) }
	if p := sc.Transport.Payload; p < 1 || p > maxPayload {
		bad("a payload of %d B is outside of 1 to %d B", p, maxPayload)
	}
	if sc.Transport.BackToZero && sc.Transport.Chunk < 1 {
		bad("a chunk of %d B is too small: want at least 1", sc.Transport.Chunk)
	}
	if class := sc.Transport.CNPClass; class >= classes {
		bad("congestion notifications have class %d", class)
	}
	if t := &sc.Transport; t.AckTimeout < 0 || t.Retries < 0 {
		bad("an acknowledgement timeout of %d ps and %d retries are below 0", t.AckTimeout, t.Retries)
	} else if t.Selective && (!t.DirectPlacement || t.AckTimeout == 0 || t.BackToZero) {
		bad("to send again selectively, a transport needs direct placement and an acknowledgement timeout, and must not go back to zero")
	}
	laws := newLaws(sc)
	for class, l := range laws {
		if class > 0 && l == laws[class-1] {
			continue
		}
		if l.Algorithm == UseHPCC && l.Window == NoWindow {
			bad("HPCC needs a window")
		}
		if err := l.check(); err != nil {
			errs = append(errs, err)
		}
	}
	if err := sc.Transport.Host.check(sc.Links); err != nil {
		errs = append(errs, err)
	}
	if err := sc.TCP.check(); err != nil {
		errs = append(errs, err)
	}
	if err := sc.Balancing.Check(); err != nil {
		errs = append(errs, err)
	}
	if sc.Balancing.Mode == balance.Cells && slices.ContainsFunc(sc.Silicon, func(b *SiliconBuffer) bool { return b != nil }) {
		bad("chips' shared buffers are not simulated in a fabric of cells: the ingress buffer is that of the HPCC simulator's switch")
	}
	if sc.Balancing.Mode == balance.Cells && len(sc.Outages) > maxRates/4 {
		bad("%d links go down in a fabric of cells, more than %d: each changes the rate of a leaf", len(sc.Outages), maxRates/4)
	}
	errs = append(errs, sc.checkTrouble()...)
	errs = append(errs, sc.checkTrains()...)
	rates := map[units.BitRate]bool{}
	for i, l := range sc.Links {
		rates[l.Rate] = true
		if l.A < 0 || l.B < 0 || l.A >= len(sc.Nodes) || l.B >= len(sc.Nodes) || l.A == l.B {
			bad("link %d connects nodes %d and %d of %d", i, l.A, l.B, len(sc.Nodes))
		}
		if sc.Balancing.Mode == balance.Cells && l.A >= 0 && l.B >= 0 {
			l.Delay += units.Time(sc.pipeline(l.A) + sc.pipeline(l.B)) // more than [Scenario.fused] makes of it
		}
		if err := l.check(sc.Transport.Payload); err != nil {
			bad("link %d: %w", i, err)
		}
		for _, e := range l.Egress {
			if e == nil {
				continue
			}
			if err := e.check(); err != nil {
				bad("link %d: %w", i, err)
			}
		}
	}
	if 2*len(sc.Links) > 1<<portBits {
		bad("there are %d links, more than %d", len(sc.Links), 1<<portBits/2)
	}
	if len(rates) > maxRates {
		bad("links have %d different rates, more than %d", len(rates), maxRates)
	}
	for node, latency := range sc.Latency {
		if latency < 0 || int64(latency) > maxFlight/2 {
			bad("node %d has a latency of %d ps: want 0 to %d", node, latency, int64(maxFlight)/2)
		}
	}
	if sc.Transport.AckClass >= classes || sc.Transport.Acks == AcksApart && sc.Transport.AckClass == 0 {
		bad("acknowledgements travel in class %d: want 1 to %d", sc.Transport.AckClass, classes-1)
	}
	for i, f := range sc.Flows {
		if f.TCP && sc.Transport.Service == DC {
			bad("flow %d is TCP's, which is not simulated together with DC", i)
		}
		work := f.work() && f.QueuePair == 0 && f.Repeat == 0 && !f.TCP
		if !sc.isHost(f.Src) || !sc.isHost(f.Dst) || f.Src == f.Dst && !work {
			bad("flow %d goes from node %d to node %d, which are not two hosts", i, f.Src, f.Dst)
		}
		if f.Bytes < 1 && !work || f.Start < 0 || f.Class >= classes {
			bad("flow %d has %d B, starts at %d ps, and is of class %d", i, f.Bytes, f.Start, f.Class)
		}
		if f.Delay < 0 || slices.ContainsFunc(f.After, func(before int32) bool { return before < 0 || int(before) >= len(sc.Flows) }) {
			bad("flow %d starts %d ps after flows %v of %d", i, f.Delay, f.After, len(sc.Flows))
		}
	}
	if len(errs) == 0 {
		return sc.checkOrder()
	}
	return errors.Join(errs...)
}

// after returns the messages that one waits for.
func (sc *Scenario) after(i int) []int32 { return sc.Flows[i].After }

// checkOrder finds messages that wait for themselves, over others or not: it takes away what
// waits for nothing until nothing is left.
func (sc *Scenario) checkOrder() error {
	w := newWaiting(sc.Flows, sc.after, func(_, _ *Flow) bool { return true })
	if w.list == nil {
		return nil
	}
	waits, free := make([]int, len(sc.Flows)), make([]int32, 0, len(sc.Flows))
	for i := range sc.Flows {
		if waits[i] = len(sc.Flows[i].After); waits[i] == 0 {
			free = append(free, int32(i))
		}
	}
	for next := 0; next < len(free); next++ {
		for _, after := range w.of(free[next]) {
			if waits[after]--; waits[after] == 0 {
				free = append(free, after)
			}
		}
	}
	if len(free) == len(sc.Flows) {
		return nil
	}
	stuck := slices.IndexFunc(waits, func(n int) bool { return n > 0 })
	return fmt.Errorf("flow %d and %d more wait for each other forever", stuck, len(sc.Flows)-len(free)-1)
}

// checkTrouble looks at what goes wrong in the network, and at what is there against it.
func (sc *Scenario) checkTrouble() (errs []error) {
	if err := sc.PFC.check(sc.Stop); err != nil {
		errs = append(errs, err)
	}
	add := func(what string, i int, err error) {
		if err != nil {
			errs = append(errs, fmt.Errorf("%s %d: %w", what, i, err))
		}
	}
	for i := range sc.Outages {
		o := &sc.Outages[i]
		add("outage", i, o.check(sc))
		for _, other := range sc.Outages[:i] {
			if o.Link == other.Link && overlap(o.Down, o.Up, other.Down, other.Up) {
				add("outage", i, fmt.Errorf("link %d is down already", o.Link))
			}
		}
	}
	for i := range sc.Storms {
		w := &sc.Storms[i]
		add("storm", i, w.check(sc))
		for _, other := range sc.Storms[:i] {
			if w.Host == other.Host && w.Class == other.Class && overlap(w.From, w.To, other.From, other.To) {
				add("storm", i, fmt.Errorf("node %d pauses class %d already", w.Host, w.Class))
			}
		}
	}
	for i := range sc.Receivers {
		r := &sc.Receivers[i]
		add("receiver", i, r.check(sc))
		if slices.ContainsFunc(sc.Receivers[:i], func(other Receiver) bool { return other.Host == r.Host }) {
			add("receiver", i, fmt.Errorf("node %d is slow already", r.Host))
		}
	}
	for node, w := range sc.Watchdogs {
		if w == nil {
			continue
		}
		if sc.PFC.Quanta == 0 {
			add("node", node, errors.New("a watchdog takes a pause that is not repeated for the end of the storm: it needs pauses that expire"))
		}
		add("node", node, w.check())
		if node >= len(sc.Nodes) || sc.Nodes[node] != Switch {
			add("node", node, errors.New("a watchdog belongs to a switch"))
		}
	}
	if sc.Convergence < 0 {
		errs = append(errs, fmt.Errorf("routes follow %d ps after a link: want 0 or more", sc.Convergence))
	}
	return errs
}

// overlap reports whether two stretches of time share a moment. An end of 0 is never.
func overlap(from, to, otherFrom, otherTo units.Time) bool {
	return (otherTo == 0 || from <= otherTo) && (to == 0 || otherFrom <= to)
}

func (sc *Scenario) isHost(node int) bool {
	return node >= 0 && node < len(sc.Nodes) && sc.Nodes[node] == Host
}

// check demands that a packet's transmission fits 31 bits of picoseconds, and its whole
// way over the link [maxFlight].
func (l *Link) check(payload units.Bytes) error {
	if l.Rate < units.Mbps {
		return fmt.Errorf("a rate of %d bit/s is below 1 Mb/s", l.Rate)
	}
	longest := clock{}.duration(int32(min(payload, maxPayload)+200), uint64(l.Rate))
	if l.Delay < 0 || longest > math.MaxInt32 || int64(l.Delay)+longest > maxFlight {
		return fmt.Errorf("a delay of %d ps and a transmission of %d ps are beyond %d and %d ps", l.Delay, longest, int64(maxFlight), math.MaxInt32)
	}
	return nil
}

// check demands what would otherwise divide by zero.
func (c *Congestion) check() error {
	switch d := &c.DCQCN; {
	case c.Algorithm == NoControl || c.Algorithm == UseSwift:
		return nil
	case c.MinRate < 1:
		return fmt.Errorf("a least rate of %d bit/s stops queue pairs forever", c.MinRate)
	case c.Algorithm == UseRTTCC && (c.RTTCC.Target < 0 || c.RTTCC.Additive < 1 || c.RTTCC.MaxDecrease > 1):
		return fmt.Errorf("RTTCC with a target of %d ps, steps of %d bit/s and cuts of up to %v", c.RTTCC.Target, c.RTTCC.Additive, c.RTTCC.MaxDecrease)
	case c.Algorithm == UseRTTTemplate && (c.RTTTemplate.Additive < 1 || !(c.RTTTemplate.Cut >= 0 && c.RTTTemplate.Cut <= 0.2)):
		return fmt.Errorf("the RTT template with steps of %d bit/s and cuts of %v: want steps above 0 and cuts of 0 to 0.2", c.RTTTemplate.Additive, c.RTTTemplate.Cut)
	case c.Algorithm == UseDCQCN && min(d.AlphaInterval, d.DecreaseInterval, d.IncreaseInterval) < 1:
		return fmt.Errorf("DCQCN's intervals of %d, %d and %d ps must be positive", d.AlphaInterval, d.DecreaseInterval, d.IncreaseInterval)
	}
	return nil
}

package bound

import (
	"cmp"

	"github.com/roceplan/roceplan/internal/stable"
	"github.com/roceplan/roceplan/units"
)

// A Start is the load by senders that have no feedback yet.
type Start struct {
	Latency units.Time // of at least one packet, at least
	Senders int        // hosts whose first packets meet
	Port    int        // where they meet, the last one on their way; -1: no host sends
	RTT     units.Time // for which each knows nothing, the least of them
}

// burst holds the bytes that a host sends to another before it can have any feedback from the way there.
type burst struct {
	from, until units.Time // of the time in which it is handed to the NIC's queue
	rtt         units.Time // in which nothing comes back
	wire        int64      // bytes, with headers and gaps
	base        units.Time // that a packet takes before its last link can carry it, and on that
	host        int
}

// Start returns the least that the longest latency of a packet can be.
//
// A queue pair that has just begun sends at line rate for a round trip without queues, T. N hosts
// that begin at once with at least R·T each hand N·R·T bits, in whole packets, to their queues by
// T. All of them pass the receiver's link of rate C, which carries the first bit no earlier than a
// packet takes to it, D; so the last of these packets is there no earlier than D + N·R·T/C. It was
// in its queue at T at the latest, and so its latency is at least
//
//	D + (N·R/C − 1)·T
//
// which with R = C is D and the (N−1)-fold bandwidth-delay product of the path. Of hosts that begin
// one after the other the same holds for the bytes of all that begin and end between two times,
// whatever else is under way. A host's other traffic is not counted: it is taken to send only its
// part in turns, in whole packets.
//
// A PFC pause within T is the one thing that could stop the senders earlier, and is itself what the
// fabric is judged by. It cannot come before a priority group has taken its threshold, which with
// the smallest alpha of any menu, 1/128, and half of the pool free is 1/256 of it: R·T is less in
// every chip of the catalogue but those with next to no buffer.
func (t *Traffic) Start() Start {
	meet := map[int][]burst{}
	best := Start{Port: -1}
	for host, flows := range t.byHost() {
		for _, b := range t.bursts(host, flows) {
			meet[b.port] = append(meet[b.port], b.burst)
		}
	}
	for port, list := range meet {
		stable.Sort(list, func(a, b burst) int { return cmp.Or(cmp.Compare(a.from, b.from), cmp.Compare(a.host, b.host)) })
		own := t.longest(list, port)
		if c := cmp.Compare(own.Latency, best.Latency); best.Port < 0 || c > 0 || c == 0 && port < best.Port {
			best = own
		}
	}
	return best
}

// byHost lists the judged flows of each host.
func (t *Traffic) byHost() map[int][]int {
	out := map[int][]int{}
	for _, i := range t.flows {
		out[t.sc.Flows[i].Src] = append(out[t.sc.Flows[i].Src], i)
	}
	return out
}

type burstAt struct {
	burst
	port int
}

// bursts returns the bytes that a host hands to its NIC before any feedback, by the receiver's
// port: of its first messages only, for any later one may find others under way.
func (t *Traffic) bursts(host int, flows []int) (out []burstAt) {
	g := t.begun(flows)
	if len(g.flows) == 0 {
		return nil
	}
	known := min(g.rtt, g.end) // the time in which it has no feedback and sends nothing else
	link := t.rate(t.ways[g.flows[0]].Ports[0])
	most := int64(link.FloorBytes(known)) / int64(len(g.flows)) / t.packet * t.packet
	sent := int64(0)
	for _, i := range g.flows {
		sent += min(t.wire(i), most)
	}
	until := g.start + link.CeilTime(units.Bytes(sent)) // in turns: none sends more than most before all have
	at := map[int]int{}
	for _, i := range g.flows {
		w := &t.ways[i]
		port := w.Ports[len(w.Ports)-1]
		k, ok := at[port]
		if !ok {
			k, at[port] = len(out), len(out)
			out = append(out, burstAt{burst{from: g.start, until: until, rtt: known, base: w.Delay, host: host}, port})
		}
		out[k].wire += min(t.wire(i), most)
	}
	return out
}

// quiet returns the time after a host's first message in which neither another of its messages nor
// feedback on this one changes anything; begins says that this one is among the first.
func (t *Traffic) quiet(i int, first units.Time) (d units.Time, begins bool) {
	switch f := &t.sc.Flows[i]; {
	case f.Start > first:
		return f.Start - first, false
	case len(f.After) > 0 || f.Repeat > 1:
		if len(f.After) == 0 {
			return 0, false
		}
		return t.ways[f.After[0]].Delay, false // the message that it waits for has to get there
	}
	return t.ways[i].LeastRTT(), true
}

// longest returns the greatest load of a port by its bursts, over all times from one burst's begin
// to another's end.
func (t *Traffic) longest(list []burst, port int) (best Start) {
	best.Port = port
	rate := t.rate(port)
	for i := range list {
		if i > 0 && list[i].from == list[i-1].from {
			continue // the first of those that begin at once has them all
		}
		wire, until, base := int64(0), units.Time(0), list[i].base
		hosts := map[int]bool{}
		for _, b := range list[i:] {
			if wire += b.wire; b.wire > 0 {
				hosts[b.host] = true
			}
			until, base = max(until, b.until), min(base, b.base)
			latency := base + rate.FloorTime(units.Bytes(wire)) - (until - list[i].from)
			if latency > best.Latency || best.Senders == 0 {
				best.Latency, best.Senders, best.RTT = latency, len(hosts), b.rtt
			}
		}
	}
	return best
}

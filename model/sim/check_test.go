package sim

import (
	"strings"
	"testing"

	"github.com/roceplan/roceplan/model/sim/balance"
	"github.com/roceplan/roceplan/model/sim/cells"
	"github.com/roceplan/roceplan/units"
)

// What a run can represent, up to each bound and one step beyond.
func TestBoundsOfScenarios(t *testing.T) {
	type edit = func(sc *Scenario)
	last := func(sc *Scenario) *Flow { return &sc.Flows[len(sc.Flows)-1] }
	for _, c := range []struct {
		what     string
		ok, bad  edit
		complain string // part of the only error; empty: bad is nil
	}{
		{"payload", func(sc *Scenario) { sc.Transport.Payload = 1 }, func(sc *Scenario) { sc.Transport.Payload = 0 }, "payload of 0 B"},
		{"payload", func(sc *Scenario) { sc.Transport.Payload = 65_000 }, func(sc *Scenario) { sc.Transport.Payload = 65_001 }, "payload of 65001 B"},
		{"chunk", func(sc *Scenario) { sc.Transport.BackToZero, sc.Transport.Chunk = true, 1 }, func(sc *Scenario) { sc.Transport.BackToZero, sc.Transport.Chunk = true, 0 }, "chunk of 0 B"},
		{"no chunk", func(sc *Scenario) { sc.Transport.Chunk = 0 }, nil, ""},
		{"class of CNPs", func(sc *Scenario) { sc.Transport.CNPClass = 7 }, func(sc *Scenario) { sc.Transport.CNPClass = 8 }, "notifications have class 8"},
		{"timeout", func(sc *Scenario) { sc.Transport.AckTimeout, sc.Transport.Retries = 0, 0 }, func(sc *Scenario) { sc.Transport.AckTimeout = -1 }, "timeout of -1 ps"},
		{"retries", func(sc *Scenario) { sc.Transport.Retries = 1 }, func(sc *Scenario) { sc.Transport.Retries = -1 }, "-1 retries"},
		{"selective", func(sc *Scenario) {
			sc.Transport.Selective, sc.Transport.DirectPlacement, sc.Transport.AckTimeout = true, true, 1
		}, func(sc *Scenario) { sc.Transport.Selective, sc.Transport.AckTimeout = true, 1 }, "needs direct placement"},
		{"selective", func(*Scenario) {}, func(sc *Scenario) {
			sc.Transport.Selective, sc.Transport.DirectPlacement, sc.Transport.AckTimeout = true, true, 0
		}, "needs direct placement"},
		{"selective", func(*Scenario) {}, func(sc *Scenario) {
			sc.Transport.Selective, sc.Transport.DirectPlacement, sc.Transport.AckTimeout, sc.Transport.BackToZero, sc.Transport.Chunk = true, true, 1, true, 1
		}, "must not go back to zero"},
		{"class of acknowledgements", func(sc *Scenario) { sc.Transport.AckClass = 7 }, func(sc *Scenario) { sc.Transport.AckClass = 8 }, "travel in class 8"},
		{"their own class", func(sc *Scenario) { sc.Transport.Acks, sc.Transport.AckClass = AcksApart, 1 }, func(sc *Scenario) { sc.Transport.Acks, sc.Transport.AckClass = AcksApart, 0 }, "travel in class 0"},
		{"rate of a link", func(sc *Scenario) { sc.Links[0].Rate = units.Mbps; sc.Transport.Payload = 64 }, func(sc *Scenario) { sc.Links[0].Rate = units.Mbps - 1; sc.Transport.Payload = 64 }, "link 0: a rate of 999999 bit/s"},
		{"delay of a link", func(sc *Scenario) { sc.Links[0].Delay = 0 }, func(sc *Scenario) { sc.Links[0].Delay = -1 }, "link 0: a delay of -1 ps"},
		{"end A of a link", func(sc *Scenario) { sc.Links[0].A = 1; sc.Links[1].A = 0 }, func(sc *Scenario) { sc.Links[0].A = len(sc.Nodes) }, "link 0 connects nodes 4 and "},
		{"end A of a link", func(*Scenario) {}, func(sc *Scenario) { sc.Links[0].A = -1 }, "link 0 connects nodes -1 and "},
		{"end B of a link", func(*Scenario) {}, func(sc *Scenario) { sc.Links[0].B = len(sc.Nodes) }, " and 4 of 4"},
		{"end B of a link", func(*Scenario) {}, func(sc *Scenario) { sc.Links[0].B = -1 }, " and -1 of 4"},
		{"a link to itself", func(*Scenario) {}, func(sc *Scenario) { sc.Links[0].B = sc.Links[0].A }, "link 0 connects nodes"},
		{"latency", func(sc *Scenario) { sc.Latency = []units.Time{2: 0} }, func(sc *Scenario) { sc.Latency = []units.Time{2: -1} }, "node 2 has a latency of -1 ps"},
		{"latency", func(sc *Scenario) { sc.Latency = []units.Time{2: maxFlight / 2} }, func(sc *Scenario) { sc.Latency = []units.Time{2: maxFlight/2 + 1} }, "node 2 has a latency of"},
		{"source", func(sc *Scenario) { last(sc).Src, last(sc).Dst = 1, 0 }, func(sc *Scenario) { last(sc).Src = 2 }, "not two hosts"},
		{"source", func(*Scenario) {}, func(sc *Scenario) { last(sc).Src = -1 }, "not two hosts"},
		{"destination", func(*Scenario) {}, func(sc *Scenario) { last(sc).Dst = 4 }, "not two hosts"},
		{"to itself", func(*Scenario) {}, func(sc *Scenario) { last(sc).Dst = last(sc).Src }, "not two hosts"},
		{"bytes", func(sc *Scenario) { last(sc).Bytes = 1 }, func(sc *Scenario) { last(sc).Bytes = 0 }, "has 0 B"},
		{"start", func(sc *Scenario) { last(sc).Start = 0 }, func(sc *Scenario) { last(sc).Start = -1 }, "starts at -1 ps"},
		{"class", func(sc *Scenario) { last(sc).Class = 7 }, func(sc *Scenario) { last(sc).Class = 8 }, "of class 8"},
		{"delay", func(sc *Scenario) { last(sc).Delay, last(sc).After = 0, []int32{0} }, func(sc *Scenario) { last(sc).Delay = -1 }, "starts -1 ps after"},
		{"after", func(*Scenario) {}, func(sc *Scenario) { last(sc).After = []int32{0, 2} }, "after flows [0 2] of 2"},
		{"after", func(*Scenario) {}, func(sc *Scenario) { last(sc).After = []int32{-1} }, "after flows [-1] of 2"},
		{"after itself", func(*Scenario) {}, func(sc *Scenario) { last(sc).After = []int32{1} }, "flow 1 and 0 more wait"},
		{"TCP beside DC", func(sc *Scenario) { last(sc).TCP = true }, func(sc *Scenario) { last(sc).TCP, sc.Transport.Service = true, DC }, "flow 1 is TCP's"},
		{"TCP's timeouts", func(sc *Scenario) { sc.TCP.LeastTimeout, sc.TCP.FirstTimeout = 0, 0 }, func(sc *Scenario) { sc.TCP.LeastTimeout = -1 }, "-1 and 0 ps are below 0"},
		{"TCP's timeouts", func(*Scenario) {}, func(sc *Scenario) { sc.TCP.FirstTimeout = -1 }, "0 and -1 ps are below 0"},
		{"signals", func(sc *Scenario) { sc.Balancing = balance.Config{Mode: balance.Global, SignalInterval: 1} }, func(sc *Scenario) { sc.Balancing = balance.Config{Mode: balance.Global} }, "signals every 0 ps"},
		{"ConWeave's times", func(*Scenario) {}, func(sc *Scenario) { sc.Balancing.ConWeave.ReplySlack = -1 }, "must not be below 0"},
		{"ConWeave's times", func(*Scenario) {}, func(sc *Scenario) { sc.Balancing.ConWeave.Expiry = -1 }, "must not be below 0"},
		{"ConWeave's queues", func(*Scenario) {}, func(sc *Scenario) { sc.Balancing.ConWeave.ReorderQueues = -1 }, "must not be below 0"},
		{"credit", func(sc *Scenario) {
			sc.Balancing = balance.Config{Mode: balance.Cells, Cells: cells.Config{Credit: 1, Speedup: 1}}
		}, func(sc *Scenario) {
			sc.Balancing = balance.Config{Mode: balance.Cells, Cells: cells.Config{Credit: 0, Speedup: 1}}
		}, "credits of 0 B"},
		{"speedup", func(sc *Scenario) {
			sc.Balancing = balance.Config{Mode: balance.Cells, Cells: cells.Config{Credit: 1, Speedup: 2}}
		}, func(sc *Scenario) {
			sc.Balancing = balance.Config{Mode: balance.Cells, Cells: cells.Config{Credit: 1, Speedup: 2.001}}
		}, "at 2.001 of the port's rate"},
		{"least rate", func(sc *Scenario) { sc.Congestion.Algorithm, sc.Congestion.MinRate = UseTIMELY, 1 }, func(sc *Scenario) { sc.Congestion.Algorithm, sc.Congestion.MinRate = UseTIMELY, 0 }, "least rate of 0 bit/s"},
		{"HPCC", func(sc *Scenario) {
			sc.Congestion.Algorithm, sc.Transport.Window, sc.Congestion.MinRate = UseHPCC, LargestBDP, 1
		}, func(sc *Scenario) {
			sc.Congestion.Algorithm, sc.Transport.Window, sc.Congestion.MinRate = UseHPCC, NoWindow, 1
		}, "HPCC needs a window"},
		{"RTTCC", func(sc *Scenario) { rttcc(sc, 0, 1, 1) }, func(sc *Scenario) { rttcc(sc, -1, 1, 1) }, "a target of -1 ps"},
		{"RTTCC", func(*Scenario) {}, func(sc *Scenario) { rttcc(sc, 0, 0, 1) }, "steps of 0 bit/s"},
		{"RTTCC", func(*Scenario) {}, func(sc *Scenario) { rttcc(sc, 0, 1, 1.01) }, "cuts of up to 1.01"},
		{"DCQCN", func(sc *Scenario) { dcqcn(sc, 1, 1, 1) }, func(sc *Scenario) { dcqcn(sc, 0, 1, 1) }, "intervals of 0, 1 and 1 ps"},
		{"DCQCN", func(*Scenario) {}, func(sc *Scenario) { dcqcn(sc, 1, 0, 1) }, "intervals of 1, 0 and 1 ps"},
		{"DCQCN", func(*Scenario) {}, func(sc *Scenario) { dcqcn(sc, 1, 1, 0) }, "intervals of 1, 1 and 0 ps"},
		{"no control", func(sc *Scenario) { sc.Congestion = Congestion{} }, nil, ""},
		{"memory", func(sc *Scenario) { sc.Transport.Host.Memory = 100 * units.Gbps }, func(sc *Scenario) { sc.Transport.Host.Memory = 100*units.Gbps - 1 }, "more slowly than link 0"},
		{"targets", func(sc *Scenario) { sc.Transport.Host.Targets, sc.Transport.Host.Busy = 1, 1 }, func(sc *Scenario) { sc.Transport.Host.Targets = 1 }, "retry forever"},
		{"targets", func(*Scenario) {}, func(sc *Scenario) { sc.Transport.Host.Targets = -1 }, "-1 targets"},
		{"inline", func(*Scenario) {}, func(sc *Scenario) { sc.Transport.Host.Inline = -1 }, "-1 B inline"},
		{"a host's times", func(*Scenario) {}, func(sc *Scenario) { sc.Transport.Host.Linger = -1 }, "are not all at least 0"},
		{"pauses that expire", func(sc *Scenario) { sc.PFC.Quanta, sc.Stop = 1, 1 }, func(sc *Scenario) { sc.PFC.Quanta = 1 }, "needs Stop"},
		{"convergence", func(sc *Scenario) { sc.Convergence = 0 }, func(sc *Scenario) { sc.Convergence = -1 }, "routes follow -1 ps"},
		{"limit of a class", func(sc *Scenario) { sc.Links[0].Egress[0] = limited(1, units.Mbps) }, func(sc *Scenario) { sc.Links[0].Egress[0] = limited(1, units.Mbps-1) }, "class 1 may send 999999 bit/s"},
		{"limit of class 0", func(*Scenario) {}, func(sc *Scenario) { sc.Links[0].Egress[1] = limited(0, units.Gbps) }, "class 0 holds the pauses"},
		{"outage", func(sc *Scenario) { sc.Outages = []Outage{{Link: 1, Down: 0}} }, func(sc *Scenario) { sc.Outages = []Outage{{Link: 2}} }, "link 2 is none of 2"},
		{"outage", func(*Scenario) {}, func(sc *Scenario) { sc.Outages = []Outage{{Link: -1}} }, "link -1 is none of 2"},
		{"outage", func(*Scenario) {}, func(sc *Scenario) { sc.Outages = []Outage{{Down: -1}} }, "goes down at -1 ps"},
		{"outages of a link", func(sc *Scenario) {
			sc.Outages = []Outage{{Down: 0, Up: 10 * units.Microsecond}, {Down: 10*units.Microsecond + 1}, {Link: 1, Down: 5}}
		}, func(sc *Scenario) {
			sc.Outages = []Outage{{Down: 0, Up: 10 * units.Microsecond}, {Down: 10 * units.Microsecond}}
		}, "outage 1: link 0 is down already"},
		{"storm", func(sc *Scenario) {
			sc.Storms = []Storm{{Host: 0, Class: 7, From: 0, To: 1}, {Host: 0, Class: 1}, {Host: 1, Class: 7}}
		}, func(sc *Scenario) { sc.Storms = []Storm{{Host: 0, Class: 8}} }, "pauses class 8"},
		{"storm", func(*Scenario) {}, func(sc *Scenario) { sc.Storms = []Storm{{Host: 0, Class: 0}} }, "pauses class 0"},
		{"storm", func(*Scenario) {}, func(sc *Scenario) { sc.Storms = []Storm{{Host: 2, Class: 1}} }, "node 2 pauses"},
		{"storm", func(*Scenario) {}, func(sc *Scenario) { sc.Storms = []Storm{{Host: 0, Class: 1, From: 5, To: 5}} }, "from 5 to 5 ps"},
		{"storm", func(*Scenario) {}, func(sc *Scenario) { sc.Storms = []Storm{{Host: 0, Class: 1, From: -1}} }, "from -1 to 0 ps"},
		{"storms of a host", func(sc *Scenario) { sc.Storms = []Storm{{Class: 1, From: 6}, {Class: 1, To: 5}} }, func(sc *Scenario) { sc.Storms = []Storm{{Class: 1, From: 5}, {Class: 1, To: 5}} }, "storm 1: node 0 pauses class 1 already"},
		{"receiver", func(sc *Scenario) {
			sc.Receivers = []Receiver{slowAt(0, 1, 2), {Host: 1, Rate: units.Mbps, XOFF: 1, Buffer: 2}}
		}, func(sc *Scenario) { sc.Receivers = []Receiver{slowAt(0, 0, 2)} }, "want 0 ≤ XON < XOFF"},
		{"receiver", func(*Scenario) {}, func(sc *Scenario) { sc.Receivers = []Receiver{slowAt(0, 1, 1)} }, "want 0 ≤ XON < XOFF"},
		{"receiver", func(*Scenario) {}, func(sc *Scenario) { sc.Receivers = []Receiver{slowAt(-1, 1, 2)} }, "want 0 ≤ XON < XOFF"},
		{"receiver", func(*Scenario) {}, func(sc *Scenario) {
			sc.Receivers = []Receiver{slowAt(0, 1, 2)}
			sc.Receivers[0].Rate--
		}, "takes 999999 bit/s"},
		{"receiver", func(*Scenario) {}, func(sc *Scenario) {
			sc.Receivers = []Receiver{slowAt(0, 1, 2)}
			sc.Receivers[0].Classes = 1
		}, "cannot pause class 0"},
		{"receivers of a host", func(*Scenario) {}, func(sc *Scenario) { sc.Receivers = []Receiver{slowAt(0, 1, 2), slowAt(0, 1, 2)} }, "node 0 is slow already"},
		{"watchdog", func(sc *Scenario) { watchOver(sc, 2, &Watchdog{Poll: 1, Detection: 1, Restoration: 1, Classes: 0xfe}) }, func(sc *Scenario) { watchOver(sc, 2, &Watchdog{Poll: 0, Detection: 1, Restoration: 1}) }, "want 0 < Poll"},
		{"watchdog", func(*Scenario) {}, func(sc *Scenario) { watchOver(sc, 2, &Watchdog{Poll: 2, Detection: 1, Restoration: 2}) }, "want 0 < Poll"},
		{"watchdog", func(*Scenario) {}, func(sc *Scenario) { watchOver(sc, 2, &Watchdog{Poll: 2, Detection: 2, Restoration: 1}) }, "want 0 < Poll"},
		{"watchdog", func(*Scenario) {}, func(sc *Scenario) { watchOver(sc, 2, &Watchdog{Poll: 1, Detection: 1, Restoration: 1, Classes: 1}) }, "watches class 0"},
		{"watchdog", func(*Scenario) {}, func(sc *Scenario) { watchOver(sc, 1, &Watchdog{Poll: 1, Detection: 1, Restoration: 1}) }, "belongs to a switch"},
		{"watchdog", func(*Scenario) {}, func(sc *Scenario) { watchOver(sc, 4, &Watchdog{Poll: 1, Detection: 1, Restoration: 1}) }, "belongs to a switch"},
		{"watchdog", func(*Scenario) {}, func(sc *Scenario) {
			watchOver(sc, 2, &Watchdog{Poll: 1, Detection: 1, Restoration: 1})
			sc.PFC.Quanta = 0
		}, "it needs pauses that expire"},
		{"times", func(sc *Scenario) { last(sc).Repeat = 2 }, func(sc *Scenario) { last(sc).Repeat = 1 }, "is sent 1 times"},
		{"times", func(sc *Scenario) { last(sc).Repeat = maxRepeat }, func(sc *Scenario) { last(sc).Repeat = maxRepeat + 1 }, "is sent 1073741825 times"},
		{"times of TCP", func(*Scenario) {}, func(sc *Scenario) { last(sc).Repeat, last(sc).TCP = 2, true }, "neither TCP"},
		{"ahead", func(sc *Scenario) { last(sc).Repeat, last(sc).Ahead = 2, maxRepeat }, func(sc *Scenario) { last(sc).Repeat, last(sc).Ahead = 2, maxRepeat+1 }, "is 1073741825 times ahead"},
		{"ahead", func(*Scenario) {}, func(sc *Scenario) { last(sc).Repeat, last(sc).Ahead = 2, -1 }, "is -1 times ahead"},
		{"each", func(*Scenario) {}, func(sc *Scenario) { last(sc).Repeat, last(sc).Each = 2, []int32{0} }, "not all there as often"},
		{"each", func(*Scenario) {}, func(sc *Scenario) { last(sc).Repeat, last(sc).Each = 2, []int32{2} }, "not all there as often"},
		{"each", func(*Scenario) {}, func(sc *Scenario) { last(sc).Repeat, last(sc).Each = 2, []int32{-1} }, "not all there as often"},
	} {
		made := func(e edit) error {
			sc := leafSpine(1, 2, 1)
			sc.Links = sc.Links[:2] // to the leaf; the spine is nobody's
			sc.flow(0, 1, 1000, 0)
			sc.flow(1, 0, 1000, 0)
			e(sc)
			return sc.check()
		}
		if err := made(c.ok); err != nil {
			t.Errorf("%s: %v", c.what, err)
		}
		if c.bad == nil {
			continue
		}
		if err := made(c.bad); err == nil || !strings.Contains(err.Error(), c.complain) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: %v, want %q", c.what, err, c.complain)
		}
	}
}

func rttcc(sc *Scenario, target units.Time, additive units.BitRate, cut float64) {
	sc.Congestion.Algorithm, sc.Congestion.MinRate = UseRTTCC, 1
	sc.Congestion.RTTCC.Target, sc.Congestion.RTTCC.Additive, sc.Congestion.RTTCC.MaxDecrease = target, additive, cut
}

func dcqcn(sc *Scenario, alpha, decrease, increase units.Time) {
	sc.Congestion.Algorithm, sc.Congestion.MinRate = UseDCQCN, 1
	d := &sc.Congestion.DCQCN
	d.AlphaInterval, d.DecreaseInterval, d.IncreaseInterval = alpha, decrease, increase
}

func limited(class int, rate units.BitRate) *Egress {
	e := &Egress{}
	e.MaxRate[class] = rate
	return e
}

func slowAt(xon, xoff, buffer units.Bytes) Receiver {
	return Receiver{Host: 0, Rate: units.Mbps, XON: xon, XOFF: xoff, Buffer: buffer, Classes: 2}
}

func watchOver(sc *Scenario, node int, w *Watchdog) {
	sc.PFC.Quanta, sc.Stop = 1, 1
	sc.Watchdogs = make([]*Watchdog, node+1)
	sc.Watchdogs[node] = w
}

package sim

import (
	"context"
	"errors"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/roceplan/roceplan/internal/testing/must"
	"github.com/roceplan/roceplan/model/sim/balance"
	"github.com/roceplan/roceplan/units"
)

// recorded keeps copies of what was polled.
type recorded struct {
	times []units.Time
	polls []Counted
}

func (r *recorded) every(period units.Time) *Observation {
	return &Observation{Counters: &Counters{Period: period, Polled: func(at units.Time, c *Counted) error {
		r.times = append(r.times, at)
		own := Counted{Ports: slices.Clone(c.Ports)}
		for _, pools := range c.Pools {
			own.Pools = append(own.Pools, slices.Clone(pools))
		}
		r.polls = append(r.polls, own)
		return nil
	}}}
}

// total sums what was counted at all ports until the end.
func (r *recorded) total() (k CountedClass, p CountedPort) {
	for i := range r.polls[len(r.polls)-1].Ports {
		port := &r.polls[len(r.polls)-1].Ports[i]
		p.MarkedReceived += port.MarkedReceived
		p.CNPsSent += port.CNPsSent
		p.CNPsHandled += port.CNPsHandled
		p.CNPsIgnored += port.CNPsIgnored
		p.Overruns += port.Overruns
		for _, c := range port.Classes {
			k.PFCSent += c.PFCSent
			k.PFCReceived += c.PFCReceived
			k.Packets += c.Packets
			k.Marked += c.Marked
			k.QueueDrops += c.QueueDrops
			k.GroupDrops += c.GroupDrops
			k.Storms += c.Storms
			k.DroppedIn += c.DroppedIn
			k.DroppedOut += c.DroppedOut
		}
	}
	for _, poll := range r.polls {
		for i := range poll.Ports {
			for _, c := range poll.Ports[i].Classes {
				k.PeakHeadroom = max(k.PeakHeadroom, c.PeakHeadroom)
			}
		}
	}
	return k, p
}

// counted is an incast of hosts at line rate into one chip's buffer, with CNPs as packets.
func counted(shared units.Cells) *Scenario {
	sc := congested(300 * units.KB)
	chipBuffers(sc, shared)
	return sc
}

// What ports count is what the run counts, however often they are polled; and to count changes
// nothing. On one switch each marked packet comes to a host, and every pause ends.
func TestCountersConserve(t *testing.T) {
	plain := mustRun(t, counted(40_000))
	if plain.PFCPauses == 0 || plain.ECNMarks == 0 || plain.CNPs == 0 || plain.PeakHeadroom == 0 {
		t.Fatalf("nothing to count: %+v", plain)
	}
	for _, period := range []units.Time{60 * units.Second, 10 * units.Microsecond, units.Microsecond} {
		sc, rec := counted(40_000), recorded{}
		sc.Observe = rec.every(period)
		r := mustRun(t, sc)
		k, p := rec.total()
		got := []int64{k.PFCSent, k.PFCReceived, k.Marked, p.MarkedReceived, p.CNPsSent, p.CNPsHandled + p.CNPsIgnored, k.GroupDrops + k.QueueDrops, k.PeakHeadroom}
		want := []int64{2 * r.PFCPauses, 2 * r.PFCPauses, r.ECNMarks, r.ECNMarks, r.CNPs, r.CNPs, r.Drops, r.PeakHeadroom}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("every %v: PFC frames sent and received, marks, marks received, CNPs sent and received, drops, headroom (-run +counters):\n%s", period, diff)
		}
		r.Observed = nil
		must.NoDiffIn(t, cmp.Diff(plain, r, measured), "every %v (-plain +counted):", period)
		if rec.times[0] != 0 || len(rec.times) > 2 && rec.times[1] != period {
			t.Errorf("every %v: polled at %v", period, rec.times)
		}
	}
}

// The same holds where packets are dropped, links fail, NICs storm and watchdogs act: each event
// of the run is one of a port.
func TestCountersConserveAnywhere(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		sc, rec := drawScenario(t), recorded{}
		if sc.Balancing.Mode == balance.Cells {
			sc.Balancing.Mode = balance.ECMP
		}
		if sc.Silicon == nil {
			chipBuffers(sc, 20_000)
		}
		if sc.Stop == 0 {
			sc.Stop = 20 * units.Millisecond // where a frame is lost, a pause may not end
		}
		for i := range sc.Links {
			sc.Links[i].NoPFC[0] = rapid.IntRange(0, 5).Draw(t, "no PFC") == 0
			sc.Links[i].LosesCNPs[1] = rapid.IntRange(0, 5).Draw(t, "no CNPs") == 0
		}
		sc.Observe = rec.every(max(units.Millisecond, sc.Stop/1000)) // each poll is kept: a million of them, of TCP that waits for 1000 s, are 40 GB
		r := must.Get(Run(context.Background(), sc))(t)
		k, p := rec.total()
		got := []int64{k.Marked, k.GroupDrops + k.QueueDrops, p.Overruns, k.DroppedIn + k.DroppedOut, k.Storms, k.PeakHeadroom}
		want := []int64{r.ECNMarks, r.Drops, r.Overrun, r.WatchdogDrops, r.WatchdogEvents, r.PeakHeadroom}
		must.NoDiffIn(t, cmp.Diff(want, got), "marks, drops, overruns, the watchdogs' drops and events, headroom (-run +counters):")
		unsent := k.PFCSent < r.PFCPauses && len(sc.Outages) == 0 // a port whose link is down sends no frame
		if k.PFCReceived > k.PFCSent || unsent || p.CNPsHandled+p.CNPsIgnored > p.CNPsSent || p.CNPsSent > r.CNPs {
			t.Errorf("%+v %+v of %d pauses and %d CNPs", k, p, r.PFCPauses, r.CNPs)
		}
	})
}

// A port without PFC sends no frame and loses what its buffer cannot hold; that is not a fault of the other ports.
func TestNoPFC(t *testing.T) {
	sc, rec := counted(4_000), recorded{}
	for _, port := range sc.Silicon[9].Config.Ports {
		for pg := range port.PGs {
			port.PGs[pg].HeadroomCells = 15_000 // 60 KB: cables of 200 m at 100G, there and back, are 25 KB
		}
	}
	sc.Links[3].NoPFC[1] = true // at the switch
	sc.Observe = rec.every(units.Second)
	sc.Transport.AckTimeout, sc.Transport.Retries = units.Millisecond, 1
	r := mustRun(t, sc)
	last := rec.polls[len(rec.polls)-1]
	for i := range last.Ports {
		dropped, sent := last.Ports[i].Classes[3].GroupDrops, last.Ports[i].Classes[3].PFCSent
		switch {
		case i == 7 && (dropped == 0 || dropped != r.Drops || sent > 0):
			t.Errorf("without PFC: %d of %d drops, %d frames", dropped, r.Drops, sent)
		case i != 7 && dropped > 0:
			t.Errorf("port %d drops %d packets", i, dropped)
		case i != 7 && i%2 == 1 && i > 1 && sent == 0:
			t.Errorf("port %d of a sender sends no pause", i)
		}
	}
}

// CNPs that a NIC does not get are sent by others and handled by none.
func TestLostCNPs(t *testing.T) {
	sc, rec := counted(40_000), recorded{}
	sc.Links[3].LosesCNPs[0] = true // at the host
	sc.Observe = rec.every(units.Second)
	r := mustRun(t, sc)
	_, p := rec.total()
	host := rec.polls[len(rec.polls)-1].Ports[6]
	if lost := p.CNPsSent - p.CNPsHandled - p.CNPsIgnored; host.CNPsHandled+host.CNPsIgnored != 0 || lost == 0 || lost != r.LostOnWire {
		t.Errorf("%d CNPs lost, %d packets on the wire; the host has %+v", lost, r.LostOnWire, host)
	}
}

// Peaks are those since the last poll: they fall when the incast is over, and the highest of all
// polls is that of one poll at the end.
func TestPeaksBeginAgain(t *testing.T) {
	peak := func(period units.Time) (highest, last int64, pool units.Bytes) {
		sc, rec := counted(40_000), recorded{}
		sc.Silicon[9].Config.IngressPools[0].HeadroomCells = 1 << 20
		for i := range sc.Silicon[9].Config.Ports {
			for pg := range sc.Silicon[9].Config.Ports[i].PGs {
				sc.Silicon[9].Config.Ports[i].PGs[pg].HeadroomPooled = true
			}
		}
		sc.Observe = rec.every(period)
		mustRun(t, sc)
		for _, poll := range rec.polls {
			last = poll.Ports[1].Classes[3].PeakQueue // towards the receiver
			highest, pool = max(highest, last), max(pool, poll.Pools[9][0])
		}
		return highest, last, pool
	}
	once, last, pool := peak(units.Second)
	if once == 0 || last != once || pool == 0 {
		t.Errorf("one poll: %d, %d, pool %d", once, last, pool)
	}
	often, end, same := peak(5 * units.Microsecond)
	if often != once || same != pool || end > once/2 {
		t.Errorf("polled often: highest %d, want %d; %d of the pool, want %d; at the end %d", often, once, same, pool, end)
	}
}

// Who cannot keep what is polled ends the run.
func TestPollFails(t *testing.T) {
	full := errors.New("the disk is full")
	for _, fail := range []int{0, 1, 2} {
		sc, polls := counted(40_000), 0
		sc.Observe = &Observation{Counters: &Counters{Period: 10 * units.Microsecond, Polled: func(units.Time, *Counted) error {
			if polls++; polls > fail {
				return full
			}
			return nil
		}}}
		if _, err := Run(t.Context(), sc); !errors.Is(err, full) || polls != fail+1 {
			t.Errorf("after %d polls: %v", polls, err)
		}
	}
	sc := leafSpine(1, 2, 0)
	sc.flow(0, 1, 1000, 0)
	sc.Observe = (&recorded{}).every(units.Second)
	if _, err := Run(t.Context(), sc); err == nil {
		t.Error("counters of a switch that has no chip")
	}
}

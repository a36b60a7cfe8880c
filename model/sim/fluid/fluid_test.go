package fluid

import (
	"encoding/json"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/roceplan/roceplan/internal/testing/must"
	"github.com/roceplan/roceplan/model/mmu"
	"github.com/roceplan/roceplan/model/sim"
	"github.com/roceplan/roceplan/units"
)

const us = units.Microsecond

// star has hosts at one switch, with links of 100 Gb/s and 1 us and real frames.
func star(hosts int) *sim.Scenario {
	sc := &sim.Scenario{Wire: sim.Ethernet(), ExactIdeal: true, Buffer: sim.HPCCBuffer{Size: 32 * units.MB}, Transport: sim.Transport{Payload: 1000, AckInterval: 1, Chunk: 4000}}
	sc.Nodes = append(make([]sim.Node, hosts), sim.Switch)
	for i := range hosts {
		sc.Links = append(sc.Links, sim.Link{A: i, B: hosts, Rate: 100 * units.Gbps, Delay: us})
	}
	return sc
}

func send(sc *sim.Scenario, src, dst int, bytes units.Bytes, start units.Time, after ...int32) {
	sc.Flows = append(sc.Flows, sim.Flow{Src: src, Dst: dst, Class: 3, SrcPort: uint16(49152 + len(sc.Flows)), DstPort: 4791, Bytes: bytes, Start: start, After: after})
}

func run(t *testing.T, sc *sim.Scenario) *sim.Result {
	t.Helper()
	r, err := Run(t.Context(), sc)
	if err != nil || r.UnfinishedFlows > 0 {
		t.Fatal(err, r)
	}
	return r.Result
}

// A message alone, and one that waits for another, take as long as their packets, to the picosecond: of all sizes, with hosts that
// take time to post and to deliver.
func TestAlone(t *testing.T) {
	for _, bytes := range []units.Bytes{1, 64, 999, 1000, 1500, 40_000, 1_234_567} {
		sc := star(3)
		sc.Transport.Host = sim.HostTimes{Post: us / 2, Deliver: us / 4}
		send(sc, 0, 1, bytes, 3*us)
		send(sc, 1, 2, 5000, 0, 0)
		sc.Flows[1].Delay = 7 * us
		want := must.Get(sim.Run(t.Context(), sc))(t)
		for i, f := range run(t, sc).Flows {
			if f != want.Flows[i] || f.Slowdown != 1 {
				t.Errorf("%d B: %+v, want %+v", bytes, f, want.Flows[i])
			}
		}
	}
}

// Work takes its time and sends nothing; messages that wait for it begin then.
func TestWork(t *testing.T) {
	sc := star(2)
	sc.Flows = []sim.Flow{{Src: 0, Dst: 0, Start: 5 * us}, {Src: 0, Dst: 0, Delay: 20 * us, After: []int32{0}}}
	send(sc, 0, 1, 1000, 0, 1)
	if r := run(t, sc); len(r.Flows) != 1 || r.Flows[0].StartUS != 25 || r.Flows[0].Index != 2 {
		t.Errorf("%+v", r.Flows)
	}
}

// Queue pairs of a host take turns: three messages of one size to three hosts that begin together end together, three times
// as late as alone. A packet of 1,082 B with gap takes 86.56 ns at 100 Gb/s, an acknowledgement of 86 B comes back on another link.
func TestShared(t *testing.T) {
	sc := star(4)
	for dst := 1; dst < 4; dst++ {
		send(sc, 0, dst, 1_000_000, 0)
	}
	for _, f := range run(t, sc).Flows {
		if want := 3 * 86.56 * 1000 / 1e3; math.Abs(f.FCTUS-want) > 0.02*want {
			t.Errorf("%v us, want %v", f.FCTUS, want)
		}
	}
}

// The least rate goes first (Bertsekas and Gallager, "Data Networks", 6.5.2): host 0 sends to 1 and 2, host 3 and 4 to 2. Port 2 carries
// three flows, a third each; two thirds of port 0 are left for its other flow. A message of twice the bytes takes as long there.
func TestMaxMin(t *testing.T) {
	sc := star(5)
	send(sc, 0, 1, 2_000_000, 0)
	for _, src := range []int{0, 3, 4} {
		send(sc, src, 2, 1_000_000, 0)
	}
	for i, f := range run(t, sc).Flows {
		if want := 3 * 86.56; math.Abs(f.FCTUS-want) > 0.03*want {
			t.Errorf("flow %d: %v us, want %v", i, f.FCTUS, want)
		}
	}
}

// marked adds DCQCN, and marking at the ports of switches.
func marked(sc *sim.Scenario) *sim.Scenario {
	sc.Congestion = sim.Congestion{Algorithm: sim.UseDCQCN, MinRate: 100 * units.Mbps, DCQCN: sim.DCQCN{
		Gain: 1. / 16, AlphaInterval: us, DecreaseInterval: 4 * us, IncreaseInterval: 50 * us, FastRecovery: 5, Additive: 200 * units.Mbps, Hyper: 400 * units.Mbps,
	}}
	sc.Transport.CNPInterval = 4 * us
	e := &sim.Egress{}
	e.ECN[3] = sim.ECN{KMin: 100_000, KMax: 400_000, PMax: 0.2}
	for i := range sc.Links {
		sc.Links[i].Egress[1] = e
	}
	return sc
}

// Before a sender can know of congestion, packets beyond the rate of a port wait there: three messages of 30 packets each that begin together
// are sent at line rate, and the port has sent the last packet after 90. A message of one packet that begins when they have left waits for the
// 60 packets that are there.
func TestWaits(t *testing.T) {
	sc := marked(star(5))
	for src := range 3 {
		send(sc, src, 4, 30_000, 0)
	}
	send(sc, 3, 4, 1000, 31*87*units.Nanosecond)
	r := run(t, sc)
	alone, last := r.Flows[3].FCTUS/r.Flows[3].Slowdown, 0.0
	for _, f := range r.Flows[:3] {
		last = max(last, f.FCTUS)
	}
	if want := 60 * 0.08656; math.Abs(r.Flows[3].FCTUS-alone-want) > 0.1*want || math.Abs(last-(90*0.08656+4)) > 0.5 {
		t.Errorf("the small message waits %v us, want %v; the last large one takes %v", r.Flows[3].FCTUS-alone, want, last)
	}
}

// The rates of hosts that fill a port for long are cut and rise again: on the whole as with packets.
func TestCuts(t *testing.T) {
	for _, senders := range []int{2, 4, 8} {
		sc := marked(star(senders + 1))
		for src := range senders {
			send(sc, src, senders, 5_000_000, units.Time(src)*10*us)
		}
		want, err := sim.Run(t.Context(), sc)
		if err != nil || want.ECNMarks == 0 {
			t.Fatal(err, want)
		}
		mean := func(r *sim.Result) (sum float64) {
			for _, f := range r.Flows {
				sum += f.FCTUS / float64(len(r.Flows))
			}
			return sum
		}
		if a, b := mean(run(t, sc)), mean(want); math.Abs(a-b) > 0.05*b {
			t.Errorf("%d senders: %.0f us in the mean, %.0f as packets", senders, a, b)
		}
	}
}

// Two hosts send 2,000 packets of 1,082 B each to a third, at line rate for 173.12 us, and no packet is marked. Half of what waits, 6.25 kB
// more each us, is of either port. With 550 kB, or half of what is free of 3 MB, a port would pause its peer from 88 or 120 us on: at the
// end of 5 or 3 of 10 windows of 16 us.
func TestLikelyPauses(t *testing.T) {
	for _, c := range []struct {
		limit mmu.Limit
		over  int
	}{
		{mmu.StaticLimit(5500), 5},
		{mmu.DynamicLimit(-1), 3},
		{mmu.DynamicLimit(3), 0},
	} {
		sc := marked(star(3))
		sc.Links[2].Egress[1] = &sim.Egress{}
		sc.Links[2].Egress[1].ECN[3] = sim.ECN{KMin: 100 * units.MB, KMax: 200 * units.MB, PMax: 0.2}
		own := &sim.SiliconBuffer{Ports: []int{0, 1, 2}, PG: [8]uint8{3: 0}, Config: &mmu.Config{CellBytes: 100, IngressPools: []mmu.Pool{{SharedCells: 30_000}}}}
		for range 3 {
			own.Config.Ports = append(own.Config.Ports, mmu.Port{PGs: []mmu.PG{{Lossless: true, Limit: c.limit}}})
		}
		sc.Silicon = []*sim.SiliconBuffer{3: own}
		send(sc, 0, 2, 2_000_000, 0)
		send(sc, 1, 2, 2_000_000, 0)
		if r := must.Get(Run(t.Context(), sc))(t); r.Windows != 10 || r.LikelyPauses != c.over {
			t.Errorf("%+v: %d of %d windows, want %d of 10", c.limit, r.LikelyPauses, r.Windows, c.over)
		}
	}
}

// In a ring each host passes on the message that it has received: 2(n-1) steps, each of a message and the way to the next host.
func TestRing(t *testing.T) {
	const n, steps = 6, 10
	sc := star(n)
	for i := range n {
		send(sc, i, (i+1)%n, 100_000, 0)
		sc.Flows[i].Repeat, sc.Flows[i].Each = steps, []int32{int32((i + n - 1) % n)}
	}
	// A step is 100 packets and their acknowledgements at a port, a packet at the next link, and 2 us of cable.
	step := 100*(1082+86)*0.08/1e3 + 0.08656 + 2
	want := must.Get(sim.Run(t.Context(), sc))(t)
	for i, f := range run(t, sc).Flows {
		if of := want.Flows[i].FCTUS; math.Abs(f.FCTUS-steps*step) > 0.02*steps*step || math.Abs(f.FCTUS-of) > 0.02*of {
			t.Errorf("train %d: %v us, want %v, as packets %v", i, f.FCTUS, steps*step, of)
		}
	}
}

// Steps after those that are followed one by one go on as the last of these did.
func TestManySteps(t *testing.T) {
	took := func(steps int) float64 {
		sc := star(3)
		for i := range 3 {
			send(sc, i, (i+1)%3, 1000, 0)
			sc.Flows[i].Repeat, sc.Flows[i].Each = steps, []int32{int32((i + 2) % 3)}
		}
		return run(t, sc).Flows[0].FCTUS
	}
	if few, many := took(mostTimes/2), took(3*mostTimes); math.Abs(many-6*few) > 0.001*many {
		t.Errorf("%v us for %d steps, %v for six times as many", few, mostTimes/2, many)
	}
}

// For any messages: none is faster than alone, all have their bytes, no link carries more than its rate, and equal runs are equal.
func TestAnyTraffic(t *testing.T) {
	for seed := range uint64(20) {
		random := rand.New(rand.NewPCG(seed, 1))
		sc := star(8)
		sent := [8]float64{}
		for range 200 {
			src := random.IntN(8)
			bytes := units.Bytes(1 + random.IntN(1<<(4+random.IntN(18))))
			sent[src] += float64(bytes)
			send(sc, src, (src+1+random.IntN(7))%8, bytes, units.Time(random.IntN(200))*us)
		}
		r, again := run(t, sc), run(t, sc)
		end := 0.0
		for i, f := range r.Flows {
			if end = max(end, f.StartUS+f.FCTUS); f.Slowdown < 1 || f.Bytes != int64(sc.Flows[i].Bytes) || f != again.Flows[i] {
				t.Fatalf("seed %d: %+v, again %+v", seed, f, again.Flows[i])
			}
		}
		for src, bytes := range sent {
			if least := bytes * 1.082 * 0.08 / 1e3; end < least*0.999 {
				t.Errorf("seed %d: all is over at %v us, but host %d sends for %v", seed, end, src, least)
			}
		}
	}
}

// Scenarios that flows do not model are refused.
func TestUnfit(t *testing.T) {
	for want, change := range map[string]func(*sim.Scenario){
		"something befalls":   func(sc *sim.Scenario) { sc.Outages = append(sc.Outages, sim.Outage{Link: 0}) },
		"TCP":                 func(sc *sim.Scenario) { sc.Flows[0].TCP = true },
		"connections":         func(sc *sim.Scenario) { sc.Transport.Service = sim.DC },
		"generators":          func(sc *sim.Scenario) { sc.Generators = make([]sim.Generator, 1) },
		"no path from node 0": func(sc *sim.Scenario) { sc.Links[0].Unrouted = true },
	} {
		sc := star(2)
		send(sc, 0, 1, 1000, 0)
		change(sc)
		if _, err := Run(t.Context(), sc); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
	}
}

// The result lacks the fields that are not modelled, and is the same to the byte.
func TestResult(t *testing.T) {
	sc := star(2)
	send(sc, 0, 1, 1000, 0)
	texts := map[string]bool{}
	for range 2 {
		r := run(t, sc)
		r.WallSeconds, r.PeakMemory = 0, 0
		text, err := json.Marshal(r)
		if texts[string(text)] = true; err != nil || r.Observed != nil || r.PacketHops != 0 {
			t.Errorf("%v: %s", err, text)
		}
	}
	must.Equalf(t, len(texts), 1, "%v:", texts)
}

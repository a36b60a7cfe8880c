package sim

import (
	"testing"

	"github.com/roceplan/roceplan/units"
)

// stepsAhead returns the messages that a train of each host would send, as trains or as a message for each
// time: host i sends to the next one, and time k waits for time k-1-ahead of the host before.
func stepsAhead(sc *Scenario, hosts []int, times, ahead int, ring, trains bool) *Scenario {
	n := len(hosts)
	at := func(time, member int) int32 { return int32(time*n + member) }
	for time := range times {
		for i, src := range hosts {
			before := (i + n - 1) % n
			waits := ring || i > 0
			f := Flow{Src: src, Dst: hosts[(i+1)%n], Bytes: 40_000, SrcPort: 10000, Delay: 300 * units.Nanosecond}
			if !ring && i == n-1 {
				f.Dst = 7 // not among the hosts: the last one's receiver
			}
			if trains {
				f.Repeat, f.Ahead = times, ahead
				if waits {
					f.Each = []int32{int32(before)}
				} else {
					f.Ahead = 0
				}
				if time > 0 {
					continue
				}
			} else {
				f.QueuePair = 1
				switch earlier := time - 1 - ahead; {
				case waits && earlier >= 0:
					f.After = []int32{at(earlier, before)}
				case !waits && time > 0:
					f.After = []int32{at(time-1, i)}
				default:
					f.Delay = 0
				}
			}
			sc.Flows = append(sc.Flows, f)
		}
	}
	return sc
}

// A train that is ahead of those that it waits for, or passes on what they bring, does to the picosecond what as
// many messages do.
func TestTrainsAhead(t *testing.T) {
	hosts := []int{0, 2, 4, 1, 6}
	for _, c := range []struct {
		ahead int
		ring  bool
	}{{-1, false}, {0, true}, {1, true}, {3, true}} {
		run := func(trains bool) (last map[int]float64, r *Result) {
			sc := stepsAhead(leafSpine(4, 2, 2), hosts, 12, c.ahead, c.ring, trains)
			r = mustRun(t, sc)
			last = map[int]float64{}
			for _, f := range r.Flows {
				last[f.Src] = max(last[f.Src], f.StartUS+f.FCTUS)
			}
			return last, r
		}
		got, all := run(true)
		want, one := run(false)
		if all.PacketHops != one.PacketHops || all.UnfinishedFlows != 0 || len(got) != len(hosts) {
			t.Fatalf("%d ahead: %d and %d hops, %d unfinished", c.ahead, all.PacketHops, one.PacketHops, all.UnfinishedFlows)
		}
		for src, at := range want {
			if d := got[src] - at; d > 1e-7 || d < -1e-7 {
				t.Errorf("%d ahead: the last of host %d is acknowledged at %v us, of single messages at %v us", c.ahead, src, got[src], at)
			}
		}
	}
}

// Work takes its time and sends nothing; what waits for it begins when it is over, and it waits for messages.
func TestWork(t *testing.T) {
	sc := leafSpine(2, 2, 1)
	sc.Flows = []Flow{
		{Src: 0, Dst: 3, Bytes: 1000, SrcPort: 1},
		{Src: 3, Dst: 3, After: []int32{0}, Delay: 50 * units.Microsecond},
		{Src: 1, Dst: 1, Start: 70 * units.Microsecond},
		{Src: 3, Dst: 0, Bytes: 1000, SrcPort: 2, After: []int32{1, 2}},
	}
	r := mustRun(t, sc)
	if len(r.Flows) != 2 || r.UnfinishedFlows != 0 {
		t.Fatalf("%+v", r.Flows)
	}
	first, second := r.Flows[0], r.Flows[1]
	want := max(first.StartUS+first.DeliveredUS+50, 70)
	if second.Index != 3 || second.StartUS != want {
		t.Errorf("the answer starts at %v us, want %v", second.StartUS, want)
	}
}

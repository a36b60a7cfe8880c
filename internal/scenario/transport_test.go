package scenario

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/roceplan/roceplan/chips"
	"github.com/roceplan/roceplan/internal/testing/plantest"
	"github.com/roceplan/roceplan/model/sim"
	"github.com/roceplan/roceplan/model/sim/fabric"
	"github.com/roceplan/roceplan/model/sim/pattern"
	"github.com/roceplan/roceplan/units"
)

// between sends 12 messages of 4 KB from one host to two others in turn, under a transport.
const between = `
scenario "s" {
  %s
  congestion_control = none
  hosts = ["leaf-1:Ethernet0", "leaf-1:Ethernet4", "leaf-1:Ethernet8"]

  flow {
    for_each = toset(["1", "2", "3", "4", "5", "6"])
    src      = "leaf-1:Ethernet0"
    dst      = "leaf-1:Ethernet4"
    message  = "4KB"
  }
  flow {
    for_each = toset(["1", "2", "3", "4", "5", "6"])
    src      = "leaf-1:Ethernet0"
    dst      = "leaf-1:Ethernet8"
    message  = "4KB"
  }
}`

func runBetween(t *testing.T, what string) (pattern.Outcome, *sim.Scenario, int) {
	t.Helper()
	f, p := compiled(t, "dcqcn", fmt.Sprintf(between, what))
	all := jobs(t, p, fabric.Size{Edges: 4, HostsPerEdge: 4}, Traces(nil).All(f)[:1], 100*units.Microsecond)
	sc, messages := all[0].Build()
	o := run(t, all)[0]
	if o.Skipped != "" || o.Unfinished != 0 || o.Flows != 12 {
		t.Fatalf("%s: %q, %d of %d unfinished", what, o.Skipped, o.Unfinished, o.Flows)
	}
	return o, sc, messages
}

// Between three processes each RC has nine queue pairs to a host, of which twelve messages in turn, from 0, 1, 2 to 0, 1,
// 2, take three to each of two; XRC has three to each, and the numbers are those of the senders. Two initiators of DC
// of one process serve both hosts.
func TestQueuePairsOfProcesses(t *testing.T) {
	for what, want := range map[string]struct{ pairs, numbers int }{
		"transport = rc":                                           {12, 1}, // number 0: each message its own
		"transport = rc\nprocesses = 3":                            {6, 3},
		"transport = rc\nprocesses = 1":                            {2, 1},
		"transport = xrc\nprocesses = 3":                           {6, 3},
		"transport = dc\ndc {\n initiators = 2\n }":                {4, 2},
		"transport = dc\nprocesses = 3\ndc {\n initiators = 2\n }": {12, 6},
	} {
		_, sc, messages := runBetween(t, what)
		type ends struct{ dst, number int }
		pairs, numbers := map[ends]bool{}, map[int]bool{}
		for i, f := range sc.Flows[:messages] {
			e := ends{f.Dst, f.QueuePair}
			if numbers[f.QueuePair] = true; f.QueuePair == 0 {
				e.number = -i
			}
			pairs[e] = true
		}
		if len(pairs) != want.pairs || len(numbers) != want.numbers {
			t.Errorf("%s: %d queue pairs, %d numbers, want %d and %d", what, len(pairs), len(numbers), want.pairs, want.numbers)
		}
	}
}

// One initiator serves two destinations, one after the other: whoever changes its destination sets up both halves, one after
// the other, and takes down its own. Its six messages to one host come first, then six to the other: two connections.
// With a target that lets one initiator in, the second comes again after it was refused.
func TestLimitsOfDC(t *testing.T) {
	const dc = "transport = dc\ndc {\n initiators = %d\n connect = \"20us\"\n disconnect = \"7us\"\n busy = \"50us\"\n %s\n}"
	rc, _, _ := runBetween(t, "transport = rc\nprocesses = 1")
	one, sc, _ := runBetween(t, fmt.Sprintf(dc, 1, ""))
	if h := sc.Transport.Host; h.Connect != 20*units.Microsecond || h.Disconnect != 7*units.Microsecond || h.Busy != 50*units.Microsecond {
		t.Errorf("%+v", h)
	}
	if least := rc.Duration/2 + 2*2*20 + 7; one.Duration < least || one.Duration > least+20 {
		t.Errorf("one initiator takes %.1f us, want a little more than %.1f", one.Duration, least)
	}
	two, _, _ := runBetween(t, fmt.Sprintf(dc, 2, ""))
	limited, _, _ := runBetween(t, fmt.Sprintf(dc, 2, "targets = 1"))
	if limited.Duration < two.Duration+50 {
		t.Errorf("with one target %.1f us, with any number %.1f us: nobody was refused", limited.Duration, two.Duration)
	}
}

// What a block dc leaves out is what DC has without one, which the simulator fits to UCloud's measurement: the
// language has the figures a second time.
func TestDefaultsOfDC(t *testing.T) {
	_, without, _ := runBetween(t, "transport = dc")
	_, with, _ := runBetween(t, "transport = dc\ndc {\n}")
	got := with.Transport.Host
	if got.Busy = 0; got != without.Transport.Host || got.Connect != sim.DCConnect || got.Disconnect != sim.DCDisconnect { // nobody is refused
		t.Errorf("%+v, without a block %+v", got, without.Transport.Host)
	}
}

// A message takes 90 ns longer over XRC.
func TestLookupOfXRC(t *testing.T) {
	_, rc, _ := runBetween(t, "transport = rc")
	_, xrc, _ := runBetween(t, "transport = xrc")
	if d := xrc.Transport.Host.Deliver - rc.Transport.Host.Deliver; d != 90*units.Nanosecond || xrc.Transport.Service != sim.XRC {
		t.Errorf("%v", d)
	}
}

// Where a chip's buffer has one part, marking by part changes nothing, which is said.
func TestMarkingByPart(t *testing.T) {
	var text strings.Builder
	for _, by := range []string{"false", "true"} {
		fmt.Fprintf(&text, "scenario \"s%s\" {\n  ecn_by_part = %s\n  incast {\n    senders = 8\n  }\n}\n", by, by)
	}
	f, p := compiled(t, "dcqcn", text.String())
	all := jobs(t, p, fabric.Size{Edges: 4, HostsPerEdge: 4}, Traces(nil).All(f)[:2], 100*units.Microsecond)
	o := run(t, all)
	if o[0].Marks != o[1].Marks || o[0].Marks == 0 || o[0].Duration != o[1].Duration {
		t.Errorf("%d marks in %.1f us, by part %d in %.1f us", o[0].Marks, o[0].Duration, o[1].Marks, o[1].Duration)
	}
	if notes := strings.Join(all[1].Network.Notes, "\n"); !strings.Contains(notes, "changes nothing") {
		t.Errorf("notes: %s", notes)
	}
}

// Under flowlets a packet may overtake others, and so may the one that is sent again for them: a receiver asks once. What is
// lacking then comes when the host's timer runs out, and each message ends.
func TestFlowletsFinish(t *testing.T) {
	catalogue, _ := chips.Load()
	f, p := plantest.Folder(t, catalogue, "../../examples/tomahawk-eos-pod")
	list := slices.DeleteFunc(Traces(nil).All(f), func(s pattern.Scenario) bool { return s.Name != "storage-read-64kb" })
	list[0].LoadBalancing = "flowlet"
	all := jobs(t, p, whole, list, 2*units.Millisecond)
	if o := run(t, all)[0]; o.Unfinished != 0 || o.Skipped != "" {
		t.Errorf("%d of %d messages did not finish", o.Unfinished, o.Flows)
	}
}

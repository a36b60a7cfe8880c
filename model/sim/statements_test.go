package sim

import (
	"bytes"
	"fmt"
	"math"
	"testing"

	"github.com/roceplan/roceplan/model/sim/balance"
	"github.com/roceplan/roceplan/units"
)

// TestStatements shows what UCloud's design says of RDMA in motion as results of runs. Each
// statement is a section of the report, and what it says is asserted as inequalities.
func TestStatements(t *testing.T) {
	report := &statements{t: t}
	report.WriteString(statementsHead)
	for _, section := range []func(*statements){
		flowletsAreRare, sprayLeavesIncast, ecmpCollides, controlsUnderIncast, pausesSpread, disorderCosts,
	} {
		section(report)
	}
	compareGolden(t, "sim_statements.txt", report.Bytes())
}

const statementsHead = `What UCloud's design says of RDMA in motion, as results

Unless a section says otherwise: 4 leaves of 8 hosts at 100G, 4 spines at 200G, so that the
spines can carry what the hosts send; 1 us of cable; packets of 1,000 B; switches of the HPCC
simulator's kind with 12 MiB; DCQCN and TIMELY with that simulator's constants. Each figure is
the mean over 5 seeds ± the standard deviation. A seed draws the source ports, and with them
ECMP's ways; all random choices; and when within the first 10 us each flow starts.
`

// statements is the report under way.
type statements struct {
	bytes.Buffer
	t *testing.T
}

const statementSeeds = 5

// section begins a statement: its title and the line of thought.
func (r *statements) section(title, thought, columns string) {
	fmt.Fprintf(r, "\n%s\n\n%s\n%s\n", title, thought, columns)
}

// must fails the test unless a statement holds.
func (r *statements) must(holds bool, format string, args ...any) {
	r.t.Helper()
	if !holds {
		r.t.Errorf(format, args...)
	}
}

// figure is a quantity over the seeds.
type figure struct{ mean, sd float64 }

func (f figure) String() string {
	if f.mean == 0 {
		return "0"
	}
	digits := max(0, min(3, 2-int(math.Floor(math.Log10(max(f.mean, 1e-9))))))
	return fmt.Sprintf("%.*f ± %.*f", digits, f.mean, digits, f.sd)
}

// row runs a scenario with each seed, prints and returns the figures.
func (r *statements) row(name string, run func(seed int) []float64) []figure {
	r.t.Helper()
	var figures []figure
	for seed := 1; seed <= statementSeeds; seed++ {
		for i, v := range run(seed) {
			if i == len(figures) {
				figures = append(figures, figure{})
			}
			figures[i].mean += v
			figures[i].sd += v * v
		}
	}
	fmt.Fprintf(r, "%-28s", name)
	for i := range figures {
		f := &figures[i]
		f.mean /= statementSeeds
		f.sd = math.Sqrt(max(0, f.sd-statementSeeds*f.mean*f.mean) / (statementSeeds - 1))
		fmt.Fprintf(r, " %17s", f)
	}
	r.WriteByte('\n')
	return figures
}

const (
	statementLeaves = 4
	hostsPerLeaf    = 8
	statementSpines = 4
	statementHosts  = statementLeaves * hostsPerLeaf
)

// statementFabric returns the fabric of all sections without flows.
func statementFabric(seed int, control string, b balance.Config) *Scenario {
	sc := leafSpine(statementLeaves, hostsPerLeaf, statementSpines)
	sc.Seed = uint64(seed)
	sc.Buffer.Size = 12 * units.MiB
	sc.Balancing = b
	sc.Transport.DirectPlacement = b.Mode == balance.Spray || b.Mode == balance.Adaptive
	sc.Congestion.MinRate = 100 * units.Mbps
	controls[control](sc)
	return sc
}

// draw gives the flows ports and a start within the first 10 us that depend on the seed.
func (sc *Scenario) draw() *Scenario {
	for i := range sc.Flows {
		h := balance.Key{Src: uint32(sc.Seed), Dst: uint32(i)}.Hash(1)
		sc.Flows[i].SrcPort = uint16(h)
		sc.Flows[i].Start += units.Time(h%10_000) * units.Nanosecond
	}
	return sc
}

// across sends a message from each host to the host of the next leaf, over several queue
// pairs.
func (sc *Scenario) across(size units.Bytes, pairs int) {
	for src := range statementHosts {
		for range pairs {
			sc.flow(src, (src+hostsPerLeaf)%statementHosts, size/units.Bytes(pairs), 0)
		}
	}
}

// observe runs a scenario to its end and looks at it after every so many events.
func (r *statements) observe(sc *Scenario, every int, look func(s *engine)) (*engine, *Result) {
	r.t.Helper()
	s, err := newEngine(sc)
	if err != nil {
		r.t.Fatal(err)
	}
	until := int64(math.MaxInt64)
	if sc.Stop > 0 {
		until = int64(sc.Stop)
	}
	for s.steps(until, every) {
		look(s)
	}
	result := s.result(sc)
	if sc.Stop == 0 && (result.UnfinishedFlows > 0 || result.Drops > 0) {
		r.t.Fatalf("%d flows unfinished, %d drops", result.UnfinishedFlows, result.Drops)
	}
	return s, result
}

// tiers of a port by what it sends to.
const (
	toSpine = iota
	toLeaf
	toHost
	fromHost
)

// tier says where a port of the fabric is.
func tier(s *engine, pi int32) int {
	switch p := &s.ports[pi]; {
	case p.nic >= 0:
		return fromHost
	case s.ports[pi^1].nic >= 0:
		return toHost
	case p.node < statementHosts+statementLeaves:
		return toSpine
	}
	return toLeaf
}

// longest returns the longest queue of each tier seen so far, in bytes.
func longest(queues *[3]float64) func(s *engine) {
	return func(s *engine) {
		for i := range s.ports {
			if where := tier(s, int32(i)); where != fromHost {
				queues[where] = max(queues[where], float64(s.ports[i].backlog))
			}
		}
	}
}

// slowest returns the largest slowdown.
func slowest(r *Result) (worst float64) {
	for _, f := range r.Flows {
		worst = max(worst, f.Slowdown)
	}
	return worst
}

// lastByte is when the last flow was complete, in us.
func lastByte(r *Result) (at float64) {
	for _, f := range r.Flows {
		at = max(at, f.StartUS+f.FCTUS)
	}
	return at
}

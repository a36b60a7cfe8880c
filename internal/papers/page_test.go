// Package papers compares what published sources say of RDMA in motion with runs of the simulator, and writes docs/reproduce.md.
package papers

import (
	"fmt"
	"math"
	"strings"
)

// A Source is a document that says what is measured or simulated.
type Source struct {
	Title string // with authors, place and year, in Markdown
	Rows  []Row
}

// A Row is one figure of a source.
type Row struct {
	What   string
	Run    string // the command that a reader can give
	Theirs Claim
	Ours   float64
	Reason string // of a difference; may be empty where there is none to speak of
	Hunted bool   // the run is too long for a test
}

// A Claim is what a source says.
type Claim struct {
	Value float64
	Sense Sense
	Unit  string // with the space before it
}

// A Sense is how a claim means its value.
type Sense uint8

const (
	Is      Sense = iota // the value itself
	AtLeast              // that or more
	AtMost               // that or less
)

func (c Claim) String() string {
	return [...]string{"", "at least ", "at most "}[c.Sense] + figure(c.Value) + c.Unit
}

// figure writes three digits.
func figure(v float64) string {
	if v == 0 || math.Abs(v) >= 1000 {
		return fmt.Sprintf("%.0f", v)
	}
	return fmt.Sprintf("%.*f", max(0, 2-int(math.Floor(math.Log10(math.Abs(v))))), v)
}

// closeEnough is the share of a claim's value within which a figure counts as reproduced.
const closeEnough = 0.10

// Off is by what share of the claim's value a figure differs from it; 0 where a bound holds.
func (r *Row) Off() float64 {
	off := r.Ours - r.Theirs.Value
	switch {
	case r.Theirs.Sense == AtLeast && off >= 0, r.Theirs.Sense == AtMost && off <= 0, off == 0:
		return 0
	case r.Theirs.Value == 0:
		return math.Inf(1)
	}
	return off / r.Theirs.Value
}

// Reproduced reports whether a figure is close enough to the claim.
func (r *Row) Reproduced() bool { return math.Abs(r.Off()) <= closeEnough }

// difference is a cell.
func (r *Row) difference() string {
	switch off := r.Off(); {
	case off == 0 && r.Theirs.Sense != Is:
		return "holds"
	case math.IsInf(off, 0):
		return "does not hold"
	case r.Theirs.Sense != Is:
		return fmt.Sprintf("does not hold: %+.0f %%", 100*off)
	case math.Abs(off) < 0.0005:
		return "0 %"
	case math.Abs(off) < 0.1:
		return fmt.Sprintf("%+.1f %%", 100*off)
	default:
		return fmt.Sprintf("%+.0f %%", 100*off)
	}
}

// reproduced returns the number of rows that are.
func (s *Source) reproduced() (n int) {
	for i := range s.Rows {
		if s.Rows[i].Reproduced() {
			n++
		}
	}
	return n
}

// Page is docs/reproduce.md.
func Page(sources []Source) string {
	var out strings.Builder
	nccl, ns3, other := [2]int{}, [2]int{}, [2]int{} // rows, and those of them that are reproduced
	for i := range sources {
		count := &other
		switch {
		case strings.HasPrefix(sources[i].Title, "nccl-tests"):
			count = &nccl
		case strings.HasPrefix(sources[i].Title, recordings):
			count = &ns3
		}
		reproduced := sources[i].reproduced()
		count[0], count[1] = count[0]+len(sources[i].Rows), count[1]+reproduced
	}
	fmt.Fprintf(&out, head, nccl[0]+other[0], nccl[1]+other[1], nccl[0], nccl[1], other[0], other[1], ns3[0], ns3[1])
	for i := range sources {
		s := &sources[i]
		fmt.Fprintf(&out, "\n## %s\n\n| figure | source | here | difference | run |\n|---|---:|---:|---:|---|\n", s.Title)
		var reasons strings.Builder
		for k := range s.Rows {
			r := &s.Rows[k]
			fmt.Fprintf(&out, "| %s | %v | %s%s | %s | `%s` |\n", r.What, r.Theirs, figure(r.Ours), r.Theirs.Unit, r.difference(), r.Run)
			if r.Reason != "" {
				fmt.Fprintf(&reasons, "- %s: %s\n", r.What, r.Reason)
			}
		}
		fmt.Fprintf(&out, "\n%d of %d hold or are within 10 %%.\n", s.reproduced(), len(s.Rows))
		if reasons.Len() > 0 {
			fmt.Fprintf(&out, "\n%s", reasons.String())
		}
	}
	return out.String()
}

// recordings begins the title of runs that are no publication.
const recordings = "Runs of HPCC's simulator"

const head = `# Figures of papers, reproduced

Each row compares a figure of a paper or design with the same figure of a simulated run. The runs are
scenarios in [internal/papers](../internal/papers); the command of a row repeats it in a clone of this repository.
` + "`go test ./internal/papers`" + ` repeats the runs and compares them with this page; ` + "`-update`" + ` writes it. Long runs need ` + "`-hunt`" + `.

For a bound the page says whether it holds, for a value it prints the difference. Of %d figures that others publish %d hold or are within 10 %%: of %d lines of nccl-tests, whose times depend on hosts as much as on the network, %d, and of %d others %d. Not counted are %d figures of recorded runs of HPCC's simulator, which the engine is made to repeat: %d are within 10 %%. The reasons of differences are below the tables.

Operations of NCCL take what its published cost model and chunks give ([sim-results.md](sim-results.md#defaults-of-nccl)). Its constants, bounds and correction factors are NVIDIA's own figures, in src/graph/tuning.cc. None is fitted to a row here.
`

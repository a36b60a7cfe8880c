// Package workload describes the work of GPUs in a job: they compute, send to each other and take part in
// collective operations, each after those that it waits for. It reads such jobs from traces, and lays them over a
// fabric as messages for model/sim.
package workload

import (
	"fmt"
	"slices"

	"github.com/roceplan/roceplan/units"
)

// A Workload is a graph of what ranks do.
type Workload struct {
	Name  string
	Ranks int
	Nodes []Node
	Comms []Comm
	Notes []string // assumptions and omissions

	Digest string // of the files that it was read from; empty: it was not
}

// MaxMessages is the largest number of [Workload.Messages] that can be run: they are kept in memory.
const MaxMessages = 5_000_000

// Messages estimates the number of messages and pieces of work: an operation within one server is work.
func (w *Workload) Messages(site *Site) (n int) {
	n = len(w.Nodes)
	for i := range w.Comms {
		switch c := &w.Comms[i]; {
		case w.servers(c, site) < 2:
			n += 2
		case c.Kind == AllToAll:
			n += len(c.Nodes) * (4 + len(c.Nodes))
		default:
			n += 4 * len(c.Nodes)
		}
	}
	return n
}

// servers returns the number of servers that the members of a communication are on.
func (w *Workload) servers(c *Comm, site *Site) int {
	of := func(node int32) int { return site.GPUs[w.Nodes[node].Rank].Server }
	if !slices.ContainsFunc(c.Nodes, func(node int32) bool { return of(node) != of(c.Nodes[0]) }) {
		return 1
	}
	seen := map[int]bool{}
	for _, node := range c.Nodes {
		seen[of(node)] = true
	}
	return len(seen)
}

// Sent estimates the bytes that leave servers.
func (w *Workload) Sent(site *Site) (sum units.Bytes) {
	for i := range w.Comms {
		c := &w.Comms[i]
		n := units.Bytes(w.servers(c, site))
		switch {
		case n < 2:
		case c.Kind == Send:
			sum += c.Bytes
		case c.Kind == AllReduce:
			sum += 2 * (n - 1) * c.Bytes
		case c.Kind == AllToAll:
			sum += units.Bytes(len(c.Nodes)) * c.Bytes
		default:
			sum += (n - 1) * c.Bytes
		}
	}
	return sum
}

// About says what the workload is, and what was assumed of it.
func (w *Workload) About() []string {
	_, most := w.Computes()
	return append([]string{fmt.Sprintf("%s: %d GPUs, %d operations, %d of them among several GPUs; a GPU computes %v at most", w.Name, w.Ranks, len(w.Nodes), len(w.Comms), most)}, w.Notes...)
}

// Computes returns how long a GPU computes, in the mean and at most.
func (w *Workload) Computes() (mean, most units.Time) {
	computes := make([]units.Time, w.Ranks)
	for i := range w.Nodes {
		n := &w.Nodes[i]
		computes[n.Rank] += n.Time
		mean += n.Time
		most = max(most, computes[n.Rank])
	}
	return mean / units.Time(max(1, w.Ranks)), most
}

// A Node is a piece of work of one rank: it computes, or takes its part in a communication.
type Node struct {
	Rank  int32
	Comm  int32      // index in Workload.Comms; negative: it computes
	Time  units.Time // of computing
	After []int32    // nodes that it waits for
}

// A Comm is a communication among ranks.
type Comm struct {
	Kind      Kind
	Algorithm Algorithm   // of an all-reduce; empty: the one that NCCL's cost model takes
	Protocol  Protocol    // empty: Wire
	Bytes     units.Bytes // see [Kind]
	Nodes     []int32     // one of each member, in the order of the group
	Start     units.Time  // of a send: not before

	// Share is the part of an all-to-all that each member gets, in billionths of all: skewed experts. Nil: equal parts.
	Share []units.Ratio
}

// A Kind is an operation. Bytes are the data of each rank: of an all-gather what it has in the end,
// of a reduce-scatter what it has at first, of an all-to-all what it sends, with its own part.
type Kind uint8

// The kinds; a Send goes from the first of its two nodes to the second.
const (
	Send Kind = iota
	AllReduce
	ReduceScatter
	AllGather
	AllToAll
	Broadcast // from the first member
	Reduce    // to the first member
)

func (k Kind) String() string {
	return [...]string{"send", "all_reduce", "reduce_scatter", "all_gather", "all_to_all", "broadcast", "reduce"}[k]
}

// An Algorithm is a form of all-reduce.
type Algorithm string

const (
	Ring         Algorithm = "ring"
	Tree         Algorithm = "tree"      // two binary trees
	NVLSTree     Algorithm = "nvls_tree" // the same among servers, in each of which NVLink's switches add up the data
	Hierarchical Algorithm = "hierarchical"
)

// A Site has the places of the ranks of a workload, in their order.
type Site struct {
	GPUs []GPU
	Rate units.BitRate // of a NIC, for NCCL's cost model
}

// A GPU is in a server and sends by a NIC.
type GPU struct {
	Server, Host int // Host is the NIC's node in the simulation
	Machine
}

// A Machine has the properties of servers and GPUs on which times of collectives depend.
type Machine struct {
	NVLink      units.BitRate // of a GPU in one direction; 0: what stays in the server takes no time
	NVLS        bool          // switches of NVLink add up data and multicast them (NVLink SHARP)
	AMD         bool          // CPUs are AMD's; otherwise Intel's, as NCCL's cost model knows two kinds
	StepLatency units.Time    // the hosts' time for each step over the network beyond NCCL's cost model
}

// nvlink returns the time that bytes take between it and another one of its server.
func (g GPU) nvlink(bytes units.Bytes) units.Time {
	if g.NVLink == 0 {
		return 0
	}
	return g.NVLink.CeilTime(bytes)
}

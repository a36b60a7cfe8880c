package pattern

import (
	"cmp"
	"math"

	"github.com/roceplan/roceplan/internal/stable"
	"github.com/roceplan/roceplan/model/sim/workload"
)

// A Workload has how long the GPUs of a trace computed and communicated. Times are in us.
type Workload struct {
	Computes float64 `json:"gpu_computes_us"` // a GPU, in the mean
	// Exposed is for how long a GPU does not compute, in the mean: it communicates, or waits for others that do.
	Exposed    float64     `json:"gpu_exposed_us"`
	Operations []Operation `json:"operations"`
}

// An Operation has the communications of a workload that are alike and leave a server. Each takes from when its first message begins
// until its last one is there.
type Operation struct {
	Kind    string  `json:"operation"`
	GPUs    int     `json:"operation_gpus"`
	Bytes   int64   `json:"bytes"` // see [workload.Kind]
	Number  int     `json:"number"`
	Mean    float64 `json:"mean_us"`
	Longest float64 `json:"longest_us"`

	// BusBandwidth is nccl-tests' of the mean time: see [Traffic.busBandwidth].
	BusBandwidth float64 `json:"bus_gb_per_second"`
}

// workload measures the trace of a block, which took so many us.
func (m *measured) workload(w *workload.Workload, block int32, took float64) *Workload {
	computes, _ := w.Computes()
	out := &Workload{Computes: float64(computes) / 1e6, Operations: []Operation{}}
	out.Exposed = max(0, took-out.Computes)
	begin, end := make([]float64, len(w.Comms)), make([]float64, len(w.Comms))
	for i := range begin {
		begin[i] = math.Inf(1)
	}
	for i := range m.r.Flows {
		r := &m.r.Flows[i]
		if f := &m.sc.Flows[r.Index]; r.Index < m.messages && f.Block == block && f.Operation > 0 {
			begin[f.Operation-1] = min(begin[f.Operation-1], r.StartUS)
			end[f.Operation-1] = max(end[f.Operation-1], r.StartUS+r.DeliveredUS)
		}
	}
	for _, r := range m.r.Work {
		if f := &m.sc.Flows[r.Index]; f.Block == block && f.Operation > 0 {
			end[f.Operation-1] = max(end[f.Operation-1], r.EndUS)
		}
	}
	type alike struct {
		kind  workload.Kind
		gpus  int
		bytes int64
	}
	at := map[alike]int{}
	for i := range w.Comms {
		c := &w.Comms[i]
		if end[i] == 0 {
			continue
		}
		key := alike{c.Kind, len(c.Nodes), int64(c.Bytes)}
		k, ok := at[key]
		if !ok {
			k, at[key] = len(out.Operations), len(out.Operations)
			out.Operations = append(out.Operations, Operation{Kind: c.Kind.String(), GPUs: key.gpus, Bytes: key.bytes})
		}
		o := &out.Operations[k]
		o.Number++
		o.Mean += end[i] - begin[i]
		o.Longest = max(o.Longest, end[i]-begin[i])
	}
	for key, k := range at {
		o := &out.Operations[k]
		o.Mean /= float64(o.Number)
		o.BusBandwidth = float64(o.Bytes) * busShare(key.kind, key.gpus) / o.Mean / 1e3
	}
	stable.Sort(out.Operations, func(a, b Operation) int {
		return cmp.Or(cmp.Compare(a.Kind, b.Kind), cmp.Compare(a.GPUs, b.GPUs), cmp.Compare(a.Bytes, b.Bytes))
	})
	return out
}

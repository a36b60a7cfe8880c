package workload

import (
	"strings"

	"github.com/roceplan/roceplan/diag"
	"github.com/roceplan/roceplan/units"
)

// A simaiJob is the head of a SimAI workload (aliyun/SimAI and aliyun/aicb): degrees of parallelism and GPUs.
type simaiJob struct {
	tensor, expert, pipeline, all int
	at                            diag.Range
}

// A pass of a layer computes, then communicates.
type pass struct {
	time  units.Time
	kind  Kind
	bytes units.Bytes
	group string // "tp", "dp", "ep", "dp_ep"; empty: nothing is communicated
}

// simai reads a workload of SimAI: a line with the degrees of parallelism, the number of layers, and for each one its
// name and, forward, for the gradient of its input and for that of its weights, a time in ns, an operation and bytes.
// Forward all layers come in order, then backward in the opposite one. Operations hold up what comes next, but those for
// weights, which end with the step (astra-sim/workload/Workload.cc, iterate_hybrid_parallel_Transformer_fwd_in_bckwd).
func (r *reader) simai(w *words) {
	job := w.simaiHead()
	if w.broken {
		return
	}
	count, at := w.integer("the number of layers", 1, 1_000_000)
	var layers [][3]pass
	before := len(r.found)
	for range count {
		if layers = append(layers, w.simaiLayer()); w.broken {
			break
		}
	}
	told := r.found
	if r.found = told[:before]; !job.fits(r, int(count), layers, at) {
		return // which goes before what is wrong with layers
	}
	if r.found = told; w.broken {
		return
	}
	r.Ranks = job.all
	r.Notes = append(r.Notes, "times of SimAI are taken for nanoseconds")
	if job.pipeline > 1 {
		r.found.Warnf(TraceApproximate, job.at, "the file has the layers of one of %d pipeline stages: all run side by side, and what they send each other is left out", job.pipeline)
	}
	last := make([]int32, job.all) // by rank; none
	for i := range last {
		last[i] = none
	}
	for i := range layers {
		r.pass(&job, &layers[i][0], last, true)
	}
	for i := len(layers) - 1; i >= 0; i-- {
		r.pass(&job, &layers[i][1], last, true)
		r.pass(&job, &layers[i][2], last, false)
	}
}

// fits reports whether so many layers on all GPUs are no more than can be simulated, and says which part of them is.
func (j *simaiJob) fits(r *reader, count int, layers [][3]pass, at diag.Range) bool {
	each, sends := count*6, j.messages(layers) // a pass computes and communicates, on each GPU
	most := min(maxNodes/each, MaxMessages/sends)
	if j.all <= most {
		return true
	}
	what, limit, needs := "operations", maxNodes, each*j.all
	if needs <= maxNodes {
		what, limit, needs = "messages", MaxMessages, sends*j.all
	}
	d := r.found.Errorf(TraceTooLarge, at, "%d layers on %d GPUs are more than %d %s: %d at most", count, j.all, limit, what, needs)
	unit := j.tensor * j.pipeline * j.expert
	switch {
	case j.pipeline > 1 && j.all/j.pipeline <= most:
		d.Fixf("write pp: 1 and all_gpus: %d, one of the %d pipeline stages, which are alike and run side by side", j.all/j.pipeline, j.pipeline)
	case most >= unit:
		d.Fixf("write all_gpus: %d, the most that fits with as many for tensors, stages and experts", most/unit*unit)
	case most >= unit/j.pipeline:
		d.Fixf("write pp: 1 and all_gpus: %d, a part of one of the %d pipeline stages, which are alike and run side by side", most*j.pipeline/unit*(unit/j.pipeline), j.pipeline)
	default:
		d.Fixf("trace fewer layers: at most %d on %d GPUs", min(maxNodes/6/j.all, MaxMessages*count/(sends*j.all)), j.all)
	}
	return false
}

// messages returns the number of operations and messages that [Workload.Messages] counts for each GPU, if no group is
// within a server.
func (j *simaiJob) messages(layers [][3]pass) (n int) {
	n = 1
	for i := range layers {
		for _, p := range layers[i] {
			if p.time > 0 {
				n++
			}
			switch {
			case p.group == "" || p.bytes == 0:
			case p.kind == AllToAll:
				count, _ := j.group(p.group)
				n += 5 + count
			default:
				n += 5
			}
		}
	}
	return n
}

func (w *words) simaiHead() (job simaiJob) {
	kind, at := w.next()
	job = simaiJob{1, 1, 1, 0, at}
	line := at.Start.Line
	if !strings.HasPrefix(kind, "HYBRID_TRANSFORMER") {
		w.found.Errorf(TraceUnsupported, at, "a %s workload does not say how many GPUs there are", clip(kind)).Fixf("write HYBRID_TRANSFORMER_FWD_IN_BCKWD with model_parallel_NPU_group and all_gpus")
		w.broken = true
		return job
	}
	for {
		// The rest of the line.
		before := *w
		name, here := w.next()
		if name == "" || here.Start.Line != line {
			*w = before
			break
		}
		name = strings.TrimSuffix(name, ":")
		to := map[string]*int{"model_parallel_NPU_group": &job.tensor, "ep": &job.expert, "pp": &job.pipeline, "all_gpus": &job.all}[name]
		if to == nil {
			continue // of no meaning here: vpp, ga, checkpoints, pp_comm, and the values of those
		}
		n, _ := w.integer(name, 1, maxRanks)
		*to = int(n)
	}
	switch {
	case w.broken:
	case job.all == 0:
		w.wrong(at, "the first line does not say all_gpus").Fixf("give the workload as SimAI writes it")
	case job.all%(job.tensor*job.pipeline) != 0 || job.all/(job.tensor*job.pipeline)%job.expert != 0:
		w.found.Errorf(TraceInconsistent, at, "%d GPUs are not a multiple of %d for tensors, %d for stages and %d for experts", job.all, job.tensor, job.pipeline, job.expert).Fixf("let the number of GPUs be a multiple of all three")
		w.broken = true
	}
	return job
}

func (w *words) simaiLayer() (passes [3]pass) {
	w.next() // name
	w.next() // its dependency; of no meaning in this kind of workload
	for i := range passes {
		p := &passes[i]
		time, _ := w.integer("a time in ns", 0, int64(maxTime/units.Nanosecond))
		operation, at := w.next()
		bytes, _ := w.integer("an amount of bytes", 0, int64(maxBytes))
		p.time, p.bytes = units.Time(time)*units.Nanosecond, units.Bytes(bytes)
		if w.broken {
			return passes
		}
		p.kind, p.group = w.simaiOperation(operation, at)
	}
	w.next() // time of the update
	return passes
}

// simaiOperation returns an operation with the group that its ending says: by default that for tensors.
func (w *words) simaiOperation(word string, at diag.Range) (Kind, string) {
	kinds := []struct {
		name string
		kind Kind
	}{{"ALLREDUCE", AllReduce}, {"ALLGATHER", AllGather}, {"REDUCESCATTER", ReduceScatter}, {"ALLTOALL", AllToAll}}
	if word == "NONE" {
		return 0, ""
	}
	for _, k := range kinds {
		if rest, ok := strings.CutPrefix(word, k.name); ok {
			switch rest {
			case "":
				return k.kind, "tp"
			case "_DP", "_EP", "_DP_EP":
				return k.kind, strings.ToLower(rest[1:])
			}
		}
	}
	w.found.Errorf(TraceUnsupported, at, "the operation %q is not known", clip(word)).Fixf("ALLREDUCE, ALLGATHER, REDUCESCATTER and ALLTOALL are, with _DP, _EP or _DP_EP")
	w.broken = true
	return 0, ""
}

// pass lets all ranks compute and their groups communicate.
func (r *reader) pass(job *simaiJob, p *pass, last []int32, holdsUp bool) {
	after := func(rank int) []int32 {
		if last[rank] == none {
			return nil
		}
		return []int32{last[rank]}
	}
	if p.time > 0 {
		for rank := range job.all {
			last[rank] = r.node(Node{Rank: int32(rank), Comm: -1, Time: p.time, After: after(rank)})
		}
	}
	if p.group == "" || p.bytes == 0 {
		return
	}
	for _, members := range job.groups(p.group) {
		c := Comm{Kind: p.kind, Bytes: p.bytes}
		for _, rank := range members {
			c.Nodes = append(c.Nodes, r.node(Node{Rank: int32(rank), After: after(rank)}))
		}
		r.join(c)
		for i, rank := range members {
			if holdsUp {
				last[rank] = c.Nodes[i]
			}
		}
	}
}

// group returns the number of ranks of a group, and the distance between them.
func (j *simaiJob) group(name string) (count, stride int) {
	stage := j.all / j.pipeline
	switch name {
	case "dp":
		return stage / j.tensor, j.tensor
	case "ep":
		return j.expert, j.tensor
	case "dp_ep":
		return stage / j.tensor / j.expert, j.tensor * j.expert
	}
	return j.tensor, 1
}

// groups of ranks: those for tensors are neighbours; within a pipeline stage, those of experts are
// so many of them side by side, and those for data all or, with experts, the rest.
func (j *simaiJob) groups(name string) (list [][]int) {
	count, stride := j.group(name)
	for first := 0; first < j.all; first += count * stride {
		for offset := range stride {
			var members []int
			for i := range count {
				members = append(members, first+offset+i*stride)
			}
			list = append(list, members)
		}
	}
	return list
}

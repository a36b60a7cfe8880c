package roceplan_test

import (
	"flag"
	"fmt"
	"maps"
	"math"
	"os"
	"slices"
	"testing"
	"testing/fstest"
	"time"

	"github.com/roceplan/roceplan"
	"github.com/roceplan/roceplan/chips"
	"github.com/roceplan/roceplan/design"
	"github.com/roceplan/roceplan/internal/testing/chakratrace"
	"github.com/roceplan/roceplan/internal/testing/must"
	"github.com/roceplan/roceplan/model/sim"
	"github.com/roceplan/roceplan/model/sim/pattern"
	"github.com/roceplan/roceplan/model/sim/workload"
	"github.com/roceplan/roceplan/units"
)

var hunting = flag.Bool("hunt", false, "simulate a training step of Llama 3 8B on 1,024 GPUs with all its bytes, for some ten minutes")

// A training step of Llama 3 8B on 1,024 GPUs, tensors in servers of 8, 4 stages, 32 replicas, on the fabric of
// examples/training, from Chakra traces: with -hunt whole, else with a 256th of the bytes and of the layers' time, and two
// microbatches.
func TestTrainingStepOf1024(t *testing.T) {
	step := chakratrace.Models()[0].Step(8, 32, 4, 2)
	if *hunting {
		step.Microbatches = 8
	} else {
		step.Activation, step.Gradients, step.Micros = step.Activation/256, step.Gradients/256, step.Micros/32
	}
	if step.Ranks() != 1024 {
		t.Fatalf("%d ranks", step.Ranks())
	}
	in := must.Get(roceplan.In(os.DirFS("examples"), "training"))(t)
	f, job := roceplan.Load(in), tracesOf(t, &step)
	run := must.Get(roceplan.Simulate(t.Context(), f, roceplan.SimulateOptions{Workload: job, Detailed: true}))(t)
	flows := must.Get(roceplan.Simulate(t.Context(), f, roceplan.SimulateOptions{Workload: job, Detailed: true, Fluid: true}))(t)
	o := &run.Outcomes[0]
	if o.Skipped != "" || o.Unfinished != 0 || o.LosslessDrops != 0 || o.Lost != 0 {
		t.Fatalf("%q, %d unfinished, %d packets lost", o.Skipped, o.Unfinished, o.LosslessDrops+o.Lost)
	}
	s := seen(t, &step, o.Hosts, o.FlowResults)
	s.passed(t)
	s.reduced(t)
	for _, run := range []*pattern.Outcome{o, &flows.Outcomes[0]} {
		s.measured(t, run.Completion.Blocks[0].Workload)
	}
	s.asFlows(t, seen(t, &step, o.Hosts, flows.Outcomes[0].FlowResults))
	t.Logf("step %.0f us, %d packet-hops, %.0f s; as flows %.3f s", s.end, o.PacketHops, o.WallSeconds, flows.Outcomes[0].WallSeconds)
}

// measured checks the figures of the workload: an all-reduce for each stage and place of 32 replicas, none faster than 31/16 of its
// bytes at 50 GB/s, and all time in which no layer is computed as exposed.
func (s *seenStep) measured(t *testing.T, w *pattern.Workload) {
	passes := 3 * float64(s.Micros/2*2) * float64(s.Layers*s.Microbatches)
	if math.Abs(w.Computes-passes) > 0.01 || w.Exposed < 0.5*s.end-passes || w.Exposed > s.end-passes+10 {
		t.Errorf("a GPU computes %v us and is exposed to %v, of a step of %v in which layers take %v", w.Computes, w.Exposed, s.end, passes)
	}
	last := w.Operations[len(w.Operations)-1] // by name: all_reduce is before send
	if first := w.Operations[0]; first.Kind != "all_reduce" || first.GPUs != 32 || first.Number != 32 || first.Bytes != s.Gradients || first.BusBandwidth > 50 ||
		first.Mean < float64(s.Gradients)*31/16/50e3 || first.Longest < first.Mean || last.Kind != "send" || last.Number != 2*3*2*256 {
		t.Errorf("%+v", w.Operations)
	}
}

// asFlows compares a run of flows with the packets': the step ends within 1 %, and each all-reduce of gradients and each activation
// within 2 % of its time in the step.
func (s *seenStep) asFlows(t *testing.T, flows *seenStep) {
	flows.passed(t)
	flows.reduced(t)
	near := func(what string, got, want, share float64) {
		if math.Abs(got-want) > share*want {
			t.Errorf("%s: as flows at %.1f us, as packets at %.1f", what, got, want)
		}
	}
	near("end of the step", flows.end, s.end, 0.01)
	ends := func(list []sim.FlowResult) (end float64) {
		for _, f := range list {
			end = max(end, f.StartUS+f.DeliveredUS)
		}
		return end
	}
	for rank := range s.Ranks() {
		near(fmt.Sprintf("all-reduce at rank %d", rank), ends(flows.among[rank]), ends(s.among[rank]), 0.02)
		for i, f := range s.on[rank] {
			near(fmt.Sprintf("activation %d of rank %d", i, rank), ends(flows.on[rank][i:i+1]), f.StartUS+f.DeliveredUS, 0.02)
		}
	}
}

// A training step of Llama 3 70B on 16,384 GPUs, tensors in servers of 8, 16 stages, 128 replicas, 1.1 GB of gradients of each GPU, as
// flows on the two tiers that new makes for so many, in a minute of one core, its traces included. Without -hunt there are 8 replicas,
// which are 1,024 GPUs.
func TestTrainingStepOf16384(t *testing.T) {
	replicas := 8
	if *hunting {
		replicas = 128
	}
	gpus := 8 * 16 * replicas
	catalogue, _ := chips.Load()
	pod := must.Get(design.Write(design.Wish{GPUs: gpus, NIC: 200 * units.Gbps, Leaf: "tomahawk5", Spine: "tomahawk5", OS: "sonic"}, catalogue))(t)
	in := must.Get(roceplan.In(fstest.MapFS{"fabric.hcl": {Data: []byte(pod.HCL)}}, "fabric.hcl"))(t)
	begin, step := time.Now(), chakratrace.Models()[1].Step(8, replicas, 16, 4)
	run := must.Get(roceplan.Simulate(t.Context(), roceplan.Load(in), roceplan.SimulateOptions{Workload: tracesOf(t, &step), Fluid: true}))(t)
	o := &run.Outcomes[0]
	if o.Skipped != "" || o.Unfinished != 0 || o.On != gpus || step.Ranks() != gpus {
		t.Fatalf("%q, %d unfinished on %d hosts", o.Skipped, o.Unfinished, o.On)
	}
	// A pipeline has a pass in each direction for each microbatch, and for each stage but one; then each GPU sends its gradients to all of n replicas: 2·(n − 1)/n of them.
	inside := float64(step.Activation) * 14 / 8 / 450e3
	passes := float64(step.Microbatches+step.Pipeline-1) * float64(step.Layers) * (3*float64(step.Micros/2*2) + 4*inside)
	wire := 2 * float64(replicas-1) / float64(replicas) * float64(step.Gradients) / 25e3
	if o.Duration < passes+wire || o.Duration > passes+2*wire {
		t.Errorf("the step takes %.0f us, want %.0f for passes and then %.0f for gradients, twice that at most", o.Duration, passes, wire)
	}
	t.Logf("step %.0f us, of which passes %.0f and gradients %.0f on the wire; simulated in %.0f s, %.0f s with its traces", o.Duration, passes, wire, o.WallSeconds, time.Since(begin).Seconds())
}

// tracesOf returns the traces of a step, read as files are.
func tracesOf(t *testing.T, step *chakratrace.Step) *workload.Workload {
	t.Helper()
	folder := fstest.MapFS{}
	must.Do(t, step.Files(func(name string, content []byte) error {
		folder["step/"+name] = &fstest.MapFile{Data: content}
		return nil
	}))
	w, found, _ := workload.At(folder, "step")
	if w == nil {
		t.Fatalf("%v", found)
	}
	return w
}

// A seenStep is what was sent in a step, by rank: to the next stage, to the one before, and among replicas. Times are in us.
type seenStep struct {
	*chakratrace.Step
	on, back, among   map[int][]sim.FlowResult
	sent              map[[2]int]int64 // bytes among replicas, by stage and place among those for tensors
	forward, backward float64          // that a stage takes for a microbatch
	end               float64
}

// seen sorts messages by who sends them to whom. GPU k of server n is at port n of leaf k+1, that of server 64+n at port n of
// leaf k+9; each cage of the front has two.
func seen(t *testing.T, step *chakratrace.Step, hosts []string, flows []sim.FlowResult) *seenStep {
	t.Helper()
	s := &seenStep{Step: step, on: map[int][]sim.FlowResult{}, back: map[int][]sim.FlowResult{}, among: map[int][]sim.FlowResult{}, sent: map[[2]int]int64{}}
	ranks, rankOf := make([]int, len(hosts)), map[int]bool{}
	for i, name := range hosts {
		var leaf, port int
		if _, err := fmt.Sscanf(name, "nic.leaf-%d.Ethernet%d", &leaf, &port); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		ranks[i] = ((leaf-1)/8*64+port/4)*8 + (leaf-1)%8
		rankOf[ranks[i]] = true
	}
	if len(rankOf) != 1024 {
		t.Fatalf("%d ranks", len(rankOf))
	}
	// In a server an all-reduce moves 14 eighths of an activation over NVLink at 450 B/ns; a layer has two in each direction.
	inside := float64(step.Activation) * 14 / 8 / 450e3
	s.forward = float64(step.Layers) * (float64(step.Micros/2*2) + 2*inside)
	s.backward = float64(step.Layers) * (float64(2*step.Micros) + 2*inside)
	stage := step.Tensor * step.Data
	for _, f := range flows {
		from, to := ranks[f.Src], ranks[f.Dst]
		s.end = max(s.end, f.StartUS+f.DeliveredUS)
		switch {
		case to-from == stage:
			s.on[from] = append(s.on[from], f)
		case from-to == stage:
			s.back[from] = append(s.back[from], f)
		case from/stage == to/stage && from%step.Tensor == to%step.Tensor:
			s.among[from] = append(s.among[from], f)
			s.sent[[2]int{from / stage, from % step.Tensor}] += f.Bytes
		default:
			t.Errorf("%d B from rank %d to rank %d", f.Bytes, from, to)
		}
	}
	for _, sent := range []map[int][]sim.FlowResult{s.on, s.back} {
		for _, list := range sent {
			slices.SortFunc(list, func(a, b sim.FlowResult) int { return int(a.Index - b.Index) })
		}
	}
	return s
}

// passed holds what goes between stages against what a pipeline is: each replica's part of each activation goes on once and
// comes back once, a forward pass after its activation came and a backward pass after its gradient came.
func (s *seenStep) passed(t *testing.T) {
	stage, leeway := s.Tensor*s.Data, 0.01
	came := func(f sim.FlowResult) float64 { return f.StartUS + f.DeliveredUS }
	for rank := range s.Ranks() {
		last := rank >= (s.Pipeline-1)*stage
		on, back := s.on[rank], s.back[rank]
		if want := s.Microbatches; len(on) != want && !last || len(back) != want && rank >= stage {
			t.Fatalf("rank %d sends %d activations and %d gradients of them, want %d", rank, len(on), len(back), want)
		}
		for m := range s.Microbatches {
			at := 0.0 // when it can begin its forward pass
			if rank >= stage {
				at = came(s.on[rank-stage][m])
			}
			if !last {
				if f := on[m]; f.Bytes != s.Activation/int64(s.Tensor) || f.StartUS < at+s.forward-leeway {
					t.Errorf("rank %d, microbatch %d: %d B go on at %.3f us, a forward pass of %.3f after %.3f", rank, m, f.Bytes, f.StartUS, s.forward, at)
				}
				at = came(s.back[rank+stage][m])
			} else {
				at += s.forward
			}
			if rank >= stage {
				if f := back[m]; f.Bytes != s.Activation/int64(s.Tensor) || f.StartUS < at+s.backward-leeway {
					t.Errorf("rank %d, microbatch %d: %d B go back at %.3f us, a backward pass of %.3f after %.3f", rank, m, f.Bytes, f.StartUS, s.backward, at)
				}
			}
		}
	}
}

// reduced holds the all-reduce of gradients, and the whole step, against arithmetic: 2(n-1) times the gradients of a GPU go
// among n replicas, rounded up to whole chunks; they begin when the last backward pass of the stage is over, and the
// first stage's are the last: after as many passes in both directions as there are microbatches, and stages less one.
func (s *seenStep) reduced(t *testing.T) {
	n := int64(s.Data)
	want := 2 * (n - 1) * s.Gradients
	if len(s.sent) != s.Tensor*s.Pipeline || len(s.among) != s.Ranks() {
		t.Errorf("%d ranks reduce in %d groups", len(s.among), len(s.sent))
	}
	for group, bytes := range s.sent {
		if bytes < want || bytes > want+want/1000 {
			t.Errorf("stage %d, place %d: %d B among replicas, want %d", group[0], group[1], bytes, want)
		}
	}
	first, stage := map[int]float64{}, s.Tensor*s.Data
	for _, rank := range slices.Sorted(maps.Keys(s.among)) {
		for _, f := range s.among[rank] {
			if at, ok := first[rank/stage]; !ok || f.StartUS < at {
				first[rank/stage] = f.StartUS
			}
		}
	}
	for i := range s.Pipeline {
		passes := float64(s.Pipeline-1)*s.forward + float64(s.Microbatches)*(s.forward+s.backward) + float64(s.Pipeline-1-i)*s.backward
		if first[i] < passes-0.01 {
			t.Errorf("stage %d reduces at %.3f us, before the end of its passes at %.3f", i, first[i], passes)
		}
	}
	rate := float64(400*units.Gbps) / 8e6 // B per us
	passes := float64(s.Pipeline-1+s.Microbatches) * (s.forward + s.backward)
	wire := 2 * float64(n-1) / float64(n) * float64(s.Gradients) / rate
	// What must be waited for, and at most: each activation and gradient four times as long as alone on a link, the all-reduce
	// twice and the latencies of a tree or ring of 32.
	between := 2 * float64(s.Pipeline-1+s.Microbatches) * (4*float64(s.Activation)/float64(s.Tensor)/rate + 20)
	if least := passes + wire; s.end < least || s.end > least+between+wire+1000 {
		t.Errorf("the step took %.0f us, want %.0f and at most %.0f more", s.end, least, between+wire+1000)
	}
}

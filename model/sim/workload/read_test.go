package workload

import (
	"fmt"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/roceplan/roceplan/internal/testing/chakratrace"
	"github.com/roceplan/roceplan/internal/testing/must"
	"github.com/roceplan/roceplan/units"
)

// files of a step, with their names.
func files(t *testing.T, step *chakratrace.Step) (fstest.MapFS, []string) {
	t.Helper()
	folder, names := fstest.MapFS{}, []string{}
	must.Do(t, step.Files(func(name string, content []byte) error {
		folder[name], names = &fstest.MapFile{Data: content}, append(names, name)
		return nil
	}))
	return folder, names
}

// A trace of a step of 16 GPUs: two for tensors in a server of two, two stages, four for data. The step takes what the
// pipeline takes to compute, (microbatches + stages - 1) times forward and backward, and the sends and the
// ring of gradients between, which are counted.
func TestChakra(t *testing.T) {
	step := chakratrace.Step{Tensor: 2, Data: 4, Pipeline: 2, Layers: 1, Microbatches: 3, Micros: 100, Activation: 40_000, Gradients: 80_000, Buckets: 1}
	folder, names := files(t, &step)
	w, found, _ := Read(folder, names)
	if len(found) > 0 || w.Ranks != 16 {
		t.Fatalf("%d ranks, %v", w.Ranks, found)
	}
	s, sc := site(8, 2, 2)
	got, sent := run(t, w, s, sc)
	// Each rank of stage 0 sends 3 activations of 20 kB, and each of stage 1 as many gradients of them; then
	// rings of 4, each of which sends 2(n-1) chunks of a quarter.
	for nic := range 16 {
		if want := units.Bytes(3*20_000 + 6*20_000); sent[nic] != want {
			t.Errorf("NIC %d sends %d B, want %d", nic, sent[nic], want)
		}
	}
	// Forward 100 us and backward 200 us of each of 3 microbatches, once more for the other stage; two
	// all-reduces of 40 kB over NVLink with each; two sends on the way; six steps of the ring.
	compute := units.Time((3+2-1)*300) * units.Microsecond
	inside := (3 + 2 - 1) * 4 * s.GPUs[0].nvlink(40_000)
	least := compute + inside + 2*alone(20_000) + 6*alone(20_000)
	between(t, "the step", got, least, least+10*(atMost(20_000)-alone(20_000))+2*alone(20_000))
}

// SimAI's file: two layers on 8 GPUs, of which 2 for tensors and 2 for experts. Computing is 1 us forward and 3 us backward for each.
func TestSimAI(t *testing.T) {
	text := `HYBRID_TRANSFORMER_FWD_IN_BCKWD model_parallel_NPU_group: 2 ep: 2 pp: 1 vpp: 2 ga: 1 all_gpus: 8 checkpoints: 0 checkpoint_initiates: 0 pp_comm: 0
2
attention	-1	1000	ALLREDUCE	40000	2000	NONE	0	1000	ALLREDUCE_DP	80000	100
experts	-1	1000	ALLTOALL_EP	40000	2000	ALLTOALL_EP	40000	1000	REDUCESCATTER_DP_EP	40000	100
`
	w, found, _ := Read(fstest.MapFS{"job.txt": {Data: []byte(text)}}, []string{"job.txt"})
	if len(found) > 0 || w.Ranks != 8 || w.Name != "job" {
		t.Fatalf("%v", found)
	}
	kinds := map[string]int{}
	for _, c := range w.Comms {
		members := ""
		for _, n := range c.Nodes {
			members += string(rune('0' + w.Nodes[n].Rank))
		}
		kinds[c.Kind.String()+" "+members]++
	}
	for _, want := range []string{
		"all_reduce 01", "all_reduce 23", "all_reduce 45", "all_reduce 67", "all_reduce 0246", "all_reduce 1357",
		"reduce_scatter 04", "reduce_scatter 15", "reduce_scatter 26", "reduce_scatter 37",
	} {
		if kinds[want] != 1 {
			t.Errorf("%s: %d times in %v", want, kinds[want], kinds)
		}
	}
	for _, want := range []string{"all_to_all 02", "all_to_all 13", "all_to_all 46", "all_to_all 57"} {
		if kinds[want] != 2 {
			t.Errorf("%s: %d times in %v", want, kinds[want], kinds)
		}
	}
	s, sc := site(8, 1, 1)
	if got, _ := run(t, w, s, sc); got < 8*units.Microsecond {
		t.Errorf("took %v, and computes 8 us", got)
	}
}

// A flow file of the HPCC simulator goes onto any fabric: hosts are ranks, and flows start when they start.
func TestFlowFile(t *testing.T) {
	w, found, _ := Read(fstest.MapFS{"flow.txt": {Data: []byte("2\n0 3 3 100 10000 0\n2 1 3 100 20000 0.000050\n")}}, []string{"flow.txt"})
	if len(found) > 0 || w.Ranks != 4 {
		t.Fatalf("%v", found)
	}
	s, sc := site(4, 1, 1)
	got, sent := run(t, w, s, sc)
	if want := 50*units.Microsecond + alone(20_000); got != want || sent[0] != 10_000 || sent[2] != 20_000 {
		t.Errorf("took %v, want %v; sent %v", got, want, sent)
	}
}

// A trace that is cut anywhere, or of which a byte is otherwise, is read or refused, and never more.
func TestBrokenTraces(t *testing.T) {
	step := chakratrace.Step{Tensor: 1, Data: 2, Pipeline: 1, Layers: 1, Microbatches: 1, Micros: 2, Activation: 1, Gradients: 4, Buckets: 1}
	folder, _ := files(t, &step)
	first, second, groups := folder["step.0.et"].Data, folder["step.1.et"].Data, folder["groups.json"].Data
	refused := 0
	for i := range first {
		for _, text := range [][]byte{first[:i], append(append(append([]byte{}, first[:i]...), first[i]^0x55), first[i+1:]...)} {
			w, found, _ := Read(fstest.MapFS{"step.0.et": {Data: text}, "step.1.et": {Data: second}, "groups.json": {Data: groups}}, []string{"step.0.et", "step.1.et", "groups.json"})
			if (w == nil) != found.HasErrors() {
				t.Fatalf("byte %d: %v and %v", i, w, found)
			}
			if w == nil {
				refused++
			}
		}
	}
	if refused < len(first) {
		t.Errorf("%d of %d broken traces are refused", refused, 2*len(first))
	}
}

// Whatever a file holds, reading ends, with findings or a workload that can be laid.
func FuzzRead(f *testing.F) {
	f.Add([]byte("HYBRID_TRANSFORMER_FWD_IN_BCKWD model_parallel_NPU_group: 2 ep: 1 pp: 1 all_gpus: 4\n1\na -1 1 ALLREDUCE 9 1 NONE 0 1 ALLREDUCE_DP 9 1\n"))
	f.Add([]byte("1\n0 1 3 100 1000 0.5\n"))
	f.Add([]byte("\x07\n\x050.0.4\x04\x08\x01\x18\x04"))
	f.Fuzz(func(t *testing.T, text []byte) {
		for _, name := range []string{"a.txt", "a.0.et"} {
			w, found, sources := Read(fstest.MapFS{name: {Data: text}}, []string{name})
			if (w == nil) != found.HasErrors() {
				t.Fatalf("%v and %v", w, found)
			}
			var out strings.Builder
			for _, d := range found {
				out.WriteString(d.Message)
			}
			_ = sources
			if w == nil || w.Ranks > 64 || len(w.Nodes) > 4096 {
				continue
			}
			s, _ := site(w.Ranks, 1, 1)
			must.Get(w.Lay(s))(t)
		}
	})
}

// A finding on a job that is too large names a part that is not: one stage of a pipeline, or fewer GPUs, or fewer layers.
// Six operations per layer and GPU are no more than 8,388,608.
func TestPartsOfSimAI(t *testing.T) {
	for _, c := range []struct {
		head   string
		layers int
		layer  string
		want   string
	}{
		// aliyun/SimAI's workload_analytical.txt: 1,789·6·9,216 = 98,924,544; a stage has 768 GPUs.
		{"model_parallel_NPU_group: 2 ep: 16 pp: 12 all_gpus: 9216", 1789, "", "write pp: 1 and all_gpus: 768, one of the 12 pipeline stages"},
		// Where each layer is an all-to-all of 16 experts, a GPU has 1,789 pieces of work and as many all-to-alls, which count 5 + 16: 39,358. Of
		// 5,000,000 there are so many for 127 GPUs, and 96 are three times the 2·16 for tensors and experts.
		{"model_parallel_NPU_group: 2 ep: 16 pp: 12 all_gpus: 9216", 1789, "layer -1 1 ALLTOALL_EP 1024 0 NONE 0 0 NONE 0 0\n", "write pp: 1 and all_gpus: 96, a part of one of the 12 pipeline stages"},
		// 8,388,608/6,000 = 1,398 GPUs at most; 1,392 is the next multiple of 8·3 below.
		{"model_parallel_NPU_group: 8 ep: 1 pp: 3 all_gpus: 9216", 1000, "", "write all_gpus: 1392, the most that fits"},
		// 8,388,608/6/65,536 = 21 layers.
		{"model_parallel_NPU_group: 65536 ep: 1 pp: 1 all_gpus: 65536", 100, "", "at most 21 on 65536 GPUs"},
	} {
		text := fmt.Sprintf("HYBRID_TRANSFORMER_FWD_IN_BCKWD %s\n%d\n", c.head, c.layers) + strings.Repeat(c.layer, c.layers)
		w, found, _ := Read(fstest.MapFS{"job.txt": {Data: []byte(text)}}, []string{"job.txt"})
		if w != nil || len(found) != 1 || found[0].Code != TraceTooLarge || !strings.Contains(found[0].Fix, c.want) {
			t.Errorf("%s: %v", c.head, found)
		}
	}
}

// Workloads of ASTRA-sim 1.0 are not SimAI's: whatever their word for parallelism, they do not say how many GPUs there are.
func TestOtherParallelism(t *testing.T) {
	for _, word := range []string{"DATA", "MODEL", "MICRO", "HYBRID_DATA_MODEL\t\t"} {
		text := word + "\n1\nconv1\t-1\t13003\tNONE\t0\t12864\tNONE\t0\t32291\tALLREDUCE\t37632\t3229\n"
		w, found, _ := Read(fstest.MapFS{"job.txt": {Data: []byte(text)}}, []string{"job.txt"})
		if w != nil || len(found) != 1 || found[0].Code != TraceUnsupported || !strings.Contains(found[0].Message, "a "+strings.TrimSpace(word)+" workload does not say how many GPUs") {
			t.Errorf("%s: %v", word, found)
		}
	}
}

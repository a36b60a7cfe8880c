package workload

import (
	"fmt"
	"reflect"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/roceplan/roceplan/diag"
	"github.com/roceplan/roceplan/units"
)

func read(t *testing.T, name, text string) (*Workload, diag.List) {
	t.Helper()
	w, found, _ := Read(fstest.MapFS{name: {Data: []byte(text)}}, []string{name})
	if (w == nil) != found.HasErrors() {
		t.Fatalf("%v and %v", w, found)
	}
	return w, found
}

// A flow file by hand, and each of its numbers at its bounds and beyond.
func TestFlowFileByHand(t *testing.T) {
	w, _ := read(t, "dir/some.flows.txt", "2\n0 3 3 100 10000 0\n\n 2\t1 3 100\r\n20000 0.000050\n")
	want := []Node{{Rank: 0, Comm: 0}, {Rank: 3, Comm: 0}, {Rank: 2, Comm: 1}, {Rank: 1, Comm: 1}}
	comms := []Comm{{Kind: Send, Bytes: 10_000, Nodes: []int32{0, 1}}, {Kind: Send, Bytes: 20_000, Start: 50 * units.Microsecond, Nodes: []int32{2, 3}}}
	if w == nil || w.Ranks != 4 || w.Name != "some.flows" || !reflect.DeepEqual(w.Nodes, want) || !reflect.DeepEqual(w.Comms, comms) || len(w.Digest) != 64 {
		t.Errorf("%+v", w)
	}
	if other, _ := read(t, "dir/some.flows.txt", "1\n0 3 3 100 10000 0\n"); other.Digest == w.Digest {
		t.Error("two files have one digest")
	}
	const ranks = 1<<17 - 1
	for what, c := range map[string]struct {
		line      string // with the number as %d
		low, high int64
	}{
		"a flow's source":           {"%d 5 3 100 10 0", 0, ranks},
		"a flow's destination":      {"5 %d 3 100 10 0", 0, ranks},
		"a flow's priority group":   {"0 1 %d 100 10 0", 0, 7},
		"a flow's destination port": {"0 1 3 %d 10 0", 0, 65535},
		"a flow's size":             {"0 1 3 100 %d 0", 1, 1e12},
	} {
		for _, v := range []int64{c.low, c.high} {
			if w, found := read(t, "f.txt", fmt.Sprintf("1\n"+c.line+"\n", v)); w == nil || len(found) > 0 {
				t.Errorf("%s of %d: %v", what, v, found)
			}
		}
		for _, v := range []int64{c.low - 1, c.high + 1} {
			_, found := read(t, "f.txt", fmt.Sprintf("1\n"+c.line+"\n", v))
			if want := fmt.Sprintf("%s is %d, which is outside of %d to %d", what, v, c.low, c.high); len(found) != 1 || found[0].Message != want || found[0].Code != TraceValue ||
				found[0].Subject.Start.Line != 2 || found[0].Subject.Start.Byte != 2+strings.Index(c.line, "%d") {
				t.Errorf("%+v, want %s", found, want)
			}
		}
	}
	for text, want := range map[string]string{
		"0\n":                                  "the file has no flows",
		"1\n4 4 3 100 10 0\n":                  "a flow goes from host 4 to itself",
		"1\n0 1 3 100 10 100.1\n":              `a flow's start is "100.1", which is not a number of seconds from 0 to 100`,
		"1\n0 1 3 100 10 -1\n":                 `a flow's start is "-1", which is not a number of seconds from 0 to 100`,
		"1\n0 1 3 100 10 NaN\n":                `a flow's start is "NaN", which is not a number of seconds from 0 to 100`,
		"1\n0 1 3 100 1.5 0\n":                 `a flow's size is "1.5", which is not a whole number`,
		"2\n0 1 3 100 10 0\n":                  "the file ends where a flow's source is expected",
		"1\n0 1 3 100 10\n":                    `a flow's start is "", which is not a number of seconds from 0 to 100`,
		"4194305\n":                            "the number of flows is 4194305, which is outside of 0 to 4194304",
		"4194304\n":                            "the file ends where a flow's source is expected",
		"1\n" + strings.Repeat("1", 41) + " 1": "a flow's source is \"" + strings.Repeat("1", 40) + "…\", which is not a whole number",
	} {
		if _, found := read(t, "f.txt", text); len(found) != 1 || found[0].Message != want {
			t.Errorf("%q: %+v, want %s", text, found, want)
		}
	}
	if w, _ := read(t, "f.txt", "1\n0 1 3 100 10 100\n"); w == nil || w.Comms[0].Start != 100*units.Second {
		t.Errorf("the latest start: %+v", w)
	}
}

// Groups of 16 GPUs in two stages by hand: tensors are neighbours, and so on with longer steps.
func TestGroupsByHand(t *testing.T) {
	j := simaiJob{tensor: 2, expert: 2, pipeline: 2, all: 16}
	for name, want := range map[string]string{
		"tp":    "[[0 1] [2 3] [4 5] [6 7] [8 9] [10 11] [12 13] [14 15]]",
		"dp":    "[[0 2 4 6] [1 3 5 7] [8 10 12 14] [9 11 13 15]]",
		"ep":    "[[0 2] [1 3] [4 6] [5 7] [8 10] [9 11] [12 14] [13 15]]",
		"dp_ep": "[[0 4] [1 5] [2 6] [3 7] [8 12] [9 13] [10 14] [11 15]]",
	} {
		if got := fmt.Sprint(j.groups(name)); got != want {
			t.Errorf("%s: %s, want %s", name, got, want)
		}
	}
}

// A SimAI workload of two layers among two GPUs: forward both, backward the second first; what is
// for weights holds nothing up.
func TestSimAIByHand(t *testing.T) {
	const head = "HYBRID_TRANSFORMER_FWD_IN_BCKWD model_parallel_NPU_group: 2 ep: 1 pp: 1 vpp: 1 ga: 1 all_gpus: 2\n"
	w, found := read(t, "job.txt", head+"2\n"+
		"one -1 5 ALLREDUCE 100 6 NONE 0 7 REDUCESCATTER_DP 300 9\n"+
		"two -1 0 ALLGATHER 200 8 ALLTOALL 400 0 NONE 0 9\n")
	if len(found) > 0 || w.Ranks != 2 || len(w.Notes) != 1 || w.Notes[0] != "times of SimAI are taken for nanoseconds" {
		t.Fatalf("%+v, %v", w, found)
	}
	var steps []string // of rank 0
	for i, n := range w.Nodes {
		if n.Rank != 0 {
			continue
		}
		what := fmt.Sprint("computes ", n.Time)
		if n.Comm >= 0 {
			what = fmt.Sprint(w.Comms[n.Comm].Kind, " of ", int64(w.Comms[n.Comm].Bytes), " among ", len(w.Comms[n.Comm].Nodes))
		}
		steps = append(steps, fmt.Sprintf("%d %s after %v", i, what, n.After))
	}
	want := []string{
		"0 computes 5ns after []", "2 all_reduce of 100 among 2 after [0]",
		"4 all_gather of 200 among 2 after [2]", // no time: nothing is computed
		"6 computes 8ns after [4]", "8 all_to_all of 400 among 2 after [6]",
		"10 computes 6ns after [8]", "12 computes 7ns after [10]", // in groups of one for data nothing is sent …
		"14 reduce_scatter of 300 among 1 after [12]",
	}
	if !reflect.DeepEqual(steps, want) {
		t.Errorf("\n%s\nwant\n%s", strings.Join(steps, "\n"), strings.Join(want, "\n"))
	}
	for text, want := range map[string]string{
		"MICRO\n": "a MICRO workload does not say how many GPUs there are",
		"HYBRID_TRANSFORMER_FWD_IN_BCKWD ep: 1\n1\n":                                         "the first line does not say all_gpus",
		"HYBRID_TRANSFORMER_FWD_IN_BCKWD model_parallel_NPU_group: 3 all_gpus: 8\n1\n":       "8 GPUs are not a multiple of 3 for tensors, 1 for stages and 1 for experts",
		"HYBRID_TRANSFORMER_FWD_IN_BCKWD model_parallel_NPU_group: 2 ep: 3 all_gpus: 8\n1\n": "8 GPUs are not a multiple of 2 for tensors, 1 for stages and 3 for experts",
		"HYBRID_TRANSFORMER_FWD_IN_BCKWD pp: 0 all_gpus: 8\n1\n":                             "pp is 0, which is outside of 1 to 131072",
		"HYBRID_TRANSFORMER_FWD_IN_BCKWD all_gpus: 131073\n1\n":                              "all_gpus is 131073, which is outside of 1 to 131072",
		head + "0\n":       "the number of layers is 0, which is outside of 1 to 1000000",
		head + "1000001\n": "the number of layers is 1000001, which is outside of 1 to 1000000",
		head + "1\na -1 -1 NONE 0 0 NONE 0 0 NONE 0 0\n":            "a time in ns is -1, which is outside of 0 to 100000000000",
		head + "1\na -1 100000000001 NONE 0 0 NONE 0 0 NONE 0 0\n":  "a time in ns is 100000000001, which is outside of 0 to 100000000000",
		head + "1\na -1 0 NONE 1000000000001 0 NONE 0 0 NONE 0 0\n": "an amount of bytes is 1000000000001, which is outside of 0 to 1000000000000",
		head + "1\na -1 0 BROADCAST 1 0 NONE 0 0 NONE 0 0\n":        `the operation "BROADCAST" is not known`,
		head + "1\na -1 0 ALLREDUCE_X 1 0 NONE 0 0 NONE 0 0\n":      `the operation "ALLREDUCE_X" is not known`,
	} {
		if _, found := read(t, "job.txt", text); len(found) != 1 || found[0].Message != want {
			t.Errorf("%q: %+v, want %s", text, found, want)
		}
	}
	stages := strings.Replace(head, "pp: 1", "pp: 2", 1)
	stages = strings.Replace(stages, "all_gpus: 2", "all_gpus: 4", 1)
	if w, found := read(t, "job.txt", stages+"1\na -1 100000000000 NONE 1000000000000 0 NONE 0 0 NONE 0 0\n"); w == nil || len(found) != 1 || found[0].Code != TraceApproximate ||
		!strings.HasPrefix(found[0].Message, "the file has the layers of one of 2 pipeline stages") {
		t.Errorf("%+v", found)
	}
}

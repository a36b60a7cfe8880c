package workload

import (
	"errors"
	"fmt"
	"io/fs"
	"reflect"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/roceplan/roceplan/diag"
	"github.com/roceplan/roceplan/model/sim"
	"github.com/roceplan/roceplan/units"
)

// A workload has room for so many nodes and dependencies; what is more is told once.
func TestRoomOfWorkloads(t *testing.T) {
	for _, c := range []struct {
		had, edges int // edges before
		nodes      int
		ok         bool
	}{
		{maxEdges - 1, 1, 0, true}, {maxEdges - 1, 2, 0, false}, {0, 0, maxNodes, true}, {0, 0, maxNodes + 1, false},
	} {
		r := &reader{edges: c.had}
		if got := r.room(c.nodes, c.edges, diag.Range{}); got != c.ok || (len(r.found) == 0) != c.ok {
			t.Errorf("%+v: %v, %v", c, got, r.found)
		}
		if c.ok {
			continue
		}
		if r.room(c.nodes, c.edges, diag.Range{}); len(r.found) != 1 || r.found[0].Code != TraceTooLarge || r.found[0].Message != "the workload has more than 8388608 operations or 33554432 dependencies" {
			t.Errorf("%+v: %v", c, r.found)
		}
	}
	// Six operations of each layer at each of two GPUs: 699,050 layers are 8,388,600.
	const head = "HYBRID_TRANSFORMER_FWD_IN_BCKWD all_gpus: 2\n"
	for layers, code := range map[int]diag.Code{699_050: TraceValue, 699_051: TraceTooLarge} {
		if _, found := read(t, "job.txt", fmt.Sprintf("%s%d\n", head, layers)); len(found) != 1 || found[0].Code != code {
			t.Errorf("%d layers: %v", layers, found)
		}
	}
	r := &reader{}
	if r.chakra(fstest.MapFS{}, make([]string, maxRanks+1), nil); len(r.found) != 1 || r.found[0].Message != "131073 traces, more than 131072" || r.found[0].Fix != "give the traces of at most 131072 ranks" {
		t.Errorf("%v", r.found)
	}
	r = &reader{}
	if r.chakra(fstest.MapFS{}, make([]string, maxRanks), nil); len(r.found) != 1 || r.found[0].Code != TraceInconsistent {
		t.Errorf("%v", r.found)
	}
}

// broken is a file system whose files cannot be opened, or not read.
type broken struct{ opens bool }

func (b broken) Open(name string) (fs.File, error) {
	if b.opens {
		return b, nil
	}
	return nil, errors.New("the disk is gone")
}
func (broken) Stat() (fs.FileInfo, error) { return fs.Stat(fstest.MapFS{"x": {}}, "x") }
func (broken) Read([]byte) (int, error) {
	return 0, &fs.PathError{Op: "read", Path: "x", Err: errors.New("the disk is slow")}
}
func (broken) Close() error { return nil }

// What cannot be read is told with its cause alone, a trace and groups too. A text is kept for findings
// unless it is large; traces are read in the order of their numbers.
func TestReadingFiles(t *testing.T) {
	for _, name := range []string{"job.txt", "a.0.et"} {
		for fsys, want := range map[broken]string{{}: "cannot read " + name + ": the disk is gone", {true}: "cannot read " + name + ": the disk is slow"} {
			if w, found, _ := Read(fsys, []string{name}); w != nil || len(found) != 1 || found[0].Message != want || found[0].Code != TraceUnreadable {
				t.Errorf("%v, want %s", found, want)
			}
		}
	}
	files := fstest.MapFS{"a.0.et": et()}
	if _, found, _ := Read(files, []string{"a.0.et", "groups.json"}); len(found) != 1 || !strings.HasPrefix(found[0].Message, "cannot read groups.json: ") {
		t.Errorf("%v", found)
	}
	const flow = "1\n0 1 3 100 10 0\n"
	for size, kept := range map[int]bool{1<<20 - 1: true, 1 << 20: false} {
		text := flow + strings.Repeat(" ", size-len(flow))
		w, _, sources := Read(fstest.MapFS{"f.txt": {Data: []byte(text)}}, []string{"f.txt"})
		if _, ok := sources["f.txt"]; w == nil || ok != kept {
			t.Errorf("%d B: %v, kept %v", size, w, ok)
		}
	}
	for i := range 11 {
		files[fmt.Sprintf("job/a.%d.et", i)] = et()
	}
	if w, found, _ := At(files, "job"); w == nil || w.Ranks != 11 || w.Name != "a" {
		t.Errorf("%v, %v", w, found)
	}
	if _, found, _ := At(fstest.MapFS{"none/x": {Mode: fs.ModeDir}}, "none/x"); len(found) != 1 || !strings.HasPrefix(found[0].Message, "0 files, of which none is NAME.RANK.et") {
		t.Errorf("%v", found)
	}
}

// A number that is wrong is pointed at: its line, its columns, from 1, and bytes.
func TestPlacesInTexts(t *testing.T) {
	_, found := read(t, "f.txt", "1\n 0\t1 33 100 10 0\n")
	if len(found) != 1 {
		t.Fatal(found)
	}
	at := found[0].Subject
	if at.Filename != "f.txt" || at.Start.Line != 2 || at.Start.Column != 6 || at.Start.Byte != 7 || at.End.Line != 2 || at.End.Column != 8 || at.End.Byte != 9 {
		t.Errorf("%+v", at)
	}
	if w, _ := read(t, "f.txt", "1\n5 0 3 100 10 0\n"); w.Ranks != 6 {
		t.Errorf("%d ranks, of which the last sends", w.Ranks)
	}
	// A node's place is the byte at which its message begins: behind the metadata, 1 B, and the first node,
	// 4 B behind its length.
	_, found, _ = Read(fstest.MapFS{"a.0.et": et(etKind(1, 4), etOf(2, 4, etMicros(1<<40)))}, []string{"a.0.et"})
	if len(found) != 1 || found[0].Subject.Filename != "a.0.et" || found[0].Subject.Start.Byte != 6 || found[0].Subject.End.Byte != 6 || found[0].Fix != "write a duration of at most 100s" {
		t.Errorf("%+v", found)
	}
	_, found, _ = Read(fstest.MapFS{"a.1.et": et(), "a.2.et": et()}, []string{"a.1.et", "a.2.et"})
	if len(found) != 1 || found[0].Fix != "name the traces NAME.0.et to NAME.1.et, one for each rank" {
		t.Errorf("%+v", found)
	}
}

// Lengths of runs of bytes: what is not there is broken.
func TestBehindLength(t *testing.T) {
	for _, c := range []struct {
		b, want []byte
		size    int
	}{
		{nil, nil, 0}, {[]byte{0}, []byte{}, 1}, {[]byte{1}, nil, 0}, {[]byte{1, 7}, []byte{7}, 2}, {[]byte{1, 7, 8}, []byte{7}, 2}, {[]byte{2, 7}, nil, 0}, {[]byte{0x80}, nil, 0},
		{[]byte{0x80, 0x80, 0x80, 0x80, 0x08, 1}, nil, 0}, // 2^31
	} {
		if got, size := behindLength(c.b); string(got) != string(c.want) || size != c.size {
			t.Errorf("% x: % x, %d; want % x, %d", c.b, got, size, c.want, c.size)
		}
	}
}

// Chakra's collectives: et_def.proto of mlcommons/chakra, CollectiveCommType, and what is next to it here.
func TestKindsOfChakra(t *testing.T) {
	want := map[int64]Kind{0: AllReduce, 1: Reduce, 2: AllGather, 5: Broadcast, 6: AllToAll, 7: ReduceScatter, 8: ReduceScatter, 9: AllReduce}
	for code := int64(-1); code < 12; code++ {
		kind, ok := kindOfChakra(code)
		if wanted, known := want[code]; kind != wanted || ok != known {
			t.Errorf("%d is %v, %v; want %v, %v", code, kind, ok, wanted, known)
		}
	}
	// A message whose size is not said has none; a receive that does not say from whom comes from nobody.
	w, told := traces("", [][]byte{etOf(1, etSend, etNumber("comm_dst", 1))}, [][]byte{etOf(1, etReceive, etNumber("comm_src", 0))})
	if told != "" || w.Comms[0].Bytes != 0 {
		t.Errorf("%+v, %s", w, told)
	}
	if _, told = traces("", [][]byte{etOf(1, etReceive)}, [][]byte{}); told != "trace-inconsistent node 1 goes from rank -1 to rank 0 of 2" {
		t.Error(told)
	}
}

// GPUs for tensors in stages, and experts in what is left: 12 are no multiple of 4 · 2, and of 16 two are
// left, which four experts do not share. Operations for weights hold up nothing.
func TestSimAIGroups(t *testing.T) {
	head := func(tensor, expert, pipeline, all int) string {
		return fmt.Sprintf("HYBRID_TRANSFORMER_FWD_IN_BCKWD model_parallel_NPU_group: %d ep: %d pp: %d all_gpus: %d\n", tensor, expert, pipeline, all)
	}
	for text, want := range map[string]string{
		head(4, 1, 2, 12): "12 GPUs are not a multiple of 4 for tensors, 2 for stages and 1 for experts",
		head(4, 4, 2, 16): "16 GPUs are not a multiple of 4 for tensors, 2 for stages and 4 for experts",
	} {
		if _, found := read(t, "job.txt", text+"1\n"); len(found) != 1 || found[0].Message != want {
			t.Errorf("%v, want %s", found, want)
		}
	}
	w, found := read(t, "job.txt", head(1, 1, 1, 2)+"2\none -1 0 NONE 0 6 NONE 0 0 NONE 0 0\ntwo -1 0 NONE 0 0 NONE 0 7 ALLREDUCE_DP 300 0\n")
	if len(found) > 0 {
		t.Fatal(found)
	}
	want := []Node{
		{Rank: 0, Comm: -1, Time: 7 * ns}, {Rank: 1, Comm: -1, Time: 7 * ns},
		{Rank: 0, Comm: 0, After: []int32{0}}, {Rank: 1, Comm: 0, After: []int32{1}},
		{Rank: 0, Comm: -1, Time: 6 * ns, After: []int32{0}}, {Rank: 1, Comm: -1, Time: 6 * ns, After: []int32{1}},
	}
	if !reflect.DeepEqual(w.Nodes, want) {
		t.Errorf("%+v, want %+v", w.Nodes, want)
	}
}

// Operations that wait for one another are counted, of all.
func TestCirclesAreCounted(t *testing.T) {
	w := &Workload{Ranks: 1, Nodes: []Node{{Comm: -1, After: []int32{1}}, {Comm: -1, After: []int32{0}}, {Comm: -1}}}
	if err := w.Check(); err == nil || err.Error() != "2 of 3 operations wait for one another for ever" {
		t.Error(err)
	}
	w.Nodes[0].After = nil
	if err := w.Check(); err != nil {
		t.Error(err)
	}
}

// Operations of next to nothing: of one member, of no bytes, of a byte within a server, of servers with a
// GPU each. What waits for them waits for what they waited for.
func TestSmallOperations(t *testing.T) {
	work := func(host int, delay units.Time, list ...int32) sim.Flow {
		return sim.Flow{Src: host, Dst: host, Delay: delay, After: list}
	}
	begin := func(host int, start units.Time) sim.Flow { return sim.Flow{Src: host, Dst: host, Start: start} }
	for name, c := range map[string]struct {
		site  *Site
		nodes []Node // those of rank 0 and 1 before the operation, then the operation, then those after
		comm  Comm
		want  []sim.Flow
	}{
		"of one member": {room(1, 1, 1), []Node{{Comm: -1, Time: 5}, {After: []int32{0}}, {Comm: -1, Time: 6, After: []int32{1}}}, Comm{Kind: AllReduce, Bytes: 100, Nodes: []int32{1}},
			[]sim.Flow{begin(10, 5), work(10, 6, 0)}},
		"of no bytes": {room(2, 1, 1), []Node{{Comm: -1, Time: 5}, {Rank: 1, Comm: -1, Time: 7}, {After: []int32{0}}, {Rank: 1, After: []int32{1}}, {Rank: 1, Comm: -1, Time: 6, After: []int32{3}}}, Comm{Kind: AllReduce, Nodes: []int32{2, 3}},
			[]sim.Flow{begin(10, 5), begin(11, 7), work(10, 0, 0, 1), work(11, 6, 1, 2)}},
		"of a byte": {room(1, 2, 1), []Node{{}, {Rank: 1}}, Comm{Kind: AllToAll, Bytes: 2, Nodes: []int32{0, 1}}, []sim.Flow{begin(10, ns), begin(10, ns)}},
		// Each waits for both, and there is nothing to join before.
		"of two": {room(2, 1, 1), []Node{{Comm: -1, Time: 5}, {Rank: 1, Comm: -1, Time: 7}, {After: []int32{0}}, {Rank: 1, After: []int32{1}}}, Comm{Kind: AllToAll, Bytes: 2000, Nodes: []int32{2, 3}},
			[]sim.Flow{begin(10, 5), begin(11, 7), {Src: 10, Dst: 11, Bytes: 1000, After: []int32{0, 1}}, {Src: 11, Dst: 10, Bytes: 1000, After: []int32{0, 1}}, work(10, 0, 2, 3), work(11, 0, 2, 3)}},
		"after one's work": {room(2, 1, 1), []Node{{Comm: -1, Time: 5}, {After: []int32{0}}, {Rank: 1}}, Comm{Kind: AllReduce, Algorithm: Ring, Bytes: 8000, Nodes: []int32{1, 2}},
			[]sim.Flow{begin(10, 5), {Src: 10, Dst: 11, Bytes: 4000, Repeat: 2, Each: []int32{2}, After: []int32{0}}, {Src: 11, Dst: 10, Bytes: 4000, Repeat: 2, Each: []int32{1}}, work(10, 0, 1, 2), work(11, 0, 1, 2)}},
		"of a GPU each": {room(2, 1, 1), []Node{{}, {Rank: 1}}, Comm{Kind: AllReduce, Algorithm: Hierarchical, Bytes: 8000, Nodes: []int32{0, 1}},
			[]sim.Flow{{Src: 10, Dst: 11, Bytes: 4000, Repeat: 2, Each: []int32{1}}, {Src: 11, Dst: 10, Bytes: 4000, Repeat: 2, Each: []int32{0}}, work(10, 0, 0, 1), work(11, 0, 0, 1)}},
	} {
		w := &Workload{Ranks: len(c.site.GPUs), Nodes: c.nodes, Comms: []Comm{c.comm}}
		got, err := w.Lay(c.site)
		if err != nil || len(got) != len(c.want) {
			t.Errorf("%s: %v, %+v", name, err, got)
			continue
		}
		for i := range got {
			if g, want := normal(got[i]), normal(c.want[i]); !reflect.DeepEqual(g, want) {
				t.Errorf("%s: message %d is\n%+v, want\n%+v", name, i, g, want)
			}
		}
	}
}

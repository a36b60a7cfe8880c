package workload

import (
	"fmt"
	"math"
	"testing"
	"testing/fstest"

	"google.golang.org/protobuf/encoding/protowire"

	"github.com/roceplan/roceplan/internal/testing/must"
	"github.com/roceplan/roceplan/units"
)

// et is a trace of nodes, behind its empty metadata.
func et(nodes ...[]byte) *fstest.MapFile {
	out := protowire.AppendBytes(nil, nil)
	for _, n := range nodes {
		out = protowire.AppendBytes(out, n)
	}
	return &fstest.MapFile{Data: out}
}

// etNumber is an attribute of a node: an int64_val.
func etNumber(name string, v int64) []byte {
	a := protowire.AppendString(protowire.AppendTag(nil, attrName, protowire.BytesType), name)
	a = protowire.AppendVarint(protowire.AppendTag(a, 9, protowire.VarintType), uint64(v))
	return protowire.AppendBytes(protowire.AppendTag(nil, nodeAttr, protowire.BytesType), a)
}

// etKind is a node's number and kind.
func etKind(id, kind uint64) []byte {
	n := protowire.AppendVarint(protowire.AppendTag(nil, nodeID, protowire.VarintType), id)
	return protowire.AppendVarint(protowire.AppendTag(n, nodeType, protowire.VarintType), kind)
}

// What is wrong with a trace is told once: a file of empty messages, one byte each, has not one finding for each.
func TestOneFindingOfManyNodes(t *testing.T) {
	for what, nodes := range map[string][][]byte{
		"the same node again and again": make([][]byte, 1000),
		"nodes that take too long": func() (list [][]byte) {
			for id := range uint64(1000) {
				list = append(list, protowire.AppendVarint(protowire.AppendTag(etKind(id, 4), nodeMicros, protowire.VarintType), math.MaxUint64))
			}
			return list
		}(),
	} {
		if _, found, _ := Read(fstest.MapFS{"a.0.et": et(nodes...)}, []string{"a.0.et"}); len(found) != 1 {
			t.Errorf("%s: %d findings", what, len(found))
		}
	}
}

// A rank that is only there when its number is cut to 32 bits is not there.
func TestRankBeyond32Bits(t *testing.T) {
	const beyond = 1 << 32
	for _, c := range []struct{ to, from int64 }{{beyond + 1, 0}, {1, beyond}, {beyond + 1, beyond}} {
		files := fstest.MapFS{
			"a.0.et": et(append(etKind(1, etSend), etNumber("comm_dst", c.to)...)),
			"a.1.et": et(append(etKind(1, etReceive), etNumber("comm_src", c.from)...)),
		}
		if w, found, _ := Read(files, []string{"a.0.et", "a.1.et"}); w != nil {
			t.Errorf("a message to rank %d, received from rank %d, is read: %v", c.to, c.from, found)
		}
	}
}

// Of a node no more is kept than matters: what it waits for up to what a workload may have, and the attributes that are
// looked at.
func TestNodeIsBounded(t *testing.T) {
	message := etKind(1, 4)
	message = protowire.AppendBytes(protowire.AppendTag(message, nodeDataDeps, protowire.BytesType), make([]byte, 1000))
	for i := range 1000 {
		message = append(message, etNumber(fmt.Sprint("attribute ", i), 1)...)
		message = protowire.AppendVarint(protowire.AppendTag(message, nodeControlDeps, protowire.VarintType), 1)
	}
	n := newNode(10, 0)
	if !n.decode(message) || len(n.deps) != 11 || len(n.numbers) != 0 {
		t.Errorf("%d dependencies and %d attributes are kept", len(n.deps), len(n.numbers))
	}
}

// What many operations wait for in common is one message for all of them, also where the communication between sends
// nothing: 1,000 before and 1,000 behind are not a million dependencies.
func TestNothingSentBetweenMany(t *testing.T) {
	const many = 1000
	w := &Workload{Ranks: 1}
	for range many {
		w.Nodes = append(w.Nodes, Node{Comm: none, Time: units.Microsecond})
	}
	meets := Node{Comm: 0}
	for i := range int32(many) {
		meets.After = append(meets.After, i)
	}
	w.Nodes = append(w.Nodes, meets)
	w.Comms = []Comm{{Kind: AllReduce, Nodes: []int32{many}}}
	for range many {
		w.Nodes = append(w.Nodes, Node{Comm: none, Time: units.Microsecond, After: []int32{many}})
	}
	s, _ := site(1, 1, 1)
	flows := must.Get(w.Lay(s))(t)
	waits := 0
	for i := range flows {
		waits += len(flows[i].After)
	}
	// Each of those before waits for the one before it on the GPU, and so do those behind, which wait for the
	// operation too; the operation waits for all before it.
	if most := many + many + 2*many; waits > most {
		t.Errorf("%d dependencies, want %d at most", waits, most)
	}
}

// The plateau of a ring makes its latency 1.9 times as long, with that of the start (ncclTopoGetAlgoTime of
// src/graph/tuning.cc). For 5.7 MB among 16 servers of one GPU, at 100 Gb/s: the ring takes
// (30 x 9.6 us + 8.4 us) x 1.9 + 2 x 5.7 MB x 15/16 at 12.5 GB/s = 563.2 + 855 us, the trees
// 2 x 4 x 50 us + 2 x 5.7 MB x 10/9 at 12.5 GB/s = 400 + 1013.3 us, which is 5 us less.
func TestPlateauOfRing(t *testing.T) {
	must.Equal(t, Choose(5_700_000, 16, 16, 1, 100*units.Gbps), Tree)
}

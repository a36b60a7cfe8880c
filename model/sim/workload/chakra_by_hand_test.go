package workload

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"google.golang.org/protobuf/encoding/protowire"

	"github.com/roceplan/roceplan/units"
)

func etWord(name, word string) []byte {
	a := protowire.AppendString(protowire.AppendTag(nil, attrName, protowire.BytesType), name)
	a = protowire.AppendString(protowire.AppendTag(a, attrString, protowire.BytesType), word)
	return protowire.AppendBytes(protowire.AppendTag(nil, nodeAttr, protowire.BytesType), a)
}

// etNode writes a node by its parts.
func etOf(id, kind uint64, parts ...[]byte) []byte {
	return slices.Concat(append([][]byte{etKind(id, kind)}, parts...)...)
}

func etMicros(us uint64) []byte {
	return protowire.AppendVarint(protowire.AppendTag(nil, nodeMicros, protowire.VarintType), us)
}

func etAfter(ids ...uint64) (n []byte) {
	for _, id := range ids {
		n = protowire.AppendVarint(protowire.AppendTag(n, nodeDataDeps, protowire.VarintType), id)
	}
	return n
}

// traces reads a folder of traces, one for each rank, with groups if there are some.
func traces(groups string, ranks ...[][]byte) (*Workload, string) {
	files := fstest.MapFS{}
	for i, nodes := range ranks {
		files[fmt.Sprintf("job/a.%d.et", i)] = et(nodes...)
	}
	if groups != "" {
		files["job/groups.json"] = &fstest.MapFile{Data: []byte(groups)}
	}
	w, found, _ := At(files, "job")
	var told []string
	for _, d := range found {
		told = append(told, string(d.Code)+" "+d.Message)
	}
	return w, strings.Join(told, "; ")
}

// Two ranks of which one computes 7 us, sends 100 B, and then all reduce 64 B of a barrier; sends and receives of one way
// and tag meet in order, and what they are called is the folder's.
func TestChakraByHand(t *testing.T) {
	send := func(id uint64, bytes int64, parts ...[]byte) []byte {
		return etOf(id, etSend, append(parts, etNumber("comm_dst", 1), etNumber("comm_size", bytes), etNumber("comm_tag", 3))...)
	}
	receive := func(id uint64, bytes int64) []byte {
		return etOf(id, etReceive, etNumber("comm_src", 0), etNumber("comm_size", bytes), etNumber("comm_tag", 3))
	}
	all := func(id uint64, code, bytes int64, parts ...[]byte) []byte {
		return etOf(id, etTogether, append(parts, etNumber("comm_type", code), etNumber("comm_size", bytes))...)
	}
	w, told := traces(`{"g": [1, 0]}`,
		[][]byte{etOf(1, 4, etMicros(7)), send(2, 100, etAfter(1)), send(3, 30), all(4, 9, 1, etAfter(2, 3)), all(5, 2, 500, etWord("pg_name", "g"))},
		[][]byte{receive(9, 90), receive(8, 40), all(7, 9, 1), all(6, 2, 500, etWord("pg_name", "g"))})
	if told != "" {
		t.Fatal(told)
	}
	if w.Name != "a" || w.Ranks != 2 || len(w.Nodes) != 9 || w.Nodes[0].Time != 7*units.Microsecond || w.Nodes[0].Comm >= 0 || fmt.Sprint(w.Nodes[1].After, w.Nodes[3].After) != "[0] [1 2]" {
		t.Errorf("%s of %d: %+v", w.Name, w.Ranks, w.Nodes)
	}
	var comms []string
	for i := range w.Comms {
		c := &w.Comms[i]
		var ranks []int32
		for _, n := range c.Nodes {
			ranks = append(ranks, w.Nodes[n].Rank)
			if w.Nodes[n].Comm != int32(i) {
				t.Errorf("node %d is of %d, not %d", n, w.Nodes[n].Comm, i)
			}
		}
		comms = append(comms, fmt.Sprint(c.Kind, c.Bytes, ranks))
	}
	slices.Sort(comms)
	// Of a send and its receive the larger size; of an all-gather what each has in the end.
	if want := "[all_gather 1000B [0 1] all_reduce 64B [0 1] send 100B [0 1] send 40B [0 1]]"; fmt.Sprint(comms) != want {
		t.Errorf("%v, want %s", comms, want)
	}
	if len(w.Digest) != 64 {
		t.Errorf("digest %q", w.Digest)
	}
}

// Traces that contradict themselves or each other, and values beyond what is taken: the last that is right too.
func TestWrongChakra(t *testing.T) {
	all := func(id uint64, code int64, parts ...[]byte) []byte {
		return etOf(id, etTogether, append(parts, etNumber("comm_type", code))...)
	}
	pair := func(size int64) [][][]byte {
		return [][][]byte{{etOf(1, etSend, etNumber("comm_dst", 1), etNumber("comm_size", size))}, {etOf(1, etReceive, etNumber("comm_src", 0))}}
	}
	g := etWord("pg_name", "g")
	for name, c := range map[string]struct {
		groups string
		ranks  [][][]byte
		want   string // how the finding begins; empty: none
	}{
		"nothing to do":    {"", [][][]byte{{etOf(1, 4)}}, ""},
		"the longest time": {"", [][][]byte{{etOf(1, 4, etMicros(100_000_000))}}, ""},
		"a longer one":     {"", [][][]byte{{etOf(1, 4, etMicros(100_000_001))}}, "trace-value node 1 takes 100000001 us"},
		"two of one number, and one that is not there": {"", [][][]byte{{etOf(1, 4, etAfter(9)), etOf(1, 4)}}, "trace-inconsistent there are two nodes 1"},
		"two of one number":                            {"", [][][]byte{{etOf(1, 4), etOf(1, 4)}}, "trace-inconsistent there are two nodes 1"},
		"one that is not there":                        {"", [][][]byte{{etOf(1, 4, etAfter(2))}}, "trace-inconsistent a node waits for node 2"},
		"as much as is sent":                           {"", pair(int64(maxBytes)), ""},
		"more":                                         {"", pair(int64(maxBytes) + 1), "trace-value node 1: comm_size is 1000000000001, which is outside of 0 to 1000000000000"},
		"less than nothing":                            {"", pair(-1), "trace-value node 1: comm_size is -1"},
		"to itself":                                    {"", [][][]byte{{etOf(1, etSend, etNumber("comm_dst", 0))}, {}}, "trace-inconsistent node 1 goes from rank 0 to rank 0 of 2"},
		"to nobody":                                    {"", [][][]byte{{etOf(1, etSend)}, {}}, "trace-inconsistent node 1 goes from rank 0 to rank -1 of 2"},
		"to the next but last":                         {"", [][][]byte{{etOf(1, etSend, etNumber("comm_dst", 2))}, {}}, "trace-inconsistent node 1 goes from rank 0 to rank 2 of 2"},
		"sent and not received":                        {"", [][][]byte{{etOf(1, etSend, etNumber("comm_dst", 1))}, {}}, "trace-inconsistent a message from rank 0 to rank 1 with tag 0 is sent and not received"},
		"received and not sent":                        {"", [][][]byte{{}, {etOf(1, etReceive, etNumber("comm_src", 0))}}, "trace-inconsistent a message from rank 0 to rank 1 with tag 0 is waited for and not sent"},
		"of another tag":                               {"", [][][]byte{{etOf(1, etSend, etNumber("comm_dst", 1), etNumber("comm_tag", 1))}, {etOf(1, etReceive, etNumber("comm_src", 0))}}, "trace-inconsistent a message from rank 0 to rank 1 with tag 0 is waited for and not sent; trace-inconsistent a message from rank 0 to rank 1 with tag 1 is sent and not received"},
		"a collective alone":                           {"", [][][]byte{{all(1, 0)}, {}}, `trace-inconsistent collective 1 of group "": 1 of 2 members take part`},
		"the second one":                               {"", [][][]byte{{all(1, 0), all(2, 0)}, {all(1, 0)}}, `trace-inconsistent collective 2 of group "": 1 of 2 members take part`},
		"two groups, of which the first is told":       {`{"a": [0, 1], "b": [0, 1]}`, [][][]byte{{all(1, 0, etWord("pg_name", "b")), all(2, 0, etWord("pg_name", "a"))}, {}}, `trace-inconsistent collective 1 of group "a": 1 of 2 members take part`},
		"two of a group, of which the first is told":   {"", [][][]byte{{all(1, 0), all(2, 0), all(3, 0)}, {}}, `trace-inconsistent collective 1 of group "": 1 of 2 members take part`},
		"two tags, of which the lower is told":         {"", [][][]byte{{etOf(1, etSend, etNumber("comm_dst", 1), etNumber("comm_tag", 5)), etOf(2, etSend, etNumber("comm_dst", 1), etNumber("comm_tag", 3))}, {}}, "trace-inconsistent a message from rank 0 to rank 1 with tag 3 is sent"},
		"two receivers":                                {"", [][][]byte{{etOf(1, etSend, etNumber("comm_dst", 2)), etOf(2, etSend, etNumber("comm_dst", 1), etNumber("comm_tag", 3))}, {}, {}}, "trace-inconsistent a message from rank 0 to rank 1 with tag 3 is sent"},
		"two senders":                                  {"", [][][]byte{{etOf(1, etSend, etNumber("comm_dst", 2))}, {etOf(2, etSend, etNumber("comm_dst", 0))}, {}}, "trace-inconsistent a message from rank 0 to rank 2 with tag 0 is sent"},
		"of two kinds":                                 {"", [][][]byte{{all(1, 0)}, {all(1, 2)}}, `trace-inconsistent node 1: collective 1 of group "" is of another kind`},
		"an unknown one":                               {"", [][][]byte{{all(1, 3)}, {}}, "trace-unsupported node 1: the collective 3 is not known"},
		"of no kind":                                   {"", [][][]byte{{etOf(1, etTogether)}, {}}, "trace-unsupported node 1: the collective -1 is not known"},
		"an unknown group":                             {"", [][][]byte{{all(1, 0, g)}, {}}, `trace-inconsistent node 1: there is no group "g"`},
		"of a group of one":                            {`{"g": [0]}`, [][][]byte{{all(1, 0, g)}, {}}, ""},
		"of a group without the rank":                  {`{"g": [0]}`, [][][]byte{{}, {all(1, 0, g)}}, `trace-inconsistent node 1: collective 1 of group "g" is of another kind at other ranks, or the rank is not of the group`},
		"a group with a rank twice":                    {`{"g": [0, 0]}`, [][][]byte{{}}, `trace-inconsistent group "g" has rank 0, which is there twice or not among the 1 traces`},
		"a group of others":                            {`{"g": [1]}`, [][][]byte{{}}, `trace-inconsistent group "g" has rank 1`},
		"a group below":                                {`{"g": [-1]}`, [][][]byte{{}}, `trace-inconsistent group "g" has rank -1`},
		"groups that are none":                         {`[1]`, [][][]byte{{}}, "trace-value not the groups of a trace"},
	} {
		w, told := traces(c.groups, c.ranks...)
		if (w != nil) != (c.want == "") || !strings.HasPrefix(told, c.want) || strings.Count(told, "; ") != strings.Count(c.want, "; ") || c.want == "" && told != "" {
			t.Errorf("%s: %q, want %q", name, told, c.want)
		}
	}
	for _, names := range [][]string{{"a.1.et"}, {"a.et"}, {"a.0.et", "a.2.et"}} {
		files := fstest.MapFS{}
		for _, n := range names {
			files[n] = et()
		}
		if _, found, _ := Read(files, names); len(found) != 1 || !strings.Contains(found[0].Message, "and its name does not end in") {
			t.Errorf("%v: %v", names, found)
		}
	}
	if _, found, _ := Read(fstest.MapFS{"a.0.et": {Data: []byte{0, 5, 1}}}, []string{"a.0.et"}); len(found) != 1 || !strings.Contains(found[0].Message, "broken at byte 1") {
		t.Errorf("%v", found)
	}
	if _, found, _ := Read(fstest.MapFS{}, []string{"a", "b"}); len(found) != 1 || !strings.HasPrefix(found[0].Message, "2 files, of which none is NAME.RANK.et") {
		t.Errorf("%v", found)
	}
	if _, found, _ := Read(fstest.MapFS{}, []string{"a"}); len(found) != 1 || !strings.HasPrefix(found[0].Message, "cannot read a: ") {
		t.Errorf("%v", found)
	}
}

// Attributes are numbers of any width: int64 as it is, sint zigzag, fixed as it is; words are kept of other fields.
func TestAttributesOnTheWire(t *testing.T) {
	attribute := func(field protowire.Number, kind protowire.Type, value []byte) []byte {
		a := protowire.AppendString(protowire.AppendTag(nil, attrName, protowire.BytesType), "comm_size")
		return append(protowire.AppendTag(a, field, kind), value...)
	}
	for _, c := range []struct {
		b    []byte
		want int64
		ok   bool
	}{
		{attribute(7, protowire.VarintType, protowire.AppendVarint(nil, 12)), 12, true}, {attribute(27, protowire.VarintType, protowire.AppendVarint(nil, 1)), 1, true},
		{attribute(5, protowire.VarintType, protowire.AppendVarint(nil, 12)), -7, true}, {attribute(29, protowire.VarintType, protowire.AppendVarint(nil, 12)), -7, true}, {attribute(8, protowire.VarintType, protowire.AppendVarint(nil, 12)), -7, true},
		{attribute(15, protowire.VarintType, protowire.AppendVarint(nil, 3)), -2, true}, {attribute(17, protowire.VarintType, protowire.AppendVarint(nil, 4)), 2, true}, {attribute(13, protowire.VarintType, protowire.AppendVarint(nil, 3)), 3, true}, {attribute(19, protowire.VarintType, protowire.AppendVarint(nil, 3)), 3, true},
		{attribute(19, protowire.Fixed32Type, protowire.AppendFixed32(nil, 9)), 9, true}, {attribute(21, protowire.Fixed64Type, protowire.AppendFixed64(nil, math.MaxInt64)), math.MaxInt64, true},
		{attribute(19, protowire.Fixed32Type, []byte{1, 2, 3}), -7, false}, {attribute(21, protowire.Fixed64Type, make([]byte, 7)), -7, false}, {attribute(9, protowire.StartGroupType, nil), -7, false}, {attribute(9, protowire.BytesType, []byte{9}), -7, false},
		{attribute(9, protowire.BytesType, []byte{1, 5}), -7, true}, {[]byte{0x80}, -7, false}, {[]byte{0, 0}, -7, false},
	} {
		n := newNode(1, 0)
		if ok := n.attribute(c.b); ok != c.ok || n.number("comm_size", -7) != c.want {
			t.Errorf("% x: %d, %v; want %d, %v", c.b, n.number("comm_size", -7), ok, c.want, c.ok)
		}
	}
	packed := newNode(8, 0)
	deps := protowire.AppendBytes(protowire.AppendTag(nil, nodeControlDeps, protowire.BytesType), []byte{1, 2, 0x80, 1})
	if !packed.decode(append(deps, etAfter(7)...)) || fmt.Sprint(packed.deps) != "[1 2 128 7]" {
		t.Errorf("%v", packed.deps)
	}
	if newNode(8, 0).decode(protowire.AppendBytes(protowire.AppendTag(nil, nodeControlDeps, protowire.BytesType), []byte{0x80})) {
		t.Error("half a number is read")
	}
	if newNode(8, 0).decode(protowire.AppendVarint(protowire.AppendTag(nil, nodeAttr, protowire.VarintType), 1)) {
		t.Error("an attribute is a number")
	}
}

package openconfig_test

import (
	"bytes"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/rogpeppe/go-internal/txtar"
	"pgregory.net/rapid"

	"github.com/roceplan/roceplan/diag"
	emitoc "github.com/roceplan/roceplan/emit/openconfig"
	"github.com/roceplan/roceplan/internal/testing/anyplan"
	"github.com/roceplan/roceplan/internal/testing/diagtest"
	"github.com/roceplan/roceplan/internal/testing/must"
	"github.com/roceplan/roceplan/internal/testing/oracle"
	"github.com/roceplan/roceplan/internal/testing/readtest"
	"github.com/roceplan/roceplan/plan"
	"github.com/roceplan/roceplan/read"
	"github.com/roceplan/roceplan/read/openconfig"
	"github.com/roceplan/roceplan/units"
)

// same compares plans apart from reasons and places.
var same = cmp.Options{
	cmpopts.IgnoreTypes(&plan.Why{}, diag.Range{}), cmpopts.EquateEmpty(),
}

func draw(t *rapid.T) *plan.Switch {
	return anyplan.Switch(t, anyplan.Want{
		Chip: "tomahawk5", OS: rapid.SampledFrom([]string{"eos", "openconfig", "sonic"}).Draw(t, "os"),
		LoadBalancing: []string{"", "ecmp", "adaptive"},
	})
}

func given[T any](v T) plan.Derived[T] { return plan.Derived[T]{Value: v} }

// TestForeignDocument reads a document that validates under the models and that we did
// not write.
func TestForeignDocument(t *testing.T) {
	src := must.Get(os.ReadFile(oracle.Data(t, "oc_roce_ex.json")))(t)
	got, list := readtest.Switch(openconfig.Format(), "oc_roce_ex.json", src)
	if len(list) != 2 || list[0].Message != "a match on a UDP port with any DSCP is not accounted for" {
		t.Errorf("the document has one term that a plan cannot hold, found: %v", list)
	}
	want := &plan.Switch{
		OS: "openconfig",
		Classes: []plan.Class{
			{Name: "fg-BE", TrafficClass: 0, Queue: 0},
			{Name: "fg-ROCE", TrafficClass: 3, Queue: 3},
			{Name: "fg-CNP", TrafficClass: 6, Queue: 6},
		},
		Ports: []plan.Port{{Name: "Ethernet1/1", QoS: &plan.PortQoS{Trust: plan.TrustNone, Queues: []plan.Queue{
			{ID: 0, Scheduler: plan.Scheduler{Weight: given(int64(20))}},
			{ID: 3, Scheduler: plan.Scheduler{Weight: given(int64(80))}, Limit: given(plan.Limit{Dynamic: true, Alpha: -3}),
				ECN: &plan.ECN{KMin: given(units.Bytes(153600)), KMax: given(units.Bytes(1536000)), PMax: given(20 * units.Percent)}},
			{ID: 6, Scheduler: plan.Scheduler{Strict: true}},
		}}}},
		Marking: &plan.Marking{Rules: []plan.MarkRule{{DSCP: 48, TC: 6}, {DSCP: 24, TC: 3}, {DSCP: 26, TC: 3}}},
	}
	for i := range uint8(8) {
		want.Maps.TCToQueue[i], want.Maps.PFCToQueue[i] = i, i
	}
	must.NoDiffIn(t, cmp.Diff(want, got, same), "(-want +got)")
	at := got.Ports[0].QoS.Queues[1].ECN.KMax.Why.Range
	must.Equalf(t, string(src[at.Start.Byte:at.End.Byte]), `"1536000"`, "Kmax is said to be")
	line := strings.Split(string(src), "\n")[at.Start.Line-1]
	must.Equalf(t, line[at.Start.Column-1:at.End.Column-1], `"1536000"`, "Kmax is said to stand at %v: %s:", at, line)
}

// TestFindings: testdata/findings.txtar holds documents, and what is found in each.
func TestFindings(t *testing.T) {
	const file = "testdata/findings.txtar"
	a := must.Get(txtar.ParseFile(file))(t)
	for i := 0; i+1 < len(a.Files); i += 2 {
		in := a.Files[i]
		_, list := readtest.Switch(openconfig.Format(), in.Name, in.Data)
		var got bytes.Buffer
		must.Do(t, (diag.Text{Sources: diag.Sources{in.Name: in.Data}}).Write(&got, list))
		a.Files[i+1].Data = got.Bytes()
	}
	diagtest.Golden(t, file, string(txtar.Format(a)))
}

// TestBounds: documents beyond all bounds are refused.
func TestBounds(t *testing.T) {
	var got bytes.Buffer
	for _, src := range [][]byte{
		bytes.Repeat([]byte(" "), 65<<20),
		bytes.Repeat([]byte("["), 1<<20),
		bytes.Repeat([]byte("[1,"), 1),
		append(append([]byte("["), bytes.Repeat([]byte("0,"), 3<<20)...), "0]"...),
		[]byte("{\"a\": \"\xff\"}"),
	} {
		_, list := readtest.Switch(openconfig.Format(), "huge.json", src)
		must.Do(t, (diag.Text{}).Write(&got, list))
	}
	diagtest.Golden(t, "testdata/bounds.txt", got.String())
}

// FuzzRead: no input makes the reader fail, and what it finds has a place.
func FuzzRead(f *testing.F) {
	a := must.Get(txtar.ParseFile("testdata/findings.txtar"))(f)
	for i := 0; i < len(a.Files); i += 2 { // small ones: large seeds leave no time to the fuzzer
		f.Add(a.Files[i].Data)
	}
	f.Add([]byte("0"))
	f.Add([]byte(`{"qos":{"classifiers":{"classifier":[{"config":{"name":"","type":"IPV4"}}]},"interfaces":{"interface":[{"interface-id":"","input":{"classifiers":{"classifier":[{"type":""}]}}}]}}}`))
	f.Add([]byte(`{"openconfig-qos:qos": {"queues": {"queue": [{"name": "\\\"", "config": {"queue-id": 3}}]}}}`))
	f.Fuzz(func(t *testing.T, src []byte) {
		s, list := readtest.Switch(openconfig.Format(), "fuzz.json", src)
		if s == nil {
			t.Fatal("no switch")
		}
		for _, d := range list {
			if d.Code == "" || d.Message == "" || d.Subject.Start.Byte > d.Subject.End.Byte || d.Subject.End.Byte > len(src) {
				t.Errorf("a finding without a code, a message or a place in the file: %+v", d)
			}
		}
		if len(s.Classes) > 8 {
			t.Errorf("%d classes", len(s.Classes))
		}
	})
}

func BenchmarkRead64Ports(b *testing.B) {
	s := rapid.Custom(draw).Example(1)
	for i := len(s.Ports); i < 64; i++ {
		p := s.Ports[0]
		p.Name = fmt.Sprintf("Ethernet%d/1", i+1)
		s.Ports = append(s.Ports, p)
	}
	files, _ := emitoc.Emit(s)
	src := files[0].Body.AppendFor(nil, "leaf")
	b.SetBytes(int64(len(src)))
	b.ReportAllocs()
	for b.Loop() {
		if got, _ := readtest.Switch(openconfig.Format(), "openconfig.json", src); len(got.Ports) != 64 {
			b.Fatal("lost a port")
		}
	}
}

// An MTU matters where the largest packet of RoCEv2 does not fit: 4,184 B of IP, and 6 + 6 + 4 + 2
// more in a frame with one VLAN tag, of which the MTU of an interface counts all but the FCS
// (openconfig-interfaces, leaf mtu: 1514 by default).
func TestMTUs(t *testing.T) {
	const over = `{"interfaces": {"interface": [{"name": "x", %s}]}}`
	for _, c := range []struct {
		leaf string
		fits int
	}{
		{`"config": {"type": "ieee8023adLag", "mtu": %d}`, 4202},
		{`"config": {"type": "ieee8023adLag"}, "subinterfaces": {"subinterface": [{"index": 0, "ipv4": {"config": {"mtu": %d}}}]}`, 4184},
		{`"config": {"type": "l3ipvlan"}, "routed-vlan": {"ipv6": {"config": {"mtu": %d}}}`, 4184},
	} {
		for v, want := range map[int]read.Sort{c.fits: read.Neutral, c.fits - 1: read.Unmodelled} {
			all := openconfig.Format().Read("f", fmt.Appendf(nil, over, fmt.Sprintf(c.leaf, v)), read.Options{}).Ledger.Statements
			if last := all[len(all)-1]; last.Sort != want || !strings.HasSuffix(last.Text, fmt.Sprint("mtu ", v)) {
				t.Errorf("%s of %d: %+v", c.leaf, v, last)
			}
		}
	}
}

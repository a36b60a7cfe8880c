package eos_test

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/rogpeppe/go-internal/txtar"
	"pgregory.net/rapid"

	"github.com/roceplan/roceplan/diag"
	emiteos "github.com/roceplan/roceplan/emit/eos"
	"github.com/roceplan/roceplan/internal/testing/anyplan"
	"github.com/roceplan/roceplan/internal/testing/diagtest"
	"github.com/roceplan/roceplan/internal/testing/must"
	"github.com/roceplan/roceplan/internal/testing/readtest"
	"github.com/roceplan/roceplan/plan"
	"github.com/roceplan/roceplan/read"
	"github.com/roceplan/roceplan/read/eos"
	"github.com/roceplan/roceplan/units"
)

// same compares plans apart from reasons and places.
var same = cmp.Options{
	cmpopts.IgnoreTypes(&plan.Why{}, diag.Range{}), cmpopts.EquateEmpty(),
}

// TestFindings: testdata/findings.txtar holds configurations, and what is found in each.
func TestFindings(t *testing.T) {
	const file = "testdata/findings.txtar"
	a := must.Get(txtar.ParseFile(file))(t)
	for i := 0; i+1 < len(a.Files); i += 2 {
		in := a.Files[i]
		_, list := readtest.Switch(eos.Format(), in.Name, in.Data)
		var got bytes.Buffer
		must.Do(t, (diag.Text{Sources: diag.Sources{in.Name: in.Data}}).Write(&got, list))
		a.Files[i+1].Data = got.Bytes()
	}
	diagtest.Golden(t, file, string(txtar.Format(a)))
}

// leaf is a configuration as a person writes it, between lines of all other kinds.
const leaf = `! Command: show running-config
! device: leaf-7 (DCS-7060X6-64PE, EOS-4.36.1F)
!
no aaa root
username admin privilege 15 role network-admin secret sha512 $6$abc
!
banner motd
qos map dscp 1 to traffic-class 9
EOF
!
platform trident mmu queue profile ai
    ingress threshold 1
    ingress reserved 512
    ingress headroom 165100
    ingress resume 5080
    ingress priority-group 3 threshold 1/4
    egress unicast queue 3 threshold 8
!
hostname leaf-7
!
qos profile ai
   qos trust dscp
   priority-flow-control on
   priority-flow-control priority 3 no-drop
   priority-flow-control pause watchdog
   !
   uc-tx-queue 3
      no priority
      bandwidth percent 95
      bandwidth guaranteed percent 1
      random-detect ecn minimum-threshold 256 kbytes maximum-threshold 512 kbytes max-mark-probability 10 weight 0
      random-detect ecn count
   !
   uc-tx-queue 6
      priority strict
      shape rate 500000 kbps
!
interface Ethernet1/1
   description GPU 1
   mtu 9214
   no switchport
   ip address 10.0.0.0/31
   service-profile ai
!
interface Ethernet1/2
   service-profile ai
   priority-flow-control priority 3 drop
   priority-flow-control priority 4 no-drop
   uc-tx-queue 4
      bandwidth guaranteed 100
!
interface Ethernet1/2.100
   encapsulation dot1q vlan 100
   priority-flow-control on
!
interface Management1
   vrf MGMT
!
ip access-list control
   counters per-entry
   10 permit udp any any eq bootps snmp
   20 permit tcp any any eq ssh
   30 permit ip any any dscp 99
   40 deny ip any any log
!
ip access-list standard hosts
   10 permit 10.0.0.0/8
!
router bgp 65001
   neighbor 10.0.0.1 remote-as 65000
   address-family ipv4
      neighbor 10.0.0.1 activate
!
qos map dscp 48 to traffic-class 6
qos map dscp af31 cs3 to traffic-class 3
!
platform trident mmu queue profile ai apply
platform trident mmu headroom-pool limit 2438400
!
end
`

func given[T any](v T) plan.Derived[T] { return plan.Derived[T]{Value: v} }

// TestHandwritten reads it alone and among 15,000 lines of somebody else's, and knows
// where each value stands.
func TestHandwritten(t *testing.T) {
	want := wantLeaf()
	got, list := readtest.Switch(eos.Format(), "leaf-7.cfg", []byte(leaf))
	if len(list) != 0 {
		t.Fatal(list)
	}
	must.NoDiffIn(t, cmp.Diff(want, got, same), "(-want +got)")
	headroom := got.Ports[0].QoS.PGs[0].Headroom.Why.Range
	if headroom.Start.Line != 14 || headroom.Start.Column != 5 {
		t.Errorf("the headroom is said to stand at %v", headroom)
	}
	must.Equalf(t, leaf[headroom.Start.Byte:headroom.End.Byte], "ingress headroom 165100", "the bytes of the headroom's line are")

	var long strings.Builder
	for i := range 5000 {
		fmt.Fprintf(&long, "ip route 10.%d.%d.0/24 Null0\nip prefix-list P%d\n   seq 10 permit 10.0.0.0/8\n!\n", i/256, i%256, i)
	}
	head, rest, _ := strings.Cut(leaf, "no aaa root")
	got, list = readtest.Switch(eos.Format(), "long.cfg", []byte(head+long.String()+rest+long.String()))
	if len(list) != 0 {
		t.Fatal(list)
	}
	must.NoDiffIn(t, cmp.Diff(want, got, same), "among unrelated lines (-want +got)")
}

func wantLeaf() *plan.Switch {
	pg := func(id uint8, alpha units.Alpha) plan.PG {
		return plan.PG{ID: id, Lossless: true, Reserved: given(units.Bytes(512)), Limit: given(plan.Limit{Dynamic: true, Alpha: alpha}),
			Headroom: given(units.Bytes(165100)), XOnOffset: given(units.Bytes(5080))}
	}
	queues := []plan.Queue{
		{ID: 3, Limit: given(plan.Limit{Dynamic: true, Alpha: 3}), Scheduler: plan.Scheduler{Weight: given(int64(95))},
			ECN: &plan.ECN{KMin: given(256 * units.KB), KMax: given(512 * units.KB), PMax: given(10 * units.Percent)}},
		{ID: 4, Limit: given(plan.Limit{Static: plan.NoLimit}), Scheduler: plan.Scheduler{Strict: true}},
		{ID: 6, Scheduler: plan.Scheduler{Strict: true, MaxRate: given(500 * units.Mbps)}},
	}
	s := &plan.Switch{
		Names: []string{"leaf-7"}, OS: "eos", Platform: "DCS-7060X6-64PE",
		Pools: []plan.Pool{{Name: "headroom_pool", Dynamic: true, Headroom: given(units.Bytes(2438400))}},
		Ports: []plan.Port{
			{Name: "Ethernet1/1", MTU: 9232, Routed: true, QoS: &plan.PortQoS{PFC: 1 << 3, Watchdog: true, PGs: []plan.PG{pg(3, -2)}, Queues: queues}},
			{Name: "Ethernet1/2", QoS: &plan.PortQoS{PFC: 1 << 4, Watchdog: true, PGs: []plan.PG{pg(4, 0)}, Queues: queues}},
		},
	}
	for d := range s.Maps.DSCPToTC {
		s.Maps.DSCPToTC[d] = [8]uint8{1, 0, 2, 3, 4, 5, 6, 7}[d/8]
	}
	for tc := range uint8(8) {
		s.Maps.TCToQueue[tc], s.Maps.PFCToQueue[tc] = tc, tc
		c := plan.Class{Name: fmt.Sprintf("tc-%d", tc), TrafficClass: tc, Queue: tc, DSCPs: s.Maps.DSCPsOf(tc)}
		if tc == 3 || tc == 4 {
			c.Lossless, c.PFC, c.PG = true, tc, tc
			s.Maps.TCToPG[tc], s.Maps.PFCToPG[tc] = tc, tc
		}
		s.Classes = append(s.Classes, c)
	}
	return s
}

// TestCells: amounts in cells need the size of a cell.
func TestCells(t *testing.T) {
	text := []byte("platform trident mmu headroom-pool limit cells 9600\n")
	got, list := readtest.Switch(eos.Format(), "leaf.cfg", text, 254)
	if len(list) != 0 || len(got.Pools) != 1 || got.Pools[0].Headroom.Value != 9600*254 {
		t.Errorf("9600 cells of 254 B: %v %v", got.Pools, list)
	}
}

// TestBounds: files beyond all bounds are read up to there, in bounded time.
func TestBounds(t *testing.T) {
	var interfaces, faults bytes.Buffer
	for i := range 200_001 {
		fmt.Fprintf(&interfaces, "interface Ethernet%d/%d\n", i/1000, i%1000)
	}
	for range 2000 {
		faults.WriteString("qos map dscp 64 to traffic-class 3\n")
	}
	var got bytes.Buffer
	for _, src := range [][]byte{make([]byte, 33<<20), interfaces.Bytes(), faults.Bytes()} {
		_, list := readtest.Switch(eos.Format(), "huge.cfg", src)
		ends := slices.DeleteFunc(list, func(d diag.Diagnostic) bool { return d.Code == eos.Number })
		must.Do(t, (diag.Text{}).Write(&got, ends))
	}
	diagtest.Golden(t, "testdata/bounds.txt", got.String())
}

// TestSharedByMany: what many policies of many ports share takes little memory.
func TestSharedByMany(t *testing.T) {
	var src strings.Builder
	for i := range 2000 {
		fmt.Fprintf(&src, "interface Ethernet%d\n   service-policy type qos input p%d\n", i, i%2)
	}
	for p := range 2 {
		fmt.Fprintf(&src, "policy-map type quality-of-service p%d\n", p)
		for c := range 20_000 {
			fmt.Fprintf(&src, "   class c%d\n", c)
		}
	}
	for c := range 20_000 {
		fmt.Fprintf(&src, "class-map type qos match-any c%d\n   match ip access-group a\n", c)
	}
	if mb := testing.Benchmark(func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			readEOS(src.String())
		}
	}).AllocedBytesPerOp() >> 20; mb > 200 {
		t.Errorf("reading %d bytes takes %d MB", src.Len(), mb)
	}
}

// FuzzRead: no input makes the reader fail, and what it reads is bounded.
func FuzzRead(f *testing.F) {
	f.Add([]byte(leaf))
	for seed := range 5 {
		if files, list := emiteos.Emit(rapid.Custom(anyplan.EOS).Example(seed)); !list.HasErrors() {
			f.Add(files[0].Body.AppendFor(nil, "leaf"))
		}
	}
	f.Add([]byte("\f\nno\ndefault\nqos\nplatform trident mmu queue prof\x8f\x8f\n"))
	f.Add([]byte("interface Ethernet1\ncomment\nx\nEOF\n   uc-tx-queue 3\n   no priority\n no\n default\ndefault interface et1\nbanner motd\n"))
	f.Add([]byte("qos map dscp 0-999999999 to traffic-class 3\nqos map to\nip access-list a\n   10\n 5 permit\n"))
	f.Fuzz(func(t *testing.T, src []byte) {
		s, list := readtest.Switch(eos.Format(), "fuzz.cfg", src, 254)
		if s == nil {
			t.Fatal("no switch")
		}
		for _, d := range list {
			if d.Code == "" || d.Message == "" || d.Subject.End.Byte > len(src) {
				t.Errorf("a finding without a code, a message or a place in the file: %+v", d)
			}
		}
		all := eos.Format().Read("fuzz.cfg", src, read.Options{Cell: 254}).Ledger.Statements
		for i, st := range all {
			if i > 0 && st.At.Start.Byte < all[i-1].At.End.Byte || st.At.End.Byte > len(src) || len(st.Text) > 80 {
				t.Errorf("statement %d is out of order, out of the file or too long: %+v", i, st)
			}
			if (st.Sort == read.Neutral) != (st.Rule != "") || (st.Sort == read.Unmodelled) != (st.Why != "") {
				t.Errorf("a neutral statement has a rule, one that is not modelled a reason: %+v", st)
			}
		}
		for _, p := range s.Ports {
			if p.QoS == nil || len(p.QoS.PGs) > 8 || len(p.QoS.Queues) > 8 {
				t.Errorf("port %q has no QoS, or more than eight groups or queues", p.Name)
			}
		}
	})
}

// BenchmarkRead reads a file with a megabyte of lines that do not matter.
func BenchmarkRead(b *testing.B) {
	var long strings.Builder
	for long.Len() < 1<<20 {
		long.WriteString("ip route 10.1.2.0/24 10.0.0.1\nrouter bgp 65001\n   neighbor 10.0.0.1 remote-as 65000\n!\n")
	}
	src := []byte(long.String() + leaf)
	b.SetBytes(int64(len(src)))
	b.ReportAllocs()
	for b.Loop() {
		if s, _ := readtest.Switch(eos.Format(), "leaf.cfg", src); len(s.Ports) != 2 {
			b.Fatal("lost a port")
		}
	}
}

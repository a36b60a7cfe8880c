package sim

import (
	"bytes"
	"fmt"
	"slices"
	"testing"

	"github.com/roceplan/roceplan/internal/testing/must"
	"github.com/roceplan/roceplan/model/sim/balance"
	"github.com/roceplan/roceplan/units"
)

// TestBalancing shows what UCloud's design says of load balancing for RDMA: ECMP collides
// and adaptive routing does not; gaps between flowlets are rare; what is sprayed needs
// direct placement; and no balancing helps the last hop of an incast.
func TestBalancing(t *testing.T) {
	var report bytes.Buffer
	report.WriteString(balancingHead)
	rows := map[string]*Result{}
	for _, pattern := range []string{"across", "incast"} {
		for _, c := range []struct {
			name      string
			balancing balance.Config
			direct    bool
		}{
			{"ECMP", balance.Config{Mode: balance.ECMP}, false},
			{"flowlets, 10 us", balance.Config{Mode: balance.Flowlet, FlowletGap: 10 * units.Microsecond}, false},
			{"flowlets, 1 us", balance.Config{Mode: balance.Flowlet, FlowletGap: units.Microsecond}, false},
			{"spray, go-back-N", balance.Config{Mode: balance.Spray}, false},
			{"spray", balance.Config{Mode: balance.Spray}, true},
			{"adaptive", balance.Config{Mode: balance.Adaptive}, true},
			{"global, 10 us", balancings["global"], false},
			{"global, packets", balancings["global per packet"], true},
			{"ConWeave", balancings["conweave"], false},
			{"cells", balancings["cells"], false},
		} {
			r := runBalanced(t, pattern, c.balancing, c.direct)
			rows[pattern+" "+c.name] = r
			worst := slices.MaxFunc(r.Flows, func(a, b FlowResult) int { return int(1000 * (a.Slowdown - b.Slowdown)) })
			fmt.Fprintf(&report, "%-8s %-17s %8.2f %8d %9d %9d %8d %8d %8d\n", pattern, c.name, worst.Slowdown,
				r.OutOfOrder, r.Flowlets+r.Reroutes, r.HeldBack, r.PFCPauses, r.PeakEgressQueue, r.PeakVOQ)
		}
	}
	worst := func(row string) float64 {
		return slices.MaxFunc(rows[row].Flows, func(a, b FlowResult) int { return int(1000 * (a.Slowdown - b.Slowdown)) }).Slowdown
	}
	packets := rows["across ECMP"].PacketHops / 8
	switch {
	case worst("across ECMP") < 1.8 || worst("across adaptive") > 1.2:
		t.Errorf("slowest flow: ECMP %v, adaptive %v", worst("across ECMP"), worst("across adaptive"))
	case rows["across flowlets, 10 us"].Flowlets > packets/100:
		t.Errorf("%d flowlets in %d packets", rows["across flowlets, 10 us"].Flowlets, packets)
	case rows["across spray, go-back-N"].PacketHops < rows["across spray"].PacketHops*5/4:
		t.Errorf("packet-hops: go-back-N %d, direct %d", rows["across spray, go-back-N"].PacketHops, rows["across spray"].PacketHops)
	case rows["across adaptive"].PFCPauses > 0 || rows["across ECMP"].PFCPauses == 0 || rows["incast adaptive"].PFCPauses == 0:
		t.Errorf("pauses: across %d with adaptive, %d with ECMP; incast %d", rows["across adaptive"].PFCPauses,
			rows["across ECMP"].PFCPauses, rows["incast adaptive"].PFCPauses)
	case rows["across ConWeave"].OutOfOrder > 0 || rows["across ConWeave"].HeldBack == 0 || worst("across ConWeave") > 0.8*worst("across ECMP"):
		t.Errorf("ConWeave: slowest flow %v, %d packets held back, %d out of order", worst("across ConWeave"),
			rows["across ConWeave"].HeldBack, rows["across ConWeave"].OutOfOrder)
	case rows["incast ConWeave"].OutOfOrder > 0 && rows["incast ConWeave"].ReorderExpired == 0:
		t.Errorf("ConWeave: %d packets out of order in the incast, and none was let go early", rows["incast ConWeave"].OutOfOrder)
	case worst("across cells") > 1.2 || rows["incast cells"].PeakEgressQueue > rows["incast ECMP"].PeakEgressQueue/20:
		t.Errorf("cells: slowest flow across %v, longest queue of the incast %d B", worst("across cells"), rows["incast cells"].PeakEgressQueue)
	case rows["incast adaptive"].PeakEgressQueue < rows["incast ECMP"].PeakEgressQueue*9/10:
		t.Errorf("incast: longest queue %d with ECMP, %d with adaptive", rows["incast ECMP"].PeakEgressQueue, rows["incast adaptive"].PeakEgressQueue)
	}
	compareGolden(t, "sim_balancing.txt", report.Bytes())
}

// runBalanced sends 2 MB from each host of a leaf to the host of the next leaf across 4
// spines that just suffice, or from all other leaves to one host.
func runBalanced(t *testing.T, pattern string, b balance.Config, direct bool) *Result {
	const leaves, perLeaf, spines = 4, 8, 4
	sc := leafSpine(leaves, perLeaf, spines)
	sc.ECN = nil
	sc.Buffer.Size = 6 * units.MiB
	sc.Balancing, sc.Transport.DirectPlacement = b, direct
	for src := range leaves * perLeaf {
		switch dst := (src + perLeaf) % (leaves * perLeaf); {
		case pattern == "across":
			sc.flow(src, dst, 2*units.MB, 0)
		case src >= perLeaf:
			sc.flow(src, 0, 200*units.KB, 0)
		}
	}
	r := must.Get(Run(t.Context(), sc))(t)
	if r.UnfinishedFlows > 0 {
		t.Fatalf("%s %v: %d flows unfinished", pattern, b, r.UnfinishedFlows)
	}
	return r
}

const balancingHead = `Load balancing of RDMA traffic

4 leaves of 8 hosts at 100G, 4 spines at 200G, no congestion control. "across": each host
sends 2 MB to a host of the next leaf, which the spines could carry without a queue.
"incast": 24 hosts of other leaves send 200 kB to one. Switches have 6 MiB.

A slowest flow of 1 is one that had the fabric for itself. ECMP puts several flows on one
uplink and pauses their hosts; adaptive routing by the local queues does not, nor do
flowlets, but these choose only once: a host's NIC leaves no gap of 10 us within a message,
so there are as many flowlets as messages and acknowledgement streams. Sprayed packets
overtake one another, which go-back-N answers by sending again what has arrived. ConWeave
holds such packets in the last leaf until they are in order; in the incast some escape, because
PFC stops the end of the old way for longer than they are held. Ways are how often one was
chosen by flowlets or changed by ConWeave. Global load balancing sees the spines' queues too, as
they were up to 10 us ago, of which nothing here has need. In the
incast the queue is at the last hop, and no choice of ways makes it shorter: there, PFC or
congestion control has to act. In a fabric of cells it is in the virtual output queues of the
leaves that the packets came to; if these fill, PFC stops their hosts and no switch.

                           slowest                                         longest  longest
pattern  balancing            flow  unorder      ways      held   pauses  queue, B   VoQ, B
`

// Each of 64 messages is a flowlet. A message of 1 us comes every 2 us, so that nothing waits at either of two uplinks when it does, but for one
// that is ten times slower: the shortest queue is the other one's as long as a message is on that. LetFlow lets a coin decide: 32 are
// expected on the slow uplink, and 16 to 48 in all but 64 of a million cases (four standard deviations of 4).
func TestLetFlowIsRandom(t *testing.T) {
	slow := func(mode balance.Mode) (n int) {
		sc := leafSpine(2, 1, 2)
		sc.Balancing = balance.Config{Mode: mode, FlowletGap: 100 * units.Microsecond}
		for i := range sc.Links {
			if l := &sc.Links[i]; l.A == 4 || l.B == 4 { // the first spine's
				l.Rate = 10 * units.Gbps
			}
		}
		for i := range 64 {
			sc.flow(0, 1, 12*units.KB, units.Time(2*i)*units.Microsecond)
			sc.Flows[i].SrcPort = uint16(i)
		}
		report := &statements{t: t}
		s, _ := report.observe(sc, 1<<20, func(*engine) {})
		for i := range s.ports {
			if s.ports[i].node == 2 && s.ports[i^1].node == 4 {
				n = int(s.ports[i].sent) / (12 * 1048)
			}
		}
		return n
	}
	if n := slow(balance.LetFlow); n < 16 || n > 48 {
		t.Errorf("%d of 64 flowlets on the slow uplink", n)
	}
	if n := slow(balance.Flowlet); n > 64/5 {
		t.Errorf("by the shortest queue %d of 64 flowlets are on the slow uplink", n)
	}
}

// Hosts of one switch share their table of next hops, which are those of tables of their own.
func TestRowsPerEdgeSwitch(t *testing.T) {
	const leaves, hosts = 4, 6
	sc := leafSpine(leaves, hosts, 3)
	sc.Balancing.Mode = balance.Spray
	topo := newTopology(sc)
	rows := func(share bool) *nextHops {
		h, shared := newNextHops(sc), &tree{}
		h.share = share
		for root, kind := range sc.Nodes {
			if kind == Host {
				h.row(topo, shared, shared.find(topo, root, 1000, clock{}))
			}
		}
		return h
	}
	few, all := rows(true), rows(false)
	if want := leaves * len(sc.Nodes); few.Entries() != want || all.Entries() != want*hosts {
		t.Errorf("tables of %d and %d entries, want %d and %d", few.Entries(), all.Entries(), want, want*hosts)
	}
	for root, row := range few.rows {
		if (row != none) != (sc.Nodes[root] == Host) {
			t.Errorf("node %d has row %d", root, row)
		}
		if row == none {
			continue
		}
		for node, kind := range sc.Nodes {
			a, b := few.At(row, int32(node)), all.At(all.rows[root], int32(node))
			if kind == Switch && (!slices.Equal(a, b) || len(a) == 0) {
				t.Fatalf("from %d to %d: %v, with a table of its own %v", node, root, a, b)
			}
		}
	}
	sc.Outages = []Outage{{}}
	if newNextHops(sc).share {
		t.Error("a host whose link may fail shares the table of its neighbours")
	}
}

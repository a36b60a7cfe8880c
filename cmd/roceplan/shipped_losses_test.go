package main

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/roceplan/roceplan/chips"
	"github.com/roceplan/roceplan/internal/scenario"
	"github.com/roceplan/roceplan/internal/testing/must"
	"github.com/roceplan/roceplan/internal/testing/oracle"
	"github.com/roceplan/roceplan/internal/testing/plantest"
	"github.com/roceplan/roceplan/model/sim/fabric"
	"github.com/roceplan/roceplan/model/sim/pattern"
	"github.com/roceplan/roceplan/plan"
	"github.com/roceplan/roceplan/units"
	"github.com/roceplan/roceplan/verify"
)

// shippedLike are configurations that ship for the chips of the examples.
var shippedLike = map[string]string{
	"trident3":  "Arista-7050CX3-32C-C28S4@x86_64-arista_7050cx3_32c.json",
	"tomahawk":  "Arista-7060CX-32S-D48C8@x86_64-arista_7060_cx32s.json",
	"tomahawk2": "Arista-7260CX3-C64@x86_64-arista_7260cx3_64.json",
	"tomahawk3": "DellEMC-Z9332f-O32@x86_64-dellemc_z9332f_d1508-r0.json",
	"tomahawk4": "Nokia-IXR7220-H4-64D@x86_64-nokia_ixr7220_h4-r0.json",
	"tomahawk5": "Dell-Z9864f-O64@x86_64-dell_z9864f-r0.json",
	"spectrum4": "Mellanox-SN5600-O128@x86_64-nvidia_sn5600-r0.json",
}

// losesMore is where TCP loses more than as shipped, with the reason.
var losesMore = map[string]string{
	"tomahawk-eos-pod tcp-beside-hadoop-30": "RDMA marks two CNP intervals later than before and holds more of 4 MB, so that the dynamic threshold leaves TCP less: 43 packets in 500 us",
}

// Over all examples TCP beside RDMA loses no more packets than on the same fabric with the
// pools, groups and queues that ship for its chips.
func TestTCPLosesNoMoreThanAsShipped(t *testing.T) {
	oracle.Data(t, "shipped_sonic") // without it nothing can be compared
	t.Chdir("../..")
	catalogue, _ := chips.Load()
	chip := catalogue.Find
	lost, compared := int64(0), 0
	for _, name := range fabrics(t, examples) {
		t.Run(name, func(t *testing.T) {
			f, p := plantest.Folder(t, catalogue, filepath.Join(examples, name))
			var list []pattern.Scenario
			for _, s := range scenario.Traces(nil).All(f) {
				if strings.HasPrefix(s.Name, "tcp-") {
					s.Time = 500 * units.Microsecond
					list = append(list, s)
				}
			}
			ours := tcpDrops(t, p, chip, list)
			theirs := tcpDrops(t, asShipped(t, p, catalogue), chip, list)
			for i, s := range list {
				compared++
				lost += theirs[i]
				if reason := losesMore[name+" "+s.Name]; ours[i] > theirs[i] && reason == "" {
					t.Errorf("%s: TCP loses %d packets, and %d as shipped", s.Name, ours[i], theirs[i])
				} else if ours[i] <= theirs[i] && reason != "" {
					t.Errorf("%s: TCP loses no more than as shipped: it needs no reason", s.Name)
				}
				t.Logf("%s: %d packets, %d as shipped", s.Name, ours[i], theirs[i])
			}
		})
	}
	if lost == 0 || compared < 20 {
		t.Errorf("%d packets are lost as shipped in %d runs: they say nothing", lost, compared)
	}
}

// tcpDrops counts the packets of lossy classes that buffers refuse, by scenario.
func tcpDrops(t *testing.T, p *plan.Plan, chip func(string) (*chips.Chip, bool), list []pattern.Scenario) (drops []int64) {
	t.Helper()
	_, jobs, err := pattern.Jobs(p, chip, fabric.Options{Size: fabric.Size{Edges: 4, HostsPerEdge: 8}}, list, 1)
	check(t, err)
	outcomes, err := pattern.Run(context.Background(), jobs, nil)
	check(t, err)
	for _, o := range outcomes {
		if o.LosslessDrops > 0 {
			t.Logf("%s: %d packets of RDMA are lost", o.Pattern, o.LosslessDrops)
		}
		drops = append(drops, o.Drops-o.LosslessDrops)
	}
	return drops
}

// asShipped is a plan in which switches have the pools, groups and queues that ship for
// their chips, and their own marking and scheduling.
func asShipped(t *testing.T, p *plan.Plan, catalogue *chips.Catalogue) *plan.Plan {
	t.Helper()
	out := *p
	out.Switches = nil
	for _, sw := range p.Switches {
		file, ok := shippedLike[sw.Chip]
		if !ok {
			t.Fatalf("no configuration is known that ships for %s", sw.Chip)
		}
		text, err := os.ReadFile(filepath.Join(oracle.Data(t, "shipped_sonic"), file))
		check(t, err)
		chip, _ := catalogue.Find(sw.Chip)
		shapes, err := verify.Read([]verify.File{verify.Text("config_db.json", text)}, chip.CellSize.Or(0))
		check(t, err)
		theirs := shapes[0].Switch
		at := slices.IndexFunc(theirs.Ports, func(p plan.Port) bool { return losslessOf(&p) != nil })
		own := *sw
		own.Pools, own.Ports, own.BufferModel, own.Calculator = theirs.Pools, slices.Clone(sw.Ports), plan.Traditional, nil
		for i := range own.Ports {
			own.Ports[i].QoS = qosAsShipped(own.Ports[i].QoS, theirs.Ports[at].QoS)
		}
		out.Switches = append(out.Switches, &own)
	}
	return &out
}

func qosAsShipped(ours, theirs *plan.PortQoS) *plan.PortQoS {
	lossless, lossy := theirs.PGs[slices.IndexFunc(theirs.PGs, func(g plan.PG) bool { return g.Lossless })], theirs.PGs[0]
	qos := *ours
	qos.PGs, qos.Queues, qos.Pools = slices.Clone(ours.PGs), slices.Clone(ours.Queues), nil
	for i := range qos.PGs {
		id, from := qos.PGs[i].ID, lossy
		if qos.PGs[i].Lossless {
			from = lossless
		}
		qos.PGs[i] = from
		qos.PGs[i].ID = id
	}
	queueOf := func(id uint8) plan.Queue {
		return theirs.Queues[slices.IndexFunc(theirs.Queues, func(q plan.Queue) bool { return q.ID == id })]
	}
	for i := range qos.Queues {
		q := &qos.Queues[i]
		from := queueOf(0)
		if slices.ContainsFunc(ours.PGs, func(g plan.PG) bool { return g.Lossless && g.ID == q.ID }) {
			from = queueOf(lossless.ID)
		}
		q.Pool, q.Limit, q.Reserved = from.Pool, from.Limit, from.Reserved
	}
	return &qos
}

// Juniper's validated designs for RDMA on the QFX5240 are audited from their files alone, as
// golden/shipped-junos.txt says: the verdicts with what they rest on, and how far the headroom goes.
// Findings are left out.
func TestShippedJunos(t *testing.T) {
	golden, err := filepath.Abs("../../golden/shipped-junos.txt")
	check(t, err)
	texts := map[string][]byte{}
	names := []string{"leaf1", "spine1"}
	for _, name := range names {
		texts[name], err = os.ReadFile(oracle.Data(t, "junos/"+name+"_qfx5240-64od.conf"))
		check(t, err)
	}
	t.Chdir(t.TempDir())
	var all strings.Builder
	for _, name := range names {
		check(t, os.WriteFile(name+".conf", texts[name], 0o666))
		var stdout, stderr bytes.Buffer
		if code := run([]string{"audit", name + ".conf"}, nil, &stdout, &stderr, func(string) string { return "" }); code == exitTrouble {
			t.Fatal(stderr.String())
		}
		_, verdicts, ok := strings.Cut(stdout.String(), "\n\n")
		if !ok {
			t.Fatalf("%s: no verdict in %s", name, stdout.String())
		}
		all.WriteString(verdicts + "\n")
	}
	if *update {
		check(t, os.WriteFile(golden, []byte(all.String()), 0o666))
	}
	want, err := os.ReadFile(golden)
	check(t, err)
	must.NoDiffIn(t, cmp.Diff(strings.Split(string(want), "\n"), strings.Split(all.String(), "\n")), "golden/shipped-junos.txt (-golden +told):")
}

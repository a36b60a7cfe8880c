package verify

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/roceplan/roceplan/calc/headroom"
	"github.com/roceplan/roceplan/chips"
	"github.com/roceplan/roceplan/internal/testing/must"
	"github.com/roceplan/roceplan/internal/testing/oracle"
	"github.com/roceplan/roceplan/model"
	"github.com/roceplan/roceplan/model/proof"
	"github.com/roceplan/roceplan/plan"
	"github.com/roceplan/roceplan/units"
)

const oneCage = `class-of-service {
    classifiers { dscp d { forwarding-class roce { loss-priority low code-points 011010; } forwarding-class rest { loss-priority low code-points 000000; } } }
    forwarding-classes { class roce queue-num 4 no-loss pfc-priority 3; class rest queue-num 0; }
    congestion-notification-profile { cnp { input { cable-length 40; dscp { code-point 011010 { pfc; mru 9216; } } } output { ieee-802.1 { code-point 011 { flow-control-queue 4; } } } } }
    shared-buffer {
        ingress { buffer-partition lossless { percent 66; } buffer-partition lossless-headroom { percent 24; } buffer-partition lossy { percent 10; } }
        egress { buffer-partition lossless { percent 66; } buffer-partition lossy { percent 10; } }
    }
    interfaces { et-* { congestion-notification-profile cnp; unit * { classifiers { dscp d; } } } }
}
`

// What a partition holds, by arithmetic. On a QFX5240 with default pools 24 % of 84,206 KiB are
// 20,694,466 B, 81,474 cells of 254 B, 40,737 in each of two parts. At 400 Gb/s with frames of
// 9,216 B over 40 m what comes in is the left side of obligation headroom, which rests on no method.
func TestHeadroomPartition(t *testing.T) {
	text := oneCage + "interfaces { et-0/0/0 { number-of-sub-ports 2; speed 400g; } et-0/0/0:0 { mtu 9212; } et-0/0/0:1 { mtu 9212; } }\n"
	s := judge(t, Options{}, Text("junos.conf", []byte(text))).Switches[0]
	if s.Chip != "tomahawk5" || len(s.Partitions) != 1 {
		t.Fatalf("chip %q, %d partitions", s.Chip, len(s.Partitions))
	}
	p := s.Partitions[0]
	if p.Percent != 24 || p.Size != 81_474*254 || p.Parts != 2 || p.Cells != 40_737 || len(p.Groups) != 1 {
		t.Fatalf("partition %+v", p)
	}
	g := p.Groups[0]
	if g.Speed != 400*units.Gbps || g.Possible || g.PG != 3 || g.Queue != 4 || g.Told != 40*units.Metre || g.Cable != g.Told || g.MRU != 9216 || g.Frame != 9216 || g.InPart != 2 {
		t.Errorf("group %+v", g)
	}
	// What comes in is what the proof of the same file demands.
	for _, o := range s.Obligations {
		if o.ID == proof.Headroom && o.Left.Value != g.Needs {
			t.Errorf("the group needs %d cells, the obligation says %d", g.Needs, o.Left.Value)
		}
	}
	must.Equalf(t, g.AtOnce, 40_737/g.Needs, "at once:")
	// A metre is 10 ns both ways: 500 B at 400 Gb/s, or 5.95 packets of 64 B with their 20 B of
	// gap, each a cell. The device computes with the frame and the cable that come: what it
	// reserves is what is needed, but for the rounding of clocks, and a longer cable is lost.
	if d := g.Reserves - g.Needs; d < -1 || d > 40 {
		t.Errorf("%d cells are reserved, %d needed", g.Reserves, g.Needs)
	}
	if g.LongestOwn == nil || *g.LongestOwn < 40*units.Metre || *g.LongestOwn > 47*units.Metre {
		t.Errorf("the longest cable of a port is %v", g.LongestOwn)
	}
	own := (40_737/2 - g.Needs) * 84 / 500 // metres that two groups of a part may have more
	if most := *g.LongestAll / units.Metre; int64(most) < 40+own-1 || int64(most) > 40+own+1 {
		t.Errorf("the longest cable of both is %d m, want %d", most, 40+own)
	}
	if p.Drops != 0 || s.Drops != "" || s.Verdict != Conditional {
		t.Errorf("drops %d, %q; %v", p.Drops, s.Drops, s.Verdict)
	}
}

// Where a cage could run at several speeds, there is a row for each.
func TestHeadroomPerSpeed(t *testing.T) {
	s := judge(t, Options{}, Text("junos.conf", []byte(oneCage+"interfaces { et-0/0/0 { mtu 9212; } et-0/0/1 { speed 800g; mtu 9212; } }\n"))).Switches[0]
	if len(s.Partitions) != 1 {
		t.Fatalf("%d partitions", len(s.Partitions))
	}
	var possible []string
	needs := int64(1 << 40)
	for _, g := range s.Partitions[0].Groups {
		if g.Possible {
			possible = append(possible, g.Speed.String())
			if g.Needs >= needs {
				t.Errorf("at %v %d cells are needed, at the faster speed %d", g.Speed, g.Needs, needs)
			}
			needs = g.Needs
		}
	}
	must.Equalf(t, strings.Join(possible, " "), "800Gbps 400Gbps 200Gbps 100Gbps", "possible are")
}

// A file that several boxes may have is judged for none, and has a table for each.
func TestHeadroomOfSeveralBoxes(t *testing.T) {
	s := judge(t, Options{}, Text("junos.conf", []byte(oneCage+"interfaces { et-0/0/40 { speed 400g; mtu 9212; } }\n"))).Switches[0]
	var chips []string
	for _, p := range s.Partitions {
		chips = append(chips, p.Chip)
	}
	// et-0/0/40 exceeds a QFX5130-32CD or QFX5220-32CD, and larger models of those series have it.
	if got := strings.Join(chips, " "); got != "trident4-x11 tomahawk3 tomahawk4 tomahawk5" || s.Verdict != NotJudged {
		t.Errorf("tables of %s, %v", got, s.Verdict)
	}
}

// Juniper's own designs for RDMA on the QFX5240 are judged. The most ports that may have packets at
// once follow by hand: a part has 138,817/2 = 69,408 cells of headroom, 190,874 shared at ingress
// and as many as both at egress, 260,282. Groups with alpha 8 hold 8n/(1+8n) of 190,874, and a
// queue with alpha 8 takes 8/9 of 260,282, 231,361. With 12 groups of 3,327 cells of headroom,
// 188,906 + 39,924 = 228,830 fit; with 13, 189,056 + 43,251 = 232,307 do not.
func TestJunipersDesigns(t *testing.T) {
	for _, name := range []string{"leaf1", "leaf2", "leaf4", "spine1", "spine2"} {
		text := must.Get(os.ReadFile(oracle.Data(t, "junos/"+name+"_qfx5240-64od.conf")))(t)
		s := judge(t, Options{}, Text(name+".conf", text)).Switches[0]
		if s.Verdict != Conditional || s.Chip != "tomahawk5" || s.AtOnce != 12 || len(s.Partitions) != 1 {
			t.Errorf("%s: %v on %q, %d at once, %d tables", name, s.Verdict, s.Chip, s.AtOnce, len(s.Partitions))
		}
		taken := 0
		for _, c := range s.Conditions {
			if c.ID == Taken && strings.HasPrefix(c.Assumes, "assumed: ") && c.Declare != "" {
				taken++
			}
		}
		if taken < 4 { // the chip, the base, the speeds, the response at 800 Gb/s
			t.Errorf("%s: %d conditions name what was assumed", name, taken)
		}
	}
}

// Of a group whose largest frame is not known nothing is said of what its device reserves.
func TestReservesOfUnknownFrames(t *testing.T) {
	catalogue, _ := chips.Load()
	chip, _ := catalogue.Find("tomahawk5")
	after := must.Get(proof.NewAfter(chip))(t)
	method, _ := headroom.For(chip, "ieee8021q")
	d := &divider{chip: chip, after: after, method: method}
	for mru, reserves := range map[units.Bytes]bool{0: false, 9216: true} {
		g := HeadroomDemand{MRU: mru, Told: 5 * units.Metre, Speed: 400 * units.Gbps, link: model.Link{Rate: 400 * units.Gbps, Cable: 5 * units.Metre, PortFrame: 9216, LosslessFrame: 9216}}
		if d.at(&g, g.Speed); (g.Reserves > 0) != reserves || (g.LongestOwn != nil) != reserves {
			t.Errorf("frames of %v: %d cells are reserved, for %v", mru, g.Reserves, g.LongestOwn)
		}
	}
}

// At worst those of as many cages as a half of the box has, 32 of 64, lie in one part of the buffer,
// whether or not another port carries lossy traffic.
func TestLossyPortsArePlacedNowhere(t *testing.T) {
	const bound = "et-* { congestion-notification-profile cnp; unit * { classifiers { dscp d; } } }"
	var bindings, cages strings.Builder
	for port := range 40 {
		bindings.WriteString(strings.Replace(bound, "*", fmt.Sprintf("0/0/%d", port), 1))
		fmt.Fprintf(&cages, "interfaces { et-0/0/%d { speed 800g; mtu 9212; } }\n", port)
	}
	for _, lossy := range []string{"", "interfaces { et-0/0/50 { speed 800g; mtu 9212; } }\n"} {
		s := judge(t, Options{}, Text("junos.conf", []byte(strings.Replace(oneCage, bound, bindings.String(), 1)+cages.String()+lossy))).Switches[0]
		if len(s.Partitions) != 1 {
			t.Fatalf("with %q: %d partitions", lossy, len(s.Partitions))
		}
		for _, g := range s.Partitions[0].Groups {
			if g.InPart != 32 || len(g.Ports) != 40 {
				t.Errorf("with %q: %d of %d ports in one part", lossy, g.InPart, len(g.Ports))
			}
		}
	}
}

// What is declared of a port's peer counts: its response, and not that of the standard.
func TestDeclaredResponse(t *testing.T) {
	catalogue, _ := chips.Load()
	chip, _ := catalogue.Find("tomahawk5")
	port := plan.Port{Name: "p", Speed: 400 * units.Gbps, Cable: 5 * units.Metre, MTU: 9216, QoS: &plan.PortQoS{}}
	sw := &plan.Switch{Ports: []plan.Port{port}}
	d := &divider{told: sw, sw: sw, chip: chip}
	standard := d.demand(0, &port, plan.PG{Lossless: true}).link.Response
	port.Assumed = &plan.Assumed{Declared: true, Response: plan.Of(7*units.Microsecond, nil)}
	// The queue is that of the lossless class of the group.
	sw.Classes = []plan.Class{{PG: 3, Queue: 1}, {PG: 4, Lossless: true, Queue: 2, TrafficClass: 2}, {PG: 3, Lossless: true, Queue: 5, TrafficClass: 5}, {PG: 3, Queue: 6, TrafficClass: 6}, {PG: 4, Lossless: true, Queue: 7, TrafficClass: 7}}
	must.Equalf(t, d.demand(0, &port, plan.PG{ID: 3, Lossless: true}).Queue, 5, "group 3 leaves from queue")
	if got := d.demand(0, &port, plan.PG{Lossless: true}).link.Response; got != 7*units.Microsecond || got == standard {
		t.Errorf("the peer answers in %v, by the standard in %v", got, standard)
	}
}

package verify

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/roceplan/roceplan/chips"
	"github.com/roceplan/roceplan/internal/testing/must"
	"github.com/roceplan/roceplan/model"
	"github.com/roceplan/roceplan/model/proof"
	"github.com/roceplan/roceplan/units"
)

// halves is a QFX5240 of which some ports have frames of 9216 B and twice as many those of 1518 B.
func halves(ports int) string {
	text := fanIn(0, 0, 66)
	text = strings.Replace(text, "interfaces {\n", "interfaces { et-* { congestion-notification-profile cnp; scheduler-map sm; unit * { classifiers { dscp d; } } }\n", 1)
	var b strings.Builder
	for i := range 3 * ports {
		mtu := ""
		if i < ports {
			mtu = "mtu 9212; "
		}
		fmt.Fprintf(&b, "interfaces { et-0/0/%d { speed 400g; %s} }\n", i, mtu)
	}
	return text + b.String()
}

// What a part lacks is what its groups need together less what it has, and the longest cables are those
// to the metre with which it has enough.
func TestPartitionSums(t *testing.T) {
	catalogue, _ := chips.Load()
	chip, _ := catalogue.Find("tomahawk5")
	for _, ports := range []int{1, 4, 20, 40} {
		s := judge(t, Options{Catalogue: catalogue, Chip: chip}, Text("junos.conf", []byte(halves(ports)))).Switches[0]
		if len(s.Partitions) != 1 || len(s.Partitions[0].Groups) != 2 {
			t.Fatalf("%d: %+v", ports, s.Partitions)
		}
		p := s.Partitions[0]
		after := must.Get(proof.NewAfter(s.chip))(t)
		needs := func(l model.Link, cable units.Length) int64 { l.Cable = cable; return after.Cells(l) }
		all, groups := int64(0), int64(0)
		for i, g := range p.Groups {
			if len(g.Ports) != (i+1)*ports || g.Needs != needs(g.link, 100*units.Metre) || g.AtOnce != p.Cells/g.Needs {
				t.Errorf("%d: %+v", ports, g)
			}
			all, groups = all+g.InPart*g.Needs, groups+g.InPart
		}
		// A part has half of 51.2 Tb/s, 64 ports of 400 Gb/s, and which they are is not known.
		if p.Drops != max(0, all-p.Cells) || p.DropGroups != groups || groups != int64(min(3*ports, 64)) || (p.Drops > 0) != (ports >= 20) {
			t.Errorf("%d: %d lacking of %d, for %d groups", ports, p.Drops, all, p.DropGroups)
		}
		for _, g := range p.Groups {
			if g.LongestOwn == nil || needs(g.link, *g.LongestOwn) > g.Reserves || needs(g.link, *g.LongestOwn+units.Metre) <= g.Reserves {
				t.Errorf("%d: the longest cable of a port is %v", ports, g.LongestOwn)
			}
			if g.InPart == 0 {
				continue
			}
			sum := func(cable units.Length) int64 { return all + g.InPart*(needs(g.link, cable)-g.Needs) }
			if g.LongestAll == nil {
				if sum(0) <= p.Cells {
					t.Errorf("%d: %+v: no cable is short enough", ports, g)
				}
			} else if sum(*g.LongestAll) > p.Cells || sum(*g.LongestAll+units.Metre) <= p.Cells {
				t.Errorf("%d: %+v: the longest cable of all is %v", ports, g, g.LongestAll)
			}
		}
		lost := fmt.Sprintf("drops in the headroom partition: %d cells, if %d groups in one part", p.Drops, groups)
		if got := slices.ContainsFunc(p.DropsAt(), func(text string) bool { return strings.HasPrefix(text, lost) }); got != (p.Drops > 0) {
			t.Errorf("%d: %q", ports, p.DropsAt())
		}
	}
}

// A chip of whose parts nothing is known has one. With 81,474 cells of headroom it holds all that.
func TestPartitionOfOnePart(t *testing.T) {
	catalogue, _ := chips.Load()
	chip, _ := catalogue.Find("tomahawk5")
	bare := *chip
	bare.Slices = chips.Datum[int]{}
	s := judge(t, Options{Catalogue: catalogue, Chip: &bare}, Text("junos.conf", []byte(halves(1)))).Switches[0]
	if len(s.Partitions) != 1 || s.Partitions[0].Parts != 1 || s.Partitions[0].Cells != 81_474 {
		t.Errorf("%+v", s.Partitions)
	}
}

// Where a group would drop is told by what it lacks of what the device reserves.
func TestDropsOfAGroup(t *testing.T) {
	p := &HeadroomPartition{Groups: []HeadroomDemand{
		{Ports: []string{"e1"}, PG: 3, Queue: 4, Speed: 400 * units.Gbps, Reserves: 10, Needs: 11}, {Ports: []string{"e2"}, Reserves: 10, Needs: 10}, {Ports: []string{"e3"}, Reserves: 0, Needs: 10}, {Ports: []string{"e4"}, Reserves: 1, Needs: 10},
	}}
	got := p.DropsAt()
	if len(got) != 2 || !strings.HasPrefix(got[0], "drops at e1 at 400Gbps, PG 3 (queue 4): 1 cells") || !strings.HasPrefix(got[1], "drops at e4 at ") || !strings.Contains(got[1], ": 9 cells") {
		t.Errorf("%q", got)
	}
}

// What the order of packets decides is attacked, and a verdict says how often.
func TestWhatIsOpenIsAttacked(t *testing.T) {
	s := judge(t, Options{}, Text("junos.conf", []byte(fanIn(7, 7, 66)))).Switches[0]
	if s.Verdict != NotJudged || !slices.ContainsFunc(s.Because, func(r Reason) bool {
		return strings.Contains(r.Message, "no lossless packet lost in ") && strings.Contains(r.Message, " attacks with ")
	}) {
		t.Errorf("%v: %v", s.Verdict, s.Because)
	}
}

package diff

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/hashicorp/hcl/v2"

	"github.com/roceplan/roceplan/diag"
	"github.com/roceplan/roceplan/plan"
	"github.com/roceplan/roceplan/units"
)

// While a lossless group moves from 3 to 4, both of them own headroom and reserve, 1,000 + 100 B more
// than before or after, which the shared part of a pool without a pool of headroom lacks.
func TestSharedWhileGroupsMove(t *testing.T) {
	sw := func(group uint8, size, headroom units.Bytes) *plan.Switch {
		pg := plan.PG{ID: group, Pool: "in", Lossless: true, Headroom: of(units.Bytes(1000)), Reserved: of(units.Bytes(100))}
		return &plan.Switch{Names: []string{"a"}, Pools: []plan.Pool{{Name: "in", Size: of(size), Headroom: of(headroom)}}, Ports: []plan.Port{{Name: "p", QoS: &plan.PortQoS{PGs: []plan.PG{pg}}}}}
	}
	for _, c := range []struct {
		name     string
		old, new *plan.Switch
		want     units.Bytes
	}{
		{"the group moves", sw(3, 10_000, 0), sw(4, 20_000, 0), 8900},
		{"it stays", sw(3, 10_000, 0), sw(3, 20_000, 0), 10_000},
		{"it moves in a pool of headroom", sw(3, 10_000, 5000), sw(4, 20_000, 5000), 10_000},
		{"all is taken", sw(3, 1000, 0), sw(4, 1000, 0), 0},
		{"a byte is left", sw(3, 1101, 0), sw(4, 1101, 0), 1},
	} {
		if got := Grown(c.old, c.new).Pools[0].Size.Value; got != c.want {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
		}
	}
}

// Code points are listed by the two devices between which they are not lossless.
func TestQuietList(t *testing.T) {
	got := quietList(map[int][2]string{0: {"a", "b"}, 1: {"a", "c"}, 2: {"d", "b"}, 3: {"a", "b"}, 63: {"d", "b"}})
	if diff := cmp.Diff([]Quiet{{[]uint8{0, 3}, "a", "b"}, {[]uint8{1}, "a", "c"}, {[]uint8{2, 63}, "d", "b"}}, got); diff != "" {
		t.Error(diff)
	}
}

// A datum of another chip stands for the chip; of one kind of source or the other it is itself.
func TestLeafCause(t *testing.T) {
	why := func(kind plan.Kind, id string) *plan.Why {
		return &plan.Why{Kind: kind, Name: "cell", ID: id, Value: units.Bytes(254)}
	}
	for _, c := range []struct {
		a, b *plan.Why
		want string
		kind plan.Kind
	}{
		{why(plan.Catalogue, "trident3"), why(plan.Catalogue, "tomahawk5"), "chip", plan.Catalogue},
		{why(plan.Catalogue, "trident3"), why(plan.Catalogue, "trident3"), "cell", plan.Catalogue},
		{why(plan.Catalogue, "trident3"), why(plan.Given, "tomahawk5"), "cell", plan.Given},
		{why(plan.Given, "trident3"), why(plan.Catalogue, "tomahawk5"), "cell", plan.Catalogue},
	} {
		if got := leafCause(c.a, c.b); got.Name != c.want || got.Kind != c.kind {
			t.Errorf("%v and %v: %q, %v, want %q, %v", c.a, c.b, got.Name, got.Kind, c.want, c.kind)
		}
	}
}

// While a class goes from group 3 to group 4, group 3 holds what the larger of both does: it is
// used until the switch is through.
func TestHeadroomWhileAClassMoves(t *testing.T) {
	sw := func(group uint8, headroom units.Bytes, lossless bool) *plan.Switch {
		s := &plan.Switch{Names: []string{"a"}, Ports: []plan.Port{{Name: "p", QoS: &plan.PortQoS{PGs: []plan.PG{{ID: group, Lossless: lossless, Headroom: of(headroom)}}}}}}
		for i := range uint8(8) {
			s.Maps.TCToPG[i], s.Maps.PFCToPG[i], s.Maps.TCToQueue[i], s.Maps.PFCToQueue[i] = 0, i, i, i
		}
		s.Maps.TCToPG[3], s.Maps.PFCToPG[3], s.Maps.DSCPToTC[26] = group, group, 3
		if lossless {
			s.Ports[0].QoS.PFC = 1 << 3
		}
		return s
	}
	for _, c := range []struct {
		name     string
		old, new *plan.Switch
		want     map[uint8]units.Bytes
	}{
		{"to a larger one", sw(3, 1000, true), sw(4, 2000, true), map[uint8]units.Bytes{3: 2000, 4: 2000}},
		{"to a smaller one", sw(3, 2000, true), sw(4, 1000, true), map[uint8]units.Bytes{3: 2000, 4: 1000}},
		{"to the same", sw(3, 1000, true), sw(3, 2000, true), map[uint8]units.Bytes{3: 2000}},
	} {
		got := map[uint8]units.Bytes{}
		for _, pg := range Grown(c.old, c.new).Ports[0].QoS.PGs {
			got[pg.ID] = pg.Headroom.Value
		}
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", c.name, diff)
		}
	}
}

// A weight counts where neither side is strict.
func TestWeightOfStrictQueues(t *testing.T) {
	sw := func(strict bool, weight int64) *plan.Switch {
		return &plan.Switch{Names: []string{"a"}, Ports: []plan.Port{{Name: "p", QoS: &plan.PortQoS{Queues: []plan.Queue{{ID: 3, Scheduler: plan.Scheduler{Strict: strict, Weight: of(weight)}}}}}}}
	}
	for _, c := range []struct {
		old, new *plan.Switch
		want     []string
	}{
		{sw(false, 1), sw(false, 2), []string{"weight"}}, {sw(true, 1), sw(true, 2), nil}, {sw(true, 1), sw(false, 2), []string{"strict"}}, {sw(false, 1), sw(true, 2), []string{"strict"}},
	} {
		var got []string
		for _, change := range Compare(&plan.Plan{Switches: []*plan.Switch{c.old}}, &plan.Plan{Switches: []*plan.Switch{c.new}}).Changes {
			got = append(got, change.Quantity)
		}
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("(-want +got):\n%s", diff)
		}
	}
}

// Findings that share their lines do not change one another's: what is merged is sorted, and joined.
func TestMergedLinesAreOwn(t *testing.T) {
	line := func(n int) diag.Range { return diag.Range{Filename: "f.hcl", Start: hcl.Pos{Line: n}} }
	shared := []diag.Range{line(3), line(1)}
	m := &merger{changes: map[key]*merged{}}
	m.add(finding{change: Change{Quantity: "x", Old: "1", New: "2", Causes: []Cause{{Name: "c", At: shared[:1:2]}}}}, []string{"a"}, noPorts)
	m.add(finding{change: Change{Quantity: "x", Old: "1", New: "2", Causes: []Cause{{Name: "c", At: []diag.Range{line(2)}}}}}, []string{"b"}, noPorts)
	all := m.finish()
	if len(all) != 1 || !cmp.Equal([]diag.Range{line(2), line(3)}, all[0].Causes[0].At) || !cmp.Equal([]diag.Range{line(3), line(1)}, shared) {
		t.Errorf("%+v, and what they share is %v", all, shared)
	}
}

// Classes of both plans are there while a switch changes, the first and the last of eight too; of one
// that both have it is the new one, unless the old one is lossless.
func TestClassesWhileASwitchChanges(t *testing.T) {
	sw := func(lossless uint8, names ...string) *plan.Switch {
		s := &plan.Switch{Names: []string{"a"}, Ports: []plan.Port{{Name: "p", QoS: &plan.PortQoS{}}}}
		for i := range uint8(8) {
			s.Maps.TCToQueue[i], s.Maps.PFCToQueue[i], s.Maps.PFCToPG[i], s.Maps.TCToPG[i] = i, i, i, i
		}
		for tc, name := range names {
			if name != "" {
				s.Classes = append(s.Classes, plan.Class{Name: name, TrafficClass: uint8(tc), Lossless: lossless>>tc&1 == 1})
			}
		}
		for tc := range uint8(8) {
			if lossless>>tc&1 == 1 {
				s.Ports[0].QoS.PFC |= 1 << tc
				s.Ports[0].QoS.PGs = append(s.Ports[0].QoS.PGs, plan.PG{ID: tc, Lossless: true})
			}
		}
		return s
	}
	old := sw(1<<3, "zero", "", "", "three", "", "", "", "seven")
	now := sw(0, "0", "", "", "3", "4", "", "", "")
	var got []string
	for _, class := range Grown(old, now).Classes {
		got = append(got, class.Name)
	}
	if diff := cmp.Diff([]string{"0", "three", "4", "seven"}, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// A port that is new is told even if nothing is said of it.
func TestBarePortIsTold(t *testing.T) {
	bare := &plan.Switch{Names: []string{"a"}, Ports: []plan.Port{{Name: "p"}}}
	none := &plan.Switch{Names: []string{"a"}}
	for _, c := range []struct {
		old, new *plan.Switch
		want     Kind
	}{{none, bare, Added}, {bare, none, Removed}} {
		all := Compare(&plan.Plan{Switches: []*plan.Switch{c.old}}, &plan.Plan{Switches: []*plan.Switch{c.new}}).Changes
		if len(all) != 1 || all[0].Kind != c.want {
			t.Errorf("%+v, want one that is %v", all, c.want)
		}
	}
}

// NICs of a kind are at a port that leads to them before or after the change.
func TestServes(t *testing.T) {
	sw := func(peer string) *plan.Switch { return &plan.Switch{Ports: []plan.Port{{Name: "p", Peer: peer}}} }
	for _, c := range []struct {
		old, new *plan.Switch
		want     bool
	}{
		{sw("nic"), sw("nic"), true}, {sw("nic"), sw("other"), true}, {sw("other"), sw("nic"), true}, {sw("other"), sw("other"), false}, {nil, sw("nic"), true}, {sw("nic"), nil, true}, {nil, sw("other"), false}, {nil, nil, false},
	} {
		for _, port := range []string{"p", "q"} {
			e := spanEnd{&group{states: [4]*plan.Switch{0: c.old, 3: c.new}}, []string{"r", port}}
			if got := e.serves("nic"); got != (c.want && port == "p") {
				t.Errorf("%+v, port %s: %v", c, port, got)
			}
		}
	}
}

package diff

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/hashicorp/hcl/v2"

	"github.com/roceplan/roceplan/diag"
	"github.com/roceplan/roceplan/internal/testing/must"
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
		must.Equalf(t, Grown(c.old, c.new).Pools[0].Size.Value, c.want, "%s:", c.name)
	}
}

// While a port changes, PFC is on for the priorities of both ends, and the watchdog leaves alone only what it leaves alone or
// what has no PFC at both: it watches 3 before and 4 afterwards.
func TestWatchedWhileAPortChanges(t *testing.T) {
	port := func(pfc, unwatched uint8) *plan.Switch {
		return &plan.Switch{Names: []string{"a"}, Ports: []plan.Port{{Name: "p", QoS: &plan.PortQoS{Watchdog: true, PFC: pfc, Unwatched: unwatched}}}}
	}
	for name, c := range map[string]struct {
		old, new       *plan.Switch
		pfc, unwatched uint8
	}{
		"one each":           {port(1<<3|1<<4|1<<5, 1<<4|1<<5), port(1<<3|1<<4|1<<5, 1<<3|1<<5), 1<<3 | 1<<4 | 1<<5, 1 << 5},
		"one has it at last": {port(1<<3, 0), port(1<<3|1<<4, 1<<4), 1<<3 | 1<<4, 1 << 4},
		"none is watched":    {port(1<<3, 1<<3), port(1<<4, 1<<4), 1<<3 | 1<<4, 1<<3 | 1<<4},
	} {
		if q := Grown(c.old, c.new).Ports[0].QoS; q.PFC != c.pfc || q.Unwatched != c.unwatched {
			t.Errorf("%s: PFC %08b, unwatched %08b, want %08b and %08b", name, q.PFC, q.Unwatched, c.pfc, c.unwatched)
		}
	}
}

// Code points are listed by the two devices between which they are not lossless.
func TestQuietList(t *testing.T) {
	got := quietList(map[int][2]string{0: {"a", "b"}, 1: {"a", "c"}, 2: {"d", "b"}, 3: {"a", "b"}, 63: {"d", "b"}})
	must.NoDiff(t, cmp.Diff([]Quiet{{[]uint8{0, 3}, "a", "b"}, {[]uint8{1}, "a", "c"}, {[]uint8{2, 63}, "d", "b"}}, got))
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
		must.NoDiffIn(t, cmp.Diff(c.want, got), "%s (-want +got):", c.name)
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
		must.NoDiffIn(t, cmp.Diff(c.want, got), "(-want +got):")
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
	must.NoDiffIn(t, cmp.Diff([]string{"0", "three", "4", "seven"}, got), "(-want +got):")
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
			must.Equalf(t, e.serves("nic"), c.want && port == "p", "%+v, port %s:", c, port)
		}
	}
}

// Lossy traffic goes to its new group, unless packets in it are paused before or after, and in the old
// group neither.
func TestPlaceOfLossyTraffic(t *testing.T) {
	sw := func(groups ...uint8) *plan.Switch {
		s := &plan.Switch{Ports: []plan.Port{{QoS: &plan.PortQoS{}}}}
		for i := range uint8(8) {
			s.Maps.PFCToPG[i] = i
		}
		for _, id := range groups {
			s.Ports[0].QoS.PFC |= 1 << id
			s.Ports[0].QoS.PGs = append(s.Ports[0].QoS.PGs, plan.PG{ID: id, Lossless: true})
		}
		return s
	}
	b := blend{old: sw(1, 3), new: sw(5, 7)}
	paused := map[uint8]bool{1: true, 3: true, 5: true, 7: true}
	for was := range uint8(8) {
		for is := range uint8(8) {
			want := is
			if paused[is] && !paused[was] {
				want = was
			}
			must.Equalf(t, b.lossyPG(was, is), want, "from %d to %d:", was, is)
		}
	}
}

// What a pool lacks for a while: what its groups have together on the way, less what they have in the
// plan that gives them more.
func TestTransientHeadroom(t *testing.T) {
	port := func(name string, headroom, reserved units.Bytes) plan.Port {
		return plan.Port{Name: name, QoS: &plan.PortQoS{PGs: []plan.PG{{ID: 3, Pool: "in", Headroom: of(headroom), Reserved: of(reserved)}}}}
	}
	old := &plan.Switch{Ports: []plan.Port{port("a", 100, 10), port("b", 40, 1), port("gone", 7, 0)}}
	now := &plan.Switch{Ports: []plan.Port{port("a", 30, 10), port("b", 90, 2), port("came", 5, 0)}}
	b := blend{old: old, new: now}
	ports := []plan.Port{port("a", 100, 10), port("b", 90, 2), port("came", 5, 0), port("gone", 7, 0), {Name: "bare"}}
	// 214 B on the way, 158 B before and 137 B after.
	if got, most := b.transient(ports); got["in"] != (held{own: 56}) || most["in"] != 0 {
		t.Errorf("%v of %v, want 56 of their own", got, most)
	}
	b.new = &plan.Switch{Ports: []plan.Port{port("a", 190, 10)}} // 200 B after
	if got, most := b.transient(ports); got["in"] != (held{own: 14}) || most["in"] != 0 {
		t.Errorf("%v of %v, want 14 of their own", got, most)
	}
	// Of a headroom pool, 202 B on the way, 147 B before and 190 B after; of their own 12 B, 11 B and 10 B.
	old.Pools, b.grown.TCToPG[0] = []plan.Pool{{Name: "in", Headroom: of(units.Bytes(1))}}, 3
	if got, most := b.transient(ports); got["in"] != (held{12, 1}) || most["in"] != 190 {
		t.Errorf("%v of %v, want 12 and 1 of 190", got, most)
	}
}

// A port has what both plans give it, or the one that gives it anything; in the order of names.
func TestPortsOfBothPlans(t *testing.T) {
	a, c := &plan.PortQoS{PFC: 1 << 3}, &plan.PortQoS{PFC: 1 << 4}
	b := blend{old: &plan.Switch{}, new: &plan.Switch{}}
	if b.qos(a, a) != a || b.qos(nil, a) != a || b.qos(a, nil) != a || b.qos(nil, nil) != nil {
		t.Error("of one there is another")
	}
	if got := b.qos(a, c); got == a || got == c || got.PFC != 1<<3|1<<4 || a.PFC != 1<<3 || c.PFC != 1<<4 {
		t.Errorf("of both: %+v", got)
	}
	groups := b.qos(&plan.PortQoS{PGs: []plan.PG{{ID: 3}}}, &plan.PortQoS{PGs: []plan.PG{{ID: 4}, {ID: 0}}}).PGs
	if len(groups) != 3 || groups[0].ID != 0 || groups[1].ID != 3 || groups[2].ID != 4 {
		t.Errorf("groups are not in their order: %+v", groups)
	}
	// A group is paused by a priority that is mapped to it and on.
	sw := &plan.Switch{Ports: []plan.Port{{QoS: &plan.PortQoS{PFC: 1 << 4, PGs: []plan.PG{{ID: 3, Lossless: true}, {ID: 4}}}}}}
	sw.Maps.PFCToPG[3], sw.Maps.PFCToPG[4] = 3, 4
	must.Equalf(t, pausedPGs(sw), [8]bool{}, "groups without their priority, or without loss to avoid, are paused:")
	b.old.Ports = []plan.Port{{Name: "e1", Speed: 100, MTU: 9216, Cable: 5, Lanes: []int{1}}, {Name: "e9"}, {Name: "e2", Speed: 400, MTU: 1500, Cable: 7, Lanes: []int{2}}}
	b.new.Ports = []plan.Port{{Name: "e10"}, {Name: "e2", Speed: 100, MTU: 9216, Cable: 3, Lanes: []int{3}}, {Name: "e1", Speed: 400, MTU: 1500, Cable: 9, Lanes: []int{4}}}
	var got []string
	for _, p := range b.ports() {
		got = append(got, fmt.Sprint(p.Name, " ", int64(p.Speed), " ", int64(p.MTU), " ", int64(p.Cable), " ", p.Lanes))
	}
	must.NoDiffIn(t, cmp.Diff([]string{"e1 100 1500 9 [1]", "e2 100 1500 7 [3]", "e9 0 0 0 []", "e10 0 0 0 []"}, got), "(-want +got):")
}

// In which of the states that two ends of a cable may be in together a code point must not be sent: all
// but those of the two plans, and those where one end is through before the other has grown.
func TestStatesOfTwoEnds(t *testing.T) {
	between := map[[2]int]bool{{0, 1}: true, {1, 0}: true, {1, 1}: true, {1, 2}: true, {2, 1}: true}
	for i := range 3 {
		for j := range 3 {
			// The receiver pauses by another priority in each state, and the sender stops its queue for
			// all of them, but in one state for one.
			var sender, receiver [3]end
			for k := range 3 {
				s := &plan.Switch{Ports: []plan.Port{{Name: "p", QoS: &plan.PortQoS{PFC: 0xff}}}}
				for p := range s.Maps.PFCToQueue {
					s.Maps.PFCToQueue[p] = 3
				}
				s.Maps.DSCPToTC[63], s.Maps.TCToQueue[3] = 3, 3
				if k == i {
					s.Maps.PFCToQueue[j] = 5
				}
				r := &plan.Switch{Ports: []plan.Port{{Name: "p", QoS: &plan.PortQoS{PFC: 0xff, PGs: []plan.PG{{ID: 3, Lossless: true}}}}}}
				r.Maps.DSCPToTC[63], r.Maps.TCToPG[3], r.Maps.PFCToPG[k] = 3, 3, 3
				sender[k], receiver[k] = end{s, &s.Ports[0]}, end{r, &r.Ports[0]}
			}
			got := slices.Contains(unkept(sender, receiver), 63)
			must.Equalf(t, got, between[[2]int{i, j}], "lost with the sender in state %d and the receiver in %d:", i, j)
		}
	}
}

// Of several reasons those stand that the user can do something about: a line that he changed before
// data that are looked up by it, another chip before its data, and roceplan's own choices last.
func TestSettledCauses(t *testing.T) {
	user := Cause{Name: "user", Kind: plan.Given, At: []diag.Range{{Filename: "f.hcl"}}}
	given, own := Cause{Name: "given", Kind: plan.Given}, Cause{Name: "own", Kind: plan.Default}
	chip, datum := Cause{Name: chipCause, Kind: plan.Catalogue}, Cause{Name: "datum", Kind: plan.Catalogue}
	standard, formula := Cause{Name: "standard", Kind: plan.Standard}, Cause{Name: "formula", Kind: plan.Formula}
	for _, c := range []struct {
		all  []Cause
		want string
	}{
		{[]Cause{own}, "own"}, {[]Cause{own, datum}, "datum"}, {[]Cause{own, user}, "user"}, {[]Cause{datum, standard, formula}, "datum formula standard"},
		{[]Cause{user, datum, standard, formula}, "user formula"}, {[]Cause{given, datum, formula}, "datum formula given"}, {[]Cause{chip, datum, standard, formula}, chipCause},
		{[]Cause{chip, user, formula}, "user " + chipCause}, {[]Cause{own, given, own}, "given"}, {[]Cause{datum, datum}, "datum"},
	} {
		var got []string
		for _, kept := range settle(c.all) {
			got = append(got, kept.Name)
		}
		must.Equalf(t, strings.Join(got, " "), c.want, "%v:", c.all)
	}
}

// Files of SONiC, Junos and Cumulus Linux hold how long cables are. A switch with another cable gets a step for
// it, even where nothing else of it is known to change.
func TestCablesAreTold(t *testing.T) {
	for os, want := range map[string]bool{"sonic": true, "junos": true, "cumulus": true, "eos": false, "srlinux": false, "openconfig": false} {
		with := func(cable units.Length) *plan.Switch {
			return &plan.Switch{OS: os, Ports: []plan.Port{{Name: "p1", Cable: cable}}}
		}
		must.Equalf(t, differ(with(60*units.Metre), with(40*units.Metre)), want, "%s: another cable is a change of the file:", os)
	}
}

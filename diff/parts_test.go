package diff

import (
	"testing"

	"github.com/google/go-cmp/cmp"

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
	}{
		{why(plan.Catalogue, "trident3"), why(plan.Catalogue, "tomahawk5"), "chip"},
		{why(plan.Catalogue, "trident3"), why(plan.Catalogue, "trident3"), "cell"},
		{why(plan.Catalogue, "trident3"), why(plan.Given, "tomahawk5"), "cell"},
		{why(plan.Given, "trident3"), why(plan.Catalogue, "tomahawk5"), "cell"},
	} {
		if got := leafCause(c.a, c.b); got.Name != c.want {
			t.Errorf("%v and %v: %q, want %q", c.a, c.b, got.Name, c.want)
		}
	}
}

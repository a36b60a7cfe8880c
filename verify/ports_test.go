package verify

import (
	"slices"
	"testing"

	"github.com/roceplan/roceplan/chips"
	"github.com/roceplan/roceplan/plan"
	"github.com/roceplan/roceplan/read"
	"github.com/roceplan/roceplan/units"
)

// A chip is inferred where one box alone is possible, for a file with a lossless group.
func TestChipByPorts(t *testing.T) {
	catalogue, _ := chips.Load()
	lossless := &plan.PortQoS{PGs: []plan.PG{{ID: 3, Lossless: true}}}
	for _, c := range []struct {
		possible []string
		qos      *plan.PortQoS
		want     bool
	}{
		{[]string{"tomahawk5"}, lossless, true}, {[]string{"tomahawk5"}, &plan.PortQoS{}, false}, {[]string{"tomahawk5"}, nil, false}, {nil, lossless, false},
		{[]string{"tomahawk5", "tomahawk4"}, lossless, false}, {[]string{"no such chip"}, lossless, false},
	} {
		s := &Switch{Plan: &plan.Switch{Ports: []plan.Port{{QoS: c.qos}}}, shape: &Shape{Format: read.Format{Chips: func(*plan.Switch) []string { return c.possible }}}}
		New(Options{Catalogue: catalogue}).byPorts(s)
		if (s.chip != nil) != c.want || (len(s.taken) == 1) != c.want {
			t.Errorf("%v: %v, %+v", c.possible, s.chip, s.taken)
		}
	}
	if v := New(Options{Catalogue: catalogue}); v.Catalogue != catalogue {
		t.Error("the catalogue that a caller gives is not used")
	}
}

// Speeds that a cage may have are its fastest and those from an eighth of it whose response is published:
// of 800 Gb/s it is not.
func TestSlowerSpeeds(t *testing.T) {
	catalogue, _ := chips.Load()
	for name, c := range map[string]struct{ fastest, least units.BitRate }{"tomahawk5": {800, 100}, "tomahawk6": {1600, 200}, "tomahawk4": {400, 50}} {
		chip, _ := catalogue.Find(name)
		var want []units.BitRate
		for _, speed := range []units.BitRate{1600, 800, 400, 200, 100, 50} {
			if has := slices.Contains(chip.PortSpeeds.Or(nil), speed*units.Gbps); has && (speed == c.fastest || speed <= 400 && speed < c.fastest && speed >= c.least) {
				want = append(want, speed*units.Gbps)
			}
		}
		if got := slower(chip, c.fastest*units.Gbps); !slices.Equal(got, want) || len(want) < 2 {
			t.Errorf("%s: %v, want %v", name, got, want)
		}
	}
}

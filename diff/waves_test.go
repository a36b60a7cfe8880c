package diff

import (
	"fmt"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/roceplan/roceplan/plan"
	"github.com/roceplan/roceplan/units"
)

// pods are two pods of two ToRs and four leaves each, under four spines, of which each leaf has
// two links to two: leaves 1 and 2 to spines 1 and 2, leaves 3 and 4 to spines 3 and 4.
func pods() *plan.Plan {
	p := &plan.Plan{}
	add := func(role string, names ...string) {
		p.Switches = append(p.Switches, &plan.Switch{Role: role, Names: names})
	}
	for pod := range 2 {
		for leaf := range 4 {
			name := fmt.Sprintf("leaf-%d-%d", pod+1, leaf+1)
			add("leaf", name)
			for tor := range 2 {
				p.Links = append(p.Links, plan.Link{A: plan.LinkEnd{Switch: fmt.Sprintf("tor-%d-%d", pod+1, tor+1)}, B: plan.LinkEnd{Switch: name}})
			}
			for spine := range 2 {
				for range 2 {
					p.Links = append(p.Links, plan.Link{A: plan.LinkEnd{Switch: name}, B: plan.LinkEnd{Switch: fmt.Sprintf("spine-%d", 2*(leaf/2)+spine+1)}})
				}
			}
		}
		add("tor", fmt.Sprintf("tor-%d-1", pod+1), fmt.Sprintf("tor-%d-2", pod+1))
	}
	add("spine", "spine-1", "spine-2", "spine-3", "spine-4")
	return p
}

// The first device is drained alone; then one of each group of devices that replace one another,
// or as many as leave every other device its share of links.
func TestWaves(t *testing.T) {
	leaves := []string{"leaf-1-1", "leaf-1-2", "leaf-1-3", "leaf-1-4", "leaf-2-1", "leaf-2-2", "leaf-2-3", "leaf-2-4"}
	for _, c := range []struct {
		name    string
		devices []string
		keep    units.Ratio
		want    [][]string
	}{
		{"nothing", nil, 0, nil},
		{"one of each group", leaves, 0, [][]string{{"leaf-1-1"}, {"leaf-1-2", "leaf-1-3", "leaf-2-1", "leaf-2-3"}, {"leaf-1-4", "leaf-2-2", "leaf-2-4"}}},
		// A ToR has 4 leaves, a spine 4: half of them are 2.
		{"half", leaves, 50 * units.Percent, [][]string{{"leaf-1-1"}, {"leaf-1-2", "leaf-1-3", "leaf-2-1", "leaf-2-3"}, {"leaf-1-4", "leaf-2-2", "leaf-2-4"}}},
		{"three quarters", leaves, 75 * units.Percent, [][]string{{"leaf-1-1"}, {"leaf-1-2", "leaf-2-3"}, {"leaf-1-3", "leaf-2-1"}, {"leaf-1-4", "leaf-2-2"}, {"leaf-2-4"}}},
		{"more than one leaves", leaves[:2], 80 * units.Percent, [][]string{{"leaf-1-1"}, {"leaf-1-2"}}},
		{"both tiers", []string{"spine-1", "tor-1-1", "tor-2-1"}, 0, [][]string{{"spine-1"}, {"tor-1-1", "tor-2-1"}}},
		{"order of the names", []string{"spine-2", "spine-1"}, 0, [][]string{{"spine-1"}, {"spine-2"}}},
	} {
		var got [][]string
		for _, w := range Waves(pods(), c.devices, c.keep) {
			got = append(got, w.Devices)
			if w.Cut != nil {
				t.Errorf("%s: %v cuts %v off", c.name, w.Devices, w.Cut)
			}
		}
		if d := cmp.Diff(c.want, got); d != "" {
			t.Errorf("%s (-want +got):\n%s", c.name, d)
		}
	}
}

// Devices without another way are named.
func TestWaveCuts(t *testing.T) {
	p := &plan.Plan{Switches: []*plan.Switch{{Role: "leaf", Names: []string{"leaf"}}, {Role: "tor", Names: []string{"tor-1", "tor-2"}}}}
	for _, tor := range p.Switches[1].Names {
		p.Links = append(p.Links, plan.Link{A: plan.LinkEnd{Switch: tor}, B: plan.LinkEnd{Switch: "leaf"}}, plan.Link{A: plan.LinkEnd{Switch: tor}})
	}
	waves := Waves(p, []string{"leaf"}, 50*units.Percent)
	if len(waves) != 1 || !slices.Equal(waves[0].Cut, []string{"tor-1", "tor-2"}) {
		t.Errorf("%v", waves)
	}
	if waves := Waves(p, []string{"tor-1", "tor-2"}, 50*units.Percent); len(waves) != 2 || waves[0].Cut != nil {
		t.Errorf("%v", waves)
	}
}

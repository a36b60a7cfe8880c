package patch_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/roceplan/roceplan/diag"
	"github.com/roceplan/roceplan/emit/sonic"
	"github.com/roceplan/roceplan/patch"
	"github.com/roceplan/roceplan/plan"
)

// overlay is what a switch is told by a patch.
func overlay(t *testing.T, sw *plan.Switch) []byte {
	files, found := sonic.Overlay(sw)
	if found.HasErrors() {
		t.Fatalf("refused: %v", found)
	}
	return files[0].Body.AppendFor(nil, sw.Names[0])
}

// Through several compiled configurations: applied one after another, the patches of each
// give what a switch is told by it, or there is none and the reason is told.
func TestDeviceIsChangedAgainAndAgain(t *testing.T) {
	safe := 0
	for seed := range 6 {
		drawn := rapid.Custom(func(t *rapid.T) *plan.Switch { return fabric(t, false) })
		first := drawn.Example(seed)
		device, _ := patch.NewDevice(first, "leaf-01")
		text := overlay(t, first)
		for next := range 3 {
			to := drawn.Example(100 + 10*seed + next)
			p, found := device.Change(to, nil)
			if p == nil {
				if !found.HasErrors() {
					t.Fatal("there is no patch, and no reason")
				}
				continue
			}
			safe++
			for _, step := range p.Steps {
				text = apply(t, text, step.Operations...)
			}
			if d := cmp.Diff(identity(parse(t, overlay(t, to))), identity(parse(t, text))); d != "" {
				t.Fatalf("seed %d, change %d: elsewhere (-want +got):\n%s", seed, next, d)
			}
		}
	}
	if safe < 6 {
		t.Errorf("only %d changes had a safe order", safe)
	}
}

// What no patch makes is refused at the line that asks for it.
func TestChangeRefuses(t *testing.T) {
	for _, c := range []struct {
		code diag.Code
		edit func(*plan.Switch)
	}{
		{patch.PortMissing, func(sw *plan.Switch) { sw.Ports[0].Name = "Ethernet77/1" }},
		{patch.PortDiffers, func(sw *plan.Switch) { sw.Ports[0].Speed /= 2 }},
	} {
		from := rapid.Custom(func(t *rapid.T) *plan.Switch { return fabric(t, false) }).Example(1)
		to := *from
		to.Ports = append([]plan.Port{}, from.Ports...)
		c.edit(&to)
		if p, found := changed(t, from, &to); p != nil || !found.HasErrors() || found[0].Code != c.code {
			t.Errorf("%s: %v", c.code, found)
		}
	}
}

func changed(t *testing.T, from, to *plan.Switch) (*patch.Patch, diag.List) {
	device, found := patch.NewDevice(from, "leaf-01")
	if device == nil {
		t.Fatal(found)
	}
	return device.Change(to, nil)
}

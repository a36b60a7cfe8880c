package patch_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/roceplan/roceplan/chips"
	"github.com/roceplan/roceplan/diag"
	"github.com/roceplan/roceplan/emit/sonic"
	"github.com/roceplan/roceplan/patch"
	"github.com/roceplan/roceplan/plan"
)

// overlay returns the document that a patch gives a switch.
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
			want := parse(t, overlay(t, to))
			if d := cmp.Diff(identity(want), identity(parse(t, text).tidied(want))); d != "" {
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
		{"sonic-plan-incomplete", func(sw *plan.Switch) { sw.BufferModel = plan.DynamicModel }},
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

// Two lossless classes share rows of BUFFER_PG, and one of them goes: PFC of the other is off
// while its groups move to rows of their own. That is said, and what a judge says of it too.
func TestChangeSaysWhatIsLost(t *testing.T) {
	catalogue, _ := chips.Load()
	device, found := patch.NewDevice(variant(t, catalogue, "trident3", storage, 3, "40m", "15%"), "tor-1")
	if device == nil {
		t.Fatal(found)
	}
	asked := 0
	p, found := device.Change(variant(t, catalogue, "trident3", "", 3, "40m", "15%"), func([]byte) (map[string]bool, error) {
		if asked++; asked <= 2 { // of both ends
			return nil, nil
		}
		return map[string]bool{"the headroom is gone": true}, nil
	})
	i := slices.IndexFunc(found, func(d diag.Diagnostic) bool { return d.Code == patch.Interrupted })
	if p == nil || i < 0 || !strings.HasSuffix(found[i].Message, `: after the step "quiet the watchdog", the headroom is gone`) {
		t.Errorf("there is a patch: %v; %v", p != nil, found)
	}
}

func changed(t *testing.T, from, to *plan.Switch) (*patch.Patch, diag.List) {
	device, found := patch.NewDevice(from, "leaf-01")
	if device == nil {
		t.Fatal(found)
	}
	return device.Change(to, nil)
}

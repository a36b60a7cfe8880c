package headroom_test

import (
	"testing"

	"github.com/roceplan/roceplan/calc/headroom"
	"github.com/roceplan/roceplan/units"
)

// What holds of every method on every chip: what is explained is what is computed, cells hold the
// bytes and no cell more, a longer cable, larger frames or a slower gearbox never need less, and
// what is not an input is refused by both.
func TestEveryMethod(t *testing.T) {
	tried := map[string]bool{}
	for _, chip := range catalogue(t).Chips() {
		cell, memory := chip.HeadroomCell.Or(chip.CellSize.Or(0)), chip.CellSize.Or(0) // some chips count headroom in units of its own
		for _, name := range headroom.Names() {
			m, err := headroom.For(chip, name)
			if err != nil {
				continue
			}
			for _, speed := range []units.BitRate{10 * units.Gbps, 25 * units.Gbps, 100 * units.Gbps, 400 * units.Gbps} {
				in := headroom.Defaults()
				in.Speed, in.Cable = speed, 40*units.Metre
				r, err := m.Compute(in)
				explained, why, explainErr := m.Explain(in)
				if (err == nil) != (explainErr == nil) || r != explained {
					t.Errorf("%s, %s at %v: computed %+v, %v, and explained %+v, %v", chip.Name, name, speed, r, err, explained, explainErr)
				}
				if err != nil {
					continue
				}
				tried[name] = true
				if why.XOff.Value != r.XOff || why.XOn != nil && why.XOn.Value != r.XOn || why.Size != nil && why.Size.Value != r.Size {
					t.Errorf("%s, %s at %v: %+v is explained by %v", chip.Name, name, speed, r, why.XOff.Value)
				}
				cell := cell
				if name == "ieee8021q" && memory > 0 {
					cell = min(cell, memory) // frames are packed into what a packet is charged in
				}
				if cell > 0 && r.Cells != r.XOff.CeilCells(cell) && (name != "worst-case" || r.Cells != r.XOff.CeilCells(memory)) {
					t.Errorf("%s, %s at %v: %d cells for %v in cells of %v", chip.Name, name, speed, r.Cells, r.XOff, cell)
				}
				for what, more := range map[string]func(in *headroom.Input){
					"a cable of 300 m": func(in *headroom.Input) { in.Cable = 300 * units.Metre }, "a cable of 41 m": func(in *headroom.Input) { in.Cable += units.Metre },
					"a port MTU of 9,216 B": func(in *headroom.Input) { in.PortMTU = 9216 }, "lossless frames of 4,200 B": func(in *headroom.Input) { in.LosslessMTU = 4200 },
					"a gearbox": func(in *headroom.Input) { in.Gearbox = 500 * units.Nanosecond },
				} {
					larger := in
					more(&larger)
					// NVIDIA's calculator takes small packets for a part of the lossless MTU: the larger
					// that is, the fewer they are.
					if got, err := m.Compute(larger); err == nil && got.XOff < r.XOff && (name != "spectrum" || larger.LosslessMTU == in.LosslessMTU) {
						t.Errorf("%s, %s at %v: %v, and %v with %s", chip.Name, name, speed, r.XOff, got.XOff, what)
					}
				}
				in.Lanes = 0
				if r, err := m.Compute(in); err == nil || r != (headroom.Result{}) {
					t.Errorf("%s, %s: a port without lanes has %+v, %v", chip.Name, name, r, err)
				}
				if r, _, err := m.Explain(in); err == nil || r != (headroom.Result{}) {
					t.Errorf("%s, %s: a port without lanes is explained: %+v, %v", chip.Name, name, r, err)
				}
			}
		}
	}
	for _, name := range headroom.Names() {
		if !tried[name] {
			t.Errorf("no chip has an answer by %s", name)
		}
	}
}

package threshold

import (
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/roceplan/roceplan/chips"
	"github.com/roceplan/roceplan/internal/testing/plantest"
	"github.com/roceplan/roceplan/model/mmu"
)

// own is roceplan's catalogue.
var own = sync.OnceValue(func() *chips.Catalogue {
	catalogue, problems := chips.Load()
	if len(problems) > 0 {
		panic(problems)
	}
	return catalogue
})

// answered returns the names of the chips that can be calculated.
func answered(t testing.TB) []string {
	return plantest.Chips(t, own(), func(chip *chips.Chip) bool { _, err := Of(chip); return err == nil })
}

// What the catalogue and the findings make together is what the hardware tests were
// reproduced with: sonic-mgmt tests/qos/files/qos_params.*.yaml, keys cell_size,
// internal_hdr_size, hdrm_pool_wm_multiplier and wm_q_shared_lossy pkts_num_fill_min.
func TestBehavioursOfMeasuredChips(t *testing.T) {
	var (
		usual  = mmu.Rules{Admission: mmu.WithCell, Pause: mmu.WhenFull}
		before = mmu.Rules{Admission: mmu.BeforeCell, Pause: mmu.WhenFull}
		excess = mmu.Rules{Admission: mmu.BelowWithCell, Pause: mmu.OnExcess}
	)
	for alias, want := range map[string]Behaviour{
		"TH":         {Chip: "tomahawk", CellBytes: 208, Slices: 4, Size: Net, LossyReserve: 8 * 208, Rules: before},
		"bcm56970":   {Chip: "tomahawk2", CellBytes: 208, Slices: 4, Size: Net, LossyReserve: 8 * 208, Rules: usual},
		"th3":        {Chip: "tomahawk3", CellBytes: 254, Slices: 2, Size: Gross, LossyReserve: 7 * 254, Rules: excess},
		"tomahawk-5": {Chip: "tomahawk5", CellBytes: 254, Slices: 2, Size: Gross, LossyReserve: 7 * 254, Rules: usual},
		"th6":        {Chip: "tomahawk6", CellBytes: 420, Slices: 1, Size: GrossPool, LossyReserve: 7 * 420, Rules: excess},
		"td2":        {Chip: "trident2", CellBytes: 208, Slices: 1, Size: GrossKeepsQueues, LossyReserve: 8 * 208, Rules: usual},
		"td3":        {Chip: "trident3", CellBytes: 256, Slices: 1, Size: Gross, LossyReserve: 7 * 256, Rules: usual},
		"td4":        {Chip: "trident4-x9", CellBytes: 318, Slices: 1, Size: Gross, Rules: excess},
		"jr2":        {Chip: "jericho2", CellBytes: 1, MetadataBytes: 48, Slices: 1, Size: GrossPool, Rules: excess},
		"j2c+":       {Chip: "jericho2c+", CellBytes: 1, MetadataBytes: 48, Slices: 1, Size: GrossPool, Rules: excess},
	} {
		got, err := Lookup(own(), alias)
		if diff := cmp.Diff(want, got); diff != "" || err != nil {
			t.Errorf("%s: %v\n%s", alias, err, diff)
		}
	}
}

// A chip that nobody has measured is answered for, and what was assumed is said.
func TestBehavioursOfOtherChips(t *testing.T) {
	for name, want := range map[string][]string{
		"tomahawk4": {"admission = with_cell", "pause = when_full"},
		"qumran3d":  {"admission = below_with_cell", "pause = on_excess"},
	} {
		b, err := Lookup(own(), name)
		if diff := cmp.Diff(want, b.Assumed); diff != "" || err != nil {
			t.Errorf("%s: %v\n%s", name, err, diff)
		}
	}
	for _, chip := range own().Chips() {
		if _, err := Of(chip); err != nil && chip.CellSize.Fact() != nil {
			t.Errorf("%s: %v", chip.Name, err)
		}
	}
}

// A finding is of a chip on which the catalogue is silent, or it says the same.
func TestFindingsAgreeWithTheCatalogue(t *testing.T) {
	for _, f := range findings() {
		chip, ok := own().Find(f.chip)
		if !ok {
			t.Errorf("the catalogue does not know %s", f.chip)
			continue
		}
		admission, _ := f.rules.Admission.MarshalText()
		pause, _ := f.rules.Pause.MarshalText()
		if got := chip.Admission.Or(string(admission)); got != string(admission) {
			t.Errorf("%s: admission is %s in the catalogue, %s here", f.chip, got, admission)
		}
		if got := chip.Pause.Or(string(pause)); got != string(pause) {
			t.Errorf("%s: pause is %s in the catalogue, %s here", f.chip, got, pause)
		}
	}
}

package threshold

import (
	"testing"

	"github.com/roceplan/roceplan/chips"
	"github.com/roceplan/roceplan/units"
)

// TestBehavioursMatchCatalogue keeps the chip's behaviour here and in the catalogue the
// same, wherever both know it.
func TestBehavioursMatchCatalogue(t *testing.T) {
	catalogue, problems := chips.Load()
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	sizes := map[SizeMeaning]chips.PoolSize{
		Net: chips.Net, Gross: chips.Gross, GrossKeepsQueues: chips.GrossOwnHeadroom, GrossPool: chips.GrossPool,
	}
	matched := map[string]bool{}
	for _, chip := range catalogue.Chips() {
		b, err := Lookup(chip.Name)
		if err != nil {
			continue
		}
		matched[b.Chip] = true
		admission, _ := b.Rules.Admission.MarshalText()
		pause, _ := b.Rules.Pause.MarshalText()
		agree(t, chip.Name, "slices", chip.Slices.Or(b.Slices), b.Slices)
		agree(t, chip.Name, "pool size", chip.PoolSize.Or(sizes[b.Size]), sizes[b.Size])
		agree(t, chip.Name, "admission", chip.Admission.Or(string(admission)), string(admission))
		agree(t, chip.Name, "pause", chip.Pause.Or(string(pause)), string(pause))
		if b.CellBytes > 1 {
			agree(t, chip.Name, "cell", chip.CellSize.Or(b.CellBytes), b.CellBytes)
		} else {
			agree(t, chip.Name, "metadata", chip.PacketMetadata.Or(b.MetadataBytes), b.MetadataBytes)
		}
		for _, alias := range chip.Aliases {
			if other, err := Lookup(alias); err == nil && other.Chip != b.Chip {
				t.Errorf("%q is %s here and %s in the catalogue", alias, other.Chip, chip.Name)
			}
		}
	}
	for _, b := range behaviours() {
		if !matched[b.Chip] {
			t.Errorf("the catalogue does not know %s", b.Chip)
		}
	}
}

func agree[T string | int | units.Bytes | chips.PoolSize](t *testing.T, chip, what string, catalogue, here T) {
	t.Helper()
	if catalogue != here {
		t.Errorf("%s: %s is %v in the catalogue, %v here", chip, what, catalogue, here)
	}
}

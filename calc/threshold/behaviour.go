package threshold

import (
	"errors"
	"fmt"
	"strings"

	"github.com/roceplan/roceplan/chips"
	"github.com/roceplan/roceplan/model/mmu"
	"github.com/roceplan/roceplan/units"
)

// Behaviour holds the properties of a chip that the calculation needs.
type Behaviour struct {
	// Chip is the canonical name.
	Chip string
	// CellBytes is the size of one cell; 1 where the chip accounts in bytes.
	CellBytes units.Bytes
	// MetadataBytes is accounted with each packet. Tests of chips with cells count in
	// packets that fill a cell whatever is added, so there it is 0.
	MetadataBytes units.Bytes
	// Slices is the number of ITMs that every pool is divided over.
	Slices int
	// Size is the meaning of the configured size of the ingress pool.
	Size SizeMeaning
	// LossyReserve is the reserve of a lossy queue where the configuration does not say.
	LossyReserve units.Bytes
	Rules        mmu.Rules
	// Assumed lists what is not published or measured of the chip, and the value assumed.
	Assumed []string
}

// SizeMeaning says which parts the `size` of an ingress pool covers on a chip generation.
type SizeMeaning uint8

const (
	// Net: the shared part alone. The headroom pool and all reserves are outside it.
	Net SizeMeaning = iota
	// Gross: the headroom (pooled, or of every lossless PG), the reserve of every
	// lossless PG, and in every slice the reserve of every lossy queue come out of it.
	Gross
	// GrossKeepsQueues is Gross, but the lossy queues' reserves are outside it.
	GrossKeepsQueues
	// GrossPool: only the headroom pool comes out of it.
	GrossPool
)

// A Catalogue finds chips by name or alias; *chips.Catalogue does.
type Catalogue interface {
	Find(name string) (*chips.Chip, bool)
	Names() []string
}

// Lookup finds a chip by its name or an alias and returns its behaviour.
func Lookup(catalogue Catalogue, name string) (Behaviour, error) {
	chip, ok := catalogue.Find(name)
	if !ok {
		return Behaviour{}, fmt.Errorf("there is no chip %q in the catalogue; there are %s", name, strings.Join(catalogue.Names(), ", "))
	}
	return Of(chip)
}

// Of returns the behaviour of a chip: what the catalogue knows, over it what the
// measurements of package threshold itself have shown, and where both are silent what
// most chips do, which is then noted as assumed. The error is a *[chips.Unknown] if
// the chip's cell is not known.
func Of(chip *chips.Chip) (Behaviour, error) {
	b := Behaviour{Chip: chip.Name}
	if chip.Family == chips.DNX { // queues are in external memory and are accounted in bytes
		b.CellBytes = 1
		b.MetadataBytes = assume(&b, chip.PacketMetadata, 0)
	} else if cell, err := chip.CellSize.Get(); err != nil {
		return Behaviour{}, err
	} else {
		b.CellBytes = cell
	}
	b.Slices = assume(&b, chip.Slices, 1)
	if b.Slices > maxSlices {
		return Behaviour{}, fmt.Errorf("slices of %s is %d, at most %d can be computed", chip.Name, b.Slices, maxSlices)
	}
	b.Size = meaning(assume(&b, chip.PoolSize, chips.Net))
	if chip.Family != chips.DNX {
		b.LossyReserve = chip.QueueReserve.Or(0)
	}
	if found, ok := foundHere(chip.Name); ok {
		b.Rules = found.rules
		b.LossyReserve = found.lossyReserve(b.LossyReserve)
		return b, nil
	}
	b.compare(chip)
	return b, nil
}

// assume returns a datum, or the fallback and a note of it.
func assume[T any](b *Behaviour, d chips.Datum[T], fallback T) T {
	v, err := d.Get()
	if err != nil {
		b.Assumed = append(b.Assumed, fmt.Sprintf("%s = %v", d.Name(), fallback))
		return fallback
	}
	return v
}

// compare sets the rules as the catalogue has them.
func (b *Behaviour) compare(chip *chips.Chip) {
	admission, pause := "with_cell", "when_full" // of most chips that were measured
	if chip.Family == chips.DNX {
		admission, pause = "below_with_cell", "on_excess" // of Jericho 2
	}
	err := errors.Join(b.Rules.Admission.UnmarshalText([]byte(assume(b, chip.Admission, admission))), b.Rules.Pause.UnmarshalText([]byte(assume(b, chip.Pause, pause))))
	if err != nil {
		panic(err) // package chips takes no other words
	}
}

func meaning(p chips.PoolSize) SizeMeaning {
	switch p {
	case chips.Gross:
		return Gross
	case chips.GrossOwnHeadroom:
		return GrossKeepsQueues
	case chips.GrossPool:
		return GrossPool
	}
	return Net
}

// A finding is a property of a chip, inferred from the figures of SONiC's hardware tests, on which
// the catalogue is silent. It was found by reproducing them, not read in a document.
type finding struct {
	chip           string
	rules          mmu.Rules
	noLossyReserve bool
}

func (f finding) lossyReserve(catalogue units.Bytes) units.Bytes {
	if f.noLossyReserve {
		return 0
	}
	return catalogue
}

// findings lists them. The files are in sonic-mgmt tests/qos/files.
func findings() []finding {
	excess := mmu.Rules{Admission: mmu.BelowWithCell, Pause: mmu.OnExcess}
	return []finding{
		// qos_params.th6.yaml: topo-lt2-o224 400000_500m drops 1992 cells after the pause,
		// which is the xoff of Nokia-IXR7220-H6-O256. Thresholds there are rounded, with
		// margins up to 500; first pauses come out within 4 %.
		{"tomahawk6", excess, false},
		// qos_params.td4.yaml: drops come 237, 257 and 486 cells after the pause, which are
		// the xoffs of Nokia-IXR7220-D4-36D; wm_q_shared_lossy pkts_num_fill_min is 0. First
		// pauses come out within 1 %.
		{"trident4-x9", excess, true},
		// qos_params.jr2.yaml and qos_params.j2c.yaml: the distance from pause to drop. How
		// they admit is assumed: their pause threshold does not follow from the configuration.
		{"jericho2", excess, false},
		{"jericho2c+", excess, false},
	}
}

func foundHere(chip string) (finding, bool) {
	for _, f := range findings() {
		if f.chip == chip {
			return f, true
		}
	}
	return finding{}, false
}

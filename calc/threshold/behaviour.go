package threshold

import (
	"fmt"
	"strings"

	"github.com/roceplan/roceplan/model/mmu"
	"github.com/roceplan/roceplan/units"
)

// Behaviour is what the calculation needs to know of a chip.
type Behaviour struct {
	// Chip is the name, Aliases the others that tables and tests use.
	Chip    string
	Aliases []string
	// CellBytes is the size of one cell; 1 where the chip accounts in bytes.
	CellBytes units.Bytes
	// MetadataBytes is accounted with each packet.
	MetadataBytes units.Bytes
	// Slices is the number of ITMs that every pool is divided over.
	Slices int
	// Size is what the configured size of the ingress pool means.
	Size SizeMeaning
	// LossyReserve is the reserve of a lossy queue where the configuration does not say.
	LossyReserve units.Bytes
	Rules        mmu.Rules
	// Sources say where each of the above can be checked. What was found by reproducing
	// measurements, rather than read in a document, is marked as inferred.
	Sources []string
}

// SizeMeaning is what the `size` of an ingress pool covers on a chip generation.
type SizeMeaning uint8

const (
	// Net: the shared part alone. The headroom pool and all reserves lie beside it.
	Net SizeMeaning = iota
	// Gross: the headroom (pooled, or of every lossless PG), the reserve of every
	// lossless PG, and in every slice the reserve of every lossy queue come out of it.
	Gross
	// GrossKeepsQueues is Gross, but the lossy queues' reserves lie beside it.
	GrossKeepsQueues
	// GrossPool: only the headroom pool comes out of it.
	GrossPool
)

// tests names the figures that a chip's row was held against.
func tests(file string) string { return "sonic-mgmt tests/qos/files/" + file }

const (
	inferredSize  = "what `size` covers: inferred, from the same file together with the pools in sonic-buildimage device/*/buffers_defaults_*.j2"
	inferredRules = "comparison and moment of pause: inferred, from the distance between pause and drop in the same file"
)

// behaviours lists the chips that measurements are public of, by the catalogue's names.
func behaviours() []Behaviour {
	var (
		usual    = mmu.Rules{Admission: mmu.WithCell, Pause: mmu.WhenFull}
		tomahawk = mmu.Rules{Admission: mmu.BeforeCell, Pause: mmu.WhenFull}
		excess   = mmu.Rules{Admission: mmu.BelowWithCell, Pause: mmu.OnExcess}
	)
	return []Behaviour{
		{
			Chip: "tomahawk", Aliases: []string{"th", "th1", "tomahawk1", "tomahawk-1", "bcm56960"},
			CellBytes: 208, Slices: 4, Size: Net, LossyReserve: 8 * 208, Rules: tomahawk,
			Sources: []string{tests("qos_params.th.yaml") + ": cell_size, hdrm_pool_wm_multiplier 4, wm_q_shared_lossy pkts_num_fill_min 8",
				inferredSize, inferredRules},
		},
		{
			Chip: "tomahawk2", Aliases: []string{"th2", "tomahawk-2", "bcm56970"},
			CellBytes: 208, Slices: 4, Size: Net, LossyReserve: 8 * 208, Rules: usual,
			Sources: []string{tests("qos_params.th2.yaml") + ": cell_size, hdrm_pool_wm_multiplier 4, wm_q_shared_lossy pkts_num_fill_min 8",
				inferredSize, inferredRules},
		},
		{
			Chip: "tomahawk3", Aliases: []string{"th3", "tomahawk-3", "bcm56980"},
			CellBytes: 254, Slices: 2, Size: Gross, LossyReserve: 7 * 254, Rules: excess,
			Sources: []string{tests("qos_params.th3.yaml") + ": cell_size, wm_q_shared_lossy pkts_num_fill_min 7",
				"slices: inferred, pkts_num_hdrm_full and _partial add up to half of the headroom pool", inferredSize, inferredRules},
		},
		{
			Chip: "tomahawk5", Aliases: []string{"th5", "tomahawk-5", "bcm78900"},
			CellBytes: 254, Slices: 2, Size: Gross, LossyReserve: 7 * 254, Rules: usual,
			Sources: []string{tests("qos_params.th5.yaml") + ": cell_size, wm_q_shared_lossy pkts_num_fill_min 7",
				"slices: sonic-buildimage#25451, tables were halved per ITM before SAI 14", inferredSize, inferredRules},
		},
		{
			Chip: "tomahawk6", Aliases: []string{"th6", "tomahawk-6", "bcm78910", "bcm78914"},
			CellBytes: 420, Slices: 1, Size: GrossPool, LossyReserve: 7 * 420, Rules: excess,
			Sources: []string{tests("qos_params.th6.yaml") + ": cell_size; topo-lt2-o224 400000_500m drops 1992 cells after the pause, " +
				"which is the xoff of Nokia-IXR7220-H6-O256; thresholds there are rounded, with margins up to 500",
				"slices, size and lossy reserve: assumed; first pauses come out within 4 %"},
		},
		{
			Chip: "trident2", Aliases: []string{"td2", "trident-2", "bcm56850"},
			CellBytes: 208, Slices: 1, Size: GrossKeepsQueues, LossyReserve: 8 * 208, Rules: usual,
			Sources: []string{tests("qos_params.td2.yaml") + ": cell_size, wm_q_shared_lossy pkts_num_fill_min 8", inferredSize, inferredRules},
		},
		{
			Chip: "trident3", Aliases: []string{"td3", "trident-3", "trident3-x7", "td3-x7", "bcm56870"},
			CellBytes: 256, Slices: 1, Size: Gross, LossyReserve: 7 * 256, Rules: usual,
			Sources: []string{tests("qos_params.td3.yaml") + ": cell_size, hdrm_pool_wm_multiplier 1, wm_q_shared_lossy pkts_num_fill_min 7",
				inferredSize, inferredRules},
		},
		{
			Chip: "trident4-x9", Aliases: []string{"td4", "trident4", "trident-4", "td4-x9", "trident-4-x9", "bcm56780"},
			CellBytes: 318, Slices: 1, Size: Gross, Rules: excess,
			Sources: []string{tests("qos_params.td4.yaml") + ": cell_size; drops come 237, 257 and 486 cells after the pause, " +
				"which are the xoffs of Nokia-IXR7220-D4-36D; wm_q_shared_lossy pkts_num_fill_min 0",
				"slices and size: assumed; first pauses come out within 1 %"},
		},
		{
			Chip: "jericho2", Aliases: []string{"jr2", "j2", "jericho-2", "bcm88690"},
			CellBytes: 1, MetadataBytes: 48, Slices: 1, Size: GrossPool, Rules: excess,
			Sources: []string{tests("qos_params.jr2.yaml") + ": internal_hdr_size 48, so a 64 B packet is accounted as 112 B",
				"slices, size and admission: assumed; the pause threshold does not follow from the configuration"},
		},
		{
			Chip: "jericho2c+", Aliases: []string{"j2c+", "jr2c+", "j2c", "jericho2cplus", "j2cplus", "jericho-2c+", "bcm88850"},
			CellBytes: 1, MetadataBytes: 48, Slices: 1, Size: GrossPool, Rules: excess,
			Sources: []string{tests("qos_params.j2c.yaml") + ": internal_hdr_size 48, so a 64 B packet is accounted as 112 B",
				"slices, size and admission: assumed; the pause threshold does not follow from the configuration"},
		},
	}
}

// Lookup finds a chip by its name or an alias, whatever the case.
func Lookup(name string) (Behaviour, error) {
	var known []string
	for _, b := range behaviours() {
		known = append(known, b.Chip)
		for _, candidate := range append(b.Aliases, b.Chip) {
			if strings.EqualFold(candidate, name) {
				return b, nil
			}
		}
	}
	return Behaviour{}, fmt.Errorf("no buffer behaviour is known of chip %q; known are %s", name, strings.Join(known, ", "))
}

package pool

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/roceplan/roceplan/calc/headroom"
	"github.com/roceplan/roceplan/chips"
	"github.com/roceplan/roceplan/units"
)

// question is one element of a batch. Bytes are plain numbers; nil is absent.
type question struct {
	ASIC         *string         `json:"asic"`
	MMU          *int64          `json:"mmu_bytes"`
	Cell         *int64          `json:"cell_size_bytes"`
	LatencyKiB   *int64          `json:"pipeline_latency_kib"`
	Ratio        int64           `json:"over_subscribe_ratio"`
	HeadroomPool int64           `json:"shared_headroom_pool_bytes"`
	TwoPools     bool            `json:"two_ingress_pools"`
	Groups       []questionGroup `json:"port_groups"`
	Profiles     struct {
		IngressLossy   *int64 `json:"ingress_lossy_profile"`
		EgressLossless *int64 `json:"egress_lossless_profile"`
		EgressLossy    *int64 `json:"egress_lossy_profile"`
		QueueLossy     *int64 `json:"q_lossy_profile"`
	} `json:"profiles"`

	// For headroom that must be computed; as [headroom.Defaults] when absent.
	PortMTU      *int64 `json:"port_mtu_bytes"`
	LosslessMTU  *int64 `json:"lossless_mtu_bytes"`
	SmallPackets *int64 `json:"small_packet_percent"`
}

type questionGroup struct {
	Ports *int64 `json:"ports"`
	Lanes *int64 `json:"lanes"`
	Up    *bool  `json:"admin_up"` // nil: up
	PGs   *int64 `json:"lossless_pgs"`
	XOn   *int64 `json:"xon_bytes"`
	XOff  *int64 `json:"xoff_bytes"`
	Size  *int64 `json:"size_bytes"`

	SpeedMbps *int64 `json:"speed_mbps"`
	CableM    *int64 `json:"cable_m"`
}

// A filler turns a question into an input and notes what it had to fill in, and what
// it could not.
type filler struct {
	*question
	chip    *chips.Chip
	in      SpectrumInput
	filled  map[string]int64
	missing []string
}

// input completes the question and checks it. filled are the inputs that were absent and are known
// otherwise, by the path of its member.
func (q *question) input(cat Catalogue) (in *SpectrumInput, filled map[string]int64, err error) {
	if q.ASIC == nil {
		return nil, nil, fmt.Errorf("asic is missing")
	}
	chip, ok := cat.Find(*q.ASIC)
	if !ok {
		return nil, nil, fmt.Errorf("asic: there is no chip %q in the catalogue", *q.ASIC)
	}
	if chip.Family != chips.Spectrum {
		return nil, nil, fmt.Errorf("asic: %s is not of the Spectrum family", chip.Name)
	}
	f := filler{question: q, chip: chip, filled: map[string]int64{}}
	if err := f.fill(); err != nil {
		return nil, nil, err
	}
	if f.missing != nil {
		return nil, nil, fmt.Errorf("missing: %s", strings.Join(f.missing, ", "))
	}
	return &f.in, f.filled, f.in.Check()
}

func (f *filler) fill() error {
	constants, err := SpectrumOf(f.chip)
	if err != nil {
		return err
	}
	f.in = SpectrumInput{Chip: constants, OverSubscribe: f.Ratio, HeadroomPool: units.Bytes(f.HeadroomPool), TwoIngressPools: f.TwoPools}
	c := &f.in.Chip
	if err := cmp.Or(f.constant("mmu_bytes", f.MMU, &c.MMU, units.Byte), f.constant("cell_size_bytes", f.Cell, &c.Cell, units.Byte),
		f.constant("pipeline_latency_kib", f.LatencyKiB, &c.Latency, units.KiB)); err != nil {
		return err
	}
	given, into := &f.Profiles, &f.in.Profiles
	need(f, "profiles.ingress_lossy_profile", given.IngressLossy, &into.IngressLossy)
	need(f, "profiles.egress_lossless_profile", given.EgressLossless, &into.EgressLossless)
	need(f, "profiles.egress_lossy_profile", given.EgressLossy, &into.EgressLossy)
	need(f, "profiles.q_lossy_profile", given.QueueLossy, &into.QueueLossy)
	if f.Groups == nil {
		f.missing = append(f.missing, "port_groups")
	}
	for i := range f.Groups {
		if err := f.group(fmt.Sprintf("port_groups[%d].", i), &f.Groups[i]); err != nil {
			return err
		}
	}
	return nil
}

// constant takes over a constant of the chip if it is given, and notes it if not.
func (f *filler) constant(name string, given *int64, into *units.Bytes, unit units.Bytes) error {
	if given == nil {
		f.filled[name] = int64(*into / unit)
		return nil
	}
	if most := maxBuffer / int64(unit); *given < 1 || *given > most { // else the product may leave 64 bits
		return &OutOfRange{name, *given, 1, most}
	}
	*into = units.Bytes(*given) * unit
	return nil
}

// need takes over what is given, and notes what is not.
func need[T ~int | ~int64](f *filler, path string, given *int64, into *T) {
	if given == nil {
		f.missing = append(f.missing, path)
		return
	}
	*into = T(*given)
}

func (f *filler) group(path string, g *questionGroup) error {
	group := SpectrumGroup{Up: g.Up == nil || *g.Up}
	need(f, path+"ports", g.Ports, &group.Ports)
	need(f, path+"lanes", g.Lanes, &group.Lanes)
	need(f, path+"lossless_pgs", g.PGs, &group.LosslessPGs)
	var computed headroom.Result
	counts := group.Up && group.LosslessPGs > 0 // else nothing reads the lossless profile
	derived := counts && (g.XOn == nil || g.XOff == nil || g.Size == nil) && f.canDerive(g)
	if derived {
		var err error
		if computed, err = f.headroom(g); err != nil {
			return fmt.Errorf("%sxoff_bytes is missing, and cannot be computed: %w", path, err)
		}
	}
	for _, p := range []struct {
		name  string
		given *int64
		into  *units.Bytes
		other units.Bytes
	}{{"xon_bytes", g.XOn, &group.XOn, computed.XOn}, {"xoff_bytes", g.XOff, &group.XOff, computed.XOff}, {"size_bytes", g.Size, &group.Size, computed.Size}} {
		switch {
		case p.given != nil:
			*p.into = units.Bytes(*p.given)
		case derived:
			*p.into = p.other
			f.filled[path+p.name] = int64(p.other)
		case counts:
			f.missing = append(f.missing, path+p.name)
		}
	}
	f.in.Groups = append(f.in.Groups, group)
	return nil
}

// canDerive: speed and cable are known, and the chip counts as the catalogue says, for
// the headroom calculator knows no other cell and no other latency.
func (f *filler) canDerive(g *questionGroup) bool {
	own, err := SpectrumOf(f.chip)
	return err == nil && g.SpeedMbps != nil && g.CableM != nil && g.Lanes != nil &&
		own.Cell == f.in.Chip.Cell && own.Latency == f.in.Chip.Latency
}

// Bounds of what is multiplied by a unit before the calculator checks it.
const maxSpeedMbps, maxCableM, maxPercent = 1 << 24, 1 << 20, 100

func (f *filler) headroom(g *questionGroup) (headroom.Result, error) {
	in := headroom.Defaults()
	for _, o := range []struct {
		name  string
		given *int64
		most  int64
		set   func(int64)
	}{
		{"speed_mbps", g.SpeedMbps, maxSpeedMbps, func(v int64) { in.Speed = units.BitRate(v) * units.Mbps }},
		{"cable_m", g.CableM, maxCableM, func(v int64) { in.Cable = units.Length(v) * units.Metre }},
		{"port_mtu_bytes", f.PortMTU, maxProfile, func(v int64) { in.PortMTU = units.Bytes(v) }},
		{"lossless_mtu_bytes", f.LosslessMTU, maxProfile, func(v int64) { in.LosslessMTU = units.Bytes(v) }},
		{"small_packet_percent", f.SmallPackets, maxPercent, func(v int64) { in.SmallPackets = units.Ratio(v) * units.Percent }},
		{"lanes", g.Lanes, 16, func(v int64) { in.Lanes = int(v) }},
		{"over_subscribe_ratio", &f.Ratio, 1 << 20, func(v int64) { in.OverSubscribe = int(v) }},
	} {
		if o.given == nil {
			continue
		}
		if *o.given < 0 || *o.given > o.most {
			return headroom.Result{}, &OutOfRange{o.name, *o.given, 0, o.most}
		}
		o.set(*o.given)
	}
	method, err := headroom.For(f.chip, "spectrum")
	if err != nil {
		return headroom.Result{}, err
	}
	return method.Compute(in)
}

package calc

import (
	"github.com/roceplan/roceplan/calc/headroom"
	"github.com/roceplan/roceplan/calc/pool"
	"github.com/roceplan/roceplan/chips"
	"github.com/roceplan/roceplan/plan"
	"github.com/roceplan/roceplan/units"
)

// bufferModel says who computes sizes on the switch.
func (s *shape) bufferModel() plan.BufferModel {
	if s.sw.BufferModel.Set {
		return plan.BufferModel(s.sw.BufferModel.Value)
	}
	return UsualBufferModel(s.chip, s.sw.OS.Value)
}

// UsualBufferModel returns the buffer model that computes sizes where the fabric names none:
// NVIDIA's calculator on a Spectrum that runs SONiC, the plan everywhere else. chip is nil if it is
// not known.
func UsualBufferModel(chip *chips.Chip, os string) plan.BufferModel {
	if chip != nil && chip.Family == chips.Spectrum && os == "sonic" {
		return plan.DynamicModel
	}
	return plan.Traditional
}

// calculator returns the input of the switch's own calculator in the dynamic model.
func (s *shape) calculator(chosenAlphas alphas) *plan.Calculator {
	if s.bufferModel() != plan.DynamicModel {
		return nil
	}
	frame, small := s.fabric.LosslessFrame, s.fabric.SmallPackets
	share := 50 * units.Percent
	if small.Set {
		share = small.Value
	}
	calculator := &plan.Calculator{
		Oversubscribe: plan.Of(int64(0), chosen("over_subscribe_ratio", plan.Count(0), "every PG owns its headroom")),
		LosslessFrame: plan.Of(frame.Value, given("lossless_frame", frame, frame.Value, "the fabric's mtu")),
		SmallPackets: plan.Of(share, given("small_packets", small, share,
			"sonic-buildimage files/build_templates/buffers_config.j2: LOSSLESS_TRAFFIC_PATTERN small_packet_percentage 50")),
	}
	for _, class := range s.lossless {
		if alpha, ok := chosenAlphas[class]; ok {
			calculator.DefaultAlpha = plan.Of(alpha.limit.Value.Alpha, alpha.limit.Why)
			break
		}
	}
	return calculator
}

// Lossy egress in NVIDIA's templates: the port has a reserve, its queues none.
const (
	lossyPortReserve units.Bytes = 9216
	lossyPortSource              = "sonic-buildimage device/mellanox, buffer templates: egress_lossy_profile size 9216, q_lossy_profile size 0"
)

// spectrumProfile derives the figures of a PG, other than its headroom, by NVIDIA's calculator. It
// is called where another method computes the headroom too, since that gives none of them. Other
// methods say nothing of these, so that it is asked for them.
func (s *shape) spectrumProfile(k *kind, result headroom.Result, derivation headroom.Derivation) room {
	if s.chip.Family != chips.Spectrum {
		return room{}
	}
	if result.XOn == 0 {
		method, err := headroom.For(s.chip, "spectrum")
		if err != nil {
			return room{}
		}
		if result, derivation, err = method.Explain(s.input(method, k)); err != nil {
			return room{}
		}
		s.locate(derivation.XOff, k)
		s.locate(derivation.Size, k)
	}
	// The size of a profile that owns its headroom includes it.
	size := withoutHeadroom(result.Size, result.XOff, derivation.Size, derivation.XOff)
	return room{xon: s.wholeCells("xon", plan.Of(result.XOn, derivation.XOn)), reserve: s.wholeCells("reserve", size)}
}

// withoutHeadroom returns the reserve of a PG whose profile may have a size that covers its headroom.
func withoutHeadroom(size, headroom units.Bytes, whole, part *plan.Why) plan.Derived[units.Bytes] {
	if size <= headroom || headroom == 0 {
		return plan.Of(size, whole)
	}
	return plan.Of(size-headroom, computed("less", "reserve of a PG without its headroom", size-headroom, term("whole", whole), term("part", part)))
}

// profileSize returns the size of a lossless profile: the PG's reserve, and where the size covers it
// the headroom that it owns as well.
func (b *budget) profileSize(k *kind) plan.Derived[units.Bytes] {
	if !b.chip.SizeHasHeadroom(b.sw.OS.Value) {
		return b.pgReserve[k.index]
	}
	size := b.pgReserve[k.index].Value + b.rooms[k.index].headroom.Value
	return plan.Of(size, computed("sum", "size of the profile, headroom included", size,
		term("reserve", b.pgReserve[k.index].Why), term("headroom", b.rooms[k.index].headroom.Why)))
}

// spectrumReserves adds up what NVIDIA's calculator takes from the buffer besides
// headroom: profiles, pipeline latency, management, mirroring.
func (b *budget) spectrumReserves(found *findings) {
	b.queueReserve = decided("reserve of a lossy queue", units.Bytes(0), lossyPortSource)
	chip, err := pool.SpectrumOf(b.chip)
	if err != nil {
		found.list.Errorf(ChipDatumUnknown, b.sw.ChipAt, "%v, and the pools of %s cannot be sized without it", err, b.sw.Label).Fixf("give the datum in a chip block of the fabric, with its source")
		return
	}
	in := pool.SpectrumInput{Chip: chip, Profiles: pool.SpectrumProfiles{EgressLossy: lossyPortReserve}}
	for _, k := range b.kinds {
		b.pgReserve[k.index] = b.rooms[k.index].reserve
		in.Groups = append(in.Groups, b.spectrumGroup(k))
	}
	// buffer-fits reports an excess, with both sides.
	sum, _ := pool.Spectrum(&in)
	pgs := sum.Lossless - b.headroom.Value
	total := pgs + sum.Lossy + sum.Egress + sum.Management + sum.Mirror + chip.Management + chip.Descriptors
	part := func(symbol, name string, value units.Bytes) plan.Term {
		return term(symbol, standard(name, value, "sonic-swss cfgmgr/buffer_pool_mellanox.lua"))
	}
	b.reserved = plan.Of(total, computed("spectrum-reserved", "what is taken besides headroom", total,
		part("pgs", "reserves of lossless PGs", pgs), part("lossy", "lossy PGs and pipeline latency", sum.Lossy),
		part("egress", "profiles of egress ports and queues", sum.Egress), part("management", "management PGs of ports", sum.Management),
		part("mirror", "mirroring of ports", sum.Mirror), part("pools", "management and descriptor pools", chip.Management+chip.Descriptors)))
}

func (b *budget) spectrumGroup(k *kind) pool.SpectrumGroup {
	group := pool.SpectrumGroup{Ports: int64(len(k.ports)), Lanes: lanes(k.group), Up: true}
	if k.lossless() {
		group.LosslessPGs = int64(b.groupsOf(k))
		group.XOn, group.XOff, group.Size = b.rooms[k.index].xon.Value, b.rooms[k.index].headroom.Value, b.pgReserve[k.index].Value+b.rooms[k.index].headroom.Value
	}
	return group
}

// unlimited is the alpha from which Spectrum's shared buffer does not limit.
const (
	unlimited       units.Alpha = 7
	unlimitedSource             = "sonic-buildimage device/mellanox, buffer templates: dynamic_th 7 where nothing is to limit; Mellanox SAI, mlnx_sai_buffer.c"
)

// overridesCalculator reports whether the headroom of a kind of port is not what the
// switch would compute by itself, so that it must be written.
func (s *shape) overridesCalculator(k *kind) bool {
	f := s.fabric
	return s.bufferModel() == plan.DynamicModel && (k.group.Headroom.Set || f.HeadroomMargin.Set || f.HeadroomMarginBytes.Set ||
		s.methodName() != "spectrum")
}

// portPools bounds a whole port in every pool, which SONiC asks of Spectrum alone. The bounds are
// loose: PGs and queues limit.
func (s *shape) portPools() []plan.PortPool {
	if s.chip.Family != chips.Spectrum {
		return nil
	}
	limit := dynamic(unlimited, chosen("alpha of a whole port", unlimited, unlimitedSource))
	none := decided("reserve of a whole port", units.Bytes(0), "its PGs and queues have reserves")
	pools := []plan.PortPool{{Pool: EgressLosslessPool, Reserved: none, Limit: limit}}
	if len(s.lossy) > 0 {
		lossy := decided("reserve of a whole port", lossyPortReserve, lossyPortSource)
		pools = append(pools, plan.PortPool{Pool: EgressLossyPool, Reserved: lossy, Limit: limit})
	}
	return append(pools, plan.PortPool{Pool: IngressPool, Reserved: none, Limit: limit})
}

// addUp says what the device will hold against its maximum of headroom for a port.
func (p *ports) addUp(port *plan.Port) {
	if p.bufferModel() != plan.DynamicModel {
		return
	}
	if chip, err := pool.SpectrumOf(p.chip); err == nil { // else its pools could not be sized either
		port.HeadroomSum = chip.PortHeadroomOf(port)
	}
}

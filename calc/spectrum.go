package calc

import (
	"github.com/roceplan/roceplan/chips"
	"github.com/roceplan/roceplan/plan"
	"github.com/roceplan/roceplan/units"
)

// bufferModel says who computes sizes on the switch: NVIDIA's calculator on a Spectrum
// that runs SONiC, the plan everywhere else.
func (c *context) bufferModel() plan.BufferModel {
	if c.sw.BufferModel.Set {
		return plan.BufferModel(c.sw.BufferModel.Value)
	}
	if c.chip.Family == chips.Spectrum && c.sw.OS.Value == "sonic" {
		return plan.DynamicModel
	}
	return plan.Traditional
}

// calculator is what the switch's own calculator is given in the dynamic model.
func (c *context) calculator() *plan.Calculator {
	if c.bufferModel() != plan.DynamicModel {
		return nil
	}
	frame, small := c.fabric.LosslessFrame, c.fabric.SmallPackets
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
	for _, class := range c.lossless {
		if alpha, ok := c.alphas[class]; ok {
			calculator.DefaultAlpha = plan.Of(alpha.Value.Alpha, alpha.Why)
			break
		}
	}
	return calculator
}

// unlimited is the alpha from which Spectrum's shared buffer does not limit.
const (
	unlimited       units.Alpha = 7
	unlimitedSource             = "sonic-buildimage device/mellanox, buffer templates: dynamic_th 7 where nothing is to limit; Mellanox SAI, mlnx_sai_buffer.c"
)

// overridesCalculator tells whether the headroom of a kind of port is not what the
// switch would compute by itself, so that it has to be written.
func (c *context) overridesCalculator(k *kind) bool {
	f := c.fabric
	return c.bufferModel() == plan.DynamicModel && (k.group.Headroom.Set || f.HeadroomMargin.Set || f.HeadroomMarginBytes.Set ||
		f.HeadroomMethod.Set && f.HeadroomMethod.Value != "spectrum")
}

// portPools bounds a whole port in every pool, which SONiC asks of Spectrum alone. The
// bounds are loose: PGs and queues are what limits.
func (c *context) portPools() []plan.PortPool {
	if c.chip.Family != chips.Spectrum {
		return nil
	}
	limit := dynamic(unlimited, chosen("alpha of a whole port", unlimited, unlimitedSource))
	none := plan.Of(units.Bytes(0), chosen("reserve of a whole port", units.Bytes(0), "its PGs and queues have reserves"))
	pools := []plan.PortPool{{Pool: EgressLosslessPool, Reserved: none, Limit: limit}}
	if len(c.lossy) > 0 {
		pools = append(pools, plan.PortPool{Pool: EgressLossyPool, Reserved: none, Limit: limit})
	}
	return append(pools, plan.PortPool{Pool: IngressPool, Reserved: none, Limit: limit})
}

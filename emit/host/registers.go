package host

import (
	"strings"

	"github.com/roceplan/roceplan/plan"
	"github.com/roceplan/roceplan/units"
)

// A registerView is a constant of the reaction point: by its name in the sysfs of MLNX_OFED
// (ecn/roce_rp) and in the kernel's debugfs (drivers/infiniband/hw/mlx5/cong.c, cc_params).
type registerView struct {
	Name, Kernel string
	Value        int64
}

// registers writes the constants that the fabric gives, or that follow from it. The others stay as the NIC
// left the factory, as the plan assumes.
func (b *builder) registers(v *view) {
	for _, r := range b.h.Reaction.Registers() {
		if r.Why == nil || r.Why.Kind == plan.Catalogue || r.Why.Kind == plan.Default {
			continue
		}
		if b.model.family != connectX {
			b.list.Warnf(Congestion, b.h.Range, "no setting of a %s is known for %s: the NIC keeps its default", b.h.Model, r.Name).
				Fixf("set it by the vendor's means")
			continue
		}
		if r.Name == "rpg_byte_reset" {
			// The register counts 64 B: see rpg_byte_reset of connectx-7 in the catalogue.
			bytes := r.Value
			r.Value = units.CeilMulDiv(bytes, 1, 64)
			r.Exact = r.Value*64 == bytes
		}
		if !r.Exact {
			b.list.Warnf(Rounded, b.h.Range, "%s of nic %s is finer than the step of its register, and becomes %d", r.Name, b.h.Name, r.Value).Fixf("declare a value of whole steps of the register, so that plan and NIC agree")
		}
		v.Registers = append(v.Registers, registerView{r.Name, kernelName(r.Name), r.Value})
	}
}

// kernelName returns the name of a register in debugfs, without the rp_ before it.
func kernelName(name string) string {
	if name == "clamp_tgt_rate_after_time_inc" {
		return "clamp_tgt_rate_ati"
	}
	return strings.TrimPrefix(name, "rpg_")
}

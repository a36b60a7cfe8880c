package verify

import (
	"fmt"
	"slices"

	"github.com/roceplan/roceplan/chips"
	"github.com/roceplan/roceplan/model/proof"
	"github.com/roceplan/roceplan/plan"
	"github.com/roceplan/roceplan/read"
	"github.com/roceplan/roceplan/units"
)

// RoCEFrames is the condition that lossless packets are not larger than those of RoCE, where the
// largest frames of the port would be lost.
const RoCEFrames = "roce-frames"

// largestRoCE is the largest frame of RoCEv2, with its FCS.
const largestRoCE = read.LargestRoCE + read.FrameHeader + 4

// asRoCE proves a switch that loses packets with the largest frames of its ports, which are not
// declared for lossless traffic, with the largest ones that a NIC sends for RoCE. Where it loses
// none of these, that is the report, and the frames are its condition.
func (v *Verifier) asRoCE(sw *plan.Switch, chip *chips.Chip, refuted *proof.Report) (*proof.Report, error) {
	fails := worstOf(refuted)
	if fails.is != Refuted || v.Fabric != nil || declaresFrames(sw) {
		return refuted, nil
	}
	report, err := v.whole(withFrames(sw), chip)
	if err != nil || worstOf(report).is == Refuted || mixed(report) {
		return refuted, err
	}
	assume(report, proof.Condition{
		ID: RoCEFrames, Where: "whole switch", Declare: "lossless_frame of the fabric, or --lossless-frame",
		Assumes: fmt.Sprintf("lossless frames are those of RoCEv2, of at most %v (%s); with the largest frames of the ports %s of %s is refuted: %s",
			largestRoCE, read.LargestRoCESource, fails.of.ID, fails.of.Where, shortfall(fails.of)),
	})
	return report, nil
}

// mixed reports whether a proof needs a mix of packets: what is sent may be small packets alone.
func mixed(r *proof.Report) bool {
	return slices.ContainsFunc(r.Conditions(), func(c proof.Condition) bool { return c.ID == proof.PacketMix })
}

// declaresFrames reports whether anybody says how large lossless frames are.
func declaresFrames(sw *plan.Switch) bool {
	for i := range sw.Ports {
		if a := sw.Ports[i].Assumed; a != nil && a.LosslessFrame.Value > 0 {
			return true
		}
	}
	return false
}

// withFrames is a switch whose lossless frames are at most those of RoCE.
func withFrames(sw *plan.Switch) *plan.Switch {
	return withPackets(sw, func(a *plan.Assumed) { a.LosslessFrame = plan.Of[units.Bytes](largestRoCE, nil) })
}

// withPackets is a switch of whose packets something more is declared.
func withPackets(sw *plan.Switch, declare func(*plan.Assumed)) *plan.Switch {
	own := cloneSwitch(sw)
	for i := range own.Ports {
		assumed := plan.Assumed{}
		if a := own.Ports[i].Assumed; a != nil {
			assumed = *a
		}
		declare(&assumed)
		own.Ports[i].Assumed = &assumed
	}
	return own
}

package verify

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/roceplan/roceplan/calc/headroom"
	"github.com/roceplan/roceplan/chips"
	"github.com/roceplan/roceplan/model/proof"
	"github.com/roceplan/roceplan/plan"
	"github.com/roceplan/roceplan/read"
	"github.com/roceplan/roceplan/units"
)

// ownHeadroom gives groups the headroom that a switch with a Spectrum computes itself, where its file
// gives none: by the calculator that NVIDIA publishes for SONiC. That Cumulus Linux has the same one is
// taken for granted, and so is the speed of ports that negotiate it.
func (s *Switch) ownHeadroom(catalogue *chips.Catalogue) error {
	if s.shape.Format.OwnHeadroom == "" || s.chip.Family != chips.Spectrum || !LeavesHeadroom(s.Plan) {
		return nil
	}
	method, err := headroom.For(s.chip, "spectrum")
	if err != nil {
		return err
	}
	s.fastest(catalogue)
	c := &calculation{sw: s.Plan, method: method, cell: s.chip.CellSize.Or(1), of: map[portSort]*plan.PortQoS{}, given: &plan.Calculator{}, apart: true}
	var ports []string
	amounts := map[string]bool{}
	for i := range s.Plan.Ports {
		port := &s.Plan.Ports[i]
		if port.QoS == nil || !c.computes(port.QoS) {
			continue
		}
		if err := c.port(port); err != nil {
			return fmt.Errorf("the headroom of %s is left to the switch, but NVIDIA's calculator cannot compute it: %w", port.Name, err)
		}
		for j := range port.QoS.PGs {
			if pg := &port.QoS.PGs[j]; pg.Lossless {
				amounts[fmt.Sprintf("%v at %v and %v", pg.Headroom.Value, port.Speed, port.Cable)] = true
			}
		}
		ports = append(ports, port.Name)
	}
	if s.computes = len(ports) > 0; !s.computes {
		return nil // the file says half of it
	}
	s.taken = append(s.taken, read.Assumption{
		Where: plan.Abbreviate(ports), Declare: "port-buffer and xoff-threshold, as the switch shows them",
		Assumes: fmt.Sprintf("assumed: the switch computes headroom as NVIDIA's calculator in SONiC does with its defaults: %s; the switch's own method is not published", strings.Join(slices.Sorted(maps.Keys(amounts)), ", ")),
	})
	return nil
}

// fastest gives lossless ports that negotiate their speed the largest that the box or else the chip has: a
// part of a split cage its share.
func (s *Switch) fastest(c *chips.Catalogue) {
	most := s.fastestPort(c)
	parts := map[string]int{}
	for i := range s.Plan.Ports {
		parts[cage(s.Plan.Ports[i].Name)]++
	}
	var ports []string
	for i := range s.Plan.Ports {
		port := &s.Plan.Ports[i]
		if port.Speed != 0 || port.QoS == nil || groupsOf(port.QoS) == 0 || most == 0 {
			continue
		}
		n := 1
		for n < parts[cage(port.Name)] {
			n *= 2
		}
		port.Speed = most / units.BitRate(n)
		ports = append(ports, port.Name)
	}
	if len(ports) > 0 {
		s.taken = append(s.taken, read.Assumption{
			Where: plan.Abbreviate(ports), Declare: "link speed in the file, or a fabric file",
			Assumes: fmt.Sprintf("assumed: ports that negotiate their speed run as fast as %s can, a cage at %v", s.chip.Title, most),
		})
	}
}

func (s *Switch) fastestPort(c *chips.Catalogue) (most units.BitRate) {
	lane, err := s.chip.LaneRate.Get()
	if box, ok := c.Box(s.Plan.Platform); ok && err == nil {
		for _, sku := range box.HwSKUs {
			for _, row := range c.Ports(box, sku) {
				most = max(most, row.Speed, lane*units.BitRate(len(row.Lanes)))
			}
		}
	}
	speeds, err := s.chip.PortSpeeds.Get()
	if err == nil && (most == 0 || most > slices.Max(speeds)) {
		most = slices.Max(speeds)
	}
	return most
}

// cage returns the front of a port's name that parts of a cage share: swp2 of swp2s3.
func cage(port string) string {
	if i := strings.LastIndexByte(port, 's'); i > 0 {
		return port[:i]
	}
	return port
}

// byGuess proves a switch whose headroom is a guess about its device. Where that is too little for any
// packets, they are those that the calculator counts with; where it is too little for these too, what does
// not hold is not judged.
func (v *Verifier) byGuess(s *Switch) error {
	if worstOf(s.Proof).is != Refuted {
		return nil
	}
	counted, fails := headroom.Defaults(), worstOf(s.Proof).of.ID
	report, err := v.whole(withPackets(s.Plan, func(a *plan.Assumed) {
		if a.LosslessFrame.Value == 0 && a.SmallPackets.Value == 0 {
			a.LosslessFrame, a.SmallPackets = plan.Of(counted.LosslessMTU, nil), plan.Of(counted.SmallPackets, nil)
		}
	}), s.chip)
	if err != nil {
		return err
	}
	if worstOf(report).is != Refuted {
		s.Proof = report
		s.taken = append(s.taken, read.Assumption{
			Where: "whole switch", Declare: "lossless_frame and small_packets of a fabric file",
			Assumes: fmt.Sprintf("assumed: as in NVIDIA's calculator, lossless frames have at most %v, and %v of the packets have 64 B; without this limit %s does not hold", counted.LosslessMTU, counted.SmallPackets, fails),
		})
		return nil
	}
	for i := range s.Proof.Obligations {
		if o := &s.Proof.Obligations[i]; o.Lossless && o.Verdict == proof.Fails {
			o.Verdict = proof.Unjudged
			o.Because = fmt.Sprintf("the headroom of the switch is not known; with that of NVIDIA's calculator in SONiC it fails: %s", shortfall(o))
		}
	}
	return nil
}

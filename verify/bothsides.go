package verify

import (
	"fmt"
	"maps"
	"slices"

	"github.com/roceplan/roceplan/chips"
	"github.com/roceplan/roceplan/plan"
	"github.com/roceplan/roceplan/read"
	"github.com/roceplan/roceplan/units"
)

// bothSides follows Teralynx, whose pools are parts of the memory, one for lossless traffic and one for
// lossy traffic, whatever side the file gives them. SONiC's tests of the chip (sonic-mgmt
// tests/qos/files/marvell-teralynx/qos_param_generator.py) compute the thresholds of lossless groups
// from the one and those of lossy queues from the other.
func (s *Switch) bothSides() {
	if s.sidesAlike = s.chip.Family == chips.Teralynx; !s.sidesAlike {
		return
	}
	side := map[string]*plan.Pool{}
	for i := range s.Plan.Pools {
		side[s.Plan.Pools[i].Name] = &s.Plan.Pools[i]
	}
	limits := map[units.Bytes]string{}
	for _, qos := range kindsOf(s.Plan) {
		for i := range qos.PGs {
			if pool := side[qos.PGs[i].Pool]; pool != nil && pool.Direction == plan.Egress {
				pool.Direction, pool.Both = plan.Ingress, true
			}
		}
	}
	for _, qos := range kindsOf(s.Plan) {
		for i := range qos.Queues {
			q := &qos.Queues[i]
			if pool := side[q.Pool]; pool != nil && pool.Direction == plan.Ingress {
				pool.Both = true
				if limit := &q.Limit.Value; !limit.Dynamic && pool.Headroom.Value > 0 {
					limits[limit.Static] = q.Pool
					limit.Static = plan.NoLimit
				}
			}
		}
	}
	for _, limit := range slices.Sorted(maps.Keys(limits)) {
		s.taken = append(s.taken, read.Assumption{
			Where: "whole switch", Declare: "the limits of lossless queues, as the switch shows them",
			Assumes: fmt.Sprintf("assumed: the limit of %v that queues have in %s, which groups use, drops nothing before these pause; SONiC's tests of the chip find it so for six groups of one ingress block, and of more nothing is published", limit, limits[limit]),
		})
	}
}

// inWords is a chip that counts headroom in parts of a cell, with these as its cells: Teralynx, whose
// thresholds are in cells of several words. Packets below a threshold then take less than they do, so
// more of them are there when a group pauses; how much of the memory they take is the same, as limits
// are amounts.
func inWords(chip *chips.Chip) *chips.Chip {
	if chip.Family != chips.Teralynx || chip.HeadroomCell.Fact() == nil {
		return chip
	}
	own := *chip
	own.CellSize = chip.HeadroomCell
	return &own
}

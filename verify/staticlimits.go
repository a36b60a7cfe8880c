package verify

import (
	"fmt"
	"slices"
	"strings"

	"github.com/roceplan/roceplan/chips"
	"github.com/roceplan/roceplan/model/proof"
	"github.com/roceplan/roceplan/plan"
	"github.com/roceplan/roceplan/units"
)

// StaticThresholds is the condition that static thresholds are taken as one of two releases of the
// device's software takes them, where the other would lose packets.
const StaticThresholds = "static-thresholds"

// twofold reports whether a file leaves open what its static thresholds count: the catalogue has
// static_limits "either" of the chip, and some threshold is below what its pool has.
func twofold(sw *plan.Switch, chip *chips.Chip) bool {
	if sw.OS != "sonic" || chip.StaticLimits.Or("chip") != "either" {
		return false
	}
	size := map[string]units.Bytes{}
	for _, pool := range sw.Pools {
		size[pool.Name] = pool.Size.Value
	}
	bounds := func(l plan.Limit, pool string) bool { return !l.Dynamic && l.Static < size[pool] }
	return slices.ContainsFunc(sw.Ports, func(p plan.Port) bool {
		return p.QoS != nil && (slices.ContainsFunc(p.QoS.PGs, func(pg plan.PG) bool { return bounds(pg.Limit.Value, pg.Pool) }) ||
			slices.ContainsFunc(p.QoS.Queues, func(q plan.Queue) bool { return bounds(q.Limit.Value, q.Pool) }))
	})
}

// ofParts is a switch whose static thresholds are of each part of the buffer: the model takes them
// as those of the whole chip, and divides them.
func ofParts(sw *plan.Switch, chip *chips.Chip) *plan.Switch {
	own := cloneSwitch(sw)
	seen := map[*plan.PortQoS]bool{nil: true}
	for i := range own.Ports {
		qos := own.Ports[i].QoS
		if seen[qos] {
			continue
		}
		seen[qos] = true
		for k := range qos.PGs {
			qos.PGs[k].Limit.Value = times(qos.PGs[k].Limit.Value, chip.Slices.Or(1))
		}
		for k := range qos.Queues {
			qos.Queues[k].Limit.Value = times(qos.Queues[k].Limit.Value, chip.Slices.Or(1))
		}
	}
	return own
}

func times(l plan.Limit, parts int) plan.Limit {
	if !l.Dynamic && l.Static < plan.NoLimit/units.Bytes(parts) {
		l.Static *= units.Bytes(parts)
	}
	return l
}

// eitherWay proves a switch with both meanings of its static thresholds. Where one is better, that
// is the report, on the condition that it is the one.
func (v *Verifier) eitherWay(sw *plan.Switch, chip *chips.Chip) (*proof.Report, error) {
	whole, err := v.proved(sw, chip)
	if err != nil {
		return nil, err
	}
	part, err := v.proved(ofParts(sw, chip), chip)
	if err != nil {
		return nil, err
	}
	ofWhole, ofPart := worstOf(whole), worstOf(part)
	switch {
	case ofPart.is < ofWhole.is:
		assume(part, thresholds(chip, since, "those of the whole chip, which they were before", ofWhole))
		return part, nil
	case ofWhole.is < ofPart.is:
		assume(whole, thresholds(chip, before, "those of each part, which they are since", ofPart))
	}
	return whole, nil
}

const (
	before = "of the whole chip, as SAI takes them before release 14"
	since  = "of each part of the buffer, as SAI takes them from release 14 on"
)

func thresholds(chip *chips.Chip, one, other string, fails reading) proof.Condition {
	return proof.Condition{
		ID: StaticThresholds, Where: "whole switch",
		Assumes: fmt.Sprintf("static thresholds are %s; as %s, %s of %s is %v: %s", one, other, fails.of.ID, fails.of.Where, fails.is, shortfall(fails.of)),
		Declare: "the release of SAI, which the file does not hold (" + chip.StaticLimits.Fact().Source + ")",
	}
}

// onParts reports whether a certificate is on the condition that static thresholds are of each part.
func onParts(c *proof.Certificate) bool {
	return slices.ContainsFunc(c.Obligations, func(o proof.Claim) bool {
		return slices.ContainsFunc(o.Conditions, func(c proof.Supposition) bool {
			return c.ID == StaticThresholds && strings.HasPrefix(c.Says, "static thresholds are "+since)
		})
	})
}

// A reading is the worst of a report, and the first obligation that has it.
type reading struct {
	is Verdict
	of *proof.Obligation
}

func worstOf(r *proof.Report) (worst reading) {
	for i := range r.Obligations {
		if o := &r.Obligations[i]; (o.Lossless || o.ID == proof.Memory) && (worst.of == nil || verdictOf(o.Verdict) > worst.is) {
			worst = reading{verdictOf(o.Verdict), o}
		}
	}
	return worst
}

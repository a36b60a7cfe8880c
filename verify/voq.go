package verify

import (
	"github.com/roceplan/roceplan/chips"
	"github.com/roceplan/roceplan/model/proof"
	"github.com/roceplan/roceplan/plan"
)

// vendorDivides reports whether nothing of a file could say how the buffer of the chip is
// divided, though the format says it of other chips: EOS has no lines for that of chips with
// virtual output queues.
func (s *Switch) vendorDivides() bool {
	return s.shape.Format.Name == "eos" && s.chip != nil && s.chip.Family == chips.DNX
}

// bufferAsPlanned puts what the fabric plans of the buffer into what the file says of PFC,
// queues and curves: no line of the file contradicts it, and none holds it.
func (s *Switch) bufferAsPlanned(planned *plan.Switch) {
	s.asFabric = true
	s.Plan.Pools = planned.Pools
	ports := map[string]*plan.PortQoS{}
	for i := range planned.Ports {
		ports[planned.Ports[i].Name] = planned.Ports[i].QoS
	}
	type pair struct{ read, planned *plan.PortQoS }
	merged := map[pair]*plan.PortQoS{}
	for i := range s.Plan.Ports {
		p := &s.Plan.Ports[i]
		of := pair{p.QoS, ports[p.Name]}
		if of.read == nil || of.planned == nil {
			continue
		}
		if merged[of] == nil {
			merged[of] = divided(of.read, of.planned)
		}
		p.QoS = merged[of]
	}
}

// divided returns the QoS that was read, with the planned amounts of another of equal groups and queues.
func divided(read, planned *plan.PortQoS) *plan.PortQoS {
	qos := *read
	qos.PGs, qos.Queues, qos.Pools = nil, nil, planned.Pools
	for _, pg := range planned.PGs {
		pg.Lossless, pg.Range = false, read.Range
		if have := read.PG(pg.ID); have != nil {
			pg.Lossless, pg.Range = have.Lossless, have.Range
		}
		qos.PGs = append(qos.PGs, pg)
	}
	for _, q := range read.Queues {
		if want := planned.Queue(q.ID); want != nil {
			q.Pool, q.Reserved, q.Limit = want.Pool, want.Reserved, want.Limit
		}
		qos.Queues = append(qos.Queues, q)
	}
	return &qos
}

// leftToVendor returns the assumption of a verdict on such a switch.
func leftToVendor(s *Switch) proof.Condition {
	return proof.Condition{
		ID: AsPlanned, Where: "whole switch",
		Assumes: "the switch divides its buffer as the fabric plans it, since EOS has no line for that of " + s.chip.Name + ", and its vendor publishes nothing of it",
		Declare: "headroom and thresholds that the switch shows",
	}
}

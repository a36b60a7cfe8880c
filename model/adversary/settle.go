package adversary

import (
	"github.com/roceplan/roceplan/model/mmu"
	"github.com/roceplan/roceplan/model/proof"
)

// Settle attacks a switch with open obligations. If a packet is lost by an open obligation, the
// report records that it fails: the counterexample is the proof. If none is lost, it stays open,
// and says how far the search went.
//
// The result is nil if nothing was open, and the error that of Search.
func Settle(report *proof.Report, opts Options) (*Result, error) {
	if len(report.Open()) == 0 || report.LosesPackets() {
		return nil, nil
	}
	result, err := Search(report.Model, opts)
	if err != nil || result.Found != nil && Refute(report, result.Found) {
		return result, err
	}
	worst, err := SearchShared(report, opts)
	if err != nil || worst != nil && worst.Found != nil {
		return worst, err
	}
	for _, o := range report.Open() {
		o.Because += "; " + result.String()
	}
	return result, nil
}

// SearchShared plays against the switch at its worst where what groups share was left open:
// that has to hold whatever is true of the conditions on single groups. A packet that is lost
// refutes it, and the result has no other. It is nil where nothing of the kind is open.
func SearchShared(report *proof.Report, opts Options) (*Result, error) {
	opts.Only = nil
	for _, o := range report.Open() {
		if o.ID != proof.Headroom && o.ID != proof.Resume {
			opts.Only = append(opts.Only, o.ID)
		}
	}
	if len(opts.Only) == 0 {
		return nil, nil
	}
	result, err := Search(report.Worst, opts)
	if err == nil && result.Found != nil {
		Refute(report, result.Found)
	}
	return result, err
}

// Refute records in a report that a packet is lost by an obligation that it leaves open. It returns
// false if none is open on the way of the packet: prover and adversary then disagree.
func Refute(report *proof.Report, found *Counterexample) bool {
	loss, last := found.Loss, &found.Events[len(found.Events)-1]
	return report.Refute(&proof.Refusal{
		Attack: found.Attack, Counter: loss.Counter, Holds: loss.Value, Cells: loss.Cells, Limit: loss.Limit,
		Packet: mmu.Packet{InPort: last.In, PG: last.PG, OutPort: last.Out, Queue: last.Queue, Bytes: last.Bytes},
	}, loss.breaks()...)
}

// breaks lists the obligations that a loss can break, that on what is full first. A group that
// resumes too early finds its headroom, or that of all, in use.
func (l *Loss) breaks() []string {
	switch l.Why {
	case mmu.DropHeadroom.String():
		return []string{proof.Headroom, proof.Resume}
	case mmu.DropHeadroomPool.String():
		return []string{proof.HeadroomPool, proof.Resume}
	case mmu.DropQueueLimit.String():
		return []string{proof.QueueHolds, proof.EgressHolds}
	case mmu.DropPortLimit.String():
		return []string{proof.PortHolds}
	case mmu.DropEgressPool.String():
		return []string{proof.EgressHolds, proof.QueueHolds}
	}
	return []string{proof.Memory}
}

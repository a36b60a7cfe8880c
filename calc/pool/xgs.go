package pool

import (
	"fmt"

	"github.com/roceplan/roceplan/chips"
	"github.com/roceplan/roceplan/units"
)

// An XGSPool is the lossless ingress pool of a Broadcom chip as SONiC configures it,
// and what lies beside it or in it.
type XGSPool struct {
	Form   chips.PoolSize // what Size means on the chip
	Slices int64          // parts of the buffer that share nothing
	Cell   units.Bytes

	Size         units.Bytes // of the pool, as configured
	HeadroomPool units.Bytes // its xoff; 0 where PGs own their headroom

	Ports        int64 // lossless ports
	LosslessPGs  int64 // per port
	LossyQueues  int64 // per port
	PGReserve    units.Bytes
	QueueReserve units.Bytes
	Headroom     units.Bytes // of each PG, where it owns it
}

// XGSShared is what the PGs of a slice share, with the sums that lead to it.
type XGSShared struct {
	Reserves units.Bytes // taken out of the pool for PGs and queues
	Headroom units.Bytes // taken out of it for headroom
	Shared   units.Bytes // left, of the whole chip
	PerSlice units.Cells // of one slice, rounded down
}

// reserves is what PGs and lossy queues own. A PG's reserve lies in the slice of its
// port; a queue may be fed from any, and owns its reserve in every slice.
func (p *XGSPool) reserves() units.Bytes {
	perPort := units.Bytes(p.LosslessPGs)*p.PGReserve + units.Bytes(p.Slices*p.LossyQueues)*p.QueueReserve
	return units.Bytes(p.Ports) * perPort
}

// Shared returns what the PGs share. The four forms are those that SONiC's hardware
// tests (sonic-mgmt tests/qos/files/qos_params.*.yaml) agree with:
//
//   - net (Tomahawk, Tomahawk 2): size is the shared part, all else lies beside it;
//   - gross (Trident 3, Tomahawk 3 and 5): reserves and headroom pool are in it;
//   - gross-pool (Tomahawk 6): the headroom pool is in it, reserves lie beside it;
//   - gross-own-headroom (Trident 2): there is no headroom pool, and reserve and
//     headroom of every lossless PG are in it.
//
// The error is a *Shortage.
func (p *XGSPool) Shared() (XGSShared, error) {
	var s XGSShared
	switch p.Form {
	case chips.Net:
	case chips.Gross:
		s.Reserves, s.Headroom = p.reserves(), p.HeadroomPool
	case chips.GrossPool:
		s.Headroom = p.HeadroomPool
	case chips.GrossOwnHeadroom:
		pgs := units.Bytes(p.Ports * p.LosslessPGs)
		s.Reserves, s.Headroom = pgs*p.PGReserve, pgs*p.Headroom
	default:
		panic(fmt.Sprintf("pool: %q is not a form of a pool", p.Form))
	}
	if taken := s.Reserves + s.Headroom; taken > p.Size {
		return s, &Shortage{p.Size, taken}
	}
	s.Shared = p.Size - s.Reserves - s.Headroom
	s.PerSlice = (s.Shared / units.Bytes(p.Slices)).FloorCells(p.Cell)
	return s, nil
}

// Sized returns the pool with the size that gives the PGs all of a buffer that
// reserves and headroom leave: the configuration of SONiC's buffers_defaults templates.
// The error is a *Shortage.
func (p XGSPool) Sized(usable units.Bytes) (XGSPool, error) {
	p.Size = usable
	beside := units.Bytes(0)
	switch p.Form {
	case chips.Net:
		beside = p.reserves() + p.HeadroomPool
	case chips.GrossPool:
		beside = p.reserves()
	}
	if beside >= usable {
		return p, &Shortage{usable, beside}
	}
	p.Size -= beside
	_, err := p.Shared()
	return p, err
}

// HeadroomPool returns the size of a headroom pool for PGs with the given headroom:
// their sum over the ratio by which they share it, and in every slice at least enough
// for the largest of them, in whole cells of every slice. ratio ≥ 1.
func HeadroomPool(headrooms []units.Bytes, ratio, slices int64, cell units.Bytes) units.Bytes {
	var sum, largest units.Bytes
	for _, h := range headrooms {
		sum, largest = sum+h, max(largest, h)
	}
	perSlice := max(units.Bytes(units.CeilMulDiv(int64(sum), 1, ratio*slices)), largest).CeilTo(cell)
	return perSlice * units.Bytes(slices)
}

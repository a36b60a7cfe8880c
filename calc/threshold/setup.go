package threshold

import (
	"fmt"

	"github.com/roceplan/roceplan/units"
)

// Setup is one switch as it is configured. A nil field was not given: only answers
// that need it fail.
type Setup struct {
	Behaviour Behaviour

	// PoolSize is the size of the ingress pool over all slices, with the chip's meaning.
	PoolSize *units.Bytes
	// HeadroomPool is SONiC's pool xoff over all slices; nil or 0 where every PG owns its headroom.
	HeadroomPool *units.Bytes
	// LosslessPorts is the number of ports with lossless PGs; only a gross size needs it.
	LosslessPorts *int64
	// LosslessPGs is the number of lossless PGs of a port, 1 to 7.
	LosslessPGs int64

	// Reserved, Xoff and XonOffset are a lossless PG's, Alpha the exponent of its threshold.
	Reserved, Xoff, XonOffset *units.Bytes
	Alpha                     *units.Alpha

	// LossyQueues is the number of lossy queues of a port that have a reserve.
	LossyQueues *int64
	// QueueReserved and QueueAlpha are a lossy queue's. The chip has a default for the first.
	QueueReserved *units.Bytes
	QueueAlpha    *units.Alpha
	// EgressLossyPool is its size over all slices; nil where lossy queues share what the ingress pool does.
	EgressLossyPool *units.Bytes

	// PacketBytes is the length of the packets sent, 1 or more.
	PacketBytes int64
}

// usualLosslessPGs is SONiC's default: priorities 3 and 4.
const usualLosslessPGs = 2

// testPacketBytes is the length of the packets of SONiC's QoS tests.
const testPacketBytes = 64

// NewSetup returns a setup of a chip with the defaults of SONiC's QoS tests.
func NewSetup(b Behaviour) *Setup {
	return &Setup{Behaviour: b, LosslessPGs: usualLosslessPGs, PacketBytes: testPacketBytes}
}

// Slice is one slice of the buffer in cells.
type Slice struct {
	// Shared and HeadroomPool are the slice's parts of the ingress pool, Lossy its
	// part of the pool that lossy queues share.
	Shared, HeadroomPool, Lossy units.Cells
	// Reserved, Headroom and XonOffset are a lossless PG's, QueueReserved a lossy queue's.
	Reserved, Headroom, XonOffset, QueueReserved units.Cells
	// Pooled: the PG's headroom comes from the headroom pool.
	Pooled bool
	// PacketCells is the number of cells of one packet of the test.
	PacketCells units.Cells
}

// cells converts what was given, rounding down: a limit admits whole cells only.
func (s *Setup) cells(b *units.Bytes) units.Cells {
	if b == nil {
		return 0
	}
	return b.FloorCells(s.Behaviour.CellBytes)
}

// perSlice returns a slice's part of a pool that is given in bytes, rounded up to a whole
// cell: published pools are shares such as 0.85 of another and seldom whole cells.
func (s *Setup) perSlice(b units.Bytes) units.Cells {
	return b.CeilCells(s.Behaviour.CellBytes * units.Bytes(s.Behaviour.Slices))
}

// Slice converts the configuration to cells of one slice. It does not ask for what
// only some answers need; shared reports whether the shared part could be determined.
func (s *Setup) Slice() (cells Slice, shared error) {
	b := &s.Behaviour
	if err := s.Validate(); err != nil {
		return Slice{}, err
	}
	reserve := s.QueueReserved
	if reserve == nil {
		reserve = &b.LossyReserve
	}
	cells = Slice{
		Reserved: s.cells(s.Reserved), Headroom: s.cells(s.Xoff), XonOffset: s.cells(s.XonOffset),
		QueueReserved: s.cells(reserve),
		HeadroomPool:  s.cells(s.HeadroomPool) / units.Cells(b.Slices),
		Pooled:        s.pooled(),
		PacketCells:   (units.Bytes(s.PacketBytes) + b.MetadataBytes).CeilCells(b.CellBytes),
	}
	if cells.Pooled && cells.HeadroomPool == 0 {
		return Slice{}, fmt.Errorf("the headroom pool of %d B is less than a cell in each of %d slices", *s.HeadroomPool, b.Slices)
	}
	cells.Shared, shared = s.sharedCells(cells)
	cells.Lossy = cells.Shared
	if s.EgressLossyPool != nil {
		cells.Lossy = s.perSlice(*s.EgressLossyPool)
	}
	return cells, shared
}

// sharedCells returns the slice's shared part of the ingress pool: the size, less what its
// meaning says it covers.
func (s *Setup) sharedCells(c Slice) (units.Cells, error) {
	b := &s.Behaviour
	if err := s.lacks(s.sizeNeeds()); err != nil {
		return 0, err
	}
	if b.Size == Net {
		return s.perSlice(*s.PoolSize), nil
	}
	covered := s.covered(c)
	left := s.cells(s.PoolSize) - covered
	if left < 0 {
		return 0, fmt.Errorf("the ingress pool of %d B has %d cells, but headroom and reserves take %d: %d too many",
			*s.PoolSize, s.cells(s.PoolSize), covered, -left)
	}
	return left / units.Cells(b.Slices), nil
}

// covered counts the cells, over all slices, that a gross size covers in addition to the shared
// part. Its inputs are given: see sizeNeeds.
func (s *Setup) covered(c Slice) units.Cells {
	b := &s.Behaviour
	if b.Size == GrossPool {
		return s.cells(s.HeadroomPool)
	}
	port := units.Cells(s.LosslessPGs) * c.Reserved
	if b.Size == Gross {
		port += units.Cells(*s.LossyQueues) * c.QueueReserved * units.Cells(b.Slices)
	}
	if !c.Pooled {
		port += units.Cells(s.LosslessPGs) * c.Headroom
	}
	return s.cells(s.HeadroomPool) + units.Cells(*s.LosslessPorts)*port
}

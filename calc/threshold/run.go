package threshold

import (
	"fmt"

	"github.com/roceplan/roceplan/model/mmu"
	"github.com/roceplan/roceplan/units"
)

// Run answers by sending packets, one by one, to the accounting model. The setup must
// not change meanwhile: several answers come from the same filling of one PG.
type Run struct {
	*Setup
	probed map[Slice]mmu.Probing
}

// Run returns the answers of the model.
func (s *Setup) Run() Run { return Run{s, map[Slice]mmu.Probing{}} }

// most is the limit of a question, in packets: some seconds of the model.
const most = 1 << 26

// unlimited is a threshold above any memory.
const unlimited = units.Cells(1) << 40

const (
	losslessQueue = iota
	lossyQueue
)

// config returns a switch with enough ports for n PGs in slice 0, and one more as the way out.
func (r Run) config(c Slice, n int) (*mmu.Config, error) {
	if work := (c.Shared + units.Cells(n)*(c.Reserved+c.Headroom) + c.Lossy + c.QueueReserved) / c.PacketCells; work > most {
		return nil, fmt.Errorf("the slice takes %d packets; the model is run for at most %d", work, most)
	}
	config := &mmu.Config{
		CellBytes: r.Behaviour.CellBytes, MetadataBytes: r.Behaviour.MetadataBytes,
		Slices: 1, // nothing of another slice enters the answers
		Rules:  r.Behaviour.Rules,
		IngressPools: []mmu.Pool{{
			Name: "ingress", SharedCells: c.Shared, HeadroomCells: c.HeadroomPool,
		}},
		EgressPools: []mmu.Pool{{Name: "lossless", SharedCells: unlimited}, {Name: "lossy", SharedCells: c.Lossy}},
	}
	port := mmu.Port{Queues: []mmu.Queue{
		losslessQueue: {Limit: mmu.StaticLimit(unlimited)},
		lossyQueue:    {Pool: lossyQueue, ReservedCells: c.QueueReserved, Limit: mmu.DynamicLimit(exponent(r.QueueAlpha))},
	}}
	for range r.LosslessPGs {
		port.PGs = append(port.PGs, mmu.PG{
			ReservedCells: c.Reserved, Limit: mmu.DynamicLimit(exponent(r.Alpha)), Lossless: true,
			HeadroomCells: c.Headroom, HeadroomPooled: c.Pooled, XonOffsetCells: c.XonOffset,
		})
	}
	port.PGs = append(port.PGs, mmu.PG{Limit: mmu.StaticLimit(unlimited)}) // lossy
	for range (n+int(r.LosslessPGs)-1)/int(r.LosslessPGs) + 1 {
		config.Ports = append(config.Ports, port)
	}
	return config, nil
}

// lossless are packets to n PGs, all of which leave through the last port.
func (r Run) lossless(config *mmu.Config, n int) []mmu.Packet {
	packets := make([]mmu.Packet, n)
	for i := range packets {
		packets[i] = mmu.Packet{
			InPort: i / int(r.LosslessPGs), PG: i % int(r.LosslessPGs),
			OutPort: len(config.Ports) - 1, Queue: losslessQueue, Bytes: int(r.PacketBytes),
		}
	}
	return packets
}

// probe fills one lossless PG of an empty switch.
func (r Run) probe(c Slice) (mmu.Probing, error) {
	if found, done := r.probed[c]; done {
		return found, nil
	}
	config, err := r.config(c, 1)
	if err != nil {
		return mmu.Probing{}, err
	}
	found, err := mmu.Probe(config, r.lossless(config, 1)[0], most)
	r.probed[c] = found
	return found, err
}

// fill builds the switch for n PGs.
func (r Run) fill(c Slice, n int) (*mmu.MMU, []mmu.Packet, error) {
	config, err := r.config(c, n)
	if err != nil {
		return nil, nil, err
	}
	m, err := mmu.New(config)
	return m, r.lossless(config, n), err
}

// FirstPause implements [Figures].
func (r Run) FirstPause() (int64, error) {
	c, err := r.losslessSlice()
	if err != nil {
		return 0, err
	}
	found, err := r.probe(c)
	return found.FirstPause, err
}

// FirstIngressDrop implements [Figures].
func (r Run) FirstIngressDrop() (int64, error) {
	c, err := r.losslessSlice(Xoff)
	if err != nil {
		return 0, err
	}
	found, err := r.probe(c)
	return found.FirstDrop, err
}

// PauseToDrop implements [Figures].
func (r Run) PauseToDrop() (int64, error) {
	c, err := r.headroomSlice()
	if err != nil {
		return 0, err
	}
	found, err := r.probe(c)
	return found.FirstDrop - found.FirstPause, err
}

// FirstLossyEgressDrop implements [Figures].
func (r Run) FirstLossyEgressDrop() (int64, error) {
	c, err := r.needs(QueueAlpha)
	if err != nil {
		return 0, err
	}
	config, err := r.config(c, 1)
	if err != nil {
		return 0, err
	}
	p := r.lossless(config, 1)[0]
	p.PG, p.Queue = int(r.LosslessPGs), lossyQueue
	found, err := mmu.Probe(config, p, most)
	if err == nil && found.Drop.Ingress() {
		return 0, ingressFirst(found.FirstDrop)
	}
	return found.FirstDrop, err
}

func ingressFirst(packet int64) error {
	return fmt.Errorf("no egress drop: the ingress pool is exhausted before, at packet %d", packet)
}

// DrainedToResume implements [Figures].
func (r Run) DrainedToResume() (int64, error) {
	c, err := r.losslessSlice(XonOffset)
	if err != nil {
		return 0, err
	}
	found, err := r.probe(c)
	return found.DrainedToResume, err
}

// EqualPGs implements [Figures].
func (r Run) EqualPGs(n int) (int64, error) {
	c, err := r.slicePGs(n)
	if err != nil {
		return 0, err
	}
	m, flows, err := r.fill(c, n)
	if err != nil {
		return 0, err
	}
	rounds, _ := m.FirstPauseInTurn(flows, most) // a lossless PG pauses before it drops
	return rounds, nil
}

// Successive implements [Figures].
func (r Run) Successive(n int) ([]int64, error) {
	c, err := r.slicePGs(n)
	if err != nil {
		return nil, err
	}
	m, flows, err := r.fill(c, n)
	if err != nil {
		return nil, err
	}
	return fillToPause(m, flows)
}

func fillToPause(m *mmu.MMU, flows []mmu.Packet) ([]int64, error) {
	packets := make([]int64, len(flows))
	for i, p := range flows {
		var ok bool
		if packets[i], ok = m.FillToPause(p, most); !ok {
			return nil, fmt.Errorf("PG %d of %d does not pause: packet %d is dropped first", i+1, len(flows), packets[i])
		}
	}
	return packets, nil
}

// HeadroomPool implements [Figures].
func (r Run) HeadroomPool(n int) (full, last int64, err error) {
	c, err := r.slicePGs(n, Xoff)
	if err != nil {
		return full, last, err
	}
	m, flows, err := r.fill(c, n)
	if err != nil {
		return full, last, err
	}
	for _, p := range flows {
		m.FillToPause(p, most)
	}
	for _, p := range flows {
		m.FillToDrop(p, most) // there are fewer packets than that: see config
	}
	held := func(p mmu.Packet) int64 { return int64(m.PG(p.InPort, p.PG).Headroom / c.PacketCells) }
	return held(flows[0]), held(flows[n-1]), nil
}

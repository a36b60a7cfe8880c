package fabric

import (
	"github.com/roceplan/roceplan/model/sim"
	"github.com/roceplan/roceplan/model/sim/balance"
	"github.com/roceplan/roceplan/model/sim/cells"
	"github.com/roceplan/roceplan/units"
)

// cells makes one scheduled fabric of the switches. Its ingress buffers have the memory that
// the first edge switch's chip shares, and the largest headroom that its plan gives a priority
// group; the simulator counts headroom in delays of the link.
func (b *builder) cells() {
	config := b.silicon[b.edges()[0].node].Config
	shared, headroom := units.Cells(0), units.Cells(0)
	for _, pool := range config.IngressPools {
		shared += pool.SharedCells
	}
	for _, p := range config.Ports {
		for _, pg := range p.PGs {
			headroom = max(headroom, pg.HeadroomCells)
		}
	}
	flight := units.Bytes(0)
	for host := range b.net.Hosts {
		l := &b.sc.Links[host]
		if bytes := l.Rate.CeilBytes(l.Delay); flight == 0 || bytes < flight {
			flight = bytes
		}
	}
	flight = max(flight, 1)
	delays := (units.Bytes(headroom)*config.CellBytes + flight - 1) / flight
	b.sc.Balancing = balance.Config{Mode: balance.Cells, Cells: cells.Config{Credit: 1024, Speedup: 1.02, EgressBuffer: 16 * units.KB}}
	b.sc.Buffer = sim.HPCCBuffer{Size: units.Bytes(shared) * config.CellBytes, AlphaShift: 3, HeadroomDelays: int(delays)}
	for host := range b.net.Hosts {
		if l := &b.sc.Links[host]; l.B == b.edges()[0].node {
			b.sc.Buffer.Size += delays * l.Rate.CeilBytes(l.Delay)
		}
	}
	b.sc.Silicon = nil
	b.note("assumed, for a fabric of cells: credits of %d B at 1.02 times a port's rate, %d B of egress buffer; ingress buffers of %d B with alpha 1/8; a request and a credit take a spine's latency as packets do",
		b.sc.Balancing.Cells.Credit, b.sc.Balancing.Cells.EgressBuffer, b.sc.Buffer.Size)
}

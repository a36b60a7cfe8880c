package sim

import (
	"slices"

	"github.com/roceplan/roceplan/model/sim/balance"
)

func (s *builder) buildPorts() {
	rates := map[int64]uint8{}
	for i := range s.ports {
		p, c, l := &s.ports[i], &s.configs[i], &s.sc.Links[i/2]
		c.rate = int64(l.Rate)
		c.loss = uint64(min(l.ErrorRate, 1-0x1p-53) * (1 << 64))
		p.rateIndex = s.rateIndex(rates, c.rate)
		p.node = int32(s.topo.node(int32(i)))
		p.delay, p.nic = int64(l.Delay), -1
		if c.loss != 0 {
			p.trouble = faulty
		}
		if l.NoPFC[i%2] {
			p.trouble |= deaf
		}
		if l.LosesCNPs[i%2] {
			p.trouble |= cnpless
		}
		c.hold = s.sc.PFC.holds(l.Rate)
		c.response = int64(s.sc.PFC.SwitchResponse)
		if s.sc.Nodes[p.node] == Host {
			c.response = int64(s.sc.PFC.HostResponse)
			p.nic = int32(len(s.nics))
			s.nics = append(s.nics, nic{})
		}
		if own := l.Response[i%2]; own > 0 {
			c.response = int64(own)
		}
	}
	s.acks = make([]list, len(s.nics)*classes)
}

// rateIndex finds or makes the table of transmission times of a rate.
func (s *engine) rateIndex(known map[int64]uint8, rate int64) uint8 {
	i, ok := known[rate]
	if !ok {
		t := &s.transport
		largest := max(int32(t.payload)+t.dataHeader, t.ackSize, int32(t.cnpSize), int32(t.pfcSize), signalBytes, probeBytes)
		i = uint8(len(s.txTimes))
		s.rates = append(s.rates, float64(rate))
		s.txTimes = append(s.txTimes, s.clock.table(uint64(rate), largest))
		known[rate] = i
	}
	return i
}

// buildPools sets up the switches' buffers.
func (s *builder) buildPools() {
	for node, kind := range s.sc.Nodes {
		if kind == Switch {
			s.pools[node] = newHPCCPool(&s.sc.Buffer)
		}
	}
	hostRate := s.sc.hostRate()
	for i := range s.ports {
		if p := &s.ports[i]; p.nic < 0 && (s.sc.Balancing.Mode != balance.Cells || s.ports[i^1].nic >= 0) {
			s.headrooms[i] = s.pools[p.node].addPort(p, s.configs[i].rate, &s.sc.Buffer, hostRate)
		}
	}
}

func (sc *Scenario) hostCount() (n int) {
	for _, kind := range sc.Nodes {
		if kind == Host {
			n++
		}
	}
	return n
}

// hostRate returns the rate of the first host's first link, at which AlphaShift holds.
func (sc *Scenario) hostRate() int64 {
	first := slices.Index(sc.Nodes, Host)
	for _, l := range sc.Links {
		if l.A == first || l.B == first {
			return int64(l.Rate)
		}
	}
	return 0
}

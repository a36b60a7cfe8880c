package sim

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
)

// Sizes on the wire in the HPCC simulator: 14 B Ethernet, 20 B IP, then UDP and a
// sequence header, or the acknowledgement's own; telemetry comes on top.
const (
	dataHeaderBytes = 14 + 20 + 8 + 6
	ackHeaderBytes  = 14 + 20 + 12
	minAckBytes     = 60
	timestampBytes  = 8
)

// transport is [Transport] in the form that the packets' handling reads.
type transport struct {
	payload      int64
	dataHeader   int32
	ackSize      int32
	ackInterval  int64
	chunk        int64
	nackInterval int64
	cnpInterval  int64

	ackClass       uint8
	backToZero     bool
	variableWindow bool
	unpaced        bool
	cnpPerPort     bool

	directPlacement bool
}

func newTransport(sc *Scenario) transport {
	t, extra := &sc.Transport, int32(0)
	switch sc.Congestion.Algorithm {
	case UseHPCC:
		extra = intBytes
	case UseTIMELY, UseSwift:
		extra = timestampBytes
	}
	return transport{
		payload:      int64(t.Payload),
		dataHeader:   dataHeaderBytes + extra,
		ackSize:      max(minAckBytes, ackHeaderBytes+extra),
		ackInterval:  int64(t.AckInterval),
		chunk:        int64(t.Chunk),
		nackInterval: int64(t.NackInterval),
		cnpInterval:  int64(t.CNPInterval),
		cnpPerPort:   t.CNPPerPort,

		directPlacement: t.DirectPlacement,
		ackClass:        t.AckClass,
		backToZero:      t.BackToZero,
		variableWindow:  t.VariableWindow,
		unpaced:         t.Unpaced,
	}
}

// New prepares a run. The error tells which flows have no path, or what is wrong with a
// switch's buffer.
func New(sc *Scenario) (*Sim, error) {
	s := &Sim{
		events:     newEventQueue(2*len(sc.Links)<<kindBits, slotBitsFor(sc.hostCount())),
		ports:      make([]port, 2*len(sc.Links)),
		configs:    make([]portConfig, 2*len(sc.Links)),
		queues:     make([]queue, 2*len(sc.Links)*classes),
		usages:     make([]usage, 2*len(sc.Links)*classes),
		flows:      make([]flow, len(sc.Flows)),
		pools:      make([]hpccPool, len(sc.Nodes)),
		random:     rand.NewPCG(sc.Seed, 0x726f6365706c616e),
		transport:  newTransport(sc),
		congestion: sc.Congestion,
		clock:      clock{sc.Times},
	}
	topo := newTopology(sc)
	s.buildPorts(sc, topo)
	s.buildPools(sc)
	if err := s.buildSilicon(sc); err != nil {
		return nil, err
	}
	if err := s.buildFlows(sc, topo); err != nil {
		return nil, err
	}
	s.buildControl()
	if sc.FirstStream > 0 {
		s.streams = newStreams(sc.Seed, sc.FirstStream)
	}
	s.room(1)
	s.scheduleStart()
	return s, nil
}

func (s *Sim) buildPorts(sc *Scenario, topo *topology) {
	rates := map[int64]uint8{}
	for i := range s.ports {
		p, c, l := &s.ports[i], &s.configs[i], &sc.Links[i/2]
		c.rate = int64(l.Rate)
		c.loss = uint64(min(l.ErrorRate, 1-0x1p-53) * (1 << 64))
		p.rateIndex = s.rateIndex(rates, c.rate)
		p.node = int32(topo.node(int32(i)))
		p.delay, p.lossy, p.nic = int64(l.Delay), c.loss != 0, -1
		if sc.Nodes[p.node] == Host {
			p.nic = int32(len(s.nics))
			s.nics = append(s.nics, nic{})
		}
		for _, e := range sc.ECN {
			if e.Rate == l.Rate {
				c.mark = newECNProfile(e)
				if e.PollPeriod > 0 && s.averages == nil {
					s.averages = make([]average, len(s.queues))
				}
			}
		}
	}
}

// rateIndex finds or makes the table of transmission times of a rate.
func (s *Sim) rateIndex(known map[int64]uint8, rate int64) uint8 {
	i, ok := known[rate]
	if !ok {
		largest := max(int32(s.transport.payload)+s.transport.dataHeader, s.transport.ackSize, pfcBytes)
		i = uint8(len(s.txTimes))
		s.txTimes = append(s.txTimes, s.clock.table(uint64(rate), largest))
		known[rate] = i
	}
	return i
}

// buildPools sets up the switches' buffers.
func (s *Sim) buildPools(sc *Scenario) {
	for node, kind := range sc.Nodes {
		if kind == Switch {
			s.pools[node] = newHPCCPool(&sc.Buffer)
		}
	}
	hostRate := sc.hostRate()
	for i := range s.ports {
		if p := &s.ports[i]; p.nic < 0 {
			s.pools[p.node].addPort(p, &s.configs[i], &sc.Buffer, hostRate)
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

// hostRate is the rate of the first host's first link, at which AlphaShift holds.
func (sc *Scenario) hostRate() int64 {
	first := slices.Index(sc.Nodes, Host)
	for _, l := range sc.Links {
		if l.A == first || l.B == first {
			return int64(l.Rate)
		}
	}
	return 0
}

// buildFlows computes each flow's paths. It searches once per host that is an end of a
// flow, or of all hosts if their largest BDP is asked for.
func (s *Sim) buildFlows(sc *Scenario, topo *topology) error {
	s.routes = append(s.routes, -1)
	towards, back := make([][]int, len(sc.Nodes)), make([][]int, len(sc.Nodes))
	for i := range sc.Flows {
		f := &sc.Flows[i]
		towards[f.Dst] = append(towards[f.Dst], i)
		back[f.Src] = append(back[f.Src], i)
	}
	var errs []error
	var largestRTT, largestBDP int64
	tree := &tree{}
	balancer := newBalancer(sc)
	for node, kind := range sc.Nodes {
		all := sc.Transport.Window == LargestBDP
		if kind != Host || !all && len(towards[node])+len(back[node]) == 0 {
			continue
		}
		tree.find(topo, node, s.transport.payload, s.clock)
		for _, i := range towards[node] {
			errs = append(errs, s.buildData(&sc.Flows[i], &s.flows[i], topo, tree, sc.Transport.Window))
		}
		for _, i := range back[node] {
			s.buildAck(&sc.Flows[i], &s.flows[i], topo, tree)
		}
		if balancer != nil {
			row := balancer.row(topo, tree)
			for _, i := range towards[node] {
				s.flows[i].dataRoute = row
			}
			for _, i := range back[node] {
				s.flows[i].ackRoute = row
			}
		}
		if all {
			rtt, bdp := tree.largest(topo.nodes)
			largestRTT, largestBDP = max(largestRTT, rtt), max(largestBDP, bdp)
		}
	}
	if sc.Transport.Window == LargestBDP {
		for i := range s.flows {
			s.flows[i].baseRTT, s.flows[i].window = largestRTT, uint64(largestBDP)
		}
	}
	if balancer != nil {
		s.balancer = &balancer.balancer
	}
	s.sortStarts()
	return errors.Join(errs...)
}

// buildData fills in the sender's half and the way there.
func (s *Sim) buildData(from *Flow, f *flow, topo *topology, tree *tree, window Window) error {
	path := tree.path(topo, from.Src, from.key())
	if path == nil {
		return fmt.Errorf("no path from node %d to node %d", from.Src, from.Dst)
	}
	rate := uint64(s.configs[path[0]].rate)
	f.bytes, f.started, f.class = int64(from.Bytes), int64(from.Start), from.Class
	f.rate, f.lineRate, f.port = rate, rate, path[0]
	f.dataRoute, f.hops = s.addRoute(path[1:]), int32(len(path)-1)
	if s.transport.directPlacement {
		f.placed = make([]uint64, (f.bytes/s.transport.payload+64)/64)
	}
	f.baseRTT = tree.baseRTT(from.Src)
	f.ideal = f.baseRTT + s.clock.whole(8*s.wireBytes(f.bytes), tree.steps[from.Src].slowest)
	if window == PathBDP {
		f.window = uint64(tree.bdp(from.Src))
	}
	return nil
}

func (s *Sim) buildAck(from *Flow, f *flow, topo *topology, tree *tree) {
	if path := tree.path(topo, from.Dst, from.key().reversed()); path != nil {
		f.ackPort = path[0]
		f.ackRoute = s.addRoute(path[1:])
	}
}

func (s *Sim) addRoute(ports []int32) int32 {
	at := len(s.routes)
	s.routes = append(s.routes, ports...)
	return int32(at)
}

// wireBytes is a message with the headers of its packets, without telemetry.
func (s *Sim) wireBytes(message int64) int64 {
	packets := (message + s.transport.payload - 1) / s.transport.payload
	return message + packets*dataHeaderBytes
}

func (s *Sim) sortStarts() {
	s.starts = make([]int32, len(s.flows))
	for i := range s.starts {
		s.starts[i] = int32(i)
	}
	slices.SortStableFunc(s.starts, func(a, b int32) int {
		return int(min(1, max(-1, s.flows[a].started-s.flows[b].started)))
	})
}

// buildControl gives each flow the state of its congestion control.
func (s *Sim) buildControl() {
	n := len(s.flows)
	switch s.congestion.Algorithm {
	case UseDCQCN:
		s.dcqcn = make([]dcqcnState, n)
		s.decay = newDecay(s.congestion.DCQCN.Gain)
	case UseTIMELY:
		s.sent = make([]int64, 0)
		s.timely = make([]timelyState, n)
	case UseSwift:
		s.sent = make([]int64, 0)
		s.swift = make([]swiftState, n)
		for i := range s.swift {
			s.swift[i] = newSwiftState(s, &s.flows[i])
		}
	case UseDCTCP:
		s.dctcp = make([]dctcpState, n)
	case UseHPCC:
		s.int = make([]telemetry, 0)
		s.hpcc = make([]hpccState, n)
		for i := range s.hpcc {
			s.hpcc[i] = newHPCCState(s.flows[i].lineRate, s.congestion.HPCC.PerHop)
		}
	}
}

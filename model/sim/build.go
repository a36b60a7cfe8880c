package sim

// transport is [Transport] in the form that the packets' handling reads.
type transport struct {
	payload int64
	wire
	ackInterval  int64
	chunk        int64
	nackInterval int64
	cnpInterval  int64

	acks           AckPath
	ackClass       uint8
	backToZero     bool
	variableWindow bool
	unpaced        bool
	cnpPerPort     bool
	cnpPackets     bool // instead of echoes
	cnpClass       uint8

	directPlacement bool

	ackTimeout int64 // 0: none
	retries    int
}

func newTransport(sc *Scenario) transport {
	t := &sc.Transport
	return transport{
		payload:      int64(t.Payload),
		wire:         newWire(&sc.Wire, sc.Congestion.Algorithm.telemetryBytes()),
		ackInterval:  int64(t.AckInterval),
		chunk:        int64(t.Chunk),
		nackInterval: int64(t.NackInterval),
		cnpInterval:  int64(t.CNPInterval),
		cnpPerPort:   t.CNPPerPort,
		cnpPackets:   t.CNPPackets && sc.Congestion.Algorithm == UseDCQCN,
		cnpClass:     t.CNPClass,

		directPlacement: t.DirectPlacement,
		acks:            t.Acks,
		ackClass:        t.AckClass,
		backToZero:      t.BackToZero,
		variableWindow:  t.VariableWindow,
		unpaced:         t.Unpaced,

		ackTimeout: int64(t.AckTimeout),
		retries:    t.Retries,
	}
}

// newEngine prepares a run. The error tells what in the scenario is out of range, which flows
// have no path, or what is wrong with a switch's buffer.
func newEngine(sc *Scenario) (*engine, error) {
	if err := sc.check(); err != nil {
		return nil, err
	}
	if sc.Balancing.Mode == UseCells {
		sc = sc.fused()
	}
	s := &engine{
		setAt:      never,
		events:     newEventQueue(slotBitsFor(sc.hostCount())),
		ports:      make([]port, 2*len(sc.Links)),
		configs:    make([]portConfig, 2*len(sc.Links)),
		queues:     make([]queue, 2*len(sc.Links)*classes),
		usages:     make([]usage, 2*len(sc.Links)*classes),
		obeyAt:     make([]int64, 2*len(sc.Links)*classes),
		pools:      make([]hpccPool, len(sc.Nodes)),
		randoms:    newRandoms(sc.Seed, len(sc.Nodes)),
		chained:    sc.ordered(),
		transport:  newTransport(sc),
		host:       newHostTimes(&sc.Transport.Host),
		congestion: sc.Congestion,
		clock:      clock{sc.Times, int32(sc.Wire.Gap)},
	}
	s.manyWays = sc.Balancing.Mode != ECMP || len(sc.Outages) > 0
	s.ways.known = map[string]int32{}
	topo := newTopology(sc)
	s.buildPorts(sc, topo)
	if err := s.buildEgress(sc); err != nil {
		return nil, err
	}
	s.buildPools(sc)
	s.buildCells(sc)
	if err := s.buildSilicon(sc); err != nil {
		return nil, err
	}
	if err := s.buildFlows(sc, topo); err != nil {
		return nil, err
	}
	if err := s.buildGenerators(sc, topo); err != nil {
		return nil, err
	}
	s.buildControl()
	s.buildExpiry(sc)
	s.buildStorms(sc)
	s.buildReceivers(sc)
	s.buildWatchdogs(sc)
	s.buildObserver(sc)
	if err := s.buildSeries(sc); err != nil {
		return nil, err
	}
	if sc.FirstStream > 0 {
		s.streams = newStreams(sc.Seed, sc.FirstStream)
	}
	s.room(1)
	return s, nil
}

// buildControl gives each queue pair the state of its congestion control.
func (s *engine) buildControl() {
	n := len(s.flows)
	switch s.congestion.Algorithm {
	case UseDCQCN:
		s.dcqcn = make([]dcqcnState, n)
		s.decay, s.repaces = newDecay(s.congestion.DCQCN.Gain), s.congestion.DCQCN.Repace
	case UseTIMELY:
		s.sent = make([]int64, 0)
		s.timely = make([]timelyState, n)
	case UseSwift:
		s.sent = make([]int64, 0)
		s.swift = make([]swiftState, n)
	case UseRTTCC:
		s.sent = make([]int64, 0)
		s.rttcc = make([]rttccState, n)
	case UseDCTCP:
		s.dctcp = make([]dctcpState, n)
	case UseHPCC:
		s.int = make([]telemetry, 0)
		s.hpcc = make([]hpccState, n)
	}
	for i := range s.flows {
		s.startControl(int32(i))
	}
}

// startControl lets a queue pair begin at line rate, as if it had never sent.
func (s *engine) startControl(i int32) {
	f := &s.flows[i]
	f.rate = f.lineRate
	switch s.congestion.Algorithm {
	case UseDCQCN:
		s.dcqcn[i] = dcqcnState{}
	case UseTIMELY:
		s.timely[i] = timelyState{}
	case UseSwift:
		s.swift[i] = newSwiftState(s, f)
	case UseRTTCC:
		s.rttcc[i] = rttccState{}
	case UseDCTCP:
		s.dctcp[i] = dctcpState{}
	case UseHPCC:
		s.hpcc[i].start(f.lineRate, s.congestion.HPCC.PerHop)
	}
}

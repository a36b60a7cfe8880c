package sim

import (
	"github.com/roceplan/roceplan/model/sim/balance"
	"github.com/roceplan/roceplan/model/sim/cells"
)

// transport is [Transport] in the form that the packets' handling reads.
type transport struct {
	payload int64
	wire
	telemetry    int32 // bytes of each packet that congestion controls write
	ackInterval  int64
	chunk        int64
	nackInterval int64
	cnpInterval  int64

	acks       AckPath
	ackClass   uint8
	backToZero bool
	unpaced    bool
	cnpPerPort bool
	cnpClass   uint8

	directPlacement bool
	disorderNotice  bool

	ackTimeout int64 // 0: none
	retries    int
}

func newTransport(sc *Scenario) transport {
	t := &sc.Transport
	return transport{
		payload:      int64(t.Payload),
		wire:         newWire(&sc.Wire, sc.telemetryBytes()),
		telemetry:    sc.telemetryBytes(),
		ackInterval:  int64(t.AckInterval),
		chunk:        int64(t.Chunk),
		nackInterval: int64(t.NackInterval),
		cnpInterval:  int64(t.CNPInterval),
		cnpPerPort:   t.CNPPerPort,
		cnpClass:     t.CNPClass,

		directPlacement: t.DirectPlacement,
		disorderNotice:  t.DisorderNotice,
		acks:            t.Acks,
		ackClass:        t.AckClass,
		backToZero:      t.BackToZero,
		unpaced:         t.Unpaced,

		ackTimeout: int64(t.AckTimeout),
		retries:    t.Retries,
	}
}

// builder sets an engine up from a scenario. Its methods are those that a run has no use for.
type builder struct {
	*engine
	sc     *Scenario
	topo   *topology
	byNode [][]int32 // ports, in the order of links
}

// newEngine prepares a run. The error says what in the scenario is out of range, which flows
// have no path, or what is wrong with a switch's buffer.
func newEngine(sc *Scenario) (*engine, error) {
	if err := sc.check(); err != nil {
		return nil, err
	}
	var members []cells.Member
	if sc.Balancing.Mode == balance.Cells {
		sc, members = sc.fused()
	}
	s := newBuilder(sc)
	s.shown = sc.Clock
	s.setAt, s.chained, s.events = never, sc.ordered(), newEventQueue(slotBitsFor(sc.hostCount()), sc.ordered())
	s.laws, s.randoms = newLaws(sc), newRandoms(sc.Seed, len(sc.Nodes))
	if err := s.buildEgress(); err != nil {
		return nil, err
	}
	s.buildPools()
	s.buildCells(members)
	if err := s.buildSilicon(); err != nil {
		return nil, err
	}
	if err := s.buildFlows(); err != nil {
		return nil, err
	}
	if err := s.buildGenerators(); err != nil {
		return nil, err
	}
	s.startControls()
	s.buildExpiry()
	s.buildStorms()
	s.buildReceivers()
	s.buildWatchdogs()
	s.buildObserver()
	if err := s.buildSeries(); err != nil {
		return nil, err
	}
	if err := s.buildCounters(); err != nil {
		return nil, err
	}
	s.buildQuiet()
	if sc.FirstStream > 0 {
		s.streams = newStreams(sc.Seed, sc.FirstStream)
	}
	s.most = mostPackets
	s.room(1)
	return s.engine, nil
}

// newBuilder has the ports of a scenario and the times of its hosts: all that the times of a message alone depend on.
func newBuilder(sc *Scenario) *builder {
	s := &builder{sc: sc, topo: newTopology(sc), byNode: sc.portsByNode(), engine: &engine{
		timekeeper: timekeeper{clock: clock{sc.Times, int32(sc.Wire.Gap)}},
		network:    newNetwork(2*len(sc.Links), len(sc.Nodes)),
		hosts:      hosts{transport: newTransport(sc), host: newHostTimes(&sc.Transport.Host)},
	}}
	s.manyWays = sc.Balancing.Mode != balance.ECMP || len(sc.Outages) > 0
	s.ways.known = map[string]int32{}
	s.buildPorts()
	return s
}

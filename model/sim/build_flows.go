package sim

import (
	"errors"
	"fmt"
	"slices"
)

// ends identify a queue pair: its hosts, its number, and whether it is a connection of TCP.
type ends struct {
	src, dst, number int
	tcp              bool
}

// work reports whether a message sends nothing.
func (f *Flow) work() bool { return f.Bytes == 0 && f.Src == f.Dst }

// queuePairs numbers the queue pairs of messages, none where it is work, and returns the first message of each.
func queuePairs(flows []Flow) (pairs []int32, first []int) {
	pairs = make([]int32, len(flows))
	known := map[ends]int32{}
	for i := range flows {
		from := &flows[i]
		key := ends{from.Src, from.Dst, from.QueuePair, from.TCP}
		pair, ok := known[key]
		switch {
		case from.work():
			pair = none
		case !ok || from.QueuePair <= 0:
			pair = int32(len(first))
			known[key] = pair
			first = append(first, i)
		}
		pairs[i] = pair
	}
	return pairs, first
}

// groupFlows gives each message its queue pair, and returns the first message of each.
func (s *builder) groupFlows(flows []Flow) (first []int) {
	s.messages = make([]message, len(flows))
	pairs, first := queuePairs(flows)
	for i := range flows {
		from := &flows[i]
		s.messages[i] = message{
			pair: pairs[i], next: none, waits: int32(len(from.After)),
			bytes: int64(from.Bytes), earliest: int64(from.Start), delay: int64(from.Delay),
		}
	}
	return first
}

// byEnds lists by node the queue pairs that lead to it, and those that come back to it.
func (sc *Scenario) byEnds(first []int) (towards, back [][]int) {
	towards, back = make([][]int, len(sc.Nodes)), make([][]int, len(sc.Nodes))
	for pair, i := range first {
		f := &sc.Flows[i]
		towards[f.Dst] = append(towards[f.Dst], pair)
		back[f.Src] = append(back[f.Src], pair)
	}
	return towards, back
}

// buildFlows computes each queue pair's paths. It searches once per switch with hosts that
// are an end of one, or of all hosts if their largest BDP is asked for.
func (s *builder) buildFlows() error {
	first := s.groupFlows(s.sc.Flows)
	s.flows, s.inbound = make([]flow, len(first)), make([]inbound, len(first))
	s.routes = append(s.routes, none) // noRoute
	towards, back := s.sc.byEnds(first)
	var errs []error
	var largestRTT, largestBDP int64
	weaver := startWeaver(s.engine, s.sc)
	tree, next := &tree{}, newNextHops(s.sc)
	all := slices.ContainsFunc(s.laws[:], func(l *law) bool { return l.Window == LargestBDP })
	for node, kind := range s.sc.Nodes {
		if kind != Host || !all && len(towards[node])+len(back[node]) == 0 {
			continue
		}
		known := tree.find(s.topo, node, s.transport.payload, s.clock)
		row := next.row(s.topo, tree, known)
		for _, pair := range towards[node] {
			errs = append(errs, s.buildData(&s.sc.Flows[first[pair]], &s.flows[pair], tree, row))
			weaver.add(pair, s.topo, tree)
		}
		for _, pair := range back[node] {
			s.buildAck(&s.sc.Flows[first[pair]], pair, tree, row)
		}
		if !known { // the largest ones are the same from its twin
			rtt, bdp := tree.largest(s.topo.nodes)
			largestRTT, largestBDP = max(largestRTT, rtt), max(largestBDP, bdp)
		}
	}
	if next != nil {
		s.balancer = next.Balancer
	}
	if err := errors.Join(errs...); err != nil {
		return err
	}
	if s.sc.Transport.Service == DC {
		s.buildInitiators(first)
	}
	s.buildMessages()
	s.buildOutages(next, first)
	s.setWindows(largestRTT, largestBDP)
	for pair, i := range first {
		if s.sc.Flows[i].TCP {
			s.buildTCP(&s.sc.TCP, &s.flows[pair])
		}
	}
	return nil
}

// buildInitiators gives each queue pair the initiator of its number at its source.
func (s *builder) buildInitiators(first []int) {
	type name struct{ src, number int }
	known := map[name]int32{}
	for pair, i := range first {
		from, f := &s.sc.Flows[i], &s.flows[pair]
		key := name{from.Src, from.QueuePair}
		at, ok := known[key]
		if !ok || from.QueuePair <= 0 {
			at = int32(len(s.initiators))
			known[key] = at
			s.initiators = append(s.initiators, initiator{port: f.port, first: none})
		}
		f.initiator = at
	}
}

// buildMessages computes what depends on the paths, and which messages wait for which.
func (s *builder) buildMessages() {
	total := make([]int64, len(s.flows)) // sequence numbers
	for i := range s.messages {
		m := &s.messages[i]
		if m.pair == none {
			continue
		}
		f := &s.flows[m.pair]
		if m.ideal = f.baseRTT + s.clock.whole(8*s.wireBytes(m.bytes), f.slowest); s.sc.ExactIdeal {
			m.ideal = s.idealOf(m, f, &s.sc.Flows[i])
		}
		total[m.pair] += s.transport.wholePackets(m.bytes) * int64(max(1, s.sc.Flows[i].Repeat))
	}
	for i := range s.sc.Flows {
		if s.messages[i].pair == none {
			continue
		}
		f := &s.inbound[s.messages[i].pair]
		if packets := total[s.messages[i].pair] / s.transport.payload; f.placed == nil && (s.transport.directPlacement || s.sc.Flows[i].TCP) {
			f.placed = make([]uint64, 0, min(packets/64+1, placedWords))
		}
	}
	if s.sc.Transport.Selective {
		s.selective = make([]selective, len(s.flows))
		for pair := range s.flows {
			packets := total[pair] / s.transport.payload
			s.selective[pair] = selective{confirmed: make([]uint64, (packets+64)/64), sentAt: make([]int64, packets+1)}
		}
	}
	s.onDelivery = newWaiting(s.sc.Flows, s.sc.after, atReceiver)
	s.onCompletion = newWaiting(s.sc.Flows, s.sc.after, elsewhere)
	s.buildTrains(s.sc.Flows)
	s.agenda.tasks = make(eventHeap, 0, 2*len(s.messages)+len(s.nics)+4*len(s.initiators))
	for i := range s.messages {
		if s.messages[i].waits == 0 {
			s.startFirst(int32(i), s.messages[i].earliest)
		}
	}
}

// setWindows replaces or drops the windows of the flows' own paths.
func (s *builder) setWindows(largestRTT, largestBDP int64) {
	for i := range s.flows {
		switch s.flows[i].law.Window {
		case NoWindow:
			s.flows[i].window = 0
		case LargestBDP:
			s.flows[i].baseRTT, s.flows[i].window = largestRTT, uint64(largestBDP)
		}
	}
}

// buildData fills in the sender's half and the way there: a route or, where switches
// choose, the row of their next hops.
func (s *builder) buildData(from *Flow, f *flow, tree *tree, row int32) error {
	path := tree.path(s.topo, from.Src, from.key())
	if path == nil {
		return fmt.Errorf("no path from node %d to node %d", from.Src, from.Dst)
	}
	rate := uint64(s.configs[path[0]].rate)
	*f = flow{
		rate: rate, lineRate: rate, port: path[0], receiver: path[len(path)-1] ^ 1, class: from.Class, law: s.laws[from.Class&(classes-1)], wayBack: f.wayBack,
		last: none, sending: none, completing: none, completeEnd: never,
	}
	f.wayThere = s.addWay(tree, from.Src, path)
	if f.dataRoute = row; row < 0 {
		f.dataRoute = s.addRoute(path[1:])
	}
	f.hops = int32(len(path) - 1)
	f.baseRTT, f.slowest = tree.baseRTT(from.Src), tree.steps[from.Src].slowest
	f.window = uint64(tree.bdp(from.Src))
	return nil
}

// buildAck fills in the receiver's half and the way back.
func (s *builder) buildAck(from *Flow, pair int, tree *tree, row int32) {
	path := tree.path(s.topo, from.Dst, from.key().Reversed())
	s.flows[pair].wayBack = s.addWay(tree, from.Dst, path)
	f := &s.inbound[pair]
	*f = inbound{last: none, receiving: none, receiveEnd: never, ackRoute: row, tcp: from.TCP}
	if row < 0 && path != nil {
		f.ackRoute = s.addRoute(path[1:])
	}
}

func (s *engine) addRoute(ports []int32) int32 {
	at := len(s.routes)
	s.routes = append(s.routes, ports...)
	return int32(at)
}

// wireBytes returns a message with the headers of its packets and the gaps, without telemetry.
func (s *builder) wireBytes(message int64) int64 {
	packets := (message + s.transport.payload - 1) / s.transport.payload
	headers := s.transport.dataHeader - s.transport.telemetry + s.clock.gap
	return message + packets*int64(headers)
}

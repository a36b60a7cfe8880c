package sim

import (
	"errors"
	"fmt"
)

// buildFlows computes each flow's paths. It searches once per host that is an end of a
// flow, or of all hosts if their largest BDP is asked for.
func (s *engine) buildFlows(sc *Scenario, topo *topology) error {
	s.routes = append(s.routes, -1)
	towards, back := make([][]int, len(sc.Nodes)), make([][]int, len(sc.Nodes))
	for i := range sc.Flows {
		f := &sc.Flows[i]
		towards[f.Dst] = append(towards[f.Dst], i)
		back[f.Src] = append(back[f.Src], i)
	}
	var errs []error
	var largestRTT, largestBDP int64
	tree, balancer, all := &tree{}, newBalancer(sc), sc.Transport.Window == LargestBDP
	for node, kind := range sc.Nodes {
		if kind != Host || !all && len(towards[node])+len(back[node]) == 0 {
			continue
		}
		tree.find(topo, node, s.transport.payload, s.clock)
		row := balancer.row(topo, tree)
		for _, i := range towards[node] {
			errs = append(errs, s.buildData(&sc.Flows[i], &s.flows[i], topo, tree, row))
		}
		for _, i := range back[node] {
			s.buildAck(&sc.Flows[i], &s.flows[i], topo, tree, row)
		}
		rtt, bdp := tree.largest(topo.nodes)
		largestRTT, largestBDP = max(largestRTT, rtt), max(largestBDP, bdp)
	}
	s.balancer = balancer.done()
	s.setWindows(sc.Transport.Window, largestRTT, largestBDP)
	for i := range s.flows {
		s.plan(taskStart, int32(i), s.flows[i].started)
	}
	return errors.Join(errs...)
}

// setWindows replaces or drops the windows of the flows' own paths.
func (s *engine) setWindows(w Window, largestRTT, largestBDP int64) {
	for i := range s.flows {
		switch w {
		case NoWindow:
			s.flows[i].window = 0
		case LargestBDP:
			s.flows[i].baseRTT, s.flows[i].window = largestRTT, uint64(largestBDP)
		}
	}
}

// buildData fills in the sender's half and the way there: a route or, where switches
// choose, the row of their next hops.
func (s *engine) buildData(from *Flow, f *flow, topo *topology, tree *tree, row int32) error {
	path := tree.path(topo, from.Src, from.key())
	if path == nil {
		return fmt.Errorf("no path from node %d to node %d", from.Src, from.Dst)
	}
	rate := uint64(s.configs[path[0]].rate)
	f.bytes, f.started, f.class = int64(from.Bytes), int64(from.Start), from.Class
	f.rate, f.lineRate, f.port = rate, rate, path[0]
	if f.dataRoute = row; row < 0 {
		f.dataRoute = s.addRoute(path[1:])
	}
	f.hops = int32(len(path) - 1)
	if s.transport.directPlacement {
		f.placed = make([]uint64, (f.bytes/s.transport.payload+64)/64)
	}
	f.baseRTT = tree.baseRTT(from.Src)
	f.ideal = f.baseRTT + s.clock.whole(8*s.wireBytes(f.bytes), tree.steps[from.Src].slowest)
	f.window = uint64(tree.bdp(from.Src))
	return nil
}

func (s *engine) buildAck(from *Flow, f *flow, topo *topology, tree *tree, row int32) {
	if f.ackRoute = row; row >= 0 {
		return
	}
	if path := tree.path(topo, from.Dst, from.key().reversed()); path != nil {
		f.ackRoute = s.addRoute(path[1:])
	}
}

func (s *engine) addRoute(ports []int32) int32 {
	at := len(s.routes)
	s.routes = append(s.routes, ports...)
	return int32(at)
}

// wireBytes is a message with the headers of its packets, without telemetry.
func (s *engine) wireBytes(message int64) int64 {
	packets := (message + s.transport.payload - 1) / s.transport.payload
	return message + packets*dataHeaderBytes
}

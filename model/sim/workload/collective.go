package workload

import (
	"slices"

	"github.com/roceplan/roceplan/model/sim"
	"github.com/roceplan/roceplan/units"
)

// A segment is the members of a group that are in one server, one behind the other in a ring.
type segment struct {
	gpu   GPU // the first one's
	nodes []int32
	hosts []int // the NICs of their GPUs, each once
	after []int32
	over  []int32
}

// segments parts a group by servers, in the order in which they come first.
func (l *layer) segments(c *Comm) (list []*segment) {
	of := map[int]*segment{}
	for _, node := range c.Nodes {
		gpu := l.site.GPUs[l.Nodes[node].Rank]
		s := of[gpu.Server]
		if s == nil {
			s = &segment{gpu: gpu}
			of[gpu.Server], list = s, append(list, s)
		}
		s.nodes = append(s.nodes, node)
		if !slices.Contains(s.hosts, gpu.Host) {
			s.hosts = append(s.hosts, gpu.Host)
		}
	}
	for _, s := range list {
		s.after = l.waits(s.nodes...)
		if len(s.after) > 1 {
			s.after = l.work(s.hosts[0], 0, s.after)
		}
	}
	return list
}

// The members of a server that take part in a ring: all, or one for all.
func all(s *segment) int { return len(s.nodes) }
func one(*segment) int   { return 1 }

// hops returns the number of times that data go over NVLink until they have been at all members of a server.
func (s *segment) hops() int { return len(s.nodes) - 1 }

// collective lays an operation on data that all members have, over as many channels as each server has NICs for it:
// each channel leaves a server by another NIC, and comes to the same one of the next server, on its own rail.
func (l *layer) collective(c *Comm) {
	segments := l.segments(c)
	channels := len(segments[0].hosts)
	for _, s := range segments {
		channels = min(channels, len(s.hosts))
	}
	algorithm, protocol, own := l.how(c, segments, channels)
	if len(segments) == 1 {
		l.inside(c, segments[0], protocol, own)
		return
	}
	o := &operation{layer: l, protocol: protocol, pace: own}
	switch {
	case algorithm == NVLSTree:
		o.count, o.size = switchedSteps(c.Bytes, channels, len(segments))
		if protocol != Wire {
			o.switching = segments[0].gpu.switching(o.size, channels)
		}
		o.start += o.switching // scatter
	case c.Kind == AllReduce && algorithm == Tree && protocol == Wire:
		o.start += o.chains(segments, channels, c.Bytes)
	}
	o.begin(segments)
	data := protocol.onWire(ceil(c.Bytes, units.Bytes(channels)))
	if c.Kind == AllReduce && algorithm == Hierarchical {
		o.scatter(segments, c.Bytes)
	}
	for channel := range channels {
		switch {
		case c.Kind == Broadcast:
			o.chain(segments, channel, data)
		case c.Kind == Reduce:
			backwards := slices.Clone(segments)
			slices.Reverse(backwards)
			o.chain(backwards, channel, data)
		case c.Kind == AllReduce && (algorithm == Tree || algorithm == NVLSTree):
			o.doubleTree(segments, channel, data)
		case c.Kind == AllReduce && algorithm == Hierarchical:
			o.ring(segments, channel, 2*(len(segments)-1), data, one)
		case c.Kind == AllReduce:
			o.ring(segments, channel, 2*(len(c.Nodes)-1), data, all)
		default:
			o.ring(segments, channel, len(c.Nodes)-1, data, all)
		}
	}
	for _, s := range segments {
		over := s.over
		if c.Kind == AllReduce && algorithm == Hierarchical && s.hops() > 0 {
			over = l.work(s.hosts[0], o.part(s, c.Bytes), over)
		} else if len(over) > 1 {
			over = l.work(s.hosts[0], 0, over)
		}
		for _, node := range s.nodes {
			l.over[node] = over
		}
	}
}

// how returns the algorithm and the protocol of an operation, and their times without the wire.
func (l *layer) how(c *Comm, segments []*segment, channels int) (Algorithm, Protocol, pace) {
	j := &job{c.Kind, c.Bytes, len(c.Nodes), len(segments), channels, l.site.Rate, segments[0].gpu.Machine}
	if c.Protocol == Wire || c.Protocol == "" {
		algorithm := c.Algorithm
		if algorithm == "" && c.Kind == AllReduce {
			algorithm = Choose(c.Bytes, j.ranks, j.servers, channels, l.site.Rate)
		}
		return algorithm, Wire, pace{}
	}
	algorithm, protocol := j.fastest(c.Algorithm, c.Protocol)
	own := j.pace(algorithm, protocol)
	own.across = max(0, own.across-fabricShare)
	if algorithm != Hierarchical {
		own.least = j.takes(algorithm, protocol) + j.filling(algorithm)
	}
	return algorithm, protocol, own
}

// An operation is a collective that is being laid, with the times of its steps without the wire.
type operation struct {
	*layer
	protocol Protocol
	pace
	// Switches of NVLink may add up the data of a server, which are then not passed from GPU to GPU: in so many steps of a
	// size for each NIC and tree, which take so long.
	count     int
	size      units.Bytes
	switching units.Time
}

// begin lets the operation start at each server, where it is over after its least time at the earliest.
func (o *operation) begin(segments []*segment) {
	for _, s := range segments {
		if o.least > 0 {
			s.over = o.work(s.hosts[0], o.least, s.after)
			o.flows[s.over[0]].Ends = true
		}
		if o.start > 0 {
			s.after = o.work(s.hosts[0], o.start, s.after)
		}
	}
}

// through returns the time that data take from GPU to GPU until they have been at all of a server.
func (o *operation) through(s *segment, size units.Bytes) units.Time {
	if o.count > 0 {
		return o.switching
	}
	return units.Time(s.hops()) * o.way(s, size)
}

// way returns the time that data take from one GPU of a server to the next.
func (o *operation) way(s *segment, size units.Bytes) units.Time {
	return o.within + s.gpu.nvlink(size)
}

// chains returns the additional time of the GPUs of a server, compared with the network, to send a tree's data up and
// down their chain over NVLink: between two servers it carries the data once in each direction, else twice. The
// messages of a train go one by one at the network's rate, so that a tree begins later by that.
func (o *operation) chains(segments []*segment, channels int, bytes units.Bytes) (longer units.Time) {
	data := o.protocol.onWire(bytes)
	crossing := data
	if len(segments) > 2 {
		crossing *= 2
	}
	network := (o.site.Rate * units.BitRate(channels)).CeilTime(crossing)
	for _, s := range segments {
		if s.hops() > 0 {
			longer = max(longer, s.gpu.nvlink(2*data)-network)
		}
	}
	return longer
}

// inside is an operation among the GPUs of one server, as a ring over NVLink.
func (l *layer) inside(c *Comm, s *segment, p Protocol, own pace) {
	n := len(c.Nodes)
	steps := n - 1
	if c.Kind == AllReduce {
		steps *= 2
	}
	bytes := c.Bytes
	if c.Kind != Broadcast && c.Kind != Reduce {
		bytes = units.Bytes(steps) * ceil(c.Bytes, units.Bytes(n))
	}
	over := l.work(s.hosts[0], own.start+units.Time(steps)*own.within+s.gpu.nvlink(p.onWire(bytes)), s.after)
	for _, node := range c.Nodes {
		l.over[node] = over
	}
}

// part returns the time in which the GPUs of a server reduce and scatter their data over NVLink, or gather it again:
// each sends all but its own part.
func (o *operation) part(s *segment, bytes units.Bytes) units.Time {
	return units.Time(s.hops())*o.within + s.gpu.nvlink(units.Bytes(s.hops())*ceil(o.protocol.onWire(bytes), units.Bytes(len(s.nodes))))
}

// scatter lays the first phase of a hierarchical all-reduce.
func (o *operation) scatter(segments []*segment, bytes units.Bytes) {
	for _, s := range segments {
		if s.hops() > 0 {
			s.after = o.work(s.hosts[0], o.part(s, bytes), s.after)
		}
	}
}

// ring lays a ring of many steps, in each of which every member sends a chunk to the next one as soon as the one of the
// step before has come (Patarasuk and Yuan, "Bandwidth Optimal All-reduce Algorithms for Clusters of Workstations",
// JPDC 2009). From server to server a train carries the chunks of all steps; a chunk that comes into a server has been
// at all its members when it leaves, as many steps later.
func (o *operation) ring(segments []*segment, channel, steps int, data units.Bytes, takePart func(*segment) int) {
	members := 0
	for _, s := range segments {
		members += takePart(s)
	}
	rounds, count, size := o.protocol.cutBy(ceil(data, units.Bytes(members)))
	first, n := int32(len(o.flows)), int32(len(segments))
	repeat := rounds * steps * count
	for i, s := range segments {
		next := segments[(i+1)%len(segments)]
		before := first + (int32(i)+n-1)%n
		f := sim.Flow{Src: s.hosts[channel], Dst: next.hosts[channel], Bytes: size, After: s.after, Delay: o.across}
		if repeat > 1 {
			f.Repeat, f.Each, f.Ahead = repeat, []int32{before}, takePart(s)*count-1
			f.Delay += units.Time(takePart(s)-1) * o.way(s, size)
		}
		train := o.add(f)
		s.over, next.over = append(s.over, train...), append(next.over, train...)
	}
}

// chain passes data on from server to server, in chunks.
func (o *operation) chain(segments []*segment, channel int, data units.Bytes) {
	count, size := treeSteps(data, len(segments))
	var before []int32
	for i, s := range segments[:len(segments)-1] {
		before = o.pass(s, segments[i+1], channel, count, size, before)
	}
}

// pass is a train of chunks from a server to another one, each as soon as it has come by the trains before; without such,
// as many at a time as there is room for.
func (o *operation) pass(from, to *segment, channel, count int, size units.Bytes, before []int32) []int32 {
	f := sim.Flow{
		Src: from.hosts[channel], Dst: to.hosts[channel], Bytes: size, After: from.after,
		Delay: o.across + o.through(from, size),
	}
	if count > 1 {
		f.Repeat, f.Ahead = count, fifoSteps-1
		if f.Each = before; len(before) > 0 {
			f.Ahead = -1
		}
	} else {
		f.After = append(append([]int32{}, f.After...), before...)
	}
	train := o.add(f)
	over := train
	if o.switching > 0 { // multicast, gather
		over = o.work(f.Dst, 2*o.switching, train)
		o.flows[over[0]].Ends = true
	}
	from.over, to.over = append(from.over, train...), append(to.over, over...)
	return train
}

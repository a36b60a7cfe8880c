package sim

import (
	"errors"
	"fmt"

	"github.com/roceplan/roceplan/units"
)

// Generator is the traffic generator of a host: it sends unacknowledged frames, and obeys PFC
// alone. They go in the order given; one that is paused, or whose time has come while the wire is
// busy, holds those behind it.
type Generator struct {
	Host   int // node number; at most one generator each
	Frames []Frame
}

// Frame is a run of equal frames, one right behind the other.
type Frame struct {
	At    units.Time  // the first is sent at the earliest, 0 or more
	Dst   int         // node number of another host
	Class uint8       // 0 to 7
	Bytes units.Bytes // of each with FCS, at most what a full data packet has
	Count int         // 1 or more
}

// generator is a [Generator] in a run.
type generator struct {
	frames []Frame
	routes []int32 // by frame
	next   int     // in frames
	sent   int     // of the run at next
}

// buildGenerators finds the frames' ways and arranges for the first one of each host.
func (s *builder) buildGenerators() error {
	if (s.balancer != nil || s.weaver != nil) && len(s.sc.Generators) > 0 {
		return errors.New("frames of a generator follow ECMP, and no other balancing")
	}
	var r tree
	for _, g := range s.sc.Generators {
		if !s.sc.isHost(g.Host) || len(g.Frames) == 0 {
			return fmt.Errorf("a generator with %d frames at node %d, which must be a host", len(g.Frames), g.Host)
		}
		own := &generator{frames: g.Frames, routes: make([]int32, len(g.Frames))}
		var port int32
		ways := map[int]int32{}
		for i := range g.Frames {
			f := &g.Frames[i]
			if err := s.checkFrame(g.Host, f); err != nil {
				return fmt.Errorf("frame %d of the generator at node %d: %w", i, g.Host, err)
			}
			way, ok := ways[f.Dst]
			if !ok {
				r.find(s.topo, f.Dst, s.transport.payload, s.clock)
				path := r.path(s.topo, g.Host, (&Flow{Src: g.Host, Dst: f.Dst}).key())
				if path == nil {
					return fmt.Errorf("no path from node %d to node %d", g.Host, f.Dst)
				}
				port, way = path[0], s.addRoute(path[1:])
				ways[f.Dst] = way
			}
			own.routes[i] = way
		}
		n := &s.nics[s.ports[port].nic]
		n.generator = own
		s.scheduleWake(port, n, int64(g.Frames[0].At))
	}
	return nil
}

func (s *builder) checkFrame(host int, f *Frame) error {
	largest := s.sc.Transport.Payload + units.Bytes(s.transport.dataHeader)
	if !s.sc.isHost(f.Dst) || f.Dst == host || f.At < 0 || f.Class >= classes || f.Count < 1 || f.Bytes < 1 || f.Bytes > largest {
		return fmt.Errorf("%d × %d B to node %d in class %d at %d ps are not 1 or more of 1 to %d B to another host in class 0 to %d",
			f.Count, f.Bytes, f.Dst, f.Class, f.At, largest, classes-1)
	}
	return nil
}

// generate sends the generator's next frame if it may go now; if not, at is when it may, or
// never while it is paused or there is none.
func (s *engine) generate(pi int32, p *port, g *generator) (at int64, sent bool) {
	if g.next == len(g.frames) {
		return never, false
	}
	f := &g.frames[g.next]
	switch {
	case int64(f.At) > s.now:
		return int64(f.At), false
	case p.paused>>f.Class&1 != 0:
		return never, false
	}
	id := s.take()
	pk := &s.packets[id]
	*pk = packet{flow: -1, route: g.routes[g.next], kind: bareFrame, label: label(f.Class), size: uint16(f.Bytes)}
	s.created++
	s.transmit(pi, p, id, pk)
	if g.sent++; g.sent == f.Count {
		g.next, g.sent = g.next+1, 0
	}
	s.wakeAtEnd(pi, p)
	return 0, true
}

package mmu

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/roceplan/roceplan/internal/testing/must"
	"github.com/roceplan/roceplan/units"
)

// reference is the same buffer told slowly: a map per kind of counter, one cell at a
// time, thresholds by division, every decision made on a copy.
type reference struct {
	config *Config
	pgs    map[string]PGState
	queues map[string]QueueState
	used   map[string]units.Cells // of pools and headroom pools
	xon    map[string]units.Cells // resume level of paused PGs
}

func newReference(c *Config) *reference {
	return &reference{c, map[string]PGState{}, map[string]QueueState{}, map[string]units.Cells{}, map[string]units.Cells{}}
}

func (r *reference) names(p Packet) (pg, in, headroom, queue, out string) {
	slice := r.config.Ports[p.InPort].Slice
	ingress := r.config.Ports[p.InPort].PGs[p.PG].Pool
	egress := r.config.Ports[p.OutPort].Queues[p.Queue].Pool
	return fmt.Sprintf("pg %d/%d", p.InPort, p.PG),
		fmt.Sprintf("in %d/%d", slice, ingress), fmt.Sprintf("headroom %d/%d", slice, ingress),
		fmt.Sprintf("queue %d/%d/%d", slice, p.OutPort, p.Queue), fmt.Sprintf("out %d/%d", slice, egress)
}

func (r *reference) cells(p Packet) int {
	cell := int(r.config.CellBytes)
	n := (p.Bytes + int(r.config.MetadataBytes)) / cell
	if (p.Bytes+int(r.config.MetadataBytes))%cell > 0 {
		n++
	}
	return n
}

func threshold(l Limit, free units.Cells) units.Cells {
	if !l.Dynamic {
		return l.StaticCells
	}
	num, den := l.Alpha.Fraction()
	return units.Cells(int64(free) * num / den)
}

// takes reports whether one more cell may join s shared ones of a pool.
func (r *reference) takes(l Limit, s, used, size units.Cells) bool {
	if used >= size {
		return false
	}
	switch r.config.Rules.Admission {
	case WithCell:
		return s+1 <= threshold(l, size-used-1)
	case BelowWithCell:
		return s+1 < threshold(l, size-used-1)
	default:
		return s < threshold(l, size-used)
	}
}

// inBound and outBound name the counter of a whole port, which is empty without a bound, and
// give its limit.
func (r *reference) inBound(p Packet) (string, Limit) {
	pool := r.config.Ports[p.InPort].PGs[p.PG].Pool
	limit, ok := BoundOf(r.config.Ports[p.InPort].Ingress, pool)
	if !ok {
		return "", Limit{}
	}
	return fmt.Sprintf("in bound %d/%d", p.InPort, pool), limit
}

func (r *reference) outBound(p Packet) (string, Limit) {
	pool := r.config.Ports[p.OutPort].Queues[p.Queue].Pool
	limit, ok := BoundOf(r.config.Ports[p.OutPort].Egress, pool)
	if !ok {
		return "", Limit{}
	}
	return fmt.Sprintf("out bound %d/%d/%d", r.config.Ports[p.InPort].Slice, p.OutPort, pool), limit
}

func (r *reference) pgConfig(p Packet) (PG, Pool) {
	g := r.config.Ports[p.InPort].PGs[p.PG]
	return g, r.config.IngressPools[g.Pool]
}

func (r *reference) enqueue(p Packet) Verdict {
	config, pool := r.pgConfig(p)
	pgName, inName, headroomName, queueName, outName := r.names(p)
	before := r.pgs[pgName]
	pg, in, pooled := before, r.used[inName], r.used[headroomName]
	boundName, boundLimit := r.inBound(p)
	bound := r.used[boundName]
	outcome := Accepted
	over := 0
	for range r.cells(p) {
		switch {
		case pg.Reserved < config.ReservedCells:
			pg.Reserved++
		case r.takes(config.Limit, pg.Shared, in, pool.SharedCells) && (boundName == "" || r.takes(boundLimit, bound, in, pool.SharedCells)):
			pg.Shared++
			in++
			bound++
		default:
			over++
		}
	}
	for range over {
		switch {
		case outcome != Accepted:
		case !config.Lossless && in+units.Cells(over) > pool.SharedCells:
			outcome = DropIngressPool
		case !config.Lossless:
			outcome = DropIngressLimit
		case before.Headroom+units.Cells(over) > config.HeadroomCells:
			outcome = DropHeadroom
		case config.HeadroomPooled && r.used[headroomName]+units.Cells(over) > pool.HeadroomCells:
			outcome = DropHeadroomPool
		default:
			pg.Headroom++
			if config.HeadroomPooled {
				pooled++
			}
		}
	}
	if outcome != Accepted {
		return Verdict{Outcome: outcome, PFC: r.xoff(p, over)}
	}
	outBoundName, _ := r.outBound(p)
	queue, out, outBound, outcome := r.queueAfter(p)
	if outcome != Accepted {
		return Verdict{Outcome: outcome}
	}
	r.pgs[pgName], r.used[inName], r.used[headroomName] = pg, in, pooled
	r.queues[queueName], r.used[outName] = queue, out
	r.used[boundName], r.used[outBoundName] = bound, outBound
	return Verdict{PFC: r.xoff(p, over), Shared: int32(pg.Shared - before.Shared), Headroom: int32(pg.Headroom - before.Headroom)}
}

func (r *reference) queueAfter(p Packet) (QueueState, units.Cells, units.Cells, Outcome) {
	config := r.config.Ports[p.OutPort].Queues[p.Queue]
	pool := r.config.EgressPools[config.Pool]
	_, _, _, queueName, outName := r.names(p)
	queue, out := r.queues[queueName], r.used[outName]
	boundName, boundLimit := r.outBound(p)
	bound, outcome := r.used[boundName], Accepted
	left := r.cells(p)
	for ; left > 0 && queue.Reserved < config.ReservedCells; left-- {
		queue.Reserved++
	}
	if left > 0 && out+units.Cells(left) > pool.SharedCells {
		return queue, out, bound, DropEgressPool
	}
	for ; left > 0; left-- {
		if !r.takes(config.Limit, queue.Shared, out, pool.SharedCells) {
			return queue, out, bound, DropQueueLimit
		}
		if boundName != "" && !r.takes(boundLimit, bound, out, pool.SharedCells) {
			outcome = DropPortLimit
		}
		queue.Shared++
		out++
		bound++
	}
	return queue, out, bound, outcome
}

func (r *reference) xoff(p Packet, over int) Transition {
	config, pool := r.pgConfig(p)
	name, in, _, _, _ := r.names(p)
	pg := r.pgs[name]
	boundName, boundLimit := r.inBound(p)
	room := r.takes(config.Limit, pg.Shared, r.used[in], pool.SharedCells) && (boundName == "" || r.takes(boundLimit, r.used[boundName], r.used[in], pool.SharedCells))
	full := pg.Reserved == config.ReservedCells && !room
	if !config.Lossless || pg.Paused || (over == 0 && (r.config.Rules.Pause == OnExcess || !full)) {
		return Steady
	}
	pg.Paused = true
	r.pgs[name] = pg
	r.xon[name] = resumeLevel(config, pg.Reserved+pg.Shared)
	return XOFF
}

func resumeLevel(config PG, top units.Cells) units.Cells {
	level := config.XonCells
	if config.XonOffsetCells > 0 && top-config.XonOffsetCells > level {
		level = top - config.XonOffsetCells
	}
	if config.XonOffsetCells == 0 && config.XonCells == 0 {
		level = top - 1
	}
	if level < 0 {
		return 0
	}
	return level
}

func (r *reference) dequeue(p Packet) Transition {
	config, pool := r.pgConfig(p)
	pgName, inName, headroomName, queueName, outName := r.names(p)
	pg, queue := r.pgs[pgName], r.queues[queueName]
	inBound, _ := r.inBound(p)
	outBound, _ := r.outBound(p)
	for range r.cells(p) {
		switch {
		case pg.Headroom > 0:
			pg.Headroom--
			if config.HeadroomPooled {
				r.used[headroomName]--
			}
		case pg.Shared > 0:
			pg.Shared--
			r.used[inName]--
			r.used[inBound]--
		default:
			pg.Reserved--
		}
		if queue.Shared > 0 {
			queue.Shared--
			r.used[outName]--
			r.used[outBound]--
		} else {
			queue.Reserved--
		}
	}
	level := r.xon[pgName]
	if r.config.Rules.Resume == BelowCurrentLimit {
		level = resumeLevel(config, config.ReservedCells+threshold(config.Limit, pool.SharedCells-r.used[inName]))
	}
	transition := Steady
	if pg.Paused && pg.Reserved+pg.Shared+pg.Headroom <= level {
		pg.Paused, transition = false, XON
	}
	r.pgs[pgName], r.queues[queueName] = pg, queue
	return transition
}

// drawConfig draws a small switch: small, so that every limit is met within a few packets.
func drawConfig(t *rapid.T) *Config {
	cells := func(name string, most int) units.Cells { return units.Cells(rapid.IntRange(0, most).Draw(t, name)) }
	limit := func() Limit {
		if rapid.Bool().Draw(t, "dynamic") {
			return DynamicLimit(units.Alpha(rapid.IntRange(-4, 4).Draw(t, "alpha")))
		}
		return StaticLimit(cells("static", 60))
	}
	c := &Config{
		CellBytes:     units.Bytes(rapid.SampledFrom([]int{1, 16, 208, 254, 256}).Draw(t, "cell")),
		MetadataBytes: units.Bytes(rapid.SampledFrom([]int{0, 0, 48}).Draw(t, "metadata")),
		Slices:        rapid.IntRange(1, 3).Draw(t, "slices"),
		Rules: Rules{
			Admission: Admission(rapid.IntRange(0, 2).Draw(t, "admission")),
			Pause:     Pause(rapid.IntRange(0, 1).Draw(t, "pause")),
			Resume:    Resume(rapid.IntRange(0, 1).Draw(t, "resume")),
		},
	}
	scale := 1
	if c.CellBytes < 100 {
		scale = 100 / int(c.CellBytes)
	}
	for range 2 {
		c.IngressPools = append(c.IngressPools, Pool{SharedCells: cells("shared", 80*scale), HeadroomCells: 1 + cells("headroom pool", 20*scale)})
		c.EgressPools = append(c.EgressPools, Pool{SharedCells: cells("egress", 200*scale)})
	}
	for range 3 {
		port := Port{Slice: rapid.IntRange(0, c.Slices-1).Draw(t, "slice")}
		for range 2 {
			g := PG{Pool: rapid.IntRange(0, 1).Draw(t, "pool"), ReservedCells: cells("reserve", 6*scale), Limit: limit(),
				Lossless: rapid.Bool().Draw(t, "lossless")}
			if g.Lossless {
				g.HeadroomCells, g.HeadroomPooled = cells("headroom", 20*scale), rapid.Bool().Draw(t, "pooled")
				g.XonCells, g.XonOffsetCells = cells("xon", 10*scale), cells("xon offset", 10*scale)
			}
			port.PGs = append(port.PGs, g)
			port.Queues = append(port.Queues, Queue{Pool: rapid.IntRange(0, 1).Draw(t, "pool"), ReservedCells: cells("reserve", 6*scale), Limit: limit()})
		}
		for pool := range 2 {
			if rapid.IntRange(0, 2).Draw(t, "ingress bound") == 0 {
				port.Ingress = append(port.Ingress, Bound{pool, limit()})
			}
			if rapid.IntRange(0, 2).Draw(t, "egress bound") == 0 {
				port.Egress = append(port.Egress, Bound{pool, limit()})
			}
		}
		c.Ports = append(c.Ports, port)
	}
	return c
}

func drawPacket(t *rapid.T) Packet {
	return Packet{
		InPort: rapid.IntRange(0, 2).Draw(t, "in"), PG: rapid.IntRange(0, 1).Draw(t, "pg"),
		OutPort: rapid.IntRange(0, 2).Draw(t, "out"), Queue: rapid.IntRange(0, 1).Draw(t, "queue"),
		Bytes: rapid.SampledFrom([]int{64, 64, 208, 255, 900}).Draw(t, "bytes"),
	}
}

func TestAgainstReference(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := drawConfig(t)
		m := must.Get(New(c))(t)
		r := newReference(c)
		var held []Packet
		for range rapid.IntRange(1, 120).Draw(t, "steps") {
			if len(held) > 0 && rapid.IntRange(0, 9).Draw(t, "leave") < 3 {
				i := rapid.IntRange(0, len(held)-1).Draw(t, "which")
				if got, want := m.Dequeue(&held[i]), r.dequeue(held[i]); got != want {
					t.Fatalf("dequeue %+v: %v, reference %v", held[i], got, want)
				}
				held = append(held[:i], held[i+1:]...)
			} else {
				p := drawPacket(t)
				got, want := m.Enqueue(&p), r.enqueue(p)
				if got != want {
					t.Fatalf("enqueue %+v: %+v, reference %+v", p, got, want)
				}
				if !got.Dropped() {
					held = append(held, p)
				}
			}
			compare(t, c, m, r)
		}
		for i := range held {
			m.Dequeue(&held[i])
			r.dequeue(held[i])
		}
		compare(t, c, m, r)
		empty(t, c, m)
	})
}

// compare checks every counter against the reference, and the sums against the parts.
func compare(t *rapid.T, c *Config, m *MMU, r *reference) {
	var ingress, egress units.Cells
	pools := map[string]units.Cells{}
	for in, port := range c.Ports {
		for number := range port.PGs {
			got := m.PG(in, number)
			name, pool, headroom, _, _ := r.names(Packet{InPort: in, PG: number})
			want := r.pgs[name]
			want.Threshold = threshold(port.PGs[number].Limit, c.IngressPools[port.PGs[number].Pool].SharedCells-r.used[pool])
			if diff := cmp.Diff(want, got); diff != "" {
				t.Fatalf("%s: %s", name, diff)
			}
			ingress += got.Total()
			pools[pool] += got.Shared
			if port.PGs[number].HeadroomPooled {
				pools[headroom] += got.Headroom
			}
		}
	}
	for in := range c.Ports {
		for out, port := range c.Ports {
			for number := range port.Queues {
				_, _, _, name, pool := r.names(Packet{InPort: in, OutPort: out, Queue: number})
				got, want := m.Queue(c.Ports[in].Slice, out, number), r.queues[name]
				want.Threshold = threshold(port.Queues[number].Limit, c.EgressPools[port.Queues[number].Pool].SharedCells-r.used[pool])
				if diff := cmp.Diff(want, got); diff != "" {
					t.Fatalf("%s: %s", name, diff)
				}
				if firstOfSlice(c, in) {
					egress += got.Total()
					pools[pool] += got.Shared
				}
			}
		}
	}
	if ingress != egress {
		t.Fatalf("%d cells at the PGs, %d at the queues", ingress, egress)
	}
	for slice := range c.Slices {
		for i := range c.IngressPools {
			in, out := m.IngressPool(slice, i), m.EgressPool(slice, i)
			names := []string{fmt.Sprintf("in %d/%d", slice, i), fmt.Sprintf("headroom %d/%d", slice, i), fmt.Sprintf("out %d/%d", slice, i)}
			for k, got := range []units.Cells{in.Used, in.Headroom, out.Used} {
				if got != pools[names[k]] || got < 0 {
					t.Fatalf("%s holds %d cells, its parts %d", names[k], got, pools[names[k]])
				}
			}
			if in.Free < 0 || out.Free < 0 || in.Headroom > c.IngressPools[i].HeadroomCells {
				t.Fatalf("a pool overflows: %+v %+v", in, out)
			}
		}
	}
}

// firstOfSlice picks one ingress port per slice, so that a slice's queues are summed once.
func firstOfSlice(c *Config, port int) bool {
	for i := range port {
		if c.Ports[i].Slice == c.Ports[port].Slice {
			return false
		}
	}
	return true
}

func empty(t *rapid.T, c *Config, m *MMU) {
	for in, port := range c.Ports {
		for number := range port.PGs {
			if got := m.PG(in, number); got.Total() != 0 {
				t.Fatalf("port %d PG %d still holds %+v", in, number, got)
			}
		}
	}
	for slice := range c.Slices {
		for i := range c.IngressPools {
			if m.IngressPool(slice, i).Used != 0 || m.IngressPool(slice, i).Headroom != 0 || m.EgressPool(slice, i).Used != 0 {
				t.Fatalf("slice %d pool %d is not empty: %s", slice, i, m)
			}
		}
	}
}

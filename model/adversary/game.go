package adversary

import (
	"math"
	"slices"

	"github.com/roceplan/roceplan/model"
	"github.com/roceplan/roceplan/model/mmu"
	"github.com/roceplan/roceplan/units"
)

// A game is one switch under attack: its buffer, the clock, and the rules that the
// attacker has to keep. Time is in picoseconds.
type game struct {
	sw     *model.Switch
	config *mmu.Config
	buffer *mmu.MMU
	now    int64
	wires  []stream           // by port
	pauses []pause            // port*MaxPGs + group
	cuts   map[model.Link]cut // densest cuts, by link
	held   []int64            // cells by slice, to be checked against the memory
	lines  []line             // waiting packets by out port and queue
	routes [][]target         // ways out by port*MaxPGs + group, see ways

	pausable int      // groups of a slice that may be paused at once; 0: all
	only     []string // see Options.Only

	packets int64 // offered so far
	events  []Event
	loss    *Loss
	watch   func(*game, *Event, mmu.Verdict) // of a replay
}

// A pause is the last request of a priority group to its peer.
type pause struct {
	on      bool
	silent  bool  // the peer has been silenced and has to hear the resume first
	at      int64 // when it was decided, or resumed
	until   int64 // the last instant at which a frame may begin to come in
	packets int64 // that began since then …
	small   int64 // … smallest ones among them
}

const never = math.MaxInt64

// A line is a queue of packets, first in first out, in runs of equal packets.
type line struct {
	runs []run
	head int // the first run that is still there
}

type run struct {
	packet mmu.Packet
	count  int
}

func (l *line) push(p *mmu.Packet) {
	if n := len(l.runs); n > l.head && l.runs[n-1].packet == *p {
		l.runs[n-1].count++
		return
	}
	l.runs = append(l.runs, run{*p, 1})
}

// pop takes the first packet. False if there is none.
func (l *line) pop() (p mmu.Packet, ok bool) {
	if l.head == len(l.runs) {
		return mmu.Packet{}, false
	}
	first := &l.runs[l.head]
	p = first.packet
	if first.count--; first.count == 0 {
		l.head++
	}
	return p, true
}

// A stream is packets of one peer that follow each other without a gap.
type stream struct {
	begin int64       // of the first, in picoseconds
	bytes units.Bytes // on the wire since then
	free  int64       // when the wire is free again, rounded up
	ended bool        // the next packet begins another stream
}

func newGame(sw *model.Switch) (*game, error) {
	config := *sw.Config
	config.SliceCells = 0 // overbooked memory is for the attack to find
	buffer, err := mmu.New(&config)
	if err != nil {
		return nil, err
	}
	g := &game{sw: sw, config: &config, buffer: buffer, cuts: map[model.Link]cut{}, routes: routes(sw)}
	g.allocate()
	return g, nil
}

func (g *game) allocate() {
	n := len(g.config.Ports)
	g.wires, g.pauses = make([]stream, n), make([]pause, n*mmu.MaxPGs)
	g.held, g.lines = make([]int64, g.config.Slices), make([]line, n*mmu.MaxQueues)
}

// fresh is another game of a switch that nothing was sent to yet.
func (g *game) fresh() *game {
	own := &game{sw: g.sw, config: g.config, buffer: g.buffer.Clone(), cuts: g.cuts, routes: g.routes, pausable: g.pausable, only: g.only}
	own.allocate()
	return own
}

// restart is fresh in the memory of a game that is over.
func (g *game) restart(empty *game) {
	g.buffer.CopyFrom(empty.buffer)
	clear(g.wires)
	clear(g.pauses)
	clear(g.held)
	for i := range g.lines {
		g.lines[i].runs, g.lines[i].head = g.lines[i].runs[:0], 0
	}
	g.now, g.packets, g.events, g.loss = 0, 0, g.events[:0], nil
}

func (g *game) pg(port, number int) *mmu.PG { return &g.config.Ports[port].PGs[number] }

// occupy takes the wire of a port for a packet that begins at a time: right behind the last
// one, or after a gap.
func (g *game) occupy(port, bytes int, at int64) {
	wire := &g.wires[port]
	if at != wire.free || wire.ended {
		*wire = stream{begin: at}
	}
	wire.bytes += units.Bytes(bytes) + model.InterFrame
	wire.free = wire.begin + int64(g.sw.Ports[port].Link.PeerTime(wire.bytes))
}

// start returns the time at which the next packet of a port can begin to come in, never if its peer
// must not begin one any more.
func (g *game) start(port, group int) int64 {
	at := max(g.now, g.wires[port].free)
	p := &g.pauses[port*mmu.MaxPGs+group]
	switch {
	case p.on:
		if at > p.until {
			return never
		}
	case p.silent:
		// it hears the resume one cable later, and its packet takes the cable back
		return max(at, p.at+int64(g.sw.Ports[port].Link.RoundTrip()))
	}
	return at
}

// send lets one packet come in as early as it may. False if its peer is silenced, if the
// traffic that is assumed does not have it, or if one was lost: nothing is played behind that.
func (g *game) send(p mmu.Packet) (v mmu.Verdict, ok bool) {
	at := g.start(p.InPort, p.PG)
	if g.loss != nil || at == never || !g.assumed(&p) || g.pausable > 0 && !g.mayPause(&p) {
		return mmu.Verdict{}, false
	}
	return g.arrive(p, at), true
}

// mayPause reports whether a packet leaves its group unpaused, or not too many others of its
// slice are paused or have anything in their headroom.
func (g *game) mayPause(p *mmu.Packet) bool {
	if !g.pg(p.InPort, p.PG).Lossless || g.pauses[p.InPort*mmu.MaxPGs+p.PG].on || g.room(p.InPort, p.PG)-g.buffer.Cells(p.Bytes) >= g.brim() {
		return true
	}
	others := 0
	for port := range g.config.Ports {
		if g.config.Ports[port].Slice != g.config.Ports[p.InPort].Slice {
			continue
		}
		for number := range g.config.Ports[port].PGs {
			own := port == p.InPort && number == p.PG
			if !own && (g.pauses[port*mmu.MaxPGs+number].on || g.buffer.PG(port, number).Headroom > 0) {
				others++
			}
		}
	}
	return others < g.pausable
}

// assumed reports whether a packet is one that the peer may send, and the mix of packets
// after a pause still what it is assumed to be.
func (g *game) assumed(p *mmu.Packet) bool {
	link := &g.sw.Ports[p.InPort].Link
	if p.Bytes < int(model.SmallestFrame) || p.Bytes > int(link.PortFrame) {
		return false
	}
	if !g.pg(p.InPort, p.PG).Lossless {
		return true
	}
	if p.Bytes > int(link.LosslessFrame) {
		return false
	}
	asked := g.sw.Ports[p.InPort].Pausable>>p.PG&1 == 1
	return !asked || link.SmallPackets == 0 || g.mixed(p, link, &g.pauses[p.InPort*mmu.MaxPGs+p.PG])
}

// mixed: after the decision, packets are smallest or largest, and of those that have come
// in and one more at most the share is smallest. A packet that may decide counts too.
func (g *game) mixed(p *mmu.Packet, link *model.Link, state *pause) bool {
	if !state.on && g.room(p.InPort, p.PG)-g.buffer.Cells(p.Bytes) >= g.brim() {
		return true
	}
	packets, smallest := state.packets+1, state.small // none were counted before the pause
	if p.Bytes == int(model.SmallestFrame) {
		smallest++
		return smallest*int64(units.One) <= int64(link.SmallPackets)*(packets+1)
	}
	return p.Bytes == int(link.LosslessFrame)
}

// arrive offers a packet to the buffer at a time, and keeps the books.
func (g *game) arrive(p mmu.Packet, at int64) mmu.Verdict {
	before := moment{g.now, g.wires[p.InPort], g.pauses[p.InPort*mmu.MaxPGs+p.PG]}
	g.now = at
	behind := at == g.wires[p.InPort].free && !g.wires[p.InPort].ended
	g.occupy(p.InPort, p.Bytes, at)
	g.packets++
	e := g.record(behind, &Event{At: at, Kind: Arrive, In: p.InPort, PG: p.PG, Out: p.OutPort, Queue: p.Queue, Bytes: p.Bytes, Count: 1})
	v := g.buffer.Enqueue(&p)
	cells := g.buffer.Cells(p.Bytes)
	slice := g.config.Ports[p.InPort].Slice
	memory := int64(g.sw.Config.SliceCells)
	overflow := !v.Dropped() && memory > 0 && g.held[slice]+cells > memory
	if !v.Dropped() {
		g.held[slice] += cells
		g.lines[p.OutPort*mmu.MaxQueues+p.Queue].push(&p)
	}
	g.pauseWith(&p, v.PFC)
	if g.pg(p.InPort, p.PG).Lossless && (v.Dropped() || overflow) {
		g.lose(&p, v, overflow, before)
	}
	if g.watch != nil {
		g.watch(g, e, v)
	}
	return v
}

// A moment is the state of a port before a packet of it comes in.
type moment struct {
	now   int64
	wire  stream
	pause pause
}

// lose notes a packet that is lost, if that is one of those looked for. Any other has never
// been sent.
func (g *game) lose(p *mmu.Packet, v mmu.Verdict, overflow bool, before moment) {
	loss := g.lossOf(p, v, overflow)
	if len(g.only) == 0 || slices.ContainsFunc(loss.breaks(), func(id string) bool { return slices.Contains(g.only, id) }) {
		g.loss = loss
		return
	}
	g.forget(p.InPort)
	if v.PFC == mmu.Steady {
		g.now, g.wires[p.InPort], g.pauses[p.InPort*mmu.MaxPGs+p.PG] = before.now, before.wire, before.pause
	}
}

// pauseWith follows a pause and what comes in under it. The packet that decides it is
// the first of those.
func (g *game) pauseWith(p *mmu.Packet, change mmu.Transition) {
	port, state := &g.sw.Ports[p.InPort], &g.pauses[p.InPort*mmu.MaxPGs+p.PG]
	if change == mmu.XOFF && port.Pausable>>p.PG&1 == 1 {
		at := g.now
		if g.config.Rules.Decided == mmu.AtEnd {
			at = g.wires[p.InPort].free
		}
		*state = pause{on: true, at: at, until: at + int64(port.Link.Window())}
	}
	if state.on {
		state.packets++
		if p.Bytes == int(model.SmallestFrame) {
			state.small++
		}
	}
}

// leave lets the first packet of a queue leave. False if there is none, or if one was lost.
func (g *game) leave(out, queue int) bool {
	if g.loss != nil {
		return false
	}
	p, ok := g.lines[out*mmu.MaxQueues+queue].pop()
	if !ok {
		return false
	}
	e := g.record(false, &Event{At: g.now, Kind: Leave, In: p.InPort, PG: p.PG, Out: out, Queue: queue, Bytes: p.Bytes, Count: 1})
	change := g.buffer.Dequeue(&p)
	g.held[g.config.Ports[p.InPort].Slice] -= g.buffer.Cells(p.Bytes)
	if state := &g.pauses[p.InPort*mmu.MaxPGs+p.PG]; change == mmu.XON && state.on {
		silent := max(g.now, g.wires[p.InPort].free) > state.until
		*state = pause{silent: silent, at: g.now}
	}
	if g.watch != nil {
		g.watch(g, e, mmu.Verdict{PFC: change})
	}
	return true
}

// record appends an event, or counts it to the last one if it is the same again, right
// behind it on the wire.
func (g *game) record(behind bool, e *Event) *Event {
	if n := len(g.events); n > 0 {
		last := &g.events[n-1]
		if last.same(e) && (e.Kind == Leave && last.At == e.At || e.Kind == Arrive && behind) {
			last.Count++
			return last
		}
	}
	g.events = append(g.events, *e)
	return &g.events[len(g.events)-1]
}

// forget takes the last packet back that record has seen, which came in at a port.
func (g *game) forget(port int) {
	g.wires[port].ended = true
	last := len(g.events) - 1
	if g.events[last].Count--; g.events[last].Count == 0 {
		g.events = g.events[:last]
	}
}

// room returns the number of cells that a group can still take below its threshold.
func (g *game) room(port, group int) int64 { return int64(g.buffer.Room(port, group)) }

// most returns the cells of the shared part that a limit lets an account have if the last one of them
// leaves so many free; less than 0 if the limit lets it have none.
func (g *game) most(l mmu.Limit, free int64) int64 {
	slack := int64(0)
	switch g.config.Rules.Admission {
	case mmu.BelowWithCell:
		slack = 1
	case mmu.BeforeCell:
		free++
	}
	limit := int64(l.StaticCells)
	if l.Dynamic {
		limit = l.Alpha.FloorOf(free)
	}
	return limit - slack
}

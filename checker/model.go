package main

import "slices"

// The page, "The model": the subject of the verdicts, and the figures of the files.

type model struct {
	Cell, Metadata, Memory            int64 // B, B, and cells of a slice
	Slices                            int
	Admission, Pause, Resume, Decided string // the comparisons of the chip
	Ingress, Egress                   map[string]pool
	Ports                             []port
}

type pool struct{ Shared, Headroom int64 }

type port struct {
	Name            string
	Slice           int
	Link            link
	Pausable        uint8 // bit g: a pause for priority group g reaches the peer
	Groups          []group
	Queues          []queue
	Ingress, Egress map[string]limit // by pool, what the whole port may take
	Feeds           feeds
	Map             int // of those that feed it
	Others          []feeds
}

// feeds has for each priority group the set of queues by which its packets leave.
type feeds [8]uint16

// A link describes the cable and the peer: bit/s, mm, ps, B, and billionths of packets.
type link struct {
	Rate, Cable, Gearbox, Interface, Response, Frame, Lossless, Small int64
}

type queue struct {
	Pool     string
	Reserved int64
	Limit    limit
}

type group struct {
	queue
	Lossless, Pooled      bool
	Headroom, Xon, Offset int64
}

// A limit is so many cells, or 2^alpha times the free ones if it is dynamic.
type limit struct {
	Dynamic      bool
	Alpha, Cells int64
}

// on reports whether a limit is one, on a pool that there is.
func (l limit) on(pools map[string]pool, name string) bool {
	_, is := pools[name]
	return is && l.Alpha >= -8 && l.Alpha <= 8 && l.Cells >= 0 && l.Cells <= 1<<30
}

// known reports whether all figures of a link are within the bounds of the page.
func (l link) known() bool {
	return l.Rate >= 1e6 && l.Rate <= 1e13 && l.Cable > 0 && l.Cable <= 1e9 && l.Frame >= smallest && l.Frame <= 1<<16 && l.Lossless >= smallest &&
		l.Lossless <= 1<<16 && max(l.Response, l.Gearbox, l.Interface) <= 1e12 && min(l.Response, l.Gearbox, l.Interface, l.Small) >= 0 && l.Small < 1e9
}

// bounded reports whether a model is within the bounds of the page.
func (m *model) bounded() bool {
	good := true
	within := func(low, high int64, all ...int64) {
		for _, n := range all {
			good = good && n >= low && n <= high
		}
	}
	word := func(is string, of ...string) { good = good && slices.Contains(of, is) }
	within(1, 1<<20, m.Cell)
	within(0, 1<<20, m.Metadata)
	within(0, 1<<30, m.Memory)
	within(1, 64, int64(m.Slices))
	word(m.Admission, "with_cell", "below_with_cell", "before_cell")
	word(m.Pause, "when_full", "on_excess")
	word(m.Resume, "below_pause_level")
	word(m.Decided, "start", "end")
	for _, pools := range []map[string]pool{m.Ingress, m.Egress} {
		for _, p := range pools {
			within(0, 1<<30, p.Shared, p.Headroom)
		}
	}
	for _, p := range m.Ports {
		within(0, int64(m.Slices)-1, int64(p.Slice))
		within(0, 8, int64(len(p.Groups)))
		within(0, 16, int64(len(p.Queues)))
		for name, l := range p.Ingress {
			good = good && l.on(m.Ingress, name)
		}
		for name, l := range p.Egress {
			good = good && l.on(m.Egress, name)
		}
		for _, g := range p.Groups {
			within(0, 1<<30, g.Reserved, g.Headroom, g.Xon, g.Offset)
			good = good && g.Limit.on(m.Ingress, g.Pool) && (g.Headroom == 0 || g.Lossless && (!g.Pooled || m.Ingress[g.Pool].Headroom > 0))
		}
		for _, q := range p.Queues {
			within(0, 1<<30, q.Reserved)
			good = good && q.Limit.on(m.Egress, q.Pool)
		}
	}
	return good
}

// rule of admission by number, as functions take it.
func (m *model) rule() int64 {
	return int64(slices.Index([]string{"with_cell", "below_with_cell", "before_cell"}, m.Admission))
}

// An account is a priority group of a port, with what bounds its part of the shared cells: its own limit, and that of its
// whole port in the pool. Of two limits of a kind the lesser one is left.
type account struct {
	*group
	port          *port
	number, slice int
	limits        []limit
}

func (p *port) account(number int) account {
	g := &p.Groups[number]
	limits := []limit{g.Limit}
	if whole, bounded := p.Ingress[g.Pool]; bounded && whole.Dynamic != g.Limit.Dynamic {
		limits = append(limits, whole)
	} else if bounded {
		limits[0] = limit{whole.Dynamic, min(whole.Alpha, g.Limit.Alpha), min(whole.Cells, g.Limit.Cells)}
	}
	return account{g, p, number, p.Slice, limits}
}

// accounts that pass, by port and number.
func (m *model) accounts(pass func(account) bool) (list []account) {
	for i := range m.Ports {
		for number := range m.Ports[i].Groups {
			if a := m.Ports[i].account(number); pass(a) {
				list = append(list, a)
			}
		}
	}
	return list
}

// feeds reports whether packets of an account leave by a queue of a port that passes. A port does not send to itself.
func (a account) feeds(out *port, pass func(number int, q queue) bool) bool {
	fed := a.port.Feeds
	if out.Map > 0 && out.Map <= len(a.port.Others) {
		fed = a.port.Others[out.Map-1]
	}
	for number, q := range out.Queues {
		if out != a.port && fed[a.number]>>number&1 == 1 && pass(number, q) {
			return true
		}
	}
	return false
}

// comesIn returns the most cells that come in after a pause. The page, "What comes in after a pause".
//
// A port sends its pause behind the frame that it has begun, with a clock 100 ppm slow: 8·10^12 ps for a byte at 1 bit/s, times
// 10000/9999. Then come cable, 5 ps a mm, and gearboxes there and back, its own layers, and the response of the peer. In that time
// the peer sends packets of the sizes that fill cells fastest, with a clock 100 ppm fast. The last one comes on top, and so does the
// one with whose last byte the chip decides.
func (m *model) comesIn(l link) int64 {
	if !l.known() {
		throwf("the figures of the link are beyond the bounds of the page")
	}
	waits := -over(l.Rate*9999, -(l.Frame + gap + smallest + gap), 80000000000000000) // rounded up
	wire, whole := over(80000000000000000, waits+2*5*l.Cable+2*l.Gearbox+l.Interface+l.Response, l.Rate*10001), int64(1)
	if m.Decided == "end" {
		whole = 2
	}
	if wire > 1<<30 {
		throwf("%d B on the wire are too many to be computed", wire)
	}
	last := whole * cells(l.Lossless, m.Cell, m.Metadata)
	if l.Small > 0 {
		return mixed(wire, m.Cell, m.Metadata, l.Lossless, l.Small, whole) + last
	}
	return packed(wire, m.Cell, m.Metadata, l.Lossless) + last
}

// above returns the least that an account holds in its headroom: what comes in by the model, and no more than there is.
func (m *model) above(a account) (cells int64) {
	if a.port.Link.known() {
		cells = min(m.comesIn(a.port.Link), a.Headroom)
	}
	return cells
}

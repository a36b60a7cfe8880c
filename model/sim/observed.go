package sim

import "github.com/roceplan/roceplan/units"

// Observed holds the measurements that [Scenario.Observe] asked for. Its JSON names are part of the
// command's interface. Percentiles are those of [histogram]: never below the value, less than 1.6 %
// above it. Maxima, sums and counts are exact.
type Observed struct {
	Classes []ClassResult `json:"classes"` // that sent packets

	// Over time, for DurationUS; only what was ever in use.
	Queues []BufferResult `json:"queues,omitempty"`
	PGs    []BufferResult `json:"pgs,omitempty"`
	VOQs   []BufferResult `json:"voqs,omitempty"` // with [balance.Cells]: by port and class, of all leaves

	Pauses []PauseResult `json:"pauses"` // of ports that sent pauses
	Ports  []PortResult  `json:"ports"`  // with marks, CNPs or drops

	PausedUS    float64 `json:"pfc_paused_us"` // sum over ports and classes
	WindowUS    float64 `json:"pfc_window_us"` // the run is divided into windows of this length
	Windows     int     `json:"pfc_windows"`
	DurationUS  float64 `json:"duration_us"` // see [engine.observedEnd]
	pauseStarts []pausedPort
	arrivals    arrivalLog
}

// ClassResult is the one-way latency of a class's data packets, from when they are in the queue of
// the sender's NIC, which is when their pace and window let them go, until their last bit is at the
// receiver. Packets that are dropped have none.
type ClassResult struct {
	Class   uint8   `json:"class"`
	Packets int64   `json:"packets"`             // data, arrived
	Drops   int64   `json:"drops"`               // of data and acknowledgements, by switches
	Lost    int64   `json:"lost"`                // of these, to all else: links, hosts, watchdogs
	Below   float64 `json:"latency_below_usual"` // share of packets below [Observation.Usual]
	MeanUS  float64 `json:"latency_mean_us"`
	P50US   float64 `json:"latency_p50_us"`
	P90US   float64 `json:"latency_p90_us"`
	P99US   float64 `json:"latency_p99_us"`
	P999US  float64 `json:"latency_p999_us"`
	MaxUS   float64 `json:"latency_max_us"`
}

// BufferResult is the fill of an egress queue or a priority group, weighted by time.
type BufferResult struct {
	Port   string  `json:"port"`
	Number uint8   `json:"number"` // of the queue or PG
	Mean   float64 `json:"mean_bytes"`
	P50    int64   `json:"p50_bytes"`
	P90    int64   `json:"p90_bytes"`
	P99    int64   `json:"p99_bytes"`
	P999   int64   `json:"p999_bytes"`
	Peak   int64   `json:"peak_bytes"`

	PeakHeadroom int64 `json:"peak_headroom_bytes,omitempty"` // of a PG
}

// PauseResult is the pauses that a port sent in one class. A pause lasts from its frame until
// the one that ends it, or until the end of the run.
type PauseResult struct {
	Port      string  `json:"port"`
	PG        uint8   `json:"pg"`
	Pauses    int64   `json:"pauses"` // frames that renew a pause are not counted
	PausedUS  float64 `json:"paused_us"`
	LongestUS float64 `json:"longest_us"`
}

// PortResult holds the counts of a port: marks where packets leave, CNPs where a host sends them,
// drops where packets come in.
type PortResult struct {
	Port  string `json:"port"`
	Marks int64  `json:"ecn_marks"`
	CNPs  int64  `json:"cnps"`
	Drops int64  `json:"drops"`
}

const perUS = 1e6 // ps

// observedEnd returns the time at which the last data packet arrived or the last pause began or
// ended, in ps: timers run on for long after that. Where messages did not finish, it is the end of
// the run. windowed is the same for the figures by windows of time.
func (s *engine) observedEnd() (all, windowed int64) {
	if s.finished < len(s.messages) {
		return s.now, s.now
	}
	paused := s.seen.pauses.last
	return max(s.seen.last, paused), max(s.seen.lastTold, paused)
}

func (s *engine) observed(sc *Scenario) *Observed {
	o := s.seen
	if o == nil {
		return nil
	}
	end, windowed := s.observedEnd()
	o.pauses.close(windowed)
	r := &Observed{
		Classes: []ClassResult{}, Pauses: []PauseResult{}, Ports: []PortResult{},
		WindowUS: float64(o.pauses.width) / perUS, Windows: int(windowed/o.pauses.width) + 1,
		DurationUS: float64(end) / perUS, pauseStarts: o.pauses.ports, arrivals: o.arrivals,
	}
	for class := range o.classes {
		if c := &o.classes[class]; c.latency.counts != nil {
			r.Classes = append(r.Classes, c.result(uint8(class)))
		}
	}
	names := sc.portNames()
	for i := range s.ports {
		s.observedPort(r, i, names[i], end)
	}
	return r
}

func (c *seenClass) result(class uint8) ClassResult {
	h := &c.latency
	us := func(percent float64) float64 { return float64(h.percentile(percent)) / perUS }
	return ClassResult{
		Class: class, Packets: h.total, Drops: c.drops, Lost: c.lost, Below: float64(c.belowUsual) / float64(max(1, h.total)),
		MeanUS: h.mean() / perUS, P50US: us(50), P90US: us(90), P99US: us(99), P999US: us(99.9), MaxUS: us(100),
	}
}

// observedPort adds what was measured at one port.
func (s *engine) observedPort(r *Observed, i int, name string, end int64) {
	o := s.seen
	if c := o.ports[i]; c != (portCounts{}) {
		r.Ports = append(r.Ports, PortResult{name, c.marks, c.cnps, c.drops})
	}
	for class := range uint8(classes) {
		queue, pg := s.numbers(i, class)
		if c := o.pauses.ports[i].classes[class]; c.pauses > 0 {
			total := float64(c.total) / perUS
			r.Pauses = append(r.Pauses, PauseResult{name, pg, c.pauses, total, float64(c.longest) / perUS})
			r.PausedUS += total
		}
		if o.held == nil {
			continue
		}
		if l := &o.held[i*classes+int(class)]; l.over.counts != nil {
			r.Queues = append(r.Queues, l.result(name, queue, end))
		}
		if l := &o.pgs[i*classes+int(class)]; l.over.counts != nil {
			r.PGs = append(r.PGs, l.result(name, class, end))
		}
		if o.voqs == nil {
			continue
		}
		if l := &o.voqs[i*classes+int(class)]; l.over.counts != nil {
			r.VOQs = append(r.VOQs, l.result(name, queue, end))
		}
	}
}

// numbers returns the numbers of a class's queue and PG at a port: the chip's where it has its own.
func (s *engine) numbers(port int, class uint8) (queue, pg uint8) {
	if b := s.silicon[s.ports[port].node]; b != nil {
		return b.queues.QueueAt(s.configs[port].chipPort, class), b.pg[class]
	}
	return class, class
}

func (l *level) result(port string, number uint8, now int64) BufferResult {
	l.set(now, l.bytes)
	h := &l.over
	return BufferResult{
		Port: port, Number: number, Mean: h.mean(),
		P50: h.percentile(50), P90: h.percentile(90), P99: h.percentile(99), P999: h.percentile(99.9), Peak: h.max,
		PeakHeadroom: l.headroom,
	}
}

// WindowsOver returns the number of windows that are wholly between two times, and at the worst
// port the number of those that hold more pauses than a rate per second allows. A pause is in each
// window in which it is in force.
func (r *Observed) WindowsOver(perSecond int64, from, to units.Time) (over, windows int) {
	width := units.Time(r.WindowUS * perUS)
	first := int((from + width - 1) / width)
	end := min(int(to/width), r.Windows)
	allowed := int64(float64(perSecond) * r.WindowUS / 1e6)
	for i := range r.pauseStarts {
		p, n := &r.pauseStarts[i], 0
		for w := first; w < end && p.started != nil; w++ {
			if int64(p.started[w]+p.carried[w]) > allowed {
				n++
			}
		}
		over = max(over, n)
	}
	return over, max(0, end-first)
}

package sim

import "github.com/roceplan/roceplan/units"

// Arrivals are the data packets of a class that came to their receivers in one window of time.
type Arrivals struct {
	Packets, Bytes int64      // bytes of payload
	Usual          int64      // packets below [Observation.Usual]
	Latency        units.Time // sum; see [ClassResult]
	Longest        units.Time
}

// Join adds those of another window or class.
func (a *Arrivals) Join(b *Arrivals) {
	a.Packets += b.Packets
	a.Bytes += b.Bytes
	a.Usual += b.Usual
	a.Latency += b.Latency
	a.Longest = max(a.Longest, b.Longest)
}

// arrivalLog counts arrivals by windows of time. The windows become longer as the run does: 1 us
// times a power of two.
type arrivalLog struct {
	width   int64 // of a window, ps
	classes [classes][]Arrivals
}

// arrivalWindows is the largest number of windows; a run of more than 512 us has more than half as
// many.
const arrivalWindows = 1024

func newArrivalLog() arrivalLog { return arrivalLog{width: int64(units.Microsecond)} }

// widen doubles the windows.
func (l *arrivalLog) widen() {
	l.width *= 2
	for _, list := range l.classes {
		halve(list)
	}
}

// join adds those of another log, which is no longer used.
func (l *arrivalLog) join(other *arrivalLog) {
	for l.width < other.width {
		l.widen()
	}
	for other.width < l.width {
		other.widen()
	}
	for class, list := range other.classes {
		if l.classes[class] == nil {
			l.classes[class] = list
			continue
		}
		for i := range list {
			l.classes[class][i].Join(&list[i])
		}
	}
}

// at returns a class's window of a time.
func (l *arrivalLog) at(now int64, class uint8) *Arrivals {
	for now/l.width >= arrivalWindows {
		l.widen()
	}
	if l.classes[class] == nil {
		l.classes[class] = make([]Arrivals, arrivalWindows)
	}
	return &l.classes[class][now/l.width]
}

// halve makes one window of two.
func halve(list []Arrivals) {
	for i := range len(list) / 2 {
		joined := list[2*i]
		joined.Join(&list[2*i+1])
		list[i] = joined
	}
	clear(list[len(list)/2:])
}

// Arrived returns the arrivals of a class in the windows that are wholly between two times.
func (r *Observed) Arrived(class uint8, from, to units.Time) (total Arrivals) {
	width := units.Time(r.arrivals.width)
	list := r.arrivals.classes[class&(classes-1)]
	first, end := (from+width-1)/width, min(to/width, units.Time(len(list)))
	for w := first; w < end; w++ {
		total.Join(&list[w])
	}
	return total
}

// ArrivalWidth returns the length of a window of [Observed.Arrived].
func (r *Observed) ArrivalWidth() units.Time { return units.Time(r.arrivals.width) }

package observe

import (
	"time"

	"github.com/roceplan/roceplan/internal/stable"
)

// A target is one counter of one object of one device.
type target struct {
	device  string
	object  Object
	counter Counter
}

// Readings are rows by what they count, each in the order of time.
type readings struct {
	of map[target][]Row
}

// gather sorts rows; each has its place, and none is made up.
func gather(rows []Row) *readings {
	r := &readings{of: map[target][]Row{}}
	for _, row := range rows {
		t := target{row.Device, row.Object, row.Counter}
		r.of[t] = append(r.of[t], row)
	}
	for _, all := range r.of {
		stable.Sort(all, Row.Compare)
	}
	return r
}

// highest returns the row with the highest value; false where there is none.
func (r *readings) highest(device string, o Object, c Counter) (high Row, ok bool) {
	for _, row := range r.of[target{device, o, c}] {
		if !ok || row.Value > high.Value {
			high, ok = row, true
		}
	}
	return high, ok
}

// A growth is what happened between readings of a counter.
type growth struct {
	Amount   uint64
	Before   uint64 // what the first reading had already
	Readings int
	Cleared  bool // it fell in between: Amount is a lower bound
	Last     Row
	First    Row
}

// lasted returns the time between the readings; 0 where it is not known.
func (g growth) lasted() time.Duration {
	if g.First.Until.IsZero() || g.Last.Until.IsZero() {
		return 0
	}
	return g.Last.Until.Sub(g.First.Until)
}

// total is all that the counter is known to have counted.
func (g growth) total() uint64 { return g.Before + g.Amount }

// evidence returns the rows that say it.
func (g growth) evidence() []Row {
	if g.Readings > 1 {
		return []Row{g.First, g.Last}
	}
	return []Row{g.Last}
}

// grown compares the readings of a counter; false where there is none. Of one reading the
// Amount is 0.
func (r *readings) grown(device string, o Object, c Counter) (g growth, ok bool) {
	for i, row := range r.of[target{device, o, c}] {
		switch {
		case i == 0:
			g.First, g.Before = row, row.Value
		case row.Value >= g.Last.Value:
			g.Amount += row.Value - g.Last.Value
		default:
			g.Amount, g.Cleared = g.Amount+row.Value, true
		}
		g.Last = row
		g.Readings++
	}
	return g, g.Readings > 0
}

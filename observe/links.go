package observe

import (
	"fmt"
	"time"

	"github.com/roceplan/roceplan/diag"
	"github.com/roceplan/roceplan/units"
)

// A flow is what one end of a cable sent and the other got, of one counter, between the same
// readings.
type flow struct {
	from, to  *site
	sent, got growth
	counters  [2]Counter // at from, and at to
	uncertain uint64     // what may be on its way, or counted before one reading and after the other
}

// differs reports whether the two are not of one cable.
func (f *flow) differs(sent, got uint64) bool {
	gap := max(sent, got) - min(sent, got)
	return gap > f.uncertain+max(sent, got)/leeway
}

// leeway is the part of a counter by which two ends may differ for reasons of their own: one
// in so many. Assumed.
const leeway = 50

// links compares what both ends of each cable counted. Ports whose frames came in at each other's
// neighbours have swapped cables; of all others, a pause that was not heard is reported.
func (c *checker) links() {
	var wrong []flow
	for _, s := range c.sites {
		if s.far == nil {
			continue
		}
		for _, pg := range s.lossless() {
			priority, _, ok := s.pfcOf(pg.ID)
			if !ok {
				continue
			}
			if f, ok := c.compare(s, PFCSent(priority), PFCReceived(priority)); ok && f.sent.Amount+f.got.Amount >= fewPauses && f.differs(f.sent.Amount, f.got.Amount) {
				wrong = append(wrong, f)
			}
		}
		if f, ok := c.compare(s, PortSentBytes, PortReceivedBytes); ok && f.differs(f.sent.Amount, f.got.Amount) {
			wrong = append(wrong, f)
		}
	}
	crossed := c.crossed(wrong)
	for i := range wrong {
		if f := &wrong[i]; !crossed[f.from] && f.got.total() == 0 && f.counters[0] != PortSentBytes {
			c.unheardAt(f)
		}
	}
}

// fewPauses are too few to distinguish a lost frame from one on its way. Assumed.
const fewPauses = 4

func (c *checker) compare(s *site, sent, got Counter) (f flow, ok bool) {
	f = flow{from: s, to: s.far, counters: [2]Counter{sent, got}}
	var have bool
	if f.sent, have = c.r.grown(s.end.Switch, Object{Kind: Port, Name: s.end.Port}, sent); !have {
		return f, false
	}
	if f.got, have = c.r.grown(s.far.end.Switch, Object{Kind: Port, Name: s.far.end.Port}, got); !have || f.sent.Readings < 2 || f.got.Readings < 2 {
		return f, false
	}
	gap := distance(f.sent.First.Until, f.got.First.Until) + distance(f.sent.Last.Until, f.got.Last.Until)
	lasted := f.sent.lasted()
	if lasted <= 0 || gap > lasted/leeway || f.sent.Cleared || f.got.Cleared {
		return f, false
	}
	if sent == PortSentBytes {
		f.uncertain = passed(s.port.Speed, gap)
	}
	f.uncertain += 2
	return f, true
}

// passed is how many bytes pass at a rate while one end is read and the other is not yet.
func passed(rate units.BitRate, gap time.Duration) uint64 {
	return uint64(rate.CeilBytes(units.Time(gap) * units.Nanosecond))
}

func distance(a, b time.Time) time.Duration { return a.Sub(b).Abs() }

// crossed reports pairs of cables that have exchanged ends, and returns the ports concerned.
func (c *checker) crossed(wrong []flow) map[*site]bool {
	crossed := map[*site]bool{}
	for i := range wrong {
		for j := i + 1; j < len(wrong); j++ {
			a, b := &wrong[i], &wrong[j]
			if a.counters != b.counters || a.to == b.from || crossed[a.from] || crossed[b.from] {
				continue
			}
			if a.differs(a.sent.Amount, b.got.Amount) || b.differs(b.sent.Amount, a.got.Amount) {
				continue
			}
			crossed[a.from], crossed[b.from], crossed[a.to], crossed[b.to] = true, true, true, true
			object := Object{Kind: Port, Name: a.from.end.Port}
			c.say(a.from, object, Conclusion{Code: Crossed, Assumption: AssumesCabling, Worth: Likely, severity: diag.Error,
				Message: fmt.Sprintf("the cables of %v and %v are swapped: packets of each arrived at the other's neighbour, %d and %d by %s", a.from, b.from, a.sent.Amount, b.sent.Amount, a.counters[0]),
				Fix:     "ask both ends with LLDP: roceplan cabling",
			}, a.sent.Last, b.got.Last, b.sent.Last, a.got.Last)
		}
	}
	return crossed
}

func (c *checker) unheardAt(f *flow) {
	object := Object{Kind: Port, Name: f.to.end.Port}
	c.say(f.to, object, Conclusion{Code: PauseUnheard, Assumption: AssumesPFC, Worth: Certain, severity: diag.Error,
		Message: fmt.Sprintf("%v got none of the %d pauses that %v sent", f.to, f.sent.Amount, f.from),
		Fix:     "enable PFC at this port, or find the cable that is swapped",
	}, f.sent.Last, f.got.Last)
}

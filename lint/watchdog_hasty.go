package lint

import "github.com/roceplan/roceplan/units"

// hastiest is the shortest detection time that EOS takes: 0.01 s. SONiC takes 100 ms.
const hastiest = 10 * units.Millisecond

// watchdogHasty warns of watchdogs that act on pauses which congestion explains.
func watchdogHasty(s *subject) {
	if w := s.sw.Watchdog; w != nil && w.Detection.Why != nil && w.Detection.Value < hastiest {
		s.found.Warnf(WatchdogHasty, at(w.Detection, s.sw.Range), "the PFC watchdog acts after %v: an incast can pause a queue for as long, and the watchdog then drops its packets", w.Detection.Value).
			Fixf("detect after 200ms, as SONiC's defaults do")
	}
}

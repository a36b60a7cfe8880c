package lint

import "github.com/roceplan/roceplan/units"

// slowestWatchdog is the most that SONiC takes: sonic-pfcwd.yang, detection_time.
const slowestWatchdog = 5 * units.Second

// watchdogSlow warns of watchdogs that let a storm stop the fabric.
func watchdogSlow(s *subject) {
	if w := s.sw.Watchdog; w != nil && w.Detection.Value > slowestWatchdog {
		s.found.Warnf(WatchdogSlow, at(w.Detection, s.sw.Range), "the PFC watchdog acts after %v: a NIC that pauses without end stops the fabric for as long", w.Detection.Value).
			Fixf("detect after 200ms, as SONiC's defaults do")
	}
}

package lint

import "github.com/roceplan/roceplan/plan"

// watchdogPassive warns of watchdogs that watch and do nothing.
func watchdogPassive(s *subject) {
	if w := s.sw.Watchdog; w != nil && w.Action == plan.WatchdogAlert {
		s.found.Warnf(WatchdogPassive, first(w.Range, at(w.Detection), s.sw.Range), "the PFC watchdog only reports a storm: a NIC that pauses without end stops the fabric").
			Fixf("set its action to drop")
	}
}

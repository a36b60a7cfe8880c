package lint

import (
	"github.com/roceplan/roceplan/plan"
	"github.com/roceplan/roceplan/units"
)

// watchdogPoll checks the interval of polling against the timers. EOS asks for two polls
// within each.
func watchdogPoll(s *subject) {
	w := s.sw.Watchdog
	if w == nil || w.Poll.Value == 0 {
		return
	}
	least, rule := w.Poll.Value, "at least as long"
	if s.sw.OS == "eos" {
		least, rule = 2*w.Poll.Value, "at least twice as long"
	}
	for _, timer := range []plan.Derived[units.Time]{w.Detection, w.Restoration} {
		if timer.Why != nil && timer.Value < least {
			s.found.Errorf(WatchdogPoll, at(timer, s.sw.Range), "the %s time of the PFC watchdog is %v, and the watchdog polls every %v: the time must be %s", timer.Why.Name, timer.Value, w.Poll.Value, rule).Fixf("give it at least %v, or poll more often", least).
				Notef(at(w.Poll), "the interval")
		}
	}
}

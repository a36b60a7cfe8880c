package lint

import (
	"github.com/roceplan/roceplan/plan"
	"github.com/roceplan/roceplan/units"
)

// watchdogMissing warns of lossless ports without a watchdog. Whether EOS watches where a file says
// nothing of timers is not published.
func watchdogMissing(s *subject) {
	if s.sw.OS == "eos" && s.sw.Watchdog == nil {
		return
	}
	for _, k := range s.kinds {
		if k.qos.PFC != 0 && !k.qos.Watchdog {
			s.found.Warnf(WatchdogMissing, k.pfcAt(), "%v %s PFC but no PFC watchdog: one NIC that pauses without end stops the fabric", k, k.verb("has", "have")).
				Fixf("enable the watchdog there too: PFC_WD of SONiC, priority-flow-control pause watchdog of EOS, priority-flow-control watch-dog-interval of NX-OS")
		}
	}
}

// watchdogPassive warns of watchdogs that watch and do nothing.
func watchdogPassive(s *subject) {
	if w := s.sw.Watchdog; w != nil && w.Action == plan.WatchdogAlert {
		s.found.Warnf(WatchdogPassive, first(w.Range, at(w.Detection), s.sw.Range), "the PFC watchdog only reports a storm: a NIC that pauses without end stops the fabric").
			Fixf("set its action to drop")
	}
}

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

// hastiest is the shortest detection time that EOS takes: 0.01 s. SONiC takes 100 ms.
const hastiest = 10 * units.Millisecond

// watchdogHasty warns of watchdogs that act on pauses which congestion explains.
func watchdogHasty(s *subject) {
	if w := s.sw.Watchdog; w != nil && w.Detection.Why != nil && w.Detection.Value < hastiest {
		s.found.Warnf(WatchdogHasty, at(w.Detection, s.sw.Range), "the PFC watchdog acts after %v: an incast can pause a queue for as long, and the watchdog then drops its packets", w.Detection.Value).
			Fixf("detect after 200ms, as SONiC's defaults do")
	}
}

// slowestWatchdog is the most that SONiC takes: sonic-pfcwd.yang, detection_time.
const slowestWatchdog = 5 * units.Second

// watchdogSlow warns of watchdogs that let a storm stop the fabric.
func watchdogSlow(s *subject) {
	if w := s.sw.Watchdog; w != nil && w.Detection.Value > slowestWatchdog {
		s.found.Warnf(WatchdogSlow, at(w.Detection, s.sw.Range), "the PFC watchdog acts after %v: a NIC that pauses without end stops the fabric for as long", w.Detection.Value).
			Fixf("detect after 200ms, as SONiC's defaults do")
	}
}

// largestPause returns the longest pause that one PFC frame can ask for: 65,535 quanta of 512
// bit times, IEEE 802.1Qbb. A rate below 1 kb/s, which no Ethernet has, counts as that: at
// 3 b/s the time would not fit 63 bits.
func largestPause(rate units.BitRate) units.Time {
	return max(rate, units.Kbps).CeilTime(65535 * 512 / 8)
}

// watchdogBelowPause checks the watchdog against the slowest lossless port.
func watchdogBelowPause(s *subject) {
	w := s.sw.Watchdog
	if w == nil || w.Detection.Why == nil {
		return
	}
	var slowest *plan.Port
	for _, k := range s.kinds {
		for _, port := range k.ports {
			if k.qos.PFC != 0 && port.Speed != 0 && (slowest == nil || port.Speed < slowest.Speed) {
				slowest = port
			}
		}
	}
	if slowest != nil && w.Detection.Value <= largestPause(slowest.Speed) {
		s.found.Errorf(WatchdogBelowPause, at(w.Detection, s.sw.Range), "the PFC watchdog acts after %v, but one pause frame may stop %s for %v", w.Detection.Value, slowest.Name, largestPause(slowest.Speed)).
			Fixf("detect after 200ms, as SONiC's defaults do")
	}
}

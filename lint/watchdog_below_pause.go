package lint

import (
	"github.com/roceplan/roceplan/plan"
	"github.com/roceplan/roceplan/units"
)

// largestPause is the longest pause that one PFC frame can ask for: 65,535 quanta of 512
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

package calc

import (
	"cmp"

	"github.com/roceplan/roceplan/diag"
	"github.com/roceplan/roceplan/plan"
	"github.com/roceplan/roceplan/policy"
	"github.com/roceplan/roceplan/units"
)

// LargestPause returns the longest pause that one PFC frame can ask for: document
// largest-pause.
func LargestPause(rate units.BitRate) units.Time { return rate.CeilTime(65535 * 512 / 8) }

// WatchdogTime returns the time that SONiC's `pfcwd start_default` derives from a base on a switch
// with so many ports: the base times ⌈ports/32⌉, at most a limit. Document
// watchdog-time.
func WatchdogTime(base units.Time, ports int64, limit units.Time) units.Time {
	return min(limit, base*units.Time(max(1, units.CeilMulDiv(ports, 1, 32))))
}

// Timers where the fabric gives none, for up to 32 ports, and the most that SONiC takes.
// The poll is half of the timers, so that EOS takes them too.
const (
	defaultTimer   = 200 * units.Millisecond
	defaultPoll    = 100 * units.Millisecond
	longestTimer   = 5 * units.Second
	longestPoll    = units.Second
	watchdogSource = "sonic-utilities 015521a5, pfcwd/main.py: start_default, which counts ports with PFC, with DEFAULT_DETECTION_TIME and DEFAULT_RESTORATION_TIME 200 ms, times max(1, (ports-1)/32+1)"
	pollSource     = "half of the timers, as EOS asks for; sonic-utilities, pfcwd/main.py: at most 1000 ms"
	limitSource    = "sonic-utilities, pfcwd/main.py: detection of 100 to 5000 ms, poll of 100 to 1000 ms"
)

// watchdog gives the timers; nil where the fabric turns the watchdog off or the
// switch has no lossless port.
func (s *shape) watchdog() *plan.Watchdog {
	w := s.fabric.Watchdog
	if w == nil {
		w = &policy.Watchdog{Range: s.fabric.Range}
	}
	if w.Off || len(s.lossless) == 0 || s.slowest() == nil {
		return nil
	}
	return s.timers(w)
}

// timers returns the timers of a watchdog, as given or by the number of ports.
func (s *shape) timers(w *policy.Watchdog) *plan.Watchdog {
	action := plan.WatchdogDrop
	if w.Action.Set {
		action = plan.WatchdogAction(w.Action.Value)
	}
	return &plan.Watchdog{
		Detection:   s.watchdogTimer("detection", w.Detection, defaultTimer, longestTimer, watchdogSource),
		Restoration: s.watchdogTimer("restoration", w.Restoration, defaultTimer, longestTimer, watchdogSource),
		Poll:        s.watchdogTimer("poll", w.Poll, defaultPoll, longestPoll, pollSource),
		Action:      action,
	}
}

// unwatched returns the priorities of some with PFC in which packets are sent back: SONiC's templates
// give them PFC and no watchdog (sonic-buildimage 0791705b, files/build_templates/qos_config.j2:
// pfc_enable 2,3,4,6 and pfcwd_sw_enable 3,4 where a port has the extra queues of the tunnel).
func unwatched(classes []*policy.Class, pfc uint8) (bits uint8) {
	for _, class := range classes {
		if class.SentBack {
			bits |= 1 << class.PFC.Value
		}
	}
	return bits & pfc
}

// watchdogTimer returns a timer as given, or by the number of ports.
func (s *shape) watchdogTimer(name string, own policy.Opt[units.Time], base, limit units.Time, source string) plan.Derived[units.Time] {
	if own.Set {
		return plan.Of(own.Value, given(name, own, own.Value, ""))
	}
	ports := s.losslessPorts()
	value := WatchdogTime(base, int64(ports), limit)
	why := computed("watchdog-time", name, value, term("base", standard(name+" of up to 32 ports", base, source)),
		count("ports", ports, "ports with a watchdog"), term("limit", standard("longest "+name, limit, limitSource)))
	why.Range = own.Range
	return plan.Of(value, why)
}

// slowest returns the lossless kind of port with the lowest speed, nil when there is none.
func (s *shape) slowest() *kind {
	var slow *kind
	for _, k := range s.kinds {
		if k.lossless() && (slow == nil || k.group.Speed.Value < slow.group.Speed.Value) {
			slow = k
		}
	}
	return slow
}

// watchdogInequalities check the timers against the longest pause and against each other.
func (s *shape) watchdogInequalities(w *plan.Watchdog) []inequality {
	rate := s.slowest().group.Speed
	pause := LargestPause(rate.Value)
	pauseWhy := computed("largest-pause", "longest pause", pause, term("rate", given("speed", rate, rate.Value, "")))
	ten := 10 * pause
	tenPauses := plan.Of(ten, computed("product", "ten longest pauses", ten, term("value", pauseWhy), count("times", 10, "pauses in a row")))

	twice := 2 * w.Poll.Value
	shorter, longer := w.Detection, w.Restoration
	if longer.Value < shorter.Value {
		shorter, longer = longer, shorter
	}
	short := w.Poll.Why.Range
	if at := shorter.Why.Range; at.Filename != "" && longer.Value >= twice && w.Poll.Why.Kind != plan.Given {
		short = at // two of three fit
	}
	twoPolls := plan.Of(twice, computed("product", "two polls", twice, term("value", w.Poll.Why), count("times", 2, "polls within a timer")))
	return []inequality{
		timerAtMost("watchdog-above-pause", tenPauses, w.Detection, cmp.Or(w.Detection.Why.Range, s.fabric.Range),
			"at "+rate.Value.String()+" healthy traffic may cause pauses of %v, and the watchdog acts after %v", "raise detection"),
		timerAtMost("watchdog-poll", twoPolls, shorter, short, "two polling intervals take %v, and the shorter of detection and restoration is %v", "lower poll, or raise the shorter timer"),
	}
}

func timerAtMost(id string, left, right plan.Derived[units.Time], at diag.Range, wrong, fix string) inequality {
	return atMost(id, "whole switch", left, right, at, func(list *diag.List) {
		list.Errorf(WatchdogTimer, at, wrong, left.Value, right.Value).Fixf("%s", fix)
	})
}

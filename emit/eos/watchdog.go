package eos

import (
	"fmt"

	"github.com/roceplan/roceplan/plan"
	"github.com/roceplan/roceplan/units"
)

type watchdogView struct{ Timeout, Recovery, Polling, Action string }

// Ranges and steps of the watchdog's timers: aristanetworks/avd schema
// priority_flow_control @32666f05 and the EOS manual, PFC watchdog.
const (
	timeoutStep = 10 * units.Millisecond
	timeoutMax  = 60 * units.Second
	pollStep    = units.Millisecond
	pollMin     = 5 * units.Millisecond
	pollMax     = 30 * units.Second
)

// watchdog returns the switch's watchdog, nil where there is none.
func (b *builder) watchdog() *watchdogView {
	w := b.s.Watchdog
	if w == nil {
		return nil
	}
	detect, restore, poll := ceilTime(w.Detection.Value, timeoutStep), ceilTime(w.Restoration.Value, timeoutStep), w.Poll.Value/pollStep*pollStep
	b.timer("detection time", w.Detection, detect, timeoutStep, timeoutMax)
	b.timer("restoration time", w.Restoration, restore, timeoutStep, timeoutMax)
	b.timer("polling interval", w.Poll, poll, pollMin, pollMax)
	if half := min(detect, restore) / 2; poll > half {
		b.list.Errorf(Watchdog, w.Poll.Why.RangeOr(b.s.Range), "the watchdog polls every %s; EOS wants at most half of the shorter of detection and restoration, %s", poll, half).
			Fixf("poll every %s", half/pollStep*pollStep)
	}
	action, ok := map[plan.WatchdogAction]string{plan.WatchdogDrop: "drop", plan.WatchdogAlert: "notify-only"}[w.Action]
	if !ok {
		b.list.Errorf(Watchdog, w.Detection.Why.RangeOr(b.s.Range), "the PFC watchdog of EOS cannot %s the packets of a stuck queue", w.Action).
			Fixf(`set action to "drop" or "alert"`)
	}
	return &watchdogView{seconds(detect, 2), seconds(restore, 2), seconds(poll, 3), action}
}

func (b *builder) timer(what string, from plan.Derived[units.Time], to, low, high units.Time) {
	if from.Value < low || to > high {
		b.list.Errorf(Watchdog, from.Why.RangeOr(b.s.Range), "the watchdog's %s is %s; EOS takes %s to %s", what, from.Value, low, high).Fixf("say a %s from %s to %s", what, low, high)
	} else if from.Value != to {
		b.list.WarnOncef(Rounded, b.s.Range, "the watchdog's %s is %s; EOS takes %s", what, from.Value, to).Fixf("say a %s of %s in the fabric, so that plan and switch agree", what, to)
	}
}

// ceilTime rounds t up to a multiple of step.
func ceilTime(t, step units.Time) units.Time { return (t + step - 1) / step * step }

// seconds prints a time in seconds with the given number of decimals, at most 3.
func seconds(t units.Time, decimals int) string {
	ms := int64(t / units.Millisecond)
	if decimals == 2 {
		return fmt.Sprintf("%d.%02d", ms/1000, ms%1000/10)
	}
	return fmt.Sprintf("%d.%03d", ms/1000, ms%1000)
}

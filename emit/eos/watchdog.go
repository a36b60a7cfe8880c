package eos

import (
	"fmt"

	"github.com/roceplan/roceplan/format"
	row "github.com/roceplan/roceplan/format/eos"
	"github.com/roceplan/roceplan/plan"
	"github.com/roceplan/roceplan/units"
)

// watchdogView has the values of the watchdog's lines; empty: no line, as of a running switch that leaves it to EOS.
type watchdogView struct{ Timeout, Recovery, Polling, Action string }

// watchdog returns the switch's watchdog, nil where there is none.
func (b *builder) watchdog() *watchdogView {
	w := b.s.Watchdog
	if w == nil {
		return nil
	}
	detect, restore, poll := timer(b, row.Detection, w.Detection), timer(b, row.Restoration, w.Restoration), timer(b, row.Poll, w.Poll)
	if half := min(detect, restore) / 2; poll > half && half > 0 {
		b.list.Errorf(Watchdog, w.Poll.Why.RangeOr(b.s.Range), "the watchdog polls every %s, and EOS allows at most half of the shorter of detection and restoration, %s", poll, half).
			Fixf("poll every %s", half/units.Millisecond*units.Millisecond)
	}
	action, ok := map[plan.WatchdogAction]string{plan.WatchdogDrop: "drop", plan.WatchdogAlert: "notify-only", "": ""}[w.Action]
	if !ok {
		b.list.Errorf(Watchdog, w.Detection.Why.RangeOr(b.s.Range), "the PFC watchdog of EOS cannot %s the packets of a stuck queue", w.Action).
			Fixf(`set action to "drop" or "alert"`)
	}
	return &watchdogView{seconds(detect, 2), seconds(restore, 2), seconds(poll, 3), action}
}

// timer returns a time as EOS takes it, 0 where it is left to EOS.
func timer(b *builder, id format.ID, from plan.Derived[units.Time]) units.Time {
	if from.Value == 0 {
		return 0
	}
	return units.Time(row.Of(id).Means(write(b, id, Watchdog, from, b.s.Range)))
}

// seconds prints a time in seconds with the given number of decimals, at most 3; none where it is 0.
func seconds(t units.Time, decimals int) string {
	if t == 0 {
		return ""
	}
	ms := int64(t / units.Millisecond)
	if decimals == 2 {
		return fmt.Sprintf("%d.%02d", ms/1000, ms%1000/10)
	}
	return fmt.Sprintf("%d.%03d", ms/1000, ms%1000)
}

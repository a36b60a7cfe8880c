package junos

import (
	"fmt"
	"strconv"

	"github.com/roceplan/roceplan/emit"
	"github.com/roceplan/roceplan/plan"
	"github.com/roceplan/roceplan/units"
)

// profiles prints a congestion notification profile for each kind of port with PFC.
func (b *builder) profiles() {
	for _, k := range b.kinds {
		if k.QoS().PFC != 0 {
			b.profile(k)
		}
	}
}

func (b *builder) profile(k *emit.Kind) {
	section := b.cos.at("congestion-notification-profile", k.Name)
	if k.QoS().Watchdog && b.s.Watchdog != nil {
		b.watchdog(section.at("pfc-watchdog"), b.s.Watchdog)
	}
	input := section.at("input")
	metres := units.CeilMulDiv(int64(k.First().Cable), 1, int64(units.Metre))
	if metres > 0 {
		input.say("cable-length", number(metres))
	}
	for _, c := range b.losslessClasses() {
		if k.QoS().PFC>>c.PFC&1 == 0 {
			continue
		}
		for _, d := range b.s.Maps.DSCPsOf(c.TrafficClass) {
			b.pause(input.at("dscp", "code-point "+codePoint(d)), k, c)
		}
		section.at("output", "ieee-802.1", fmt.Sprintf("code-point %03b", c.PFC)).say("flow-control-queue", strconv.Itoa(int(c.Queue)))
	}
}

// pause prints what a code point gets that is paused: PFC, the largest frame that the
// headroom has to hold, and how far below the threshold it resumes.
func (b *builder) pause(section *statement, k *emit.Kind, c plan.Class) {
	section.say("pfc")
	if frame := k.First().MTU; frame > 0 {
		section.say("mru", number(frame))
	}
	pg := groupOf(k.QoS(), c.PG)
	if pg == nil {
		return
	}
	b.headroomIsComputed(k, pg)
	if pg.XOn.Value > 0 {
		b.list.WarnOncef(DeviceDecides, pg.XOn.Why.RangeOr(c.Range), "XON at %v is not supported: Junos resumes at a distance below the threshold", pg.XOn.Value)
	}
	if pg.Reserved.Value > 0 {
		b.list.WarnOncef(DeviceDecides, pg.Reserved.Why.RangeOr(c.Range), "the reserve of a priority group, %v, is not written: Junos divides the dedicated buffer itself", pg.Reserved.Value)
	}
	offset := pg.XOnOffset.Value
	if offset == 0 && pg.XOn.Value == 0 {
		b.list.WarnOncef(Threshold, c.Range, "class %q has no XON offset; Junos resumes %d cells below the threshold", c.Name, DefaultXOnCells).Fixf("say an XON offset, so that plan and switch agree")
	}
	if offset > 0 {
		cells := offset.CeilCells(b.box.Cell)
		if units.Bytes(cells)*b.box.Cell != offset {
			b.list.WarnOncef(Rounded, pg.XOnOffset.Why.RangeOr(c.Range), "the XON offset of %v is %d cells of %v on %s", offset, cells, b.box.Cell, b.box.Model).Fixf("say an XON offset of whole cells of %v, so that plan and switch agree", b.box.Cell)
		}
		section.say("xon", number(cells))
	}
}

// headroomIsComputed says that the bytes of the plan do not go into the file.
func (b *builder) headroomIsComputed(k *emit.Kind, pg *plan.PG) {
	if pg.Headroom.Value > 0 {
		b.list.WarnOncef(DeviceDecides, pg.Headroom.Why.RangeOr(k.First().Range), "the headroom of %s, %v, is not written: Junos computes it from the cable, %v, and the largest frame, %v",
			k.Name, pg.Headroom.Value, k.First().Cable, k.First().MTU)
	}
}

func groupOf(qos *plan.PortQoS, id uint8) *plan.PG {
	for i := range qos.PGs {
		if qos.PGs[i].ID == id {
			return &qos.PGs[i]
		}
	}
	return nil
}

// watchdog prints the timers. Detection is a number of polling intervals.
func (b *builder) watchdog(section *statement, w *plan.Watchdog) {
	if w.Action == plan.WatchdogAlert {
		b.list.Errorf(Watchdog, w.Range, "the PFC watchdog of Junos drops or forwards the packets of a stuck queue; it cannot alert alone").
			Fixf(`set action to "drop" or "forward"`)
		return
	}
	poll := w.Poll.Value / units.Millisecond
	if poll < 1 || poll*units.Millisecond != w.Poll.Value || poll > 65535 {
		b.list.Errorf(Watchdog, w.Poll.Why.RangeOr(b.s.Range), "the PFC watchdog polls every %v, and Junos takes whole milliseconds from 1 to 65535", w.Poll.Value).Fixf("say a poll of whole milliseconds from 1ms to 65535ms")
		return
	}
	periods := units.CeilMulDiv(int64(w.Detection.Value), 1, int64(w.Poll.Value))
	if detects := units.Time(periods) * w.Poll.Value; detects != w.Detection.Value {
		b.list.WarnOncef(Rounded, w.Detection.Why.RangeOr(b.s.Range), "the PFC watchdog detects after %v; Junos counts polling intervals, so it is %v", w.Detection.Value, detects).Fixf("say %v in the fabric, so that plan and switch agree", detects)
	}
	recovery := units.CeilMulDiv(int64(w.Restoration.Value), 1, int64(units.Millisecond))
	if recovery < 1 || recovery > 65535 {
		b.list.Errorf(Watchdog, w.Restoration.Why.RangeOr(b.s.Range), "the PFC watchdog restores after %v, and Junos takes 1 to 65535 ms", w.Restoration.Value).Fixf("say a restoration time from 1ms to 65535ms")
		return
	}
	if units.Time(recovery)*units.Millisecond != w.Restoration.Value {
		b.list.WarnOncef(Rounded, w.Restoration.Why.RangeOr(b.s.Range), "the PFC watchdog restores after %v; Junos takes %d ms", w.Restoration.Value, recovery).Fixf("say %dms in the fabric, so that plan and switch agree", recovery)
	}
	section.say("poll-interval", number(poll))
	section.say("detection", number(periods))
	section.say("recovery", number(recovery))
	section.say("watchdog-action", string(w.Action))
}

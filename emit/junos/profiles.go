package junos

import (
	"fmt"

	"github.com/roceplan/roceplan/emit"
	"github.com/roceplan/roceplan/format"
	row "github.com/roceplan/roceplan/format/junos"
	"github.com/roceplan/roceplan/plan"
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
		b.watchdog(section, b.s.Watchdog)
	}
	input := section.at("input")
	if cable := k.First().Cable; cable > 0 {
		section.put(row.Cable, row.Of(row.Cable).Of(int64(cable)))
	}
	for _, c := range b.losslessClasses() {
		if k.QoS().PFC>>c.PFC&1 == 0 {
			if b.s.Maps.PFCToQueue[c.PFC] == c.Queue && b.s.Pinned.Filename != "" { // a running port obeys pauses that it does not send
				section.at("output", "ieee-802.1", fmt.Sprintf("code-point %03b", c.PFC)).put(row.StopQueue, int64(c.Queue))
			}
			continue
		}
		for _, d := range b.s.Maps.DSCPsOf(c.TrafficClass) {
			b.pause(input.at("dscp", "code-point "+codePoint(d)), k, c)
		}
		section.at("output", "ieee-802.1", fmt.Sprintf("code-point %03b", c.PFC)).put(row.StopQueue, int64(c.Queue))
	}
}

// pause prints what a code point gets that is paused: PFC, the largest frame that the
// headroom has to hold, and how far below the threshold it resumes.
func (b *builder) pause(section *statement, k *emit.Kind, c plan.Class) {
	section.say("pfc")
	pg := groupOf(k.QoS(), c.PG)
	frame := k.First().MTU
	if pg != nil && pg.MRU > 0 {
		frame = pg.MRU
	}
	if frame > 0 {
		section.put(row.MRU, int64(frame))
	}
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
		b.list.WarnOncef(Threshold, c.Range, "class %q has no XON offset, and Junos resumes %d cells below the threshold", c.Name, row.Of(row.XOn).Absent).Fixf("declare an XON offset, so that plan and switch agree")
	}
	if offset > 0 {
		cells := write(b, row.XOn, Rounded, Threshold, pg.XOnOffset, c.Range, format.Unit{Name: fmt.Sprintf("whole cells of %v", b.box.Cell), Is: int64(b.box.Cell)})
		section.put(row.XOn, cells)
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
	poll := write(b, row.Poll, Rounded, Watchdog, w.Poll, b.s.Range)
	section.put(row.Poll, poll)
	interval := format.Unit{Name: row.Of(row.Detection).Unit.Name, Is: row.Of(row.Poll).Means(poll)}
	section.put(row.Detection, write(b, row.Detection, Rounded, Watchdog, w.Detection, b.s.Range, interval))
	section.put(row.Recovery, write(b, row.Recovery, Rounded, Watchdog, w.Restoration, b.s.Range))
	section.at("pfc-watchdog").say(row.Of(row.Action).Name(), string(w.Action))
}

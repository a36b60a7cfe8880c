package proof

import (
	"testing"

	"github.com/roceplan/roceplan/chips"
	"github.com/roceplan/roceplan/internal/testing/must"
	"github.com/roceplan/roceplan/model"
	"github.com/roceplan/roceplan/plan"
	"github.com/roceplan/roceplan/units"
)

// A margin ends where something fails, or is asked for that is a quantity: a shorter time, or fewer small packets. How many
// groups are paused at once is the operator's decision.
func TestWhatBreaksAMargin(t *testing.T) {
	for _, c := range []struct {
		conditions []Condition
		want       bool
	}{
		{nil, false}, {[]Condition{{ID: ChipDatum}}, false}, {[]Condition{{ID: ChipDatum, Bound: 1}}, true}, {[]Condition{{ID: PausedGroups, Bound: 5}}, false},
		{[]Condition{{ID: PausedGroups, Bound: 5}, {ID: PacketMix, Bound: 7}}, true}, {[]Condition{{ID: PeerResponse, Bound: 0}}, false},
	} {
		must.Equalf(t, timed(&Obligation{Conditions: c.conditions}), c.want, "%+v:", c.conditions)
	}
	sw := &plan.Switch{}
	s := &margins{chip: &chips.Chip{}}
	_, err := Prove(sw, s.chip, Context{})
	if broken := s.breaks(sw, Context{}); err == nil || broken != err.Error() {
		t.Errorf("%q of a chip without cells, %v", broken, err)
	}
}

// What a report is conditional on is taken for granted; without a model there is nothing.
func TestTrust(t *testing.T) {
	ctx := Context{FanIn: 3}
	if got := ctx.trust(&Report{}); got.trusted != nil || got.FanIn != 3 {
		t.Errorf("%+v", got)
	}
	links := []model.Link{{Response: 5}, {Response: 7}}
	got := ctx.trust(&Report{Model: &model.Switch{Ports: []model.Port{{Name: "a", Link: links[0]}, {Name: "b", Link: links[1]}}}})
	if len(got.trusted) != 2 || got.trusted["a"] != links[0] || got.trusted["b"] != links[1] || got.FanIn != 3 || ctx.trusted != nil {
		t.Errorf("%+v", got)
	}
}

// What changes of ports: with what is declared of them beside the plan, and the plan stays as it is.
func TestChangedPorts(t *testing.T) {
	frame := plan.Of(units.Bytes(500), nil)
	s := &margins{
		sw:  &plan.Switch{Ports: []plan.Port{{Name: "a", Group: "g", Cable: 5, MTU: 1000}, {Name: "b", Group: "h", Cable: 5, MTU: 1000}, {Name: "c", Group: "g", Cable: 6, MTU: 1000}, {Name: "d", Cable: 5}}},
		ctx: Context{FanIn: 9, Default: &plan.Assumed{LosslessFrame: frame}},
	}
	sw, ctx := s.cables(alike{"g", 5})(7)
	if ctx.FanIn != 9 || sw.Ports[0].Cable != 7*units.Metre || sw.Ports[1].Cable != 5 || sw.Ports[2].Cable != 6 || sw.Ports[3].Cable != 5 || sw.Ports[0].Assumed.LosslessFrame != frame || sw.Ports[1].Assumed != nil {
		t.Errorf("%+v", sw.Ports)
	}
	for n, want := range map[int64][2]units.Bytes{2000: {2000, 1000}, 64: {64, 64}, 63: {64, 64}, 0: {64, 64}} {
		sw, ctx = s.frames(alike{"g", 5})(n)
		if ctx.FanIn != 9 || sw.Ports[0].MTU != want[0] || sw.Ports[0].Assumed.LosslessFrame.Value != want[1] || sw.Ports[1].MTU != 1000 || sw.Ports[2].MTU != 1000 {
			t.Errorf("%d: %+v", n, sw.Ports)
		}
	}
	if sw, ctx = s.senders(4); sw != s.sw || ctx.FanIn != 4 || s.ctx.FanIn != 9 {
		t.Errorf("%d senders", ctx.FanIn)
	}
	if sw, ctx = s.classes(2); ctx.FanIn != 9 || len(sw.Ports) != 4 {
		t.Errorf("%+v", sw)
	}
	if p := s.sw.Ports[0]; p.Cable != 5 || p.MTU != 1000 || p.Assumed != nil {
		t.Errorf("the plan has changed: %+v", p)
	}
	if !(alike{"d", 5}).has(&s.sw.Ports[3]) || (alike{"d", 6}).has(&s.sw.Ports[3]) || (alike{"g", 5}).has(&s.sw.Ports[3]) {
		t.Error("a port without a group is not called by its name")
	}
}

// Of lossless groups alone headroom is made room for, if only a byte of it is in a pool. Each class is like the first lossless
// group, with the first queue that it feeds; without such a queue it has none.
func TestMoreGroups(t *testing.T) {
	bytes := func(n units.Bytes) plan.Derived[units.Bytes] { return plan.Of(n, nil) }
	qos := &plan.PortQoS{
		PFC: 1<<4 | 1<<5, TCToQueue: &plan.QueueMap{},
		PGs:    []plan.PG{{ID: 0, Headroom: bytes(7)}, {ID: 4, Lossless: true, Headroom: bytes(100)}, {ID: 5, Lossless: true, Headroom: bytes(5)}},
		Queues: []plan.Queue{{ID: 1, Limit: plan.Of(plan.Limit{Static: 1}, nil)}, {ID: 2, Limit: plan.Of(plan.Limit{Static: 2}, nil)}},
	}
	must.Equalf(t, headroomOf(qos), 105, "B:")
	s := &margins{chip: &chips.Chip{}, sw: &plan.Switch{Maps: plan.Maps{TCToPG: [8]uint8{3: 4, 6: 5}}, Ports: []plan.Port{{QoS: qos}}, Pools: []plan.Pool{{Headroom: bytes(1)}}}}
	qos.TCToQueue.To[3], qos.TCToQueue.To[6] = 2, 1
	own := s.multiplied(qos, 3)
	if len(own.PGs) != 3 || len(own.Queues) != 3 || own.PFC != 7 || own.TCToQueue != nil {
		t.Fatalf("%+v", own)
	}
	for i := range own.PGs {
		if own.PGs[i].ID != uint8(i) || own.PGs[i].Headroom.Value != 100 || own.Queues[i].ID != uint8(i) || own.Queues[i].Limit.Value.Static != 2 {
			t.Errorf("%+v", own)
		}
	}
	qos.TCToQueue.To[3] = 7 // which is none of the queues
	if own = s.multiplied(qos, 3); len(own.PGs) != 3 || own.Queues != nil {
		t.Errorf("%+v", own)
	}
	if own = s.multiplied(&plan.PortQoS{PFC: 8, PGs: qos.PGs[:1], Queues: qos.Queues}, 3); own.PGs != nil || own.Queues != nil || own.PFC != 0 {
		t.Errorf("%+v", own)
	}
	if sw := s.withClasses(3); sw.Pools[0].Headroom.Value != 1+3*100-105 || sw.Maps != (plan.Maps{}) || len(qos.PGs) != 3 {
		t.Errorf("%+v", sw)
	}
}

// A group feeds the queues of the classes that lie in it; without maps that of its own number.
func TestRouted(t *testing.T) {
	maps := plan.Maps{TCToPG: [8]uint8{1, 2, 2, 3, 4, 4, 4, 4}, TCToQueue: [8]uint8{5, 6, 7, 1, 0, 0, 0, 0}}
	for _, c := range []struct {
		maps      plan.Maps
		own       *plan.QueueMap
		pg, queue uint8
		want      bool
	}{
		{maps, nil, 1, 5, true}, {maps, nil, 2, 6, true}, {maps, nil, 2, 7, true}, {maps, nil, 2, 5, false}, {maps, nil, 1, 6, false}, {maps, nil, 3, 3, false}, {maps, nil, 5, 5, false}, {maps, nil, 4, 0, true},
		{maps, &plan.QueueMap{To: [8]uint8{2}}, 1, 5, false}, {maps, &plan.QueueMap{To: [8]uint8{2}}, 1, 2, true}, {plan.Maps{}, nil, 3, 3, true}, {plan.Maps{}, nil, 3, 4, false}, {plan.Maps{}, nil, 0, 0, true},
	} {
		must.Equalf(t, routed(&plan.Switch{Maps: c.maps}, &plan.PortQoS{TCToQueue: c.own}, c.pg, c.queue), c.want, "group %d, queue %d:", c.pg, c.queue)
	}
}

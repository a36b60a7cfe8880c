package sonic

import (
	"fmt"
	"maps"
	"slices"
	"strconv"

	schema "github.com/roceplan/roceplan/format/sonic"
	"github.com/roceplan/roceplan/internal/natural"
	"github.com/roceplan/roceplan/plan"
)

// A scheduler is a row of SCHEDULER.
type scheduler struct {
	strict bool
	weight int64
	cap    int64 // bytes per second; 0: none
}

// A wred is a row of WRED_PROFILE; probability in percent.
type wred struct{ kmin, kmax, probability int64 }

// sending names the scheduler and the marking curve of a queue.
func (e *emitter) sending(q *plan.Queue) sending {
	row := sending{id: strconv.Itoa(int(q.ID))}
	s := scheduler{q.Scheduler.Strict, q.Scheduler.Weight.Value, schema.Of(schema.MaxRate).Fit(int64(q.Scheduler.MaxRate.Value))}
	if s != (scheduler{}) {
		row.scheduler = s.name()
		e.schedulers[row.scheduler] = s
	}
	if q.ECN != nil {
		curve := wred{int64(q.ECN.KMin.Value), int64(q.ECN.KMax.Value), 0}
		if q.ECN.PMax.Value != 0 {
			curve.probability = schema.Of(schema.Probability).Fit(int64(q.ECN.PMax.Value))
		}
		row.wred = curve.name()
		e.curves[row.wred] = curve
	}
	return row
}

// name returns the content: two queues with one scheduler share the row.
func (s scheduler) name() string {
	name := fmt.Sprintf("scheduler.dwrr.%d", s.weight)
	if s.strict {
		name = "scheduler.strict"
	}
	if s.cap != 0 {
		name += fmt.Sprintf(".%d", s.cap)
	}
	return name
}

func (c wred) name() string { return fmt.Sprintf("ECN_%d_%d_%d", c.kmin, c.kmax, c.probability) }

// writeSchedulers prints SCHEDULER. The YANG model requires a cir with a pir. On a strict queue,
// which is served first in any case, it may be the cap itself; to a weighted queue it would be a
// guarantee that the plan does not ask for, so there it is the least that the model takes.
func (e *emitter) writeSchedulers() {
	e.w.startTable(schema.TableScheduler)
	for _, name := range slices.SortedFunc(maps.Keys(e.schedulers), natural.Compare) {
		s := e.schedulers[name]
		e.w.startRow(name)
		if s.cap != 0 {
			committed := int64(1)
			if s.strict {
				committed = s.cap
			}
			e.w.number("cir", committed)
			e.w.text("meter_type", "bytes")
			e.w.number("pir", s.cap)
		}
		if s.strict {
			e.w.text("type", schema.Strict)
			continue
		}
		e.w.text("type", schema.DWRR)
		e.w.number("weight", s.weight) // none is refused: see checkQueue
	}
}

// writeCurves prints WRED_PROFILE. One curve marks whatever can be marked: the three colours are
// set by policers, and nothing here polices.
func (e *emitter) writeCurves() {
	colours := [...]string{"green", "red", "yellow"}
	e.w.startTable(schema.TableWREDProfile)
	for _, name := range slices.SortedFunc(maps.Keys(e.curves), natural.Compare) {
		c := e.curves[name]
		e.w.startRow(name)
		e.w.text("ecn", "ecn_all")
		e.writeColour("green", c)
		e.writeColour("red", c)
		for _, colour := range colours {
			e.w.text("wred_"+colour+"_enable", "true")
		}
		e.writeColour("yellow", c)
	}
}

func (e *emitter) writeColour(colour string, c wred) {
	e.w.number(colour+"_drop_probability", c.probability)
	e.w.number(colour+"_max_threshold", c.kmax)
	e.w.number(colour+"_min_threshold", c.kmin)
}

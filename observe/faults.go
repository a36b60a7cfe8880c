package observe

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/roceplan/roceplan/diag"
	"github.com/roceplan/roceplan/internal/natural"
	"github.com/roceplan/roceplan/internal/plain"
	"github.com/roceplan/roceplan/internal/stable"
)

// A Fault is what a conclusion says is wrong, or a finding about what a device sent. It is the same
// fault as long as code, device and object are, whatever its numbers.
type Fault struct {
	Code       diag.Code
	Device     string // empty where it is of none
	Port       string // empty where it is of none
	Object     string
	Assumption Assumption
	Severity   diag.Severity
	Message    string

	rests []target // on these counters
}

// Faults returns the conclusions as faults.
func (r *Report) Faults() []Fault {
	list := make([]Fault, 0, len(r.Conclusions))
	for _, k := range r.Conclusions {
		f := Fault{Code: k.Code, Device: k.Device, Port: k.Port, Object: k.Object, Assumption: k.Assumption, Severity: k.severity, Message: k.Message}
		for _, e := range k.Evidence {
			f.rests = append(f.rests, e.of)
		}
		list = append(list, f)
	}
	return list
}

// Change is what became of a fault.
type Change string

const (
	Raised  Change = "raised"  // it was not there before, or had been cleared
	Changed Change = "changed" // another assumption is to blame, or it weighs more or less
	Cleared Change = "cleared" // what it rests on was read again, and it is not there
)

// An Event is a change of a fault.
type Event struct {
	Change Change
	Fault  Fault
	Times  int           // that it was raised
	Lasted time.Duration // of Cleared: since it was raised
}

// String is one line without control characters, whatever a device has sent.
func (e Event) String() string {
	f := e.Fault
	text := fmt.Sprintf("%s %v[%s]", e.Change, f.Severity, f.Code)
	if e.Change == Raised && e.Times > 1 {
		text = fmt.Sprintf("raised again (%d times) %v[%s]", e.Times, f.Severity, f.Code)
	}
	if at := strings.TrimSpace(f.Device + " " + f.Object); at != "" {
		text += " " + at
	}
	if e.Change == Cleared {
		return plain.Line(fmt.Sprintf("%s after %v", text, e.Lasted.Round(time.Second)))
	}
	return plain.Line(text + ": " + f.Message)
}

// A Log follows faults through their lives. A fault is not cleared because it is not known any
// more: it stays until the counters that it rests on are read again, or, where it rests on none,
// until its device answers.
type Log struct{ lives map[faultKey]*life }

type faultKey struct {
	code           diag.Code
	device, object string
}

type life struct {
	fault  Fault
	raised bool
	since  time.Time
	times  int
	blamed map[Assumption]bool // while it was an error
}

// NewLog follows faults from now on.
func NewLog() *Log { return &Log{map[faultKey]*life{}} }

// Update takes what is wrong now, with the report that it was concluded in and the devices that did
// not answer. It returns what changed, in the order of devices, objects and codes.
func (l *Log) Update(now time.Time, faults []Fault, r *Report, silent []string) []Event {
	var events []Event
	seen := map[faultKey]bool{}
	for _, f := range faults {
		key := faultKey{f.Code, f.Device, f.Object}
		if !seen[key] { // of several the first, which is the gravest
			seen[key] = true
			events = append(events, l.is(now, key, f)...)
		}
	}
	for _, gone := range l.vanished(seen, r, silent) {
		gone.raised = false
		events = append(events, Event{Cleared, gone.fault, gone.times, now.Sub(gone.since)})
	}
	stable.Sort(events, func(a, b Event) int {
		return cmp.Or(natural.Compare(a.Fault.Device, b.Fault.Device), natural.Compare(a.Fault.Object, b.Fault.Object), cmp.Compare(a.Fault.Code, b.Fault.Code))
	})
	return events
}

// is takes a fault that is there.
func (l *Log) is(now time.Time, key faultKey, f Fault) []Event {
	have := l.lives[key]
	if have == nil {
		have = &life{blamed: map[Assumption]bool{}}
		l.lives[key] = have
	}
	before := have.fault
	have.fault = f
	if f.Severity == diag.Error {
		have.blamed[f.Assumption] = true
	}
	switch {
	case !have.raised:
		have.raised, have.since = true, now
		have.times++
		return []Event{{Raised, f, have.times, 0}}
	case f.Assumption != before.Assumption || f.Severity != before.Severity:
		return []Event{{Changed, f, have.times, 0}}
	}
	return nil
}

// vanished are faults that are not there any more, though everything was read that would show them.
func (l *Log) vanished(seen map[faultKey]bool, r *Report, silent []string) map[faultKey]*life {
	gone, missing := map[faultKey]*life{}, map[target]bool{}
	for key, have := range l.lives {
		if have.raised && !seen[key] {
			gone[key] = have
			for _, t := range have.fault.rests {
				missing[t] = true
			}
		}
	}
	if len(gone) == 0 {
		return gone
	}
	for _, row := range r.rows {
		delete(missing, target{row.Device, row.Object, row.Counter})
	}
	mute := map[string]bool{}
	for _, device := range silent {
		mute[spelling(device)] = true
	}
	maps.DeleteFunc(gone, func(_ faultKey, have *life) bool {
		if len(have.fault.rests) == 0 {
			return mute[spelling(have.fault.Device)]
		}
		return slices.ContainsFunc(have.fault.rests, func(t target) bool { return missing[t] })
	})
	return gone
}

// at counts the faults that are raised by device, port and code, as labels of a metric. A fault
// that was raised earlier and is not now counts as 0, so that a metric falls and does not vanish.
func (l *Log) at() map[string]int {
	counts := map[string]int{}
	for _, have := range l.lives {
		counts[labels("device", have.fault.Device, "port", have.fault.Port, "fault", string(have.fault.Code))] += have.one()
	}
	return counts
}

// contradictions counts the errors that are raised by device and assumption, likewise.
func (l *Log) contradictions() map[string]int {
	counts := map[string]int{}
	for _, have := range l.lives {
		for assumption := range have.blamed {
			counts[labels("device", have.fault.Device, "assumption", string(assumption))] += 0
		}
		if have.fault.Severity == diag.Error {
			counts[labels("device", have.fault.Device, "assumption", string(have.fault.Assumption))] += have.one()
		}
	}
	return counts
}

func (h *life) one() int {
	if h.raised {
		return 1
	}
	return 0
}

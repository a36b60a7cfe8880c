package apply

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/roceplan/roceplan/internal/parallel"
	"github.com/roceplan/roceplan/observe/live"
	"github.com/roceplan/roceplan/patch"
	"github.com/roceplan/roceplan/plan"
)

// Options are the parameters of a run besides the rollout.
type Options struct {
	// Addresses are the management addresses of devices, by name. Those that the system does not use are ignored.
	Addresses map[string][]*live.Address
	Journal   *Journal // nil: nothing can be sent
	Only      []string // devices that may be changed; none: all
	Until     string   // the last step; empty: all steps
	Waves     int      // the number of waves to carry out; 0: all
	Soak      time.Duration
	// Hold is the time for which a device waits for a confirm before it takes a change back. It is
	// longer than Soak.
	Hold time.Duration
	// Answer is the time that a device may take to answer, Restart to come back after the
	// connection is lost, and Work to make a change.
	Answer, Restart, Work time.Duration
	// Pairs is the time to wait for queue pairs that keep the ToS from before a change.
	Pairs time.Duration
	// Hand asks whether a step by hand is done.
	Hand func(Step) bool
	// Watch returns what is wrong with devices while a change soaks; nil: the time passes without a look.
	Watch func(ctx context.Context, devices []string) error
	// Drainer drains devices; nil: no work needs that.
	Drainer *Drainer
	// Judge judges states between the parts of a change on SONiC; nil: only what needs no model is
	// judged.
	Judge func(to *plan.Switch, device string) patch.Judge
	// Say reports progress, one call at a time.
	Say func(step, device, what string)
}

// A Class says which of its states a device runs.
type Class string

const (
	Old     Class = "old"      // it runs its first state
	New     Class = "new"      // it runs its last state
	Fresh   Class = "fresh"    // it is a new switch, which is installed
	PartWay Class = "part-way" // it runs a state between, or part of a change that the journal has
	Drifted Class = "drifted"  // it runs none of its states
	Unknown Class = "unknown"  // it could not be read
)

// A Standing is the state of a device in a rollout.
type Standing struct {
	Device string   `json:"device"`
	Class  Class    `json:"class"`
	At     int      `json:"at"` // the state that it runs; -1: none
	States int      `json:"states"`
	Step   string   `json:"step,omitempty"`  // of a device that is part-way: the last step that it has, or has part of
	Lines  []string `json:"lines,omitempty"` // of a drifted device: where it differs from the nearest state
	Why    string   `json:"why,omitempty"`   // of an unknown one
	Lost   []string `json:"lost,omitempty"`  // its settings that roceplan does not write, so that there is no way back to them

	most int // the last state that reads like the one that it runs
}

// A run is a rollout that is carried out.
type run struct {
	Options
	*Rollout
	reader
	said  sync.Mutex
	lock  sync.Mutex
	at    map[string]*Standing
	waves int
}

func newRun(r *Rollout, o Options) *run {
	x := &run{Options: o, Rollout: r, reader: newReader(), at: map[string]*Standing{}}
	x.reader.read = r.Read
	return x
}

// Refused lists the devices that cannot be changed, each with the reason: their system is not
// supported, or they have no address of the kind that it needs.
func Refused(r *Rollout, addresses map[string][]*live.Address) (all []string) {
	for _, device := range r.Devices() {
		for _, sw := range r.States[device] { // a server has an address
			s, ok := systems[systemOf(sw)]
			switch {
			case !ok:
				all = append(all, fmt.Sprintf("%s: apply does not support %s yet; it supports %v", device, systemOf(sw), Systems()))
			case s.address(addresses[device]) == nil:
				all = append(all, fmt.Sprintf("%[1]s has no address for %[2]s: add a line such as %[1]s=%[3]s", device, systemOf(sw), s.example(device)))
			default:
				continue
			}
			break
		}
	}
	return all
}

// example returns an address that a device may have. gNMI has no usual port.
func (s *system) example(device string) string {
	if s.scheme == live.GNMI {
		device += ":PORT"
	}
	return s.scheme + "://admin@" + device
}

// address returns the one that a system is reached by, nil where there is none.
func (s *system) address(all []*live.Address) *live.Address {
	for _, a := range all {
		if a.Scheme() == s.scheme || s.scheme == live.GNMI && a.Scheme() == live.GNMIPlain {
			return a
		}
	}
	return nil
}

// ChangedAt reports whether a device is changed at an address, such as one of gNMI. Counters are not
// read there.
func ChangedAt(r *Rollout, a *live.Address) bool {
	states := r.States[a.Device]
	if len(states) == 0 {
		return false
	}
	s := systems[systemOf(states[0])]
	return s != nil && s.address([]*live.Address{a}) != nil
}

// Survey reads what all devices run and returns the state of each.
func Survey(ctx context.Context, r *Rollout, o Options) ([]*Standing, error) {
	if o.Journal != nil {
		if err := o.Journal.fits(r); err != nil {
			return nil, err
		}
	}
	return newRun(r, o).survey(ctx)
}

// atOnce is the number of devices that are read or changed at a time: a choice that bounds open connections.
const atOnce = 32

func (x *run) survey(ctx context.Context) ([]*Standing, error) {
	devices := x.Devices()
	all := make([]*Standing, len(devices))
	err := parallel.Each(ctx, atOnce, len(devices), func(i int) error {
		all[i] = x.standing(ctx, devices[i])
		return nil
	})
	for _, s := range all {
		if s != nil {
			x.at[s.Device] = s
		}
	}
	return all, err
}

// standing reads a device and finds which of its states it runs.
func (x *run) standing(ctx context.Context, device string) *Standing {
	s := &Standing{Device: device, Class: Unknown, At: -1, most: -1, States: x.count(device)}
	var text []byte
	err := x.over(ctx, device)
	if err == nil {
		text, err = x.read(ctx, device)
	}
	if err != nil {
		s.Why = err.Error()
		return s
	}
	var alike []int
	for i := range s.States {
		lines, err := x.differs(device, i, text)
		if err != nil {
			s.Why = err.Error()
			return s
		}
		if len(lines) == 0 {
			alike = append(alike, i)
		}
		if s.Lines == nil || len(lines) < len(s.Lines) {
			s.Lines = lines
		}
	}
	if alike != nil {
		s.At, s.Lines, s.most = x.which(device, alike), nil, alike[len(alike)-1]
		if s.Class = classOf(s.At, s.States); s.Class == PartWay {
			s.Step = x.last(device, s.At)
		}
		return s
	}
	s.Class = Drifted
	if e := x.unsettled(device); e != nil {
		s.Class, s.Step = PartWay, e.Step
	}
	return s
}

// which chooses among states that readers do not distinguish, such as two names for the same settings
// of ports. SONiC is changed from what runs, so the last will do. Other systems are sent what differs
// between two states, so the one in the journal counts, and else the first.
func (x *run) which(device string, alike []int) int {
	if x.systemOf(device).back == nil {
		return alike[len(alike)-1]
	}
	if x.Journal != nil {
		open, ended, end := x.Journal.changes(device)
		if ended != nil {
			state := ended.From
			if end.Event == Kept {
				state = ended.To
			}
			if state = x.numbered(ended, state); slices.Contains(alike, state) {
				return state
			}
		}
		if open != nil && slices.Contains(alike, x.numbered(open, open.To)) {
			return x.numbered(open, open.To)
		}
	}
	return alike[0]
}

// numbered returns a state of an entry in the numbers of this way. The other way counts from the other end.
func (x *run) numbered(e *Entry, state int) int {
	if x.wanted(e) {
		return state
	}
	return x.count(e.Device) - 1 - state
}

func classOf(state, states int) Class {
	switch state {
	case states - 1:
		return New
	case 0:
		return Old
	}
	return PartWay
}

// last returns the step that leaves a device in one of its states.
func (r *Rollout) last(device string, state int) string {
	for _, step := range r.Steps {
		if slices.ContainsFunc(step.Works, func(w Work) bool { return w.Device == device && w.To == state }) {
			return step.Name
		}
	}
	return ""
}

// unsettled returns the change of a device that is neither kept nor taken back.
func (x *run) unsettled(device string) *Entry {
	if x.Journal == nil {
		return nil
	}
	open, _, _ := x.Journal.changes(device)
	return open
}

// read opens a connection, reads what runs, and closes it.
func (x *run) read(ctx context.Context, device string) (text []byte, err error) {
	err = x.with(ctx, device, func(l link) error {
		text, err = x.pull(ctx, device, l)
		return err
	})
	return text, err
}

// with opens a connection for as long as something needs it.
func (x *run) with(ctx context.Context, device string, do func(link) error) error {
	s := x.systemOf(device)
	a := s.address(x.Addresses[device])
	l, err := s.open(ctx, a)
	if err != nil && !errors.Is(err, errLost) {
		err = fmt.Errorf("%w: %w", errLost, err)
	}
	if err != nil {
		return a.Hide(err)
	}
	defer l.Close()
	return a.Hide(do(l))
}

func (x *run) systemOf(device string) *system {
	if x.NICs[device] != nil {
		return server
	}
	return systems[systemOf(x.States[device][0])]
}

// differs lists where the configuration of a device differs from one of its states.
func (x *run) differs(device string, state int, text []byte) ([]string, error) {
	if nics := x.NICs[device]; nics != nil {
		return differsNIC(nics[state], state, text), nil
	}
	return x.differences(x.States[device], state, device, text)
}

// pull reads what runs over a connection.
func (x *run) pull(ctx context.Context, device string, l link) ([]byte, error) {
	ctx, stop := context.WithTimeout(ctx, x.Answer)
	defer stop()
	if nics := x.NICs[device]; nics != nil {
		return l.ask(ctx, pullNICs(nics, x.interfaces(device)))
	}
	return l.ask(ctx, x.systemOf(device).pull)
}

// mayChange reports whether a device is one of those that the call names.
func (x *run) mayChange(device string) bool {
	return len(x.Only) == 0 || slices.Contains(x.Only, device)
}

func (x *run) say(step, device, what string) {
	x.said.Lock()
	defer x.said.Unlock()
	if x.Say != nil {
		x.Say(step, device, what)
	}
}

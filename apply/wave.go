package apply

import (
	"cmp"
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"regexp"
	"time"

	"github.com/roceplan/roceplan/diff"
	"github.com/roceplan/roceplan/internal/parallel"
	"github.com/roceplan/roceplan/patch"
	"github.com/roceplan/roceplan/plan"
)

// wave changes devices at the same time, waits, and keeps the changes, or takes all of them back.
func (x *run) wave(ctx context.Context, step *Step, works []Work) error {
	err := x.drain(ctx, step.Name, works)
	if err == nil {
		err = each(ctx, works, func(w Work) error { return x.change(ctx, step.Name, w) })
	}
	if err == nil {
		err = x.soak(ctx, step.Name, works)
	}
	if err != nil {
		err = x.backAll(ctx, step, works, err)
	} else {
		err = each(ctx, works, func(w Work) error { return x.confirm(ctx, step.Name, w) })
	}
	if ctx.Err() != nil || x.Journal.failed != nil {
		return err // the next run goes on
	}
	return cmp.Or(err, x.restore(ctx, step.Name, devicesOf(works)))
}

// each calls do for all elements of a list, several at a time, and returns the error of the first that has one.
func each[T any](ctx context.Context, list []T, do func(T) error) error {
	failed := make([]error, len(list))
	if err := parallel.Each(ctx, atOnce, len(list), func(i int) error {
		failed[i] = do(list[i])
		return nil
	}); err != nil {
		return err
	}
	return cmp.Or(failed...)
}

// backAll takes the changes of a wave back, and returns why. That a device could not be taken back
// counts more.
func (x *run) backAll(ctx context.Context, step *Step, works []Work, why error) error {
	if ctx.Err() != nil || x.Journal.failed != nil {
		return why // the next run goes on
	}
	err := each(ctx, works, func(w Work) error {
		if e := x.unsettled(w.Device); e != nil {
			err := x.takeBack(ctx, step.Name, w.Device, e, false)
			if errors.Is(err, errStays) {
				return &Stop{step.Name, w.Device, "its change was confirmed by someone else, and it cannot be taken back: " + why.Error(), again}
			}
			return err
		}
		return nil
	})
	if err != nil {
		return err
	}
	var stop *Stop
	if errors.As(why, &stop) {
		return stop
	}
	return &Stop{step.Name, "", "the devices of this wave are as before: " + why.Error(), again}
}

// change brings a device to the state after a work, as yet without keeping it.
func (x *run) change(ctx context.Context, step string, w Work) error {
	var c *change
	err := x.with(ctx, w.Device, func(l link) error {
		text, err := x.pull(ctx, w.Device, l)
		if err != nil {
			return err
		}
		if sent, err := x.sent(w, text); err != nil || sent {
			return err
		}
		if c, err = x.prepare(ctx, step, w, text); err != nil {
			return err
		}
		now, err := x.pull(ctx, w.Device, l)
		if err == nil && string(now) != string(text) {
			err = &Stop{step, w.Device, "its configuration changed between reading and sending", again}
		}
		if err != nil {
			err = errors.Join(err, x.Journal.Add(Entry{Event: Back, Rollout: x.Name, Step: step, Device: w.Device, Change: c.ID, Why: "nothing was sent"}))
			c = nil // else a device that reads alike before and after would count as changed
			return err
		}
		x.say(step, w.Device, "sending")
		return x.send(ctx, l, w.Device, c)
	})
	var stop *Stop
	switch {
	case errors.As(err, &stop):
		return stop
	case err != nil && c == nil:
		return &Stop{step, w.Device, "nothing was sent: " + err.Error(), again}
	}
	return x.check(ctx, step, w, c, err)
}

// sent reports whether an earlier run has sent a change: the device is in the state after it, and not
// in the state before it.
func (x *run) sent(w Work, text []byte) (bool, error) {
	there, err := x.differs(w.Device, w.To, text)
	if err != nil || len(there) > 0 {
		return false, err
	}
	before, err := x.differs(w.Device, w.From, text)
	return len(before) > 0 || x.systemOf(w.Device).back == nil || x.unsettled(w.Device) != nil, err
}

// prepare makes a change, and writes it with its way back into the journal.
func (x *run) prepare(ctx context.Context, step string, w Work, running []byte) (*change, error) {
	// Where a system does not make a change as a whole, part of it may be there.
	goesOn := x.systemOf(w.Device).back == nil && x.unsettled(w.Device) != nil
	lines, err := x.differs(w.Device, w.From, running)
	if err != nil || len(lines) > 0 && !goesOn {
		if err == nil {
			err = &Stop{step, w.Device, "it is not in the state before the step: " + diff.FirstFew(lines), addOrRemove}
		}
		return nil, err
	}
	list, err := x.files(w.Device, w.From, w.To, running)
	if err != nil {
		return nil, err
	}
	pairs, err := x.pairsBefore(ctx, step, w.Device, len(lines) == 0)
	if err != nil {
		return nil, err
	}
	return x.note(step, w, running, list, pairs)
}

// files returns the files that lead a device from one of its states to another, and back.
func (x *run) files(device string, from, to int, running []byte) ([]File, error) {
	if nics := x.NICs[device]; nics != nil {
		return nicFiles(nics[from], nics[to], server.address(x.Addresses[device])), nil
	}
	return files(x.States[device], from, to, device, running, x.judge(device), x.Journal.drained(device))
}

func (x *run) judge(device string) func(*plan.Switch) patch.Judge {
	return func(to *plan.Switch) patch.Judge {
		if x.Judge == nil {
			return nil
		}
		return x.Judge(to, device)
	}
}

// note writes a change into the journal.
func (x *run) note(step string, w Work, running []byte, list []File, pairs []string) (*change, error) {
	sum := sha256.Sum256(running)
	c := &change{ID: newID(), Running: running, Minutes: minutes(x.Hold), Files: list}
	return c, x.Journal.Add(Entry{Event: Sending, Rollout: x.Name, Step: step, Device: w.Device, Change: c.ID, Running: hex.EncodeToString(sum[:]), From: w.From, To: w.To, Files: list, Pairs: pairs})
}

// newID returns an ID that no other change of a device has.
func newID() string {
	var b [5]byte
	rand.Read(b[:])
	return "roceplan-" + hex.EncodeToString(b[:])
}

var isID = regexp.MustCompile(`^roceplan-[0-9a-f]{10}$`)

// minutes are whole ones, rounded up.
func minutes(d time.Duration) int { return int((d + time.Minute - 1) / time.Minute) }

// send sends a change.
func (x *run) send(ctx context.Context, l link, device string, c *change) error {
	s := x.systemOf(device)
	err := x.ask(ctx, l, s.send(c), x.Work)
	var refused *Refusal
	if errors.As(err, &refused) && s.drop != nil {
		if dropped := x.ask(ctx, l, s.drop(c), x.Answer); dropped != nil && !errors.As(dropped, new(*Refusal)) {
			return dropped
		}
	}
	return err
}

// ask sends messages up to the first that fails.
func (x *run) ask(ctx context.Context, l link, all []message, patience time.Duration) error {
	for _, m := range all {
		ctx, stop := context.WithTimeout(ctx, patience)
		_, err := l.ask(ctx, m)
		stop()
		if err != nil {
			return err
		}
	}
	return nil
}

// check reads a device back after a change. sent is the error of sending it, or nil. Either way,
// what the device runs counts.
func (x *run) check(ctx context.Context, step string, w Work, c *change, sent error) error {
	var text []byte
	var err error
	if errors.Is(sent, errLost) {
		err = x.patiently(ctx, func() error { return x.over(ctx, w.Device) })
	}
	if err == nil {
		text, err = x.reread(ctx, w.Device)
	}
	if err != nil {
		return &Stop{step, w.Device, fmt.Sprintf("the change %s was sent to it, but it can no longer be read: %v", c.id(), err), "make sure that it answers, and run again: the journal has the way back"}
	}
	lines, err := x.differs(w.Device, w.To, text)
	switch {
	case err != nil:
		return &Stop{step, w.Device, "it cannot be read back: " + err.Error(), again}
	case len(lines) == 0 && !errors.As(sent, new(*Refusal)):
		if err := x.notePairs(ctx, step, w.Device, nil); err != nil {
			return fmt.Errorf("%s: %w", w.Device, err)
		}
		x.set(w.Device, w.To)
		x.say(step, w.Device, "read back: as planned")
		return x.Journal.Add(Entry{Event: There, Rollout: x.Name, Step: step, Device: w.Device, Change: c.id()})
	case sent != nil:
		return fmt.Errorf("%s: %w", w.Device, sent)
	}
	return fmt.Errorf("%s: it accepted the change, but does not run the planned configuration: %s", w.Device, diff.FirstFew(lines))
}

// id is empty where nothing was sent.
func (c *change) id() string {
	if c == nil {
		return ""
	}
	return c.ID
}

func (x *run) set(device string, at int) {
	x.lock.Lock()
	defer x.lock.Unlock()
	s := x.at[device]
	s.At, s.most, s.Class, s.Lines = at, at, classOf(at, s.States), nil
}

// over makes sure that the unsettled change of a device is no longer being made.
func (x *run) over(ctx context.Context, device string) error {
	s, e := x.systemOf(device), x.unsettled(device)
	if s.over == nil || e == nil {
		return nil
	}
	return x.with(ctx, device, func(l link) error { return x.ask(ctx, l, []message{s.over(e.Change)}, x.Work) })
}

// reread reads a device that may be restarting.
func (x *run) reread(ctx context.Context, device string) (text []byte, err error) {
	err = x.patiently(ctx, func() (err error) {
		text, err = x.read(ctx, device)
		return err
	})
	return text, err
}

// patiently calls do until it succeeds, as long as a restart may take.
func (x *run) patiently(ctx context.Context, do func() error) error {
	const pause = time.Second
	for start := time.Now(); ; {
		if err := do(); err == nil || time.Since(start) > x.Restart || ctx.Err() != nil {
			return err
		}
		select {
		case <-ctx.Done():
		case <-time.After(min(pause, x.Restart/4)):
		}
	}
}

// soak waits while the devices are watched.
func (x *run) soak(ctx context.Context, step string, works []Work) error {
	if x.Soak <= 0 {
		return nil
	}
	x.say(step, "", fmt.Sprintf("soaking for %v", x.Soak))
	if x.Watch != nil {
		return x.Watch(ctx, devicesOf(works))
	}
	select {
	case <-ctx.Done():
		return context.Cause(ctx)
	case <-time.After(x.Soak):
		return nil
	}
}

// confirm keeps the change of a device.
func (x *run) confirm(ctx context.Context, step string, w Work) error {
	e := x.unsettled(w.Device)
	if e == nil {
		return nil // it was there before this run, and kept
	}
	c := &change{ID: e.Change, Files: e.Files, Minutes: minutes(x.Hold)}
	s := x.systemOf(w.Device)
	for try := 0; ; try++ {
		if err := x.stillThere(ctx, step, w); err != nil {
			return err
		}
		waited := false
		err := x.with(ctx, w.Device, func(l link) (err error) {
			waited, err = x.keep(ctx, l, s, c)
			return err
		})
		if err == nil && s.confirm != nil && (s.waits == nil || !waited) {
			// Its timer may have run out since it was read, and then there was nothing to confirm.
			if err := x.stillThere(ctx, step, w); err != nil {
				return err
			}
		}
		switch {
		case err == nil:
			x.say(step, w.Device, "kept")
			return x.Journal.Add(Entry{Event: Kept, Rollout: x.Name, Step: step, Device: w.Device, Change: e.Change})
		case !errors.Is(err, errLost) || try > 0 || ctx.Err() != nil:
			return &Stop{step, w.Device, "its change could not be confirmed: " + err.Error(), again}
		}
	}
}

// stillThere reads a device whose change is about to be kept.
func (x *run) stillThere(ctx context.Context, step string, w Work) error {
	text, err := x.reread(ctx, w.Device)
	if err != nil {
		return &Stop{step, w.Device, "its change is not confirmed: it can no longer be read: " + err.Error(), again}
	}
	if lines, err := x.differs(w.Device, w.To, text); err != nil || len(lines) > 0 {
		return &Stop{step, w.Device, "it lost its change before the confirm: the device restarted, its timer ran out, or someone changed it", again}
	}
	return nil
}

// keep confirms a change, if it waits for that, and saves. It reports whether the change waited.
func (x *run) keep(ctx context.Context, l link, s *system, c *change) (waits bool, err error) {
	waits = s.confirm != nil
	if waits && s.waits != nil {
		ctx, stop := context.WithTimeout(ctx, x.Answer)
		defer stop()
		answer, err := l.ask(ctx, *s.waits)
		if err != nil && !errors.As(err, new(*Refusal)) {
			return false, err
		}
		waits = err == nil && s.yes(c, string(answer))
	}
	if waits {
		if err := x.ask(ctx, l, s.confirm(c), x.Work); err != nil {
			return true, err
		}
	}
	return waits, x.ask(ctx, l, s.save(c), x.Work)
}

// errStays reports that a device keeps a change, which was confirmed before.
var errStays = errors.New("the device keeps the change")

// takeBack brings a device to the state before a change. The change may be that of an earlier run.
func (x *run) takeBack(ctx context.Context, step, device string, e *Entry, earlier bool) error {
	stopped := func(why string) error {
		return &Stop{step, device, why, "the way back is in the journal, below " + undo + " of the change " + e.Change}
	}
	from := x.numbered(e, e.From)
	err := x.patiently(ctx, func() error { return x.over(ctx, device) })
	if err != nil {
		return stopped("whether the change still runs is unknown: " + err.Error())
	}
	text, err := x.reread(ctx, device)
	if err != nil {
		return stopped("it cannot be read, so it is not taken back: " + err.Error())
	}
	lines, err := x.differs(device, from, text)
	if err != nil {
		return stopped(err.Error())
	}
	var sent error
	after, err := x.differs(device, x.numbered(e, e.To), text)
	if err != nil {
		return stopped(err.Error())
	}
	if len(lines) > 0 || len(after) == 0 && x.systemOf(device).back != nil {
		if err := x.notePairs(ctx, opposite(e.Step), device, e.Pairs); err != nil {
			return stopped(err.Error())
		}
		x.say(step, device, "taking it back")
		sent = x.sendBack(ctx, step, device, from, text, e)
		if text, err = x.reread(ctx, device); err == nil {
			lines, err = x.differs(device, from, text)
		}
		if err == nil && len(lines) > 0 {
			if after, err := x.differs(device, x.numbered(e, e.To), text); err == nil && len(after) == 0 && x.systemOf(device).back != nil {
				return errStays
			}
			err = errors.Join(errors.New(diff.FirstFew(lines)), sent)
		}
		if err != nil {
			return stopped("it could not be taken back: " + err.Error())
		}
	}
	// Queue pairs that were opened while the change was there keep its ToS. The way back waits for them.
	if opened, _ := x.Journal.pairs(opposite(e.Step), device); opened != nil {
		if err := x.notePairs(ctx, opposite(e.Step), device, e.Pairs); err != nil {
			return stopped(err.Error())
		}
	}
	if earlier {
		if err := x.saveBack(ctx, device, e); err != nil {
			return err
		}
	}
	x.set(device, from)
	return x.Journal.Add(Entry{Event: Back, Rollout: x.Name, Step: step, Device: device, Change: e.Change})
}

// sendBack lets a device take back a change that is not confirmed, or sends the change in the other
// direction.
func (x *run) sendBack(ctx context.Context, step, device string, to int, text []byte, e *Entry) error {
	s := x.systemOf(device)
	c := &change{ID: e.Change, Running: text, Files: e.Files, Minutes: minutes(x.Hold)}
	if s.back == nil {
		list, err := x.files(device, to, to, text)
		if err != nil {
			return err
		}
		c = &change{ID: newID(), Running: text, Files: list}
		return x.with(ctx, device, func(l link) error { return x.ask(ctx, l, s.send(c), x.Work) })
	}
	return x.with(ctx, device, func(l link) error { return x.ask(ctx, l, s.back(c), x.Work) })
}

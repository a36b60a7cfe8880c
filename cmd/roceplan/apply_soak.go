package main

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/roceplan/roceplan"
	"github.com/roceplan/roceplan/diag"
	"github.com/roceplan/roceplan/diff"
	"github.com/roceplan/roceplan/internal/stable"
	"github.com/roceplan/roceplan/observe"
	"github.com/roceplan/roceplan/observe/live"
	"github.com/roceplan/roceplan/units"
)

// A soaking watches what devices count while a change soaks.
type soaking struct {
	loaded   *loaded
	counters []*live.Address
	soak     time.Duration
	every    time.Duration // between two readings
	dial     live.Dial     // nil: the system's
	say      func(step, device, what string)
	named    sync.Map // devices that were named as not watched
}

// betweenLooks is often enough that a drop takes a wave back at once, and seldom enough for devices
// that take a second to report their counters: a choice.
const betweenLooks = 10 * time.Second

// watch reads the counters of all devices before and during the soak time. It is an error, at once,
// that a device broke an assumption of the plan meanwhile. Earlier counts are no reason.
func (s *soaking) watch(ctx context.Context, devices []string) error {
	var blind []string
	for _, device := range devices {
		if !slices.ContainsFunc(s.counters, func(a *live.Address) bool { return a.Device == device }) {
			if _, named := s.named.LoadOrStore(device, true); !named {
				blind = append(blind, device)
			}
		}
	}
	if len(blind) > 0 {
		s.say("", "", "not watched, no address for their counters: "+diff.Fold(blind))
	}
	var in observed
	if err := s.read(ctx, &in); err != nil {
		return err
	}
	before := len(in.rows) // of the readings after it, the last one counts
	known := map[string]bool{}
	wrong, err := s.judge(in.rows)
	if err != nil {
		return err
	}
	for _, d := range wrong {
		known[whatHappened(d)] = true
	}
	for end := time.Now().Add(s.soak); ; {
		select {
		case <-ctx.Done():
			return context.Cause(ctx)
		case <-time.After(min(s.every, time.Until(end))):
		}
		in.rows, in.found = in.rows[:before], nil
		if err := s.read(ctx, &in); err != nil {
			return err
		}
		if wrong, err = s.judge(in.rows); err != nil {
			return err
		}
		for _, d := range wrong {
			if !known[whatHappened(d)] {
				return fmt.Errorf("while the change soaked: %s", d.Message)
			}
		}
		if !time.Now().Before(end) {
			return nil
		}
	}
}

// whatHappened returns the event that a finding counts, without the reason: that may become another one.
func whatHappened(d diag.Diagnostic) string {
	text, _, _ := strings.Cut(d.Message, ": ")
	return text
}

// judge lists which assumptions of the plan are broken by what was counted.
func (s *soaking) judge(rows []observe.Row) (wrong diag.List, err error) {
	if len(rows) == 0 {
		return nil, nil
	}
	r, err := roceplan.Observe(s.loaded.Fabric, rows)
	if err != nil {
		return nil, err
	}
	return stable.Delete(r.Findings(), func(d diag.Diagnostic) bool { return d.Severity != diag.Error }), nil
}

func (s *soaking) read(ctx context.Context, in *observed) error {
	in.ask(ctx, s.counters, live.Options{Memory: int(units.GB), Dial: s.dial}) // the default of roceplan observe
	if len(in.unread) > 0 {
		return fmt.Errorf("counters cannot be read: %w", in.unread[0].Err)
	}
	return nil
}

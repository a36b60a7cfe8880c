package main

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/roceplan/roceplan"
	"github.com/roceplan/roceplan/diff"
	"github.com/roceplan/roceplan/observe/live"
	"github.com/roceplan/roceplan/units"
)

// A soaking watches what devices count while a change soaks.
type soaking struct {
	loaded   *loaded
	counters []*live.Address
	soak     time.Duration
	say      func(step, device, what string)
	named    sync.Map // devices that were named as not watched
}

// watch reads the counters of all devices before and after the soak time. It is an error that a
// device broke an assumption of the plan meanwhile.
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
	select {
	case <-ctx.Done():
		return context.Cause(ctx)
	case <-time.After(s.soak):
	}
	if err := s.read(ctx, &in); err != nil || len(in.rows) == 0 {
		return err
	}
	r, err := roceplan.Observe(s.loaded.Fabric, in.rows)
	if err != nil {
		return err
	}
	if wrong := r.Findings().FirstError(); wrong != nil {
		return fmt.Errorf("while the change soaked: %s", wrong.Message)
	}
	return nil
}

func (s *soaking) read(ctx context.Context, in *observed) error {
	in.ask(ctx, s.counters, live.Options{Memory: int(units.GB)}) // what roceplan observe takes by default
	if len(in.unread) > 0 {
		return fmt.Errorf("counters cannot be read: %w", in.unread[0].Err)
	}
	return nil
}

package apply_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/roceplan/roceplan/apply"
	"github.com/roceplan/roceplan/chips"
	"github.com/roceplan/roceplan/diff"
	"github.com/roceplan/roceplan/internal/testing/crash"
	"github.com/roceplan/roceplan/internal/testing/fakedevice"
	"github.com/roceplan/roceplan/internal/testing/plantest"
	"github.com/roceplan/roceplan/internal/testing/year"
	"github.com/roceplan/roceplan/plan"
	"github.com/roceplan/roceplan/units"
)

// A service knows which devices are out of service.
type service struct {
	lock sync.Mutex
	out  map[string]bool
	most int // at a time
	ever map[string]bool
	fail string // device that cannot be drained
	keep units.Ratio
}

// kept checks that the devices that are out of service leave the declared share of links to each of the others,
// or, without one, are not two that replace one another. One alone may take more.
func (s *service) kept(p *plan.Plan) error {
	role, links := map[string]string{}, map[string][]string{}
	for _, sw := range p.Switches {
		for _, name := range sw.Names {
			role[name] = sw.Role
		}
	}
	for _, l := range p.Links {
		links[l.A.Switch], links[l.B.Switch] = append(links[l.A.Switch], l.B.Switch), append(links[l.B.Switch], l.A.Switch)
	}
	alike := map[string]string{}
	for name := range s.out {
		to := slices.Sorted(slices.Values(links[name]))
		key := role[name] + " " + strings.Join(slices.Compact(to), " ")
		if other := alike[key]; other != "" && s.keep == 0 {
			return fmt.Errorf("%s and %s replace one another, and both are out of service", name, other)
		}
		alike[key] = name
	}
	for name, to := range links {
		all, up := map[string]int64{}, map[string]int64{}
		for _, other := range to {
			if all[role[other]]++; !s.out[other] {
				up[role[other]]++
			}
		}
		for tier := range all {
			if len(s.out) > 1 && !s.out[name] && units.Ratio(up[tier])*units.One < s.keep*units.Ratio(all[tier]) {
				return fmt.Errorf("%s has %d of %d links to the %s tier", name, up[tier], all[tier], tier)
			}
		}
	}
	return nil
}

func (s *service) drainer(p sample) *apply.Drainer {
	return &apply.Drainer{
		Out: func(ctx context.Context, device string) error {
			s.lock.Lock()
			defer s.lock.Unlock()
			if device == s.fail {
				return errors.New("BGP does not go down")
			}
			s.out[device], s.ever[device] = true, true
			s.most = max(s.most, len(s.out))
			return errors.Join(ctx.Err(), s.kept(p.before))
		},
		In: func(ctx context.Context, device string) error {
			s.lock.Lock()
			defer s.lock.Unlock()
			delete(s.out, device)
			return ctx.Err()
		},
		Waves: func(devices []string) (waves [][]string) {
			for _, w := range diff.Waves(p.before, devices, s.keep) {
				waves = append(waves, w.Devices)
			}
			return waves
		},
	}
}

// moved returns the pod with another PFC priority: on SONiC the row of the priority group is another one, and
// PFC is off between.
func moved(t *testing.T) sample {
	t.Helper()
	catalogue, _ := chips.Load()
	y := year.All(t)[0]
	_, before := plantest.Text(t, catalogue, y.Text)
	_, after := plantest.Text(t, catalogue, strings.Replace(y.Text, "pfc                = 3", "pfc                = 4", 1))
	return sample{"the priority moves", y.System, released(before, "202505"), released(after, "202505")}
}

// drained makes a lab in which each last change of a device needs a drain.
func drained(t *testing.T) (*lab, *service, sample) {
	t.Helper()
	s := moved(t)
	l := newSwitches(t, s)
	svc := &service{out: map[string]bool{}, ever: map[string]bool{}}
	l.drainer = svc.drainer(s)
	for _, step := range l.rollout.Steps {
		for i := range step.Works {
			if w := &step.Works[i]; w.To == len(l.rollout.States[w.Device])-1 {
				w.Drain = "PFC is off on the way"
			}
		}
	}
	return l, svc, s
}

// A change that interrupts lossless traffic is made on devices that are out of service, one of those that
// replace one another at a time, and all are in service again after it, also after the way back.
func TestDrains(t *testing.T) {
	l, svc, s := drained(t)
	d := crash.New()
	for _, undo := range []bool{false, true} {
		svc.ever, svc.most = map[string]bool{}, 0
		if err := l.carry(t, d, undo, -1, fakedevice.None); err != nil {
			t.Fatal(err)
		}
		l.arrived(t, s, undo)
		// Both leaves have the same neighbours, and so have both ToRs, so that one of each is out at the most.
		if len(svc.out) > 0 || svc.most > 2 || len(svc.ever) != 4 {
			t.Errorf("out of service: %v, at most %d at a time, of %v", svc.out, svc.most, svc.ever)
		}
	}
}

// A run that is killed while a device is drained is continued: the device is in service in the end. What
// cannot be drained is not changed.
func TestDrainsWithFaults(t *testing.T) {
	// tor-1 is the first that is drained, and message 30 is the change that is sent to it.
	for fault, at := range map[fakedevice.Fault]int{fakedevice.Kill: 30, fakedevice.KillLate: 30, fakedevice.Lost: 30} {
		l, svc, s := drained(t)
		d := crash.New()
		err := l.carry(t, d, false, at, fault) // it may stop
		if len(svc.out) == 0 && fault != fakedevice.Lost || len(svc.ever) == 0 {
			t.Errorf("%s at %d of %d: nothing was drained then: %v, %v", fault, at, l.Seen, svc.ever, err)
		}
		for range 4 {
			if err = l.carry(t, d, false, -1, fakedevice.None); err == nil {
				break
			}
		}
		l.arrived(t, s, false)
		if err != nil || len(svc.out) > 0 {
			t.Errorf("%s at %d: out of service: %v, %v", fault, at, svc.out, err)
		}
	}
	l, svc, _ := drained(t)
	svc.fail = "leaf-2"
	err := l.carry(t, crash.New(), false, -1, fakedevice.None)
	var stop *apply.Stop
	if !errors.As(err, &stop) || !strings.Contains(stop.Why, "leaf-2: it could not be drained, and nothing was sent to it: BGP does not go down") {
		t.Errorf("the run ended with %v", err)
	}
	if len(svc.out) > 0 {
		t.Errorf("out of service: %v", svc.out)
	}
	at := slices.IndexFunc(l.rollout.Steps, func(s apply.Step) bool {
		return slices.ContainsFunc(s.Works, func(w apply.Work) bool { return w.Device == "leaf-2" && w.Drain != "" })
	})
	if at < 0 || stop != nil && stop.Step != l.rollout.Steps[at].Name {
		t.Errorf("it stopped at %v", stop)
	}
}

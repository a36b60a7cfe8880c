package diff

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/roceplan/roceplan/internal/testing/must"
	"github.com/roceplan/roceplan/plan"
	"github.com/roceplan/roceplan/units"
)

// aNIC sends RDMA by a code point in a priority, and all else in priority 0.
func aNIC(dscp, priority uint8, lossless bool) *plan.Host {
	h := &plan.Host{Name: "nic", Model: "connectx-7", MTU: 4200, Classes: []plan.HostClass{
		{Name: "rest", Share: 40},
		{Name: "rdma", DSCPs: []uint8{dscp}, Priority: priority, Lossless: lossless, Share: 60, Used: true, ECN: true},
	}}
	for d := range uint8(64) {
		if h.Priorities[d] = priority; d != dscp {
			h.Priorities[d] = 0
			h.Classes[0].DSCPs = append(h.Classes[0].DSCPs, d)
		}
	}
	return h
}

// carried is all of a NIC on which loss depends: its ToS, its lossless priorities, and the priorities of
// code points.
func carried(h *plan.Host, dscps ...uint8) string {
	s := fmt.Sprintf("ToS %d, PFC %08b", tosOf(h), h.Lossless())
	for _, d := range dscps {
		s += fmt.Sprintf(", %d in %d", d, h.Priorities[d])
	}
	return s
}

// The states of NICs in turn: first all receive the new classes, then they send them, and last they drop the
// old ones. The ToS is the code point times four with ECT(0), which is two.
func TestHostStates(t *testing.T) {
	second := aNIC(26, 3, true)
	second.Classes = append(second.Classes, plan.HostClass{Name: "second", DSCPs: []uint8{18}, Priority: 4, Lossless: true, Used: true})
	second.Priorities[18] = 4
	other := aNIC(26, 3, true)
	other.Classes[0].Priority = 4 // all else is in the priority that becomes lossless
	for _, c := range []struct {
		name    string
		was, is *plan.Host
		want    [4]string
	}{
		{"the code point moves", aNIC(26, 3, true), aNIC(24, 3, true), [4]string{
			"ToS 106, PFC 00001000, 26 in 3, 24 in 0, 18 in 0",
			"ToS 106, PFC 00001000, 26 in 3, 24 in 3, 18 in 0",
			"ToS 98, PFC 00001000, 26 in 3, 24 in 3, 18 in 0",
			"ToS 98, PFC 00001000, 26 in 0, 24 in 3, 18 in 0"}},
		{"the priority moves", aNIC(26, 3, true), aNIC(26, 4, true), [4]string{
			"ToS 106, PFC 00001000, 26 in 3, 24 in 0, 18 in 0",
			"ToS 106, PFC 00011000, 26 in 3, 24 in 0, 18 in 0",
			"ToS 106, PFC 00011000, 26 in 4, 24 in 0, 18 in 0",
			"ToS 106, PFC 00010000, 26 in 4, 24 in 0, 18 in 0"}},
		{"both move", aNIC(26, 3, true), aNIC(24, 4, true), [4]string{
			"ToS 106, PFC 00001000, 26 in 3, 24 in 0, 18 in 0",
			"ToS 106, PFC 00011000, 26 in 3, 24 in 4, 18 in 0",
			"ToS 98, PFC 00011000, 26 in 3, 24 in 4, 18 in 0",
			"ToS 98, PFC 00010000, 26 in 0, 24 in 4, 18 in 0"}},
		{"a second class", aNIC(26, 3, true), second, [4]string{
			"ToS 106, PFC 00001000, 26 in 3, 24 in 0, 18 in 0",
			"ToS 106, PFC 00011000, 26 in 3, 24 in 0, 18 in 4",
			"ToS 106, PFC 00011000, 26 in 3, 24 in 0, 18 in 4",
			"ToS 106, PFC 00011000, 26 in 3, 24 in 0, 18 in 4"}},
		{"it goes", second, aNIC(26, 3, true), [4]string{
			"ToS 106, PFC 00011000, 26 in 3, 24 in 0, 18 in 4",
			"ToS 106, PFC 00011000, 26 in 3, 24 in 0, 18 in 4",
			"ToS 106, PFC 00011000, 26 in 3, 24 in 0, 18 in 4",
			"ToS 106, PFC 00001000, 26 in 3, 24 in 0, 18 in 0"}},
		{"the class becomes lossless", aNIC(26, 3, false), aNIC(26, 3, true), [4]string{
			"ToS 106, PFC 00000000, 26 in 3, 24 in 0, 18 in 0",
			"ToS 106, PFC 00001000, 26 in 3, 24 in 0, 18 in 0",
			"ToS 106, PFC 00001000, 26 in 3, 24 in 0, 18 in 0",
			"ToS 106, PFC 00001000, 26 in 3, 24 in 0, 18 in 0"}},
		// A priority is lossless or not: where all else has the new one, both cannot be had.
		{"another class has the priority", other, aNIC(24, 4, true), [4]string{
			"ToS 106, PFC 00001000, 26 in 3, 24 in 0, 18 in 0",
			"ToS 106, PFC 00001000, 26 in 3, 24 in 0, 18 in 0",
			"ToS 98, PFC 00011000, 26 in 3, 24 in 4, 18 in 0",
			"ToS 98, PFC 00010000, 26 in 0, 24 in 4, 18 in 0"}},
	} {
		before := [2]string{fmt.Sprint(*c.was), fmt.Sprint(*c.is)}
		var got [4]string
		for i, h := range hostStates(c.was, c.is) {
			got[i] = carried(h, 26, 24, 18)
		}
		must.NoDiffIn(t, cmp.Diff(c.want, got), "%s:", c.name)
		must.Equalf(t, before, [2]string{fmt.Sprint(*c.was), fmt.Sprint(*c.is)}, "%s: the plans changed:", c.name)
	}
}

// Every code point is in one class of a NIC, in all states, and the shares of those that are not strict are
// 100 in sum, which is what drivers take (Linux en_dcbnl.c, mlx5e_dbcnl_validate_ets).
func TestHostStatesAreWhole(t *testing.T) {
	for i, h := range hostStates(aNIC(26, 3, true), aNIC(24, 4, true)) {
		var of [64]int
		var share int64
		for _, c := range h.Classes {
			for _, d := range c.DSCPs {
				of[d]++
				must.Equalf(t, h.Priorities[d], c.Priority, "state %d: DSCP %d of %s has priority", i, d, c.Name)
			}
			if share += c.Share; c.Strict && c.Share != 0 {
				t.Errorf("state %d: %s is strict and has a share", i, c.Name)
			}
		}
		if d := slices.IndexFunc(of[:], func(n int) bool { return n != 1 }); d >= 0 || share != 100 {
			t.Errorf("state %d: DSCP %d is in several classes or none, or the shares are %d", i, d, share)
		}
	}
}

// The steps of NICs: taken in before anything is sent, dropped when all else is done.
func TestOrderOfHosts(t *testing.T) {
	moved := []drawnClass{{[]int{0, 26}, 0, 0, 0, 0, false}, {[]int{24}, 3, 3, 3, 3, true}}
	was := []drawnClass{{[]int{0, 24}, 0, 0, 0, 0, false}, {[]int{26}, 3, 3, 3, 3, true}}
	small := aNIC(24, 3, true)
	small.MTU, small.Buffer.Value = 1400, 2*units.KB
	storage := aNIC(26, 3, true)
	storage.Name = "storage"
	storageMoved := aNIC(24, 3, true)
	storageMoved.Name = "storage"
	for name, c := range map[string]struct {
		before, after []*plan.Host
		want          []string
	}{
		"the code point moves": {[]*plan.Host{aNIC(26, 3, true)}, []*plan.Host{aNIC(24, 3, true)},
			[]string{"accept nic: class-first", "grow leaf-1", "grow tor-[1..2]", "host nic: class-first unused-last: resends", "shrink tor-[1..2]", "shrink leaf-1", "drop nic: unused-last"}},
		"of two kinds of NICs": {[]*plan.Host{aNIC(26, 3, true), storage}, []*plan.Host{aNIC(24, 3, true), storageMoved},
			[]string{"accept nic storage: class-first", "grow leaf-1", "grow tor-[1..2]", "host nic storage: class-first unused-last: resends", "shrink tor-[1..2]", "shrink leaf-1", "drop nic storage: unused-last"}},
	} {
		var got []string
		for _, s := range Compare(withHosts(pod(was, nil), c.before), withHosts(pod(moved, nil), c.after)).Rollout.Steps {
			line := fmt.Sprintf("%v %s", s.Action, Fold(s.Devices))
			if s.NICs != nil {
				line += ":"
				for _, why := range s.Why {
					line += " " + string(why)
				}
				if s.NICs[0].Resends() {
					line += ": resends"
				}
			}
			got = append(got, line)
		}
		if d := cmp.Diff(c.want, got); d != "" {
			t.Errorf("%s:\n%s\n%s", name, d, strings.Join(got, "\n"))
		}
	}
}

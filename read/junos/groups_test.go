package junos_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/roceplan/roceplan/diag"
	"github.com/roceplan/roceplan/internal/testing/must"
	"github.com/roceplan/roceplan/plan"
	"github.com/roceplan/roceplan/read"
	"github.com/roceplan/roceplan/read/junos"
	"github.com/roceplan/roceplan/units"
)

// What a group that is not in the file may define is not called missing without a word of how to
// see it: Junos expands groups with `display inheritance`.
func TestUndefinedWhereGroupsAreApplied(t *testing.T) {
	const use = "class-of-service { classifiers { dscp d { forwarding-class roce { loss-priority low code-points 011010; } } } interfaces { et-0/0/0 { unit 0 { classifiers { dscp d; } } } } }\n"
	for text, want := range map[string]string{
		"apply-groups q;\n" + use: "display inheritance",
		use:                       "add it under forwarding-classes",
	} {
		got := junos.Read("x", []byte(text), qfx5240).Found
		if len(got) != 1 || got[0].Code != junos.Undefined || !strings.Contains(got[0].Fix, want) {
			t.Errorf("%s: found %+v, want a fix with %q", text, got, want)
		}
	}
}

// A file with groups is the file that `display inheritance` prints: by the rules of Junos' CLI user
// guide, configuration groups.
func TestGroups(t *testing.T) {
	const cos = `class-of-service {
    classifiers { dscp d { forwarding-class roce { loss-priority low code-points 011010; } } }
    forwarding-classes { class roce queue-num 4 no-loss pfc-priority 3; }
    congestion-notification-profile {
        near { input { cable-length 5; dscp { code-point 011010 { pfc; } } } output { ieee-802.1 { code-point 011 { flow-control-queue 4; } } } }
        far { input { cable-length 80; dscp { code-point 011010 { pfc; } } } output { ieee-802.1 { code-point 011 { flow-control-queue 4; } } } }
    }
`
	for name, c := range map[string]struct{ groups, expanded string }{
		"all ports that are there, and the port's own value": {
			`groups { ports { interfaces { <et-*> { mtu 9216; } } } }
apply-groups ports;
interfaces { et-0/0/0 { speed 400g; } et-0/0/1 { speed 400g; mtu 4000; } }
`, `interfaces { et-0/0/0 { mtu 9216; speed 400g; } et-0/0/1 { speed 400g; mtu 4000; } }
`},
		"names of each place, whichever leaf it is below": {
			`groups { late { class-of-service { classifiers { dscp <*> { forwarding-class <*> { loss-priority high code-points 000001; } } } } } }
apply-groups late;
class-of-service { forwarding-classes { class other queue-num 1; } classifiers { dscp e { forwarding-class other { loss-priority low code-points 000010; } } } }
`, `class-of-service { forwarding-classes { class other queue-num 1; } classifiers { dscp e { forwarding-class other { loss-priority low code-points 000010; loss-priority high code-points 000001; } } } }
class-of-service { classifiers { dscp d { forwarding-class roce { loss-priority high code-points 000001; } } } }
`},
		"the first group of a list wins": {
			`groups { a { interfaces { <*> { mtu 9216; } } } b { interfaces { <*> { mtu 4000; speed 100g; } } } }
apply-groups [ a b ];
interfaces { et-0/0/0 { description x; } }
`, `interfaces { et-0/0/0 { mtu 9216; speed 100g; description x; } }
`},
		"a group at a port goes before one at the top": {
			`groups { a { interfaces { <*> { mtu 9216; } } } b { interfaces { <*> { mtu 4000; } } } }
apply-groups a;
interfaces { et-0/0/0 { apply-groups b; speed 400g; } et-0/0/1 { speed 400g; } }
`, `interfaces { et-0/0/0 { mtu 4000; speed 400g; } et-0/0/1 { mtu 9216; speed 400g; } }
`},
		"a port that takes nothing of a group": {
			`groups { a { interfaces { <*> { mtu 9216; } } } }
apply-groups a;
interfaces { et-0/0/0 { apply-groups-except a; speed 400g; } et-0/0/1 { speed 400g; } }
`, `interfaces { et-0/0/0 { speed 400g; } et-0/0/1 { mtu 9216; speed 400g; } }
`},
		"a range of ports, with a value of one of them": {
			`interfaces { interface-range r { member et-0/0/9; member-range et-0/0/1 to et-0/0/3; mtu 9216; speed 400g; } et-0/0/2 { mtu 4000; } }
`, `interfaces { et-0/0/1 { mtu 9216; speed 400g; } et-0/0/2 { speed 400g; mtu 4000; } et-0/0/3 { mtu 9216; speed 400g; } et-0/0/9 { mtu 9216; speed 400g; } }
`},
		"a class of ports by pattern, and names without one": {
			`groups { qos { class-of-service { shared-buffer { ingress { buffer-partition lossless { percent 60; } buffer-partition lossless-headroom { percent 30; } buffer-partition lossy { percent 10; } } }
    interfaces { <et-0/0/[0-1]> { congestion-notification-profile near; } <et-0/0/2> { congestion-notification-profile far; } } } } }
apply-groups qos;
class-of-service { interfaces { et-0/0/0 { unit 0 { classifiers { dscp d; } } } et-0/0/2 { unit 0 { classifiers { dscp d; } } } } }
interfaces { et-0/0/0 { speed 400g; } et-0/0/2 { speed 400g; } }
`, `class-of-service { shared-buffer { ingress { buffer-partition lossless { percent 60; } buffer-partition lossless-headroom { percent 30; } buffer-partition lossy { percent 10; } } }
    interfaces { et-0/0/0 { congestion-notification-profile near; unit 0 { classifiers { dscp d; } } } et-0/0/2 { congestion-notification-profile far; unit 0 { classifiers { dscp d; } } } } }
interfaces { et-0/0/0 { speed 400g; } et-0/0/2 { speed 400g; } }
`},
	} {
		got, want := junos.Read("x", []byte(cos+"}\n"+c.groups), qfx5240), junos.Read("x", []byte(cos+"}\n"+c.expanded), qfx5240)
		places := cmp.Options{cmpopts.IgnoreTypes(diag.Range{}, &plan.Why{}, plan.MapPlaces{})}
		must.NoDiffIn(t, cmp.Diff(want.Switch, got.Switch, places), "%s (-expanded +groups):", name)
		must.Equalf(t, len(got.Found), len(want.Found), "%s: found %v, expanded %v:", name, got.Found, want.Found)
		if a, b := got.Ledger.Count(read.Modelled), want.Ledger.Count(read.Modelled); a != b {
			t.Errorf("%s: %d statements are modelled, %d of what is expanded", name, a, b)
		}
		if n := got.Ledger.Count(read.Unmodelled); n != want.Ledger.Count(read.Unmodelled) {
			t.Errorf("%s: %d statements are not modelled: %+v", name, n, got.Ledger.Unmodelled())
		}
	}
}

// Set commands have groups too; a group that is not in the file, or that holds under a condition,
// is not expanded and says so at its line.
func TestGroupsInCommands(t *testing.T) {
	r := junos.Read("x", []byte("set groups g interfaces <et-*> mtu 9216\nset apply-groups g\nset interfaces et-0/0/3 speed 400g\n"), qfx5240)
	if len(r.Switch.Ports) != 1 || r.Switch.Ports[0].MTU != 9220*units.Byte || r.Ledger.Count(read.Unmodelled) != 0 {
		t.Errorf("ports %+v, not modelled %+v", r.Switch.Ports, r.Ledger.Unmodelled())
	}
	for text, line := range map[string]int{
		"set interfaces et-0/0/3 speed 400g\nset apply-groups gone\n":                                              2,
		"set groups g when time 10\nset groups g interfaces <et-*> mtu 9216\nset interfaces et-0/0/3 speed 400g\n": 1,
		"set groups g apply-groups h\nset interfaces et-0/0/3 speed 400g\n":                                        1,
		"set interfaces et-0/0/3 speed 400g\nset interfaces et-0/0/3 apply-groups gone\n":                          2,
	} {
		l := junos.Read("x", []byte(text), qfx5240).Ledger
		if un := l.Unmodelled(); len(un) != 1 || un[0].At.Start.Line != line {
			t.Errorf("%q: not modelled are %+v, want line %d", text, un, line)
		}
	}
}

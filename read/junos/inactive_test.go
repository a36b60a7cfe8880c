package junos_test

import (
	"strings"
	"testing"

	"github.com/roceplan/roceplan/internal/testing/must"
	"github.com/roceplan/roceplan/internal/testing/readtest"
	"github.com/roceplan/roceplan/read"
	"github.com/roceplan/roceplan/read/junos"
)

// `show configuration | display set` prints deactivate and protect below the set commands of
// what the text in braces calls inactive: and protect:.
func TestDeactivated(t *testing.T) {
	const braces = `interfaces { et-0/0/0 { mtu 9216; } inactive: et-0/0/1 { mtu 9000; } et-0/0/10 { mtu 9100; } }
class-of-service {
    protect: forwarding-classes { class roce { queue-num 3; no-loss; } inactive: class cnp queue-num 6; }
    classifiers { dscp d { forwarding-class roce { loss-priority low code-points 011010; inactive: loss-priority high code-points 011011; } } }
    schedulers { protect: r { shaping-rate 5g; } }
}
`
	const set = `set interfaces et-0/0/0 mtu 9216
set interfaces et-0/0/1 mtu 9000
deactivate interfaces et-0/0/1
set interfaces et-0/0/10 mtu 9100
set class-of-service forwarding-classes class roce queue-num 3
set class-of-service forwarding-classes class roce no-loss
set class-of-service forwarding-classes class cnp queue-num 6
deactivate class-of-service forwarding-classes class cnp
protect class-of-service forwarding-classes
set class-of-service classifiers dscp d forwarding-class roce loss-priority low code-points 011010
set class-of-service classifiers dscp d forwarding-class roce loss-priority high code-points 011011
deactivate class-of-service classifiers dscp d forwarding-class roce loss-priority high
set class-of-service schedulers r shaping-rate 5g
protect class-of-service schedulers r
`
	a, b := junos.Read("x", []byte(braces), qfx5240), junos.Read("x", []byte(set), qfx5240)
	if !readtest.Same(a.Switch, b.Switch) {
		t.Errorf("braces and commands differ: %+v and %+v", a.Switch, b.Switch)
	}
	must.Equalf(t, len(b.Switch.Ports), 2, "ports were read:")
	for form, got := range map[string]read.Result{"braces": a, "commands": b} {
		for _, d := range got.Found {
			t.Errorf("%s: %v", form, d)
		}
		for _, s := range got.Ledger.Statements {
			if s.Sort == read.Unmodelled {
				t.Errorf("%s: %s is not modelled: %s", form, s.Text, s.Why)
			}
		}
	}
}

// A shaping rate in per cent is legal; what it comes to depends on the port.
func TestShapingRateInPercent(t *testing.T) {
	got := junos.Read("x", []byte("set class-of-service schedulers c shaping-rate percent 3\n"), qfx5240)
	must.Equalf(t, len(got.Found), 0, "found %v:", got.Found)
	for _, s := range got.Ledger.Statements {
		if s.Sort != read.Unmodelled || s.Why != "a cap in per cent of the port's speed" {
			t.Errorf("%s: sort %v, %q", s.Text, s.Sort, s.Why)
		}
	}
}

// Juniper's designs disable all names that a cage does not have: those of other speeds, and those of its channels.
func TestNamesOfOneCageThatAreDisabled(t *testing.T) {
	const text = "interfaces { et-0/0/0 { disable; } ge-0/0/0 { disable; } xe-0/0/0 { mtu 9216; }\n" + // used by one name
		" et-0/0/1 { mtu 9216; } et-0/0/1:0 { disable; } et-0/0/1:1 { disable; }\n" + // whole
		" et-0/0/2 { disable; } et-0/0/2:0 { mtu 9216; } et-0/0/2:1 { disable; }\n" + // split, a channel is off
		" et-0/0/3 { disable; } et-0/0/3:0 { disable; } xe-0/0/3 { disable; } }\n" // all off
	var names []string
	for _, p := range junos.Format().Read("a.conf", []byte(text), read.Options{}).Switch.Ports {
		names = append(names, p.Name)
	}
	must.Equalf(t, strings.Join(names, " "), "et-0/0/1 et-0/0/2:0 et-0/0/2:1 et-0/0/3 xe-0/0/0", "ports")
}

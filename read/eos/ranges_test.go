package eos

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/roceplan/roceplan/internal/testing/must"
	"github.com/roceplan/roceplan/read"
)

// A range is its ports, one by one.
func TestRanges(t *testing.T) {
	for rest, want := range map[string]string{
		"1-4": "1 2 3 4", "5-7,13": "5 6 7 13", "3/1-3": "3/1 3/2 3/3", "1/1,1/5": "1/1 1/5", "3/1/1,3/2/1-2": "3/1/1 3/2/1 3/2/2", "7-7": "7",
		"1/1-4/1": "", "3/1-4/36/1": "", "1/1,5": "", "4-1": "", "1-": "", ",": "", "1-9999": "", "1/1-2/3/4": "",
	} {
		must.Equalf(t, strings.Join(portsOf(rest), " "), want, "%s:", rest)
	}
	const body = `
   mtu 9214
   no switchport
   priority-flow-control on
   priority-flow-control priority 3 no-drop
   uc-tx-queue 3
      random-detect ecn minimum-threshold 500 kbytes maximum-threshold 2000 kbytes max-mark-probability 100 weight 0
   service-profile roce
`
	const profile = "qos profile roce\n   uc-tx-queue 3\n      bandwidth percent 60\n"
	apart := "hostname a\n" + profile
	for _, n := range []int{1, 2, 3, 8} {
		apart += fmt.Sprintf("interface Ethernet%d/1%s", n, body)
	}
	sw := func(text string) (out []string, l read.Ledger) {
		r := Format().Read("f", []byte(text), read.Options{})
		for i := range r.Switch.Ports {
			p := &r.Switch.Ports[i]
			out = append(out, fmt.Sprintln(p.Name, p.MTU, p.Routed, p.QoS.PFC, len(p.QoS.PGs), p.QoS.Queues[0].ID, p.QoS.Queues[0].Scheduler.Weight.Value, p.QoS.Queues[0].ECN.KMin.Value))
		}
		slices.Sort(out)
		return out, r.Ledger
	}
	want, _ := sw(apart)
	got, ledger := sw("hostname a\n" + profile + "interface Ethernet1/1,2/1,3/1,8/1" + body)
	if diff := cmp.Diff(want, got); diff != "" || len(got) != 4 {
		t.Errorf("(-one by one +as a list):\n%s", diff)
	}
	for _, s := range ledger.Statements {
		if s.Sort == read.Unmodelled {
			t.Errorf("%s is not modelled: %s", s.Text, s.Why)
		}
	}

	// A range gets its defaults back.
	if r := Format().Read("f", []byte("interface Ethernet1-2\n   mtu 9214\ndefault interface Ethernet1-2\n"), read.Options{}); r.Switch.Ports[0].MTU == 9232 || r.Switch.Ports[1].MTU == 9232 {
		t.Errorf("ports with their defaults have an MTU of %v and %v", r.Switch.Ports[0].MTU, r.Switch.Ports[1].MTU)
	}

	// A line that is not modelled touches all ports of the range, and one that follows it is of
	// the range too.
	r := Format().Read("f", []byte("interface Ethernet1-2\n   flowcontrol send on\n   mtu 9214\ninterface Ethernet1/1-4/1\n   mtu 9214\n"), read.Options{})
	whys := map[string]string{}
	for _, s := range r.Ledger.Statements {
		if s.Sort == read.Unmodelled {
			whys[s.Text] = s.Why
			if s.Touches.Ports != nil {
				t.Errorf("%s touches %v alone", s.Text, s.Touches.Ports)
			}
		}
	}
	if whys["interface Ethernet1/1-4/1"] != otherRange || whys["flowcontrol send on"] == "" || len(whys) != 2 || len(r.Switch.Ports) != 2 {
		t.Errorf("%d ports; not modelled: %v", len(r.Switch.Ports), whys)
	}
}

// Ranges cannot make a small file cost much: what they tell ports is bounded, and lines beyond are
// named.
func TestManyRanges(t *testing.T) {
	const lines = 3 * mostInRanges / mostInRange
	got := Format().Read("f", []byte(strings.Repeat("interface Ethernet1-4096\n   mtu 9214\n", lines)), read.Options{})
	modelled, named := 0, 0
	for _, s := range got.Ledger.Statements {
		switch {
		case s.Sort == read.Modelled:
			modelled++
		case s.Why == tooManyRanges:
			named++
		}
	}
	if modelled == 0 || modelled > mostInRanges/mostInRange || modelled+named != len(got.Ledger.Statements) {
		t.Errorf("of %d lines %d are modelled, %d named", len(got.Ledger.Statements), modelled, named)
	}
}

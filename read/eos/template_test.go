package eos

import (
	"fmt"
	"strings"
	"testing"

	"github.com/roceplan/roceplan/internal/testing/readtest"
	"github.com/roceplan/roceplan/read"
)

// Interfaces that have an interface profile are as if the lines behind `command` were theirs: form of
// arista.avd, eos_cli_config_gen, interface_profiles. Each case has the same meaning twice.
func TestInterfaceProfiles(t *testing.T) {
	const head = "qos profile roce\n   uc-tx-queue 3\n      bandwidth percent 60\n"
	const port = "interface Ethernet1\n"
	lines := []string{"mtu 9214", "no switchport", "speed 400g-8", "qos trust dscp", "priority-flow-control on", "priority-flow-control priority 3 no-drop", "priority-flow-control pause watchdog", "service-profile roce", "description x", "load-interval 5"}
	profile := func(name string, lines ...string) string {
		return "interface profile " + name + "\n   command " + strings.Join(lines, "\n   command ") + "\n!\n"
	}
	plain := port + "   " + strings.Join(lines, "\n   ") + "\n"
	says := func(text string) string {
		r := Format().Read("f", []byte(head+text), read.Options{})
		if len(r.Switch.Ports) == 0 {
			return "no port"
		}
		p := r.Switch.Ports[0]
		unmodelled := 0
		for _, s := range r.Ledger.Statements {
			if s.Sort == read.Unmodelled {
				unmodelled++
			}
		}
		lossless := 0
		for _, g := range p.QoS.PGs {
			if g.Lossless {
				lossless++
			}
		}
		weights := ""
		for _, q := range p.QoS.Queues {
			weights += fmt.Sprint(q.ID, ":", q.Scheduler.Weight.Value, " ")
		}
		return fmt.Sprintf("mtu %v, routed %v, speed %v, trust %v, PFC %v, %d lossless, watched %v, queues %s, %d not modelled", p.MTU, p.Routed, p.Speed, p.QoS.Trust, p.QoS.PFC, lossless, p.QoS.Watchdog, weights, unmodelled)
	}
	for name, c := range map[string][2]string{
		"all lines":               {profile("A", lines...) + port + "   profile A\n", plain},
		"later profile":           {port + "   profile A\n" + profile("A", lines...), plain},
		"two of them":             {profile("A", lines[:3]...) + profile("B", lines[3:]...) + port + "   profile A B\n", plain},
		"the same twice":          {profile("A", lines...) + port + "   profile A\n   mtu 9214\n   qos trust dscp\n", plain},
		"a port of its own lines": {profile("A", lines[:4]...) + port + "   profile A\n   " + strings.Join(lines[4:], "\n   ") + "\n", plain},
		"taken back":              {profile("A", lines...) + port + "   profile A\n   no profile A\n", port},
		"removed":                 {profile("A", lines...) + "no interface profile A\n" + profile("A", lines[:2]...) + port + "   profile A\n", port + "   " + strings.Join(lines[:2], "\n   ") + "\n"},
		"unused":                  {profile("A", "mac security profile X") + port, port},
		"a range":                 {profile("A", lines...) + "interface Ethernet1-4\n   profile A\n", strings.Replace(plain, "Ethernet1", "Ethernet1-4", 1)},
	} {
		if got, want := says(c[0]), says(c[1]); got != want {
			t.Errorf("%s:\n got %s\nwant %s", name, got, want)
		}
	}

	// What is not known of a profile touches the ports that have it, and only those.
	const two = "interface Ethernet1-2\n   profile A\ninterface Ethernet3\n   mtu 9000\n"
	const touched = "; touches ports [Ethernet1 Ethernet2]"
	readtest.Tales(t, Format(), []readtest.Tale{
		{"no such profile", two, "profile A: not modelled: the file has no interface profile A" + touched},
		{"a second line", profile("A", "mtu 9000") + profile("B", "qos trust dscp") + port + "   profile A\n   profile B\n", "profile B: not modelled: whether a second line adds a profile or replaces the first is not published; touches ports [Ethernet1]"},
		{"a filter", profile("A", "ip access-group X in") + two, "command ip access-group X in: not modelled: a filter may drop" + "; " + touched[2:]},
		{"an unknown line", profile("A", "frobnicate 3") + two, "command frobnicate 3: not modelled" + touched},
		{"a line that is none", profile("A", "mtu 9000") + "   frobnicate 3\n" + two, "frobnicate 3: not modelled"},
		{"a block", profile("A", "uc-tx-queue 3") + two, "command uc-tx-queue 3: not modelled" + touched},
		{"the port says otherwise", profile("A", "mtu 9214", "no switchport") + port + "   profile A\n   mtu 9000\n", "command mtu 9214: not modelled: an interface that has the profile says otherwise, and it is not published which of the two EOS obeys; touches ports [Ethernet1]; command no switchport: modelled"},
		{"another profile says otherwise", profile("A", "qos trust dscp") + profile("B", "no qos trust") + port + "   profile A B\n", "command no qos trust: not modelled: an interface that has the profile says otherwise; touches ports [Ethernet1]; command qos trust dscp: modelled"},
		{"PFC of other priorities", profile("A", "priority-flow-control on", "priority-flow-control priority 3 no-drop") + port + "   profile A\n   priority-flow-control priority 4 no-drop\n", "!otherwise"},
		{"PFC is taken back", profile("A", "priority-flow-control on", "priority-flow-control priority 3 no-drop") + port + "   profile A\n   no priority-flow-control\n", "command priority-flow-control on: not modelled: an interface that has the profile says otherwise"},
		{"a port channel", profile("A", "mtu 9214") + "interface Port-Channel5\n   profile A\n" + port + "   channel-group 5 mode active\n", "profile A: not modelled: the lines of an interface profile at a port channel; touches ports [Ethernet1]"},
	})
}

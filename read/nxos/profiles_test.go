package nxos_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/roceplan/roceplan/internal/testing/must"
	"github.com/roceplan/roceplan/read"
	"github.com/roceplan/roceplan/read/nxos"
)

const profiled = `# ***** QoS *****
class-map type qos match-all STORAGE
match dscp 26
policy-map type qos P
class type qos STORAGE
set qos-group 3
policy-map type network-qos N
class type network-qos c-8q-nq3
pause pfc-cos 3
mtu 9216
system qos
service-policy type network-qos N
`

func readProfiled(text string) read.Result {
	return nxos.Format().Read("leaf-1.cfg", []byte(profiled+text), read.Options{})
}

// portSays returns the settings of a port that profiles can give.
func portSays(t *testing.T, r read.Result, name string) string {
	t.Helper()
	for _, p := range r.Switch.Ports {
		if p.Name == name {
			lossless := 0
			for _, g := range p.QoS.PGs {
				if g.Lossless {
					lossless++
				}
			}
			return fmt.Sprintf("mtu %d, PFC %v, %d lossless, watched %v, speed %v", p.MTU, p.QoS.PFC, lossless, p.QoS.Watchdog, p.Speed)
		}
	}
	t.Fatalf("no port %s", name)
	return ""
}

// Interfaces that inherit a profile are as if its lines were theirs: Cisco Nexus 7000 Series NX-OS Interfaces guide, Configuring
// Basic Interface Parameters. Each case has the same meaning twice.
func TestProfiles(t *testing.T) {
	const profile = "port-profile type ethernet %s\n%sstate enabled\nexit\n"
	const lines = "priority-flow-control mode on\npriority-flow-control watch-dog-interval on\nmtu 9216\nservice-policy type qos input P\nspeed 100000\n"
	one := fmt.Sprintf(profile, "A", lines+"max-ports 512\n")
	for name, c := range map[string][2]string{
		"all lines":      {one + "interface e1/1,e1/2\ninherit port-profile A\n", "interface e1/1,e1/2\n" + lines},
		"own lines":      {one + "interface e1/1\nmtu 4200\ninherit port-profile A\nspeed 40000\n", "interface e1/1\n" + lines + "mtu 4200\nspeed 40000\n"},
		"own no":         {one + "interface e1/1\ninherit port-profile A\nno priority-flow-control mode\n", "interface e1/1\n" + lines + "no priority-flow-control mode\n"},
		"later profile":  {"interface e1/1\ninherit port-profile A\n" + one, "interface e1/1\n" + lines},
		"nested":         {one + fmt.Sprintf(profile, "B", "mtu 2000\ninherit port-profile A\n") + "interface e1/1\ninherit port-profile B\n", "interface e1/1\n" + lines + "mtu 2000\n"},
		"first wins":     {one + fmt.Sprintf(profile, "B", "mtu 2000\n") + "interface e1/1\ninherit port-profile B\ninherit port-profile A\n", "interface e1/1\n" + lines + "mtu 2000\n"},
		"not enabled":    {strings.Replace(one, "state enabled\n", "", 1) + "interface e1/1\ninherit port-profile A\n", "interface e1/1\n"},
		"taken back":     {one + "interface e1/1\ninherit port-profile A\nno inherit port-profile A\n", "interface e1/1\n"},
		"port channel":   {strings.Replace(one, "type ethernet", "type port-channel", 1) + "interface port-channel1\ninherit port-profile A\ninterface e1/1\nchannel-group 1\n", "interface port-channel1\n" + lines + "interface e1/1\nchannel-group 1\n"},
		"running-config": {strings.ReplaceAll(strings.TrimSpace(one), "\n", "\n  ") + "\ninterface Ethernet1/1\n  inherit port-profile A\n", "interface e1/1\n" + lines},
	} {
		t.Run(name, func(t *testing.T) {
			got, want := readProfiled(c[0]), readProfiled(c[1])
			must.Equal(t, portSays(t, got, "Ethernet1/1"), portSays(t, want, "Ethernet1/1"))
			must.Equalf(t, unmodelled(got), unmodelled(want), "not modelled:")
		})
	}
}

func unmodelled(r read.Result) string {
	var all []string
	for _, s := range r.Ledger.Unmodelled() {
		all = append(all, s.Text+": "+s.Why)
	}
	return strings.Join(all, "; ")
}

// What a profile has that is not known touches the ports that inherit it, and an unknown profile those that name it.
func TestUnknownInProfiles(t *testing.T) {
	for _, c := range []struct{ text, line, why string }{
		{"port-profile type ethernet A\nip access-group X in\nstate enabled\ninterface e1/1-2\ninherit port-profile A\ninterface e1/3\nmtu 9216\n", "ip access-group X in", "a filter"},
		{"interface e1/1-2\ninherit port-profile B\ninterface e1/3\nmtu 9216\n", "inherit port-profile B", "the file has no port-profile B"},
		{"port-profile type ethernet A\ninherit port-profile A\nstate enabled\ninterface e1/1-2\ninherit port-profile A\n", "inherit port-profile A", "levels"},
	} {
		r, named := readProfiled(c.text), false
		for _, s := range r.Ledger.Statements {
			if s.Sort == read.Unmodelled && s.Text == c.line && strings.Contains(s.Why, c.why) {
				named = true
				if strings.Join(s.Touches.Ports, " ") != "Ethernet1/1 Ethernet1/2" {
					t.Errorf("%s touches %v", s.Text, s.Touches.Ports)
				}
			}
		}
		if !named {
			t.Errorf("%q is not named: %v", c.line, r.Ledger.Statements)
		}
	}
}

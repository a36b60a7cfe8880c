package systems_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/roceplan/roceplan/internal/testing/must"
	"github.com/roceplan/roceplan/internal/testing/oracle"
	"github.com/roceplan/roceplan/read/systems"
)

type sample struct{ name, title, text string }

// samples are beginnings of configurations as their systems print them. Names, addresses and
// numbers are made up; the shape of the lines is that of the sources in table.go.
var samples = []sample{
	{"head of EOS", "EOS", "! Command: show running-config\n! device: leaf-1 (DCS-7060X6-64PE, EOS-4.33.1F)\n!\nhostname leaf-1\n"},
	{"EOS without a head", "EOS", "!\nhostname leaf-1\n!\nqos profile RDMA\n   qos trust dscp\n   priority-flow-control on\n   priority-flow-control priority 3 no-drop\n!\ninterface Ethernet1/1\n   service-profile RDMA\n"},
	{"head of NX-OS", "NX-OS", "\n!Command: show running-config\n!Running configuration last done at: Tue Mar  4 10:00:00 2025\n\nversion 10.4(3) Bios:version 01.11\nhostname leaf-1\n"},
	{"NX-OS without a head", "NX-OS", "hostname leaf-1\nclass-map type network-qos NQ3\n  match qos-group 3\npolicy-map type network-qos NQ\n  class type network-qos NQ3\n    pause pfc-cos 3\nsystem qos\n  service-policy type network-qos NQ\n"},
	{"Junos in braces", "Junos Evolved", "version 23.4R2-EVO;\nsystem {\n    host-name leaf-1;\n}\nclass-of-service {\n    forwarding-classes {\n"},
	{"Junos as commands", "Junos Evolved", "set system host-name leaf-1\nset interfaces et-0/0/1 mtu 9216\n"},
	{"a banner with words of another", "EOS", "! device: leaf-1 (DCS-7060X6-64PE, EOS-4.33.1F)\nbanner login\nBuilding configuration... do not touch\nEOF\n"},
}

func TestSamples(t *testing.T) {
	others, titles := must.Get(txtar.ParseFile("testdata/others.txtar"))(t), map[string]bool{}
	for _, f := range others.Files {
		title, name, _ := strings.Cut(f.Name, ": ")
		samples, titles[title] = append(samples, sample{name, title, string(f.Data)}), true
		if e, ok := systems.Of(f.Data); ok && e.System.Format != "" {
			t.Errorf("%s is of a system that has a reader, %s", f.Name, e.System.Format)
		}
	}
	if len(others.Files) < 20 || len(titles) < 10 {
		t.Errorf("%d samples of %d other systems", len(others.Files), len(titles))
	}
	for _, c := range samples {
		e, ok := systems.Of([]byte(c.text))
		if !ok || e.System.Title != c.title {
			t.Errorf("%s: found %+v, want %s", c.name, e.System, c.title)
			continue
		}
		if shown := c.text[e.At:e.End]; shown == "" || strings.Contains(shown, "\n") || strings.TrimSpace(shown) != shown {
			t.Errorf("%s: %q is shown", c.name, shown)
		}
	}
}

// A line that several systems have shows nothing.
func TestSharedLines(t *testing.T) {
	for _, text := range []string{
		"", " \n", "hello world\n", "hostname leaf-1\n", "interface Ethernet1/1\n  mtu 9216\n", "#\nsysname leaf-1\n", "system qos\n",
		"router bgp 65001\n", "interface HundredGigE\n", "{}", "[]", `{"PORT": {}}`, `{"interfaces": {"sw": 1}}`, "<html>", "no feature", "interface 1/1", "vlan 10\n",
	} {
		if e, ok := systems.Of([]byte(text)); ok {
			t.Errorf("%q is taken for %s, by %q", text, e.System.Title, text[e.At:e.End])
		}
	}
}

// What comes first in the table must not decide where the lines of another are more.
func TestMostLinesDecide(t *testing.T) {
	text := "management ssh\n!\ninterface 1/1/1\n vlan access 3\n"
	if e, ok := systems.Of([]byte(text)); !ok || e.System.Title != "AOS-CX" || text[e.At:e.End] != "interface 1/1/1" {
		t.Errorf("%+v %t", e, ok)
	}
}

// Files of other hands are of the system that their folder says.
func TestPublicFiles(t *testing.T) {
	for pattern, want := range map[string]string{
		"eos_configs/*.cfg": "EOS", "nxos/*.c*": "NX-OS", "nxos_azure/*.cfg": "NX-OS", "os10/*.cfg": "Dell OS10", "junos/*.conf": "Junos Evolved",
	} {
		files, err := filepath.Glob(oracle.Data(t, filepath.Dir(pattern)) + "/" + filepath.Base(pattern))
		if err != nil || len(files) == 0 {
			t.Fatalf("%s: %d files, %v", pattern, len(files), err)
		}
		for _, file := range files {
			text := must.Get(os.ReadFile(file))(t)
			if e, ok := systems.Of(text[:min(len(text), 64<<10)]); ok && e.System.Title != want || !ok && want == "Dell OS10" {
				t.Errorf("%s is taken for %+v, want %s", file, e.System, want)
			}
		}
	}
}

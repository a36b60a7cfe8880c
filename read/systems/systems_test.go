package systems_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/roceplan/roceplan/internal/testing/must"
	"github.com/roceplan/roceplan/internal/testing/oracle"
	"github.com/roceplan/roceplan/read/systems"
)

// samples are beginnings of configurations as their systems print them. Names, addresses and
// numbers are made up; the shape of the lines is that of the sources in table.go.
var samples = []struct{ name, title, text string }{
	{"head of EOS", "EOS", "! Command: show running-config\n! device: leaf-1 (DCS-7060X6-64PE, EOS-4.33.1F)\n!\nhostname leaf-1\n"},
	{"EOS without a head", "EOS", "!\nhostname leaf-1\n!\nqos profile RDMA\n   qos trust dscp\n   priority-flow-control on\n   priority-flow-control priority 3 no-drop\n!\ninterface Ethernet1/1\n   service-profile RDMA\n"},
	{"head of NX-OS", "NX-OS", "\n!Command: show running-config\n!Running configuration last done at: Tue Mar  4 10:00:00 2025\n\nversion 10.4(3) Bios:version 01.11\nhostname leaf-1\n"},
	{"NX-OS without a head", "NX-OS", "hostname leaf-1\nclass-map type network-qos NQ3\n  match qos-group 3\npolicy-map type network-qos NQ\n  class type network-qos NQ3\n    pause pfc-cos 3\nsystem qos\n  service-policy type network-qos NQ\n"},
	{"Junos in braces", "Junos Evolved", "version 23.4R2-EVO;\nsystem {\n    host-name leaf-1;\n}\nclass-of-service {\n    forwarding-classes {\n"},
	{"Junos as commands", "Junos Evolved", "set system host-name leaf-1\nset interfaces et-0/0/1 mtu 9216\n"},
	{"OS10 with a head", "Dell OS10", "! Version 10.5.6.2\n! Last configuration change at Mar 04 10:00:00 2025\n!\nhostname leaf-1\n"},
	{"OS10 without a head", "Dell OS10", "hostname leaf-1\n!\nclass-map type network-qos RDMA\n match qos-group 3\n!\ntrust dot1p-map T\n qos-group 3 dot1p 3\n!\nqos-map traffic-class Q\n queue 3 qos-group 3\n!\npolicy-map type network-qos PFC\n class RDMA\n  pause\n  pfc-cos 3\n!\ninterface ethernet1/1/1\n priority-flow-control mode on\n service-policy input type network-qos PFC\n ets mode on\n"},
	{"OS9", "Dell OS9", "! Version 9.14(2.9)\n!\nhostname leaf-1\n!\ndcb-map RDMA\n priority-group 0 bandwidth 50 pfc off\n priority-group 1 bandwidth 50 pfc on\n!\ninterface fortyGigE 1/49\n dcb-map RDMA\n"},
	{"AOS-CX with a head", "AOS-CX", "!\n!Version ArubaOS-CX GL.10.13.1000\n!export-password: default\nhostname leaf-1\n"},
	{"AOS-CX without a head", "AOS-CX", "hostname leaf-1\nqos queue-profile RDMA\n    map queue 3 local-priority 3\n    name queue 3 rdma\nqos schedule-profile RDMA\n    dwrr queue 3 weight 50\napply qos queue-profile RDMA schedule-profile RDMA\nqos trust dscp\ninterface 1/1/1\n    no shutdown\n    flow-control priority 3 rxtx\n"},
	{"Huawei with a head", "Huawei VRP", "!Software Version V300R023C00SPC500\n!Last configuration was updated at 2025-03-04 10:00:00+00:00\n#\nsysname leaf-1\n#\n"},
	{"Huawei without a head", "Huawei VRP", "#\nsysname leaf-1\n#\ndcb pfc\n priority 3\n#\ninterface 100GE1/0/1\n port link-type trunk\n port trunk allow-pass vlan 10\n trust dscp\n dcb pfc enable mode manual\n qos queue 3 wred ecn\n#\nreturn\n"},
	{"a session of Huawei", "Huawei VRP", "[~leaf-1]dcb pfc\n[*leaf-1-dcb-pfc-default]priority 3\n[*leaf-1-dcb-pfc-default]commit\n"},
	{"ports of OS10 with words of EOS", "Dell OS10", "interface ethernet1/1/1-1/1/32\n  trust dscp\n  priority-flow-control priority 3 no-drop\n  priority-flow-control priority 4 no-drop\n"},
	{"ports of IOS with words of EOS and NX-OS", "Cisco IOS", "interface range GigabitEthernet1/0/1-48\n priority-flow-control mode on\n priority-flow-control priority 3 no-drop\n service-policy type qos input IN\n"},
	{"H3C", "H3C Comware", "#\n version 7.1.070, Release 6635P07\n#\n sysname leaf-1\n#\ninterface HundredGigE1/0/1\n port link-mode bridge\n priority-flow-control enable\n priority-flow-control no-drop dot1p 3\n qos trust dscp\n qos wred queue 3 ecn\n#\nreturn\n"},
	{"Enterprise SONiC", "Enterprise SONiC's command line", "!\nhostname leaf-1\n!\nqos map dscp-tc RDMA\n dscp 26 traffic-class 3\n!\nqos wred-policy RDMA\n green minimum-threshold 1048 maximum-threshold 2097 drop-probability 5\n ecn green\n!\ninterface Ethernet0\n mtu 9100\n queue 3 wred-policy RDMA\n qos-map dscp-tc RDMA\n priority-flow-control priority 3\n"},
	{"IOS-XR", "Cisco IOS-XR", "!! IOS XR Configuration 24.2.1\n!! Last configuration change at Tue Mar  4 10:00:00 2025 by admin\n!\nhostname leaf-1\n"},
	{"IOS-XR without a head", "Cisco IOS-XR", "hostname leaf-1\nclass-map match-any RDMA\n match dscp 26\n end-class-map\n!\npolicy-map IN\n class RDMA\n  set traffic-class 3\n !\n end-policy-map\n!\ninterface HundredGigE0/0/0/1\n service-policy input IN\n priority-flow-control mode on\n"},
	{"IOS", "Cisco IOS", "Building configuration...\n\nCurrent configuration : 8123 bytes\n!\nversion 17.9\nservice timestamps debug datetime msec\nhostname leaf-1\ninterface HundredGigE1/0/1\n"},
	{"Onyx", "NVIDIA Onyx", "##\n## Running database \"initial\"\n## Generated at 2025/03/04 10:00:00 +0000\n## Hostname: leaf-1\n##\n   interface ethernet 1/1 mtu 9216 force\n   roce lossless\n"},
	{"files of Cumulus Linux", "Cumulus Linux without NVUE", "# packet header field used\ntraffic.packet_priority_source_set = [dscp]\ntraffic.cos_3.priority_source.dscp = [26]\npfc.port_group_list = [rdma]\npfc.rdma.port_set = swp1-swp32\n"},
	{"FBOSS", "FBOSS", `{"defaultCommandLineArgs": {"enable_replayer": "true"}, "sw": {"ports": [{"logicalID": 1, "speed": 400000}]}}`},
	{"Ruijie", "Ruijie RGOS", "hostname leaf-1\n!\ninterface HundredGigabitEthernet 0/1\n switchport mode trunk\n!\n"},
	{"PicOS", "PicOS", "set interface gigabit-ethernet xe-1/1/1 family ethernet-switching native-vlan-id 10\nset system hostname \"leaf-1\"\nset class-of-service forwarding-class fc3 local-priority 3\n"},
	{"VyOS", "VyOS", "set interfaces ethernet eth0 address '192.0.2.1/24'\nset system host-name 'r1'\n"},
	{"SR OS", "Nokia SR OS", "# TiMOS-C-23.10.R1 both/x86_64 Nokia 7750 SR\n# Generated TUE MAR 04 10:00:00 2025 UTC\nexit all\nconfigure\n"},
	{"Junos as XML", "Junos' configuration as XML or JSON", "<?xml version=\"1.0\"?>\n<configuration>\n  <version>23.4R2</version>\n"},
	{"a patch of SONiC", "a JSON patch, as `config apply-patch` of SONiC takes it", `[{"op": "add", "path": "/asic0/PORT/Ethernet0/speed", "value": "100000"}]`},
	{"minigraph", "SONiC's minigraph", "<DeviceMiniGraph xmlns=\"Microsoft.Search.Autopilot.Evolution\">\n"},
	{"a banner with words of another", "EOS", "! device: leaf-1 (DCS-7060X6-64PE, EOS-4.33.1F)\nbanner login\nBuilding configuration... do not touch\nEOF\n"},
}

func TestSamples(t *testing.T) {
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

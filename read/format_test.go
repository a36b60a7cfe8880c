package read_test

import (
	"testing"

	"github.com/roceplan/roceplan/internal/testing/must"
	"github.com/roceplan/roceplan/read"
	"github.com/roceplan/roceplan/read/eos"
	"github.com/roceplan/roceplan/read/junos"
	"github.com/roceplan/roceplan/read/nvue"
	"github.com/roceplan/roceplan/read/nxos"
	"github.com/roceplan/roceplan/read/openconfig"
	"github.com/roceplan/roceplan/read/sonic"
	"github.com/roceplan/roceplan/read/srlinux"
)

// The order in which formats are asked: see [read.Format].
func formats() []read.Format {
	return []read.Format{nvue.Format(), openconfig.Format(), srlinux.Format(), sonic.Format(), nxos.Format(), junos.Format(), eos.Format()}
}

func TestRecognize(t *testing.T) {
	for _, c := range []struct{ head, want string }{
		{"- set:\n    qos: {}\n", "nvue"},
		{"---\n# by hand\n- header:\n    model: x\n", "nvue"},
		{`{"openconfig-qos:qos": {}}`, "openconfig"},
		{`{"DEVICE_METADATA": {}}`, "sonic"},
		{"{}", "sonic"},
		{"! Command: show running-config\n! device: a (DCS-7060X6-64PE, EOS-4.33.1F)\n", "eos"},
		{"!\nqos profile experiment\n   qos trust cos\n", "eos"},
		{"no enable password\nno aaa root\n", "eos"},
		{"!RANCID-CONTENT-TYPE: arista\n! device: a (DCS-7060X6-64PE, EOS-4.34.2F)\nhostname a\nsystem l1\n   unsupported speed action warn\n", "eos"},
		{"!Command: show running-config\n", "nxos"},
		{"hostname a\n\nfeature bgp\n", "nxos"},
		{"system qos\n  service-policy type network-qos x\n", "nxos"},
		{"policy-map type quality-of-service x\n", "eos"},
		{"", ""}, {"null", ""}, {"hello world", ""}, {"[]", ""}, {"\x7fELF", ""},
		{"interfaces {\n    et-0/0/0 {\n", "junos"}, {"set interfaces et-0/0/0 mtu 9216\n", "junos"},
		{"nv set system hostname leaf-1\n", "nvue"}, {"# of leaf-1\nset -e\nnv set qos roce mode lossless\n", "nvue"}, {"cumulus@leaf-1:~$ nv unset qos roce\n", "nvue"},
		{"deactivate interfaces et-0/0/9\nset version 23.4\n", "junos"},
		{"version 23.4R1-EVO;\nsystem\n{\n", "junos"}, {"class-of-service\n{\n", "junos"}, {"set apply-groups member0\n", "junos"},
	} {
		got := ""
		for _, f := range formats() {
			if f.Recognize([]byte(c.head)) != nil {
				got = f.Name
				break
			}
		}
		must.Equalf(t, got, c.want, "%q is taken for", c.head)
	}
}

func TestDevice(t *testing.T) {
	of := map[string]read.Format{}
	for _, f := range formats() {
		of[f.Name] = f
	}
	for _, c := range []struct{ format, text, want string }{
		{"sonic", `{"DEVICE_METADATA": {"localhost": {"hostname" : "leaf-1"}}}`, "leaf-1"},
		{"sonic", `{"DEVICE_METADATA": {"localhost": {"hostname": 1, "x": "y"}}}`, ""},
		{"sonic", `{"hostname": "`, ""},
		{"eos", "!\nhostname  leaf-1 \r\n", "leaf-1"},
		{"eos", "hostname leaf-1", "leaf-1"},
		{"nxos", "feature bgp\nhostname leaf-1\n", "leaf-1"},
		{"nxos", "switchname leaf-1\r\n", "leaf-1"},
		{"nvue", "# QoS of leaf-1. Apply with\n- set:\n", "leaf-1"},
		{"nvue", "- set:\n    system:\n      hostname: leaf-1\n", "leaf-1"},
		{"nvue", "nv set interface swp1 link mtu 9216\nnv set system hostname leaf-1\n", "leaf-1"},
		{"openconfig", `{"openconfig-qos:qos": {}}`, ""},
	} {
		name, at := of[c.format].Device([]byte(c.text))
		if name != c.want || name != "" && c.text[at:at+len(name)] != name {
			t.Errorf("%s: %q is named %q at %d, want %q", c.format, c.text, name, at, c.want)
		}
	}
}

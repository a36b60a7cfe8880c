package policy_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/roceplan/roceplan/diag"
	"github.com/roceplan/roceplan/policy"
)

// Each bound of a value, from both sides: values that are taken before a bar, behind it those that are not. The
// bounds are those that LANGUAGE.md promises.
func TestBoundsOfValues(t *testing.T) {
	const switches = "switch \"tor\" {\n chip = \"tomahawk5\"\n os = \"sonic\"\n %s\n port_group \"p\" {\n ports = \"Ethernet[0..3]\"\n speed = \"100Gbps\"\n %s\n }\n}\n"
	const classes = "traffic_class \"rdma\" {\n dscp = [26]\n queue = 3\n pfc = 3\n %s\n }\n"
	const nics = "nic \"cx\" {\n model = \"connectx-7\"\n %s\n}\n"
	const scenarios = "scenario \"s\" {\n %s\n incast {\n senders = 2\n %s\n }\n}\n"
	for _, c := range []struct{ where, attribute, values string }{
		{classes, "weight", "1 100 | 0 101 1.5 -1"}, {classes, "queue_pairs", "1 16777216 | 0 16777217"}, {classes, "burst", `"64B" "1GiB" | "63B" "1073741825B"`},
		{classes, "traffic_class", "0 7 | 8 -1"}, {classes, "priority_group", "0 7 | 8"}, {classes, "keep_dscp", "[0] [63] | [64]"}, {classes, "max_rate", `"1bps" | "0bps"`},
		{nics, "cnp_dscp", "0 63 | 64"}, {nics, "ack_dscp", "0 63 | 64"}, {nics, "cnp_pfc", "0 7 | 8"}, {nics, "cnp_interval", `"1ns" "1s" | "999ps" "1000000001ns"`},
		{nics, "send_latency", `"0s" "1ms" | "1000001ns"`}, {nics, "receive_latency", `"0s" "1ms" | "1000001ns"`},
		{"fabric \"f\" {\n %s\n}\n", "xoff_time", `"1us" "1s" | "999ns" "1000000001ns"`}, {"fabric \"f\" {\n %s\n}\n", "mtu", `"64B" "9416B" | "63B" "9417B"`},
		{fmt.Sprintf(switches, "", "%s"), "cable", `"100mm" "1000km" | "99mm" "0m" "1001km"`}, {fmt.Sprintf(strings.Replace(switches, "speed = \"100Gbps\"", "", 1), "", "%s"), "speed", `"10Mbps" "10Tbps" | "9Mbps" "10001Gbps"`},
		{fmt.Sprintf(scenarios, "%s", ""), "time", `"1us" "1s" | "999ns" "1000000001ns"`}, {fmt.Sprintf(scenarios, "%s", ""), "flowlet_gap", `"1ns" "1s" | "999ps" "1000000001ns"`},
		{fmt.Sprintf(scenarios, "", "%s"), "message", `"64B" "16GB" | "63B" "16000000001B"`}, {fmt.Sprintf(scenarios, "", "%s"), "every", `"1ns" "1s" | "1000000001ns"`}, {fmt.Sprintf(scenarios, "", "%s"), "start", `"0s" "1ms" | "1000000001ns"`},
	} {
		taken, refused, _ := strings.Cut(c.values, " | ")
		for i, values := range []string{taken, refused} {
			for value := range strings.FieldsSeq(values) {
				text := fmt.Sprintf(c.where, c.attribute+" = "+value)
				if !strings.HasPrefix(text, "fabric") {
					text = "fabric \"f\" {}\n" + text
				}
				_, found := policy.Load(policy.Options{Files: []policy.Source{{Name: "fabric.hcl", Text: []byte(text)}}, Catalogue: catalogue(t)})
				out := boundOf(found, c.attribute)
				if (out != "") != (i == 1) {
					t.Errorf("%s = %s: %q\n%s", c.attribute, value, out, render(found))
				}
			}
		}
	}
}

// boundOf returns the message about the bound of an attribute.
func boundOf(found diag.List, attribute string) string {
	for _, d := range found {
		if d.Code == policy.UnknownAttribute || d.Code == policy.OutOfRange && strings.HasPrefix(d.Message, attribute) {
			return d.Message
		}
	}
	return ""
}

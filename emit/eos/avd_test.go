package eos

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"go.yaml.in/yaml/v4"
	"pgregory.net/rapid"

	"github.com/roceplan/roceplan/internal/testing/diagtest"
	"github.com/roceplan/roceplan/plan"
)

// avdKeys is what AVD's schema takes for each key that roceplan may print: path with []
// for a list, the type, and the values as a regular expression. Source of each: the
// schema fragment of its first key, as named at [EmitAVD]; ethernet_interfaces
// @94f3aabf.
var avdKeys = map[string]string{
	"platform.trident.mmu.active_profile":                                       `str .+`,
	"platform.trident.mmu.headroom_pool.limit":                                  `int \d+`,
	"platform.trident.mmu.queue_profiles[].name":                                `str .+`,
	"platform.trident.mmu.queue_profiles[].ingress.headroom.memory":             `int \d+`,
	"platform.trident.mmu.queue_profiles[].ingress.resume":                      `int \d+`,
	"platform.trident.mmu.queue_profiles[].ingress.priority_groups[].id":        `int [0-7]`,
	"platform.trident.mmu.queue_profiles[].ingress.priority_groups[].threshold": `str (1|2|4|8|1/(2|4|8|16|32|64|128))`,

	"platform.trident.mmu.queue_profiles[].ingress.priority_groups[].reserved.memory": `int \d+`,

	"platform.trident.mmu.queue_profiles[].unicast_queues[].id":        `int [0-7]`,
	"platform.trident.mmu.queue_profiles[].unicast_queues[].reserved":  `int \d+`,
	"platform.trident.mmu.queue_profiles[].unicast_queues[].threshold": `str (1|2|4|8|1/(2|4|8|16|32|64|128))`,

	"qos_profiles[].name":                                           `str .+`,
	"qos_profiles[].trust":                                          `str (cos|dscp|disabled)`,
	"qos_profiles[].service_policy.type.qos_input":                  `str .+`,
	"qos_profiles[].priority_flow_control.enabled":                  `bool .+`,
	"qos_profiles[].priority_flow_control.priorities[].priority":    `int [0-7]`,
	"qos_profiles[].priority_flow_control.priorities[].no_drop":     `bool .+`,
	"qos_profiles[].priority_flow_control.watchdog.enabled":         `bool .+`,
	"qos_profiles[].priority_flow_control.watchdog.timer.timeout":   `str \d+(\.\d{1,2})?`,
	"qos_profiles[].*tx_queues[].id":                                `int [0-7]`,
	"qos_profiles[].*tx_queues[].priority":                          `str (priority strict|no priority)`,
	"qos_profiles[].*tx_queues[].bandwidth_percent":                 `int \d+`,
	"qos_profiles[].*tx_queues[].bandwidth_guaranteed_percent":      `int \d+`,
	"qos_profiles[].*tx_queues[].shape.rate":                        `str \d+ kbps`,
	"qos_profiles[].*tx_queues[].random_detect.ecn.threshold.units": `str bytes`,
	"qos_profiles[].*tx_queues[].random_detect.ecn.threshold.min":   `int [1-9]\d*`,
	"qos_profiles[].*tx_queues[].random_detect.ecn.threshold.max":   `int [1-9]\d*`,

	"qos_profiles[].*tx_queues[].random_detect.ecn.threshold.max_probability": `int ([1-9]\d?|100)`,
	"qos_profiles[].*tx_queues[].random_detect.ecn.threshold.weight":          `int (\d|1[0-5])`,
	"qos_profiles[].priority_flow_control.watchdog.timer.polling_interval":    `str auto|str \d+(\.\d{1,3})?`,
	"qos_profiles[].priority_flow_control.watchdog.timer.recovery_time":       `str \d+(\.\d{1,2})?`,

	"ethernet_interfaces[].name":                                      `str Ethernet\S+`,
	"ethernet_interfaces[].service_profile":                           `str .+`,
	"ethernet_interfaces[].mtu":                                       `int \d+`,
	"ethernet_interfaces[].switchport.enabled":                        `bool false`,
	"ethernet_interfaces[].*tx_queues[].id":                           `int [0-7]`,
	"ethernet_interfaces[].*tx_queues[].random_detect.ecn.count":      `bool true`,
	"ipv6_access_lists[].name":                                        `str .+`,
	"ipv6_access_lists[].sequence_numbers[].sequence":                 `int \d+`,
	"ipv6_access_lists[].sequence_numbers[].action":                   `str .+`,
	"ip_access_lists[].name":                                          `str .+`,
	"ip_access_lists[].entries[].sequence":                            `int \d+`,
	"ip_access_lists[].entries[].action":                              `str (permit|deny)`,
	"ip_access_lists[].entries[].protocol":                            `str .+`,
	"ip_access_lists[].entries[].source":                              `str any`,
	"ip_access_lists[].entries[].destination":                         `str any`,
	"ip_access_lists[].entries[].destination_ports[]":                 `str \d+`,
	"ip_access_lists[].entries[].dscp":                                `str \d+`,
	"ip_hardware.fib.load_balance_distribution.dynamic.enabled":       `bool .+`,
	"ethernet_interfaces[].eos_cli":                                   `str dcbx mode ieee\n`,
	"queue_monitor_length.enabled":                                    `bool true`,
	"ip_hardware.fib.load_balance_distribution.dynamic.flow_set_size": `int [1-7]`,
	"load_balance.cluster.forwarding_type":                            `str (bridged encapsulation vxlan ipv4|routed ipv4)`,
	"load_balance.cluster.destination_grouping":                       `str (BGP field-set|prefix length|vtep)`,
	"load_balance.cluster.prefix_length":                              `str \d+`,
	"load_balance.cluster.load_balance_method_flow_round_robin":       `bool true`,
	"load_balance.cluster.flow.source_learning_aging_timeout":         `int \d+`,
	"load_balance.cluster.port_groups[].group":                        `str .+`,
	"load_balance.cluster.port_groups[].interface":                    `str Ethernet\S+`,
	"load_balance.cluster.port_groups[].flow.limit":                   `int \d+`,
	"qos.map.dscp[]":                                  `str \d+( \d+)* to traffic-class [0-7]`,
	"qos.map.traffic_class[]":                         `str \d to tx-queue [0-7]`,
	"priority_flow_control.watchdog.action":           `str (drop|errdisable|notify-only)`,
	"priority_flow_control.watchdog.timeout":          `str \d+(\.\d{1,2})?`,
	"priority_flow_control.watchdog.polling_interval": `str \d+(\.\d{1,3})?`,
	"priority_flow_control.watchdog.recovery_time":    `str \d+(\.\d{1,2})?`,
	"class_maps.qos[].name":                           `str .+`,
	"class_maps.qos[].ip.access_group":                `str .+`,
	"class_maps.qos[].ipv6.access_group":              `str .+`,
	"policy_maps.qos[].name":                          `str .+`,
	"policy_maps.qos[].classes[].name":                `str .+`,
	"policy_maps.qos[].classes[].set.dscp":            `str \d+`,
	"policy_maps.qos[].classes[].set.traffic_class":   `int [0-7]`,
	"eos_cli": `(?s)str .+`,
}

// leaves walks a document and gives each scalar as path and "type value".
func leaves(v any, at string, visit func(path, value string)) {
	switch v := v.(type) {
	case map[string]any:
		for key, child := range v {
			leaves(child, strings.TrimPrefix(at+"."+key, "."), visit)
		}
	case []any:
		for _, child := range v {
			leaves(child, at+"[]", visit)
		}
	case string:
		visit(at, "str "+v)
	case bool:
		visit(at, fmt.Sprint("bool ", v))
	default:
		visit(at, fmt.Sprint("int ", v))
	}
}

func renderAVD(t interface{ Fatalf(string, ...any) }, s *plan.Switch) map[string]any {
	files, list := EmitAVD(s)
	if list.HasErrors() {
		t.Fatalf("refused: %v", list)
	}
	var doc map[string]any
	if err := yaml.Unmarshal(files[0].Body.AppendFor(nil, s.Names[0]), &doc); err != nil {
		t.Fatalf("%v", err)
	}
	return doc
}

// TestAVDTakesEveryKey checks documents of random switches against AVD's schema, and
// demands that each key of the table occurs.
func TestAVDTakesEveryKey(t *testing.T) {
	seen := map[string]bool{}
	checkEach(t, func(t fataler, s *plan.Switch) {
		leaves(renderAVD(t, s), "", func(path, value string) {
			path = regexp.MustCompile(`\b(uc_)?tx_queues`).ReplaceAllString(path, "*tx_queues")
			want, ok := avdKeys[path]
			if !ok {
				t.Fatalf("AVD has no key %s", path)
			}
			if !regexp.MustCompile("^(?:" + want + ")$").MatchString(value) {
				t.Fatalf("%s: AVD wants %s, not %s", path, want, value)
			}
			seen[path] = true
		})
	})
	for path := range avdKeys {
		if !seen[path] {
			t.Errorf("no switch printed the key %s", path)
		}
	}
}

// TestAVDRendersTheSameConfiguration: what AVD's templates make of the document is the
// configuration that the full form prints.
func TestAVDRendersTheSameConfiguration(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := holdable(t)
		want := render(t, s)
		want = strings.Replace(want, "hostname "+s.Names[0]+"\n", "", 1)
		want = strings.TrimSuffix(want, "end\n")
		if diff := cmp.Diff(inContext(want), inContext(avdTemplates(renderAVD(t, s)))); diff != "" {
			t.Fatalf("-want +AVD\n%s", diff)
		}
	})
}

// inContext lists the commands of a configuration, each behind the commands that open
// its mode, sorted: AVD puts some lines elsewhere, which says the same.
func inContext(text string) []string {
	type level struct {
		indent int
		line   string
	}
	var stack []level
	var out []string
	for raw := range strings.Lines(text) {
		line := strings.TrimSpace(raw)
		if line == "" || line == "!" {
			continue
		}
		indent := len(raw) - len(strings.TrimLeft(raw, " "))
		for len(stack) > 0 && indent <= stack[len(stack)-1].indent {
			stack = stack[:len(stack)-1]
		}
		var path strings.Builder
		for _, l := range stack {
			path.WriteString(l.line + " / ")
		}
		if strings.HasPrefix(line, "priority-flow-control pause watchdog port timer ") {
			continue // repeats the defaults of the switch, see avdProfile
		}
		stack = append(stack, level{indent, line})
		out = append(out, path.String()+line)
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// TestAVDGolden shows a document to people.
func TestAVDGolden(t *testing.T) {
	files, _ := EmitAVD(leaf())
	diagtest.Golden(t, "testdata/leaf.avd.yml", string(files[0].Body.AppendFor(nil, "leaf-1")))
	diagtest.Golden(t, "testdata/leaf-session.txt", renderSession(t, leaf()))
}

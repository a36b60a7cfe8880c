package pool_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/roceplan/roceplan/calc/pool"
	"github.com/roceplan/roceplan/chips"
	"github.com/roceplan/roceplan/internal/testing/must"
)

// element is a question about Spectrum-4 with the given members, and with one group.
func element(members, group string) string {
	if !strings.Contains(members, `"profiles"`) {
		members += `, "profiles": {"ingress_lossy_profile": 0, "egress_lossless_profile": 0, "egress_lossy_profile": 0, "q_lossy_profile": 0}`
	}
	return `{"asic": "spectrum-4"` + members + `, "port_groups": [` + group + `]}`
}

const (
	sized = `{"ports": 4, "lanes": 4, "lossless_pgs": 2, "xon_bytes": 19456, "xoff_bytes": 51200, "size_bytes": 19456}`
	cable = `{"ports": 4, "lanes": 4, "lossless_pgs": 2, "speed_mbps": 100000, "cable_m": 40`
)

// The whole answer: members stay, answers of an earlier run go, what was filled in is said.
func TestBatchAnswer(t *testing.T) {
	var out bytes.Buffer
	question := "\ufeff[" + element(`, "filled_in": 3, "z": 1.50, "error": "old", "predicted_pools": {}, "a": "<", "over_subscribe_ratio": 1`, sized) + "]"
	bad, err := pool.Batch(strings.NewReader(question), &out, catalogue(t))
	if err != nil || bad != 0 {
		t.Fatalf("%d bad, %v", bad, err)
	}
	// Of 158,229,504 B: lossless 8·19,456 = 155,648; lossy and management 4·19 KiB each =
	// 155,648; mirroring 4·10 KiB = 40,960; private 4·10 KiB = 40,960; the chip's own
	// 256 KiB = 262,144. The pool of headroom is 8·51,200 − 40,960 = 368,640.
	const size = 158_229_504 - 155_648 - 155_648 - 40_960 - 40_960 - 262_144 - 368_640
	var compact bytes.Buffer
	must.Do(t, json.Compact(&compact, out.Bytes()))
	want := fmt.Sprintf(`[{"asic":"spectrum-4","z":1.50,"a":"\u003c","over_subscribe_ratio":1,"profiles":{"ingress_lossy_profile":0,"egress_lossless_profile":0,`+
		`"egress_lossy_profile":0,"q_lossy_profile":0},"port_groups":[%s],"predicted_pools":{"egress_lossy_pool":{"size_bytes":%d},`+
		`"ingress_lossless_pool":{"size_bytes":%[2]d,"xoff_bytes":368640}},"filled_in":{"cell_size_bytes":192,"mmu_bytes":158229504,"pipeline_latency_kib":19}}]`,
		strings.ReplaceAll(sized, " ", ""), size)
	must.NoDiff(t, cmp.Diff(want, compact.String()))
	if !strings.HasPrefix(out.String(), "[\n {\n  \"asic\"") || !strings.HasSuffix(out.String(), "\n]\n") {
		t.Errorf("not indented by one space, or no end of line:\n%s", &out)
	}
}

// What is filled in is what is absent, no more.
func TestBatchFillsIn(t *testing.T) {
	const known = `, "mmu_bytes": 100000000, "cell_size_bytes": 192, "pipeline_latency_kib": 19`
	for question, want := range map[string]string{
		element(known, sized): "",
		element(`, "cell_size_bytes": 192, "pipeline_latency_kib": 19`, sized): "mmu_bytes",
		element(known, cable+"}"):                                                           "size_bytes xoff_bytes xon_bytes",
		element(known, cable+`, "xon_bytes": 19456}`):                                       "size_bytes xoff_bytes",
		element(known, cable+`, "xoff_bytes": 51200}`):                                      "size_bytes xon_bytes",
		element(known, cable+`, "size_bytes": 51200}`):                                      "xoff_bytes xon_bytes",
		element(known, cable+`, "size_bytes": 51200, "xon_bytes": 1}`):                      "xoff_bytes",
		element(known, cable+`, "admin_up": false}`):                                        "",
		element(known, strings.Replace(cable, `pgs": 2`, `pgs": 0`, 1)+"}"):                 "",
		element(known, strings.Replace(sized, "}", `, "speed_mbps": -1, "cable_m": 4}`, 1)): "", // nobody asks
	} {
		var got []string
		a := ask(t, "["+question+"]")[0]
		filled, _ := a["filled_in"].(map[string]any)
		for _, name := range []string{"mmu_bytes", "cell_size_bytes", "pipeline_latency_kib"} {
			if filled[name] != nil {
				got = append(got, name)
			}
		}
		for _, name := range []string{"size_bytes", "xoff_bytes", "xon_bytes"} {
			if filled["port_groups[0]."+name] != nil {
				got = append(got, name)
			}
		}
		if a["error"] != nil || strings.Join(got, " ") != want || len(got) != len(filled) || (a["filled_in"] == nil) != (want == "") {
			t.Errorf("%s:\n%v %v, want %s", question, a["error"], a["filled_in"], want)
		}
	}
}

// Bounds of members, on both sides.
func TestBatchBounds(t *testing.T) {
	const missing = "missing: port_groups[0].xon_bytes, port_groups[0].xoff_bytes, port_groups[0].size_bytes"
	const cannot = "port_groups[0].xoff_bytes is missing, and cannot be computed: "
	with := func(group, member string) string {
		name, _, _ := strings.Cut(member, ":")
		var parts []string
		for part := range strings.SplitSeq(strings.Trim(group, "{}"), ", ") {
			if !strings.HasPrefix(part, name+":") {
				parts = append(parts, part)
			}
		}
		return "{" + strings.Join(append(parts, member), ", ") + "}"
	}
	for question, want := range map[string]string{
		element(`, "mmu_bytes": 1`, sized):                                           "nothing is left",
		element(`, "mmu_bytes": 0`, sized):                                           "mmu_bytes is 0, it must be between 1 and 1099511627776",
		element(`, "mmu_bytes": 1099511627776`, sized):                               "",
		element(`, "mmu_bytes": 1099511627777`, sized):                               "mmu_bytes is 1099511627777, it must be between 1 and 1099511627776",
		element(`, "pipeline_latency_kib": 1`, sized):                                "",
		element(`, "pipeline_latency_kib": 1073741824`, sized):                       "pipeline_latency_kib is 1073741824, it must be between 1 and 1048576",
		element(`, "pipeline_latency_kib": 1073741825`, sized):                       "pipeline_latency_kib is 1073741825, it must be between 1 and 1073741824",
		element("", with(cable, `"speed_mbps": 0`)):                                  cannot + "speed is 0bps",
		element("", with(cable, `"speed_mbps": -1`)):                                 cannot + "speed_mbps is -1, it must be between 0 and 16777216",
		element("", with(cable, `"speed_mbps": 16777216`)):                           cannot + "speed is 16777.216Gbps, it must be between 1Mbps and 10Tbps",
		element("", with(cable, `"speed_mbps": 16777217`)):                           cannot + "speed_mbps is 16777217, it must be between 0 and 16777216",
		element("", with(cable, `"cable_m": 0`)):                                     "",
		element("", with(cable, `"cable_m": 1048576`)):                               cannot + "cable is 1048.576km, it must be between 0m and 1000km",
		element("", with(cable, `"cable_m": 1048577`)):                               cannot + "cable_m is 1048577, it must be between 0 and 1048576",
		element("", with(cable, `"lanes": 16`)):                                      "",
		element("", with(cable, `"lanes": 17`)):                                      cannot + "lanes is 17, it must be between 0 and 16",
		element(`, "port_mtu_bytes": 1073741824`, cable+"}"):                         cannot + "port_mtu is",
		element(`, "port_mtu_bytes": 1073741825`, cable+"}"):                         cannot + "port_mtu_bytes is 1073741825, it must be between 0 and 1073741824",
		element(`, "lossless_mtu_bytes": 1073741824`, cable+"}"):                     cannot + "lossless_mtu is",
		element(`, "lossless_mtu_bytes": 1073741825`, cable+"}"):                     cannot + "lossless_mtu_bytes is 1073741825, it must be between 0 and 1073741824",
		element(`, "small_packet_percent": 100`, cable+"}"):                          "",
		element(`, "small_packet_percent": 101`, cable+"}"):                          cannot + "small_packet_percent is 101, it must be between 0 and 100",
		element(`, "over_subscribe_ratio": 1048576`, cable+"}"):                      "",
		element(`, "over_subscribe_ratio": 1048577`, cable+"}"):                      cannot + "over_subscribe_ratio is 1048577, it must be between 0 and 1048576",
		element("", strings.Replace(cable+"}", `"cable_m": 40`, `"x": 1`, 1)):        missing,
		element("", strings.Replace(cable+"}", `"speed_mbps": 100000`, `"x": 1`, 1)): missing,
		element(`, "pipeline_latency_kib": 18`, cable+"}"):                           missing,
		element(`, "cell_size_bytes": 191`, cable+"}"):                               missing,
		element("", strings.Replace(cable+"}", `"lanes": 4`, `"x": 1`, 1)):           "missing: port_groups[0].lanes, port_groups[0].xon_bytes, port_groups[0].xoff_bytes, port_groups[0].size_bytes",
		element("", `{"ports": 4, "lossless_pgs": 0}`):                               "missing: port_groups[0].lanes",
		element(`, "profiles": {"ingress_lossy_profile": -1}`, sized):                "missing: profiles.egress_lossless_profile, profiles.egress_lossy_profile, profiles.q_lossy_profile",
	} {
		got, _ := ask(t, "["+question+"]")[0]["error"].(string)
		if !strings.HasPrefix(got, want) && !(want == "nothing is left" && strings.Contains(got, want)) || (got == "") != (want == "") {
			t.Errorf("%s:\n%q, want %q", question, got, want)
		}
	}
}

// What a chip of one's own lacks or has of no use is named.
func TestBatchOfAnIncompleteChip(t *testing.T) {
	const known = `
chip "mine" {
  title  = "Mine"
  vendor = "me"
  family = "spectrum"
`
	datum := func(name, value string) string {
		return name + " {\n value = \"" + value + "\"\n confidence = \"assumed\"\n source = \"me\"\n}\n"
	}
	sums := datum("cell_size", "192B") + datum("usable_buffer", "150MiB") + datum("pipeline_latency", "19KiB") + datum("port_reserved", "256KiB") + datum("private_headroom", "10KiB")
	for data, want := range map[string]string{
		datum("cell_size", "192B"):           "usable_buffer",
		sums:                                 "",
		sums + datum("tile_delay", "1500ps"): "port_groups[0].xoff_bytes is missing, and cannot be computed: tile_delay",
	} {
		cat := must.Sound(chips.Load(chips.Source{Name: "mine.hcl", Text: []byte(known + data + "}\n")}))(t)
		var out bytes.Buffer
		bad, err := pool.Batch(strings.NewReader("["+strings.Replace(element("", cable+"}"), "spectrum-4", "mine", 1)+"]"), &out, cat)
		if err != nil || (bad == 0) != (want == "") || !strings.Contains(out.String(), want) || (want == "") == strings.Contains(out.String(), `"error"`) {
			t.Errorf("%d bad, %v: want %q in\n%s", bad, err, want, &out)
		}
	}
}

type full struct{}

func (full) Write([]byte) (int, error) { return 0, errors.New("no space left") }

// A fault of writing is told, with the number of elements without an answer.
func TestBatchCannotWrite(t *testing.T) {
	bad, err := pool.Batch(strings.NewReader("[1, 2]"), full{}, catalogue(t))
	if bad != 2 || err == nil || err.Error() != "no space left" {
		t.Errorf("%d bad, %v", bad, err)
	}
	if bad, err := pool.Batch(strings.NewReader("{}"), full{}, catalogue(t)); bad != 0 || err == nil {
		t.Errorf("%d bad, %v", bad, err)
	}
}

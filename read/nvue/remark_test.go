package nvue

import (
	"strings"
	"testing"

	"github.com/roceplan/roceplan/internal/testing/must"
	"github.com/roceplan/roceplan/read"
)

// A profile that rewrites DSCPs and has none is assumed to keep them; one with a code point, one that no port has and one that
// rewrites tags alone are not.
func TestRewritingWithoutCodePoints(t *testing.T) {
	for text, want := range map[string]string{
		"nv set qos remark default-global rewrite l3\n":                                                             "qos remark default-global",
		"nv set qos remark default-global rewrite both\nnv set qos remark default-global switch-priority 3 pcp 3\n": "qos remark default-global",
		"nv set qos remark default-global rewrite l3\nnv set qos remark default-global switch-priority 3 dscp 26\n": "",
		"nv set qos remark default-global rewrite l2\n":                                                             "",
		"nv set qos remark p rewrite l3\n":                                                                          "",
	} {
		result := Format().Read("leaf-1/nvue.txt", []byte(text+"nv set interface swp1\n"), read.Options{})
		var where []string
		for _, a := range result.Assumed {
			where = append(where, a.Where)
		}
		if got := strings.Join(where, "; "); got != want {
			t.Errorf("%q: assumed is %q, want %q", text, got, want)
		}
	}
}

// A profile with sizes and several priorities is assumed to have them for each; one without sizes, one of one priority and one
// that no port has are not.
func TestPortBufferOfSeveralPriorities(t *testing.T) {
	const sizes, used = "nv set qos pfc p port-buffer 50000\nnv set qos pfc p xoff-threshold 20000\n", "nv set interface swp1 qos pfc profile p\n"
	for text, want := range map[string]string{
		"nv set qos pfc p switch-priority 3,4\n" + sizes + used: "qos pfc p",
		"nv set qos pfc p switch-priority 3,4\n" + used:         "",
		"nv set qos pfc p switch-priority 3\n" + sizes + used:   "",
		"nv set qos pfc p switch-priority 3,4\n" + sizes:        "",
	} {
		var where []string
		for _, a := range Format().Read("leaf-1/nvue.txt", []byte(text+"nv set interface swp1 link mtu 9216\n"), read.Options{}).Assumed {
			where = append(where, a.Where)
		}
		if got := strings.Join(where, "; "); got != want {
			t.Errorf("%q: assumed is %q, want %q", text, got, want)
		}
	}
}

// Lossy traffic has group 0, and another one where priority 0 of some port pauses: its group is lossless.
func TestGroupOfLossyTraffic(t *testing.T) {
	const used = "nv set interface swp1 qos pfc profile p\nnv set interface swp2\n"
	for text, want := range map[string]uint8{
		"nv set qos pfc p switch-priority 3\n" + used:                       0,
		"nv set qos pfc p switch-priority 0\n" + used:                       1,
		"nv set qos pfc p switch-priority 0-1\n" + used:                     2,
		"nv set qos pfc q switch-priority 0\nnv set interface swp1-2 qos\n": 0,
		"nv set qos pfc p switch-priority 0\nnv set qos advance-buffer-config default-global ingress-lossy-buffer priority-group service1 switch-priority 4\n" + used: 2,
	} {
		r := Format().Read("leaf-1/nvue.txt", []byte(text), read.Options{})
		must.Equalf(t, r.Switch.Maps.TCToPG[7], want, "%q: priority 7 has group", text)
		if assumed := len(r.Assumed) > 0 && r.Assumed[0].Where == "qos pfc"; want > 0 && !assumed && !strings.Contains(text, "service1") {
			t.Errorf("%q: nothing is assumed: %v", text, r.Assumed)
		}
	}
}

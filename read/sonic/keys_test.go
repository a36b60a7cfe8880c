package sonic

import (
	"strings"
	"testing"

	"github.com/roceplan/roceplan/diag"
	"github.com/roceplan/roceplan/internal/testing/must"
)

// A key is ports and an index; on a chassis the names of a device and a chip stand before them.
func TestSplitKey(t *testing.T) {
	for key, want := range map[string][3]string{
		"Ethernet0|3": {"Ethernet0", "3", "ok"}, "Ethernet0,Ethernet4|3-4": {"Ethernet0,Ethernet4", "3-4", "ok"}, "leaf|asic0|Ethernet0|3": {"Ethernet0", "3", "ok"},
		"Ethernet0": {}, "|3": {}, "": {}, "Ethernet0|": {"Ethernet0", "", "ok"}, "a||3": {"", "3", "ok"},
	} {
		ports, index, ok := splitKey(key)
		if ports != want[0] || index != want[1] || ok != (want[2] == "ok") {
			t.Errorf("%q is %q and %q, %v", key, ports, index, ok)
		}
	}
}

// An index is a number up to the most that there is as SONiC writes it, and nothing else.
func TestParseIndex(t *testing.T) {
	for s, want := range map[string]int64{"0": 0, "7": 7, "15": 15, "0015": -1, "07": -1, "00": -1, "16": -1, "": -1, "+7": -1, "-0": -1, "-7": -1, "/": -1, ":": -1, "7 ": -1, "0x7": -1, "99999999999999999999": -1} {
		if got, ok := parseIndex(s, 15); ok != (want >= 0) || ok && got != want {
			t.Errorf("%q is %d, %t", s, got, ok)
		}
	}
}

// What a statement says stands on one line of at most 80 bytes, and no character is cut.
func TestExcerpt(t *testing.T) {
	full := strings.Repeat("a", 80)
	for s, want := range map[string]string{
		"a\n  b": "a b", full: full, full + "b": full[:77] + "…", full[:76] + "é" + full: full[:76] + "…",
	} {
		must.Equalf(t, excerpt(s), want, "%q is", s)
	}
}

// What is refused is nothing.
func TestRefusedNumbers(t *testing.T) {
	r := &reader{}
	for s, want := range map[string]int64{"1": 1, " 7": 7, "\t7": 7, "0": 0, "8": 0, "+5": 0, " +5": 0, "": 0, "x": 0, "7 ": 0, "9223372036854775808": 0} {
		if n, ok := r.parseNumber("x", s, diag.Range{}, 1, 7); n != want || ok != (want > 0) {
			t.Errorf("%q is %d, %t", s, n, ok)
		}
	}
	if bits, ok := prioritiesIn("3,8"); bits != 0 || ok {
		t.Errorf("3 and 8 are %b, %t", bits, ok)
	}
	if bits, ok := prioritiesIn("0,3,7"); bits != 0b10001001 || !ok {
		t.Errorf("0, 3 and 7 are %b, %t", bits, ok)
	}
}

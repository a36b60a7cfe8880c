package policy

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

func TestExpand(t *testing.T) {
	for pattern, want := range map[string]string{
		"spine":                  "spine",
		"leaf-[08..11]":          "leaf-08 leaf-09 leaf-10 leaf-11",
		"leaf-[8..11]":           "leaf-8 leaf-9 leaf-10 leaf-11",
		"Ethernet[0..12/4]":      "Ethernet0 Ethernet4 Ethernet8 Ethernet12",
		"Ethernet[0..13/4]":      "Ethernet0 Ethernet4 Ethernet8 Ethernet12",
		"Ethernet[1..2]/[1..2]":  "Ethernet1/1 Ethernet1/2 Ethernet2/1 Ethernet2/2",
		"rack[1, 4, 7..8]-a":     "rack1-a rack4-a rack7-a rack8-a",
		"spine-[a..d]":           "spine-a spine-b spine-c spine-d",
		"spine-[A..E/2]":         "spine-A spine-C spine-E",
		"tor-[a,b][1..2]":        "tor-a1 tor-a2 tor-b1 tor-b2",
		"tor-[left, right]":      "tor-left tor-right",
		"pod[1..2]-leaf-[01,10]": "pod1-leaf-01 pod1-leaf-10 pod2-leaf-01 pod2-leaf-10",
	} {
		got, p := expand(pattern)
		if p != nil {
			t.Errorf("%s: %s", pattern, p.message)
		} else if diff := cmp.Diff(want, strings.Join(got, " ")); diff != "" {
			t.Errorf("%s (-want +got):\n%s", pattern, diff)
		}
	}
}

// A pattern from numbers gives as many names as the numbers say, or is refused.
func TestExpandCounts(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 300).Draw(t, "n")
		m := rapid.IntRange(1, 300).Draw(t, "m")
		pattern := "a[1.." + decimalText(n) + "]b[1.." + decimalText(m) + "]"
		got, p := expand(pattern)
		switch {
		case n*m > maxNames && (p == nil || p.code != RangeTooLarge):
			t.Fatalf("%s gives %d names", pattern, len(got))
		case n*m <= maxNames && len(got) != n*m:
			t.Fatalf("%s gives %d names, want %d (%v)", pattern, len(got), n*m, p)
		}
		if slices.Sort(got); len(slices.Compact(got)) != len(got) {
			t.Fatalf("%s repeats a name", pattern)
		}
	})
}

func decimalText(n int) string {
	return strings.TrimLeft(string([]byte{byte('0' + n/100), byte('0' + n/10%10), byte('0' + n%10)}), "0")
}

func TestSafeNames(t *testing.T) {
	for _, name := range []string{"leaf-01", "a", "9k.rack_3-x"} {
		if p := safeName(name); p != nil {
			t.Errorf("%q is refused: %s", name, p.message)
		}
	}
	for _, name := range []string{"", ".", "..", "-a", "a/b", "a\\b", "a b", "a\n", "ä", "~", "a:b", strings.Repeat("a", 129)} {
		if safeName(name) == nil {
			t.Errorf("%q is admitted", name)
		}
	}
}

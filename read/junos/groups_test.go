package junos_test

import (
	"strings"
	"testing"

	"github.com/roceplan/roceplan/read/junos"
)

// What a group defines is not called missing without a word of how to see it: Junos expands groups
// with `display inheritance`.
func TestUndefinedWhereGroupsAreApplied(t *testing.T) {
	const classes = "class-of-service { forwarding-classes { class roce { queue-num 3; no-loss; } } }"
	const use = "class-of-service { classifiers { dscp d { forwarding-class roce { loss-priority low code-points 011010; } } } interfaces { et-0/0/0 { unit 0 { classifiers { dscp d; } } } } }\n"
	for text, want := range map[string]string{
		"groups { q { " + classes + " } }\napply-groups q;\n" + use: "display inheritance",
		use: "add it under forwarding-classes",
	} {
		got := junos.Read("x", []byte(text), qfx5240).Found
		if len(got) != 1 || got[0].Code != junos.Undefined || !strings.Contains(got[0].Fix, want) {
			t.Errorf("%s: found %+v, want a fix with %q", text, got, want)
		}
	}
}

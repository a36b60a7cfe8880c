package verify

import (
	"fmt"
	"strings"
	"testing"
)

// Fifty lines of one kind are one reason with a count for a person; a verdict and its JSON keep
// each.
func TestReasonsInBrief(t *testing.T) {
	s := redSubjectOf(t, "tomahawk-eos-pod/leaf-1/eos.cfg")
	var more strings.Builder
	for i := range 50 {
		fmt.Fprintf(&more, "interface Ethernet%d/1\n   mystery %d\n", 1+i%32, i)
	}
	text := beforeEnd("monitor session 1 destination Ethernet1/1\n" + more.String())(s.text)
	report := judge(t, s.options[0], Text("leaf-1/eos.cfg", []byte(text)))
	because := report.Switches[0].Because
	if len(because) < 51 {
		t.Fatalf("%d reasons, want 51 at least: one for each line", len(because))
	}
	brief := InBrief(because)
	if len(brief) > 4 {
		t.Errorf("%d reasons in brief: %v", len(brief), brief)
	}
	counted := 0
	for _, r := range brief {
		if strings.Contains(r.Message, "mystery 0") && strings.Contains(r.Message, "(and 49 more like this") && strings.Contains(r.At, "eos.cfg:") {
			counted++
		}
	}
	if counted != 1 {
		t.Errorf("the fifty lines are not one reason: %v", brief)
	}
	if few := because[:fewReasons]; len(InBrief(few)) != len(few) {
		t.Error("few reasons are told one by one")
	}
}

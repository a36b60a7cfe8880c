package verify

import (
	"strings"
	"testing"
)

// On Tomahawk 5 a static threshold is one of the whole chip before SAI 14, and one of each part of the
// buffer from SAI 14 on (sonic-buildimage#25451). No file says which SAI it is for. 82,434,938 B is
// half of what the chip has: for the whole chip a queue drops at a quarter of the memory, and for a part
// at all of it.
func TestStaticThresholdsOfAPart(t *testing.T) {
	const halved = "Arista-7060X6-64PE-B-P32V128@x86_64-arista_7060x6_64pe_b.json"
	s := judge(t, Options{}, shippedFile(t, halved)).Switches[0]
	if s.Verdict != Conditional {
		t.Fatalf("%v, because %s", s.Verdict, reasons(s))
	}
	told := ""
	for _, c := range s.Conditions {
		told += c.Assumes + "\n"
	}
	for _, want := range []string{"static thresholds are of each part of the buffer, as SAI takes them from release 14 on", "as those of the whole chip, which they were before, pfc-before-drop of"} {
		if !strings.Contains(told, want) {
			t.Errorf("not told: %s\n%s", want, told)
		}
	}
	// 167,546,528 B is above half of the memory: no queue is bounded, whichever it is of.
	whole := judge(t, Options{}, shippedFile(t, "Arista-7060X6-64PE-O128@x86_64-arista_7060x6_64pe.json")).Switches[0]
	for _, c := range whole.Conditions {
		if strings.Contains(c.Assumes, "static thresholds") {
			t.Errorf("a condition that decides nothing: %s", c.Assumes)
		}
	}
}

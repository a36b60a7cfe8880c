package main

import (
	"strings"
	"testing"
)

// The examples in the help of calc can be typed as they stand: every one has an answer,
// without a finding and without a figure that is left out.
func TestCalcHelpExamples(t *testing.T) {
	ran := 0
	for _, help := range []string{calcCmd{}.Help(), calcHeadroomCmd{}.Help(), calcPoolCmd{}.Help(), calcThresholdCmd{}.Help(), calcECNCmd{}.Help()} {
		for line := range strings.Lines(help) {
			example, ok := strings.CutPrefix(line, "    roceplan ")
			if !ok || strings.Contains(example, "FILE") || strings.Contains(example, "--batch") || strings.Contains(example, "--table") {
				continue // these need a file
			}
			ran++
			var out, err strings.Builder
			code := run(strings.Fields(example), strings.NewReader(""), &out, &err, func(string) string { return "" })
			if code != exitFine || err.Len() > 0 || strings.Contains(out.String(), "needs --") {
				t.Errorf("%s: exit %d\n%s%s", strings.TrimSpace(example), code, err.String(), out.String())
			}
		}
	}
	if ran < 6 {
		t.Errorf("only %d examples were found", ran)
	}
}

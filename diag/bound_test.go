package diag

import (
	"strings"
	"testing"

	"github.com/roceplan/roceplan/internal/testing/must"
)

// Runs of letters, digits and underscores count once, every other sign and line by itself.
func TestCountTokens(t *testing.T) {
	for text, want := range map[string]int{"": 0, "a": 1, "az": 1, "AZ": 1, "09": 1, "a_z9": 1, "a z": 2, "a\tz\r\n": 3, "a=b": 3, "{}": 2, "`a": 2, "a{z": 3, "@A": 2, "A[Z": 3, "/0": 2, "0:9": 3, "==": 2} {
		must.Equalf(t, countTokens([]byte(text)), want, "%q has", text)
	}
}

// A text that nests without end, or has words without end, is no text for the parser of HCL, whose stack cannot be
// recovered from. What people write is.
func TestBoundHCL(t *testing.T) {
	for text, deep := range map[string]bool{
		"x = " + strings.Repeat("(", 900_000):                                  true,
		"x = a" + strings.Repeat("[0", 300_000) + strings.Repeat("]", 300_000): true,
		"x = " + strings.Repeat("!", 1_000):                                    true,
		"x = " + strings.Repeat("true?1:", 1_000):                              true,
		strings.Repeat("a {\n", 1_000):                                         true,
		"x = 1" + strings.Repeat("0", 100):                                     false,
		strings.Repeat("x = 1\n", 400_000):                                     false,
	} {
		if e := BoundHCL([]byte(text), "a"); e == nil || e.Deep != deep {
			t.Errorf("%.20q…: %+v", text, e)
		}
		if file, found := ParseHCL([]byte(text), "a"); file.Body == nil || !found.HasErrors() {
			t.Errorf("%.20q… is parsed", text)
		}
	}
	if file, found := ParseHCL([]byte("a {\n  b = [1, (2 + 3) * 4]\n}\n"), "a"); file.Body == nil || found.HasErrors() {
		t.Error(found)
	}
}

package readtest

import (
	"strings"
	"testing"

	"github.com/roceplan/roceplan/read"
)

// A Tale is a name, a text, and what has to be told of it: fragments of lines with "; " between, or
// behind "!" what no line may have.
type Tale [3]string

// Tales compares what a reader tells of texts with what a person, a source or arithmetic says.
func Tales(t *testing.T, format read.Format, all []Tale) {
	t.Helper()
	for _, c := range all {
		name, text, wanted := c[0], c[1], c[2]
		told := strings.Join(Told(format.Read("f", []byte(text), read.Options{})), "\n") + "\n"
		for want := range strings.SplitSeq(wanted, "; ") {
			fragment, absent := strings.CutPrefix(want, "!")
			if strings.Contains(told, fragment) == absent {
				t.Errorf("%s: %q is told: %t\n%s", name, fragment, absent, told)
			}
		}
	}
}

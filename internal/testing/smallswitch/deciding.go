package smallswitch

import (
	"fmt"
	"strings"
	"testing"

	"github.com/roceplan/roceplan/chips"
)

// Deciding returns the catalogue with chips of these names that decide to pause with a byte of a packet: "start" or
// "end".
func Deciding(t testing.TB, with string, names []string) *chips.Catalogue {
	t.Helper()
	var text strings.Builder
	for _, name := range names {
		fmt.Fprintf(&text, "chip %q {\n  extends = %q\n  xoff_decided {\n    value = %q\n    confidence = \"assumed\"\n    source = \"a test\"\n  }\n}\n", name, name, with)
	}
	c, list := chips.Load(chips.Source{Name: "deciding.hcl", Text: []byte(text.String())})
	if list.HasErrors() {
		t.Fatal(list)
	}
	return c
}

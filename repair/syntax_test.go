package repair

import (
	"strings"
	"testing"

	"github.com/hashicorp/hcl/v2"

	"github.com/roceplan/roceplan/diag"
)

// A file of one line of a megabyte has millions of places for a sign, and is parsed some sixteen times: what could
// be tried took 36 s.
func TestLongLine(t *testing.T) {
	text := []byte(`{"a": "` + strings.Repeat("x ", 1<<19) + `"}`)
	f := &finder{texts: Texts{"f.hcl": text}}
	b := &builder{finder: f, d: diag.Diagnostic{Subject: diag.Range{Filename: "f.hcl", Start: hcl.InitialPos}}, seen: map[diag.Edit]int{}}
	if b.syntax(); b.parsed != mostParsed || mostParsed/len(text) > 16 {
		t.Errorf("%d bytes were parsed, want all %d of the bound, and the text at most 16 times", b.parsed, mostParsed)
	}
}

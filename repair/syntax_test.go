package repair

import (
	"strings"
	"testing"

	"github.com/hashicorp/hcl/v2"

	"github.com/roceplan/roceplan/diag"
)

// A file of one line of a megabyte has a million places for a sign, and is parsed until the bound.
func TestLongLine(t *testing.T) {
	text := []byte(`{"a": ` + strings.Repeat(" ", 1<<20) + `}`)
	f := &finder{texts: Texts{"f.hcl": text}}
	b := &builder{finder: f, d: diag.Diagnostic{Subject: diag.Range{Filename: "f.hcl", Start: hcl.InitialPos}}, seen: map[diag.Edit]int{}}
	if b.syntax(); b.parsed > mostParsed || b.parsed <= mostParsed-len(text) {
		t.Errorf("%d bytes were parsed, want the text as often as %d allow", b.parsed, mostParsed)
	}
}

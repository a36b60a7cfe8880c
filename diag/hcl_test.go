package diag_test

import (
	"testing"

	"github.com/hashicorp/hcl/v2"

	"github.com/roceplan/roceplan/diag"
)

func TestFromHCL(t *testing.T) {
	for _, c := range []struct{ summary, detail, message, fix string }{
		{"Invalid character", "This character is not used within the language.",
			"invalid character: this character is not used within the language", ""},
		{"Invalid character", "Single quotes are not valid. Use double quotes (\") to enclose strings.",
			"invalid character: single quotes are not valid", `use double quotes (") to enclose strings`},
		{"Unclosed configuration block", "There is no closing brace for this block before the end of the file. This may be caused by incorrect brace nesting\n elsewhere in this file.",
			"unclosed configuration block: there is no closing brace for this block before the end of the file",
			"add the closing }, or remove a { too many below"},
		{"Invalid encoding", "UTF-8 is required.", "invalid encoding: UTF-8 is required", ""},
		{"Extra characters", "", "extra characters", ""},
	} {
		found := diag.FromHCL(hcl.Diagnostics{{Severity: hcl.DiagError, Summary: c.summary, Detail: c.detail}})
		if len(found) != 1 || found[0].Message != c.message || found[0].Fix != c.fix {
			t.Errorf("%q, %q: got %+v", c.summary, c.detail, found)
		}
	}
}

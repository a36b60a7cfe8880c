package explain

import (
	"testing"

	"github.com/hashicorp/hcl/v2"

	"github.com/roceplan/roceplan/diag"
	"github.com/roceplan/roceplan/internal/testing/must"
)

// A comment is of the line below it, and of the lines of a block below it that has no name; what
// stands above a block with a name is of all of it, and a blank line ends a comment.
func TestRemark(t *testing.T) {
	const text = `# all of it
nic "a" {
  # old

  model = "b"
  # of four
  # lines
  dcqcn {
    ai  = 1
    hai = 2 # beside

    # its own
    clamp = true
  }
  weight = 60
}
`
	e := Explanation{Sources: diag.Sources{"f": []byte(text)}}
	for line, want := range map[int]string{2: "", 5: "", 8: "of four lines", 9: "of four lines", 10: "of four lines", 13: "its own", 15: "", 99: "", 0: ""} {
		must.Equalf(t, e.remark(diag.Range{Filename: "f", Start: hcl.Pos{Line: line}}), want, "line %d:", line)
	}
	must.Equalf(t, e.remark(diag.Range{Filename: "g", Start: hcl.Pos{Line: 1}}), "", "of no file:")
}

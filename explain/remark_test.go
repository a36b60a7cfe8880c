package explain

import (
	"testing"

	"github.com/hashicorp/hcl/v2"

	"github.com/roceplan/roceplan/diag"
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
		if got := e.remark(diag.Range{Filename: "f", Start: hcl.Pos{Line: line}}); got != want {
			t.Errorf("line %d: %q, want %q", line, got, want)
		}
	}
	if got := e.remark(diag.Range{Filename: "g", Start: hcl.Pos{Line: 1}}); got != "" {
		t.Errorf("of no file: %q", got)
	}
}

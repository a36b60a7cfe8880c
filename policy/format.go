package policy

import (
	"github.com/hashicorp/hcl/v2/hclwrite"

	"github.com/roceplan/roceplan/diag"
)

// Format lays a file out canonically: indentation, and the = of neighbouring lines in
// a column. It changes white space alone, and a second time nothing. A file that does
// not parse is returned as it is, with the faults.
func Format(src Source) ([]byte, diag.List) {
	var diags diag.List
	if parse(src, &diags); diags.HasErrors() {
		return src.Text, diags.Sorted()
	}
	return hclwrite.Format(src.Text), diags
}

package diag

import (
	"strings"

	"github.com/hashicorp/hcl/v2"
)

// FromHCL turns the findings of the HCL library into ours. They all carry the code
// [Syntax]: HCL gives its own findings no code.
func FromHCL(from hcl.Diagnostics) List {
	var list List
	for _, d := range from {
		found := Diagnostic{Code: Syntax, Message: sentence(d.Summary), Fix: sentence(d.Detail)}
		if d.Severity == hcl.DiagWarning {
			found.Severity = Warning
		}
		if d.Subject != nil {
			found.Subject = *d.Subject
		}
		list = append(list, found)
	}
	return list
}

// sentence strips the final full stop, which the renderer sets where it is wanted.
func sentence(s string) string { return strings.TrimSuffix(strings.TrimSpace(s), ".") }

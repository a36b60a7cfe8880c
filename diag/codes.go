package diag

// Codes that do not belong to one phase.
const (
	// The text is not valid HCL: a brace is missing, a string is not closed, or an expression
	// cannot be parsed or evaluated.
	//
	//	fabric "pod1" {
	Syntax Code = "syntax"
)

package diag

// Codes that do not belong to one phase.
const (
	// The text is not HCL: a brace is missing, a string is open, an expression does
	// not parse or cannot be evaluated.
	//
	//	fabric "pod1" {
	Syntax Code = "syntax"
)

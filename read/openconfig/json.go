package openconfig

import (
	"strings"

	"github.com/roceplan/roceplan/diag"
	"github.com/roceplan/roceplan/internal/posjson"
)

// dialect bounds a document: one of a chassis with 5,000 ports has some 10 MB, and the
// models nest some 20 levels. Members are called without their module.
func dialect() *posjson.Dialect {
	return &posjson.Dialect{
		MaxSize: 64 << 20, MaxDepth: 64, MaxNodes: 2 << 20,
		Key: func(name string) string {
			if _, bare, ok := strings.Cut(name, ":"); ok {
				return bare
			}
			return name
		},
		Invalid: JSON, TooLarge: TooLarge, TooDeep: TooLarge, Duplicate: Duplicate, InvalidUTF8: JSON,
	}
}

// maxFindings is how many findings of one document are told: nobody reads more.
const maxFindings = 1000

// A document is a file with its findings.
type document struct {
	*posjson.File
	list diag.List
}

// Errorf adds an error, up to a number that nobody reads.
func (d *document) Errorf(code diag.Code, at diag.Range, format string, args ...any) *diag.Diagnostic {
	if len(d.list) >= maxFindings {
		return &diag.Diagnostic{}
	}
	return d.list.Errorf(code, at, format, args...)
}

// parse reads the whole text, nil where it is not a document.
func (d *document) parse(file string, src []byte) (root *posjson.Node) {
	d.File, root = dialect().Parse(file, src, d)
	return root
}

package srlinux

import (
	"strconv"
	"strings"

	"github.com/roceplan/roceplan/diag"
	"github.com/roceplan/roceplan/internal/posjson"
	"github.com/roceplan/roceplan/plan"
)

// dialect bounds a document: that of a chassis has some 10 MB and 20 levels. Members are
// called without their module.
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

const maxFindings = 1000 // of one document: nobody reads more

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

// each walks a list and gives each entry with its key.
func (d *document) each(n *posjson.Node, key string, visit func(name string, entry *posjson.Node)) {
	if n == nil {
		return
	}
	if n.Kind != posjson.Array {
		d.Errorf(Shape, d.At(n), "a list is wanted here")
		return
	}
	seen := map[string]bool{}
	for i := range n.Items {
		entry := &n.Items[i]
		k := entry.Get(key)
		switch {
		case entry.Kind != posjson.Object || !k.Scalar():
			d.Errorf(Shape, d.At(entry), "an entry with the key %s is wanted here", key)
			continue
		case seen[k.Text]:
			d.Errorf(Duplicate, d.At(k), "the entry %q stands twice in its list", posjson.Clip(k.Text))
			continue
		}
		seen[k.Text], k.Used = true, true
		visit(k.Text, entry)
	}
}

// word reads a text, empty where there is none.
func (d *document) word(n *posjson.Node) string {
	if n == nil {
		return ""
	}
	if n.Used = true; n.Kind != posjson.Text {
		d.Errorf(Shape, d.At(n), "a text is wanted here")
		return ""
	}
	return n.Text
}

// number reads a number, which RFC 7951 writes as text where it has 64 bits.
func (d *document) number(n *posjson.Node, low, high int64) (int64, bool) {
	if n == nil {
		return 0, false
	}
	if n.Used = true; !n.Scalar() {
		d.Errorf(Shape, d.At(n), "a number is wanted here")
		return 0, false
	}
	v, err := strconv.ParseInt(n.Text, 10, 64)
	if err != nil || v < low || v > high {
		d.Errorf(Number, d.At(n), "%q is not a number from %d to %d", posjson.Clip(n.Text), low, high)
		return 0, false
	}
	return v, true
}

// yes reads a leaf that is true or false, false where it is not there.
func (d *document) yes(n *posjson.Node) bool {
	if n == nil {
		return false
	}
	if n.Used = true; n.Text != "true" && n.Text != "false" {
		d.Errorf(Shape, d.At(n), "true or false is wanted here")
	}
	return n.Text == "true"
}

// from is a value that a leaf gives.
func from[T interface{ String() string }](v T, name string, at diag.Range) plan.Derived[T] {
	return plan.Of(v, &plan.Why{Kind: plan.ReadBack, Name: name, Value: v, Range: at})
}

package read

import (
	"strconv"
	"strings"

	"github.com/roceplan/roceplan/diag"
	"github.com/roceplan/roceplan/internal/posjson"
	"github.com/roceplan/roceplan/plan"
)

// A Document is JSON of YANG models, as RFC 7951 has it: what readers of such documents
// share is how leaves are read and accounted for, not what they mean.
type Document struct {
	*posjson.File
	Found  diag.List
	codes  DocumentCodes
	sorted map[*posjson.Node]Statement // leaves whose sort depends on their value
}

// DocumentCodes are a reader's codes for what any document may have wrong.
type DocumentCodes struct {
	JSON      diag.Code // no JSON, or not UTF-8
	TooLarge  diag.Code // or nested too deeply
	Duplicate diag.Code // a member of an object or an entry of a list occurs twice
	Shape     diag.Code // text where a list is expected
	Number    diag.Code // malformed or out of range
}

// MaxDepth is how many levels a document has at most.
const MaxDepth = 64

// ParseDocument parses a text; name is what ranges call it. root is nil where it is not
// a document.
func ParseDocument(name string, text []byte, codes DocumentCodes) (d *Document, root *posjson.Node) {
	d = &Document{codes: codes, sorted: map[*posjson.Node]Statement{}}
	// One of a chassis with 5,000 ports has some 10 MB, and the models nest some 20 levels.
	dialect := posjson.Dialect{
		MaxSize: 64 << 20, MaxDepth: MaxDepth, MaxNodes: 2 << 20, Key: withoutModule,
		Invalid: codes.JSON, TooLarge: codes.TooLarge, TooDeep: codes.TooLarge, Duplicate: codes.Duplicate, InvalidUTF8: codes.JSON,
	}
	d.File, root = dialect.Parse(name, text, d)
	return d, root
}

func withoutModule(name string) string {
	if _, bare, ok := strings.Cut(name, ":"); ok {
		return bare
	}
	return name
}

// PlainDocument is a text that is not JSON, of which a reader makes the nodes.
func PlainDocument(name string, text []byte, codes DocumentCodes) *Document {
	return &Document{File: posjson.NewFile(name, text), codes: codes, sorted: map[*posjson.Node]Statement{}}
}

// Errorf adds an error, up to a bound.
func (d *Document) Errorf(code diag.Code, at diag.Range, format string, args ...any) *diag.Diagnostic {
	const most = 1000
	if len(d.Found) >= most {
		return &diag.Diagnostic{}
	}
	return d.Found.Errorf(code, at, format, args...)
}

// Entries walks a list and gives each entry with its key, which keyOf finds; what the models
// call the key is for the finding where there is none.
func (d *Document) Entries(n *posjson.Node, what string, keyOf func(entry *posjson.Node) *posjson.Node, visit func(key, entry *posjson.Node)) {
	if n == nil {
		return
	}
	if n.Kind != posjson.Array {
		d.Errorf(d.codes.Shape, d.At(n), "this must be a list").Fixf("write the value in brackets, as the YANG model has it")
		return
	}
	seen := map[string]bool{}
	for i := range n.Items {
		entry := &n.Items[i]
		key := keyOf(entry)
		switch {
		case entry.Kind != posjson.Object || !key.Scalar():
			d.Errorf(d.codes.Shape, d.At(entry), "an entry with the key %s is expected here", what).Fixf("write an object that has the leaf %s", what)
			continue
		case seen[key.Text]:
			d.Errorf(d.codes.Duplicate, d.At(key), "the entry %q occurs twice in its list", posjson.Clip(key.Text)).Fixf("remove one of the two, or give it a key of its own")
			continue
		}
		seen[key.Text], key.Used = true, true
		visit(key, entry)
	}
}

// Text reads a text, empty where there is none.
func (d *Document) Text(n *posjson.Node) string {
	if n == nil {
		return ""
	}
	if n.Used = true; n.Kind != posjson.Text {
		d.Errorf(d.codes.Shape, d.At(n), "this must be a string").Fixf("write the value in quotes")
		return ""
	}
	return n.Text
}

// Word reads a text without the module of an identity.
func (d *Document) Word(n *posjson.Node) string { return withoutModule(d.Text(n)) }

// Number reads a number, which RFC 7951 writes as text where it has 64 bits; false where
// there is none, or none from low to high.
func (d *Document) Number(n *posjson.Node, low, high int64) (int64, bool) {
	if n == nil {
		return 0, false
	}
	if n.Used = true; !n.Scalar() {
		d.Errorf(d.codes.Shape, d.At(n), "this must be a number").Fixf("write a number from %d to %d", low, high)
		return 0, false
	}
	v, err := strconv.ParseInt(n.Text, 10, 64)
	if err != nil || v < low || v > high {
		d.Errorf(d.codes.Number, d.At(n), "%q is not a number from %d to %d", posjson.Clip(n.Text), low, high).Fixf("write a number from %d to %d", low, high)
		return 0, false
	}
	return v, true
}

// Yes reads a leaf that is true or false, false where it is not there.
func (d *Document) Yes(n *posjson.Node) bool {
	if n == nil {
		return false
	}
	if n.Used = true; n.Text != "true" && n.Text != "false" {
		d.Errorf(d.codes.Shape, d.At(n), "this must be true or false").Fixf("write true or false")
	}
	return n.Text == "true"
}

// From is a value that a line or a leaf of a file gives.
func From[T interface{ String() string }](v T, name string, at diag.Range) plan.Derived[T] {
	return plan.Of(v, &plan.Why{Kind: plan.ReadBack, Name: name, Value: v, Range: at})
}

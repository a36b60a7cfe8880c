// Package formulas holds the formulas and inequalities of roceplan as documents that
// run: each has a title, inputs with units and ranges, sources with their locators,
// worked examples, and the expression itself.
//
// The typed Go functions compute; `explain` prints the documents. A test evaluates every document
// on random inputs and demands the Go function's result, so that the two cannot drift apart.
//
// Expressions are HCL arithmetic on whole numbers in base units (bytes, bits per
// second, picoseconds, millimetres, billionths, cells). Divisions that round are
// written ceildiv(a, b) and floordiv(a, b); ceilto(a, s) and floorto(a, s) round to a
// multiple of s; decay(x) is e to the minus x/10^9 and kept(n, g) is (g/1024)^n, both in
// parts of 10^18, rounded down. A formula with an unknown is solved for it.
package formulas

import (
	_ "embed"
	"fmt"
	"maps"
	"math/big"
	"slices"
	"sort"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"

	"github.com/roceplan/roceplan/internal/packed"
	"github.com/roceplan/roceplan/internal/stable"
)

// documents are the files *.hcl, compressed together. TestPacked writes them.
//
//go:embed formulas.bin
var documents string

// A Doc is one formula, or one inequality left ≤ right.
type Doc struct {
	ID      string
	Title   string
	Text    string  // its meaning, and where it holds
	Unit    string  // of the result, or of both sides
	Inputs  []Input // in the order of the document
	Sources []Source

	Examples []Example

	// Expression of a formula; Left and Right of an inequality. Exactly as written.
	Expression, Left, Right string

	expression, left, right hclsyntax.Expression
	unknown                 *unknown
}

// An Input is a symbol of a formula.
type Input struct {
	Symbol string
	Unit   string
	Text   string
	Min    int64 // smallest value at which the formula is meant to hold
	Max    int64
}

// A Source names the publication of a formula.
type Source struct{ Document, Locator, URL string }

// An Example is a worked example: inputs, result and who published it.
type Example struct {
	Inputs map[string]int64
	Result int64
	Source string
}

// Inequality reports whether the document is left ≤ right rather than a value.
func (d *Doc) Inequality() bool { return d.left != nil }

// A Book is all documents by ID.
type Book struct {
	docs []*Doc // sorted by ID
}

// Docs returns all documents, sorted by ID.
func (b *Book) Docs() []*Doc { return b.docs }

// Find returns a document by ID.
func (b *Book) Find(id string) (*Doc, bool) {
	i, found := slices.BinarySearchFunc(b.docs, id, func(d *Doc, id string) int { return strings.Compare(d.ID, id) })
	if !found {
		return nil, false
	}
	return b.docs[i], true
}

// Load reads the embedded documents. They are part of the program, so a fault in one
// is a panic.
func Load() *Book {
	book := &Book{}
	for name, text := range packed.Files(documents) {
		docs, diags := parse(name, []byte(text))
		if diags.HasErrors() {
			panic(fmt.Sprintf("embedded formula: %v", diags))
		}
		book.docs = append(book.docs, docs...)
	}
	stable.Sort(book.docs, func(a, b *Doc) int { return strings.Compare(a.ID, b.ID) })
	for i := 1; i < len(book.docs); i++ {
		if book.docs[i].ID == book.docs[i-1].ID {
			panic("embedded formula " + book.docs[i].ID + " is defined twice")
		}
	}
	return book
}

// Eval computes a formula for the given values of its symbols. A missing symbol or a
// division by zero is an error.
func (d *Doc) Eval(inputs map[string]int64) (*big.Int, error) {
	if d.unknown != nil {
		return d.solve(inputs)
	}
	return eval(d.expression, inputs)
}

// solve finds the unknown by bisection.
func (d *Doc) solve(inputs map[string]int64) (*big.Int, error) {
	at := maps.Clone(inputs)
	var fault error
	value := Largest(d.unknown.Min, d.unknown.Max, func(p int64) bool {
		at[d.unknown.Symbol] = p
		v, err := eval(d.expression, at)
		if err != nil {
			fault = err
			return false
		}
		return v.Sign() >= 0
	})
	return big.NewInt(value), fault
}

// Largest returns the largest value from low to high at which something holds that holds for
// all smaller ones too; low if it holds for none.
func Largest(low, high int64, holds func(int64) bool) int64 {
	n := sort.Search(int(high-low), func(i int) bool { return !holds(low + 1 + int64(i)) })
	return low + int64(n)
}

// Sides computes both sides of an inequality.
func (d *Doc) Sides(inputs map[string]int64) (left, right *big.Int, err error) {
	if left, err = eval(d.left, inputs); err != nil {
		return nil, nil, err
	}
	right, err = eval(d.right, inputs)
	return left, right, err
}

func eval(expr hclsyntax.Expression, inputs map[string]int64) (*big.Int, error) {
	variables := make(map[string]cty.Value, len(inputs))
	for symbol, v := range inputs {
		variables[symbol] = cty.NumberIntVal(v)
	}
	value, diags := expr.Value(&hcl.EvalContext{Variables: variables, Functions: functions()})
	if diags.HasErrors() {
		return nil, diags
	}
	if value.Type() != cty.Number {
		return nil, fmt.Errorf("the expression gives a %s, not a number", value.Type().FriendlyName())
	}
	whole, accuracy := value.AsBigFloat().Int(nil)
	if accuracy != big.Exact {
		return nil, fmt.Errorf("the expression gives %s, not a whole number: it has to say how it rounds", value.AsBigFloat().Text('g', 20))
	}
	return whole, nil
}

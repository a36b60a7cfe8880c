package formulas

import (
	"errors"
	"fmt"
	"regexp"
	"strconv"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/gohcl"
	"github.com/hashicorp/hcl/v2/hclsyntax"
)

// file is the schema of a document file.
type file struct {
	Formulas     []formula    `hcl:"formula,block"`
	Inequalities []inequality `hcl:"inequality,block"`
}

type formula struct {
	ID         string         `hcl:"id,label"`
	Title      string         `hcl:"title"`
	Text       string         `hcl:"text,optional"`
	Unit       string         `hcl:"unit"`
	Expression hcl.Expression `hcl:"expression"`
	Unknown    *unknown       `hcl:"unknown,block"`
	Common     hcl.Body       `hcl:",remain"`
}

// An unknown is the variable that a formula is solved for: the largest value at which the
// expression is not negative. It falls as the unknown grows.
type unknown struct {
	Symbol string `hcl:"symbol,label"`
	Min    int64  `hcl:"min"`
	Max    int64  `hcl:"max"`
}

type inequality struct {
	ID     string         `hcl:"id,label"`
	Title  string         `hcl:"title"`
	Text   string         `hcl:"text,optional"`
	Unit   string         `hcl:"unit"`
	Left   hcl.Expression `hcl:"left"`
	Right  hcl.Expression `hcl:"right"`
	Common hcl.Body       `hcl:",remain"`
}

// common holds the parts that formulas and inequalities share.
type common struct {
	// Inputs are symbols in the order of the document, each with a text such as "0..9216 bytes: largest frame".
	Inputs  *hcl.Attribute `hcl:"inputs,optional"`
	Sources []struct {
		Document string `hcl:"document"`
		Locator  string `hcl:"locator,optional"`
		URL      string `hcl:"url,optional"`
	} `hcl:"source,block"`
	Examples []struct {
		Inputs map[string]int64 `hcl:"inputs"`
		Result int64            `hcl:"result"`
		Source string           `hcl:"source"`
	} `hcl:"example,block"`
}

func parse(name string, text []byte) ([]*Doc, hcl.Diagnostics) {
	parsed, diags := hclsyntax.ParseConfig(text, name, hcl.InitialPos)
	if diags.HasErrors() {
		return nil, diags
	}
	var f file
	if diags = gohcl.DecodeBody(parsed.Body, nil, &f); diags.HasErrors() {
		return nil, diags
	}
	var docs []*Doc
	for _, block := range f.Formulas {
		doc := &Doc{ID: block.ID, Title: block.Title, Text: block.Text, Unit: block.Unit}
		doc.expression, doc.Expression = expression(block.Expression, text)
		if doc.unknown = block.Unknown; doc.unknown != nil {
			doc.Expression = fmt.Sprintf("the largest %s from %d to %d at which this is not negative: %s", doc.unknown.Symbol, doc.unknown.Min, doc.unknown.Max, doc.Expression)
		}
		diags = append(diags, doc.common(block.Common)...)
		docs = append(docs, doc)
	}
	for _, block := range f.Inequalities {
		doc := &Doc{ID: block.ID, Title: block.Title, Text: block.Text, Unit: block.Unit}
		doc.left, doc.Left = expression(block.Left, text)
		doc.right, doc.Right = expression(block.Right, text)
		diags = append(diags, doc.common(block.Common)...)
		docs = append(docs, doc)
	}
	return docs, diags
}

// expression returns the parsed expression and its text as the author wrote it.
func expression(expr hcl.Expression, text []byte) (hclsyntax.Expression, string) {
	return expr.(hclsyntax.Expression), string(expr.Range().SliceBytes(text))
}

func (d *Doc) common(body hcl.Body) hcl.Diagnostics {
	var c common
	diags := gohcl.DecodeBody(body, nil, &c)
	if c.Inputs != nil {
		pairs, wrong := hcl.ExprMap(c.Inputs.Expr)
		diags = append(diags, wrong...)
		for _, pair := range pairs {
			in, wrong := input(pair)
			d.Inputs, diags = append(d.Inputs, in), append(diags, wrong...)
		}
	}
	for _, s := range c.Sources {
		d.Sources = append(d.Sources, Source(s))
	}
	for _, e := range c.Examples {
		d.Examples = append(d.Examples, Example(e))
	}
	return diags
}

// about matches a document's description of an input: least..most unit, and its meaning.
var about = regexp.MustCompile(`^(\d+)\.\.(\d+) ([^:]+)(?:: (.+))?$`)

// input reads one input of a document.
func input(pair hcl.KeyValuePair) (in Input, diags hcl.Diagnostics) {
	in.Symbol = hcl.ExprAsKeyword(pair.Key)
	diags = gohcl.DecodeExpression(pair.Value, nil, &in.Text)
	m := about.FindStringSubmatch(in.Text)
	if m == nil {
		return in, diags.Append(&hcl.Diagnostic{Severity: hcl.DiagError, Summary: fmt.Sprintf("input %s has no range and unit", in.Symbol), Subject: pair.Value.Range().Ptr()})
	}
	in.Unit, in.Text = m[3], m[4]
	var least, most error
	in.Min, least = strconv.ParseInt(m[1], 10, 64)
	in.Max, most = strconv.ParseInt(m[2], 10, 64)
	if err := errors.Join(least, most); err != nil {
		diags = diags.Append(&hcl.Diagnostic{Severity: hcl.DiagError, Summary: err.Error(), Subject: pair.Value.Range().Ptr()})
	}
	return in, diags
}

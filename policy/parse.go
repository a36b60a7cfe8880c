package policy

import (
	"bytes"
	"slices"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"

	"github.com/roceplan/roceplan/diag"
)

// Limits of what is read: one file, and what data in JSON and YAML nests. [diag.BoundHCL] has those of HCL.
const (
	maxFileSize = 32 << 20
	maxDepth    = diag.MaxDepth
	maxDigits   = diag.MaxDigits
)

// A Parser remembers the files that it read last, for who reads a fabric again and again and
// changes one of its files. The zero Parser is ready to use, by one goroutine at a time.
type Parser struct{ files map[string]*parsed }

type parsed struct {
	text   []byte
	body   *hclsyntax.Body
	found  diag.List
	pieces diag.Pieces
}

// Parse reads one file. The body is nil when nothing of it can be used, and must not be changed;
// nor may the text. Of a file only the last body may be used.
func (p *Parser) Parse(src Source) (*hclsyntax.Body, diag.List) {
	if p.files == nil {
		p.files = map[string]*parsed{}
	}
	now := p.files[src.Name]
	if now != nil && bytes.Equal(now.text, src.Text) {
		return now.body, slices.Clone(now.found)
	}
	if now == nil {
		now = &parsed{}
		p.files[src.Name] = now
	}
	now.text, now.found = src.Text, nil
	if now.body, _ = now.pieces.Parse(src.Text, src.Name); now.body == nil {
		now.body = parse(src, &now.found)
	}
	return now.body, slices.Clone(now.found)
}

// parse reads one file. The body is nil when nothing of it can be used.
func parse(src Source, diags *diag.List) *hclsyntax.Body {
	whole := hcl.Range{Filename: src.Name, Start: hcl.InitialPos, End: hcl.InitialPos}
	if len(src.Text) > maxFileSize {
		diags.Errorf(TooLarge, whole, "the file has %d bytes, at most %d are read", len(src.Text), maxFileSize).
			Fixf("split it; a folder means all of its *.hcl files")
		return nil
	}
	if !withinLimits(src, diags) {
		return nil
	}
	file, found := hclsyntax.ParseConfig(src.Text, src.Name, hcl.InitialPos)
	*diags = append(*diags, syntaxFaults(src.Text, found)...)
	if file == nil {
		return nil
	}
	body, _ := file.Body.(*hclsyntax.Body)
	return body
}

// withinLimits reports whether a text may be parsed.
func withinLimits(src Source, diags *diag.List) bool {
	excess := diag.BoundHCL(src.Text, src.Name)
	if excess == nil {
		return true
	}
	code := TooLarge
	if excess.Deep {
		code = TooDeep
	}
	diags.Errorf(code, excess.At, "%s", excess.Message).Fixf("%s", excess.Fix)
	return false
}

// byteOrderMark is put before a text by some editors and spreadsheets.
var byteOrderMark = []byte("\ufeff")

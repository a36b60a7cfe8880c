package policy

import (
	"bytes"
	"slices"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"

	"github.com/roceplan/roceplan/diag"
)

// Limits that keep a hostile file from taking the process down. The parser and the
// evaluator of HCL recurse with the text, and a Go stack that is exhausted cannot be
// recovered from, so depth is bounded before the text is parsed.
const (
	maxFileSize = 32 << 20  // bytes of one file
	maxDepth    = 250       // brackets and operators that an expression nests
	maxDigits   = 40        // characters of one number
	maxTokens   = 1_000_000 // words and signs of one fabric; the parser takes 300 B for each
)

// A Parser remembers the files that it read last, for who reads a fabric again and again and
// changes one of its files. The zero Parser is ready to use, by one goroutine at a time.
type Parser struct{ files map[string]parsed }

type parsed struct {
	text  []byte
	body  *hclsyntax.Body
	found diag.List
}

// Parse reads one file. The body is nil when nothing of it can be used, and must not be changed;
// nor may the text.
func (p *Parser) Parse(src Source) (*hclsyntax.Body, diag.List) {
	if last, known := p.files[src.Name]; known && bytes.Equal(last.text, src.Text) {
		return last.body, slices.Clone(last.found)
	}
	now := parsed{text: src.Text}
	now.body = parse(src, &now.found)
	if p.files == nil {
		p.files = map[string]parsed{}
	}
	p.files[src.Name] = now
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

// withinLimits walks the tokens with a stack of the open brackets. Each level counts
// the operators since its last separator: those are what recursion is deep in, beside
// the brackets themselves. A newline separates in braces alone.
func withinLimits(src Source, diags *diag.List) bool {
	if n := countTokens(src.Text); n > maxTokens {
		diags.Errorf(TooLarge, hcl.Range{Filename: src.Name, Start: hcl.InitialPos, End: hcl.InitialPos},
			"the file has some %d words and signs, at most %d are read", n, maxTokens).
			Fixf("repeat blocks by count, for_each and ranges of names; read tables by csvdecode(file(…))")
		return false
	}
	tokens, _ := hclsyntax.LexConfig(src.Text, src.Name, hcl.InitialPos) // its findings come again from the parser
	type level struct {
		ops   int
		lines bool
	}
	open, sum := []level{{lines: true}}, 0
	for _, t := range tokens {
		top := &open[len(open)-1]
		switch t.Type {
		case hclsyntax.TokenOBrace, hclsyntax.TokenOBrack, hclsyntax.TokenOParen, hclsyntax.TokenOQuote,
			hclsyntax.TokenOHeredoc, hclsyntax.TokenTemplateInterp, hclsyntax.TokenTemplateControl:
			top.ops++ // a[b][b] nests as well
			sum++
			open = append(open, level{lines: t.Type == hclsyntax.TokenOBrace})
		case hclsyntax.TokenCBrace, hclsyntax.TokenCBrack, hclsyntax.TokenCParen, hclsyntax.TokenCQuote,
			hclsyntax.TokenCHeredoc, hclsyntax.TokenTemplateSeqEnd:
			sum -= top.ops
			top.ops = 0
			if len(open) > 1 {
				open = open[:len(open)-1]
			}
		case hclsyntax.TokenNewline, hclsyntax.TokenComma:
			if t.Type == hclsyntax.TokenComma || top.lines {
				sum -= top.ops
				top.ops = 0
			}
		case hclsyntax.TokenNumberLit:
			if len(t.Bytes) > maxDigits || hugeExponent(t.Bytes) {
				diags.Errorf(TooLarge, t.Range, "the number is longer than %d characters or its exponent than two digits", maxDigits).Fixf("write a number of at most %d characters", maxDigits)
				return false
			}
		case hclsyntax.TokenIdent, hclsyntax.TokenQuotedLit, hclsyntax.TokenStringLit, hclsyntax.TokenComment, hclsyntax.TokenEqual:
		default:
			top.ops++
			sum++
		}
		if sum+len(open) > maxDepth {
			diags.Errorf(TooDeep, t.Range, "more than %d brackets and operators are nested here", maxDepth).
				Fixf("give parts of it a name in locals")
			return false
		}
	}
	return true
}

// hugeExponent tells 1e100 and above: printed in full, such a number would fill memory.
func hugeExponent(number []byte) bool {
	_, exponent, has := bytes.Cut(bytes.ToLower(number), []byte("e"))
	return has && len(bytes.TrimLeft(exponent, "+-")) > 2
}

// countTokens counts runs of letters and digits, signs and lines, at least as many as the
// text has tokens. It takes no memory, unlike the scanner.
func countTokens(text []byte) (n int) {
	inWord := false
	for _, c := range text {
		word := c == '_' || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
		if c != ' ' && c != '\t' && c != '\r' && (!word || !inWord) {
			n++
		}
		inWord = word
	}
	return n
}

// byteOrderMark is what some editors and spreadsheets put before a text.
var byteOrderMark = []byte("\ufeff")

package diag

import (
	"bytes"
	"fmt"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
)

// Limits that keep a hostile file from taking the process down. The parser and the
// evaluator of HCL recurse with the text, and a Go stack that is exhausted cannot be
// recovered from, so depth is bounded before the text is parsed.
const (
	MaxDepth  = 250       // brackets and operators that an expression nests
	MaxDigits = 40        // characters of one number
	maxTokens = 1_000_000 // words and signs of one text; the parser takes 300 B for each
)

// An Excess is why a text of HCL is not parsed.
type Excess struct {
	At      Range
	Message string
	Fix     string
	Deep    bool // it nests too deeply; else it is too large
}

// ParseHCL parses a text that others wrote, within the limits of [BoundHCL]. Beyond them the body is empty.
func ParseHCL(text []byte, name string) (*hcl.File, hcl.Diagnostics) {
	return parseFrom(text, name, hcl.InitialPos)
}

// parseFrom parses a text that begins at a place of its file.
func parseFrom(text []byte, name string, at hcl.Pos) (*hcl.File, hcl.Diagnostics) {
	if e := BoundHCL(text, name); e != nil {
		return &hcl.File{Body: &hclsyntax.Body{}, Bytes: text}, hcl.Diagnostics{{Severity: hcl.DiagError, Summary: e.Message, Detail: e.Fix, Subject: &e.At}}
	}
	return hclsyntax.ParseConfig(text, name, at)
}

// BoundHCL walks the tokens with a stack of the open brackets. Each level counts
// the operators since its last separator: the parser recurses for these and for
// the brackets. A newline separates in braces alone. Nil: the text may be parsed.
func BoundHCL(text []byte, name string) *Excess {
	if n := countTokens(text); n > maxTokens {
		return &Excess{At: Range{Filename: name, Start: hcl.InitialPos, End: hcl.InitialPos},
			Message: fmt.Sprintf("the file has some %d words and signs, at most %d are read", n, maxTokens),
			Fix:     "repeat blocks by count, for_each and ranges of names; read tables by csvdecode(file(…))"}
	}
	tokens, _ := hclsyntax.LexConfig(text, name, hcl.InitialPos) // its findings come again from the parser
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
		case hclsyntax.TokenNewline, hclsyntax.TokenComma, hclsyntax.TokenComment:
			if t.Type == hclsyntax.TokenComma || top.lines && bytes.HasSuffix(t.Bytes, []byte("\n")) { // a remark has the end of its line
				sum -= top.ops
				top.ops = 0
			}
		case hclsyntax.TokenNumberLit:
			if len(t.Bytes) > MaxDigits || hugeExponent(t.Bytes) {
				return &Excess{At: t.Range, Message: fmt.Sprintf("the number is longer than %d characters or its exponent than two digits", MaxDigits),
					Fix: fmt.Sprintf("write a number of at most %d characters", MaxDigits)}
			}
		case hclsyntax.TokenIdent, hclsyntax.TokenQuotedLit, hclsyntax.TokenStringLit, hclsyntax.TokenEqual:
		default:
			top.ops++
			sum++
		}
		if sum+len(open) > MaxDepth {
			return &Excess{At: t.Range, Deep: true, Message: fmt.Sprintf("more than %d brackets and operators are nested here", MaxDepth), Fix: "give parts of it a name in locals"}
		}
	}
	return nil
}

// hugeExponent reports whether a number is 1e100 or more: printed in full, it would fill memory.
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

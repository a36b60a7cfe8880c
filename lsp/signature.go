package lsp

import (
	"slices"

	"github.com/hashicorp/hcl/v2/hclsyntax"

	"github.com/roceplan/roceplan/policy"
)

type signatureHelp struct {
	Signatures []signature `json:"signatures"`
}

type signature struct {
	Label           string `json:"label"`
	Documentation   markup `json:"documentation"`
	ActiveParameter int    `json:"activeParameter"`
}

// signature returns the use of the function around a place, with the number of the argument there.
func (s *server) signature(a *analysis, path string, p *at) any {
	name, argument := called(a.texts[path], offset(a.texts[path], p.Position), path)
	all := policy.Functions()
	i := slices.IndexFunc(all, func(f policy.Function) bool { return f.Name == name })
	if i < 0 {
		return nil
	}
	return signatureHelp{[]signature{{all[i].Usage, markdown(all[i].Doc), argument}}}
}

// called returns the function around a byte, and the number of its argument from 0. The text need not parse:
// parentheses are counted as its scanner finds them.
func called(text []byte, at int, path string) (name string, argument int) {
	type call struct {
		name     string
		argument int
	}
	tokens, _ := hclsyntax.LexConfig(text, path, startOfFile)
	var open []call
	before := ""
	for _, t := range tokens {
		if t.Range.Start.Byte >= at {
			break
		}
		switch t.Type {
		case hclsyntax.TokenOParen, hclsyntax.TokenOBrack, hclsyntax.TokenOBrace:
			if t.Type != hclsyntax.TokenOParen {
				before = ""
			}
			open = append(open, call{name: before})
		case hclsyntax.TokenCParen, hclsyntax.TokenCBrack, hclsyntax.TokenCBrace:
			open = open[:max(0, len(open)-1)]
		case hclsyntax.TokenComma:
			if len(open) > 0 {
				open[len(open)-1].argument++
			}
		}
		before = ""
		if t.Type == hclsyntax.TokenIdent {
			before = string(t.Bytes)
		}
	}
	if len(open) == 0 {
		return "", 0
	}
	last := open[len(open)-1]
	return last.name, last.argument
}

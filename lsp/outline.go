package lsp

import (
	"strings"

	"github.com/hashicorp/hcl/v2/hclsyntax"
)

// Kinds of symbols that editors have pictures for.
const symbolClass = 5

type symbol struct {
	Name      string   `json:"name"`
	Kind      int      `json:"kind"`
	Range     span     `json:"range"`
	Selection span     `json:"selectionRange"`
	Children  []symbol `json:"children,omitempty"`
}

// symbols are the blocks of a file, each with those inside it.
func (s *server) symbols(a *analysis, path string, _ *at) any {
	if a.bodies[path] == nil {
		return []symbol{}
	}
	return symbolsOf(a.texts[path], a.bodies[path])
}

func symbolsOf(text []byte, body *hclsyntax.Body) []symbol {
	out := []symbol{}
	for _, b := range body.Blocks {
		name, at := b.Type, b.TypeRange
		if len(b.Labels) > 0 {
			name, at = b.Type+" "+strings.Join(b.Labels, " "), b.LabelRanges[0]
		}
		out = append(out, symbol{name, symbolClass, spanOf(text, b.Range()), spanOf(text, at), symbolsOf(text, b.Body)})
	}
	return out
}

type fold struct {
	Start int `json:"startLine"` // from 0
	End   int `json:"endLine"`
}

// folds are the blocks of a file that take several lines; the line of the closing brace stays.
func (s *server) folds(a *analysis, path string, _ *at) any {
	out := []fold{}
	var walk func(*hclsyntax.Body)
	walk = func(body *hclsyntax.Body) {
		for _, b := range body.Blocks {
			if f := (fold{b.OpenBraceRange.Start.Line - 1, b.CloseBraceRange.Start.Line - 2}); f.End > f.Start {
				out = append(out, f)
			}
			walk(b.Body)
		}
	}
	if body := a.bodies[path]; body != nil {
		walk(body)
	}
	return out
}

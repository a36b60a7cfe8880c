package lsp

import (
	"encoding/json"
	"maps"
	"slices"
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

// symbols returns the blocks of a file, each with those inside it.
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

type workspaceSymbol struct {
	Name     string   `json:"name"`
	Kind     int      `json:"kind"`
	Location location `json:"location"`
}

// workspaceSymbols returns the names that fabrics with an open file declare, as far as they contain what was typed.
func (s *server) workspaceSymbols(m *message) []workspaceSymbol {
	var p struct {
		Query string `json:"query"`
	}
	_ = json.Unmarshal(m.Params, &p) // without a query it is empty: all
	out, seen := []workspaceSymbol{}, map[location]bool{}
	for _, name := range slices.Sorted(maps.Keys(s.folders)) {
		a := s.folders[name].now
		if a == nil {
			continue
		}
		for _, d := range a.declared() {
			at := location{uriOf(d.at.Filename), spanOf(a.texts[d.at.Filename], d.at)}
			if text := d.kind + " " + d.name; !seen[at] && strings.Contains(strings.ToLower(text), strings.ToLower(p.Query)) {
				seen[at] = true
				out = append(out, workspaceSymbol{text, symbolClass, at})
			}
		}
	}
	return out
}

type fold struct {
	Start int `json:"startLine"` // from 0
	End   int `json:"endLine"`
}

// folds returns the blocks of a file that take several lines; the line of the closing brace stays.
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

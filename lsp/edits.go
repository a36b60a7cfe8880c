package lsp

import (
	"strconv"
	"strings"

	"github.com/roceplan/roceplan"
	"github.com/roceplan/roceplan/policy"
)

// format lays the file out as roceplan fmt does; one that does not parse is left as it is.
func (s *server) format(a *analysis, path string, _ *at) any {
	text := a.texts[path]
	laid, found := policy.Format(roceplan.Source{Name: path, Text: text})
	if found.HasErrors() || string(laid) == string(text) {
		return []textEdit{}
	}
	return []textEdit{{span{End: positionOf(text, len(text))}, string(laid)}}
}

// actions offers what a finding says was likely meant, in the place of what stands there.
func (s *server) actions(a *analysis, path string, p *at) any {
	out := []codeAction{}
	text := a.texts[path]
	for _, d := range p.Context.Diagnostics {
		if d.Source != "roceplan" || d.Data == "" {
			continue
		}
		name, with := d.Data, d.Data
		if was := string(text[offset(text, d.Range.Start):offset(text, d.Range.End)]); strings.HasPrefix(was, `"`) {
			with = strconv.Quote(name)
		}
		out = append(out, codeAction{Title: "Replace by " + name, Kind: "quickfix", Diagnostics: []diagnostic{d},
			Edit: workspaceEdit{map[string][]textEdit{p.Document.URI: {{d.Range, with}}}}})
	}
	return out
}

package lsp

import (
	"context"

	"github.com/roceplan/roceplan"
	"github.com/roceplan/roceplan/diag"
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

// startRepairing tries edits for the findings of a folder that has been planned, beside the
// conversation; a change of the text ends that.
func (s *server) startRepairing(name string, f *folder) {
	if !f.planned || f.cancel != nil {
		return // planning leads here, or it is under way
	}
	ctx, cancel := context.WithCancel(context.Background())
	f.cancel, f.ended = cancel, make(chan struct{})
	now, ended := f.now, f.ended
	tell := s.teller(ctx)
	go func() {
		defer close(ended)
		defer func() {
			if why := recover(); why != nil {
				tell(event{folder: f, of: now, edits: true, failed: why})
			}
		}()
		if repaired, offers, err := now.repair(ctx, name); err == nil {
			now.repaired, now.offers = repaired, offers
			tell(event{folder: f, of: now, edits: true})
		}
	}()
}

// repair tries edits for all findings and, where none is an error, for the conditions of verdicts. The list of
// findings is never nil.
func (a *analysis) repair(ctx context.Context, folder string) (repaired diag.List, offers []roceplan.Offer, err error) {
	inFolder(folder, a.in, func(in roceplan.Input) {
		if repaired, err = roceplan.Check(ctx, roceplan.Load(in)); err != nil {
			return
		}
		if repaired, err = roceplan.Repair(ctx, in, repaired); err == nil && !repaired.HasErrors() {
			offers, err = roceplan.Offers(ctx, in)
		}
	})
	return append(diag.List{}, repaired...), offers, err
}

// actions offers the edits that repair findings and, on the first line of the block that a condition of a verdict is
// on, those that make it proved. All have been tried.
func (s *server) actions(a *analysis, path string, p *at) any {
	out := []codeAction{}
	for _, d := range a.repaired {
		if len(d.Edits) == 0 {
			continue
		}
		for _, shown := range p.Context.Diagnostics {
			if shown.Source == "roceplan" && shown.Code == string(d.Code) && d.Subject.Filename == path && shown.Range == spanOf(a.texts[path], d.Subject) {
				out = append(out, a.action(shown, d.Edits))
				break
			}
		}
	}
	for i := range a.offers {
		if o := &a.offers[i]; o.At.Filename == path && p.Range.Start.Line < o.At.Start.Line && o.At.Start.Line <= p.Range.End.Line+1 {
			out = append(out, a.provers(o)...)
		}
	}
	return out
}

// provers are the edits with which a condition is gone.
func (a *analysis) provers(o *roceplan.Offer) (list []codeAction) {
	for title, w := range o.Ways() {
		list = append(list, codeAction{Title: "Proved: " + title + w.String(), Kind: "refactor", Diagnostics: []diagnostic{}, Edit: a.workspaceEdit(w.Edits)})
	}
	return list
}

func (a *analysis) action(of diagnostic, edits []diag.Edit) codeAction {
	return codeAction{Title: "Edit " + edits[0].Shown(a.texts[edits[0].Range.Filename]), Kind: "quickfix", Diagnostics: []diagnostic{of}, Edit: a.workspaceEdit(edits)}
}

// workspaceEdit says edits as the protocol does.
func (a *analysis) workspaceEdit(edits []diag.Edit) workspaceEdit {
	changes := map[string][]textEdit{}
	for _, e := range edits {
		uri := uriOf(e.Range.Filename)
		changes[uri] = append(changes[uri], textEdit{spanOf(a.texts[e.Range.Filename], e.Range), e.Text})
	}
	return workspaceEdit{changes}
}

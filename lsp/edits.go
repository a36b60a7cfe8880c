package lsp

import (
	"context"
	"slices"
	"time"

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

// edits holds the edits of a text that were tried with success.
type edits struct {
	repaired diag.List        // all findings with the edits that repair them; nil before that is known
	offers   []roceplan.Offer // of conditions of verdicts, as long as nothing is wrong
}

// startTrials tries edits of a folder that has been planned, in the background, after all earlier trials have
// ended. A change of the text ends that.
func (s *server) startTrials(f *folder) {
	ctx, cancel := context.WithCancel(context.Background())
	before, ended := f.tried, make(chan struct{})
	f.abandonTrials, f.tried = cancel, ended
	now, trying, tell := f.now, s.trying, s.teller(ctx)
	in := now.in
	in.Memory = &f.trials
	go func() {
		defer close(ended)
		defer cancel()
		defer func() {
			if why := recover(); why != nil {
				tell(event{folder: f, of: now, failed: why})
			}
		}()
		if before != nil {
			<-before
		}
		select {
		case <-time.After(quiet):
		case <-ctx.Done():
			return
		}
		if trying != nil {
			trying()
		}
		inFolder(f.name, in, func(in roceplan.Input) {
			tryEdits(ctx, in, func(known edits) { tell(event{folder: f, of: now, edits: &known}) })
		})
	}()
}

// tryEdits tries edits for all findings and then, where none is an error, for the conditions of
// verdicts. It reports the edits known after each of the two.
func tryEdits(ctx context.Context, in roceplan.Input, tell func(edits)) {
	var known edits
	found, err := roceplan.Check(ctx, roceplan.Load(in))
	if err == nil {
		known.repaired, err = roceplan.Repair(ctx, in, found)
	}
	if err != nil {
		return // the text has changed
	}
	known.repaired = append(diag.List{}, known.repaired...)
	tell(known)
	if found.HasErrors() {
		return
	}
	if known.offers, err = roceplan.Offers(ctx, in); err == nil {
		tell(known)
	}
}

// offersActions reports whether there is an edit that an action could offer.
func (e *edits) offersActions() bool {
	return slices.ContainsFunc(e.offers, func(o roceplan.Offer) bool { return o.Declare != nil || o.Pay != nil }) || slices.ContainsFunc(e.repaired, func(d diag.Diagnostic) bool { return len(d.Edits) > 0 })
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
			if shown.Source == "roceplan" && shown.Code == string(d.Code) && a.isAt(d, path, shown.Range) {
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

// isAt reports whether a finding was published at a place. With its edit it may have moved to where that is; the place
// before is then among its notes.
func (a *analysis) isAt(d diag.Diagnostic, path string, place span) bool {
	is := func(r diag.Range) bool { return r.Filename == path && spanOf(a.texts[path], r) == place }
	return is(d.Subject) || slices.ContainsFunc(d.Related, func(n diag.Note) bool { return is(n.Range) })
}

// provers returns the edits with which a condition is gone.
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

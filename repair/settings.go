package repair

import "github.com/roceplan/roceplan/diag"

// A Setting gives an attribute of a block a value, as HCL writes it. Without a value the attribute is
// taken away. The remark is a comment above a line that is added.
type Setting struct {
	Block               diag.Range // some of the block's first line
	Name, Value, Remark string
}

// Try gives attributes values and reports which findings are gone with all of them together. Edits are nil
// where there is no such block, where nothing would change, and where another finding is new.
func Try(texts Texts, found diag.List, settings []Setting, check Check) (edits []diag.Edit, gone []bool, err error) {
	f := newFinder(texts, found, check)
	b := &builder{finder: f}
	for _, s := range settings {
		edit, ok := b.setting(s)
		if !ok {
			return nil, nil, nil
		}
		edits = append(edits, edit)
	}
	t, err := f.outcome(candidate{edits: edits}, "", func(tally) bool { return false })
	if err != nil || t == nil {
		return nil, nil, err
	}
	return edits, t.gone, nil
}

// setting returns the edit for a setting; false where there is none.
func (b *builder) setting(s Setting) (diag.Edit, bool) {
	block := b.files.at(s.Block).block
	if block == nil || b.texts[s.Block.Filename] == nil {
		return diag.Edit{}, false
	}
	attr := block.Body.Attributes[s.Name]
	switch {
	case attr == nil && s.Value == "":
		return diag.Edit{}, false
	case s.Value == "":
		return diag.Edit{Range: b.lines(attr.SrcRange)}, true
	case attr != nil:
		return diag.Edit{Range: attr.Expr.Range(), Text: s.Value}, b.value(attr) != s.Value
	case s.Remark != "":
		return within(block, "# "+s.Remark, s.Name+" = "+s.Value), true
	}
	return within(block, s.Name+" = "+s.Value), true
}

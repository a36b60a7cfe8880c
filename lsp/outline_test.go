package lsp

import (
	"slices"
	"strings"
	"testing"
)

// The blocks of a file are its outline and its folds.
func TestOutline(t *testing.T) {
	path, text := pod(t)
	c := start(t)
	defer c.stop()
	c.opens(path, text)
	var list []symbol
	c.about("textDocument/documentSymbol", path, text, "", &list)
	var names []string
	for _, s := range list {
		names = append(names, s.Name)
		for _, inside := range s.Children {
			names = append(names, inside.Name)
		}
	}
	for _, want := range []string{"traffic_class rdma", "nic cx5", "switch tor-[01..16]", "port_group servers"} {
		if !slices.Contains(names, want) {
			t.Errorf("the outline has no %q: %q", want, names)
		}
	}
	var folds []fold
	c.about("textDocument/foldingRange", path, text, "", &folds)
	lines := strings.Split(text, "\n")
	for _, f := range folds {
		if !strings.HasSuffix(lines[f.Start], "{") || strings.TrimSpace(lines[f.End+1]) != "}" {
			t.Errorf("lines %d to %d are folded: %q … %q", f.Start, f.End, lines[f.Start], lines[f.End+1])
		}
	}
	if len(folds) < 8 {
		t.Errorf("%d folds", len(folds))
	}
}

// Another name is put wherever the old one is; the fabric is what it was. A name that is taken or is none is
// refused.
func TestRename(t *testing.T) {
	path, text := pod(t)
	c := start(t)
	defer c.stop()
	c.opens(path, text)
	ask := func(before, name string) (edited string, failed *failure) {
		var edit workspaceEdit
		at := strings.Index(text, before) + len(before)
		params := map[string]any{"textDocument": map[string]any{"uri": uriOf(path)}, "position": positionOf([]byte(text), at), "newName": name}
		failed = c.ask("textDocument/rename", params, &edit)
		edits := edit.Changes[uriOf(path)]
		slices.SortFunc(edits, func(a, b textEdit) int { return b.Range.Start.Line - a.Range.Start.Line })
		edited = text
		for _, e := range edits {
			edited = string(splice([]byte(edited), &e.Range, e.Text))
		}
		return edited, failed
	}
	for before, want := range map[string]string{"peer   = nic.c": strings.NewReplacer("nic.cx5", "nic.card", `nic "cx5"`, `nic "card"`).Replace(text),
		`nic "c`: strings.NewReplacer("nic.cx5", "nic.card", `nic "cx5"`, `nic "card"`).Replace(text)} {
		if got, failed := ask(before, "card"); failed != nil || got != want || got == text {
			t.Errorf("%s: %v\n%s", before, failed, got)
		}
	}
	want := strings.NewReplacer("switch.leaf", "switch.s", `"leaf-[`, `"s-[`).Replace(text)
	if got, failed := ask("= switch.l", "s"); failed != nil || !strings.Contains(got, "switch.s\n") {
		t.Errorf("switch.leaf: %v\n%s\nwant\n%s", failed, got, want)
	}
	if _, failed := ask(`traffic_class "rd`, "cnp"); failed == nil {
		t.Error("two classes may be called alike")
	}
	if _, failed := ask(`nic "c`, "a b"); failed == nil {
		t.Error("a name may have a blank")
	}
	var places []highlight
	c.about("textDocument/documentHighlight", path, text, "peer   = nic.c", &places)
	if want := 1 + strings.Count(text, "nic.cx5"); len(places) != want {
		t.Errorf("%d places of nic.cx5, want %d", len(places), want)
	}
}

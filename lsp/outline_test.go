package lsp

import (
	"path/filepath"
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

// Names of all fabrics that are open are found by a part of them.
func TestWorkspaceSymbols(t *testing.T) {
	path, text := pod(t)
	other, _ := pod(t)
	c := start(t)
	defer c.stop()
	c.opens(path, text)
	c.opens(other, text)
	for query, want := range map[string][]string{"cx5": {"nic cx5", "nic cx5"}, "SWITCH TOR": {"switch tor-[01..16]", "switch tor-[01..16]"}, "nothing": nil} {
		var list []workspaceSymbol
		if failed := c.ask("workspace/symbol", map[string]any{"query": query}, &list); failed != nil {
			t.Fatal(failed)
		}
		var names []string
		for _, s := range list {
			names = append(names, s.Name)
		}
		if !slices.Equal(names, want) {
			t.Errorf("%q finds %q, want %q", query, names, want)
		}
	}
}

// What the language has is a token of its kind, and a misspelt name is none.
func TestSemanticTokens(t *testing.T) {
	path, _ := pod(t)
	text := "fabric \"pod\" {\n  mtu = \"9216B\"\n  mtuu = max(1, 2)\n}\nnic \"übung\" {\n  model = \"connectx-7\"\n}\nswitch \"a\" {\n  os = sonic\n  port_group \"p\" {\n    peer = nic.übung\n  }\n}\n"
	c := start(t)
	defer c.stop()
	c.opens(path, text)
	var list semanticTokens
	c.about("textDocument/semanticTokens/full", path, text, "", &list)
	lines, at := strings.Split(text, "\n"), position{}
	var got []string
	for d := list.Data; len(d) > 0; d = d[5:] {
		if d[0] > 0 {
			at.Character = 0
		}
		at.Line, at.Character = at.Line+d[0], at.Character+d[1]
		got = append(got, tokenTypes[d[3]]+" "+lines[at.Line][offset([]byte(lines[at.Line]), position{0, at.Character}):offset([]byte(lines[at.Line]), position{0, at.Character + d[2]})])
	}
	want := []string{`type fabric`, `class "pod"`, `property mtu`, `function max`, `type nic`, `class "übung"`, `property model`, `type switch`, `class "a"`, `property os`, `enumMember sonic`, `type port_group`, `class "p"`, `property peer`, `variable nic.übung`}
	if !slices.Equal(got, want) {
		t.Errorf("tokens %q, want %q", got, want)
	}
}

// In the parentheses of a function stand its use and which argument it is.
func TestSignature(t *testing.T) {
	path, _ := pod(t)
	text := "fabric \"pod\" {\n  mtu = join(\",\", [\"a\", max(1, \n}\n"
	c := start(t)
	defer c.stop()
	c.opens(path, text)
	for before, want := range map[string]signature{
		`join(`: {Label: `join(",", list)`}, `join(",", `: {Label: `join(",", list)`, ActiveParameter: 1}, `max(1, `: {Label: "max(a, b)", ActiveParameter: 1},
	} {
		var help signatureHelp
		c.about("textDocument/signatureHelp", path, text, before, &help)
		if len(help.Signatures) != 1 || help.Signatures[0].Label != want.Label || help.Signatures[0].ActiveParameter != want.ActiveParameter {
			t.Errorf("after %s: %+v, want %+v", before, help, want)
		}
	}
	var none *signatureHelp
	c.about("textDocument/signatureHelp", path, text, "mtu", &none)
	if none != nil {
		t.Errorf("outside of parentheses: %+v", none)
	}
}

// Boards fit what the switch says of itself, also while the line is typed.
func TestBoards(t *testing.T) {
	path, text := pod(t)
	c := start(t)
	defer c.stop()
	c.opens(path, text)
	version := 1
	for _, q := range []struct {
		lines, has, hasNot string
	}{
		{"  chip = \"tomahawk5\"\n  platform = ", "x86_64-arista_7060x6_64pe", "x86_64-nvidia_sn5600-r0"},
		{"  platform = \"x86_64-arista_7060x6_64pe\"\n  hwsku = ", "Arista-7060X6-64PE-O128", "ACS-SN5600"},
		{"  platform = \"x86_64-arista_7060x6_64pe\"\n  port_group \"p\" {\n    breakout = ", "2x400G", "4x25G"},
	} {
		version++
		edited := text + "switch \"new\" {\n" + q.lines
		c.types(path, version, edited)
		var list []completion
		c.about("textDocument/completion", path, edited, "switch \"new\" {\n"+q.lines, &list)
		if got := labels(list); !slices.Contains(got, q.has) || slices.Contains(got, q.hasNot) {
			t.Errorf("%s: %q", q.lines, got)
		}
	}
}

// Two fabrics in a folder are two: neither has an error because of the other. A file without a fabric block is part of both.
func TestTwoFabrics(t *testing.T) {
	path, text := pod(t)
	folder := filepath.Dir(path)
	second, shared := filepath.Join(folder, "second.hcl"), filepath.Join(folder, "lengths.hcl")
	c := start(t)
	defer c.stop()
	errors := func(list []diagnostic) (all []string) {
		for _, d := range list {
			if d.Severity == 1 {
				all = append(all, d.Message)
			}
		}
		return all
	}
	c.opens(path, text)
	with := strings.Replace(text, `cable  = "15m"`, "cable  = local.rack", 1)
	if with == text {
		t.Fatal("the example has no such cable")
	}
	if found := errors(c.opens(second, with)); len(found) != 1 || !strings.Contains(found[0], "rack") {
		t.Errorf("the second fabric lacks a local alone: %q", found)
	}
	if found := errors(c.settles(path)); len(found) > 0 {
		t.Errorf("the first fabric has errors: %q", found)
	}
	if found := errors(c.opens(shared, "locals {\n  rack = \"15m\"\n}\n")); len(found) > 0 {
		t.Errorf("what both have has errors: %q", found)
	}
	if found := errors(c.settles(second)); len(found) > 0 {
		t.Errorf("the second fabric has errors: %q", found)
	}
	var place location
	c.about("textDocument/definition", second, with, "local.r", &place)
	if place.URI != uriOf(shared) {
		t.Errorf("local.rack is defined at %+v", place)
	}
	// One of them becomes a part of the other.
	if found := errors(c.types(second, 2, "# nothing\n")); len(found) > 0 {
		t.Errorf("a file without a block has errors: %q", found)
	}
	if found := errors(c.settles(path)); len(found) > 0 {
		t.Errorf("the fabric that is left has errors: %q", found)
	}
}

package lsp

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/roceplan/roceplan/internal/testing/must"
)

// pod is a fabric of its own folder.
func pod(t testing.TB) (path, text string) {
	t.Helper()
	raw := must.Get(os.ReadFile("../examples/ucloud-pod/fabric.hcl"))(t)
	path = filepath.Join(t.TempDir(), "fabric.hcl")
	must.Do(t, os.WriteFile(path, raw, 0o666))
	return path, string(raw)
}

func labels(list []completion) (out []string) {
	for _, c := range list {
		out = append(out, c.Label)
	}
	return out
}

// Findings come as one types, at the place of the fault, and go when it is fixed.
func TestFindings(t *testing.T) {
	path, text := pod(t)
	c := start(t)
	defer c.stop()
	for _, d := range c.opens(path, text) {
		if d.Severity == 1 {
			t.Errorf("the example has an error: %+v", d)
		}
	}
	broken := strings.Replace(text, `speed  = "25Gbps"`, `speed  = "25"`, 1)
	broken = strings.Replace(broken, "speed    = \"25Gbps\"", "speed    = \"25\"", 1)
	if broken == text {
		t.Fatal("the example has no such speed")
	}
	found := c.types(path, 2, broken)
	i := slices.IndexFunc(found, func(d diagnostic) bool { return d.Severity == 1 })
	if i < 0 || found[i].Source != "roceplan" {
		t.Fatalf("a speed without a unit: %+v", found)
	}
	lines := strings.Split(broken, "\n")
	if line := lines[found[i].Range.Start.Line]; line[found[i].Range.Start.Character:found[i].Range.End.Character] != `"25"` {
		t.Errorf("the finding is at %+v: %s", found[i].Range, line)
	}
	for _, d := range c.types(path, 3, text) {
		if d.Severity == 1 {
			t.Errorf("the fixed text has an error: %+v", d)
		}
	}
}

// What is wrong in a file that no editor shows is told where the fabric names it.
func TestFindingInAnotherFile(t *testing.T) {
	path, text := pod(t)
	must.Do(t, os.WriteFile(filepath.Join(filepath.Dir(path), "sizes.txt"), []byte("0 0\n9 101\n"), 0o666))
	c := start(t)
	defer c.stop()
	text += "\nsizes \"measured\" {\n  file = \"sizes.txt\"\n}\n"
	found := c.opens(path, text)
	i := slices.IndexFunc(found, func(d diagnostic) bool { return d.Code == "bad-sizes" })
	if i < 0 {
		t.Fatalf("%+v", found)
	}
	if line := strings.Split(text, "\n")[found[i].Range.Start.Line]; line != `  file = "sizes.txt"` || !strings.Contains(found[i].Message, "101") {
		t.Errorf("at %q: %s", line, found[i].Message)
	}
}

// Edits of parts are applied in their order.
func TestIncrementalEdits(t *testing.T) {
	path, text := pod(t)
	c := start(t)
	defer c.stop()
	c.opens(path, text)
	at := positionOf([]byte(text), strings.Index(text, "ucloud-pod\""))
	end := at
	end.Character += len("ucloud-pod")
	go c.tell("textDocument/didChange", map[string]any{
		"textDocument": map[string]any{"uri": uriOf(path), "version": 2},
		"contentChanges": []any{
			map[string]any{"range": span{at, end}, "text": "übung 😀"}, // four and two bytes, one and two units
			map[string]any{"range": span{position{at.Line, at.Character + 6}, position{at.Line, at.Character + 8}}, "text": "x"},
		}})
	c.findings(path, 2)
	var edits []textEdit
	if failed := c.ask("textDocument/formatting", map[string]any{"textDocument": map[string]any{"uri": uriOf(path)}}, &edits); failed != nil {
		t.Fatal(failed)
	}
	var h hover
	c.about("textDocument/hover", path, strings.Replace(text, "ucloud-pod\"", "übung x\"", 1), "headroom_meth", &h)
	if !strings.Contains(h.Contents.Value, "headroom_method") {
		t.Errorf("after the edits there is %q", h.Contents.Value)
	}
}

// An attribute says what it means; inside a port group also what the group got.
func TestHover(t *testing.T) {
	path, text := pod(t)
	c := start(t)
	defer c.stop()
	c.opens(path, text)
	for before, wants := range map[string][]string{
		"headroom_meth": {"headroom_method"},
		// UCloud's own design: 98 cells of 256 B at 25G over 15 m.
		"    cable  = \"15":  {"cable", "headroom: 25088B", "tightest"},
		"  chip     = \"tri": {"trident3", "cell_size: 256B"},
		"traffic_cl":         {"traffic_class"},
	} {
		if !strings.Contains(text, before) {
			t.Errorf("%q is not in the example", before)
			continue
		}
		var h hover
		c.about("textDocument/hover", path, text, before, &h)
		for _, want := range wants {
			if !strings.Contains(h.Contents.Value, want) {
				t.Errorf("%q: %q is not in\n%s", before, want, h.Contents.Value)
			}
		}
	}
}

// What is offered: attributes that are not there yet, words of enumerations, names of blocks,
// chips; also while the text does not parse.
func TestCompletion(t *testing.T) {
	path, text := pod(t)
	c := start(t)
	defer c.stop()
	for i, try := range []struct {
		typed        string
		wants, never []string
	}{
		{"switch \"x\" {\n  ", []string{"chip", "port_group"}, []string{"traffic_class"}},
		{"switch \"x\" {\n  chip = \"trident3\"\n  ", []string{"os"}, nil},
		{"switch \"x\" {\n  chip = ", []string{"trident3", "tomahawk5"}, nil},
		{"traffic_class \"x\" {\n  scheduling = ", []string{"strict"}, nil},
		{"switch \"x\" {\n  port_group \"y\" {\n    peer = ", []string{"nic.cx5"}, []string{"traffic_class.rdma"}},
		{"nic \"x\" {\n  model = ", []string{"connectx-7"}, nil},
		{"switch \"x\" {\n  pinned {\n    ", []string{"ports", "pfc", "priority_group", "pool"}, []string{"chip"}},
		{"switch \"x\" {\n  pinned {\n    priority_group \"3\" {\n      ", []string{"headroom", "xon_offset", "alpha"}, []string{"kmin"}},
		{"switch \"x\" {\n  pinned {\n    watchdog {\n      action = ", []string{"drop", "alert"}, nil},
		{"", []string{"fabric", "switch", "nic"}, []string{"mtu", "chip"}},
	} {
		whole := text + "\n" + try.typed
		if i == 0 {
			c.opens(path, whole)
		} else {
			c.types(path, i+1, whole)
		}
		var list []completion
		c.about("textDocument/completion", path, whole, whole, &list)
		for _, want := range try.wants {
			if !slices.Contains(labels(list), want) {
				t.Errorf("%q does not offer %s: %v", try.typed, want, labels(list))
			}
		}
		for _, never := range try.never {
			if slices.Contains(labels(list), never) {
				t.Errorf("%q offers %s", try.typed, never)
			}
		}
	}
}

// A name leads to its block, in another file too, and a block to where it is named.
func TestNames(t *testing.T) {
	path, text := pod(t)
	nics := filepath.Join(filepath.Dir(path), "nics.hcl")
	must.Do(t, os.WriteFile(nics, []byte("nic \"other\" {\n  model = \"connectx-7\"\n}\n"), 0o666))
	text = strings.Replace(text, "peer   = nic.cx5", "peer   = nic.other", 1)
	if !strings.Contains(text, "nic.other") {
		t.Fatal("the example names its NIC otherwise")
	}
	c := start(t)
	defer c.stop()
	c.opens(path, text)
	var found location
	c.about("textDocument/definition", path, text, "= nic.oth", &found)
	if found.URI != uriOf(nics) || found.Range.Start != (position{0, 4}) {
		t.Errorf("nic.other is at %+v", found)
	}
	var all []location
	c.about("textDocument/references", path, text, "= nic.oth", &all)
	if len(all) != 1 || all[0].URI != uriOf(path) {
		t.Errorf("nic.other is named at %+v", all)
	}
}

// A finding that knows what was meant offers to write it.
func TestActions(t *testing.T) {
	path, text := pod(t)
	c := start(t)
	defer c.stop()
	broken := strings.Replace(text, `"trident3"`, `"tridnet3"`, 1)
	found := c.opens(path, broken)
	list := c.offered(path, span{}, found)
	if len(list) != 1 {
		t.Fatalf("%+v", list)
	}
	edit := list[0].Edit.Changes[uriOf(path)][0]
	must.Equalf(t, string(splice([]byte(broken), &edit.Range, edit.Text)), text, "the edit is %+v:", edit)
}

// The block that a verdict's condition is on offers what makes it needless: UCloud's servers have to be silent
// within 1556.578 ns.
func TestProvingActions(t *testing.T) {
	path, text := pod(t)
	c := start(t)
	defer c.stop()
	c.opens(path, text)
	at := position{Line: strings.Count(text[:strings.Index(text, `port_group "servers"`)], "\n")}
	list := c.offered(path, span{at, at}, []diagnostic{})
	if len(list) != 2 || !strings.HasPrefix(list[0].Title, "Proved: declare it if it is so: ") || !strings.HasPrefix(list[1].Title, "Proved: pay for it: ") {
		t.Fatalf("%+v", list)
	}
	edit := list[0].Edit.Changes[uriOf(path)][0]
	if got := string(splice([]byte(text), &edit.Range, edit.Text)); !strings.Contains(got, "{\n  # Keep this only if it is so") || !strings.Contains(got, "\n  pause_response = \"1556ns\"\n") {
		t.Errorf("the edit is %+v", edit)
	}
	if list := c.actions(path, span{}, []diagnostic{}); len(list) != 0 {
		t.Errorf("at the first line: %+v", list)
	}
}

// Behind each cable stands the headroom that it costs: UCloud's 98 and 408 cells.
func TestHints(t *testing.T) {
	path, text := pod(t)
	c := start(t)
	defer c.stop()
	c.opens(path, text)
	var list []inlayHint
	params := map[string]any{"textDocument": map[string]any{"uri": uriOf(path)}, "range": span{End: position{Line: 1000}}}
	if failed := c.ask("textDocument/inlayHint", params, &list); failed != nil {
		t.Fatal(failed)
	}
	var got []string
	for _, h := range list {
		got = append(got, h.Label)
	}
	if want := []string{"headroom 98 cells (25088B)", "headroom 408 cells (104448B)", "headroom 408 cells (104448B)"}; !slices.Equal(got, want) {
		t.Errorf("hints %q, want %q", got, want)
	}
}

// The protocol's own rules: initialize comes first, unknown requests are refused, unknown
// notifications skipped, and nothing is answered after shutdown.
func TestProtocol(t *testing.T) {
	c := start(t)
	c.tell("$/setTrace", map[string]any{"value": "off"})
	if failed := c.ask("textDocument/unheardOf", map[string]any{}, nil); failed == nil || failed.Code != methodNotFound {
		t.Errorf("an unknown request: %+v", failed)
	}
	if failed := c.ask("textDocument/hover", map[string]any{"textDocument": map[string]any{"uri": "file:///etc/passwd"}}, nil); failed == nil || failed.Code != invalidParams {
		t.Errorf("a file that is not a fabric: %+v", failed)
	}
	c.ask("shutdown", nil, nil)
	if failed := c.ask("textDocument/hover", map[string]any{}, nil); failed == nil || failed.Code != invalidRequest {
		t.Errorf("after shutdown: %+v", failed)
	}
	c.tell("exit", nil)
	if err := <-c.done; err != nil {
		t.Error(err)
	}
	var out bytes.Buffer
	if err := Serve(context.Background(), strings.NewReader("Content-Length: 99999999999\r\n\r\n"), &out, ""); err == nil {
		t.Error("a message of 93 GiB is read")
	}
}

// Positions count UTF-16 code units: they lead to a byte and back.
func TestPositions(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := []byte(rapid.StringMatching("([a-zäß€😀]|\n){0,60}").Draw(t, "text"))
		at := rapid.IntRange(0, len(text)).Draw(t, "at")
		for at > 0 && at < len(text) && text[at]&0xc0 == 0x80 {
			at--
		}
		if got := offset(text, positionOf(text, at)); got != at {
			t.Fatalf("%d of %q leads to %+v and back to %d", at, text, positionOf(text, at), got)
		}
	})
}

// Whatever an editor sends, the server neither panics nor hangs.
func FuzzServe(f *testing.F) {
	body := `{"jsonrpc":"2.0","id":1,"method":"textDocument/hover","params":{"textDocument":{"uri":"file:///x/y.hcl"},"position":{"line":-1,"character":-5}}}`
	f.Add(`{"jsonrpc":"2.0","id":1,"method":"initialize"}`, `{"method":"textDocument/didOpen","params":{"textDocument":{"uri":"file:///x/y.hcl","text":"switch \"a\" {\n"}}}`, body)
	f.Add(body, `{"method":"textDocument/didChange"}`, `{"id":{},"method":3}`)
	f.Fuzz(func(t *testing.T, a, b, c string) {
		var in bytes.Buffer
		for _, m := range []string{`{"id":0,"method":"initialize"}`, a, b, c} {
			fmt.Fprintf(&in, "Content-Length: %d\r\n\r\n%s", len(m), m)
		}
		var out bytes.Buffer
		_ = Serve(context.Background(), &in, &out, "") // the stream ends without exit
	})
}

// Editors on Windows name drives and shares; VS Code encodes the colon (RFC 8089, appendices D and E).
func TestURIs(t *testing.T) {
	for _, c := range []struct {
		uri, path, back string
		windows         bool
	}{
		{"file:///home/me/a%20b/fabric.hcl", "/home/me/a b/fabric.hcl", "file:///home/me/a%20b/fabric.hcl", false},
		{"file://localhost/home/me/fabric.hcl", "/home/me/fabric.hcl", "file:///home/me/fabric.hcl", false},
		{"file:///c%3A/Users/me/fabric.hcl", "c:/Users/me/fabric.hcl", "file:///c:/Users/me/fabric.hcl", true},
		{"file:///C:/fabric.hcl", "C:/fabric.hcl", "file:///C:/fabric.hcl", true},
		{"file://server/share/fabric.hcl", "//server/share/fabric.hcl", "file://server/share/fabric.hcl", true},
		{"untitled:Untitled-1", "", "", false},
		{"http://server/fabric.hcl", "", "", true},
	} {
		must.Equalf(t, slashed(c.uri, c.windows), c.path, "%s is the file", c.uri)
		if got := fileURI(c.path); c.path != "" && got != c.back {
			t.Errorf("%s has the URI %q, want %q", c.path, got, c.back)
		}
	}
}

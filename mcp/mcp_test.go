package mcp_test

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/roceplan/roceplan"
	"github.com/roceplan/roceplan/internal/testing/must"
	"github.com/roceplan/roceplan/mcp"
)

// ask starts a server on a folder and returns what calls of its tools.
func ask(t *testing.T, folder string) func(tool string, in map[string]any) (string, bool) {
	t.Helper()
	root := must.Get(os.OpenRoot(folder))(t)
	ours, theirs := sdk.NewInMemoryTransports()
	ctx, cancel := context.WithCancel(context.Background())
	go func() { _ = mcp.Serve(ctx, ours, root.FS(), "v0") }() // it ends with the context
	client := sdk.NewClient(&sdk.Implementation{Name: "test", Version: "v0"}, nil)
	session := must.Get(client.Connect(ctx, theirs, nil))(t)
	t.Cleanup(func() { session.Close(); cancel(); root.Close() })
	tools, err := session.ListTools(ctx, nil)
	if err != nil || len(tools.Tools) != 5 {
		t.Fatalf("%d tools: %v", len(tools.Tools), err)
	}
	for _, tool := range tools.Tools {
		if !tool.Annotations.ReadOnlyHint || tool.Description == "" {
			t.Errorf("%s does not say that it only reads", tool.Name)
		}
	}
	return func(tool string, in map[string]any) (string, bool) {
		t.Helper()
		result, err := session.CallTool(ctx, &sdk.CallToolParams{Name: tool, Arguments: in})
		if err != nil {
			return err.Error(), false
		}
		var out strings.Builder
		for _, c := range result.Content {
			if text, ok := c.(*sdk.TextContent); ok {
				out.WriteString(text.Text)
			}
		}
		return out.String(), !result.IsError
	}
}

// pod is a folder with a fabric, and what it compiles to.
func pod(t *testing.T) string {
	t.Helper()
	folder := t.TempDir()
	in := must.Get(roceplan.In(os.DirFS("../examples"), "ucloud-pod"))(t)
	compiled := must.Get(roceplan.Compile(t.Context(), roceplan.Load(in), roceplan.CompileOptions{}))(t)
	files := map[string][]byte{"fabric/fabric.hcl": in.Files[0].Text}
	for _, f := range compiled.Configs() {
		text := must.Get(f.Read())(t)
		files["out/"+f.Name] = text
	}
	for name, text := range files {
		path := filepath.Join(folder, filepath.FromSlash(name))
		must.Do(t, os.MkdirAll(filepath.Dir(path), 0o777))
		must.Do(t, os.WriteFile(path, text, 0o666))
	}
	return folder
}

// Each tool answers what its command would.
func TestTools(t *testing.T) {
	call := ask(t, pod(t))
	fabric := []string{"fabric"}
	for _, try := range []struct {
		tool  string
		in    map[string]any
		wants []string
	}{
		{"check", map[string]any{"fabric": fabric}, []string{`"findings"`}},
		// UCloud's own figure for 100G over 100 m: 408 cells of 256 B.
		{"explain", map[string]any{"fabric": fabric, "what": "leaf-1.Ethernet0.rdma.headroom"}, []string{"104448B", "UCloud"}},
		{"explain", map[string]any{"fabric": fabric, "what": "leaf-1"}, []string{"buffer-fits"}},
		{"verify", map[string]any{"configs": []string{"out"}, "fabric": fabric}, []string{`"verdict":"conditional"`, "tor-16", "would be declared by", `"way":"declare"`, "declare it if it is so: fabric/fabric.hcl:46", `"way":"pay"`, "headroom_margin"}},
		{"diff", map[string]any{"before": fabric, "after": fabric}, []string{`"different":false`}},
		{"margins", map[string]any{"fabric": fabric}, []string{"longest cable"}},
	} {
		got, ok := call(try.tool, try.in)
		if !ok {
			t.Errorf("%s: %s", try.tool, got)
			continue
		}
		for _, want := range try.wants {
			if !strings.Contains(got, want) {
				t.Errorf("%s: %q is not in %.400s", try.tool, want, got)
			}
		}
	}
}

// Nothing is read outside of the folder, not through a link either; a fabric with errors is an
// answer and no crash.
func TestConfined(t *testing.T) {
	folder := pod(t)
	must.Do(t, os.Symlink("/etc", filepath.Join(folder, "link")))
	must.Do(t, os.WriteFile(filepath.Join(folder, "broken.hcl"), []byte("fabric {"), 0o666))
	call := ask(t, folder)
	for _, name := range []string{"../x.hcl", "/etc/passwd", "link/passwd", "nowhere.hcl"} {
		if got, ok := call("check", map[string]any{"fabric": []string{name}}); ok {
			t.Errorf("%s is read: %s", name, got)
		}
		if got, ok := call("verify", map[string]any{"configs": []string{name}}); ok {
			t.Errorf("%s is verified: %s", name, got)
		}
	}
	if got, ok := call("check", map[string]any{"fabric": []string{"broken.hcl"}}); !ok || !strings.Contains(got, "error[") {
		t.Errorf("a fabric that does not parse: %s", got)
	}
	if got, ok := call("margins", map[string]any{"fabric": []string{"broken.hcl"}}); ok || !strings.Contains(got, "has errors") {
		t.Errorf("margins of a fabric that does not parse: %s", got)
	}
}

// An edit that repairs a finding comes with its place and its text.
func TestCheckOffersEdits(t *testing.T) {
	folder := pod(t)
	text := must.Get(os.ReadFile(filepath.Join(folder, "fabric/fabric.hcl")))(t)
	wrong := strings.Replace(string(text), `"trident3"`, `"tridnet3"`, 1)
	must.Do(t, os.WriteFile(filepath.Join(folder, "wrong.hcl"), []byte(wrong), 0o666))
	got, ok := ask(t, folder)("check", map[string]any{"fabric": []string{"wrong.hcl"}})
	if !ok || !strings.Contains(got, `"file":"wrong.hcl"`) || !strings.Contains(got, `"text":"\"trident3\""`) {
		t.Errorf("no edit: %s", got)
	}
}

package main

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/roceplan/roceplan/cmd/roceplan/outdir"
	"github.com/roceplan/roceplan/internal/testing/must"
	"github.com/roceplan/roceplan/plan"
)

// What compile keeps of the cabling is what diff reads; of other folders there is none.
func TestLinksAreKept(t *testing.T) {
	links := []plan.Link{
		{A: plan.LinkEnd{Switch: "leaf-1", Port: "Ethernet0"}, B: plan.LinkEnd{Switch: "tor-1", Port: "Ethernet1/1"}},
		{A: plan.LinkEnd{Switch: "leaf-1", Port: "Ethernet4"}},
	}
	dir := filepath.Join(t.TempDir(), "out")
	must.Get((outdir.Tree{Fabric: "pod", Links: linkTexts(links)}).Write(t.Context(), dir, nil))(t)
	must.NoDiff(t, cmp.Diff(links, compiledLinks(dir)))
	if got := compiledLinks(t.TempDir()); got != nil {
		t.Error(got)
	}
	for text, want := range map[string]int{
		`{"version": 1, "links": ["", "nothing", "a:b c", "a:b c:", ":", "a:b c:d"]}`: 1,
		"{": 0,
	} {
		check(t, os.WriteFile(filepath.Join(dir, outdir.ManifestName), []byte(text), 0o600))
		if got := compiledLinks(dir); len(got) != want {
			t.Errorf("%s: %v", text, got)
		}
	}
}

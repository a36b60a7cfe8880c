package docs

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/roceplan/roceplan/internal/packed"
	"github.com/roceplan/roceplan/internal/testing/must"
)

var update = flag.Bool("update", false, "write lint.bin")

// The program carries the pages of lint as they are in their folder, the overview beside them left out.
func TestLintFile(t *testing.T) {
	names := must.Get(filepath.Glob("lint/*.md"))(t)
	want := map[string]string{}
	var all strings.Builder
	for _, name := range names {
		text := must.Get(os.ReadFile(name))(t)
		if code := strings.TrimSuffix(filepath.Base(name), ".md"); code != "README" {
			want[code] = string(text)
			all.WriteString(packed.Entry(code, string(text)))
		}
	}
	if *update {
		file := must.Get(packed.Pack(all.String()))(t)
		must.Do(t, os.WriteFile("lint.bin", file, 0o644))
		return
	}
	for code, text := range want {
		if got, ok := Page(code); !ok || got != text {
			t.Errorf("the program has another page of %s, or none: go test ./docs -update", code)
		}
	}
	for code := range lint() {
		if want[code] == "" {
			t.Errorf("the program has a page of %s, which docs/lint has not: go test ./docs -update", code)
		}
	}
	if len(want) < 50 {
		t.Errorf("%d pages", len(want))
	}
}

package goldentest

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/roceplan/roceplan/chips"
	"github.com/roceplan/roceplan/emit"
	"github.com/roceplan/roceplan/internal/target"
	"github.com/roceplan/roceplan/internal/testing/plantest"
	"github.com/roceplan/roceplan/plan"
)

// Examples compiles the examples and compares the files of that name with the goldens. It is for
// the packages through which every number of a file goes, so that their own tests fail where
// the program's would; root is the way from there to the top.
func Examples(t *testing.T, root string, names ...string) {
	t.Helper()
	catalogue, _ := chips.Load()
	compared, plans := 0, map[string]*plan.Plan{}
	for _, name := range names {
		goldens, err := filepath.Glob(filepath.Join(root, "golden", "*", "*", name))
		if err != nil {
			t.Fatal(err)
		}
		for _, path := range goldens {
			device := filepath.Base(filepath.Dir(path))
			example := filepath.Base(filepath.Dir(filepath.Dir(path)))
			if plans[example] == nil {
				_, plans[example] = plantest.Folder(t, catalogue, filepath.Join(root, "examples", example))
			}
			want, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(string(want), rendered(t, plans[example], device, name)); diff != "" {
				t.Errorf("%s (-golden +compiled):\n%s", path, diff)
			}
			compared++
		}
	}
	if compared < 1 {
		t.Errorf("no golden file is called %v", names)
	}
}

// rendered returns the file of that name for a device.
func rendered(t *testing.T, p *plan.Plan, device, name string) string {
	t.Helper()
	at := slices.IndexFunc(p.Switches, func(s *plan.Switch) bool { return slices.Contains(s.Names, device) })
	if at < 0 {
		t.Fatalf("no switch %s is planned", device)
	}
	sw := p.Switches[at]
	for _, called := range sw.Targets {
		made, _ := target.Find(called)
		for _, form := range made.Forms {
			files, found := form.Emit(sw)
			if found.HasErrors() {
				t.Fatal(found)
			}
			if text, ok := find(files, name, device); ok {
				return text
			}
		}
	}
	t.Fatalf("no target writes %s for %s", name, device)
	return ""
}

func find(files []emit.File, name, device string) (string, bool) {
	for _, f := range files {
		if f.Path == name {
			return string(f.Body.AppendFor(nil, device)), true
		}
	}
	return "", false
}

package sonic_test

import (
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"

	"github.com/roceplan/roceplan/diag"
	emit "github.com/roceplan/roceplan/emit/sonic"
	"github.com/roceplan/roceplan/internal/testing/must"
	"github.com/roceplan/roceplan/internal/testing/oracle"
	"github.com/roceplan/roceplan/internal/testing/readtest"
	"github.com/roceplan/roceplan/plan"
	"github.com/roceplan/roceplan/read/sonic"
)

const file = "config_db.json"

var update = flag.Bool("update", false, "rewrite the golden files")

// Properties are checked on thousands of plans, unless the caller says how many.
func TestMain(m *testing.M) {
	flag.Parse()
	if checks := flag.Lookup("rapid.checks"); checks.Value.String() == checks.DefValue && !testing.Short() {
		if err := checks.Value.Set("2000"); err != nil {
			panic(err)
		}
	}
	os.Exit(m.Run())
}

func show(t testing.TB, src []byte, found diag.List) string {
	t.Helper()
	var b strings.Builder
	must.Do(t, (diag.Text{Sources: diag.Sources{file: src}}).Write(&b, found))
	return b.String()
}

// saysTheSame compares plans apart from reasons and places.
var saysTheSame = cmp.Options{
	cmpopts.IgnoreTypes(&plan.Why{}, diag.Range{}),
	cmpopts.IgnoreFields(plan.Class{}, "Name", "CongestionControl"),
}

type fataler interface {
	Helper()
	Fatalf(format string, args ...any)
}

func render(t fataler, sw *plan.Switch) []byte {
	t.Helper()
	files, found := emit.Emit(sw)
	if found.HasErrors() {
		t.Fatalf("Emit: %v", found)
	}
	return files[0].Body.AppendFor(nil, sw.Names[0])
}

// Emit then read is the identity on all that SONiC can hold.
func TestRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		sw := drawSwitch(t)
		src := render(t, sw)
		back, found := readtest.Switch(sonic.Format(), file, src)
		if len(found) > 0 {
			t.Fatalf("what was emitted is faulted: %v\n%s", found, src)
		}
		if diff := cmp.Diff(sw, back, saysTheSame); diff != "" {
			t.Fatalf("read differs (-planned +read):\n%s\n%s", diff, src)
		}
		if again := render(t, back); string(again) != string(src) {
			t.Fatalf("emitting what was read gives another file:\n%s", cmp.Diff(string(src), string(again)))
		}
	})
}

// The real YANG models take random plans too.
func TestRandomYANG(t *testing.T) {
	check := oracle.Shared(t, "tools/check-sonic")
	oracle.Command(t, "yanglint", "libyang2-tools")
	dir := t.TempDir()
	args := []string{}
	for i := range 4 {
		sw := rapid.Custom(drawSwitch).Example(i)
		path := filepath.Join(dir, string(rune('a'+i))+".json")
		must.Do(t, os.WriteFile(path, render(t, sw), 0o644))
		args = append(args, path)
	}
	if out, err := exec.Command(check, args...).CombinedOutput(); err != nil {
		t.Errorf("check-sonic: %v\n%s", err, out)
	}
}

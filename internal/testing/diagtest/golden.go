package diagtest

import (
	"os"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// Golden checks a text against a file, which -update writes again.
func Golden(t *testing.T, name, got string) {
	t.Helper()
	if *Update {
		if err := os.WriteFile(name, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), got); diff != "" {
		t.Errorf("%s differs; -update rewrites it (-golden +now):\n%s", name, diff)
	}
}

package policy_test

import (
	"os"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/roceplan/roceplan/policy"
)

// LANGUAGE.md is what the decoder's tables say; -update rewrites it.
func TestLanguageIsUpToDate(t *testing.T) {
	const file = "../LANGUAGE.md"
	if *update {
		if err := os.WriteFile(file, []byte(policy.Reference()), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(text), policy.Reference()); diff != "" {
		t.Errorf("LANGUAGE.md is out of date, `go test ./policy -update` rewrites it (-file +tables):\n%s", diff)
	}
}

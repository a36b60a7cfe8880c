package patch_test

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/roceplan/roceplan/internal/testing/oracle"
	"github.com/roceplan/roceplan/patch"
)

// SONiC's YANG models take the configuration after each step: `config apply-patch`
// refuses a patch that ends in one that they do not take.
func TestStepsYANG(t *testing.T) {
	validate := oracle.Shared(t, "tools/check-sonic")
	oracle.Command(t, "yanglint", "libyang2-tools")
	state := script(t, "running.json")
	p, found := patch.Make(defaults(), "tor-1", running(t, state), nil)
	if found.HasErrors() {
		t.Fatal(found)
	}
	dir := t.TempDir()
	files := []string{filepath.Join(dir, "before.json")}
	check(t, os.WriteFile(files[0], state, 0o666))
	for i, step := range p.Steps {
		state = apply(t, state, step.Operations...)
		files = append(files, filepath.Join(dir, fmt.Sprintf("%02d.json", i)))
		check(t, os.WriteFile(files[i+1], state, 0o666))
	}
	if len(files) < 10 {
		t.Fatalf("%d files, too few to mean anything", len(files))
	}
	if out, err := exec.Command(validate, files...).CombinedOutput(); err != nil {
		t.Errorf("check-sonic: %v\n%s", err, out)
	}
	// The validator looks at references.
	broken := parseAny(t, state)
	delete(broken, "BUFFER_POOL")
	text, err := json.Marshal(broken)
	check(t, err)
	check(t, os.WriteFile(files[0], text, 0o666))
	if out, err := exec.Command(validate, files[0]).CombinedOutput(); err == nil {
		t.Errorf("check-sonic takes profiles without pools\n%s", out)
	}
}

func parseAny(t *testing.T, src []byte) (doc map[string]any) {
	t.Helper()
	check(t, json.Unmarshal(src, &doc))
	return doc
}

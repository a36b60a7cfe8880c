package sonic_test

import (
	"testing"

	"github.com/roceplan/roceplan/emit/sonic"
	"github.com/roceplan/roceplan/internal/testing/goldentest"
)

// What the examples compile to is what the golden files say.
func TestExamplesAreTheGoldens(t *testing.T) {
	goldentest.Examples(t, "../..", "config_db.json")
}

// What the target is said to carry is what docs/targets.md says.
func TestCapabilities(t *testing.T) { goldentest.Matrix(t, "../../docs/targets.md", sonic.Target()) }

// What becomes of the file when one value of the plan is another one, and what is said then.
func TestEdits(t *testing.T) {
	goldentest.Edits(t, "../..", sonic.Target(), "ucloud-pod")
}

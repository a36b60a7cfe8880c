package sonic_test

import (
	"testing"

	"github.com/roceplan/roceplan/internal/testing/goldentest"
)

// What the examples compile to is what the golden files say.
func TestExamplesAreTheGoldens(t *testing.T) {
	goldentest.Examples(t, "../..", "config_db.json")
}

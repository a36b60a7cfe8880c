package calc_test

import (
	"testing"

	"github.com/roceplan/roceplan/internal/testing/goldentest"
)

// The plans of the examples are what the golden files say, in all that a file carries of them.
func TestExamplesAreTheGoldens(t *testing.T) {
	goldentest.Examples(t, "..", "config_db.json", "eos.cfg", "openconfig.json", "nvue.yaml", "junos.conf", "srlinux.json")
}

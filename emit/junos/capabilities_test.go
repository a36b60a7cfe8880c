package junos_test

import (
	"testing"

	"github.com/roceplan/roceplan/emit/junos"
	"github.com/roceplan/roceplan/internal/testing/goldentest"
)

// What the target is said to carry is what docs/targets.md says.
func TestCapabilities(t *testing.T) { goldentest.Matrix(t, "../../docs/targets.md", junos.Target()) }

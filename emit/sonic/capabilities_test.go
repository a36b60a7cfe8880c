package sonic_test

import (
	"testing"

	"github.com/roceplan/roceplan/emit/sonic"
	"github.com/roceplan/roceplan/internal/goldentest"
)

// What the target is said to carry is what the README says.
func TestCapabilities(t *testing.T) { goldentest.Matrix(t, "../../README.md", sonic.Target()) }

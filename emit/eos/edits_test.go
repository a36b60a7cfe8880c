package eos_test

import (
	"testing"

	"github.com/roceplan/roceplan/emit/eos"
	"github.com/roceplan/roceplan/internal/testing/goldentest"
)

// What becomes of the file when one value of the plan is another one, and what is said then.
func TestEdits(t *testing.T) {
	goldentest.Edits(t, "../..", eos.Target(), "tomahawk-eos-pod")
}

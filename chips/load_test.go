package chips_test

import (
	"testing"

	"github.com/roceplan/roceplan/chips"
)

func TestOwnCatalogueHasNoFaults(t *testing.T) {
	_, found := chips.Load()
	for _, d := range found {
		t.Errorf("%s:%d: %s[%s]: %s", d.Subject.Filename, d.Subject.Start.Line, d.Severity, d.Code, d.Message)
	}
}

func BenchmarkLoad(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		chips.Load()
	}
}

package chips_test

import (
	"testing"

	"github.com/roceplan/roceplan/chips"
)

func BenchmarkLoadAndFindOne(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		c, _ := chips.Load()
		c.Find("th5")
	}
}

func BenchmarkAll(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		c, _ := chips.Load()
		c.Chips()
	}
}

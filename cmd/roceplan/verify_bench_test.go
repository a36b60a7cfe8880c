//go:build linux

package main

import (
	"fmt"
	"path/filepath"
	"testing"
)

// BenchmarkVerify measures the program as it is used, on a directory that compile wrote:
// switches of one shape with 64 ports and three files each. MB-peak is the largest
// resident set.
func BenchmarkVerify(b *testing.B) {
	for _, n := range []int{1, 1000, 10_000} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			dir := b.TempDir()
			program := buildProgram(b, dir)
			fabric, out := writeFabric(b, dir, n), filepath.Join(dir, "out")
			command(b, program, "compile", fabric, "-o", out)
			peak := int64(0)
			for b.Loop() {
				peak = max(peak, command(b, program, "verify", out, "--fabric", fabric))
			}
			b.ReportMetric(float64(peak)/1e6, "MB-peak")
		})
	}
}

//go:build !purego

package sim

import "golang.org/x/sys/cpu"

// ranks says whether the processor can do what [rank] does.
var ranks = cpu.X86.HasAVX2

// rank puts each of n entries, at least one, to the place that the number of those above it gives: it compares each
// with four at a time, without branches, whose mispredictions slow down sorting by insertion. No two may be equal.
//
//go:noescape
func rank(from *entry, n int, to *entry)

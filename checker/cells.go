package main

import (
	"fmt"
	"math/big"
	"sort"
)

// The page, "Arithmetic". Functions of buffers go byte by byte, as they are defined; how far cells fill is bisected.

// throwf gives an obligation up: the audit catches it.
func throwf(format string, args ...any) { panic(fmt.Errorf(format, args...)) }

// over returns a product over a divisor, rounded down.
func over(divisor, x, y int64) int64 {
	n := new(big.Int).Mul(big.NewInt(x), big.NewInt(y))
	return n.Div(n, big.NewInt(divisor)).Int64()
}

// scaled is n times 2 to the power of e, rounded down: shifts to the right round down for any sign.
func scaled(n, e int64) int64 {
	if e < 0 {
		return n >> -e
	}
	return n << e
}

// cells that a packet of so many bytes takes.
func cells(length, cell, metadata int64) int64 { return (length + metadata + cell - 1) / cell }

// Preamble, start delimiter and the smallest gap, and the smallest frame, which a pause is, in B: IEEE 802.3-2018 4.4.2, 31B.2.
const gap, smallest = 20, 64

// packings were computed: many links are alike.
var packings = map[[4]int64]int64{}

// packed returns the most cells that packets of 64 to frame bytes take on so many bytes of wire. Of the packets of
// one number of cells the shortest is best; most has the answers for fewer bytes.
func packed(wire, cell, metadata, frame int64) int64 {
	key := [4]int64{wire, cell, metadata, frame}
	if best, done := packings[key]; done {
		return best
	}
	type packet struct{ wire, cells int64 }
	var shortest []packet
	for length := int64(smallest); length <= frame; length++ {
		if n := cells(length, cell, metadata); len(shortest) == 0 || n > shortest[len(shortest)-1].cells {
			shortest = append(shortest, packet{length + gap, n})
		}
	}
	longest := shortest[len(shortest)-1].wire
	most, best := make([]int64, longest), int64(0) // of the last bytes
	for w := range wire + 1 {
		for _, p := range shortest {
			if p.wire <= w {
				best = max(best, p.cells+most[(w-p.wire)%longest])
			}
		}
		most[w%longest] = best
	}
	packings[key] = best
	return best
}

// mixed returns the same of packets of 64 and of frame bytes: with extra more of frame bytes, at most a share
// of all, in billionths, have 64. Every number of small ones is tried.
func mixed(wire, cell, metadata, frame, share, extra int64) (best int64) {
	for n := int64(0); n*(smallest+gap) <= wire; n++ {
		large := (wire - n*(smallest+gap)) / (frame + gap)
		if n*1e9 <= share*(n+large+extra) {
			best = max(best, n*cells(smallest, cell, metadata)+large*cells(frame, cell, metadata))
		}
	}
	return best
}

// admits reports whether an account may come to hold s cells, where so many are free then. Rule 0 counts the
// cell and asks s ≤ T, rule 1 counts it and asks s < T, rule 2 asks s < T before it counts it.
func admits(rule, s, free int64, limits []limit) bool {
	if rule == 2 {
		s, free = s-1, free+1
	}
	for _, l := range limits {
		t := l.Cells
		if l.Dynamic {
			t = scaled(free, l.Alpha)
		}
		if s > t || s == t && rule != 0 {
			return false
		}
	}
	return true
}

// after returns the cells that so many accounts leave of free ones that fill up one after another.
func after(free, rule int64, limits []limit, accounts int64) int64 {
	for range accounts {
		held := sort.Search(int(free), func(n int) bool { return !admits(rule, int64(n+1), free-int64(n+1), limits) })
		if held == 0 {
			break // nor does the next one take any
		}
		free -= int64(held)
	}
	return free
}

// noNarrower reports whether limits let in at least what others let in: each of theirs, where there are as many; a
// single one is enough for two.
func noNarrower(limits, than []limit) bool {
	wide := func(a, b limit) bool {
		return a.Dynamic == b.Dynamic && (a.Dynamic && a.Alpha >= b.Alpha || !a.Dynamic && a.Cells >= b.Cells)
	}
	if len(limits) == 1 {
		return wide(limits[0], than[0]) || len(than) == 2 && wide(limits[0], than[1])
	}
	return len(than) == 2 && wide(limits[0], than[0]) && wide(limits[1], than[1])
}

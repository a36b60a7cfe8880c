package main

import "math/big"

// apply computes a function of the page. Those of buffers go byte by byte and cell by cell, as they are defined.
func apply(name string, args []*big.Int) *big.Int {
	switch name {
	case "min", "max":
		most := args[0]
		for _, a := range args {
			if name == "min" && a.Cmp(most) < 0 || name == "max" && a.Cmp(most) > 0 {
				most = a
			}
		}
		return most
	case "floor", "ceil":
		if len(args) != 2 || args[1].Sign() <= 0 {
			throwf("%s of %v", name, args)
		}
		if name == "floor" {
			return new(big.Int).Div(args[0], args[1]) // rounds down for a positive divisor
		}
		quotient := new(big.Int).Div(new(big.Int).Neg(args[0]), args[1])
		return quotient.Neg(quotient)
	}
	a := make([]int64, len(args))
	for i, arg := range args {
		if a[i] = arg.Int64(); !arg.IsInt64() || a[i] > 1<<30 || a[i] < -1<<30 {
			throwf("argument %v of %s", arg, name)
		}
	}
	return big.NewInt(compute(name, a))
}

func compute(name string, a []int64) int64 {
	switch {
	case name == "scale" && len(a) == 2:
		return scaled(a[0], a[1])
	case name == "packed" && len(a) == 4:
		return packed(a[0], a[1], a[2], a[3])
	case name == "mixed" && len(a) == 6:
		return mixed(a[0], a[1], a[2], a[3], a[4], a[5])
	case name == "after" && len(a) == 5:
		return after(a[0], a[1], a[4], threshold{a[2], a[3]})
	case name == "afterboth" && len(a) == 7:
		return after(a[0], a[1], a[6], threshold{a[2], a[3]}, threshold{a[4], a[5]})
	case name == "evenly" && len(a) == 5:
		return evenly(a[0], a[1], threshold{a[2], a[3]}, a[4])
	}
	throwf("there is no function %s of %d arguments", name, len(a))
	return 0
}

// scaled is n times 2 to the power of e, rounded down: shifts to the right round down for any sign.
func scaled(n, e int64) int64 {
	switch {
	case e < -16 || e > 16:
		throwf("2 to the power of %d", e)
	case e < 0:
		return n >> -e
	}
	return n << e
}

// cells that a packet of so many bytes takes.
func cells(length, cell, metadata int64) int64 { return (length + metadata + cell - 1) / cell }

// Preamble, start delimiter and the smallest gap, in B: IEEE 802.3-2018 4.4.2.
const gap = 20

// packings were computed: many links are alike.
var packings = map[[4]int64]int64{}

// packed is the most cells that packets of 64 to frame bytes take on so many bytes of wire. Of the packets of
// one number of cells the shortest is best; most has the answers for fewer bytes.
func packed(wire, cell, metadata, frame int64) int64 {
	if wire < 0 || cell < 1 || metadata < 0 || frame < 64 || frame > 1<<16 {
		throwf("packets of %d B on %d B of wire", frame, wire)
	}
	key := [4]int64{wire, cell, metadata, frame}
	if best, done := packings[key]; done {
		return best
	}
	type packet struct{ wire, cells int64 }
	var shortest []packet
	for length := int64(64); length <= frame; length++ {
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

// mixed is the same of packets of 64 and of frame bytes: with beside more of frame bytes, at most a share of
// all, in billionths, have 64. Every number of small ones is tried.
func mixed(wire, cell, metadata, frame, share, beside int64) (best int64) {
	if wire < 0 || cell < 1 || metadata < 0 || frame < 64 || share < 0 || share >= 1e9 || beside < 0 {
		throwf("a mix of packets of 64 and %d B, %d ppb of them small", frame, share)
	}
	for small := int64(0); small*(64+gap) <= wire; small++ {
		large := (wire - small*(64+gap)) / (frame + gap)
		if small*1e9 <= share*(small+large+beside) {
			best = max(best, small*cells(64, cell, metadata)+large*cells(frame, cell, metadata))
		}
	}
	return best
}

// A threshold on what an account holds: value cells for kind 0, 2^value times the free cells for kind 1.
type threshold struct{ kind, value int64 }

// admits reports whether an account may come to hold s cells, where so many are free then. Rule 0 counts the
// cell and asks s ≤ T, rule 1 counts it and asks s < T, rule 2 asks s < T before it counts it.
func admits(rule, s, free int64, limits ...threshold) bool {
	if rule == 2 {
		s, free = s-1, free+1
	}
	for _, l := range limits {
		t := l.value
		if l.kind == 1 {
			t = scaled(free, l.value)
		}
		if s > t || s == t && rule != 0 {
			return false
		}
	}
	return true
}

// after is what so many accounts leave of free cells that fill up one after another.
func after(free, rule, accounts int64, limits ...threshold) int64 {
	for range accounts {
		held := int64(0)
		for free > 0 && admits(rule, held+1, free-1, limits...) {
			held, free = held+1, free-1
		}
		if held == 0 {
			break // nor does the next one take any
		}
	}
	return free
}

// evenly is what each of so many accounts holds that fill in turns when one more round would be refused.
func evenly(free, rule int64, l threshold, accounts int64) (held int64) {
	for accounts > 0 && accounts*(held+1) <= free && admits(rule, held+1, free-accounts*(held+1), l) {
		held++
	}
	return held
}

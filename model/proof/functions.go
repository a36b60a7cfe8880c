package proof

import (
	"cmp"
	"fmt"
	"sort"
)

// largest bounds what is computed step by step.
const largest = 1 << 30

// scaled is ⌊n·2^e⌋.
func scaled(n, e int64) (int64, error) {
	if e < -16 || e > 16 {
		return 0, fmt.Errorf("2 to the power of %d is not an alpha", e)
	}
	return floorScale(n, int(e)), nil
}

// packed (W, C, M, F) is the most cells of C bytes that packets of up to F bytes take
// which occupy at most W bytes on the wire, each with 20 bytes of preamble and gap and
// stored with M bytes. The shortest packet of each number of cells is tried at every
// byte; only as many bytes are remembered as the longest of them has.
func packed(a []int64) (int64, error) {
	w, cell, metadata, frame := a[0], a[1], a[2], a[3]
	if w < 0 || cell < 1 || metadata < 0 || frame < 64 || frame > 1<<16 {
		return 0, fmt.Errorf("packets of %d B in cells of %d B with %d B each over %d B", frame, cell, metadata, w)
	}
	items, longest := itemsOf(cell, metadata, frame), int64(0)
	for _, it := range items {
		longest = max(longest, it.wire)
	}
	ring := make([]int64, longest)
	best := int64(0)
	for s := range w + 1 {
		for _, it := range items {
			if it.wire <= s {
				best = max(best, it.cells+ring[(s-it.wire)%longest])
			}
		}
		ring[s%longest] = best
	}
	return best, nil
}

// cellsOf returns the number of cells of a packet.
func cellsOf(length, cell, metadata int64) int64 { return (length + metadata + cell - 1) / cell }

// itemsOf lists the shortest packet of each number of cells that no two shorter ones replace.
func itemsOf(cell, metadata, frame int64) (items []item) {
	wires := make([]int64, cellsOf(frame, cell, metadata)+1) // by cells; 0: no packet has so few
	for length := frame; length >= 64; length-- {
		wires[cellsOf(length, cell, metadata)] = length + 20
	}
	for k, wire := range wires {
		if wire != 0 && !replaced(wires, k) {
			items = append(items, item{wire: wire, cells: int64(k)})
		}
	}
	return items
}

func replaced(wires []int64, k int) bool {
	for i := 1; 2*i <= k; i++ {
		if wires[i] != 0 && wires[i]+wires[k-i] <= wires[k] {
			return true
		}
	}
	return false
}

// mix (W, C, M, F, s, e) is the same where all packets have 64 or F bytes, and of them
// with e more of F bytes at most s billionths have 64.
func mix(a []int64) (int64, error) {
	w, cell, metadata, frame, share, beside := a[0], a[1], a[2], a[3], a[4], a[5]
	if w < 0 || cell < 1 || metadata < 0 || frame < 64 || share < 0 || share >= 1_000_000_000 || beside < 0 {
		return 0, fmt.Errorf("a mix of packets of 64 and %d B, %d ppb of them small", frame, share)
	}
	best := int64(0)
	for n := int64(0); 84*n <= w; n++ {
		big := (w - 84*n) / (frame + 20)
		if n*1_000_000_000 <= share*(n+big+beside) {
			best = max(best, n*cellsOf(64, cell, metadata)+big*cellsOf(frame, cell, metadata))
		}
	}
	return best, nil
}

// fits reports whether an account may hold s cells when free ones are left, by all of its limits, of
// a kind and a value. Rules: 0 counts the cell and asks s ≤ T, 1 asks s < T, 2 asks s < T before it
// counts the cell.
func fits(rule int64, limits [][2]int64, s, free int64) (bool, error) {
	if rule == 2 {
		free, s = free+1, s-1
	}
	for _, l := range limits {
		limit, err := l[1], error(nil)
		if l[0] == 1 {
			limit, err = scaled(free, l[1])
		}
		if err != nil || s > limit || s == limit && rule != 0 {
			return false, err
		}
	}
	return true, nil
}

// filled returns the cells that n accounts leave of free ones. The accounts fill one after another, a cell at a time,
// each until its limits refuse: value cells for kind 0, 2 to the power of value times the free cells for kind 1. Limits
// that refuse a cell refuse all later ones, so the first refused one is found by bisection.
func filled(free, rule, n int64, limits ...[2]int64) (left int64, err error) {
	for range n {
		held := int64(sort.Search(int(free), func(s int) bool {
			ok, wrong := fits(rule, limits, int64(s)+1, free-int64(s)-1)
			err = cmp.Or(err, wrong)
			return !ok
		}))
		if err != nil {
			return 0, err
		}
		if held == 0 {
			break // nor will the next one take any
		}
		free -= held
	}
	return free, nil
}

package headroom

import (
	"math/bits"
	"strings"

	"github.com/roceplan/roceplan/units"
)

// ceilMulAdd returns ⌈(a*b + add) / c⌉ through 128 bits, for a, b, add ≥ 0 and c > 0.
// A sum of terms with different denominators rounds once, not per term.
func ceilMulAdd(a, b, add, c int64) int64 {
	hi, lo := bits.Mul64(uint64(a), uint64(b))
	lo, carry := bits.Add64(lo, uint64(add), 0)
	lo, carry2 := bits.Add64(lo, uint64(c-1), 0)
	q, _ := bits.Div64(hi+carry+carry2, lo, uint64(c))
	return int64(q)
}

// psBits converts picosecond·bit/s to bytes on the wire: so many make one byte.
const psBits = 8 * int64(units.Second)

// roundTrip returns the time of light along a cable and back, at 5 ns/m, which is 2·10⁸ m/s: the
// figure of IEEE 802.1Q Annex N and of every switch vendor but NVIDIA.
func roundTrip(cable units.Length) units.Time { return 10 * units.Time(cable) }

// wireCells returns how many cells `fixed` bytes and what arrives at a rate within t
// fill, when every `perCell` bytes on the wire fill one.
func wireCells(fixed units.Bytes, rate units.BitRate, t units.Time, perCell units.Bytes) units.Cells {
	return units.Cells(ceilMulAdd(int64(rate), int64(t), int64(fixed)*psBits, int64(perCell)*psBits))
}

// wireBytes returns `fixed` bytes and what arrives at a rate within t, rounded up once.
func wireBytes(fixed units.Bytes, rate units.BitRate, t units.Time) units.Bytes {
	return units.Bytes(ceilMulAdd(int64(rate), int64(t), int64(fixed)*psBits, psBits))
}

// list joins words as a sentence does.
func list(words []string) string { return strings.Join(words, ", ") }

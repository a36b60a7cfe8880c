// Package units holds the quantities of a lossless Ethernet fabric as typed integers.
//
// No quantity is a float. Every type has one base unit, chosen so that the values
// of the field are exact in it: a picosecond, because one byte at 800 Gb/s lasts
// 10 ps and every Ethernet rate from 1G to 1.6T divides a whole number of them; a
// millimetre; a bit per second; a byte; a billionth for ratios. All are int64.
//
// Rounding is never a default: a method that loses a remainder says in its name
// which way it goes (Ceil…, Floor…). Products that could leave 64 bits go through
// 128, and panic only where the result itself cannot be held, which is the
// programmer's fault: parsed input is bounded far below that.
package units

import (
	"fmt"
	"math"
	"math/bits"
)

// Bytes is an amount of memory or of wire octets, in bytes. Largest value 8 EiB.
type Bytes int64

// Cells counts the fixed blocks that a switch's buffer is made of. The size of a cell is chip data;
// only [Bytes.CeilCells] and [Bytes.FloorCells] convert.
type Cells int64

// BitRate is a data rate in bits per second. Largest value 9.2 Eb/s.
type BitRate int64

// Time is a duration in picoseconds. Largest value 106 days.
type Time int64

// Length is a cable length in millimetres. Largest value 9.2e12 km.
type Length int64

// Ratio is a dimensionless share in billionths: 5 % is 50,000,000.
type Ratio int64

// Multiples of the base units.
const (
	Byte Bytes = 1
	KB         = 1000 * Byte
	MB         = 1000 * KB
	GB         = 1000 * MB
	KiB        = 1024 * Byte
	MiB        = 1024 * KiB
	GiB        = 1024 * MiB

	BitPerSecond BitRate = 1
	Kbps                 = 1000 * BitPerSecond
	Mbps                 = 1000 * Kbps
	Gbps                 = 1000 * Mbps
	Tbps                 = 1000 * Gbps

	Picosecond  Time = 1
	Nanosecond       = 1000 * Picosecond
	Microsecond      = 1000 * Nanosecond
	Millisecond      = 1000 * Microsecond
	Second           = 1000 * Millisecond

	Millimetre Length = 1
	Metre             = 1000 * Millimetre
	Kilometre         = 1000 * Metre

	PPB     Ratio = 1
	Percent       = 10_000_000 * PPB
	One           = 100 * Percent
)

// MulDiv returns a*b/c through a 128-bit product, with the remainder's sign of
// life: exact reports whether the division left none. a, b ≥ 0 and c > 0.
// It panics when the quotient does not fit 63 bits.
func MulDiv(a, b, c int64) (q int64, exact bool) {
	if a < 0 || b < 0 || c <= 0 {
		panic(fmt.Sprintf("units.MulDiv(%d, %d, %d): negative operand", a, b, c))
	}
	hi, lo := bits.Mul64(uint64(a), uint64(b))
	if hi >= uint64(c) {
		panic(fmt.Sprintf("units.MulDiv(%d, %d, %d): overflow", a, b, c))
	}
	quo, rem := bits.Div64(hi, lo, uint64(c))
	if quo > math.MaxInt64 {
		panic(fmt.Sprintf("units.MulDiv(%d, %d, %d): overflow", a, b, c))
	}
	return int64(quo), rem == 0
}

// CeilMulDiv returns ⌈a*b/c⌉ for a, b ≥ 0 and c > 0.
func CeilMulDiv(a, b, c int64) int64 {
	q, exact := MulDiv(a, b, c)
	if !exact {
		q++
	}
	return q
}

// FloorMulDiv returns ⌊a*b/c⌋ for a, b ≥ 0 and c > 0.
func FloorMulDiv(a, b, c int64) int64 {
	q, _ := MulDiv(a, b, c)
	return q
}

// picosecondsTimesBits converts picosecond·bit/s to bytes: so many make one byte.
const picosecondsTimesBits = int64(Second) * 8

// CeilBytes returns the bytes that pass at rate r within t, rounded up.
func (r BitRate) CeilBytes(t Time) Bytes {
	return Bytes(CeilMulDiv(int64(r), int64(t), picosecondsTimesBits))
}

// FloorBytes returns the bytes that pass at rate r within t, rounded down.
func (r BitRate) FloorBytes(t Time) Bytes {
	return Bytes(FloorMulDiv(int64(r), int64(t), picosecondsTimesBits))
}

// CeilTime returns how long b bytes occupy a link of rate r, rounded up. r > 0.
func (r BitRate) CeilTime(b Bytes) Time {
	return Time(CeilMulDiv(int64(b), picosecondsTimesBits, int64(r)))
}

// FloorTime returns how long b bytes occupy a link of rate r, rounded down. r > 0.
func (r BitRate) FloorTime(b Bytes) Time {
	return Time(FloorMulDiv(int64(b), picosecondsTimesBits, int64(r)))
}

// CeilCells returns how many cells of the given size hold b bytes. cell > 0.
func (b Bytes) CeilCells(cell Bytes) Cells { return Cells(CeilMulDiv(int64(b), 1, int64(cell))) }

// FloorCells returns how many whole cells of the given size b bytes fill. cell > 0.
func (b Bytes) FloorCells(cell Bytes) Cells { return Cells(int64(b) / int64(cell)) }

// CeilTo returns b rounded up to a multiple of step. step > 0.
func (b Bytes) CeilTo(step Bytes) Bytes { return Bytes(b.CeilCells(step)) * step }

// FloorTo returns b rounded down to a multiple of step. step > 0.
func (b Bytes) FloorTo(step Bytes) Bytes { return Bytes(b.FloorCells(step)) * step }

// Bytes returns the memory that c cells of the given size take.
func (c Cells) Bytes(cell Bytes) Bytes { return Bytes(int64(c) * int64(cell)) }

// CeilOf returns the share q of n, rounded up, for n, q ≥ 0.
func (q Ratio) CeilOf(n int64) int64 { return CeilMulDiv(n, int64(q), int64(One)) }

// FloorOf returns the share q of n, rounded down, for n, q ≥ 0.
func (q Ratio) FloorOf(n int64) int64 { return FloorMulDiv(n, int64(q), int64(One)) }

// Alpha is the exponent of a dynamic threshold: a counter may grow to 2^Alpha times
// the free shared buffer. −7 is 1/128, 0 is 1, 3 is 8. It is SAI's and SONiC's
// dynamic_th and OpenConfig's dynamic-limit-scaling-factor.
type Alpha int8

// Fraction returns alpha as numerator and denominator, one of which is 1.
func (a Alpha) Fraction() (num, den int64) {
	if a >= 0 {
		return 1 << a, 1
	}
	return 1, 1 << -a
}

// FloorOf returns ⌊2^a · n⌋ for n ≥ 0.
func (a Alpha) FloorOf(n int64) int64 {
	if a >= 0 {
		return n << a
	}
	return n >> -a
}

// String prints alpha as engineers write it: 1/8, 1, 4.
func (a Alpha) String() string {
	num, den := a.Fraction()
	if den == 1 {
		return fmt.Sprint(num)
	}
	return fmt.Sprintf("%d/%d", num, den)
}

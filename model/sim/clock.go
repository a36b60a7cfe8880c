package sim

import (
	"math"
	"math/bits"

	"github.com/roceplan/roceplan/units"
)

// Seconds turns seconds into a time, rounded to the picosecond or cut to the nanosecond.
func (t Times) Seconds(seconds float64) units.Time {
	if t == NS3Times {
		return units.Time(ns3Nanoseconds(seconds)) * units.Nanosecond
	}
	return units.Time(math.Round(seconds * 1e12))
}

// clock computes how long packets last on the wire.
type clock struct {
	times Times
	gap   int32 // bytes around each
}

// duration returns the time of a packet of size bytes at a rate in bit/s, in ps.
func (c clock) duration(size int32, rate uint64) int64 {
	size += c.gap
	if c.times == NS3Times {
		return 1000 * ns3Nanoseconds(float64(size)*8/float64(rate))
	}
	return int64((uint64(size)*8e12 + rate/2) / rate) // below 2^63 up to 1 MB
}

// whole returns the time of many bits, cut to nanoseconds where ns-3's are, in ps.
func (c clock) whole(bits, rate int64) int64 {
	if c.times == NS3Times {
		ns, _ := units.MulDiv(bits, 1e9, rate)
		return 1000 * ns
	}
	ps, _ := units.MulDiv(bits, 1e12, rate)
	return ps
}

// bytesIn returns the bytes that pass in a time in ps at a rate in bit/s.
func bytesIn(time, rate int64) int64 {
	bytes, _ := units.MulDiv(time, rate, 8e12)
	return bytes
}

// table is duration for each size up to the largest.
func (c clock) table(rate uint64, largest int32) []int32 {
	t := make([]int32, largest+1)
	for size := range t {
		t[size] = int32(c.duration(int32(size), rate))
	}
	return t
}

// ns3Nanoseconds turns seconds into whole nanoseconds as ns-3.18 does on x86-64
// (src/core/model/int64x64-128.h, nstime.h): the fraction becomes a multiple of 2^-64, the product
// with 10^9 is exact, and the rest is cut. A duration that should be a whole number of nanoseconds
// may lose one, because the floating-point number is below it.
func ns3Nanoseconds(seconds float64) int64 {
	whole := math.Floor(seconds)
	fraction := uint64((seconds - whole) * (1 << 64))
	high, _ := bits.Mul64(fraction, 1e9)
	return int64(whole)*1e9 + int64(high)
}

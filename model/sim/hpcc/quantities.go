package hpcc

import (
	"math"
	"strconv"
	"strings"

	"github.com/roceplan/roceplan/units"
)

// rate takes a data rate as ns-3 writes it: "100Gbps", "20Mb/s", or bare bit/s.
func (w *words) rate(what string) (units.BitRate, word) {
	text, ok := w.next(what)
	if !ok {
		return 0, text
	}
	value, unit, ok := splitUnit(text.text)
	factor, known := rateUnit(unit)
	if !ok || !known || value*factor >= 1<<53 {
		w.bad(text, what, `a data rate such as "100Gbps" or "20Mb/s"`)
		return 0, text
	}
	return units.BitRate(value * factor), text
}

// delay takes a time as ns-3 writes it: "1000ns", "1.5us", or bare seconds.
func (w *words) delay(what string) (units.Time, word) {
	text, ok := w.next(what)
	if !ok {
		return 0, text
	}
	value, unit, ok := splitUnit(text.text)
	factor, known := timeUnit(unit)
	if !ok || !known || value*factor >= 1<<53 {
		w.bad(text, what, `a time such as "1000ns" or "1us"`)
		return 0, text
	}
	return units.Time(math.Round(value * factor)), text
}

// splitUnit parts "100Gbps" into 100 and "Gbps".
func splitUnit(s string) (value float64, unit string, ok bool) {
	n := strings.IndexFunc(s, func(r rune) bool { return !strings.ContainsRune("0123456789.", r) })
	if n < 0 {
		n = len(s)
	}
	value, err := strconv.ParseFloat(s[:n], 64)
	return value, s[n:], err == nil
}

// rateUnit returns a unit in bit/s: prefix, then b for bits or B for bytes, then "ps" or
// "/s". Decimal prefixes except for Ki, Mi, Gi; no unit is bit/s.
func rateUnit(unit string) (float64, bool) {
	if unit == "" {
		return 1, true
	}
	stem, isRate := strings.CutSuffix(unit, "ps")
	if !isRate {
		stem, isRate = strings.CutSuffix(unit, "/s")
	}
	bits := 1.0
	prefix, isBits := strings.CutSuffix(stem, "b")
	if !isBits {
		prefix, isBits = strings.CutSuffix(stem, "B")
		bits = 8
	}
	scale, known := map[string]float64{
		"": 1, "k": 1e3, "K": 1e3, "M": 1e6, "G": 1e9, "Ki": 1 << 10, "Mi": 1 << 20, "Gi": 1 << 30,
	}[prefix]
	return bits * scale, isRate && isBits && known
}

// timeUnit returns a unit in picoseconds.
func timeUnit(unit string) (float64, bool) {
	scale, known := map[string]float64{
		"": 1e12, "s": 1e12, "ms": 1e9, "us": 1e6, "ns": 1e3, "ps": 1, "fs": 1e-3,
	}[unit]
	return scale, known
}

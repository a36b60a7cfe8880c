package eos

import (
	"strconv"
	"strings"

	"github.com/roceplan/roceplan/diag"
	"github.com/roceplan/roceplan/format"
	row "github.com/roceplan/roceplan/format/eos"
	"github.com/roceplan/roceplan/read/cli"
	"github.com/roceplan/roceplan/units"
)

// leaf reads the number of a row, in its own unit.
func (r *reader) leaf(l cli.Line, id format.ID, word string) (int64, bool) {
	least, most := row.Of(id).Bounds()
	return r.number(l, word, least, most)
}

// number reads a decimal number between low and high.
func (r *reader) number(l cli.Line, word string, low, high int64) (int64, bool) {
	return r.Findings.Number(Number, l, word, low, high)
}

// id reads a traffic class, a priority, a group or a queue.
func (r *reader) id(l cli.Line, word string) (uint8, bool) {
	n, ok := r.number(l, word, 0, 7)
	return uint8(n), ok
}

// codePoints reads DSCPs: numbers, ranges and names, with blanks or commas between.
func (r *reader) codePoints(l cli.Line, words []string) (out []uint8, ok bool) {
	for _, word := range words {
		for part := range strings.SplitSeq(word, ",") {
			low, high, isRange := strings.Cut(part, "-")
			first, ok := r.codePoint(l, low)
			if !ok {
				return nil, false
			}
			last := first
			if isRange {
				if last, ok = r.codePoint(l, high); !ok {
					return nil, false
				}
			}
			if last < first {
				r.Found.Errorf(Number, l.Word(word), "the range %q is empty, because it begins with its larger number", cli.Clip(part)).Fixf("write %s-%s", cli.Clip(high), cli.Clip(low))
				return nil, false
			}
			for d := first; d <= last; d++ {
				out = append(out, d)
			}
		}
	}
	return out, true
}

func (r *reader) codePoint(l cli.Line, word string) (uint8, bool) {
	if d, ok := cli.CodePoint(word); ok {
		return d, true
	}
	n, ok := r.number(l, word, 0, 63)
	return uint8(n), ok
}

// amount reads [bytes|cells] N. Bytes is the default.
func (r *reader) amount(l cli.Line, words []string) amount {
	unit := units.Byte
	if len(words) == 2 && (words[0] == "bytes" || words[0] == "cells") {
		if words[0] == "cells" {
			if unit = r.cell; unit == 0 {
				r.Found.Errorf(Cells, l.At, "the amount is in cells, and the size of the chip's cells is not known").Fixf("name the chip, or write bytes")
				return amount{}
			}
		}
		words = words[1:]
	}
	if len(words) != 1 {
		r.unknown(l)
		return amount{}
	}
	n, ok := r.leaf(l, row.Headroom, words[0])
	if !ok {
		return amount{}
	}
	return amount{units.Bytes(n) * unit, true, l.At}
}

// threshold reads alpha: 1/128 to 8.
func (r *reader) threshold(l cli.Line, words []string) limit {
	if len(words) != 1 {
		r.unknown(l)
		return limit{}
	}
	a, err := units.ParseAlpha(words[0])
	if err != nil || !row.Of(row.Threshold).Fits(int64(a)) {
		r.Found.Errorf(Number, l.Last(words[0]), "%q is not a threshold: EOS takes 1/128 to 8 in powers of two", cli.Clip(words[0])).Fixf("write 1/128, 1/64, … 1/2, 1, 2, 4 or 8")
		return limit{}
	}
	return limit{a, true, l.At}
}

// seconds reads a time in seconds with up to three decimals.
func (r *reader) seconds(l cli.Line, id format.ID, word string) duration {
	of := row.Of(id)
	low, high := units.Time(of.Means(of.Least)), units.Time(of.Means(of.Most))
	whole, fraction, _ := strings.Cut(word, ".")
	s, err := strconv.ParseUint(whole, 10, 16)
	f := uint64(0)
	if err == nil && fraction != "" {
		f, err = strconv.ParseUint((fraction + "000")[:3], 10, 16)
	}
	t := units.Time(s)*units.Second + units.Time(f)*units.Millisecond
	if err != nil || len(fraction) > 3 || t < low || t > high {
		r.Found.Errorf(Number, l.Word(word), "%q is not a number of seconds from %s to %s", cli.Clip(word), low, high).Fixf("write a number from %s to %s, in seconds", low, high)
		return duration{}
	}
	return duration{t, true, l.At}
}

// rate reads N kbps, N percent or N pps, one word or more; only the first has a meaning without the
// port's speed.
func (r *reader) rate(l cli.Line, words []string) (units.BitRate, bool) {
	if words[len(words)-1] != "kbps" {
		r.Once(diag.Warning, NotModelled, l.At, "a shaper in "+cli.Clip(words[len(words)-1])+" is not accounted for", "write kbps")
		return 0, false
	}
	if len(words) != 2 {
		r.unknown(l)
		return 0, false
	}
	n, ok := r.leaf(l, row.Rate, words[0])
	return units.BitRate(row.Of(row.Rate).Means(n)), ok
}

package nxos

import (
	"strconv"
	"strings"

	"github.com/roceplan/roceplan/diag"
	"github.com/roceplan/roceplan/read"
	"github.com/roceplan/roceplan/read/cli"
	"github.com/roceplan/roceplan/units"
)

// number reads a decimal number between low and high.
func (r *reader) number(l cli.Line, word string, low, high int64) (int64, bool) {
	return r.Findings.Number(Number, l, word, low, high)
}

// set reads "3", "18,20,22" and "24-31" as bits; value reads one of them.
func (r *reader) set(l cli.Line, words []string, most uint8, value func(string) (uint8, bool)) (bits uint64, ok bool) {
	for part := range strings.SplitSeq(strings.Join(words, ""), ",") {
		low, high, isRange := strings.Cut(part, "-")
		if !isRange {
			high = low
		}
		first, ok := value(low)
		last, fine := value(high)
		if !ok || !fine || first > last || last > most {
			r.Found.Errorf(Number, l.Word(part), "%q is not a number or a range of numbers from 0 to %d", cli.Clip(part), most).Fixf("write numbers from 0 to %d, or a range with the smaller one first", most)
			return 0, false
		}
		for n := first; n <= last; n++ {
			bits |= 1 << n
		}
	}
	return bits, true
}

// plainNumber reads a number of at most 255.
func plainNumber(word string) (uint8, bool) {
	n, err := strconv.ParseUint(word, 10, 8)
	return uint8(n), err == nil
}

// percent reads a whole number of per cent.
func (r *reader) percent(l cli.Line, word string) (int64, bool) { return r.number(l, word, 0, 100) }

// depth reads a queue length. NX-OS does not say whether its kbytes have 1,000 or 1,024
// bytes; 1,000 is what it is taken for, and a warning says so.
func (r *reader) depth(l cli.Line, number, unit string) (units.Bytes, bool) {
	factor, ok := map[string]units.Bytes{"bytes": units.Byte, "kbytes": units.KB, "mbytes": units.MB}[unit]
	if !ok {
		return 0, false
	}
	const most = 1 << 40 // no switch has as much
	n, ok := r.number(l, number, 0, most/int64(factor))
	return units.Bytes(n) * factor, ok
}

// unknown is a line of a kind that is understood, in a form that is not.
func (r *reader) unknown(l cli.Line) verdict {
	r.Once(diag.Warning, Unknown, l.At, "the form of this line is not known: "+l.Text(), "")
	return unmodelled("its form is not known")
}

// notModelled is a line that NX-OS obeys and the plan cannot hold.
func (r *reader) notModelled(l cli.Line, what string) verdict {
	r.Once(diag.Warning, NotModelled, l.At, what+" is not accounted for", "")
	return unmodelled(what + " is not accounted for")
}

// wrong is a line that NX-OS refuses. An error says so, so it is accounted for.
func (r *reader) wrong(l cli.Line, fix string) verdict {
	r.Found.Errorf(Wrong, l.At, "NX-OS does not take %q", l.Text()).Fix = fix
	return verdict{took: true, sort: read.Modelled}
}

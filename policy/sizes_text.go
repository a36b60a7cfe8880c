package policy

import (
	"strings"

	"github.com/hashicorp/hcl/v2"

	"github.com/roceplan/roceplan/diag"
	"github.com/roceplan/roceplan/units"
)

// maxWrongLines is the largest number of wrong lines of a file that are reported: all are wrong
// where it is not a distribution.
const maxWrongLines = 20

// A sizesText reads the points of a distribution from a text of two columns, as the traffic
// generator of the HPCC simulator has it (alibaba-edu/High-Precision-Congestion-Control,
// traffic_gen/custom_rand.py): a size in bytes, and the share of messages that are of that size or
// less, in per cent. A # begins a remark.
type sizesText struct {
	*decoder
	name  string
	of    diag.Range // the place that names the file
	bytes []units.Bytes
	share []units.Ratio
	last  diag.Range // of the last point
	wrong int
}

// readText takes the points of the file that the block names.
func (s *Sizes) readText(d *decoder) {
	text, p := readBelow(d.root, s.File.Value)
	if p != nil {
		d.errorf(p.code, s.File.Range, "file: %s", p.message).Repaired(p.repair)
		return
	}
	r := &sizesText{decoder: d, name: diag.Beside(s.File.Range, s.File.Value), of: s.File.Range}
	d.texts = append(d.texts, Source{Name: r.name, Text: []byte(text)})
	number, from := 1, 0
	for line := range strings.Lines(text) {
		r.line(number, from, line)
		if number, from = number+1, from+len(line); r.wrong >= maxWrongLines {
			return
		}
	}
	if r.wrong == 0 {
		r.ends()
	}
	if r.wrong == 0 {
		s.Bytes, s.Share = Opt[[]units.Bytes]{r.bytes, true, s.File.Range}, Opt[[]units.Ratio]{r.share, true, s.File.Range}
	}
}

// line takes a point of a line that begins at a byte.
func (r *sizesText) line(number, from int, line string) {
	line, _, _ = strings.Cut(line, "#")
	words := strings.Fields(line)
	if len(words) == 0 {
		return
	}
	at := func(word string) diag.Range { // the last such word of the line
		pos := func(n int) hcl.Pos { return hcl.Pos{Line: number, Column: n + 1, Byte: from + n} }
		column := strings.LastIndex(line, word)
		return diag.Range{Filename: r.name, Start: pos(column), End: pos(column + len(word))}
	}
	whole := at(strings.TrimSpace(line))
	if len(words) != 2 {
		r.blame(whole, "the line has %d words and needs 2, a size in bytes and a share in per cent", len(words))
		return
	}
	size, errSize := units.ParseBytes(words[0] + "B")
	share, errShare := units.ParseRatio(words[1] + "%")
	n := len(r.bytes)
	r.last = whole
	switch {
	case errSize != nil || size < 0 || size > 16*units.GB:
		r.blame(whole, "%q is not a size from 0 to %d bytes", clip(words[0]), 16*units.GB)
	case errShare != nil || share < 0 || share > units.One:
		r.blame(at(words[1]), "%q is not a share from 0 to 100 per cent", clip(words[1]))
	case n > 0 && size < r.bytes[n-1]:
		r.blame(whole, "%v comes after %v: sizes must ascend", size, r.bytes[n-1])
	case n > 0 && share < r.share[n-1]:
		r.blame(at(words[1]), "%v comes after %v: shares must ascend", share, r.share[n-1])
	case n == 0 && share != 0:
		r.blame(at(words[1]), "the first share is %v and must be 0%%", share)
	case n == maxPoints:
		r.blame(whole, "a distribution has at most %d points", maxPoints)
		r.wrong = maxWrongLines
	default:
		r.bytes, r.share = append(r.bytes, size), append(r.share, share)
	}
}

// ends demands that the last point is that of all messages.
func (r *sizesText) ends() {
	n := len(r.bytes)
	switch {
	case n < 2:
		r.blame(diag.Range{Filename: r.name, Start: hcl.InitialPos, End: hcl.InitialPos}, "the file has %d points and needs at least 2", n)
	case r.share[n-1] != units.One:
		r.blame(r.last, "the last share is %v and must be 100%%", r.share[n-1])
	case r.bytes[n-1] == 0:
		r.blame(r.last, "all sizes are 0")
	}
}

func (r *sizesText) blame(at diag.Range, format string, args ...any) {
	r.wrong++
	r.errorf(BadSizes, at, format, args...).
		Fixf("write lines such as 10000 15: of 15 %% of messages the size is 10000 bytes or less; the first share is 0, the last 100").
		Notef(r.of, "the file is named here")
}

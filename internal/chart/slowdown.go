package chart

import (
	"slices"
	"strconv"
)

// Slowdown charts the times of messages as multiples of their times alone, by their size: the median and the 99th
// percentile of each group, over axes that are logarithmic, as papers on flow completion times draw it. A goal of the
// percentile is a level, and the first group beyond it is marked; 0: there is none.
func Slowdown(title string, bytes, median, tail []float64, goal float64) *Chart {
	c := &Chart{Title: title + ": slowdown by size", X: "size of message (bytes)", Y: "slowdown", LogX: true, LogY: true}
	switch len(bytes) {
	case 0:
	case 1: // one size has no line
		c.Lines = []Line{Level("median", median[0], bytes[0]/2, 2*bytes[0]), Level("99 %", tail[0], bytes[0]/2, 2*bytes[0])}
	default:
		c.Lines = []Line{{Name: "median", X: bytes, Y: median}, {Name: "99 %", X: bytes, Y: tail}}
	}
	if goal > 0 && len(bytes) > 0 {
		c.Lines = append(c.Lines, Level("goal of 99 %", goal, c.Lines[0].X[0], c.Lines[0].X[len(c.Lines[0].X)-1]))
		if i := slices.IndexFunc(tail, func(v float64) bool { return v > goal }); i >= 0 {
			c.Dots = append(c.Dots, Dot{Name: strconv.FormatFloat(bytes[i], 'f', -1, 64) + " B", X: bytes[i], Y: tail[i], Marked: true})
		}
	}
	return c
}

package chart

// Slowdown is how long messages take, of what they take alone, by their size: the median and the 99th percentile of each
// group, over axes that are logarithmic, as papers on flow completion times draw it.
func Slowdown(title string, bytes, median, tail []float64) *Chart {
	c := &Chart{Title: title + ": slowdown by size", X: "size of message (bytes)", Y: "slowdown", LogX: true, LogY: true}
	switch len(bytes) {
	case 0:
	case 1: // one size has no line
		c.Lines = []Line{Level("median", median[0], bytes[0]/2, 2*bytes[0]), Level("99 %", tail[0], bytes[0]/2, 2*bytes[0])}
	default:
		c.Lines = []Line{{Name: "median", X: bytes, Y: median}, {Name: "99 %", X: bytes, Y: tail}}
	}
	return c
}

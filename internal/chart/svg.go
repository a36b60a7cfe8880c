package chart

import (
	"bytes"
	"encoding/xml"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/roceplan/roceplan/internal/stable"
)

// Sizes in pixels of SVG: of one chart, and of the space around its curves.
const (
	width, height            = 980, 340
	left, right, top, bottom = 74, 290, 36, 52
	plotWidth                = width - left - right
	plotHeight               = height - top - bottom
)

// palette is the palette of Okabe and Ito, "Color Universal Design" (2008), which the colour-blind
// can distinguish, without its yellow, which is too light for lines on white.
var palette = [...]string{"#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#000000"}

// SVG draws charts below one another. A curve is cut to two points a pixel at the most: the
// least and the largest of what falls into it.
func SVG(charts ...*Chart) []byte {
	var out bytes.Buffer
	fmt.Fprintf(&out, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" width="%d" font-family="Arial,Helvetica,sans-serif" font-size="13">`+"\n", width, height*len(charts), width)
	fmt.Fprintf(&out, `<rect width="%d" height="%d" fill="#fff"/>`+"\n", width, height*len(charts))
	for i, c := range charts {
		fmt.Fprintf(&out, `<g transform="translate(0,%d)">`+"\n", i*height)
		c.draw(&out)
		out.WriteString("</g>\n")
	}
	out.WriteString("</svg>\n")
	return out.Bytes()
}

// draw puts the legend next to the curves, where it hides none.
func (c *Chart) draw(out *bytes.Buffer) {
	x := c.axis(c.LogX, func(l Line) []float64 { return l.X }, func(d Dot) float64 { return d.X }, plotWidth)
	y := c.axis(c.LogY, func(l Line) []float64 { return l.Y }, func(d Dot) float64 { return d.Y }, plotHeight)
	fmt.Fprintf(out, `<text x="%d" y="22" font-size="16" text-anchor="middle">%s</text>`+"\n", left+plotWidth/2, escaped(c.Title))
	for _, t := range x.ticks {
		at := left + x.at(t.Value)
		fmt.Fprintf(out, `<path d="M%s %dV%d" stroke="#ddd"/><text x="%s" y="%d" text-anchor="middle">%s</text>`+"\n",
			px(at), top, top+plotHeight, px(at), top+plotHeight+17, t.Label)
	}
	for _, t := range y.ticks {
		at := top + plotHeight - y.at(t.Value)
		fmt.Fprintf(out, `<path d="M%d %sH%d" stroke="#ddd"/><text x="%d" y="%s" text-anchor="end">%s</text>`+"\n",
			left, px(at), left+plotWidth, left-6, px(at+4), t.Label)
	}
	fmt.Fprintf(out, `<path d="M%d %dV%dH%d" fill="none" stroke="#000"/>`+"\n", left, top, top+plotHeight, left+plotWidth)
	fmt.Fprintf(out, `<text x="%d" y="%d" text-anchor="middle">%s</text>`+"\n", left+plotWidth/2, height-12, escaped(c.X))
	fmt.Fprintf(out, `<text transform="translate(16,%d) rotate(-90)" text-anchor="middle">%s</text>`+"\n", top+plotHeight/2, escaped(c.Y))
	for i, l := range c.Lines {
		style := fmt.Sprintf(`fill="none" stroke="%s" stroke-width="1.6"`, palette[i%len(palette)])
		if l.Dashed {
			style += ` stroke-dasharray="7 5"`
		}
		if d := curve(l, x, y); d != "" {
			fmt.Fprintf(out, `<path d="%s" %s/>`+"\n", d, style)
		}
		at := top + 10 + 20*i
		fmt.Fprintf(out, `<path d="M%d %dh28" %s/><text x="%d" y="%d">%s</text>`+"\n", left+plotWidth+18, at, style, left+plotWidth+54, at+4, escaped(l.Name))
	}
	c.dots(out, x, y)
}

// lineHeight is the least distance of names of dots, and letterWidth about how wide a letter is.
const lineHeight, letterWidth = 14.0, 7.2

// A label is the name of a dot and its place: its left end and the middle of its line.
type label struct{ x, y, width float64 }

// dots draws them with their names to the right. A name that would cover another one moves down.
func (c *Chart) dots(out *bytes.Buffer, x, y axis) {
	var placed []label
	for _, d := range c.Dots {
		atX, atY := left+x.at(d.X), top+plotHeight-y.at(d.Y)
		name := label{atX + 9, atY, letterWidth * float64(len(d.Name))}
		for slices.ContainsFunc(placed, name.covers) {
			name.y++
		}
		placed = append(placed, name)
		fill, radius, weight := palette[0], 4, "normal"
		if d.Marked {
			fill, radius, weight = palette[1], 6, "bold"
		}
		if name.y > atY {
			fmt.Fprintf(out, `<path d="M%s %sL%s %s" stroke="#bbb"/>`+"\n", px(atX), px(atY), px(name.x-2), px(name.y))
		}
		fmt.Fprintf(out, `<circle cx="%s" cy="%s" r="%d" fill="%s"/><text x="%s" y="%s" font-weight="%s">%s</text>`+"\n",
			px(atX), px(atY), radius, fill, px(name.x), px(name.y+4), weight, escaped(d.Name))
	}
}

func (l label) covers(o label) bool {
	return math.Abs(l.y-o.y) < lineHeight && l.x < o.x+o.width && o.x < l.x+l.width
}

// An axis maps values to pixels from where it begins.
type axis struct {
	from, to float64
	log      bool
	pixels   float64
	ticks    []Tick
}

// axis covers all values of the lines and dots: from 0, or, where it is logarithmic, from the round number
// below the least that is positive.
func (c *Chart) axis(log bool, of func(Line) []float64, dot func(Dot) float64, pixels float64) axis {
	var values []float64
	for _, l := range c.Lines {
		values = append(values, of(l)...)
	}
	for _, d := range c.Dots {
		values = append(values, dot(d))
	}
	least, most := math.Inf(1), 0.0
	for _, v := range values {
		if most = max(most, v); v > 0 {
			least = min(least, v)
		}
	}
	if most <= 0 {
		return axis{to: 1, pixels: pixels, ticks: ticks(0, 1)} // all is 0, or nothing is drawn
	}
	if !log {
		return axis{to: most * 1.02, pixels: pixels, ticks: ticks(0, most*1.02)}
	}
	ends := roundNumbers(least, most)
	a := axis{from: math.Log10(ends[0]), to: math.Log10(ends[len(ends)-1]), log: true, pixels: pixels}
	if a.to-a.from > shortAxis {
		ends = stable.Delete(ends, func(v float64) bool { e := math.Log10(v); return math.Abs(e-math.Round(e)) > 1e-9 })
	}
	for _, v := range ends {
		a.ticks = append(a.ticks, Tick{v, strconv.FormatFloat(v, 'g', -1, 64)})
	}
	return a
}

// shortAxis is the largest number of powers of ten of an axis that has ticks between them.
const shortAxis = 2.5

// roundNumbers are 1, 2 and 5 times powers of ten, at least two of them, from the last one that is not above the least value to the
// first that is not below the most.
func roundNumbers(least, most float64) (list []float64) {
	const slack = 1e-9 // of a logarithm
	for e := math.Floor(math.Log10(least)); len(list) < 2 || list[len(list)-1] < most*(1-slack); e++ {
		for _, by := range []float64{1, 2, 5} {
			v, _ := strconv.ParseFloat(fmt.Sprintf("%ge%d", by, int(e)), 64) // as it is written, without the error of a power
			switch {
			case v <= least*(1+slack):
				list = []float64{v}
			case len(list) < 2 || list[len(list)-1] < most*(1-slack):
				list = append(list, v)
			}
		}
	}
	return list
}

// at returns the position of a value; one that a logarithm cannot show is at the beginning.
func (a axis) at(v float64) float64 {
	if a.log {
		v = max(math.Log10(max(v, math.SmallestNonzeroFloat64)), a.from)
	}
	return (v - a.from) / (a.to - a.from) * a.pixels
}

// curve returns a line as the data of a path.
func curve(l Line, x, y axis) string {
	var d strings.Builder
	command := byte('M')
	add := func(px0, py float64) {
		d.WriteByte(command)
		d.WriteString(px(left + px0))
		d.WriteByte(' ')
		d.WriteString(px(top + plotHeight - py))
		command = 'L'
	}
	for i := 0; i < len(l.X); {
		column := math.Round(x.at(l.X[i]))
		first, low, high := i, l.Y[i], l.Y[i]
		for i < len(l.X) && math.Round(x.at(l.X[i])) == column {
			low, high = min(low, l.Y[i]), max(high, l.Y[i])
			i++
		}
		if i-first <= 2 {
			for k := first; k < i; k++ {
				add(x.at(l.X[k]), y.at(l.Y[k]))
			}
			continue
		}
		if l.Y[first]-low > high-l.Y[first] { // the nearer end comes first
			low, high = high, low
		}
		add(column, y.at(low))
		add(column, y.at(high))
	}
	return d.String()
}

// px writes a length in tenths of a pixel.
func px(v float64) string { return strconv.FormatFloat(math.Round(v*10)/10, 'f', -1, 64) }

func escaped(text string) string {
	var out strings.Builder
	_ = xml.EscapeText(&out, []byte(text)) // a strings.Builder takes all
	return out.String()
}

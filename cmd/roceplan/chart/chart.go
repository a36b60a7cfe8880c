// Package chart draws lines over axes as SVG. Equal charts are equal files.
package chart

import (
	"bytes"
	"image/color"
	"math"
	"slices"
	"strconv"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgsvg"
)

// A Chart is lines over two axes that begin at 0.
type Chart struct {
	Title string
	X, Y  string // labels, with units
	Lines []Line
}

// A Line is a curve with its name. A dashed one is a bound, not something measured.
type Line struct {
	Name   string
	X, Y   []float64 // of equal length
	Dashed bool
}

// Level is a bound that does not change from one X to another.
func Level(name string, y, from, to float64) Line {
	return Line{Name: name, X: []float64{from, to}, Y: []float64{y, y}, Dashed: true}
}

// CDF is the share of values, in percent, that each of them is not below.
func CDF(name string, values []float64) Line {
	l := Line{Name: name}
	sorted := slices.Sorted(slices.Values(values))
	for i, v := range sorted {
		l.X = append(l.X, v, v) // a step
		l.Y = append(l.Y, 100*float64(i)/float64(len(sorted)), 100*float64(i+1)/float64(len(sorted)))
	}
	return l
}

// palette is that of Okabe and Ito, "Color Universal Design" (2008), which the colour-blind
// can tell apart, without its yellow, which is too light for lines on white.
var palette = [...]color.RGBA{
	{0x00, 0x72, 0xb2, 0xff}, {0xd5, 0x5e, 0x00, 0xff}, {0x00, 0x9e, 0x73, 0xff}, {0xcc, 0x79, 0xa7, 0xff},
	{0xe6, 0x9f, 0x00, 0xff}, {0x56, 0xb4, 0xe9, 0xff}, {0x00, 0x00, 0x00, 0xff},
}

const (
	width       = 26 * vg.Centimeter
	height      = 9 * vg.Centimeter // of one chart
	legendWidth = 7 * vg.Centimeter
	margin      = 0.3 * vg.Centimeter
	fontSize    = 11
)

// SVG draws charts below one another.
func SVG(charts ...*Chart) ([]byte, error) {
	canvas := vgsvg.New(width, height*vg.Length(len(charts)))
	for i, c := range charts {
		top := vg.Length(len(charts)-i) * height
		area := draw.Canvas{Canvas: canvas, Rectangle: vg.Rectangle{
			Min: vg.Point{X: margin, Y: top - height + margin}, Max: vg.Point{X: width - margin, Y: top - margin},
		}}
		if err := c.draw(area); err != nil {
			return nil, err
		}
	}
	var out bytes.Buffer
	if _, err := canvas.WriteTo(&out); err != nil {
		return nil, err
	}
	// Whoever does not have the font that was measured takes a similar one.
	return bytes.ReplaceAll(out.Bytes(), []byte("font-family:Liberation Sans"), []byte("font-family:'Liberation Sans',Arial,Helvetica,sans-serif")), nil
}

// draw puts the legend beside the curves, where it hides none.
func (c *Chart) draw(area draw.Canvas) error {
	p := plot.New()
	p.Title.Text, p.X.Label.Text, p.Y.Label.Text = c.Title, c.X, c.Y
	p.X.Min, p.Y.Min, p.Title.Padding = 0, 0, vg.Points(6)
	p.Add(plotter.NewGrid())
	legend := plot.NewLegend()
	legend.Top, legend.Left, legend.ThumbnailWidth, legend.Padding = true, true, vg.Points(24), vg.Points(4)
	for _, style := range []*text.Style{&p.Title.TextStyle, &p.X.Label.TextStyle, &p.Y.Label.TextStyle, &p.X.Tick.Label, &p.Y.Tick.Label, &legend.TextStyle} {
		style.Font.Variant, style.Font.Size = "Sans", fontSize
	}
	p.Title.TextStyle.Font.Size = fontSize + 3
	for i, l := range c.Lines {
		line, err := plotter.NewLine(points(l))
		if err != nil {
			return err
		}
		line.Color, line.Width = palette[i%len(palette)], vg.Points(1.4)
		if l.Dashed {
			line.Dashes = []vg.Length{vg.Points(6), vg.Points(4)}
		}
		p.Add(line)
		legend.Add(l.Name, line)
	}
	p.X.Min, p.Y.Min = 0, 0
	p.X.Max, p.Y.Max = orOne(p.X.Max), orOne(p.Y.Max*1.05)
	p.X.Tick.Marker, p.Y.Tick.Marker = plot.TickerFunc(ticks), plot.TickerFunc(ticks)
	p.Draw(draw.Crop(area, 0, -legendWidth, 0, 0))
	legend.Draw(draw.Crop(area, area.Max.X-area.Min.X-legendWidth+margin, 0, 0, -vg.Points(24)))
	return nil
}

// orOne gives an axis a length where all is 0.
func orOne(end float64) float64 {
	if end > 0 {
		return end
	}
	return 1
}

// ticks are four to ten at round numbers, with as many digits as these need.
func ticks(from, to float64) (list []plot.Tick) {
	step := math.Pow(10, math.Floor(math.Log10((to-from)/4)))
	for _, by := range []float64{5, 2} {
		if (to-from)/(step*by) >= 4 {
			step *= by
			break
		}
	}
	for i := math.Ceil(from / step); i*step <= to; i++ {
		label := strconv.FormatFloat(i*step, 'f', max(0, int(-math.Floor(math.Log10(step)))), 64)
		list = append(list, plot.Tick{Value: i * step, Label: label})
	}
	return list
}

func points(l Line) plotter.XYs {
	out := make(plotter.XYs, len(l.X))
	for i := range out {
		out[i] = plotter.XY{X: l.X[i], Y: l.Y[i]}
	}
	return out
}

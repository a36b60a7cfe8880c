// Package chart draws lines and named dots over axes as SVG. Equal charts are equal files.
package chart

import (
	"math"
	"slices"
	"sort"
	"strconv"
)

// A Chart is lines and dots over two axes that begin at 0, or at a round number where they are
// logarithmic.
type Chart struct {
	Title      string
	X, Y       string // labels, with units
	LogX, LogY bool
	Lines      []Line
	Dots       []Dot
}

// A Dot is a point with its name. The marked one is drawn larger.
type Dot struct {
	Name   string
	X, Y   float64
	Marked bool
}

// A Line is a curve with its name. A dashed one is a bound, not something measured.
type Line struct {
	Name   string
	X, Y   []float64 // of equal length
	Dashed bool
}

// Level returns a bound that does not change from one X to another.
func Level(name string, y, from, to float64) Line {
	return Line{Name: name, X: []float64{from, to}, Y: []float64{y, y}, Dashed: true}
}

// At marks a place on the X axis, up to a value of Y.
func At(name string, x, to float64) Line {
	return Line{Name: name, X: []float64{x, x}, Y: []float64{0, to}, Dashed: true}
}

// CDF returns the share of values, in percent, that each of them is not below.
func CDF(name string, values []float64) Line {
	l := Line{Name: name}
	sorted := slices.Clone(values)
	sort.Float64s(sorted)
	for i, v := range sorted {
		l.X = append(l.X, v, v) // a step
		l.Y = append(l.Y, 100*float64(i)/float64(len(sorted)), 100*float64(i+1)/float64(len(sorted)))
	}
	return l
}

// A Tick is a value on an axis with its label.
type Tick struct {
	Value float64
	Label string
}

// ticks are four to ten at round numbers, with as many digits as these need.
func ticks(from, to float64) (list []Tick) {
	step := math.Pow(10, math.Floor(math.Log10((to-from)/4)))
	for _, by := range []float64{5, 2} {
		if (to-from)/(step*by) >= 4 {
			step *= by
			break
		}
	}
	for i := math.Ceil(from / step); i*step <= to; i++ {
		label := strconv.FormatFloat(i*step, 'f', max(0, int(-math.Floor(math.Log10(step)))), 64)
		list = append(list, Tick{i * step, label})
	}
	return list
}

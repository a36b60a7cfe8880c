package tune

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
)

// A genome is a level of each axis of a space.
type genome []int

// compiled returns the genome of the compiled settings.
func (s *space) compiled() (g genome) {
	for _, a := range s.axes {
		g = append(g, a.at)
	}
	return g
}

// point returns the point that a genome encodes.
func (s *space) point(g genome) *Point {
	p := &Point{}
	for i, level := range g {
		if level != s.axes[i].at {
			s.axes[i].set(p, level)
		}
	}
	return p
}

// key identifies a point: two genomes of one key are one point.
func (p *Point) key() string {
	var parts []string
	for _, c := range p.NICs {
		parts = append(parts, c.String())
	}
	return fmt.Sprint(p.Marks, parts, p.Balancing)
}

// constants returns the constants of the NICs, for a table: of each kind that differs.
func (p *Point) constants() string {
	var texts []string
	for _, c := range p.NICs {
		if text := c.String(); !slices.Contains(texts, text) && c != (Constants{}) {
			texts = append(texts, text)
		}
	}
	if texts == nil {
		return Constants{}.String()
	}
	return strings.Join(texts, "; ")
}

// moved returns the compiled genome with some axes moved so many levels, as far as they go; nil if that is none.
func (s *space) moved(by int, axes ...int) genome {
	g := s.compiled()
	for _, i := range axes {
		g[i] = min(max(g[i]+by, 0), s.axes[i].levels-1)
	}
	if slices.Equal(g, s.compiled()) {
		return nil
	}
	return g
}

// moves returns the compiled curve with all of it, or Kmin alone, smaller or larger: the first axis is Kmin, the
// second the width.
func (s *space) moves() (list []genome) {
	for _, by := range []int{1, 2, 3, -1} {
		for _, axes := range [][]int{{0, 1}, {0}} {
			if g := s.moved(by, axes...); g != nil {
				list = append(list, g)
			}
		}
	}
	return list
}

// singles are genomes that differ in one axis, so many levels up or down.
func (s *space) singles(step int) (list []genome) {
	for i := range s.axes {
		for _, by := range []int{step, -step} {
			if g := s.moved(by, i); g != nil {
				list = append(list, g)
			}
		}
	}
	return list
}

// drawn returns a genome by chance, all levels alike.
func (s *space) drawn(r *rand.Rand) (g genome) {
	for _, a := range s.axes {
		g = append(g, r.IntN(a.levels))
	}
	return g
}

// child has of each axis the level of either parent, and then up to two levels more or less of one to three axes.
func (s *space) child(r *rand.Rand, a, b genome) genome {
	g := slices.Clone(a)
	for i := range g {
		if r.IntN(2) == 0 {
			g[i] = b[i]
		}
	}
	for range 1 + r.IntN(3) {
		i := r.IntN(len(g))
		g[i] = min(max(g[i]+r.IntN(5)-2, 0), s.axes[i].levels-1)
	}
	return g
}

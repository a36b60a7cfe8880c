package deadlock

import (
	"encoding/binary"
	"maps"
	"slices"

	"github.com/roceplan/roceplan/internal/stable"
)

// A Survey is the examination of a fabric as it is, with every single and every pair
// of failed links, and while it converges after every single failure.
//
// Failures that look alike are examined once. Two links look alike if a renaming of
// devices that keeps all links maps one to the other; colour refinement gives classes
// that are never finer than that on fabrics where all devices of a tier are wired
// alike. A pair is examined for every class of first links, and for every class of
// second links as seen with the first one marked.
type Survey struct {
	AsIs       Verdict
	Singles    []Case // that are not free, or cut a pair of edge devices
	Pairs      []Case
	Converging []Case

	SingleCases, PairCases         int // failures that exist
	SinglesExamined, PairsExamined int // that had to be looked at
}

// A Case is one way of failing, and how many look like it.
type Case struct {
	Failed  []Hop
	Alike   int
	Verdict Verdict
}

// Examine surveys a fabric. progress, if not nil, is told how many of how many
// classes of single failures are done.
func Examine(t *Topology, progress func(done, all int)) (*Survey, error) {
	g, err := newGraph(t)
	if err != nil {
		return nil, err
	}
	links := len(t.Links)
	s := &Survey{AsIs: g.check(nil), SingleCases: links, PairCases: links * (links - 1) / 2}
	classes := g.classes(nil)
	classOf := make([]int, links)
	for i, class := range classes {
		for _, l := range class {
			classOf[l] = i
		}
	}
	for i, class := range classes {
		s.single(g, class, classOf)
		if progress != nil {
			progress(i+1, len(classes))
		}
	}
	return s, nil
}

// single examines the failure of one link of a class, the convergence after it, and
// the failure of a second link of this class and of those after it: with one of a class
// before, the pair was seen from the other link.
func (s *Survey) single(g *graph, class, classOf []int) {
	first := class[0]
	s.SinglesExamined++
	s.add(&s.Singles, g, len(class), g.check([]int{first}), first)
	if v := g.converging(first); !v.Free() {
		s.Converging = append(s.Converging, Case{g.links(first), len(class), v})
	}
	for _, seconds := range g.classes([]int{first}) {
		seconds = slices.DeleteFunc(seconds, func(l int) bool { return l == first })
		if len(seconds) == 0 || classOf[seconds[0]] < classOf[first] {
			continue
		}
		alike := len(class) * len(seconds)
		if classOf[seconds[0]] == classOf[first] {
			alike = (alike + 1) / 2 // each pair has two first links here
		}
		s.PairsExamined++
		s.add(&s.Pairs, g, alike, g.check([]int{first, seconds[0]}), first, seconds[0])
	}
}

func (s *Survey) add(to *[]Case, g *graph, alike int, v Verdict, failed ...int) {
	if !v.Free() || v.Cut > 0 {
		*to = append(*to, Case{g.links(failed...), alike, v})
	}
}

func (g *graph) links(failed ...int) []Hop {
	var hops []Hop
	for _, i := range failed {
		hops = append(hops, g.hop(int32(2*i)))
	}
	return hops
}

// classes divides the links by colour refinement of the devices, with some links
// marked: a device's colour is refined by the colours of its neighbours until nothing
// changes. Links with equal mark and equal colours at their ends are one class; the
// classes come in the order of their first link.
func (g *graph) classes(marked []int) [][]int {
	mark := make([]uint32, len(g.t.Links))
	for i, l := range marked {
		mark[l] = uint32(i) + 1
	}
	colour := g.refine(mark)
	byKey := map[[3]uint32][]int{}
	for i, link := range g.t.Links {
		a, b := colour[link.A], colour[link.B]
		key := [3]uint32{min(a, b), max(a, b), mark[i]}
		byKey[key] = append(byKey[key], i)
	}
	return stable.Sorted(maps.Values(byKey), func(a, b []int) int { return a[0] - b[0] })
}

func (g *graph) refine(mark []uint32) []uint32 {
	colour := make([]uint32, len(g.t.Devices))
	for i, device := range g.t.Devices {
		if device.Edge {
			colour[i] = 1
		}
	}
	for count := 0; ; {
		names := map[string]uint32{}
		next := make([]uint32, len(colour))
		for device := range colour {
			key := g.neighbourhood(int32(device), colour, mark)
			name, ok := names[key]
			if !ok {
				name = uint32(len(names))
				names[key] = name
			}
			next[device] = name
		}
		colour = next
		if len(names) == count {
			return colour
		}
		count = len(names)
	}
}

// neighbourhood is a device's colour and those of its links and neighbours, sorted.
func (g *graph) neighbourhood(device int32, colour, mark []uint32) string {
	around := make([]uint64, 0, len(g.out[device]))
	for _, l := range g.out[device] {
		around = append(around, uint64(mark[l>>1])<<32|uint64(colour[g.to(l)]))
	}
	slices.Sort(around)
	key := binary.LittleEndian.AppendUint32(nil, colour[device])
	for _, a := range around {
		key = binary.LittleEndian.AppendUint64(key, a)
	}
	return string(key)
}

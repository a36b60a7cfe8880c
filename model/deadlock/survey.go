package deadlock

import (
	"cmp"
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
	Singles    []Case // that are not free, or cut a pair of edge devices that is joined as it is
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

// Examine surveys a fabric. progress, if not nil, is called with how many of how many classes of
// single failures are done.
func Examine(t *Topology, progress func(done, all int)) (*Survey, error) {
	g, err := newGraph(t)
	if err != nil {
		return nil, err
	}
	links := len(t.Links)
	s := &Survey{AsIs: g.check(nil), SingleCases: links, PairCases: links * (links - 1) / 2}
	classes := g.view().classes()
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
// before, the pair was seen from the other link. Of two links of one class, that which is like the
// second one as seen from the first may be another as seen from the second: then each pair is
// among the seconds of two classes, and examined for one of them.
func (s *Survey) single(g *graph, class, classOf []int) {
	first := class[0]
	s.SinglesExamined++
	s.add(&s.Singles, g, len(class), g.check([]int{first}), first)
	if v := g.converging(first); !v.Free() {
		s.Converging = append(s.Converging, Case{g.links(first), len(class), v})
	}
	seen := map[look]bool{} // of second links, by the first one as these see it
	marked := g.view(first)
	for _, seconds := range marked.classes() {
		seconds = stable.Delete(seconds, func(l int) bool { return l == first })
		if len(seconds) == 0 || classOf[seconds[0]] < classOf[first] {
			continue
		}
		second, alike := seconds[0], len(class)*len(seconds)
		if classOf[second] == classOf[first] {
			there, back := marked.look(second), g.view(second).look(first)
			switch {
			case seen[there]:
				continue
			case there == back:
				alike /= 2 // each pair has two first links here
			default:
				seen[back] = true
			}
		}
		s.PairsExamined++
		s.add(&s.Pairs, g, alike, g.check([]int{first, second}), first, second)
	}
}

func (s *Survey) add(to *[]Case, g *graph, alike int, v Verdict, failed ...int) {
	if v.Cut -= s.AsIs.Cut; !v.Free() || v.Cut > 0 {
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

// A view is a graph with one link marked, or none, and its devices coloured: a device's
// colour is refined by the colours of its neighbours until nothing changes.
type view struct {
	g            *graph
	mark, colour []uint32 // of links, of devices
}

// A look is the mark of a link and the colours at its ends. Colours do not depend on the order of
// devices, so that looks of different views are equal if a renaming of devices maps one to the other.
type look [3]uint32

func (g *graph) view(marked ...int) *view {
	v := &view{g: g, mark: make([]uint32, len(g.t.Links))}
	for _, l := range marked {
		v.mark[l] = 1
	}
	v.refine()
	return v
}

func (v *view) look(link int) look {
	l := v.g.t.Links[link]
	a, b := v.colour[l.A], v.colour[l.B]
	return look{min(a, b), max(a, b), v.mark[link]}
}

// classes divides the links by their looks, in the order of their first links.
func (v *view) classes() [][]int {
	byLook := map[look][]int{}
	for i := range v.g.t.Links {
		own := v.look(i)
		byLook[own] = append(byLook[own], i)
	}
	return stable.Sorted(maps.Values(byLook), func(a, b []int) int { return a[0] - b[0] })
}

func (v *view) refine() {
	v.colour = make([]uint32, len(v.g.t.Devices))
	for i, device := range v.g.t.Devices {
		if device.Edge {
			v.colour[i] = 1
		}
	}
	for count := 0; ; {
		keys := make([]string, len(v.colour))
		for device := range keys {
			keys[device] = v.neighbourhood(int32(device))
		}
		names := slices.Compact(slices.Sorted(slices.Values(keys)))
		for device, key := range keys {
			name, _ := slices.BinarySearch(names, key)
			v.colour[device] = uint32(name)
		}
		if len(names) == count {
			return
		}
		count = len(names)
	}
}

// neighbourhood returns a device's colour and those of its links and neighbours, sorted.
func (v *view) neighbourhood(device int32) string {
	around := make([]uint64, 0, len(v.g.out[device]))
	for _, l := range v.g.out[device] {
		around = append(around, uint64(v.mark[l>>1])<<32|uint64(v.colour[v.g.to(l)]))
	}
	stable.Sort(around, cmp.Compare[uint64])
	key := binary.LittleEndian.AppendUint32(nil, v.colour[device])
	for _, a := range around {
		key = binary.LittleEndian.AppendUint64(key, a)
	}
	return string(key)
}

package verify

import (
	"maps"
	"slices"

	"github.com/roceplan/roceplan/diag"
	"github.com/roceplan/roceplan/internal/forest"
	"github.com/roceplan/roceplan/internal/natural"
	"github.com/roceplan/roceplan/plan"
	"github.com/roceplan/roceplan/read"
)

// cutOff reports switches that the cabling joins to the others and that the files cut off: all their links, or all
// those of their part of the fabric, carry nothing.
func cutOff(p *plan.Plan, all []*Switch, joined map[string]map[string]bool) (found diag.List) {
	down := map[plan.LinkEnd]diag.Range{}
	for _, s := range all {
		for _, w := range s.leads(joined) {
			if !slices.Contains([]string{read.WayDown, read.WayDark, read.WayFew}, w.Why) || w.Port == "" {
				continue
			}
			ports, _ := s.portsOf(w)
			for _, name := range s.Names {
				for _, port := range ports {
					if joined[name][port] {
						down[plan.LinkEnd{Switch: name, Port: port}] = w.At
					}
				}
			}
		}
	}
	if len(down) == 0 {
		return nil
	}
	number := map[string]int32{}
	for _, name := range slices.Sorted(maps.Keys(joined)) {
		number[name] = int32(len(number))
	}
	left := forest.New(len(number))
	for _, link := range p.Links {
		_, a := down[link.A]
		_, b := down[link.B]
		if joined[link.A.Switch] != nil && joined[link.B.Switch] != nil && !a && !b {
			left.Join(number[link.A.Switch], number[link.B.Switch])
		}
	}
	return reportCut(p, down, number, left)
}

// reportCut names, once for each part of a fabric, a switch that is out of it and the line of one of its links.
func reportCut(p *plan.Plan, down map[plan.LinkEnd]diag.Range, number map[string]int32, left forest.Forest) (found diag.List) {
	size, reported := map[int32]int{}, map[int32]bool{}
	for i := range left {
		size[left.Root(int32(i))]++
	}
	for _, link := range p.Links {
		i, here := number[link.A.Switch]
		k, there := number[link.B.Switch]
		if !here || !there {
			continue
		}
		a, b := left.Root(i), left.Root(k)
		if a == b {
			continue
		}
		out, name := a, link.A.Switch
		if size[b] < size[a] {
			out, name = b, link.B.Switch
		}
		if reported[out] {
			continue
		}
		reported[out] = true
		at, ok := down[link.A]
		if !ok {
			at = down[link.B]
		}
		more := ""
		if n := size[out] - 1; n > 0 {
			more = " with " + natural.Count(n, "other switch", "other switches")
		}
		found.Errorf(PathCut, at, "%s%s is cut off from the rest of the fabric: by the files, no link between them carries packets", name, more).
			Fixf("turn on the links that the fabric declares")
	}
	return found
}

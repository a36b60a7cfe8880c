package design

import (
	"cmp"
	"fmt"

	"github.com/roceplan/roceplan/chips"
	"github.com/roceplan/roceplan/internal/natural"
	"github.com/roceplan/roceplan/internal/stable"
	"github.com/roceplan/roceplan/units"
)

// A Size is the number of switches, and their wiring.
type Size struct {
	Rails   int `json:"rails"`    // leaves that a server is at; 1 of a plain fabric
	Groups  int `json:"groups"`   // sets of so many leaves
	PerLeaf int `json:"per_leaf"` // ports to NICs of each leaf
	Leaves  int `json:"leaves"`
	Spines  int `json:"spines"` // 0: one switch holds all
	Links   int `json:"links"`  // between each leaf and each spine

	uplink      units.BitRate
	leaf, spine built
	need        int // links that carry what a leaf's NICs send
}

// Capacity returns the number of NICs for which there is room.
func (s *Size) Capacity() int { return s.Leaves * s.PerLeaf }

// fit counts leaves and spines.
//
//	NICs of a leaf    n: half of what its box has, in ports, so that uplinks carry as much (1:1)
//	groups            g = ⌈NICs of a rail / n⌉, each of one leaf for every rail; n = ⌈NICs of a rail / g⌉
//	uplinks of a leaf u = ⌈n · rate of a NIC / rate of an uplink⌉
//	spines            the least s for which l = ⌈u / s⌉ links to each of g · rails leaves fit a spine, and s · l a leaf;
//	                  at least two, so that one may fail or be changed, where a leaf has two uplinks
//
// Boxes that the catalogue describes go before others.
func (w *Wish) fit(catalogue *chips.Catalogue) (*Size, error) {
	s, err := w.fitAmong(catalogue, true)
	if err != nil {
		s, err = w.fitAmong(catalogue, false)
	}
	return s, err
}

func (w *Wish) fitAmong(catalogue *chips.Catalogue, described bool) (*Size, error) {
	leaves, err := w.boxes(catalogue, w.Leaf, described)
	if err != nil {
		return nil, err
	}
	if single, ok := w.single(leaves); ok {
		return single, nil
	}
	spines := leaves
	if w.Spine != "" {
		if spines, err = w.boxes(catalogue, w.Spine, described); err != nil {
			return nil, err
		}
	}
	var refused error
	for _, uplink := range w.uplinks() {
		most, ports := mostBelow(leaves, w.NIC, uplink), mostPorts(spines, uplink)
		if most == 0 || ports == 0 {
			continue
		}
		size, err := w.sized(leaves, spines, uplink, most, ports)
		if err == nil {
			return size, nil
		}
		refused = cmp.Or(refused, err)
	}
	if refused == nil {
		refused = fmt.Errorf("%s under %s has no ports of %v together with uplinks of the same bandwidth%s: choose other NICs, another chip, or another --uplink; `roceplan platforms show` lists ports", w.Leaf, w.OS, w.NIC, w.ofUplink())
	}
	return nil, refused
}

// single returns the size of one switch that holds all NICs, where no spines are asked for.
func (w *Wish) single(boxes []box) (*Size, bool) {
	if w.Spine != "" || w.PerLeaf > 0 && w.PerLeaf < w.nics() {
		return nil, false
	}
	leaf, ok := best(boxes, []ask{{w.nics(), w.NIC}})
	return &Size{Rails: 1, Groups: 1, PerLeaf: w.nics(), Leaves: 1, leaf: leaf}, ok
}

// uplinks returns the rates that links between switches may have, the best first.
func (w *Wish) uplinks() []units.BitRate {
	if w.Uplink != 0 {
		return []units.BitRate{w.Uplink}
	}
	rates := []units.BitRate{provable, 200 * units.Gbps, 100 * units.Gbps, 50 * units.Gbps, 40 * units.Gbps, 25 * units.Gbps}
	rates = stable.Delete(rates, func(r units.BitRate) bool { return r < w.NIC })
	if len(rates) == 0 {
		rates = append(rates, w.NIC)
	}
	return rates
}

// ofUplink names the rate that was asked for.
func (w *Wish) ofUplink() string {
	if w.Uplink == 0 {
		return ""
	}
	return " of " + w.Uplink.String()
}

// sized counts with one rate of uplinks.
func (w *Wish) sized(leaves, spines []box, uplink units.BitRate, most, ports int) (*Size, error) {
	s := &Size{Rails: 1, uplink: uplink}
	if w.training() {
		s.Rails = w.PerServer
	}
	if w.PerLeaf > 0 {
		most = min(most, w.PerLeaf)
	}
	rail := divideUp(w.nics(), s.Rails)
	s.Groups = divideUp(rail, most)
	s.PerLeaf = divideUp(rail, s.Groups)
	s.Leaves = s.Groups * s.Rails
	s.need = divideUp(int(int64(s.PerLeaf)*int64(w.NIC)/int64(units.Gbps)), int(uplink/units.Gbps))
	for s.Spines = cmp.Or(w.Spines, max(min(2, s.need), divideUp(s.Leaves*s.need, ports))); s.Spines <= max(s.need, w.Spines); s.Spines++ {
		s.Links = divideUp(s.need, s.Spines)
		var ok [2]bool
		s.leaf, ok[0] = best(leaves, []ask{{s.PerLeaf, w.NIC}, {s.Spines * s.Links, uplink}})
		s.spine, ok[1] = best(spines, []ask{{s.Leaves * s.Links, uplink}})
		if ok[0] && ok[1] {
			return s, nil
		}
		if w.Spines > 0 {
			break
		}
	}
	return nil, w.tooLarge(s, most, ports, uplink)
}

// tooLarge says how many there may be: a spine has a link to each leaf at least.
func (w *Wish) tooLarge(s *Size, most, ports int, uplink units.BitRate) error {
	if w.Spines > 0 {
		return fmt.Errorf("%s and %s do not fit: each leaf has %s to NICs of %v and needs %s of %v to %s, and a spine has %d ports for %s; choose another number of spines",
			natural.Count(s.Leaves, "leaf", "leaves"), natural.Count(w.Spines, "spine", "spines"), natural.Count(s.PerLeaf, "port", "ports"), w.NIC, natural.Count(s.need, "uplink", "uplinks"), uplink, natural.Count(w.Spines, "spine", "spines"), ports, natural.Count(s.Leaves, "leaf", "leaves"))
	}
	return fmt.Errorf("%s do not fit two tiers: with %s of %v at each leaf that is %s, and a spine has %d ports of %v, one for each leaf; %s and %s hold %d at most",
		w.what(), natural.Count(most, "NIC", "NICs"), w.NIC, natural.Count(s.Leaves, "leaf", "leaves"), ports, uplink, w.Leaf, cmp.Or(w.Spine, w.Leaf), ports/s.Rails*s.Rails*most)
}

// mostBelow returns the largest number of NICs of a leaf whose uplinks carry as much as its NICs.
func mostBelow(boxes []box, nic, uplink units.BitRate) int {
	for n := mostPorts(boxes, nic); n > 0; n-- {
		if _, ok := best(boxes, []ask{{n, nic}, {divideUp(n*int(nic/units.Gbps), int(uplink/units.Gbps)), uplink}}); ok {
			return n
		}
	}
	return 0
}

// mostPorts returns the largest number of ports of a rate in one box.
func mostPorts(boxes []box, rate units.BitRate) (most int) {
	for i := range boxes {
		n := 0
		for _, c := range boxes[i].cages {
			n += len(c.at(rate))
		}
		most = max(most, min(n, boxes[i].most, int(boxes[i].capacity/rate)))
	}
	return most
}

func divideUp(n, by int) int { return (n + by - 1) / by }

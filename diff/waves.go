package diff

import (
	"slices"
	"strings"

	"github.com/roceplan/roceplan/internal/natural"
	"github.com/roceplan/roceplan/internal/stable"
	"github.com/roceplan/roceplan/plan"
	"github.com/roceplan/roceplan/units"
)

// A Wave is devices that are drained at the same time.
type Wave struct {
	Devices []string
	// Cut are devices that have no link left to a tier of the wave meanwhile.
	Cut []string
}

// Waves divides devices that have to be drained into waves, one after another. The first wave is
// one device alone, the canary. With keep, every device that is not drained keeps at least that
// share of its links to each tier. Without it, of devices that replace one another, those with
// the same role and the same neighbours, one is drained at a time. A device without which no
// share is kept is drained alone.
func Waves(p *plan.Plan, devices []string, keep units.Ratio) (waves []Wave) {
	w := newWaver(p, keep)
	left := slices.SortedFunc(slices.Values(devices), natural.Compare)
	for len(left) > 0 {
		wave := map[string]bool{left[0]: true}
		for _, name := range left[1:] {
			if len(waves) > 0 && w.fits(wave, name) {
				wave[name] = true
			}
		}
		in := func(name string) bool { return wave[name] }
		waves = append(waves, Wave{stable.Delete(slices.Clone(left), func(name string) bool { return !in(name) }), w.cut(wave)})
		left = stable.Delete(left, in)
	}
	return waves
}

// A waver knows which devices are joined, by how many links.
type waver struct {
	keep  units.Ratio
	role  map[string]string
	links map[string]map[string]int64
	group map[string]string // of devices that replace one another
}

func newWaver(p *plan.Plan, keep units.Ratio) *waver {
	w := &waver{keep: keep, role: map[string]string{}, links: map[string]map[string]int64{}, group: map[string]string{}}
	for _, sw := range p.Switches {
		for _, name := range sw.Names {
			w.role[name], w.links[name] = sw.Role, map[string]int64{}
		}
	}
	for _, l := range p.Links {
		if w.links[l.A.Switch] != nil && w.links[l.B.Switch] != nil {
			w.links[l.A.Switch][l.B.Switch]++
			w.links[l.B.Switch][l.A.Switch]++
		}
	}
	for name, to := range w.links {
		w.group[name] = w.role[name] + "\x00" + strings.Join(sorted(to), "\x00")
	}
	return w
}

func sorted(names map[string]int64) (all []string) {
	for name := range names {
		all = append(all, name)
	}
	slices.SortFunc(all, natural.Compare)
	return all
}

// fits reports whether a device can be drained together with those of a wave.
func (w *waver) fits(wave map[string]bool, name string) bool {
	for other := range wave {
		if w.keep == 0 && w.group[other] == w.group[name] {
			return false
		}
	}
	if w.keep == 0 {
		return true
	}
	for neighbour := range w.links[name] {
		if all, up := w.up(wave, neighbour, w.role[name], name); !wave[neighbour] && units.Ratio(up)*units.One < w.keep*units.Ratio(all) {
			return false
		}
	}
	return true
}

// up counts the links of a device to a tier, all and those that are left while a wave and one
// more device are drained.
func (w *waver) up(wave map[string]bool, device, role, more string) (all, up int64) {
	for neighbour, links := range w.links[device] {
		if w.role[neighbour] != role {
			continue
		}
		all += links
		if !wave[neighbour] && neighbour != more {
			up += links
		}
	}
	return all, up
}

// cut lists the devices that a wave leaves without a link to a tier.
func (w *waver) cut(wave map[string]bool) []string {
	found := map[string]int64{}
	for name := range wave {
		for neighbour := range w.links[name] {
			if _, up := w.up(wave, neighbour, w.role[name], name); up == 0 && !wave[neighbour] {
				found[neighbour] = 1
			}
		}
	}
	return sorted(found)
}

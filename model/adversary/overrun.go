package adversary

import (
	"fmt"

	"github.com/roceplan/roceplan/model"
	"github.com/roceplan/roceplan/model/mmu"
)

// overrun fills a single group up to its limit, has others take the last of its room, and
// floods it: its own headroom has to take the whole window.
func overrun(g *game, _ Options) (list []attack) {
	for _, to := range g.kinds() {
		name := fmt.Sprintf("headroom of %s PG %d", g.sw.Ports[to.port].Name, to.pg)
		list = append(list,
			attack{name, func(g *game) {
				g.fill(to, g.brim())
				g.flood(to)
			}},
			attack{name + ", squeezed by others", func(g *game) {
				g.fill(to, g.brim())
				g.squeeze(to, false)
				g.flood(to)
			}})
	}
	return list
}

// kinds lists one way for each kind of lossless group: those of one slice that differ in
// nothing.
func (g *game) kinds() []target {
	return g.kindsOf(func(to target) (target, bool) { return to, true })
}

// kindsOf is kinds among those groups that have a way which some function finds.
func (g *game) kindsOf(way func(target) (target, bool)) (list []target) {
	type kind struct {
		slice, number int
		pg            mmu.PG
		link          model.Link
		pausable      uint8
	}
	seen := map[kind]bool{}
	for slice := range g.config.Slices {
		for _, to := range g.lossless(slice) {
			port := &g.sw.Ports[to.port]
			k := kind{slice, to.pg, *g.pg(to.port, to.pg), port.Link, port.Pausable >> to.pg & 1}
			if to, ok := way(to); ok && !seen[k] {
				seen[k] = true
				list = append(list, to)
			}
		}
	}
	return list
}

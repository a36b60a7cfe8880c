package adopt

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/roceplan/roceplan/calc"
	"github.com/roceplan/roceplan/calc/headroom"
	"github.com/roceplan/roceplan/plan"
	"github.com/roceplan/roceplan/policy"
	"github.com/roceplan/roceplan/units"
)

// fit chooses which values are written and which are left to be derived. Each choice is tried by
// compiling; the one with fewest differences stays, of equal ones the one with less text.
func (im *importer) fit() {
	im.last = im.try()
	if im.last.skipped { // no chip is known, so nothing can be compiled: all is written
		im.rooms = true
		im.regroup()
		return
	}
	start, first := im.sketch, im.last
	if !im.AdoptSafe { // which deletes pins
		im.choose(true, func(s *sketch) { s.running = true })
	}
	im.choices()
	if without, was := im.sketch, im.last; was.score() > 0 && !im.running && !im.AdoptSafe {
		im.sketch, im.last = start, first
		im.running = true
		im.last = im.try()
		im.choices()
		if im.last.score() >= was.score() {
			im.sketch, im.last = without, was
		}
	}
	im.suggestFrame()
}

// choices chooses one thing after another.
func (im *importer) choices() {
	im.pinLayout()
	im.choose(slices.ContainsFunc(im.classes, im.unscheduled), func(s *sketch) { s.strict = true })
	im.choose(im.last.any("alias", "lanes", "platform"), func(s *sketch) { s.lanes = true })
	im.choose(im.last.any("index"), func(s *sketch) { s.indices = true })
	im.fitHeadroom()
	im.fitCurves()
	im.giveCurvesAndPools()
	im.omit()
}

// choose keeps a change of the sketch if it leaves fewer differences.
func (im *importer) choose(worth bool, change func(*sketch)) bool {
	return worth && im.keep(change, func(new, old trial) bool { return new.score() < old.score() })
}

// keep makes a change and takes it back where the result is not as wanted.
func (im *importer) keep(change func(*sketch), wanted func(new, old trial) bool) bool {
	before := im.sketch
	change(&im.sketch)
	im.tried = im.try()
	if wanted(im.tried, im.last) {
		im.last = im.tried
		return true
	}
	im.sketch = before
	return false
}

// fitHeadroom finds how headroom comes about: by the standard, by a vendor's formula, as
// given for each group of ports, or by a table as SONiC has it.
func (im *importer) fitHeadroom() {
	wrong := func() bool { return im.last.any("headroom", "xon", "reserved", "pg", "size") }
	if groups := im.sharingOf(); wrong() && groups > 0 {
		im.choose(true, func(s *sketch) { s.sharing = groups })
	}
	for _, name := range headroom.Names() {
		if !wrong() {
			return
		}
		im.choose(name != "table" && im.suits(name), func(s *sketch) { s.method = name })
	}
	if margin, ok := im.marginOf(); wrong() && ok {
		im.choose(true, func(s *sketch) { s.margin = margin })
	}
	table := im.tableOf()
	if im.AdoptSafe && table != nil { // which deletes pins, and neither a table nor headroom of groups
		return
	}
	if wrong() && table != nil {
		im.choose(true, func(s *sketch) { s.method, s.table, s.margin = "table", table, 0 })
	}
	if wrong() {
		im.choose(true, func(s *sketch) { s.method, s.table, s.margin, s.rooms = "", nil, 0, true; im.regroup() })
	}
}

// regroup divides ports again, since the headroom of a group is one. Blocks are copied, so
// that it can be taken back.
func (im *importer) regroup() {
	im.blocks = slices.Clone(im.blocks)
	for i, b := range im.blocks {
		own := *b
		im.blocks[i] = &own
	}
	im.layOut()
}

// suits reports whether a method gives the headroom of the files on every chip that it is
// for, in cells.
func (im *importer) suits(name string) bool {
	any := false
	for _, b := range im.blocks {
		if b.chip == nil {
			continue
		}
		method, err := headroom.For(b.chip, name)
		cell, noCell := b.chip.CellSize.Get()
		if err != nil || noCell != nil {
			return false
		}
		for _, g := range b.groups {
			for _, p := range g.ports {
				room := headroomOf(p)
				if room == 0 || p.Cable == 0 || g.speed == 0 {
					continue
				}
				got, err := method.Compute(im.input(method, g, p))
				if err != nil || got.XOff.CeilCells(cell) != room.CeilCells(cell) {
					return false
				}
				any = true
			}
		}
	}
	return any
}

// input returns the input of compile to a method for a port.
func (im *importer) input(method headroom.Method, g *group, p *plan.Port) headroom.Input {
	in := headroom.Defaults()
	in.Speed, in.Cable, in.LosslessMTU, in.Frame = g.speed, p.Cable, im.frame(), im.frame()
	in.PortMTU = headroom.PortMTU(method, cmp.Or(im.mtu, policy.UsualMTU))
	if im.smallPackets != nil {
		in.SmallPackets, in.MixDeclared = *im.smallPackets, true
	}
	if n := len(p.Lanes); n > 0 {
		in.Lanes = n
	}
	return in
}

// marginOf finds the margin in whole per cent by which the largest headroom of each switch is
// above what the present text compiles to: some targets have one figure for all ports.
func (im *importer) marginOf() (margin units.Ratio, ok bool) {
	if im.last.plan == nil {
		return 0, false
	}
	type pair struct{ needed, said, cell units.Bytes }
	pairs := map[pair]bool{}
	for _, b := range im.blocks {
		for _, s := range b.shapes {
			planned := im.last.planned(s)
			if planned == nil {
				continue
			}
			if needed, said := mostHeadroom(planned), mostHeadroom(s.Said); said > 0 && needed > 0 {
				pairs[pair{needed, said, planned.Cell}] = true
			}
		}
	}
	for margin = units.Percent; len(pairs) > 0 && margin <= units.One; margin += units.Percent {
		fits := true
		for p := range pairs {
			fits = fits && calc.HeadroomWithMargin(p.needed, margin, 0, p.cell) == p.said
		}
		if fits {
			return margin, true
		}
	}
	return 0, false
}

// sharingOf finds for how many groups at once the pools of headroom are, where each group has
// what it needs and the pool is smaller than what all of them need; 0: none is.
func (im *importer) sharingOf() int {
	for _, b := range im.blocks {
		for _, s := range b.shapes {
			planned := im.last.planned(s)
			if planned == nil || b.chip == nil {
				continue
			}
			said, needed := headroomPool(s.Said), headroomPool(planned)
			one := mostHeadroom(planned) * units.Bytes(b.chip.Slices.Or(1))
			if said > 0 && said < needed && one > 0 && mostHeadroom(s.Said) == mostHeadroom(planned) {
				return int(said / one)
			}
		}
	}
	return 0
}

// headroomPool returns the size of the largest pool of headroom.
func headroomPool(sw *plan.Switch) (size units.Bytes) {
	for i := range sw.Pools {
		size = max(size, sw.Pools[i].Headroom.Value)
	}
	return size
}

func mostHeadroom(sw *plan.Switch) (most units.Bytes) {
	for i := range sw.Ports {
		most = max(most, headroomOf(&sw.Ports[i]))
	}
	return most
}

// tableOf writes the headroom of all ports as a pg_profile_lookup.ini; nil where a port has
// no length or no speed.
func (im *importer) tableOf() []byte {
	type row struct {
		speed units.BitRate
		cable units.Length
	}
	seen := map[row]bool{}
	var lines []string
	for _, b := range im.blocks {
		for _, s := range b.shapes {
			for i := range s.Said.Ports {
				p := &s.Said.Ports[i]
				g := losslessGroup(p)
				r := row{im.speed(b, p), im.lengthAt(plan.LinkEnd{Switch: s.Names[0], Port: p.Name})}
				if g == nil || seen[r] {
					continue
				}
				if r.cable == 0 || r.speed == 0 {
					return nil
				}
				seen[r] = true
				lines = append(lines, fmt.Sprintf("%d %s %d %d %d %d %d", int64(r.speed/units.Mbps), metres(r.cable),
					int64(g.Reserved.Value), int64(g.XOn.Value), int64(g.Headroom.Value), max(-8, min(8, int64(g.Limit.Value.Alpha))), int64(g.XOnOffset.Value)))
			}
		}
	}
	if lines == nil {
		return nil
	}
	return []byte("# Headroom as the switches have it: speed cable size xon xoff threshold xon_offset\n" + strings.Join(lines, "\n") + "\n")
}

// fitCurves says marking by the delays of the fabric, or as times, where that gives the same.
func (im *importer) fitCurves() {
	usual := delays{}
	for _, c := range im.classes {
		if c.curve != nil && usual == (delays{}) {
			usual = c.delays
		}
	}
	if usual == (delays{}) {
		return
	}
	noWorse := func(new, old trial) bool { return new.score() <= old.score() && !new.any("kmin", "kmax") }
	if !im.keep(func(s *sketch) { s.give.curves, s.delays = curvesDerived, usual }, noWorse) {
		im.keep(func(s *sketch) { s.give.curves = curvesInTime }, noWorse)
	}
}

// giveCurvesAndPools says marking port group by port group, and the pools of lossy queues, where
// compile derives others.
func (im *importer) giveCurvesAndPools() {
	unlike := im.unlikePorts()
	im.choose(len(unlike) > 0, func(s *sketch) { s.unlike = unlike; im.regroup() })
	im.choose(slices.ContainsFunc(im.classes, func(c *class) bool { return c.byFill }), func(s *sketch) { s.fills = true })
	im.choose(im.last.any("size"), func(s *sketch) { s.lossy = true })
	if im.running {
		ofLossy := func(b *block) bool { return lossyPool(b.shape.Said) > 0 }
		im.choose(im.last.any("pool") && !slices.ContainsFunc(im.blocks, ofLossy), func(s *sketch) { s.onePool, s.lossy = true, false })
		im.choose(im.last.any("limit", "alpha"), func(s *sketch) { s.groups = true })
	}
	im.choose(im.last.any("fec"), func(s *sketch) { s.fec = true })
}

// unlikePorts are those whose queues the present text lets mark otherwise than the files do.
func (im *importer) unlikePorts() map[*plan.Port]bool {
	unlike := map[*plan.Port]bool{}
	for _, b := range im.blocks {
		planned := im.last.planned(b.shape)
		if planned == nil {
			continue
		}
		for i := range b.shape.Said.Ports {
			p := &b.shape.Said.Ports[i]
			at := slices.IndexFunc(planned.Ports, func(made plan.Port) bool { return made.Name == p.Name })
			if at >= 0 && slices.ContainsFunc(im.classes, func(c *class) bool { return !sameCurve(curveOf(p, c.Queue), curveOf(&planned.Ports[at], c.Queue)) }) {
				unlike[p] = true
			}
		}
	}
	return unlike
}

// sameCurve reports whether a file's curve is the compiled one, or there is none to be said.
func sameCurve(file, made *plan.ECN) bool {
	return file == nil || made == nil || said(file) == said(made)
}

// omit leaves out what compile derives as the files have it, and alphas with which compile refuses
// the fabric: these are pinned. Values derived with the speeds of a trial need not hold with those
// of the ports, where no file has them.
func (im *importer) omit() {
	noWorse := func(new, old trial) bool { return new.score() <= old.score() }
	enough := noWorse
	if slices.ContainsFunc(im.blocks, func(b *block) bool {
		return slices.ContainsFunc(b.groups, func(g *group) bool { return g.speedHole != "" })
	}) {
		enough = func(new, old trial) bool { return new.score() < old.score() }
	}
	im.keep(func(s *sketch) { s.alpha = false }, enough)
	im.keep(func(s *sketch) { s.give.watchdog = false }, noWorse)
}

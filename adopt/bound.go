package adopt

import (
	"cmp"
	"sort"

	"github.com/roceplan/roceplan/calc/headroom"
	"github.com/roceplan/roceplan/diag"
	"github.com/roceplan/roceplan/plan"
	"github.com/roceplan/roceplan/policy"
	"github.com/roceplan/roceplan/units"
)

// longest is beyond any cable of a data centre; where headroom allows more, nothing bounds.
const longest = 100 * units.Kilometre

// bounds finds, for ports with unknown cables, the longest that their headroom allows: what compile
// will check the length against, when it is filled in.
func (im *importer) bounds() {
	most := map[plan.LinkEnd]units.Length{}
	for _, b := range im.blocks {
		for _, g := range b.groups {
			if !g.rows || !g.lossless {
				continue
			}
			var ok bool
			if g.bound, ok = im.bound(b, g); !ok {
				g.unbound = true
				continue
			}
			for _, name := range b.shape.Names {
				for _, p := range g.ports {
					most[plan.LinkEnd{Switch: name, Port: p.Name}] = g.bound
				}
			}
		}
	}
	for i := range im.rows {
		row := &im.rows[i]
		a, okA := most[row.a]
		b, okB := most[row.b]
		switch {
		case okA && okB:
			row.most = metres(min(a, b))
		case okA:
			row.most = metres(a)
		case okB:
			row.most = metres(b)
		}
	}
}

// frame returns the largest of a lossless class, as far as it is declared.
func (im *importer) frame() units.Bytes {
	return cmp.Or(im.losslessFrame, im.mtu, policy.UsualMTU)
}

// bound returns the longest cable for the headroom of a group, in whole metres, with a peer that
// takes all the time that IEEE 802.3 allows.
func (im *importer) bound(b *block, g *group) (units.Length, bool) {
	if b.chip == nil || g.speed == 0 {
		return 0, false
	}
	method, err := headroom.For(b.chip, "worst-case")
	room := leastHeadroom(g.ports)
	if err != nil || room == 0 {
		return 0, false
	}
	fits := func(length units.Length) bool {
		in := im.input(method, g, g.ports[0])
		in.Cable, in.FirstByte = length, true // compile refuses given headroom for what is certain alone
		need, err := method.Compute(in)
		return err == nil && need.XOff <= room
	}
	metres := sort.Search(int(longest/units.Metre), func(n int) bool { return !fits(units.Length(n+1) * units.Metre) })
	return units.Length(metres) * units.Metre, true
}

func leastHeadroom(ports []*plan.Port) (least units.Bytes) {
	for _, p := range ports {
		if h := headroomOf(p); h > 0 && (least == 0 || h < least) {
			least = h
		}
	}
	return least
}

// usualFrames are the largest frames of RoCE with payloads of 1024, 2048 and 4096 B, with all
// that people add to them.
var usualFrames = []units.Bytes{1500, 2200, 4200}

// suggestFrame tries whether an undeclared usual frame explains headroom other than that for a
// frame of the MTU. It is only a suggestion: a user who writes it declares it, and a proof depends
// on it.
func (im *importer) suggestFrame() {
	if im.losslessFrame > 0 || !im.last.any("headroom", "xon") {
		return
	}
	best, score := units.Bytes(0), im.last.score()
	for _, frame := range usualFrames {
		im.losslessFrame = frame
		if now := im.try().score(); now < score {
			best, score = frame, now
		}
		im.losslessFrame = 0
	}
	if best > 0 {
		im.found.Warnf(FrameSuggested, diag.Top(im.blocks[0].shape.File), "headroom and resume levels are those of lossless frames of %v, which no file says", best).
			Fixf("if frames are no larger, declare it with --lossless-frame %v: compile then derives them", best)
	}
}

package adopt

import (
	"cmp"
	"maps"
	"slices"

	"github.com/roceplan/roceplan/diag"
	"github.com/roceplan/roceplan/plan"
	"github.com/roceplan/roceplan/policy"
	"github.com/roceplan/roceplan/units"
)

// mostRounds is how often pinning may change what is derived of other attributes.
const mostRounds = 4

// pin pins the differences. A value that the sketch gives by another attribute is left out where
// pins alone give the same in fewer lines, or where compile refuses the text with it: a curve, a
// threshold or headroom that breaks an inequality can be pinned alone.
func (im *importer) pin() {
	if im.last.skipped {
		return
	}
	given, tried := im.sketch, im.last
	im.pinDifferences()
	for _, other := range []struct {
		pinned []string // that makes it worth a trial
		leave  func(*sketch)
	}{
		{[]string{"kmin", "kmax", "pmax", "max_rate"}, func(s *sketch) { s.bare = true }},
		{[]string{"size"}, func(s *sketch) { s.alpha, s.lossy = false, false }},
		{[]string{"headroom", "xon", "reserved"}, func(s *sketch) {
			s.method, s.table, s.margin, s.sharing, s.rooms = "", nil, 0, 0, false
			im.regroup()
		}},
	} {
		if len(im.last.refused) == 0 && !im.pinsAny(other.pinned) {
			continue
		}
		kept, was := im.sketch, im.last
		im.sketch, im.last = given, tried
		other.leave(&im.sketch)
		less, now := im.sketch, im.try()
		if now.source == tried.source { // there is nothing to leave out
			im.sketch, im.last = kept, was
			continue
		}
		im.last = now
		im.pinDifferences()
		fewerPins := 0
		if !im.AdoptSafe { // which deletes pins
			fewerPins = cmp.Compare(im.pinnedLines(), kept.pinnedLines())
		}
		better := cmp.Or(cmp.Compare(im.last.score(), was.score()), fewerPins, cmp.Compare(im.lines(), kept.lines())) < 0
		if !better {
			im.sketch, im.last = kept, was
		}
		if better || len(was.refused) > 0 {
			given, tried = less, now
		}
	}
}

// plainPorts says of ports that have neither groups nor queues in the files that they have no QoS, where that gives the
// same as a pin for each group and queue that is left out.
func (im *importer) plainPorts() {
	all := map[*Shape]pinned{}
	for shape, pins := range im.pins {
		plain := func(port string) bool {
			i := slices.IndexFunc(shape.Said.Ports, func(p plan.Port) bool { return p.Name == port })
			q := (*plan.PortQoS)(nil)
			if i >= 0 {
				q = shape.Said.Ports[i].QoS
			}
			return q != nil && q.PFC == 0 && len(q.PGs)+len(q.Queues)+len(q.Pools) == 0
		}
		ofPart := func(port string, p pin) bool {
			return plain(port) && slices.Contains([]policy.PinnedOf{policy.PinnedPG, policy.PinnedQueue, policy.PinnedPortPool}, p.of)
		}
		all[shape] = pins.but(ofPart)
		for port, own := range pins {
			if slices.ContainsFunc(own, func(p pin) bool { return ofPart(port, p) }) {
				all[shape][port] = append(all[shape][port], pin{of: policy.PinnedPort, attribute: policy.PinQoS, value: "false"})
			}
		}
	}
	lost := func(t trial) (n int) { // a system may name no port without QoS
		for _, c := range t.changes {
			if c.Quantity == "port" {
				n += c.Ports()
			}
		}
		return n
	}
	im.keep(func(s *sketch) { s.pins = all }, func(new, old trial) bool { return new.score() <= old.score() && lost(new) <= lost(old) })
}

// portMTUs says the largest frame of ports in groups of their own where it is pinned.
func (im *importer) portMTUs() {
	if !im.pinsAny([]string{"mtu"}) {
		return
	}
	lines := im.pinnedLines()
	im.keep(func(s *sketch) {
		s.mtus, s.pins = true, maps.Clone(s.pins)
		for shape, p := range s.pins {
			s.pins[shape] = p.but(func(_ string, one pin) bool { return one.of == policy.PinnedPort && one.attribute == "mtu" })
		}
		im.regroup()
	}, func(new, old trial) bool { return new.score() <= old.score() && im.pinnedLines() < lines })
}

// rewriteClasses says the code point with which packets leave in their class, where it is pinned and the same on all ports.
func (im *importer) rewriteClasses() {
	if !im.pinsAny([]string{policy.PinRewrite}) {
		return
	}
	all := map[plan.Rewrite]bool{}
	for _, s := range im.shapes {
		for i := range s.Said.Ports {
			if q := s.Said.Ports[i].QoS; q != nil && q.Rewrite != nil {
				all[*q.Rewrite] = true
			} else if q != nil {
				return
			}
		}
	}
	if len(all) != 1 {
		return
	}
	im.keep(func(s *sketch) {
		for r := range all {
			s.rewrite = r
		}
		s.pins = maps.Clone(s.pins)
		for shape, p := range s.pins {
			s.pins[shape] = p.but(func(_ string, one pin) bool { return one.attribute == policy.PinRewrite })
		}
	}, func(new, old trial) bool { return new.score() <= old.score() })
}

// devicesBuffers reports whether a configuration has no amounts of buffer for any group or queue.
func devicesBuffers(sw *plan.Switch) bool {
	some := false
	for i := range sw.Ports {
		q := sw.Ports[i].QoS
		if q == nil {
			continue
		}
		for _, g := range q.PGs {
			some = true
			if !g.Lossless || g.Reserved.Value+g.XOnOffset.Value+g.Headroom.Value != 0 || g.Limit.Value != (plan.Limit{}) {
				return false
			}
		}
		for _, queue := range q.Queues {
			some = true
			if queue.Reserved.Value != 0 || queue.Limit.Value != (plan.Limit{}) {
				return false
			}
		}
	}
	return some
}

// leaveBuffers says of switches without amounts of buffer that the device chooses them, where that takes fewer lines than pins.
func (im *importer) leaveBuffers() {
	all, leaves := maps.Clone(im.pins), false
	for shape, pins := range im.pins {
		if !devicesBuffers(shape.Said) {
			continue
		}
		leaves = true
		all[shape] = pins.but(func(_ string, one pin) bool {
			switch one.of {
			case policy.PinnedPool:
				return one.name == plan.LosslessPool && one.attribute == "headroom" && one.value == expression(units.Bytes(0))
			case policy.PinnedPG:
				return slices.Contains([]string{"reserved", "limit", "xon_offset", "headroom"}, one.attribute) || one.attribute == policy.PinConfigured && one.value == "false"
			}
			return one.of == policy.PinnedQueue && slices.Contains([]string{"reserved", "limit"}, one.attribute)
		})
	}
	if !leaves { // a trial compiles the whole fabric
		return
	}
	lines := im.pinnedLines()
	im.keep(func(s *sketch) { s.device, s.pins = true, all }, func(new, old trial) bool { return new.score() <= old.score() && im.pinnedLines() < lines })
}

// layoutCodes are of findings on ports that chip or box cannot have, and of ports of SONiC without lanes, which a part of a
// configuration does not say.
var layoutCodes = []diag.Code{"sonic-lanes-missing", policy.ChipCapacity, policy.CageLanes, policy.PlatformBreakout, policy.PlatformPort, policy.LaneTwice, policy.UnsupportedSpeed}

// pinLayout pins ports as they run, where compile refuses them.
func (im *importer) pinLayout() {
	if !slices.ContainsFunc(im.last.refused, func(d diag.Diagnostic) bool { return slices.Contains(layoutCodes, d.Code) }) {
		return
	}
	all := map[*Shape]pinned{}
	for _, s := range im.shapes {
		all[s] = pinned{ofSwitch: {{of: policy.PinnedPort, attribute: policy.PinLayout, value: "true"}}}
	}
	im.keepPins(all)
}

// pinsAny reports whether one of some attributes is pinned.
func (im *importer) pinsAny(attributes []string) bool {
	fits := func(p pin) bool { return slices.Contains(attributes, p.attribute) }
	for _, p := range im.pins {
		for _, pins := range p {
			if slices.ContainsFunc(pins, fits) {
				return true
			}
		}
	}
	return false
}

// pinDifferences pins what comes out otherwise than it was read, until nothing more does.
func (im *importer) pinDifferences() {
	for range mostRounds {
		all := maps.Clone(im.pins)
		if all == nil {
			all = map[*Shape]pinned{}
		}
		more := false
		for _, b := range im.blocks {
			for _, s := range b.shapes {
				planned := im.last.planned(s)
				if b.chip == nil || planned == nil {
					continue
				}
				own := im.pins[s].with(differences(planned, cmp.Or(im.last.back[s], planned), s.Said))
				more = more || !own.equal(im.pins[s])
				all[s] = own
			}
		}
		if !more {
			break
		}
		if slices.ContainsFunc(im.blocks, func(b *block) bool { return b.chip != nil && im.last.back[b.shape] == nil }) && im.pinOnly(all, pin.inPerCent) {
			continue // in bytes its target refused the switch, so that nothing was compared
		}
		if !im.keepPins(all) {
			im.pinOneByOne(all)
			break
		}
	}
	im.unpin()
}

// keepPins pins what leaves fewer differences.
func (im *importer) keepPins(all map[*Shape]pinned) bool {
	return im.keep(func(s *sketch) { s.pins = all; im.apart() }, func(new, old trial) bool { return new.score() < old.score() })
}

// pinOneByOne pins one kind of part after another, where a target refuses all of them together, and of a kind
// that it refuses one attribute after another.
func (im *importer) pinOneByOne(all map[*Shape]pinned) {
	only := func(fits func(pin) bool) bool { return im.pinOnly(all, fits) }
	units := im.units(all, pin.unit)
	for _, kind := range im.units(all, func(p pin) pin { return pin{of: p.of} }) {
		if only(func(p pin) bool { return p.of == kind.of }) {
			continue
		}
		for _, unit := range units {
			if unit.of == kind.of && !only(func(p pin) bool { return p.unit() == unit }) && len(im.tried.refused) > len(im.last.refused) {
				im.refused = append(im.refused, refusal{unit, im.tried.refused[0].Message})
			}
		}
	}
}

// A refusal is a unit of pins that compile refuses, and its reason.
type refusal struct {
	unit pin
	why  string
}

// pinOnly pins those of all that fit.
func (im *importer) pinOnly(all map[*Shape]pinned, fits func(pin) bool) bool {
	some := maps.Clone(all)
	for shape, p := range all {
		some[shape] = im.pins[shape].with(p.but(func(_ string, one pin) bool { return !fits(one) }))
	}
	return im.keepPins(some)
}

// unpin leaves out pins that a target does not carry.
func (im *importer) unpin() {
	all, vain := maps.Clone(im.pins), false
	for _, b := range im.blocks {
		for _, s := range b.shapes {
			if back := im.last.back[s]; back != nil && im.pins[s] != nil {
				different := differences(im.last.planned(s), back, s.Said)
				all[s] = im.pins[s].but(func(port string, one pin) bool { return slices.Contains(different[port], one) })
				vain = vain || !all[s].equal(im.pins[s])
			}
		}
	}
	if vain {
		im.keep(func(s *sketch) { s.pins = all }, func(new, old trial) bool { return new.score() <= old.score() })
	}
}

// apart gives shapes with different pins blocks of their own.
func (im *importer) apart() {
	if !slices.ContainsFunc(im.blocks, func(b *block) bool {
		return slices.ContainsFunc(b.shapes, func(s *Shape) bool { return !im.pins[s].equal(im.pins[b.shapes[0]]) })
	}) {
		return
	}
	im.divide()
}

// divide makes the blocks again.
func (im *importer) divide() {
	im.blocks = nil
	im.blocksOf()
	im.layOut()
}

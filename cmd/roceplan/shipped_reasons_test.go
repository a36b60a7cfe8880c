package main

import (
	"slices"

	"github.com/roceplan/roceplan/chips"
	"github.com/roceplan/roceplan/model"
	"github.com/roceplan/roceplan/plan"
	"github.com/roceplan/roceplan/units"
)

const shippedHead = `Ours beside what ships with SONiC, as theirs/ours, in bytes
===========================================================

Theirs: the 97 rendered configurations of shipped_sonic and the curves of sonic_ecn.csv
(sonic-buildimage 086b03bd). Ours: a switch of the same chip with the same lossless ports,
two lossless classes, frames of 4,200 B on them and 9,216 B beside, and what init gives a
new user otherwise. Where the headroom of every group does not fit, ours is shared as far
as is needed. Equal rows stand once. A difference of more than a factor of two has the key
of its reason; each reason was found to hold for both numbers, and of several the first
is told.

`

// A shippedReason is why ours differs from what ships. It is a statement about the two
// numbers and what they were made for: where holds denies it, it is not the reason.
type shippedReason struct {
	key, of, text string
	holds         func(*shippedTable, *figure) bool
}

// theirFrame is the largest lossless frame that the tables which ship are made for.
const theirFrame units.Bytes = 1522

var shippedReasons = slices.Concat(headroomReasons, xonReasons, alphaReasons, curveReasons, poolReasons)

var headroomReasons = []shippedReason{
	{"H8", "headroom", "no pause response is published at this speed; with that of 400G, 1,158 ns, theirs suffices on the wire, and ours, too, for packets that fill the chip's cells worst", func(_ *shippedTable, f *figure) bool {
		_, published := model.StandardResponse(f.speed)
		return !published && f.shipped >= f.onWire(9216+4200, model.InterfaceDelay(f.speed)) && f.accounted()
	}},
	{"H1", "headroom", "theirs is less than a peer sends that uses all the time IEEE 802.3 allows it, counted in bytes on the wire alone", func(_ *shippedTable, f *figure) bool {
		return f.shipped < f.onWire(0, 0) && f.accounted()
	}},
	{"H2", "headroom", "theirs has no room besides that for the frame before the pause, of 9,216 B, and the frame under way, of 4,200 B", func(_ *shippedTable, f *figure) bool {
		return f.shipped < f.onWire(9216+4200, 0) && f.accounted()
	}},
	{"H3", "headroom", "theirs has no room besides these for what comes while the port's own layers pass the pause on, 1,229 ns at 100G (IEEE 802.3)", func(_ *shippedTable, f *figure) bool {
		return f.shipped < f.onWire(9216+4200, model.InterfaceDelay(f.speed)) && f.accounted()
	}},
	{"H5", "headroom", "theirs suffices for all bytes on the wire; ours, too, for packets that fill the chip's cells worst, of 64 B or a byte more than whole cells hold", func(_ *shippedTable, f *figure) bool {
		return f.accounted()
	}},
	{"H9", "headroom", "theirs suffices for all bytes on the wire; ours is the chip's other table, which has one value for all cables of up to 2 km", func(_ *shippedTable, f *figure) bool {
		x := &f.chip.XGSHeadroom
		least := x.MinCable.Or(0)
		wire := int64(x.Fixed.Or(0) + f.speed.FloorBytes(x.Response.Or(0)+2*5*units.Time(least)))
		perCell := int64(x.WirePerCell.Or(1))
		return f.cable < least && f.shipped >= f.onWire(9216+4200, model.InterfaceDelay(f.speed)) && f.ours == (wire+perCell-1)/perCell*int64(f.chip.HeadroomCell.Or(0))
	}},
	{"H6", "headroom", "ours is what Broadcom's SDK gives this speed by default, which is more than the tables that ship for it", func(_ *shippedTable, f *figure) bool {
		at := slices.Index(f.chip.SDKHeadroom.Speeds.Or(nil), f.speed)
		return at >= 0 && f.shipped < f.ours && f.ours == int64(f.chip.SDKHeadroom.LineRate.Or(nil)[at])*int64(f.chip.CellSize.Or(0))
	}},
	{"H7", "headroom", "theirs is in cells of 208 B, of another chip; ours takes the speed for that of the lane, as the other tables of this chip do", func(_ *shippedTable, f *figure) bool {
		cell, classes := int64(f.chip.CellSize.Or(0)), f.chip.XGSHeadroom.SpeedClass.Or(nil)
		return f.shipped < f.ours && f.shipped%208 == 0 && f.shipped%cell != 0 && len(classes) > 0 && f.speed < classes[0]
	}},
	{"H4", "headroom", "theirs is one figure for every speed of the box", func(_ *shippedTable, f *figure) bool {
		return slices.ContainsFunc(f.like.groups, func(g shippedGroup) bool {
			return g.speed > f.speed && int64(g.pg.Headroom.Value) == f.shipped
		})
	}},
}

// onWire returns the arrivals after a pause, in bytes of the wire without the gaps of packets:
// response (of 400G where none is published), cable there and back at 5 ns/m, the port's own layers,
// and frames under way.
func (f *figure) onWire(frames units.Bytes, layers units.Time) int64 {
	response, ok := model.StandardResponse(f.speed)
	if !ok {
		response, _ = model.StandardResponse(400 * units.Gbps)
	}
	return int64(frames + f.speed.FloorBytes(response+layers+2*5*units.Time(f.cable)))
}

// accounted reports whether ours is more than theirs, and no more than all bytes on the wire take
// of the worst cells, with the frame of 4,200 B that decides to pause, where the chip may decide with
// its last byte.
func (f *figure) accounted() bool {
	all := f.onWire(9216+4200, model.InterfaceDelay(f.speed))
	most := f.inWorstCells(all)
	if cell := f.chip.CellSize.Or(1); f.chip.XOFFDecided.Or("end") == "end" {
		most += int64((4200 + f.chip.PacketMetadata.Or(0)).CeilTo(cell))
	}
	return f.shipped < f.ours && f.ours <= most
}

// inWorstCells returns the most that bytes of the wire may take of the buffer: packets of 64 B, or of one byte
// more than so many cells hold, each with 20 B of preamble and gap and a first cell that holds less
// by the metadata; and a twentieth for the margin, whole cells and the pause frame's own time.
func (f *figure) inWorstCells(wire int64) (most int64) {
	cell, metadata := int64(f.chip.CellSize.Or(0)), int64(f.chip.PacketMetadata.Or(0))
	for cells := int64(1); cells < 4; cells++ {
		packet := max(64, (cells-1)*cell-metadata+1)
		most = max(most, wire*cells*cell/(packet+20))
	}
	return most * 21 / 20
}

var xonReasons = []shippedReason{
	{"X1", "xon", "theirs is less than two frames of 1,522 B and a cell, ours two of 4,200 B: an offset below one frame pauses again with the next", func(_ *shippedTable, f *figure) bool {
		return f.shipped < f.ours && f.shipped < int64(2*theirFrame+2*f.chip.CellSize.Or(0))
	}},
	{"X2", "xon", "theirs is less than one frame of 4,200 B, ours two", func(_ *shippedTable, f *figure) bool {
		return f.shipped < 4200
	}},
	{"X3", "xon", "theirs is the level down to which a group drains, ours the distance below its threshold", func(_ *shippedTable, f *figure) bool {
		return f.shipped > f.ours && f.pg().XOnOffset.Value == 0
	}},
	{"X4", "xon", "theirs is more than the headroom of a group: a deep buffer that resumes late", func(_ *shippedTable, f *figure) bool {
		return f.shipped > int64(f.pg().Headroom.Value)
	}},
}

// pg returns the group that ships.
func (f *figure) pg() *plan.PG {
	at := slices.IndexFunc(f.like.groups, func(g shippedGroup) bool { return g.speed == f.speed && g.cable == f.cable })
	return &f.like.groups[at].pg
}

var alphaReasons = []shippedReason{
	breaks("A1", "newcomer-guarantee", "with theirs a further group gets less than Kmax while as many are stuck as ours takes"),
	breaks("A2", "xoff-time", "with theirs a port fills its threshold alone for longer than 1 ms before it is paused"),
	breaks("A3", "ecn-before-pfc", "with theirs the worst fan-in is paused before its queue reaches Kmax"),
	breaks("A5", "overshoot-before-pfc", "with theirs the fewest senders that fill a port are paused before their first cut"),
	{"A6", "alpha", "with theirs marks act before a pause only on a shorter curve", func(s *shippedTable, f *figure) bool {
		like := f.like
		like.alpha = units.Alpha(f.shipped).String()
		sw, _ := s.compute(&like)
		return sw != nil && longestKMax(sw) < longestKMax(f.planned)
	}},
	{"A4", "alpha", "theirs keeps all inequalities; ours is the step that is nearer to 1/√n for the stuck groups", func(s *shippedTable, f *figure) bool {
		n := stuckOf(f.planned)
		return n > 0 && farFrom(f.ours, n) < farFrom(f.shipped, n)
	}},
}

// breaks returns the reason that an inequality fails with the shipped alpha which holds with ours.
func breaks(key, id, text string) shippedReason {
	return shippedReason{key, "alpha", text, func(s *shippedTable, f *figure) bool {
		like := f.like
		like.alpha, like.isolation = units.Alpha(f.shipped).String(), stuckOf(f.planned)
		sw, _ := s.compute(&like)
		return sw != nil && failsIn(sw, id) && !failsIn(f.planned, id)
	}}
}

// longestKMax returns the largest Kmax of a switch.
func longestKMax(sw *plan.Switch) (most units.Bytes) {
	for i := range sw.Ports {
		for _, q := range sw.Ports[i].QoS.Queues {
			if q.ECN != nil {
				most = max(most, q.ECN.KMax.Value)
			}
		}
	}
	return most
}

func failsIn(sw *plan.Switch, id string) bool {
	return slices.ContainsFunc(sw.Checks, func(c plan.Check) bool { return c.ID == id && !c.Holds })
}

// stuckOf is how many stuck groups the alpha of a plan is chosen for.
func stuckOf(sw *plan.Switch) int64 {
	for i := range sw.Ports {
		if pg := losslessOf(&sw.Ports[i]); pg != nil && pg.Limit.Why != nil {
			for _, term := range pg.Limit.Why.Terms {
				if n, ok := term.Why.Value.(plan.Count); ok && term.Symbol == "stuck" {
					return int64(n)
				}
			}
		}
	}
	return 0
}

// farFrom returns the distance of an exponent from that of 1/√n, in halves.
func farFrom(exponent, n int64) int64 {
	log := int64(0)
	for 1<<(log+1) <= n {
		log++
	}
	return max(2*exponent+log, -2*exponent-log)
}

var curveReasons = []shippedReason{
	{"K1", "kmin kmax", "theirs is one figure for every speed: a queue that is longer than the 80 us that ours tolerates", func(_ *shippedTable, f *figure) bool {
		return f.speed.FloorBytes(80*units.Microsecond) < units.Bytes(f.shipped)
	}},
	{"K2", "kmin", "theirs holds more than sixteen full packets; three cost no throughput at any speed (docs/marking-study.md)", func(_ *shippedTable, f *figure) bool {
		return f.shipped > 16*(4096+62)
	}},
	{"K4", "kmax", "theirs is a shorter queue than what the path leaves of 40 us", func(_ *shippedTable, f *figure) bool {
		return f.shipped < f.ours && units.Bytes(f.shipped) < f.speed.FloorBytes(40*units.Microsecond)
	}},
	{"K3", "kmin kmax", "theirs is one figure for every speed, and above what ours takes at this one", func(_ *shippedTable, f *figure) bool {
		return f.shipped > f.ours && slices.Contains([]int64{1048576, 2097152, 2000000, 10000000}, f.shipped)
	}},
	{"P1", "pmax", "theirs is 5 % for every purpose; ours marks a burst before it has filled the curve, at 20 % or as much as still brings CNPs (docs/marking-study.md)", func(_ *shippedTable, f *figure) bool {
		return f.shipped == int64(5*units.Percent) && f.ours > f.shipped
	}},
}

var poolReasons = []shippedReason{
	{"B1", "pool egress-pool", "theirs is the template of Trident 2 on another chip", func(_ *shippedTable, f *figure) bool {
		return f.shipped == 12766208 && f.chip.Name != "trident2"
	}},
	{"B0", "pool", "ours leaves each part of the buffer what the half of the ports that may write to it need as headroom, theirs less beside more to share", func(_ *shippedTable, f *figure) bool {
		more := int64(losslessPool(f.planned, plan.Ingress).Headroom.Value - losslessPool(f.theirs, plan.Ingress).Headroom.Value)
		return f.chip.Slices.Or(1) > 1 && f.ours < f.shipped && more > 0 && 2*(f.ours+more) > f.shipped // no longer apart
	}},
	{"B2", "pool egress-pool", "theirs is the template of Tomahawk on another chip", func(_ *shippedTable, f *figure) bool {
		return f.chip.Name != "tomahawk" && (f.shipped == 10875072 || f.shipped == 15982720)
	}},
	{"B3", "pool egress-pool", "theirs is a half of the chip", func(_ *shippedTable, f *figure) bool {
		return 2*f.shipped > f.ours*9/10 && 2*f.shipped < f.ours*11/10
	}},
	{"B4", "pool", "ours lies beside headroom that every group owns, theirs beside headroom that groups share", func(_ *shippedTable, f *figure) bool {
		return f.ours < f.shipped && f.ours+ownedBy(f.planned) > f.shipped
	}},
	{"B5", "pool", "theirs divides the chip between lossless and lossy groups, ours lets them share", func(_ *shippedTable, f *figure) bool {
		return len(poolsOf(f.theirs, plan.Ingress)) > 1 && f.shipped < f.ours
	}},
	{"B6", "pool", "theirs distributes the external memory of its box, ours the least that any box of the chip has", func(_ *shippedTable, f *figure) bool {
		return f.chip.Family == chips.DNX && int64(f.chip.UsableBuffer.Or(0)) < f.shipped
	}},
	{"B7", "pool egress-pool", "theirs is what a Trident 3-X3 has, or less, on a Trident 3-X5", func(s *shippedTable, f *figure) bool {
		smaller, _ := s.catalogue.Find("trident3-x3")
		return f.chip.Name == "trident3-x5" && f.shipped <= int64(smaller.PacketBuffer.Or(0))
	}},
	{"R1", "headroom-pool", "in theirs every group owns its headroom", func(_ *shippedTable, f *figure) bool { return f.shipped == 0 }},
	{"R2", "headroom-pool", "in ours every group owns its headroom; a fabric cannot ask Spectrum to share it", func(_ *shippedTable, f *figure) bool {
		return f.ours == 0
	}},
	{"R3", "headroom-pool", "theirs is shared: it holds less than all groups need by their own figures", func(_ *shippedTable, f *figure) bool {
		return f.shipped < headroomOf(f.theirs) && f.shipped < f.ours
	}},
	{"R4", "headroom-pool", "both hold what all groups need, of which each has more in ours", func(_ *shippedTable, f *figure) bool {
		return f.shipped >= headroomOf(f.theirs) && headroomOf(f.theirs) < headroomOf(f.planned) && f.shipped < f.ours
	}},
	{"R5", "headroom-pool", "theirs is more than twice what all its groups need", func(_ *shippedTable, f *figure) bool {
		return f.shipped > 2*headroomOf(f.theirs)
	}},
}

func poolsOf(sw *plan.Switch, side plan.Direction) (pools []plan.Pool) {
	for _, p := range sw.Pools {
		if p.Direction == side {
			pools = append(pools, p)
		}
	}
	return pools
}

// ownedBy adds up what groups of a Spectrum own, headroom included.
func ownedBy(sw *plan.Switch) (sum int64) {
	for i := range sw.Ports {
		if qos := sw.Ports[i].QoS; qos != nil && sw.Pools[0].Headroom.Value == 0 {
			for _, pg := range qos.PGs {
				sum += int64(pg.Reserved.Value)
			}
		}
	}
	return sum
}

// headroomOf adds the headroom of all groups up.
func headroomOf(sw *plan.Switch) (sum int64) {
	for i := range sw.Ports {
		if qos := sw.Ports[i].QoS; qos != nil {
			for _, pg := range qos.PGs {
				sum += int64(pg.Headroom.Value)
			}
		}
	}
	return sum
}

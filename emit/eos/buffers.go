package eos

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	row "github.com/roceplan/roceplan/format/eos"
	"github.com/roceplan/roceplan/plan"
	"github.com/roceplan/roceplan/units"
)

// mmuName is the name of the one buffer profile.
const mmuName = "roceplan"

// maxAlpha returns the largest dynamic threshold of EOS.
func maxAlpha() units.Alpha { return units.Alpha(row.Of(row.Threshold).Most) }

type mmuView struct {
	Name     string
	Lossless bool // headroom and resume are printed
	Headroom int64
	Resume   int64
	PGs      []thresholdView
	Queues   []thresholdView
}

type thresholdView struct {
	ID       uint8
	Reserved int64
	Alpha    string // empty: left to EOS
}

// A share is the buffer of one priority group or queue, joined over all ports: EOS
// has one profile for the switch.
type share struct {
	what      string // "priority group 3"
	ingress   bool
	port      string // where the threshold comes from
	reserved  units.Bytes
	limit     plan.Limit
	narrow    units.Alpha // the smallest that a port wants; limit has the largest
	unbounded bool        // the plan bounds it by its pool alone
	left      bool        // no threshold is printed for EOS
	device    bool        // EOS decides the threshold, as a fabric pins
}

// buffers joins what the ports want of the buffer into the one profile of EOS, and
// returns it with the headroom pool's limit, 0 where there is none.
func (b *builder) buffers() (*mmuView, int64) {
	b.deviceDecides()
	b.noLines()
	if !b.rules.mmu {
		b.withoutMMU()
		return nil, 0
	}
	v := &mmuView{Name: mmuName}
	pgs, queues := map[uint8]*share{}, map[uint8]*share{}
	for _, p := range b.kinds() {
		for _, g := range p.QoS.PGs {
			b.checkPG(p, g)
			b.join(pgs, g.ID, p, share{what: fmt.Sprintf("priority group %d", g.ID), ingress: true, reserved: g.Reserved.Value, limit: g.Limit.Value}, g.Pool)
			if g.Lossless {
				v.Lossless = true
			}
		}
		for _, q := range p.QoS.Queues {
			b.join(queues, q.ID, p, share{what: fmt.Sprintf("queue %d", q.ID), reserved: q.Reserved.Value, limit: q.Limit.Value}, q.Pool)
		}
	}
	if len(pgs)+len(queues) == 0 {
		return nil, b.headroomPool()
	}
	v.Headroom = b.largest("headroom", func(g plan.PG) units.Bytes { return g.Headroom.Value })
	v.Resume = b.largest("XON offset", func(g plan.PG) units.Bytes { return g.XOnOffset.Value })
	b.leaveToEOS(queues)
	v.PGs, v.Queues = b.thresholds(pgs), b.thresholds(queues)
	if len(v.PGs)+len(v.Queues) == 0 && v.Headroom+v.Resume == 0 {
		return nil, b.headroomPool()
	}
	return v, b.headroomPool()
}

// checkPG demands that a priority group is lossless where PFC protects it.
func (b *builder) checkPG(p *plan.Port, g plan.PG) {
	if g.ID > 7 {
		b.list.Errorf(Priority, p.Range, "EOS has priority groups 0 to 7, not %d", g.ID).Fixf("give the class a pg from 0 to 7")
		return
	}
	if on := p.QoS.PFC&(1<<g.ID) != 0; on != g.Lossless {
		b.list.Errorf(Priority, p.Range, "priority group %d of %s is %s and PFC of priority %d is %s: EOS makes the group lossless by the priority",
			g.ID, p.Name, map[bool]string{true: "lossless", false: "lossy"}[g.Lossless], g.ID, map[bool]string{true: "on", false: "off"}[on]).Fixf("give the class the PFC priority %d, or another pg", g.ID)
	}
}

// join adds what one port needs to what the ports before it need. A queue gets the
// largest threshold that a port needs for it, because a smaller one would drop what
// another port holds lossless; two thresholds of a group leave no safe choice.
func (b *builder) join(into map[uint8]*share, id uint8, p *plan.Port, s share, pool string) {
	s.port = p.Name
	if s.unbounded = !s.limit.Dynamic && s.limit.Static >= b.poolSize(pool); s.unbounded {
		s.limit = plan.Limit{Dynamic: true, Alpha: maxAlpha()}
	}
	s.narrow = s.limit.Alpha
	if s.device = s.limit == (plan.Limit{}); !s.device {
		b.checkLimit(p, s)
	}
	have, ok := into[id]
	if !ok {
		into[id] = &s
		return
	}
	if have.device != s.device {
		b.widened("the limit of "+s.what, have.limit, s.limit, "")
		if have.device {
			have.device, have.limit, have.narrow = false, s.limit, s.narrow
		}
		s.limit, s.narrow = have.limit, have.narrow
	}
	if have.limit != s.limit && s.ingress {
		b.list.Errorf(Conflict, p.Range, "%s of %s has the limit %s, and on %s it has %s: EOS has one buffer profile for the whole switch",
			s.what, p.Name, s.limit, have.port, have.limit).Fixf("fix the alpha of the class, or give both port groups the same fan-in")
	}
	have.narrow = min(have.narrow, s.limit.Alpha)
	b.widened("the reserve of "+s.what, have.reserved, s.reserved, "")
	have.limit.Alpha = max(have.limit.Alpha, s.limit.Alpha)
	have.reserved = max(have.reserved, s.reserved)
	have.unbounded = have.unbounded || s.unbounded
}

func (b *builder) checkLimit(p *plan.Port, s share) {
	if !s.limit.Dynamic {
		b.list.Errorf(Threshold, p.Range, "%s of %s may hold %s at most, but EOS has no static thresholds", s.what, p.Name, s.limit).
			Fixf("use a dynamic threshold from %s to %s", units.Alpha(row.Of(row.Threshold).Least), maxAlpha())
		return
	}
	write(b, row.Threshold, Threshold, plan.Derived[units.Alpha]{Value: s.limit.Alpha}, p.Range)
}

// poolSize returns the size of a pool, or the largest number where it is not known: then
// no limit counts as unbounded.
func (b *builder) poolSize(name string) units.Bytes {
	if p := b.s.Pool(name); p != nil {
		return p.Size.Value
	}
	return 1<<63 - 1
}

// largest returns the largest of a quantity over all lossless priority groups, with
// a warning where some port needs less.
func (b *builder) largest(what string, of func(plan.PG) units.Bytes) int64 {
	var needs []need
	for _, p := range b.s.Ports {
		if p.QoS == nil {
			continue
		}
		for _, g := range p.QoS.PGs {
			if g.Lossless {
				needs = append(needs, need{p.Group, g.ID, of(g)})
			}
		}
	}
	if needs == nil {
		return 0
	}
	byAmount := func(a, b need) int { return cmp.Compare(a.amount, b.amount) }
	low, high := slices.MinFunc(needs, byAmount).amount, slices.MaxFunc(needs, byAmount).amount
	costs, extra := costsOf(needs, high)
	b.widened("the "+what+" of lossless priority groups", low, high, ". The cost: "+costs+b.consequence(what, extra))
	return int64(high)
}

// A need is the amount of a quantity that a lossless priority group of a port of some port group
// asks for.
type need struct {
	ports  string
	pg     uint8
	amount units.Bytes
}

// costsOf says for each kind of port how much more than it needs it gets where all get
// high, and how much that is together.
func costsOf(needs []need, high units.Bytes) (string, units.Bytes) {
	var kinds []need
	count := map[need]int64{}
	for _, n := range needs {
		if count[n]++; count[n] == 1 && n.amount < high {
			kinds = append(kinds, n)
		}
	}
	var all units.Bytes
	var says []string
	for _, k := range kinds {
		extra := high - k.amount
		all += extra * units.Bytes(count[k])
		says = append(says, fmt.Sprintf("group %d of each of %d ports of %s needs %s and gets %s more", k.pg, count[k], k.ports, k.amount, extra))
	}
	return strings.Join(says, ", "), all
}

// consequence says what a wider headroom costs.
func (b *builder) consequence(what string, extra units.Bytes) string {
	if what != "headroom" {
		return ""
	}
	if b.headroomPool() > 0 {
		return fmt.Sprintf(". A group fills only what its link still sends after the pause, so the headroom pool of %s is not used more", units.Bytes(b.headroomPool()))
	}
	return fmt.Sprintf(". Without a headroom pool this takes %s more from the shared pool", extra)
}

// widened warns that ports which want a get b, or the reverse.
func (b *builder) widened(what string, x, y fmt.Stringer, consequence string) {
	if x != y {
		b.list.WarnOncef(Widened, b.s.Range, "%s is %s on some ports and %s on others. The file has one buffer profile for the whole switch, so all ports get the larger value%s. EOS can apply a profile to one interface, but no public source shows the line", what, x, y, consequence)
	}
}

// leaveToEOS prints no threshold for lossless queues that nothing should bound: any
// of the menu would drop what PFC has not yet paused. Production configurations
// (docs.habana.ai, Configuration_Files_Example_L2) set none for no-drop queues either.
func (b *builder) leaveToEOS(queues map[uint8]*share) {
	for p := range uint8(8) {
		q := queues[b.s.Maps.TCToQueue[p]]
		if q == nil || !q.unbounded || b.s.Paused()&(1<<p) == 0 {
			continue
		}
		q.left = true
		b.list.Warnf(Unbounded, b.s.ClassAt(p), "the limit of the lossless %s is left to EOS, which is assumed not to limit a no-drop queue: configurations in production set no limit", q.what).
			Fixf("compare with `show platform trident mmu queue status` before relying on it")
	}
}

// thresholds returns the shares by number, and names those that nothing should bound.
func (b *builder) thresholds(from map[uint8]*share) (out []thresholdView) {
	var unbounded []string
	groups := true
	for _, id := range slices.Sorted(maps.Keys(from)) {
		s := from[id]
		if s.device && s.reserved == 0 {
			continue
		}
		v := thresholdView{ID: id, Reserved: int64(s.reserved)}
		if !s.left && !s.device {
			v.Alpha = s.limit.Alpha.String()
			if !s.ingress { // a group with two is a conflict
				b.widened("alpha of "+s.what, s.narrow, s.limit.Alpha, "")
			}
			if s.unbounded {
				unbounded = append(unbounded, s.what)
				groups = groups && s.ingress
			}
		}
		out = append(out, v)
	}
	if unbounded != nil {
		n := b.portsWithQoS()
		d := b.list.Warnf(Unbounded, b.s.Range, "lossless groups pause with nearly every frame, before their queues mark, once %s is full on all of %d ports. Only its pool should limit it, but EOS has no line for that pool, and the largest threshold, %s, leaves 1/%d of the shared buffer (verify names lossy-leaves-lossless and ecn-before-pfc)",
			strings.Join(unbounded, " or "), n, maxAlpha(), 1+n<<maxAlpha())
		if groups {
			alpha, left := leaving(n * len(unbounded))
			d.Fixf("write lossy_alpha = \"%v\", which leaves %d %% of it; lossy packets drop the earlier", alpha, left)
		}
	}
	return out
}

// leaving returns the largest threshold at which n of them leave two thirds of the shared buffer, or the least that there is,
// and what they leave, in per cent.
func leaving(n int) (alpha units.Alpha, percent int) {
	for alpha = maxAlpha(); ; alpha-- {
		if num, den := alpha.Fraction(); 2*int64(n)*num <= den || alpha == units.Alpha(row.Of(row.Threshold).Least) {
			return alpha, int(100 * den / (den + int64(n)*num))
		}
	}
}

// portsWithQoS is on how many ports queues may fill. n thresholds of α leave 1/(1+nα) of the shared
// buffer: Choudhury and Hahne, IEEE/ACM ToN 6(2) 1998.
func (b *builder) portsWithQoS() (n int) {
	for i := range b.s.Ports {
		if b.s.Ports[i].QoS != nil {
			n++
		}
	}
	return n
}

// headroomPool returns the limit of the headroom pool, 0 where there is none.
func (b *builder) headroomPool() int64 {
	var sum units.Bytes
	for _, p := range b.s.Pools {
		if p.Direction == plan.Ingress {
			sum += p.Headroom.Value
		}
	}
	return int64(sum)
}

// deviceDecides names the values that EOS sets itself.
func (b *builder) deviceDecides() {
	var what []string
	for _, p := range b.s.Pools {
		if p.Size.Value > 0 && !p.Size.Why.IsPinned() {
			what = append(what, fmt.Sprintf("the size of %s (%s)", p.Name, p.Size.Value))
		}
	}
	var xon units.Bytes
	for _, p := range b.kinds() {
		for _, g := range p.QoS.PGs {
			xon = max(xon, g.XOn.Value)
		}
	}
	if xon > 0 {
		what = append(what, fmt.Sprintf("the absolute XON level (%s)", xon))
	}
	if what != nil {
		told := b.list.Warnf(DeviceDecides, b.s.Range, "EOS has no lines for these values and chooses them itself: %s", strings.Join(what, ", "))
		if b.rules.mmu {
			told.Fixf("compare with `show platform trident mmu queue status` before relying on it")
		}
	}
}

// noLines says what of the buffer no platform, or not this one, has a line for.
func (b *builder) noLines() {
	for _, p := range b.kinds() {
		if len(p.QoS.Pools) > 0 {
			b.list.Errorf(NoMMU, p.Range, "EOS does not limit how much of a pool a whole port takes: the limit of %s in %s would be lost", p.Name, p.QoS.Pools[0].Pool).Fixf("remove the limit of the port, or configure the switch by another target")
		}
	}
	if b.s.Calculator != nil {
		b.list.Errorf(NoMMU, b.s.Range, "EOS computes no headroom and no pools from speeds and cables: the inputs of the dynamic buffer model would be lost").
			Fixf(`set buffer_model to "traditional"`)
	}
	if pool := b.headroomPool(); pool > 0 && !b.rules.headroomPool {
		report := b.list.Errorf
		if b.rules.voq {
			report = b.list.Warnf
		}
		report(NoMMU, b.s.Range, "EOS on %s has no headroom pool; %s of headroom would be lost", b.s.Chip, units.Bytes(pool))
	}
}

// withoutMMU says what is lost where EOS has no lines for the buffer.
func (b *builder) withoutMMU() {
	var lossy []string
	for _, p := range b.kinds() {
		for _, g := range p.QoS.PGs {
			if g.Lossless && (g.Headroom.Value > 0 || g.Reserved.Value > 0 || g.XOnOffset.Value > 0 || g.Limit.Value != plan.Limit{}) {
				report, fix := b.list.Errorf, "make the ports lossy, or choose another operating system for this switch"
				if b.rules.voq {
					report, fix = b.list.Warnf, "check what the switch shows (show priority-flow-control) against these amounts"
				}
				report(NoMMU, p.Range, "EOS on %s has no lines for buffers: %s of headroom, the limit %s, %s of reserve and the XON offset %s of the lossless priority group %d of %s would be lost",
					b.s.Chip, g.Headroom.Value, g.Limit.Value, g.Reserved.Value, g.XOnOffset.Value, g.ID, p.Name).
					Fixf("%s", fix)
			} else if !g.Lossless && (g.Reserved.Value > 0 || g.Limit.Value != plan.Limit{}) {
				lossy = append(lossy, fmt.Sprintf("priority group %d", g.ID))
			}
		}
		for _, q := range p.QoS.Queues {
			if q.Reserved.Value > 0 || q.Limit.Value != (plan.Limit{}) {
				lossy = append(lossy, fmt.Sprintf("queue %d", q.ID))
			}
		}
	}
	if lossy != nil {
		slices.Sort(lossy)
		b.list.Warnf(NoMMU, b.s.Range, "EOS on %s has no lines for buffers: limit and reserve of %s are left out", b.s.Chip, strings.Join(slices.Compact(lossy), ", "))
	}
}

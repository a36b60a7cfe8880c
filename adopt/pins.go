package adopt

import (
	"bytes"
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/hashicorp/hcl/v2/hclwrite"

	"github.com/roceplan/roceplan/diag"
	"github.com/roceplan/roceplan/internal/stable"
	"github.com/roceplan/roceplan/plan"
	"github.com/roceplan/roceplan/policy"
	"github.com/roceplan/roceplan/units"
)

// What compile derives otherwise than the files have it, and the language has no other word for, is
// pinned: attribute by attribute, for as many ports at once as have the same.

// A pin is an attribute in a pinned block.
type pin struct {
	of               policy.PinnedOf
	id               uint8  // of a priority group or queue
	name             string // of a pool
	attribute, value string // as they are written
}

// pinned is what is pinned of the switches of a shape, by port; ofSwitch has what is of the switch as a whole.
// No list is empty.
type pinned map[string][]pin

const ofSwitch = ""

// key is equal for shapes with the same pins.
func (p pinned) key() string {
	var text strings.Builder
	for _, name := range slices.Sorted(maps.Keys(p)) {
		fmt.Fprintln(&text, name, p[name])
	}
	return text.String()
}

func (p pinned) equal(o pinned) bool { return maps.EqualFunc(p, o, slices.Equal[[]pin]) }

// but is what is pinned without some of it.
func (p pinned) but(which func(port string, one pin) bool) pinned {
	left := pinned{}
	for port, pins := range p {
		if some := slices.DeleteFunc(slices.Clone(pins), func(one pin) bool { return which(port, one) }); len(some) > 0 {
			left[port] = some
		}
	}
	return left
}

// mostRounds is how often pinning may change what is derived of other attributes.
const mostRounds = 4

// pin pins what is different. What the sketch gives in other words is left out where pins alone give the same in
// fewer lines, or where compile refuses the text with it: a curve, a threshold or headroom that breaks an
// inequality can be pinned alone.
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

// layoutCodes are of findings on ports that chip or box cannot have.
var layoutCodes = []diag.Code{policy.ChipCapacity, policy.CageLanes, policy.PlatformBreakout, policy.PlatformPort, policy.LaneTwice, policy.UnsupportedSpeed}

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

// lines counts those of the text, and of what it refers to.
func (s *sketch) lines() int {
	return bytes.Count(s.text(), []byte("\n")) + bytes.Count(s.table, []byte("\n"))
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
	only := func(fits func(pin) bool) bool {
		some := maps.Clone(all)
		for shape, p := range all {
			some[shape] = im.pins[shape].with(p.but(func(_ string, one pin) bool { return !fits(one) }))
		}
		return im.keepPins(some)
	}
	units := im.units(all, pin.unit)
	for _, kind := range im.units(all, func(p pin) pin { return pin{of: p.of} }) {
		if only(func(p pin) bool { return p.of == kind.of }) {
			continue
		}
		for _, unit := range units {
			if unit.of == kind.of {
				only(func(p pin) bool { return p.unit() == unit })
			}
		}
	}
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

// with is what was pinned, and more.
func (p pinned) with(more pinned) pinned {
	join := func(have, more []pin) []pin {
		out := slices.Clone(have)
		for _, m := range more {
			same := func(o pin) bool {
				return o.of == m.of && o.id == m.id && o.name == m.name && (o.attribute == m.attribute || threshold(o.attribute) && threshold(m.attribute))
			}
			if i := slices.IndexFunc(out, same); i >= 0 {
				out[i] = m
			} else {
				out = append(out, m)
			}
		}
		return out
	}
	all := pinned{}
	maps.Copy(all, p)
	for port, pins := range more {
		all[port] = join(all[port], pins)
	}
	return all
}

// threshold reports whether an attribute is one of the two that write the limit of a part.
func threshold(attribute string) bool { return attribute == "alpha" || attribute == "limit" }

// differences are what has to be pinned so that compiling gives what was read, and not what was made of what is
// planned.
func differences(planned, made, said *plan.Switch) pinned {
	p := pinned{}
	var whole []pin
	for _, table := range plan.MapTables() {
		if value := entries(table.At(&made.Maps), table.At(&said.Maps)); value != "" {
			whole = append(whole, pin{of: policy.PinnedMaps, attribute: table.Pin, value: value})
		}
	}
	whole = append(whole, unlike(made.Pools, said.Pools, func(p *plan.Pool) pin { return pin{of: policy.PinnedPool, name: p.Name} }, plan.PoolAttributes())...)
	for i, pin := range whole {
		ofTarget := !slices.ContainsFunc(planned.Pools, func(own plan.Pool) bool { return own.Name == pin.name })
		if pin.of == policy.PinnedPool && pin.attribute == policy.PinConfigured && ofTarget { // made of the headroom of another pool
			at := slices.IndexFunc(planned.Pools, func(own plan.Pool) bool { return own.Headroom.Value > 0 })
			if at >= 0 {
				whole[i].name, whole[i].attribute, whole[i].value = planned.Pools[at].Name, "headroom", expression(units.Bytes(0))
			}
		}
	}
	whole = append(whole, unlike(listed(made.Watchdog), listed(said.Watchdog), func(*plan.Watchdog) pin { return pin{of: policy.PinnedWatchdog} }, plan.WatchdogAttributes())...)
	if len(whole) > 0 {
		p[ofSwitch] = whole
	}
	known := map[[2]*plan.PortQoS][]pin{}
	of := map[string]*plan.Port{}
	for i := range made.Ports {
		of[made.Ports[i].Name] = &made.Ports[i]
	}
	for i := range said.Ports {
		port := &said.Ports[i]
		own := of[port.Name]
		if own == nil {
			continue
		}
		pair := [2]*plan.PortQoS{own.QoS, port.QoS}
		pins, seen := known[pair]
		if !seen {
			pins = portDifferences(pair[0], pair[1])
			known[pair] = pins
		}
		if made.OS == "sonic" || port.MTU > 0 { // others leave what they do not say to the device
			pins = append(slices.Clip(pins), attributes(pin{of: policy.PinnedPort}, own, port, plan.PhysicalAttributes())...)
		}
		if len(pins) > 0 {
			p[port.Name] = pins
		}
	}
	return p
}

func listed[T any](one *T) []T {
	if one == nil {
		return nil
	}
	return []T{*one}
}

func portDifferences(made, said *plan.PortQoS) []pin {
	if made == nil || said == nil {
		if made == said {
			return nil
		}
		return []pin{{of: policy.PinnedPort, attribute: policy.PinQoS, value: strconv.FormatBool(said != nil)}}
	}
	all := attributes(pin{of: policy.PinnedPort}, made, said, plan.PortAttributes())
	all = append(all, unlike(made.PGs, said.PGs, func(g *plan.PG) pin { return pin{of: policy.PinnedPG, id: g.ID} }, plan.PGAttributes())...)
	all = append(all, unlike(made.Queues, said.Queues, func(q *plan.Queue) pin { return pin{of: policy.PinnedQueue, id: q.ID} }, plan.QueueAttributes())...)
	for i := range said.Queues {
		q := &said.Queues[i]
		marks := func(own plan.Queue) bool { return own.ID == q.ID && own.ECN != nil }
		if q.ECN == nil && slices.ContainsFunc(made.Queues, marks) {
			all = append(all, pin{of: policy.PinnedQueue, id: q.ID, attribute: policy.PinECN, value: "off"})
		}
	}
	return append(all, unlike(made.Pools, said.Pools, func(p *plan.PortPool) pin { return pin{of: policy.PinnedPortPool, name: p.Pool} }, plan.PortPoolAttributes())...)
}

// unlike compares parts of the same name. One that was not read is pinned away; one that was not made gets all
// that was read.
func unlike[T any](made, said []T, called func(*T) pin, all []plan.Attribute) (pins []pin) {
	find := func(list []T, name pin) *T {
		for i := range list {
			if called(&list[i]) == name {
				return &list[i]
			}
		}
		return nil
	}
	for i := range said {
		name := called(&said[i])
		if own := find(made, name); own != nil {
			pins = append(pins, attributes(name, own, &said[i], all)...)
			continue
		}
		added := attributes(name, new(T), &said[i], all)
		if len(added) == 0 {
			name.attribute, name.value = policy.PinConfigured, "true"
			added = []pin{name}
		}
		pins = append(pins, added...)
	}
	for i := range made {
		if name := called(&made[i]); find(said, name) == nil {
			name.attribute, name.value = policy.PinConfigured, "false"
			pins = append(pins, name)
		}
	}
	return pins
}

// attributes are those in which two parts differ.
func attributes(of pin, made, said any, all []plan.Attribute) (pins []pin) {
	for i := range all {
		a := &all[i]
		if a.Pin == "" || a.Without != nil && a.Without(said) {
			continue
		}
		want, _ := a.Get(said)
		got, _ := a.Get(made)
		if want == got && (a.Without == nil || !a.Without(made)) {
			continue
		}
		of.attribute, of.value = a.Pin, expression(want)
		if limit, ok := want.(plan.Limit); ok && limit.Dynamic {
			of.attribute, of.value = "alpha", expression(limit.Alpha)
		}
		pins = append(pins, of)
	}
	return pins
}

// expression is how a value is written.
func expression(value any) string {
	switch v := value.(type) {
	case plan.Limit:
		if v.Static >= plan.NoLimit {
			return `"unlimited"`
		}
		return expression(v.Static)
	case plan.Priorities:
		if v == 0 {
			return "[]"
		}
		return "[" + strings.ReplaceAll(v.String(), " ", ", ") + "]"
	case plan.FEC:
		if v == "" {
			return "device"
		}
		return string(v)
	case plan.Direction, plan.WatchdogAction, bool, int64:
		return fmt.Sprint(v)
	case plan.Levels:
		return fmt.Sprintf("%q", string(v))
	case string:
		if v == "" {
			v = "none"
		}
		return fmt.Sprintf("%q", v)
	case units.BitRate:
		if v == 0 {
			return `"0bps"`
		}
	}
	return fmt.Sprintf("%q", fmt.Sprint(value))
}

// entries are those in which a table that was read is not the one that was made: `{ "0-2,5" = 1 }`.
func entries(made, said []uint8) string {
	to := map[uint8][]uint8{}
	for i := range said {
		if said[i] != made[i] {
			to[said[i]] = append(to[said[i]], uint8(i))
		}
	}
	var all []string
	for _, value := range slices.Sorted(maps.Keys(to)) {
		all = append(all, fmt.Sprintf("%q = %d", plan.Ranges(to[value]), value))
	}
	if all == nil {
		return ""
	}
	return "{ " + strings.Join(all, ", ") + " }"
}

// A layer is what is pinned of some ports; without ports, of a switch and all of its ports.
type layer struct {
	ports []string
	pins  []pin
}

// layers divides what is pinned of a block: what all its ports have in common, and what some have.
func (s *sketch) layers(b *block) (all []*layer) {
	p := s.pins[b.shapes[0]]
	var common []pin
	ports := b.shape.Said.Ports
	for i := range ports {
		pins := p[ports[i].Name]
		if i == 0 {
			common = slices.Clone(pins)
		}
		common = slices.DeleteFunc(common, func(one pin) bool { return !slices.Contains(pins, one) })
	}
	whole := slices.DeleteFunc(slices.Concat(p[ofSwitch], common), func(one pin) bool { return s.plain(one) != "" })
	if len(whole) > 0 {
		all = append(all, &layer{pins: whole})
	}
	known := map[string]*layer{}
	for i := range ports {
		name := ports[i].Name
		rest := slices.DeleteFunc(slices.Clone(p[name]), func(one pin) bool { return slices.Contains(common, one) })
		if len(rest) == 0 {
			continue
		}
		key := fmt.Sprint(rest)
		if known[key] == nil {
			known[key] = &layer{pins: rest}
			all = append(all, known[key])
		}
		known[key].ports = append(known[key].ports, name)
	}
	return all
}

// plain is the attribute of a switch that runs which says what a pin does; empty: there is none.
func (s *sketch) plain(p pin) string {
	if !s.running || p.of != policy.PinnedPool || p.name != plan.LosslessPool {
		return ""
	}
	return map[string]string{"size": "shared_pool", "headroom": "headroom_pool"}[p.attribute]
}

// of reports whether a layer is of all ports of a group, and of no others.
func (l *layer) of(g *group) bool {
	if len(l.ports) != len(g.ports) {
		return false
	}
	return !slices.ContainsFunc(g.ports, func(p *plan.Port) bool { return !slices.Contains(l.ports, p.Name) })
}

// write writes a layer as a block.
func (l *layer) write(w writer, named bool) {
	inside := w.block("pinned")
	if named {
		inside.texts("ports", fold(l.ports))
	}
	for _, p := range partsOf(l.pins) {
		switch {
		case p.kind == "":
			inside.raw(p.lines[0].attribute, p.lines[0].value)
		case len(p.lines) == 1:
			inside.oneLine(p)
		default:
			part := writer{inside.AppendNewBlock(p.kind, p.labels).Body()}
			for _, line := range p.lines {
				part.raw(line.attribute, line.value)
			}
		}
	}
}

// oneLine writes a block with one attribute.
func (w writer) oneLine(p *part) {
	text := p.kind
	for _, label := range p.labels {
		text += fmt.Sprintf(" %q", label)
	}
	text += fmt.Sprintf(" { %s = %s }\n", p.lines[0].attribute, p.lines[0].value)
	w.AppendUnstructuredTokens(hclwrite.Tokens{{Type: hclsyntax.TokenIdent, Bytes: []byte(text)}})
}

// A part is a block within a pinned block, or an attribute of that itself.
type part struct {
	kind   string // empty: an attribute
	labels []string
	ids    []uint8
	first  pin
	lines  []pin
}

// partsOf makes lines of pins: attributes, then blocks of one line, then others. Groups and queues that have the same
// lines are one block.
func partsOf(all []pin) (parts []*part) {
	for _, p := range all {
		line := pin{attribute: p.attribute, value: p.value}
		if p.of == policy.PinnedPort || p.of == policy.PinnedMaps {
			parts = append(parts, &part{first: p, lines: []pin{line}})
			continue
		}
		i := slices.IndexFunc(parts, func(o *part) bool { return o.first.of == p.of && o.first.id == p.id && o.first.name == p.name })
		if i < 0 {
			i = len(parts)
			parts = append(parts, &part{kind: string(p.of), first: p, ids: []uint8{p.id}})
		}
		parts[i].lines = append(parts[i].lines, line)
	}
	var joined []*part
	for _, p := range shared(parts) {
		switch p.first.of {
		case policy.PinnedPG, policy.PinnedQueue:
			same := func(o *part) bool { return o.first.of == p.first.of && slices.Equal(o.lines, p.lines) }
			if i := slices.IndexFunc(joined, same); i >= 0 {
				p.ids = append(joined[i].ids, p.ids...)
				slices.Sort(p.ids)
				joined = slices.Delete(joined, i, i+1)
			}
			p.labels = []string{plan.Ranges(p.ids)}
		case policy.PinnedPool, policy.PinnedPortPool:
			p.labels = []string{p.first.name}
		}
		joined = append(joined, p)
	}
	rank := func(p *part) int {
		switch {
		case p.kind == "":
			return 0
		case len(p.lines) == 1:
			return 1
		}
		return 2
	}
	stable.Sort(joined, func(a, b *part) int { return rank(a) - rank(b) })
	return joined
}

// mostAlike is how many groups or queues may repeat a line before it is written once for all of them.
const mostAlike = 2

// shared takes lines that many groups or queues have out of them: they become parts of their own.
func shared(parts []*part) (all []*part) {
	type line struct {
		of   policy.PinnedOf
		line pin
	}
	ids := map[line][]uint8{}
	for _, p := range parts {
		for _, l := range p.lines {
			ids[line{p.first.of, l}] = append(ids[line{p.first.of, l}], p.ids...)
		}
	}
	common, whole := map[string]*part{}, map[*part]bool{}
	for _, p := range parts {
		whole[p] = p.first.of != policy.PinnedPG && p.first.of != policy.PinnedQueue || alike(parts, p)
	}
	for _, p := range parts {
		p.lines = slices.DeleteFunc(p.lines, func(l pin) bool {
			of := ids[line{p.first.of, l}]
			if whole[p] || len(of) <= mostAlike {
				return false
			}
			key := fmt.Sprint(p.first.of, of)
			if common[key] == nil {
				common[key] = &part{kind: p.kind, first: p.first, ids: of}
				all = append(all, common[key])
			}
			if own := common[key]; !slices.Contains(own.lines, l) {
				own.lines = append(own.lines, l)
			}
			return true
		})
		if len(p.lines) > 0 {
			all = append(all, p)
		}
	}
	return all
}

// alike reports whether all groups or queues that share a line with one have the same lines as it: they are one part.
func alike(parts []*part, p *part) bool {
	return !slices.ContainsFunc(parts, func(o *part) bool {
		shares := slices.ContainsFunc(o.lines, func(l pin) bool { return slices.Contains(p.lines, l) })
		return o.first.of == p.first.of && shares && !slices.Equal(o.lines, p.lines)
	})
}

// givenLines counts the lines of headroom that runs, in groups of ports and in the table.
func (s *sketch) givenLines() (n int) {
	if !s.running {
		return 0
	}
	for _, b := range s.blocks {
		for _, g := range b.groups {
			if s.rooms && g.headroom > 0 {
				n++
			}
		}
	}
	if s.table != nil {
		n += bytes.Count(s.table, []byte("\n")) - 1 // a comment
	}
	return n
}

// pinnedLines counts the lines that pin something.
func (s *sketch) pinnedLines() (n int) {
	for _, b := range s.blocks {
		for _, p := range s.pins[b.shapes[0]][ofSwitch] {
			if s.plain(p) != "" {
				n++
			}
		}
		for _, l := range s.layers(b) {
			for _, p := range partsOf(l.pins) {
				n += len(p.lines)
			}
		}
	}
	return n
}

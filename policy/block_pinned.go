package policy

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"

	"github.com/roceplan/roceplan/diag"
	"github.com/roceplan/roceplan/plan"
	"github.com/roceplan/roceplan/units"
)

// A Pinned is a pinned block: values of the plan that are not derived.
type Pinned struct {
	Range diag.Range
	Ports Opt[[]string] // not set: all ports of the block around it
	Parts []PinnedPart
}

// A PinnedPart is the pinned values of one part of a switch or of its ports.
type PinnedPart struct {
	Range diag.Range
	Of    PinnedOf
	IDs   []uint8 // of priority groups or queues, ascending
	Name  string  // of a pool
	Pins  []Pin
}

// PinnedOf is the kind of a part: the name of its block.
type PinnedOf string

const (
	PinnedPort     PinnedOf = "port"
	PinnedMaps     PinnedOf = "maps"
	PinnedPG       PinnedOf = "priority_group"
	PinnedQueue    PinnedOf = "queue"
	PinnedPortPool PinnedOf = "port_pool"
	PinnedPool     PinnedOf = "pool"
	PinnedWatchdog PinnedOf = "watchdog"
)

// A Pin is one value. Name is the Pin of a plan.Attribute, or one of the names below.
type Pin struct {
	Name  string
	Value any
	Range diag.Range
	Left  bool // by `buffers = device`: the configuration has no such value, and the device chooses it
}

// PinConfigured is a bool: whether the configuration of the switch has the part. PinQoS is the same of the QoS of a
// port. PinECN is the word off: the queue marks nothing. PinRewrite is a plan.Rewrite, and in a class a
// code point. PinLayout is a bool: ports, speeds and cages that chip and
// box cannot have are a warning.
const (
	PinLayout     = "layout"
	PinConfigured = "configured"
	PinQoS        = "qos"
	PinECN        = "ecn"
	PinRewrite    = "rewrite_dscp"
)

// part returns the part of the block's own attributes.
func (p *Pinned) part(of PinnedOf) *PinnedPart {
	i := slices.IndexFunc(p.Parts, func(own PinnedPart) bool { return own.Of == of })
	if i < 0 {
		i = len(p.Parts)
		p.Parts = append(p.Parts, PinnedPart{Range: p.Range, Of: of})
	}
	return &p.Parts[i]
}

func itself(p *PinnedPart) *PinnedPart { return p }

func portOf(p *Pinned) *PinnedPart { return p.part(PinnedPort) }

// pinField returns an attribute whose value is pinned.
//
//go:noinline
func pinField[B any](name, pin, doc string, k kind[any], to func(*B) *PinnedPart) field[B] {
	return custom(name, k.name, doc, func(d *decoder, b *B, expr hclsyntax.Expression) bool {
		v, ok := k.decode(d, name, expr)
		if ok {
			part := to(b)
			part.Pins = append(part.Pins, Pin{Name: pin, Value: v, Range: expr.Range()})
		}
		return ok
	})
}

// pinFields returns the attributes of a part, as the plan lists them.
func pinFields[B any](all []plan.Attribute, to func(*B) *PinnedPart) (fields []field[B]) {
	for _, a := range all {
		if a.Pin == "" {
			continue
		}
		if _, threshold := a.Zero.(plan.Limit); threshold {
			fields = append(fields, pinField("alpha", a.Pin, a.Doc+", dynamic", anyOf(alphaKind(), func(alpha units.Alpha) any { return plan.Limit{Dynamic: true, Alpha: alpha} }), to))
		}
		fields = append(fields, pinField(a.Pin, a.Pin, a.Doc, pinKind(a.Zero), to))
	}
	return fields
}

// ownPort returns the part with the attributes of a port group that pin values of its ports.
func ownPort(g *groupDecl) *PinnedPart {
	if len(g.Pinned) == 0 {
		g.Pinned = append(g.Pinned, Pinned{})
	}
	return g.Pinned[0].part(PinnedPort)
}

// ownPart returns the part with the attributes of a class that pin values of its queue or of ports.
func ownPart(of PinnedOf) func(*Class) *PinnedPart {
	return func(c *Class) *PinnedPart {
		if len(c.Pinned) == 0 {
			c.Pinned = append(c.Pinned, Pinned{})
		}
		return c.Pinned[0].part(of)
	}
}

// configured returns the attribute that leaves a part out.
func configured() field[PinnedPart] {
	return pinField(PinConfigured, PinConfigured, "whether the configuration of the switch contains this part", anyOf(boolKind(), same[bool]), itself)
}

func same[T any](v T) any { return v }

// anyOf returns a kind whose values are converted.
//
//go:noinline
func anyOf[T any](k kind[T], as func(T) any) kind[any] {
	return kind[any]{k.name, func(d *decoder, attr string, expr hclsyntax.Expression) (any, bool) {
		v, ok := k.decode(d, attr, expr)
		if !ok {
			return nil, false
		}
		return as(v), true
	}}
}

// pinKind returns the kind of values of the type of zero.
func pinKind(zero any) kind[any] {
	switch zero.(type) {
	case units.Bytes:
		return anyOf(bytesKind(), same[units.Bytes])
	case plan.Limit:
		return anyOf(quantity("an amount of bytes or `unlimited`", "9216B", parseLimit), same[plan.Limit])
	case units.BitRate:
		return anyOf(quantity("a data rate", "400Gbps", units.ParseBitRate), same[units.BitRate])
	case units.Time:
		return anyOf(timeKind(), same[units.Time])
	case units.Ratio:
		return anyOf(shareKind(), same[units.Ratio])
	case int64:
		return anyOf(whole[int64](0, 65535), same[int64])
	case plan.PerCent:
		return anyOf(whole[plan.PerCent](0, 100), same[plan.PerCent])
	case bool:
		return anyOf(boolKind(), same[bool])
	case plan.WatchdogAction:
		return anyOf(oneOf("drop", "forward", "alert", "device"), func(s string) any { return plan.WatchdogAction(strings.TrimPrefix(s, "device")) })
	case plan.Direction:
		return anyOf(oneOf("ingress", "egress"), func(s string) any {
			return map[string]plan.Direction{"ingress": plan.Ingress, "egress": plan.Egress}[s]
		})
	case plan.FEC:
		return anyOf(oneOf("rs", "fc", "none", "auto", "device"), func(s string) any { return plan.FEC(strings.TrimPrefix(s, "device")) })
	case plan.Levels:
		return anyOf(quantity("shares of packets at rising fill levels", "0% at 55%, 100% at 90%", plan.ParseLevels), same[plan.Levels])
	case plan.Rewrite:
		return anyOf(entriesKind(7, 63), func(v any) any {
			var r plan.Rewrite
			e := v.(plan.Entries)
			for i, tc := range e.From {
				r.Add(tc, e.To[i])
			}
			return r
		})
	case plan.Priorities:
		return anyOf(listOf("a list of numbers 0 to 7, `[3, 4]`", priorityKind()), func(all []uint8) any {
			var set plan.Priorities
			for _, p := range all {
				set |= 1 << p
			}
			return set
		})
	case string:
		return anyOf(wordKind("ingress_lossless_pool"), func(s string) any { return strings.TrimPrefix(s, "none") })
	}
	panic(fmt.Sprintf("policy: no kind for a %T", zero))
}

// parseLimit reads a static threshold.
func parseLimit(text string) (plan.Limit, error) {
	if text == "unlimited" {
		return plan.Limit{Static: plan.NoLimit}, nil
	}
	bytes, err := units.ParseBytes(text)
	return plan.Limit{Static: bytes}, err
}

// portFields returns the attributes of whole ports.
func portFields() []field[Pinned] {
	qos := pinField(PinQoS, PinQoS, "whether the configuration of the ports has QoS", anyOf(boolKind(), same[bool]), portOf)
	return append(pinFields(slices.Concat(plan.PortAttributes(), plan.PhysicalAttributes()), portOf), qos)
}

// mapFields returns the classification tables.
func mapFields() (fields []field[Pinned]) {
	for _, t := range plan.MapTables() {
		k := entriesKind(uint8(len(t.At(new(plan.Maps)))-1), t.Most)
		fields = append(fields, pinField(t.Pin, t.Pin, t.Name, k, func(p *Pinned) *PinnedPart { return p.part(PinnedMaps) }))
	}
	return fields
}

// entriesKind is entries of a table: ranges of its index, and the number that each is mapped to.
func entriesKind(last, most uint8) kind[any] {
	const example = `{ "0-2,5" = 1 }`
	name := fmt.Sprintf("an object of numbers up to %d by numbers up to %d, `%s`", most, last, example)
	return scalar(name, func(v cty.Value) (any, *problem) {
		if !v.Type().IsObjectType() && !v.Type().IsMapType() {
			return nil, wrongType(v, "an object", example)
		}
		all := v.AsValueMap()
		var e plan.Entries
		for _, key := range slices.Sorted(maps.Keys(all)) {
			from, p := numbersKind(key, last)
			if p != nil {
				return nil, p
			}
			if all[key].IsNull() || all[key].Type() != cty.Number {
				return nil, wrongType(all[key], "a whole number", "1")
			}
			to, _ := all[key].AsBigFloat().Int64()
			if !all[key].AsBigFloat().IsInt() || to < 0 || to > int64(most) {
				return nil, problemf(OutOfRange, "%s is not a whole number from 0 to %d", number(all[key]), most).fixf("write a number from 0 to %d", most)
			}
			for _, f := range from {
				e.From, e.To = append(e.From, f), append(e.To, uint8(to))
			}
		}
		return e, nil
	})
}

// numbersKind reads numbers and ranges of them, as plan.Ranges writes them: "0-2,5".
func numbersKind(text string, last uint8) (numbers []uint8, p *problem) {
	wrong := func() ([]uint8, *problem) {
		return nil, problemf(BadRange, "%q is not numbers from 0 to %d", clip(text), last).fixf(`write them like "0-2,5"`)
	}
	for _, part := range strings.Split(text, ",") {
		low, high, ranged := strings.Cut(part, "-")
		if !ranged {
			high = low
		}
		from, err := strconv.ParseUint(low, 10, 8)
		to, errTo := strconv.ParseUint(high, 10, 8)
		if err != nil || errTo != nil || from > to || to > uint64(last) {
			return wrong()
		}
		for n := from; n <= to; n++ {
			if slices.Contains(numbers, uint8(n)) {
				return wrong()
			}
			numbers = append(numbers, uint8(n))
		}
	}
	slices.Sort(numbers)
	return numbers, nil
}

const pinnedDoc = "Running values that differ from the derived ones. `roceplan import` writes them. A pinned value replaces the derived one. An inequality that it breaks is a warning at its line. " +
	"`explain` shows the derived value; to adopt it, delete the line. A later block overrides an earlier one. A block of a port group overrides one of its switch, which overrides one of a class. " +
	"`buffers`, `lossy_alpha`, `one_egress_pool`, `shared_pool`, `egress_pool` and `headroom_pool` of a switch, `fec` and `mtu` of a port group and `fill_levels` of a class are pinned values too, also in a fabric that is not `running`; a block overrides them."

// partBlock describes a block of pinned values.
func partBlock(of PinnedOf, label, doc string, fields ...field[PinnedPart]) *block[PinnedPart] {
	k := &block[PinnedPart]{name: string(of), doc: doc, fields: fields}
	if label != "" {
		k.labels = []string{label}
	}
	return k
}

func pinnedPG(label, doc string) *block[PinnedPart] {
	return partBlock(PinnedPG, label, doc, append(pinFields(plan.PGAttributes(), itself), configured())...)
}

func pinnedQueue(label, doc string) *block[PinnedPart] {
	off := pinField(PinECN, PinECN, "`off`: the queue marks no packet", anyOf(oneOf("off"), same[string]), itself)
	return partBlock(PinnedQueue, label, doc, append(pinFields(plan.QueueAttributes(), itself), off, configured())...)
}

// ofPorts returns the blocks of parts that ports have.
func ofPorts() []nested[Pinned] {
	return []nested[Pinned]{
		pinnedPart(pinnedPG("NUMBERS", "Priority groups, by number: `\"3-4\"`."), 7),
		pinnedPart(pinnedQueue("NUMBERS", "Egress queues, by number: `\"0-2,5\"`."), 15),
		pinnedPart(partBlock(PinnedPortPool, "POOL", "Limits of a whole port in a pool.", append(pinFields(plan.PortPoolAttributes(), itself), configured())...), 0),
	}
}

// pinnedPart returns a block inside a pinned block. Its label holds numbers up to last, or a name where last is 0.
//
//go:noinline
func pinnedPart(of *block[PinnedPart], last uint8) nested[Pinned] {
	return inner(of, false, func(d *decoder, p *Pinned, b *hclsyntax.Block) {
		part := PinnedPart{Range: labelRange(b), Of: PinnedOf(of.name)}
		var wrong *problem
		switch {
		case len(b.Labels) == 0:
		case last > 0:
			part.IDs, wrong = numbersKind(b.Labels[0], last)
		default:
			part.Name = b.Labels[0]
			wrong = safeWord(part.Name)
		}
		if wrong != nil {
			d.errorf(wrong.code, part.Range, "%s: %s", of.name, wrong.message).Repaired(wrong.repair)
			return
		}
		of.decode(d, b.Body, part.Range, &part)
		p.Parts = append(p.Parts, part)
	})
}

// likePinned names the block at which the reference describes them.
const likePinned = "switch › pinned"

var pinnedOfGroup = &block[Pinned]{
	name: "pinned", doc: "Running values of these ports that differ from the derived ones.", like: likePinned,
	fields: portFields(), nested: ofPorts(),
}

var pinnedOfClass = &block[Pinned]{
	name: "pinned", doc: "Running values of the class on all switches: blocks `queue` for its queue and `priority_group` for its priority group, both without a label.", like: likePinned,
	nested: []nested[Pinned]{
		pinnedPart(pinnedPG("", "The priority group of the class, on ports where it is lossless."), 7),
		pinnedPart(pinnedQueue("", "The egress queue of the class."), 15),
	},
}

var pinnedOfSwitch = &block[Pinned]{
	name: "pinned", doc: pinnedDoc,
	fields: slices.Concat([]field[Pinned]{
		custom("ports", "texts with ranges, one or a list", "ports with these values", func(d *decoder, p *Pinned, expr hclsyntax.Expression) (ok bool) {
			p.Ports.Value, ok = patternsKind().decode(d, "ports", expr)
			p.Ports.Set, p.Ports.Range = ok, expr.Range()
			return ok
		}).otherwise("all ports of the switch"),
		pinField(PinLayout, PinLayout, "whether the layout of ports runs as written. Ports, speeds and cages that contradict the catalogue are then warnings", anyOf(boolKind(), same[bool]), portOf),
	}, portFields(), mapFields()),
	nested: append(ofPorts(),
		pinnedPart(partBlock(PinnedPool, "NAME", "A pool of the buffer. A pool that is not derived is added.", append(pinFields(plan.PoolAttributes(), itself), configured())...), 0),
		pinnedPart(partBlock(PinnedWatchdog, "", "The PFC watchdog of the switch.", append(pinFields(plan.WatchdogAttributes(), itself), configured())...), 0),
	),
}

// pinned nests a pinned block in another one.
func pinned[B any](of *block[Pinned], add func(*B, Pinned)) nested[B] {
	return inner(of, false, func(d *decoder, b *B, inside *hclsyntax.Block) {
		p := Pinned{Range: inside.TypeRange}
		of.decode(d, inside.Body, inside.TypeRange, &p)
		add(b, p)
	})
}

// physical makes a warning of what chip or box cannot have, where the layout is pinned.
func (s *switchDecl) physical(found *diag.Diagnostic) *diag.Diagnostic {
	for _, p := range s.Pinned {
		for _, part := range p.Parts {
			if slices.ContainsFunc(part.Pins, func(pin Pin) bool { return pin.Name == PinLayout && pin.Value == true }) {
				found.Severity = diag.Warning
			}
		}
	}
	return found
}

// checkPinned demands that the switch has the ports that pinned blocks name.
func (s *switchDecl) checkPinned(d *decoder) {
	for _, p := range s.Pinned {
		for _, port := range p.Ports.Value {
			if !slices.ContainsFunc(s.groups, func(g *groupDecl) bool { return slices.Contains(g.Ports, port) }) {
				d.errorf(UnknownName, p.Ports.Range, "switch %s has no port %s", s.Label, port).Fixf("name ports of its port groups")
				break
			}
		}
	}
	s.pinsOfOthers(d)
}

// pinsOfOthers warns of pins for which no target of the switch has a line.
func (s *switchDecl) pinsOfOthers(d *decoder) {
	pools := s.sharedPools()
	all := slices.Clone(s.Pinned)
	for _, g := range s.groups {
		all = append(all, g.Pinned...)
	}
	for _, p := range all {
		for _, part := range p.Parts {
			for _, pin := range part.Pins {
				switch _, share := pin.Value.(plan.PerCent); {
				case pin.Name == "fill_levels" && slices.Contains(s.Targets.Value, "srlinux"):
				case slices.Contains([]string{"mru", "fill_levels", "headroom_share"}, pin.Name) && !slices.Contains(s.Targets.Value, "junos"):
					d.diags.Warnf(ValueUnused, pin.Range, "%s is of Junos, and nothing is written for Junos on switch %s", pin.Name, s.Label).Fixf("delete the line")
				case share && len(pools) == 0:
					d.diags.Warnf(ValueUnused, pin.Range, "%s is of Junos and Cumulus Linux, and nothing is written for them on switch %s", pin.Name, s.Label).Fixf("give the pool a size instead")
				case share && !slices.Contains(pools, part.Name):
					d.diags.Warnf(ValueUnused, pin.Range, "no share of a pool %s is written: the pools are called %s", part.Name, strings.Join(pools, ", ")).Fixf("name one of these")
				}
			}
		}
	}
}

package diff

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/roceplan/roceplan/diag"
	"github.com/roceplan/roceplan/internal/natural"
	"github.com/roceplan/roceplan/internal/stable"
	"github.com/roceplan/roceplan/plan"
	"github.com/roceplan/roceplan/units"
)

// A finding is a change of one pair of shapes.
type finding struct {
	change Change // without Where and, if it has none of its own, without Causes
	at     diag.Range
}

// key has the fields that two findings must share to be one change.
type key struct {
	kind                   Kind
	of, quantity, old, new string
	delta                  string
	causes                 string
}

// A merger joins equal findings of many switches and ports.
type merger struct {
	reasons reasons
	qos     map[qosPair][]finding
	changes map[key]*merged
	order   []*merged
	telling bool // only what is in the files of switches: cablesInFiles says whether cables are
}

type merged struct {
	change Change
	at     []diag.Range
	where  map[string]*Where // by folded ports
}

func newMerger() *merger {
	return &merger{
		reasons: reasons{map[[2]*plan.Why][]Cause{}},
		qos:     map[qosPair][]finding{}, changes: map[key]*merged{},
	}
}

// compare collects the findings of a pair and returns those of the switch; of ports it
// returns one for each kind of port.
func (m *merger) compare(p *pair) []finding {
	c := collector{merger: m}
	var all []finding
	add := func(found []finding, ports *portSet) {
		for _, f := range found {
			m.add(f, p.names, ports)
		}
		all = append(all, found...)
	}
	switch {
	case p.old == nil:
		add([]finding{{Change{Kind: Added, Quantity: "switch", New: about(p.new)}, p.new.Range}}, noPorts)
		return all
	case p.new == nil:
		add([]finding{{Change{Kind: Removed, Quantity: "switch", Old: about(p.old)}, p.old.Range}}, noPorts)
		return all
	}
	c.chip = p.old.Chip != p.new.Chip
	c.at, c.oldCell, c.newCell = p.new.Range, p.old.Cell, p.new.Cell
	c.switches(p.old, p.new)
	add(c.found, noPorts)
	c.eachPort(p.old, p.new, add)
	return all
}

func about(sw *plan.Switch) string { return fmt.Sprintf("%s, %d ports", sw.Chip, len(sw.Ports)) }

// A portSet is ports that have the same changes.
type portSet struct {
	names  []string
	folded string
}

var noPorts = &portSet{}

func portsOf(names []string) *portSet { return &portSet{names, Fold(names)} }

// add puts a finding to those that say the same.
func (m *merger) add(f finding, switches []string, ports *portSet) {
	k := key{f.change.Kind, f.change.Of, f.change.Quantity, f.change.Old, f.change.New, f.change.Delta, causesKey(f.change.Causes)}
	e := m.changes[k]
	if e == nil {
		e = &merged{change: f.change, where: map[string]*Where{}}
		e.change.Causes = slices.Clone(f.change.Causes)
		for i := range e.change.Causes {
			e.change.Causes[i].At = slices.Clone(e.change.Causes[i].At)
		}
		m.changes[k] = e
		m.order = append(m.order, e)
	} else {
		for i, c := range f.change.Causes {
			e.change.Causes[i].At = joinRanges(e.change.Causes[i].At, c.At)
		}
	}
	if f.at.Filename != "" {
		e.at = joinRanges(e.at, []diag.Range{f.at})
	}
	w := e.where[ports.folded]
	if w == nil {
		w = &Where{Ports: ports.names}
		e.where[ports.folded] = w
	}
	w.Switches = append(w.Switches, switches...)
}

func causesKey(causes []Cause) string {
	var key strings.Builder
	for _, c := range causes {
		key.WriteString(c.Name + "\x00" + c.Old + "\x00" + c.New + "\x01")
	}
	return key.String()
}

// maxLines is the largest number of lines of the fabric that a cause keeps: a reader wants an example.
const maxLines = 8

func joinRanges(have, more []diag.Range) []diag.Range {
	for _, r := range more {
		if len(have) < maxLines && !slices.Contains(have, r) {
			have = append(have, r)
		}
	}
	return have
}

// finish gives the changes, those of one cause together. A change without a derivation that is
// itself the cause of others, as a cable's length is, is listed with them.
func (m *merger) finish() []Change {
	causes := m.causes()
	var all []Change
	for _, e := range m.order {
		c := e.change
		for i, cause := range c.Causes {
			c.Causes[i] = *causes[cause.values()]
		}
		if cause := causes[[3]string{c.Quantity, c.Old, c.New}]; cause != nil && len(c.Causes) == 0 {
			c.Causes = []Cause{*cause}
		}
		if len(c.Causes) == 0 && len(e.at) > 0 {
			c.Causes = []Cause{{Name: c.Name(), Old: c.Old, New: c.New, Kind: plan.Given, At: e.at}}
		}
		c.Where = e.places()
		all = append(all, c)
	}
	stable.Sort(all, func(a, b Change) int {
		return cmp.Or(fewer(len(a.Causes) == 0, len(b.Causes) == 0), slices.CompareFunc(a.Causes, b.Causes, compareCauses), a.rank()-b.rank())
	})
	return all
}

// causes returns the causes of all changes, each once and with the lines of all.
func (m *merger) causes() map[[3]string]*Cause {
	causes := map[[3]string]*Cause{}
	for _, e := range m.order {
		for _, c := range e.change.Causes {
			if have := causes[c.values()]; have != nil {
				have.At = joinRanges(have.At, c.At)
			} else {
				causes[c.values()] = &c
			}
		}
	}
	for _, c := range causes {
		stable.Sort(c.At, compareRanges)
	}
	return causes
}

func (c Cause) values() [3]string { return [3]string{c.Name, c.Old, c.New} }

func (e *merged) places() (all []Where) {
	for _, w := range e.where {
		slices.SortFunc(w.Switches, natural.Compare)
		all = append(all, *w)
	}
	stable.Sort(all, func(a, b Where) int {
		return cmp.Or(natural.Compare(a.Switches[0], b.Switches[0]), slices.CompareFunc(a.Ports, b.Ports, natural.Compare))
	})
	return all
}

func fewer(a, b bool) int {
	switch {
	case a == b:
		return 0
	case a:
		return 1
	}
	return -1
}

// A collector notes what is different between two shapes.
type collector struct {
	*merger
	chip             bool       // the switch has another chip
	at               diag.Range // of the switch in the new plan
	oldCell, newCell units.Bytes
	found            []finding
}

// derived compares numbers that have a reason.
func derived[T comparable](c *collector, of, quantity string, a, b plan.Derived[T]) {
	if a.Value == b.Value {
		return
	}
	change := Change{Of: of, Quantity: quantity, Old: show(a.Value), New: show(b.Value), Causes: c.reasons.of(a.Why, b.Why)}
	if old, ok := any(a.Value).(units.Bytes); ok {
		change.Delta = c.delta(old, any(b.Value).(units.Bytes))
	}
	for i, cause := range change.Causes {
		if cause.Name == chipCause && len(cause.At) == 0 && c.at.Filename != "" {
			change.Causes = slices.Clone(change.Causes)
			change.Causes[i].At = []diag.Range{c.at}
		}
	}
	c.found = append(c.found, finding{change: change})
}

// attributes compares two parts by the attributes that the plan lists; at is the place of values
// without a reason.
func (c *collector) attributes(of string, all []plan.Attribute, a, b any, at diag.Range) {
	for i := range all {
		attribute := &all[i]
		if attribute.Without != nil && (attribute.Without(a) || attribute.Without(b)) {
			continue
		}
		old, oldWhy := attribute.Get(a)
		new, newWhy := attribute.Get(b)
		if old == new {
			continue
		}
		name := attribute.Name
		if was, is, thresholds := thresholds(old, new); thresholds {
			name, old, new = "alpha", was, is
		}
		if attribute.Derived {
			derived(c, of, name, plan.Of(old, oldWhy), plan.Of(new, newWhy))
		} else {
			stated(c, of, name, old, new, at)
		}
	}
}

// thresholds returns the alphas of two limits that are both dynamic.
func thresholds(old, new any) (was, is any, both bool) {
	a, ok := old.(plan.Limit)
	b, _ := new.(plan.Limit)
	return a.Alpha, b.Alpha, ok && a.Dynamic && b.Dynamic
}

// stated compares values that the fabric says itself; at is where.
func stated[T comparable](c *collector, of, quantity string, a, b T, at diag.Range) {
	if a != b {
		c.found = append(c.found, finding{Change{Of: of, Quantity: quantity, Old: show(a), New: show(b)}, at})
	}
}

// presence notes what one side alone has, and reports whether both have it.
func (c *collector) presence(of, quantity string, old, new bool, what string, at diag.Range) bool {
	switch {
	case old && !new:
		c.found = append(c.found, finding{Change{Kind: Removed, Of: of, Quantity: quantity, Old: what}, at})
	case !old && new:
		c.found = append(c.found, finding{Change{Kind: Added, Of: of, Quantity: quantity, New: what}, at})
	}
	return old && new
}

// delta returns a difference in cells, in bytes where cells are not known or not the same.
func (c *collector) delta(a, b units.Bytes) string {
	d := b - a
	if cell := c.newCell; cell > 0 && cell == c.oldCell && d%cell == 0 {
		if cells := int64(d / cell); cells == 1 || cells == -1 {
			return fmt.Sprintf("%+d cell", cells)
		}
		return fmt.Sprintf("%+d cells", d/cell)
	}
	return fmt.Sprintf("%+d B", int64(d))
}

// show prints a value of a plan; "none" is nothing.
func show(v any) string {
	switch v := v.(type) {
	case bool:
		if v {
			return "on"
		}
		return "off"
	case units.BitRate:
		if v == 0 {
			return "none"
		}
	case plan.Trust:
		if v == plan.TrustNone {
			return "marking"
		}
		return "dscp"
	case plan.WatchdogAction:
		return show(string(v))
	case string:
		if v == "" {
			return "none"
		}
	}
	return fmt.Sprint(v)
}

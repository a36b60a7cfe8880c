package junos

import (
	"maps"
	"slices"
	"strconv"

	"github.com/roceplan/roceplan/diag"
	row "github.com/roceplan/roceplan/format/junos"
	"github.com/roceplan/roceplan/internal/stable"
	"github.com/roceplan/roceplan/plan"
	"github.com/roceplan/roceplan/read"
)

// A forwardingClass is where packets are put that a classifier recognizes.
type forwardingClass struct {
	name     string
	at       diag.Range
	queue    uint8
	hasQueue bool
	noLoss   bool
	priority uint8 // of PFC
	// hasPriority is set where the file says it.
	hasPriority bool
	tc          uint8 // in the plan
}

// A classifier maps code points to forwarding classes.
type classifier struct {
	at     diag.Range
	class  [64]string
	places [64]diag.Range
}

// A rewrite writes the DSCP of packets that leave.
type rewrite struct {
	points []rewritten
	dscp   map[string]uint8 // by forwarding class, once all is read
	at     map[string]diag.Range
}

// A rewritten is a line of a rewriting: the code point of a class and a loss priority.
type rewritten struct {
	class, level string
	dscp         uint8
	at           diag.Range
	s            *statement // nil where it is Junos' own
}

// lastUnicast is the last queue of unicast packets. A plan has no classes of multicast packets, which PFC
// does not protect.
const lastUnicast = 7

// forwardingClass reads `class NAME queue-num N no-loss pfc-priority P`, whole or in parts.
func (r *reader) forwardingClass(c *cursor) {
	if !c.is("class") {
		c.touches(read.Scope{}, "a form of forwarding class that is not known here")
		return
	}
	name := c.next()
	class := r.class(name.text)
	if class == nil {
		class = &forwardingClass{name: name.text, at: c.s.at}
		r.classes = append(r.classes, class)
	}
	for !c.over() {
		switch w := c.next(); w.text {
		case row.Of(row.ClassQueue).Name():
			if n, _, ok := c.leaf(row.ClassQueue); ok {
				class.queue, class.hasQueue = uint8(n), true
			}
		case "no-loss":
			class.noLoss = true
		case row.Of(row.ClassPriority).Name():
			if n, _, ok := c.leaf(row.ClassPriority); ok {
				class.priority, class.hasPriority = uint8(n), true
			}
		default:
			c.touches(read.Scope{}, "a property of a forwarding class that is not known here")
			return
		}
	}
	c.modelled()
}

func (r *reader) class(name string) *forwardingClass {
	for _, c := range r.classes {
		if c.name == name {
			return c
		}
	}
	return nil
}

// byDefault are the classes that a QFX has of its own: Juniper, Understanding Default CoS Settings (QFX), Default
// Forwarding Classes and Queue Mapping.
var byDefault = map[string]forwardingClass{
	"best-effort": {}, "network-control": {queue: 7},
	"fcoe": {queue: 3, noLoss: true, priority: 3, hasPriority: true}, "no-loss": {queue: 4, noLoss: true, priority: 4, hasPriority: true},
}

// defaultClasses adds those that the file uses and does not define.
func (r *reader) defaultClasses() {
	add := func(name string, at diag.Range) {
		if own, known := byDefault[name]; known && r.class(name) == nil && !r.multicast[name] {
			own.name, own.at, own.hasQueue = name, at, true
			r.classes = append(r.classes, &own)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(r.classifiers)) {
		for d, class := range r.classifiers[name].class {
			add(class, r.classifiers[name].places[d])
		}
	}
	for _, name := range slices.Sorted(maps.Keys(r.maps)) {
		for _, class := range r.maps[name].order {
			add(class.text, class.at)
		}
	}
}

// classifier reads `dscp NAME forwarding-class FC loss-priority LP code-points P`.
func (r *reader) classifier(c *cursor) {
	if c.is("ieee-802.1") {
		r.tagClassifier(c)
		return
	}
	if !c.is("dscp") {
		c.touches(read.Scope{}, "a classifier that does not look at the DSCP of IPv4")
		return
	}
	name := c.next()
	known := r.classifiers[name.text]
	if known == nil {
		known = &classifier{at: c.s.at}
		r.classifiers[name.text] = known
	}
	if !c.is("forwarding-class") {
		c.touches(read.Scope{}, "it takes code points from another classifier, whose mapping is not in the file")
		return
	}
	class := c.next()
	if !c.is("loss-priority") {
		return
	}
	level := c.next().text
	if !c.is("code-points") {
		return
	}
	w := c.next()
	r.levels[class.text] = with(r.levels[class.text], level)
	d, ok := codePoint(w.text)
	if !ok {
		r.found.Errorf(Number, w.at, "%q is not a code point: six bits, or a name such as ef or af31", clip(w.text)).Fixf("write six bits such as 011010, or a name such as ef or af31")
	} else {
		if known.class[d] != "" && known.class[d] != class.text {
			r.found.Errorf(Differs, w.at, "the code point %s is mapped to %q and to %q", w.text, clip(known.class[d]), clip(class.text)).Fixf("leave the code point in one of the two classes").
				Notef(known.places[d], "the first is here")
		}
		known.class[d], known.places[d] = class.text, w.at
	}
	if level != "low" {
		c.touches(read.Scope{}, "packets of another loss priority than low are dropped first")
		return
	}
	c.modelled()
}

// codePoint reads six bits or one of Junos' names (Junos CLI reference, default code point
// aliases).
func codePoint(s string) (uint8, bool) {
	if len(s) == 6 {
		if n, err := strconv.ParseUint(s, 2, 6); err == nil {
			return uint8(n), true
		}
	}
	switch s {
	case "be":
		return 0, true
	case "ef":
		return 46, true
	case "nc1":
		return 48, true
	case "nc2":
		return 56, true
	}
	if len(s) == 3 && s[:2] == "cs" && s[2] >= '1' && s[2] <= '7' {
		return (s[2] - '0') * 8, true
	}
	if len(s) == 4 && s[:2] == "af" && s[2] >= '1' && s[2] <= '4' && s[3] >= '1' && s[3] <= '3' {
		return (s[2]-'0')*8 + (s[3]-'0')*2, true
	}
	return 0, false
}

// rewrite reads `dscp NAME forwarding-class FC loss-priority low code-point P`.
func (r *reader) rewrite(c *cursor) {
	if !c.is("dscp") {
		c.touches(read.Scope{}, "a rewriting of other fields than the DSCP, such as the priority of VLAN tags")
		return
	}
	known := r.rewriteOf(c.next().text)
	if c.is("import", "default") {
		known.byDefault(c.s.at)
		c.modelled()
		return
	}
	if !c.is("forwarding-class") {
		c.touches(read.Scope{}, "a rewriting whose code points are not in the file")
		return
	}
	class := c.next()
	if !c.is("loss-priority") {
		return
	}
	level := c.next().text
	if !lossPriorities[level] || !c.is("code-point") {
		c.touches(read.Scope{}, "a rewriting by loss priority")
		return
	}
	w := c.next()
	if d, ok := codePoint(w.text); ok {
		known.points = append(known.points, rewritten{class.text, level, d, w.at, c.s})
		c.touches(read.Scope{}, "a rewriting by loss priority")
		return
	}
	r.found.Errorf(Number, w.at, "%q is not a code point", clip(w.text)).Fixf("write six bits such as 011010, or a name such as ef or af31")
	c.modelled()
}

// lossPriorities are those of packets (Junos CLI reference, loss-priority (rewrite rules)).
var lossPriorities = map[string]bool{"low": true, "medium-low": true, "medium-high": true, "high": true}

func (r *reader) rewriteOf(name string) *rewrite {
	if r.rewrites[name] == nil {
		r.rewrites[name] = &rewrite{dscp: map[string]uint8{}, at: map[string]diag.Range{}}
	}
	return r.rewrites[name]
}

// byDefault adds Junos' own table before the lines of a rule: Juniper, Class of Service User Guide, Applying Default Rewrite
// Rules, table 1. It has no code points for other classes.
func (w *rewrite) byDefault(at diag.Range) {
	own := []rewritten{
		{"best-effort", "low", 0, at, nil}, {"best-effort", "high", 0, at, nil}, {"expedited-forwarding", "low", 46, at, nil}, {"expedited-forwarding", "high", 46, at, nil},
		{"assured-forwarding", "low", 10, at, nil}, {"assured-forwarding", "high", 12, at, nil}, {"network-control", "low", 48, at, nil}, {"network-control", "high", 56, at, nil},
	}
	w.points = append(own, w.points...)
}

// decideRewriting finds the code point of each class: that of the loss priority which classifiers give to its packets, low
// without one. Where they give several with different code points, lines of others than low remain not modelled.
func (r *reader) decideRewriting() {
	for _, w := range r.rewrites {
		for _, p := range w.points {
			if levels := r.levelsOf(p.class); levels[p.level] && (len(levels) == 1 || p.level == "low") {
				w.dscp[p.class], w.at[p.class] = p.dscp, p.at
			}
		}
		for _, p := range w.points {
			levels := r.levelsOf(p.class)
			if dscp, known := w.dscp[p.class]; p.s != nil && (p.level == "low" || len(levels) == 1 || !levels[p.level] || known && dscp == p.dscp) {
				(&cursor{r: r, s: p.s}).modelled()
			}
		}
	}
}

// levelsOf returns the loss priorities of packets of a class.
func (r *reader) levelsOf(class string) map[string]bool {
	if known := r.levels[class]; known != nil {
		return known
	}
	return map[string]bool{"low": true}
}

// numberClasses gives each forwarding class a traffic class: the number of its queue,
// or where that is taken the first that is free.
func (r *reader) numberClasses() {
	var taken [8]bool
	var late []*forwardingClass
	r.classes = stable.Delete(r.classes, func(c *forwardingClass) bool {
		r.multicast[c.name] = c.queue > lastUnicast
		return r.multicast[c.name]
	})
	for _, c := range r.classes {
		if c.queue <= lastUnicast && !taken[c.queue] {
			c.tc, taken[c.queue] = c.queue, true
		} else {
			late = append(late, c)
		}
	}
	for _, c := range late {
		free := -1
		for tc := range taken {
			if !taken[tc] {
				free = tc
				break
			}
		}
		if free < 0 {
			r.found.Errorf(NotModelled, c.at, "there are more forwarding classes than the 8 that a plan holds").Fixf("remove the classes that carry no traffic: at most 8 are read")
			return
		}
		c.tc, taken[free] = uint8(free), true
	}
}

// planClasses fills the maps of the plan from the classifier that ports use.
func (r *reader) planClasses(used *classifier) {
	m, places := &r.sw.Maps, &r.sw.Places
	for _, c := range r.classes {
		m.TCToQueue[c.tc], places.TCToQueue[c.tc] = c.queue&7, c.at
		if c.noLoss {
			m.TCToPG[c.tc], places.TCToPG[c.tc] = c.priority, c.at
			m.PFCToPG[c.priority], places.PFCToPG[c.priority] = c.priority, c.at
		}
	}
	if lossless := r.losslessGroups(); lossless&1 == 1 { // group 0 is of a priority, and all else has another
		for tc := range m.TCToPG {
			if places.TCToPG[tc].Empty() {
				m.TCToPG[tc] = freeGroup(lossless)
			}
		}
	}
	if used != nil {
		r.planCodePoints(used)
	}
	for _, c := range r.classes {
		dscps := []uint8(nil)
		if used != nil {
			dscps = m.DSCPsOf(c.tc)
		}
		if len(dscps) == 0 {
			continue
		}
		r.sw.Classes = append(r.sw.Classes, plan.Class{Name: c.name, TrafficClass: c.tc, Queue: c.queue & 7, PG: m.TCToPG[c.tc], PFC: c.priority, DSCPs: dscps, Lossless: c.noLoss, Range: c.at})
	}
	sortClasses(r.sw.Classes)
}

// planCodePoints maps code points. One that the classifier leaves out goes where the
// default forwarding class does, queue 0.
func (r *reader) planCodePoints(used *classifier) {
	m, places := &r.sw.Maps, &r.sw.Places
	for d, name := range used.class {
		places.DSCPToTC[d] = used.places[d]
		if name == "" {
			for _, c := range r.classes {
				if c.queue == 0 {
					m.DSCPToTC[d] = c.tc
				}
			}
			continue
		}
		class := r.class(name)
		if r.multicast[name] {
			continue
		}
		if class == nil {
			r.undefined(used.places[d], "forwarding class", name, "forwarding-classes")
			continue
		}
		m.DSCPToTC[d] = class.tc
	}
}

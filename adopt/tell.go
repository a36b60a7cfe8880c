package adopt

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/roceplan/roceplan/diag"
	"github.com/roceplan/roceplan/diff"
	"github.com/roceplan/roceplan/internal/natural"
	"github.com/roceplan/roceplan/plan"
	"github.com/roceplan/roceplan/read"
)

// note makes findings and comments of all that could not be carried.
func (im *importer) note() {
	for _, b := range im.blocks {
		for _, s := range b.shapes {
			im.noteStatements(s)
			if s.As.Name != s.Format.Name {
				im.found.Warnf(OtherSystem, diag.Top(s.File), "nothing is written for %s: the fabric has the design of %s for %s, whose ports have the same names", s.Format.Title, b.label, s.As.Title).
					Fixf("set os to the new system of the switch, and name its ports; settings that are not carried are below")
			}
			if s.Mixed {
				im.found.Warnf(Differs, diag.Top(s.File), "descriptions of ports differ between the %d devices, which are alike otherwise; compile writes the peers", len(s.Names)).
					Fixf("packets are not affected")
			}
			if form := im.last.forms[s]; form != "" {
				im.found.Warnf(Differs, diag.Top(s.File), "the file leaves headroom to the switch, but compile writes the headroom of the fabric").
					Fixf("keep the headroom that compile writes, or leave it to the switch by roceplan compile --form %s", form)
			}
		}
	}
	for _, c := range im.classes {
		if c.byPriority {
			im.found.Warnf(ByPriority, diag.Top(im.blocks[0].shape.File), "no file gives class %s a code point, as for switches that classify by 802.1p priority; the fabric gives it %d", c.Name, c.DSCPs[0]).
				Fixf("set dscp to the code point that the hosts use")
		}
	}
	for _, c := range merged(im.last.changes) {
		im.noteChange(c)
	}
	for _, d := range im.last.refused {
		im.found.Errorf(Refused, diag.Range{}, "compile refuses a setting of these files: %s[%s]: %s", d.Severity, d.Code, d.Message).Fixf("%s", d.Fix)
	}
	im.noteHoles()
	for _, b := range im.blocks {
		b.notes = shortened(b.notes)
	}
}

// mostNotes is how many comments a block gets: who wants all reads the findings.
const mostNotes = 6

func shortened(notes []string) []string {
	if len(notes) <= mostNotes {
		return notes
	}
	return append(notes[:mostNotes-1:mostNotes-1], fmt.Sprintf("Not carried either: %s; roceplan import lists them.", natural.Count(len(notes)-mostNotes+1, "more difference", "more differences")))
}

// noteStatements reports statements that no plan holds, those of one section of the file as one:
// most are about other things than losslessness, and stay in the file.
func (im *importer) noteStatements(s *Shape) {
	var sections []string
	of := map[string][]read.Statement{}
	for _, st := range s.statements {
		section, _, _ := strings.Cut(st.Text, " ")
		if of[section] == nil {
			sections = append(sections, section)
		}
		of[section] = append(of[section], st)
	}
	for _, section := range sections {
		all := of[section]
		more := ""
		if len(all) > 1 {
			more = fmt.Sprintf(", and %d more of %s", len(all)-1, section)
		}
		im.found.Warnf(NotModelled, all[0].At, "a fabric file cannot have this: %s%s", all[0].Text, more).Fixf("keep it where it is; compile does not write it")
	}
}

// A difference is changes of one shape that are equal except for the queue, group or class that
// they are of.
type difference struct {
	change
	of []string // numbers, or names
}

// merged joins what is equal, in the order of the first.
func merged(changes []change) (all []*difference) {
	type key struct {
		shape                    *Shape
		kind, quantity, old, new string
		sort                     diff.Kind
		ports                    string
	}
	known := map[key]*difference{}
	for _, c := range changes {
		kind, name, _ := strings.Cut(c.Of, " ")
		k := key{shape: c.shape, kind: kind, quantity: c.Quantity, old: c.Old, new: c.New, sort: c.Kind, ports: c.where()}
		if kind == "pool" || kind == "" {
			k.kind = c.Of + c.Quantity
		}
		if known[k] == nil {
			known[k] = &difference{change: c}
			all = append(all, known[k])
		}
		number, _, _ := strings.Cut(strings.Trim(name, "()"), " (") // without the name of its class
		known[k].of = append(known[k].of, number)
	}
	return all
}

// where lists the ports of a change, empty where it is of the whole switch.
func (c *change) where() string {
	var ports []string
	for _, w := range c.Where {
		ports = append(ports, w.Ports...)
	}
	if len(ports) == 0 {
		return ""
	}
	return someOf(ports)
}

// text names what differs: "PG 3, 4 xon on Ethernet[0..4]".
func (d *difference) text() string {
	kind, _, _ := strings.Cut(d.Of, " ")
	text := d.Name()
	if len(d.of) > 1 {
		text = fmt.Sprintf("%s %s %s", kind, strings.Join(d.of, ", "), d.Quantity)
	}
	if where := d.where(); where != "" {
		return text + " on " + where
	}
	return text
}

// noteChange reports a change of one value.
func (im *importer) noteChange(c *difference) {
	if c.Quantity == "os" && c.shape.As.Name != c.shape.Format.Name || c.Quantity == "name" && isNumbered(c.New) || c.Quantity == "peer" && c.shape.Mixed {
		return // the class got a name, where it had a number; or is reported for all ports at once
	}
	said, derived, text := c.New, c.Old, c.text()
	switch c.Kind {
	case diff.Added:
		derived = "nothing"
	case diff.Removed:
		said = "nothing"
	}
	at := c.place()
	if im.adopted > 0 && im.equal && !c.cosmetic() {
		im.found.Warnf(Adopted, at, "%s is %s in the file, but compile writes %s, which is proved harmless", text, said, derived).
			Fixf("keep it: roceplan diff shows the change, and patch makes it")
		return
	}
	im.found.Warnf(Differs, at, "%s is %s in the file, but compile writes %s", text, said, derived).Fixf("%s", im.remedy(&c.change))
	if b := im.blockOf[c.shape.Names[0]]; b != nil && !c.cosmetic() {
		where := c.shape.File
		if at.Start.Line > 0 {
			where = fmt.Sprintf("%s:%d", at.Filename, at.Start.Line)
		}
		b.notes = append(b.notes, fmt.Sprintf("Not carried: %s, %s instead of %s (%s).", text, said, derived, where))
	}
}

// remedy says what to do about a difference.
func (im *importer) remedy(c *change) string {
	if c.cosmetic() {
		return "packets are not affected: descriptions come from peers and links, names from blocks"
	}
	for _, r := range reasons {
		if (c.Quantity == r.quantity || r.quantity != "port" && strings.Contains(c.Quantity, r.quantity)) && (r.system == "" || r.system == c.shape.Said.OS) && (r.said == "" || r.said == c.New) && (r.written == "" || r.written == c.Old) {
			return r.why
		}
	}
	for _, r := range im.refused {
		if r.unit.attribute == c.Quantity && strings.HasSuffix(c.Of, r.unit.name) || r.unit.name != "" && r.unit.name == c.New {
			return "compile refuses the value of the file: " + r.why
		}
	}
	return "keep the value of compile if it is right, or change the fabric"
}

// reasons say why a value is not carried, by what is different; what is empty fits all.
var reasons = []struct{ system, quantity, said, written, why string }{
	{"nxos", "mtu", "0B", "1522B", "the file leaves it to NX-OS, whose default it is"},
	{"", "mtu", "0B", "", "the file leaves it to the device, but a fabric has one largest frame: delete the line that compile writes, or keep it if links take such frames"},
	{"nxos", "mtu", "9238B", "9232B", "EOS accepts no larger frame"},
	{"sonic", "index", "none", "", "the file has no index: compile writes that of the box"},
	{"sonic", "index", "", "", "the ports of the group do not all have an index in the file, so the fabric cannot say them"},
	{"sonic", "cage", "", "", "the catalogue does not have the box or its mode, and a fabric says modes of equal ports only, 4x25G"},
	{"sonic", "alias", "none", "", "the file has no alias: compile writes that of the box"},
	{"sonic", "speed", "none", "", "the file leaves it to the HwSKU: compile writes what the HwSKU gives the port, or the value of the variable where it gives none"},
	{"", "speed", "none", "", "no file has it, but the fabric needs it: compile writes the value of the variable"},
	{"eos", "speed", "", "none", "compile writes no speed, which EOS takes from the transceiver: keep the line of the file"},
	{"nxos", "speed", "", "none", "compile writes no speed, which EOS takes from the transceiver"},
	{"nxos", "fec", "", "none", "compile writes no FEC, which EOS takes from the transceiver"},
	{"cumulus", "speed", "", "none", "compile writes no speed, which Cumulus Linux takes from the transceiver: keep the line of the file"},
	{"cumulus", "platform", "", "", "no command sets it: it is in the header that the device prints"},
	{"eos", "fec", "", "none", "compile writes no FEC, which EOS takes from the transceiver: keep the line of the file"},
	{"nxos", "limit", "0B", "", "the file leaves it to NX-OS"},
	{"nxos", "limit", "", "", "EOS has no thresholds in bytes"},
	{"nxos", "xon", "", "0B", "EOS has a distance below the threshold instead, which compile writes"},
	{"eos", "platform", "", "", "EOS has no line for it: it is in the header that the device prints"},
	{"nxos", "detection", "0ps", "", "the file leaves it to NX-OS, but EOS has a timer of its own"},
	{"nxos", "restoration", "0ps", "", "the file leaves it to NX-OS, but EOS has a timer of its own"},
	{"eos", "watchdog", "", "", "no port of the file is watched, so compile writes no timers and actions"},
	{"sonic", "detection", "", "0ps", "no port of the file is watched, so compile writes no timers and actions"},
	{"sonic", "restoration", "", "0ps", "no port of the file is watched, so compile writes no timers and actions"},
	{"sonic", "action", "", "", "no port of the file is watched, so compile writes no timers and actions"},
	{"sonic", "cable", "0mm", "", "SONiC has a length for every port; compile writes 1m for a port without one"},
	{"cumulus", "cable", "0mm", "", "the file has no cable-length, for which Cumulus Linux takes 10 m: compile writes that of the fabric"},
	{"", "cable", "", "0mm", "compile writes a length only for ports with headroom, and this port has none"},
	{"junos", "pfc priority to queue", "", "", "compile lets the pauses of a lossless class stop the queue of the class, and others stop none"},
	{"junos", "share in per cent", "", "", "Junos Evolved requires the same share of a partition at ingress and egress: compile writes that of ingress"},
	{"junos", "class", "", "", "the file has no forwarding class for the code points that its classifiers leave out; Junos puts them into queue 0"},
	{"sonic", "class", "", "traffic class 0", "the file maps no code points, so all packets are of traffic class 0: compile writes the map"},
	{"srlinux", "class", "", "", "the classifiers of the file leave code points out, and SR Linux puts them into fc0: compile names the class"},
	{"sonic", "lossless frame", "0B", "", "the file has no LOSSLESS_TRAFFIC_PATTERN, from which SONiC computes headroom: compile writes it"},
	{"sonic", "small packets", "0%", "", "the file has no LOSSLESS_TRAFFIC_PATTERN, from which SONiC computes headroom: compile writes it"},
	{"cumulus", "queue", "", "", "thresholds of queues are for the whole switch: compile names the queue there, and it gets no weight on these ports"},
	{"", "trust", "marking", "dscp", "the file does not say how ports that trust nothing classify packets, as a marking block does: compile trusts the DSCP"},
	{"", "port", "", "", "the file gives the port no speed, but a fabric needs one"},
}

func someOf(names []string) string {
	patterns := fold(names)
	if len(patterns) > 3 {
		return fmt.Sprintf("%s, %s and others", patterns[0], patterns[1])
	}
	return strings.Join(patterns, ", ")
}

// noteHoles says what is to be filled in.
func (im *importer) noteHoles() {
	for _, b := range im.blocks {
		if b.chipHole != "" {
			im.found.Warnf(HoleLeft, diag.Top(b.shape.File), "no file names the chip of %s, so nothing could be compiled", b.label).
				Fixf("name it with --chip, or give var.%s a value", b.chipHole)
		}
		for _, g := range b.groups {
			if g.speedHole != "" {
				im.found.Warnf(HoleLeft, g.ports[0].Range, "no file gives the speed of %s of %s", someOf(portNames(g.ports)), b.label).
					Fixf("put it into the column speed of a table of cables, or give var.%s a value", g.speedHole)
			}
			if g.rows && g.lossless && im.openRows(b, g) > 0 {
				im.found.Warnf(CableUnknown, g.ports[0].Range, "no file gives the length of the cables of %s of %s. The present headroom allows %s", someOf(portNames(g.ports)), b.label, g.boundText()).
					Fixf("fill in the column metres of %s", CablesFile)
			}
		}
	}
}

// openRows counts the rows of the table of cables that are of a group and have no length.
func (im *importer) openRows(b *block, g *group) (n int) {
	for _, row := range im.rows {
		for _, end := range []plan.LinkEnd{row.a, row.b} {
			if row.length == 0 && im.blockOf[end.Switch] == b && slices.ContainsFunc(g.ports, func(p *plan.Port) bool { return p.Name == end.Port }) {
				n++
			}
		}
	}
	return n
}

func portNames(ports []*plan.Port) (names []string) {
	for _, p := range ports {
		names = append(names, p.Name)
	}
	return names
}

func (g *group) boundText() string {
	switch {
	case g.unbound:
		return "a length that depends on an unknown speed or headroom"
	case g.bound == 0:
		return "none, if lossless frames are as large as the MTU and peers take all the time that IEEE 802.3 allows"
	}
	return g.bound.String() + " at the most"
}

// place returns the line of the file that says the value of a change.
func (c *change) place() diag.Range {
	sw := c.shape.Said
	if len(c.Causes) > 0 && len(c.Causes[0].At) > 0 && c.Causes[0].At[0].Filename == c.shape.File {
		return c.Causes[0].At[0]
	}
	var port *plan.Port
	if len(c.Where) > 0 && len(c.Where[0].Ports) > 0 {
		for i := range sw.Ports {
			if sw.Ports[i].Name == c.Where[0].Ports[0] {
				port = &sw.Ports[i]
			}
		}
	}
	for _, at := range []diag.Range{c.within(sw, port), portPlace(port), sw.Range, diag.Top(c.shape.File)} {
		if at.Filename != "" {
			return at
		}
	}
	return diag.Range{}
}

func portPlace(p *plan.Port) diag.Range {
	if p == nil {
		return diag.Range{}
	}
	return p.Range
}

// within finds the place of a group, a queue, a pool, the watchdog or a map by the object of the
// change.
func (c *change) within(sw *plan.Switch, port *plan.Port) diag.Range {
	kind, name, _ := strings.Cut(c.Of+" ", " ")
	if c.Of == "" {
		kind, name, _ = strings.Cut(c.Quantity+" ", " ")
	}
	name = strings.TrimSpace(name)
	digits, _, _ := strings.Cut(name, " ")
	id, err := strconv.Atoi(digits)
	switch {
	case kind == "PG" && err == nil && port != nil && port.QoS != nil:
		for i := range port.QoS.PGs {
			if g := &port.QoS.PGs[i]; int(g.ID) == id {
				return firstPlace(placeOf(c.Quantity, g, plan.PGAttributes()), g.Range)
			}
		}
	case kind == "queue" && err == nil && port != nil && port.QoS != nil:
		for i := range port.QoS.Queues {
			if q := &port.QoS.Queues[i]; int(q.ID) == id {
				return firstPlace(placeOf(c.Quantity, q, plan.QueueAttributes()), q.Scheduler.Range, q.Range)
			}
		}
	case kind == "pool":
		for i := range sw.Pools {
			if p := &sw.Pools[i]; p.Name == name || name == "" && p.Name == c.New {
				return firstPlace(placeOf(c.Quantity, p, plan.PoolAttributes()), p.Range)
			}
		}
	case kind == "watchdog" && sw.Watchdog != nil:
		return firstPlace(placeOf(c.Quantity, sw.Watchdog, plan.WatchdogAttributes()), sw.Watchdog.Range)
	case kind == "DSCP" && err == nil && id >= 0 && id < len(sw.Maps.DSCPToTC):
		return sw.Places.DSCPToTC[id]
	case c.Quantity == "buffer model":
		return sw.BufferModelAt
	case port != nil && c.Quantity == "mtu":
		return port.MTURange
	case port != nil && strings.HasPrefix(c.Quantity, "cable"):
		return port.CableRange
	case port != nil && port.QoS != nil && (c.Quantity == "pfc priorities" || c.Quantity == "trust"):
		return port.QoS.Range
	}
	return diag.Range{}
}

// placeOf returns the line that says an attribute of a part, by what diff calls it.
func placeOf(quantity string, part any, all []plan.Attribute) diag.Range {
	name := cmp.Or(map[string]string{"alpha": "limit", "ecn": "kmin"}[quantity], quantity)
	for i := range all {
		if _, why := all[i].Get(part); all[i].Name == name && why != nil {
			return why.Range
		}
	}
	return diag.Range{}
}

func firstPlace(places ...diag.Range) diag.Range {
	for _, at := range places {
		if at.Filename != "" {
			return at
		}
	}
	return diag.Range{}
}

// result gathers what was written.
func (im *importer) result() *Result {
	r := &Result{HCL: im.text(), Table: im.sketch.table, Pinned: im.pinnedLines() + im.givenLines(), Adopted: im.adopted, Equal: im.equal, Found: im.found.Sorted()}
	for _, b := range im.blocks {
		if b.chipHole != "" {
			r.Holes = append(r.Holes, Hole{b.chipHole, "chip of " + b.label})
		}
		for _, g := range b.groups {
			if g.speedHole != "" {
				r.Holes = append(r.Holes, Hole{g.speedHole, "speed of " + g.name + " of " + b.label})
			}
		}
	}
	if len(im.rows) > 0 {
		r.Cables = im.csv(false)
	}
	for _, row := range im.rows {
		if row.length == 0 {
			r.OpenCables++
		}
	}
	return r
}

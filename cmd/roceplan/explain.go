package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/roceplan/roceplan/calc/formulas"
	"github.com/roceplan/roceplan/diag"
	"github.com/roceplan/roceplan/plan"
)

type explainCmd struct {
	File string `arg:"" help:"Fabric file, a folder of them, or - for standard input."`
	What string `arg:"" help:"SWITCH, SWITCH.PORT, SWITCH.QUANTITY or SWITCH.PORT.QUANTITY."`
	sourceFlags
}

func (explainCmd) Help() string {
	return `What can be asked of a switch and of one of its ports:

    roceplan explain fabric.hcl tor-01
    roceplan explain fabric.hcl tor-01.Ethernet32

Where a number comes from, down to lines of the file, data of the chip and clauses of standards:

    roceplan explain fabric.hcl tor-01.Ethernet32.headroom
    roceplan explain fabric.hcl tor-01.Ethernet32.rdma.kmax
    roceplan explain fabric.hcl tor-01.buffer-fits`
}

// Run prints the derivation of one quantity, or the quantities that there are. A
// fabric that breaks an inequality is explained too: that is when it is asked.
func (c explainCmd) Run(t *terminal) error {
	loaded, err := c.load(t, []string{c.File})
	if err != nil {
		return err
	}
	p, found := loaded.compute()
	if err := t.report(found, loaded.sources); err != nil {
		return err
	}
	sw, device, rest, err := findSwitch(p, c.What)
	if err != nil {
		return err
	}
	port, wanted := findPort(sw, rest)
	all := switchQuantities(sw)
	if port != nil {
		all = portQuantities(sw, port)
	}
	e := explanation{sources: loaded.sources, book: formulas.Load()}
	switch place := strings.TrimSuffix(strings.TrimSuffix(c.What, wanted), "."); {
	case wanted == "" && t.json:
		err = t.printJSON(e.overviewJSON(found, all))
	case wanted == "":
		printOverview(t, sw, device, port, all)
	default:
		if all, err = matching(all, wanted, place); err != nil {
			return err
		}
		if t.json {
			err = t.printJSON(e.json(found, place, all))
			break
		}
		for _, q := range all {
			e.print(t, place, q)
		}
	}
	if err == nil && found.HasErrors() {
		err = errFindings
	}
	return err
}

// findSwitch takes the longest name of a device from the front of what was asked:
// names may hold dots.
func findSwitch(p *plan.Plan, what string) (sw *plan.Switch, device, rest string, err error) {
	var known []string
	for _, s := range p.Switches {
		known = append(known, abbreviate(s.Names))
		for _, name := range s.Names {
			if after, ok := cutName(what, name); ok && len(name) > len(device) {
				sw, device, rest = s, name, after
			}
		}
	}
	if sw == nil {
		return nil, "", "", misusef("%q does not begin with the name of a switch; %sthere are %s", what, nearestSwitch(p, what), strings.Join(known, ", "))
	}
	return sw, device, rest, nil
}

// nearestSwitch offers the switch that was likely meant, as a clause of a message. Names of
// a kind differ in their numbers alone, so there one letter has to be wrong elsewhere.
func nearestSwitch(p *plan.Plan, what string) string {
	name, _, _ := strings.Cut(what, ".")
	unnumbered := func(name string) string { return strings.TrimRight(name, "0123456789") }
	for _, s := range p.Switches {
		if near := diag.Nearest(name, s.Names); near != "" && unnumbered(near) != unnumbered(name) {
			return fmt.Sprintf("did you mean %q? ", near)
		}
	}
	return ""
}

// findPort takes the name of a port from the front. Nil: the rest is a quantity of the
// switch.
func findPort(sw *plan.Switch, what string) (port *plan.Port, rest string) {
	rest = what
	for i := range sw.Ports {
		p := &sw.Ports[i]
		if after, ok := cutName(what, p.Name); ok && (port == nil || len(p.Name) > len(port.Name)) {
			port, rest = p, after
		}
	}
	return port, rest
}

func cutName(what, name string) (rest string, ok bool) {
	if what == name {
		return "", true
	}
	return strings.CutPrefix(what, name+".")
}

// matching returns the quantities that are meant: by their whole name, by that of the
// class in the place of the priority group or queue, or by the last word alone.
func matching(all []quantity, wanted, place string) ([]quantity, error) {
	var chosen []quantity
	var known []string
	for _, q := range all {
		if slices.Contains(q.names, wanted) {
			chosen = append(chosen, q)
		}
		if !slices.Contains(known, q.names[0]) {
			known = append(known, q.names[0])
		}
	}
	if chosen == nil {
		return nil, misusef("%s has no %q; %sit has %s", place, wanted, didYouMean(wanted, all), strings.Join(known, ", "))
	}
	return chosen, nil
}

// didYouMean offers the name that was likely meant, as a clause of a message.
func didYouMean(wanted string, all []quantity) string {
	var names []string
	for _, q := range all {
		names = append(names, q.names...)
	}
	if near := diag.Nearest(wanted, names); near != "" {
		return fmt.Sprintf("did you mean %q? ", near)
	}
	return ""
}

// printOverview lists what can be explained, with values.
func printOverview(t *terminal, sw *plan.Switch, device string, port *plan.Port, all []quantity) {
	if port == nil {
		t.printf("%s: %s, %s, writes %s\n", device, sw.Chip, numbered(len(sw.Ports), "port", "ports"), strings.Join(sw.Targets, " "))
	} else {
		t.printf("%s.%s: %s, %v, %v\n", device, port.Name, port.Group, port.Speed, port.Cable)
	}
	var rows table
	for _, q := range all {
		rows.add("  "+q.names[0], q.value, q.class)
	}
	t.printf("%s", rows)
	if port != nil {
		return
	}
	var ports []string
	for _, p := range sw.Ports {
		ports = append(ports, p.Name)
	}
	t.printf("ports: %s\n", strings.Join(ports, " "))
}

// A quantity is something that can be explained: a number, or an inequality.
type quantity struct {
	names []string // what it answers to; the first is its own
	class string   // traffic class, or where an inequality holds; may be empty
	value string
	roots []plan.Term // one reason, or both sides
}

type quantities struct {
	list  []quantity
	class string
}

// addDerived adds a value unless nobody gave it a reason.
func addDerived[T any](all *quantities, group, name string, d plan.Derived[T]) {
	if d.Why == nil {
		return
	}
	q := quantity{names: []string{name}, class: all.class, value: fmt.Sprint(d.Value), roots: []plan.Term{{Symbol: name, Why: d.Why}}}
	if group != "" {
		q.names = []string{group + "." + name, name}
	}
	if all.class != "" {
		q.names = append(q.names, all.class+"."+name)
	}
	all.list = append(all.list, q)
}

func switchQuantities(sw *plan.Switch) []quantity {
	var all quantities
	addDerived(&all, "", "mtu", sw.MTU)
	for _, pool := range sw.Pools {
		addDerived(&all, pool.Name, "size", pool.Size)
		addDerived(&all, pool.Name, "headroom", pool.Headroom)
	}
	if w := sw.Watchdog; w != nil {
		addDerived(&all, "watchdog", "detection", w.Detection)
		addDerived(&all, "watchdog", "restoration", w.Restoration)
		addDerived(&all, "watchdog", "poll", w.Poll)
	}
	for _, c := range sw.Checks {
		verdict := "holds"
		if !c.Holds {
			verdict = "FAILS"
		}
		all.list = append(all.list, quantity{names: []string{c.ID}, class: placeOf(c),
			value: fmt.Sprintf("%v ≤ %v %s, slack %s", c.Left.Value, c.Right.Value, verdict, c.Slack),
			roots: []plan.Term{{Symbol: "left", Why: c.Left}, {Symbol: "right", Why: c.Right}}})
	}
	return all.list
}

// placeOf is where an inequality holds. One that is asked of several patterns of senders
// names the pattern, without which its answers could not be told apart.
func placeOf(c plan.Check) string {
	for _, side := range []*plan.Why{c.Left, c.Right} {
		from, to := termOf(side, "from"), termOf(side, "to")
		if from == nil || to == nil {
			continue
		}
		pattern := from.Name
		if valueText(from) != "1" {
			pattern += fmt.Sprintf(" %s to %s", valueText(from), valueText(to))
		}
		return c.Where + ", " + pattern
	}
	return c.Where
}

// termOf finds a term of a formula by its symbol; nil where it has none.
func termOf(why *plan.Why, symbol string) *plan.Why {
	if i := slices.IndexFunc(why.Terms, func(t plan.Term) bool { return t.Symbol == symbol }); i >= 0 {
		return why.Terms[i].Why
	}
	return nil
}

func portQuantities(sw *plan.Switch, port *plan.Port) []quantity {
	var all quantities
	for _, pg := range port.QoS.PGs {
		all.class = className(sw, func(c plan.Class) bool { return c.Lossless == pg.Lossless && c.PG == pg.ID })
		group := fmt.Sprintf("pg%d", pg.ID)
		addDerived(&all, group, "reserved", pg.Reserved)
		addDerived(&all, group, limitName(pg.Limit), pg.Limit)
		addDerived(&all, group, "xon", pg.XOn)
		addDerived(&all, group, "xon_offset", pg.XOnOffset)
		addDerived(&all, group, "headroom", pg.Headroom)
	}
	for _, q := range port.QoS.Queues {
		all.class = className(sw, func(c plan.Class) bool { return c.Queue == q.ID })
		group := fmt.Sprintf("queue%d", q.ID)
		addDerived(&all, group, "reserved", q.Reserved)
		addDerived(&all, group, limitName(q.Limit), q.Limit)
		addDerived(&all, group, "weight", q.Scheduler.Weight)
		addDerived(&all, group, "max_rate", q.Scheduler.MaxRate)
		if q.ECN != nil {
			addDerived(&all, group, "kmin", q.ECN.KMin)
			addDerived(&all, group, "kmax", q.ECN.KMax)
			addDerived(&all, group, "pmax", q.ECN.PMax)
		}
	}
	return all.list
}

func limitName(l plan.Derived[plan.Limit]) string {
	if l.Value.Dynamic {
		return "alpha"
	}
	return "limit"
}

// className names the classes that fit; several may share a priority group.
func className(sw *plan.Switch, fits func(plan.Class) bool) string {
	var names []string
	for _, c := range sw.Classes {
		if fits(c) {
			names = append(names, c.Name)
		}
	}
	return strings.Join(names, "+")
}

// explanation renders derivations.
type explanation struct {
	sources diag.Sources
	asked   *question // of calc: its lines are told as flags; nil elsewhere
	book    *formulas.Book
}

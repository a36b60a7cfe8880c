// Package explain says where the numbers of a plan come from: each is a tree of reasons, down
// to lines of the fabric's files, data of the chip, and clauses of standards.
//
//	asked, err := explain.Find(p, "tor-01.Ethernet32.headroom")
//	e := explain.New(sources)
//	for _, q := range asked.Quantities {
//		e.Write(os.Stdout, asked.Place, q)
//	}
//
// The text of a formula's document is printed with its numbers, see [formulas.Book].
package explain

import (
	"fmt"
	"slices"
	"strconv"

	"github.com/roceplan/roceplan/plan"
)

// A Quantity is something that can be explained: a number, or an inequality.
type Quantity struct {
	Names []string    // its names; the first is its own
	Class string      // traffic class, or where an inequality holds; may be empty
	Value string      // with its unit; of an inequality both sides and the slack
	Roots []plan.Term // one reason, or both sides of an inequality
}

// Of makes a quantity of a value with its reason; ok is false where it has none.
func Of[T any](name string, d plan.Derived[T]) (q Quantity, ok bool) {
	if d.Why == nil {
		return Quantity{}, false
	}
	return Quantity{Names: []string{name}, Value: fmt.Sprint(d.Value), Roots: []plan.Term{{Symbol: name, Why: d.Why}}}, true
}

// quantities collects the settings of a switch or a port.
type quantities struct {
	list  []Quantity
	class string // of those that are added
}

// add adds a value if it has a reason. In a group it answers to its name with and without the
// group's, and with that of the class.
func add[T any](all *quantities, group, name string, d plan.Derived[T]) {
	q, ok := Of(name, d)
	if !ok {
		return
	}
	q.Class = all.class
	if group != "" {
		q.Names = []string{group + "." + name, name}
	}
	if all.class != "" {
		q.Names = append(q.Names, all.class+"."+name)
	}
	all.list = append(all.list, q)
}

// Switch lists the settings of a switch as a whole, and its inequalities.
func Switch(sw *plan.Switch) []Quantity {
	var all quantities
	add(&all, "", "mtu", sw.MTU)
	for _, pool := range sw.Pools {
		add(&all, pool.Name, "size", pool.Size)
		add(&all, pool.Name, "headroom", pool.Headroom)
	}
	if w := sw.Watchdog; w != nil {
		add(&all, "watchdog", "detection", w.Detection)
		add(&all, "watchdog", "restoration", w.Restoration)
		add(&all, "watchdog", "poll", w.Poll)
	}
	if t := sw.Trim; t != nil {
		add(&all, "trimming", "size", t.Size)
	}
	for _, c := range sw.Checks {
		all.list = append(all.list, inequality(c))
	}
	return all.list
}

func inequality(c plan.Check) Quantity {
	verdict := "holds"
	if !c.Holds {
		verdict = "FAILS"
	}
	return Quantity{Names: []string{c.ID}, Class: placeOf(c),
		Value: fmt.Sprintf("%v ≤ %v %s, slack %s", c.Left.Value, c.Right.Value, verdict, c.Slack),
		Roots: []plan.Term{{Symbol: "left", Why: c.Left}, {Symbol: "right", Why: c.Right}}}
}

// placeOf returns the place of an inequality. One that is asked of several patterns of senders
// names the pattern, without which its answers would look alike.
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

// Port lists the settings of a port's priority groups and queues.
func Port(sw *plan.Switch, port *plan.Port) []Quantity {
	var all quantities
	add(&all, "", "headroom_sum", port.HeadroomSum)
	if port.QoS == nil { // pinned
		return all.list
	}
	for _, pg := range port.QoS.PGs {
		all.class = sw.ClassNames(func(c plan.Class) bool { return c.Lossless == pg.Lossless && c.PG == pg.ID })
		group := fmt.Sprintf("pg%d", pg.ID)
		add(&all, group, "reserved", pg.Reserved)
		add(&all, group, limitName(pg.Limit), pg.Limit)
		add(&all, group, "xon", pg.XOn)
		add(&all, group, "xon_offset", pg.XOnOffset)
		add(&all, group, "headroom", pg.Headroom)
	}
	for _, q := range port.QoS.Queues {
		all.class = sw.ClassNames(func(c plan.Class) bool { return port.QoS.QueueOf(&c) == q.ID })
		group := fmt.Sprintf("queue%d", q.ID)
		add(&all, group, "reserved", q.Reserved)
		add(&all, group, limitName(q.Limit), q.Limit)
		add(&all, group, "weight", q.Scheduler.Weight)
		add(&all, group, "max_rate", q.Scheduler.MaxRate)
		if q.ECN != nil {
			add(&all, group, "kmin", q.ECN.KMin)
			add(&all, group, "kmax", q.ECN.KMax)
			add(&all, group, "pmax", q.ECN.PMax)
		}
	}
	rewriting := port.QoS.Rewrite.Entries()
	for i, tc := range rewriting.From {
		all.class = sw.ClassNames(func(c plan.Class) bool { return c.TrafficClass == tc })
		dscp := plan.Word(strconv.Itoa(int(rewriting.To[i])))
		add(&all, fmt.Sprintf("tc%d", tc), "rewrite_dscp", plan.Of(dscp, &plan.Why{Kind: plan.Pinned, Name: plan.Rewriting().Name, Value: dscp, Range: port.QoS.RewriteRange[tc]}))
	}
	return all.list
}

func limitName(l plan.Derived[plan.Limit]) string {
	if l.Value.Dynamic {
		return "alpha"
	}
	return "limit"
}

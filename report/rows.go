package report

import (
	"fmt"
	"strconv"

	"github.com/roceplan/roceplan/explain"
	"github.com/roceplan/roceplan/internal/chart"
	"github.com/roceplan/roceplan/model/proof"
	"github.com/roceplan/roceplan/plan"
	"github.com/roceplan/roceplan/units"
	"github.com/roceplan/roceplan/verify"
)

// A classRow is one class with a priority group or queue on ports with the same settings.
type classRow struct {
	Class, Group, Speed, Cable, Headroom, Limit, KMin, KMax, PMax string
	Ports                                                         int
	Lossless                                                      bool

	ecn *plan.ECN
}

// portKind has the properties by which ports are alike on the page.
type portKind struct {
	group string
	speed units.BitRate
	qos   *plan.PortQoS
}

// kinds groups ports, in the order of the first of each kind.
func kinds(sw *plan.Switch) (order []portKind, ports map[portKind][]plan.Port) {
	ports = map[portKind][]plan.Port{}
	for _, p := range sw.Ports {
		k := portKind{p.Group, p.Speed, p.QoS}
		if ports[k] == nil {
			order = append(order, k)
		}
		ports[k] = append(ports[k], p)
	}
	return order, ports
}

func classRows(sw *plan.Switch) (rows []classRow) {
	order, ports := kinds(sw)
	for _, k := range order {
		if k.qos == nil {
			continue
		}
		for _, class := range sw.Classes {
			row := classRow{Class: class.Name, Group: k.group, Speed: k.speed.String(), Cable: cables(ports[k]), Ports: len(ports[k]), Lossless: class.Lossless}
			if pg := k.qos.PG(class.PG); pg != nil && pg.Lossless == class.Lossless {
				row.Limit = pg.Limit.Value.String()
				if class.Lossless {
					row.Headroom = fmt.Sprintf("%v (%v)", pg.Headroom.Value.CeilCells(sw.Cell), pg.Headroom.Value)
				}
			}
			if q := k.qos.Queue(k.qos.QueueOf(&class)); q != nil && q.ECN != nil {
				row.ecn = q.ECN
				row.KMin, row.KMax, row.PMax = row.ecn.KMin.Value.String(), row.ecn.KMax.Value.String(), row.ecn.PMax.Value.String()
			}
			if row.Lossless || row.ecn != nil {
				rows = append(rows, row)
			}
		}
	}
	return rows
}

// cables returns the range of lengths of ports.
func cables(ports []plan.Port) string {
	least, most := ports[0].Cable, ports[0].Cable
	for _, p := range ports {
		least, most = min(least, p.Cable), max(most, p.Cable)
	}
	if least == most {
		return most.String()
	}
	return fmt.Sprintf("%v–%v", least, most)
}

// checkTable has a row for each inequality: its ID, where it holds, both sides, the slack, and how
// much of the right side the left takes in per cent; "fails" at the end where it does.
func checkTable(sw *plan.Switch) (rows [][]string) {
	for _, c := range sw.Checks {
		share := int64(0)
		if left, ok := explain.Number(c.Left.Value); ok {
			if right, ok := explain.Number(c.Right.Value); ok {
				share = used(left, right)
			}
		}
		row := []string{c.ID, c.Where, fmt.Sprint(c.Left.Value), fmt.Sprint(c.Right.Value), c.Slack, strconv.FormatInt(share, 10)}
		if !c.Holds {
			row = append(row, "fails")
		}
		rows = append(rows, row)
	}
	return rows
}

// used returns left in per cent of right, between 0 and 100.
func used(left, right int64) int64 {
	switch {
	case left <= 0:
		return 0
	case right <= 0 || left >= right:
		return 100
	}
	return int64(100 * float64(left) / float64(right))
}

// obligationTable has a row for each obligation of the proof.
func obligationTable(list []proof.Obligation) (rows [][]string) {
	for i := range list {
		o := &list[i]
		id, verdict := o.ID, o.Verdict.String()
		if o.Lossless {
			id += " (lossless)"
		}
		if o.Because != "" {
			verdict += ": " + o.Because
		}
		rows = append(rows, []string{id, o.Where, verify.Amount(o.Left.Value, o.Unit), verify.Amount(o.Right.Value, o.Unit), verdict, o.Title})
	}
	return rows
}

// marginTable says how far the world may change for each port group.
func marginTable(list []proof.Margin) (rows [][]string) {
	beyond := func(value any, breaks string) string {
		if breaks == "" {
			return fmt.Sprintf("%v, no limit found", value)
		}
		return fmt.Sprintf("%v, then %s", value, breaks)
	}
	for _, m := range list {
		rows = append(rows, []string{m.Group, beyond(m.Cable, m.CableBreaks), beyond(m.FanIn, m.FanInBreaks), beyond(m.MTU, m.MTUBreaks), beyond(m.Classes, m.ClassesBreak)})
	}
	return rows
}

// curves draws how queues mark, each curve once.
func curves(rows []classRow) string {
	c := &chart.Chart{Title: "marking", X: "queue (kB)", Y: "marked (%)"}
	seen := map[string]bool{}
	for _, row := range rows {
		if row.ecn == nil {
			continue
		}
		name := fmt.Sprintf("%s at %s", row.Class, row.Speed)
		key := name + row.KMin + row.KMax + row.PMax
		if seen[key] {
			continue
		}
		seen[key] = true
		kmin, kmax, pmax := float64(row.ecn.KMin.Value)/1e3, float64(row.ecn.KMax.Value)/1e3, float64(row.ecn.PMax.Value)/float64(units.Percent)
		c.Lines = append(c.Lines, chart.Line{Name: name, X: []float64{0, kmin, kmax, kmax, kmax * 1.2}, Y: []float64{0, 0, pmax, 100, 100}})
	}
	if c.Lines == nil {
		return ""
	}
	return string(chart.SVG(c))
}

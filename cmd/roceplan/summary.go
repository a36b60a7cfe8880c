package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/roceplan/roceplan/plan"
	"github.com/roceplan/roceplan/units"
)

// A Summary is what a reader wants to know of a compiled fabric at a glance. Amounts
// are in base units: bytes, bits per second, millimetres.
type Summary struct {
	Fabric   string         `json:"fabric"`
	Switches []shapeSummary `json:"switches"`
}

type shapeSummary struct {
	Names    []string          `json:"names"`
	Chip     string            `json:"chip"`
	OS       string            `json:"os"`
	Targets  []string          `json:"targets"`
	Ports    int               `json:"ports"`
	Pools    []poolSummary     `json:"pools"`
	Lossless []losslessSummary `json:"lossless"`
	Checks   int               `json:"checks"`
	Tightest *checkSummary     `json:"tightest,omitempty"`
}

type poolSummary struct {
	Name      string      `json:"name"`
	Direction string      `json:"direction"`
	Size      units.Bytes `json:"size"`
	Headroom  units.Bytes `json:"headroom"`
}

// A losslessSummary is one lossless class on the ports that are told the same.
type losslessSummary struct {
	Class    string        `json:"class"`
	PG       uint8         `json:"pg"`
	Group    string        `json:"group"`
	Ports    int           `json:"ports"`
	Speed    units.BitRate `json:"speed"`
	CableMin units.Length  `json:"cable_min"`
	CableMax units.Length  `json:"cable_max"`
	Headroom units.Bytes   `json:"headroom"`
	Cells    units.Cells   `json:"headroom_cells"`
	Limit    string        `json:"limit"`
	KMin     units.Bytes   `json:"kmin,omitempty"`
	KMax     units.Bytes   `json:"kmax,omitempty"`
	PMax     units.Ratio   `json:"pmax,omitempty"`

	qos *plan.PortQoS
	ecn bool
}

type checkSummary struct {
	ID    string `json:"id"`
	Where string `json:"where,omitempty"`
	Left  string `json:"left"`
	Right string `json:"right"`
	Slack string `json:"slack"`
}

func summarise(p *plan.Plan) *Summary {
	s := &Summary{Fabric: p.Fabric, Switches: []shapeSummary{}}
	for _, sw := range p.Switches {
		shape := shapeSummary{Names: sw.Names, Chip: sw.Chip, OS: sw.OS, Targets: sw.Targets, Ports: len(sw.Ports),
			Lossless: losslessRows(sw), Checks: len(sw.Checks), Tightest: tightest(sw.Checks)}
		for _, pool := range sw.Pools {
			shape.Pools = append(shape.Pools, poolSummary{pool.Name, pool.Direction.String(), pool.Size.Value, pool.Headroom.Value})
		}
		s.Switches = append(s.Switches, shape)
	}
	return s
}

// losslessRows gathers ports of one group, speed and settings in one row per class.
func losslessRows(sw *plan.Switch) []losslessSummary {
	rows := []losslessSummary{}
	for _, port := range sw.Ports {
		for _, pg := range port.QoS.PGs {
			if !pg.Lossless {
				continue
			}
			same := func(r losslessSummary) bool {
				return r.PG == pg.ID && r.Group == port.Group && r.Speed == port.Speed && r.qos == port.QoS
			}
			i := slices.IndexFunc(rows, same)
			if i < 0 {
				i = len(rows)
				rows = append(rows, newLosslessRow(sw, port, pg))
			}
			row := &rows[i]
			row.Ports++
			row.CableMin, row.CableMax = min(row.CableMin, port.Cable), max(row.CableMax, port.Cable)
		}
	}
	return rows
}

func newLosslessRow(sw *plan.Switch, port plan.Port, pg plan.PG) losslessSummary {
	row := losslessSummary{PG: pg.ID, Group: port.Group, Speed: port.Speed, CableMin: port.Cable, CableMax: port.Cable,
		Headroom: pg.Headroom.Value, Cells: pg.Headroom.Value.CeilCells(sw.Cell), Limit: pg.Limit.Value.String(), qos: port.QoS}
	row.Class = className(sw, func(c plan.Class) bool { return c.Lossless && c.PG == pg.ID })
	for _, q := range port.QoS.Queues {
		if q.ECN != nil && slices.ContainsFunc(sw.Classes, func(c plan.Class) bool { return c.Lossless && c.PG == pg.ID && c.Queue == q.ID }) {
			row.ecn, row.KMin, row.KMax, row.PMax = true, q.ECN.KMin.Value, q.ECN.KMax.Value, q.ECN.PMax.Value
		}
	}
	return row
}

// tightest returns the inequality with the least slack for its right side, nil where
// none is in numbers.
func tightest(checks []plan.Check) *checkSummary {
	var best *checkSummary
	least := units.One
	for _, c := range checks {
		left, _, ok := baseUnits(c.Left.Value)
		right, _, okRight := baseUnits(c.Right.Value)
		if !ok || !okRight || right <= 0 || left < 0 || left > right {
			continue
		}
		if share := units.Ratio(units.FloorMulDiv(right-left, int64(units.One), right)); best == nil || share < least {
			least = share
			best = &checkSummary{c.ID, c.Where, c.Left.Value.String(), c.Right.Value.String(), c.Slack}
		}
	}
	return best
}

// String renders the summary for a person.
func (s *Summary) String() string {
	devices := 0
	for _, shape := range s.Switches {
		devices += len(shape.Names)
	}
	var out strings.Builder
	fmt.Fprintf(&out, "fabric %s: %d switches of %d shapes\n", s.Fabric, devices, len(s.Switches))
	for _, shape := range s.Switches {
		shape.write(&out)
	}
	return out.String()
}

func (s shapeSummary) write(out *strings.Builder) {
	fmt.Fprintf(out, "\n%s: %d × %s, %d ports, writes %s\n", abbreviate(s.Names), len(s.Names), s.Chip, s.Ports, strings.Join(s.Targets, " "))
	var rows table
	if len(s.Lossless) > 0 {
		rows.add("  CLASS", "PG", "PORTS", "", "SPEED", "CABLE", "HEADROOM", "", "LIMIT", "KMIN", "KMAX", "PMAX")
	}
	for _, l := range s.Lossless {
		kmin, kmax, pmax := "-", "-", "-"
		if l.ecn {
			kmin, kmax, pmax = l.KMin.String(), l.KMax.String(), l.PMax.String()
		}
		rows.add("  "+l.Class, fmt.Sprint(l.PG), fmt.Sprint(l.Ports), l.Group, l.Speed.String(), l.cable(),
			l.Cells.String(), l.Headroom.String(), l.Limit, kmin, kmax, pmax)
	}
	out.WriteString(rows.String())
	for _, pool := range s.Pools {
		fmt.Fprintf(out, "  %s pool %s: %v", pool.Direction, pool.Name, pool.Size)
		if pool.Headroom > 0 {
			fmt.Fprintf(out, " with %v headroom pool", pool.Headroom)
		}
		out.WriteByte('\n')
	}
	if t := s.Tightest; t != nil {
		fmt.Fprintf(out, "  %d inequalities hold; the tightest is %s", s.Checks, t.ID)
		if t.Where != "" {
			fmt.Fprintf(out, " (%s)", t.Where)
		}
		fmt.Fprintf(out, ": %s ≤ %s, slack %s\n", t.Left, t.Right, t.Slack)
	}
}

func (l losslessSummary) cable() string {
	if l.CableMin == l.CableMax {
		return l.CableMax.String()
	}
	return fmt.Sprintf("%v–%v", l.CableMin, l.CableMax)
}

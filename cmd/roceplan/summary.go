package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/roceplan/roceplan"
	"github.com/roceplan/roceplan/internal/natural"
	"github.com/roceplan/roceplan/model/proof"
	"github.com/roceplan/roceplan/plan"
	"github.com/roceplan/roceplan/policy"
	"github.com/roceplan/roceplan/units"
	"github.com/roceplan/roceplan/verify"
)

// A Summary is an overview of a compiled fabric. Amounts are in base units: bytes, bits per second,
// millimetres, billionths.
type Summary struct {
	Fabric   string         `json:"fabric"`
	Chosen   *tradeSummary  `json:"chosen,omitempty"`
	Switches []shapeSummary `json:"switches"`
	// Offers are edits of the fabric that make conditions of verdicts needless.
	Offers []roceplan.Offer `json:"offers,omitempty"`

	width int // of lines, 0: of any
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
	Broken   int               `json:"broken,omitempty"` // of these, by what is pinned
	Tightest *checkSummary     `json:"tightest,omitempty"`
	// Verdict is that on the files as they were read back; empty with --no-verify, and where
	// the forms that were asked for hold too little.
	Verdict    string            `json:"verdict,omitempty"`
	Declared   []string          `json:"declared,omitempty"`   // facts that it rests on
	Conditions []proof.Condition `json:"conditions,omitempty"` // its assumptions
	Because    []verify.Reason   `json:"because,omitempty"`    // why it is not better
}

type poolSummary struct {
	Name      string      `json:"name"`
	Direction string      `json:"direction"`
	Size      units.Bytes `json:"size"`
	Headroom  units.Bytes `json:"headroom"`
}

// A losslessSummary is one lossless class on ports with the same settings.
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

func summarise(f *policy.Fabric, p *plan.Plan, verdicts map[*plan.Switch]*verify.Switch) *Summary {
	s := &Summary{Fabric: p.Fabric, Chosen: tradeOf(f, p), Switches: []shapeSummary{}}
	for _, sw := range p.Switches {
		shape := shapeSummary{Names: sw.Names, Chip: sw.Chip, OS: sw.OS, Targets: sw.Targets, Ports: len(sw.Ports),
			Lossless: losslessRows(sw), Checks: len(sw.Checks), Broken: len(sw.BrokenByPins()), Tightest: tightest(sw.Checks)}
		for _, pool := range sw.Pools {
			shape.Pools = append(shape.Pools, poolSummary{pool.Name, pool.Direction.String(), pool.Size.Value, pool.Headroom.Value})
		}
		if v := verdicts[sw]; v != nil {
			shape.Verdict, shape.Declared, shape.Conditions, shape.Because = v.Verdict.String(), v.Declared, v.Conditions, v.Because
		}
		s.Switches = append(s.Switches, shape)
	}
	return s
}

// losslessRows gathers ports of one group, speed and settings in one row per class.
func losslessRows(sw *plan.Switch) []losslessSummary {
	rows := []losslessSummary{}
	for _, port := range sw.Ports {
		if port.QoS == nil {
			continue
		}
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
	row.Class = sw.ClassNames(func(c plan.Class) bool { return c.Lossless && c.PG == pg.ID })
	for _, q := range port.QoS.Queues {
		if q.ECN != nil && slices.ContainsFunc(sw.Classes, func(c plan.Class) bool { return c.Lossless && c.PG == pg.ID && port.QoS.QueueOf(&c) == q.ID }) {
			row.ecn, row.KMin, row.KMax, row.PMax = true, q.ECN.KMin.Value, q.ECN.KMax.Value, q.ECN.PMax.Value
		}
	}
	return row
}

// tightest returns the inequality between amounts of buffer that has the least slack for its right
// side, nil where there is none. Those that bound the marking curve by delays are left out: the
// curve is laid at its bounds, so their slack is only the rounding.
func tightest(checks []plan.Check) *checkSummary {
	var best *checkSummary
	least := units.One
	for _, c := range checks {
		left, isBytes := c.Left.Value.(units.Bytes)
		right, areBytes := c.Right.Value.(units.Bytes)
		curve := c.ID == "kmin-expected" || c.ID == "kmax-tolerable"
		if curve || !isBytes || !areBytes || left < 0 || right <= 0 || left > right {
			continue
		}
		if slack := units.Ratio(units.FloorMulDiv(int64(right-left), int64(units.One), int64(right))); best == nil || slack < least {
			least = slack
			best = &checkSummary{c.ID, c.Where, left.String(), right.String(), c.Slack}
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
	fmt.Fprintf(&out, "fabric %s: switches %d, shapes %d\n", s.Fabric, devices, len(s.Switches))
	if s.Chosen != nil {
		fmt.Fprintf(&out, "%s\n", s.Chosen)
	}
	edits := newOffered(s.Offers)
	for _, shape := range s.Switches {
		shape.write(&out, edits, s.width)
	}
	return out.String()
}

func (s shapeSummary) write(out *strings.Builder, edits *offered, width int) {
	fmt.Fprintf(out, "\n%s: %d × %s, %s, writes %s\n", plan.Abbreviate(s.Names), len(s.Names), s.Chip, natural.Count(s.Ports, "port", "ports"), strings.Join(s.Targets, " "))
	rows := table{width: width}
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
	var pools []string
	for _, pool := range s.Pools {
		size := pool.Name + " " + mebibytes(pool.Size)
		if pool.Headroom > 0 {
			size += " with " + mebibytes(pool.Headroom) + " of headroom"
		}
		pools = append(pools, size)
	}
	fmt.Fprintf(out, "  pools: %s\n", strings.Join(pools, ", "))
	fmt.Fprintf(out, "  %s", natural.Count(s.Checks-s.Broken, "inequality holds", "inequalities hold"))
	if s.Broken > 0 {
		fmt.Fprintf(out, ", and %s with pinned values", natural.Count(s.Broken, "does not", "do not"))
	}
	if t := s.Tightest; t != nil {
		fmt.Fprintf(out, "; the tightest of the buffer is %s (%s): %s ≤ %s, slack %s", t.ID, t.Where, t.Left, t.Right, t.Slack)
	}
	out.WriteByte('\n')
	s.writeVerdict(out, edits)
}

// writeVerdict prints the verdict with its conditions.
func (s shapeSummary) writeVerdict(out *strings.Builder, edits *offered) {
	if s.Verdict == "" {
		return
	}
	fmt.Fprintf(out, "  %s\n", s.Verdict)
	for _, fact := range s.Declared {
		fmt.Fprintf(out, "    declared: %s\n", fact)
	}
	for _, c := range s.Conditions {
		for _, line := range edits.lines("    ", s.Names[0], &c) {
			fmt.Fprintln(out, line)
		}
	}
	for _, reason := range verify.InBrief(s.Because) {
		fmt.Fprintf(out, "    because %s\n", reason.Message)
	}
}

// mebibytes writes a large amount for the eye, rounded down to a tenth; --json has it
// exactly.
func mebibytes(b units.Bytes) string {
	tenths := b * 10 / units.MiB
	return fmt.Sprintf("%d.%d MiB", tenths/10, tenths%10)
}

func (l losslessSummary) cable() string {
	if l.CableMin == l.CableMax {
		return l.CableMax.String()
	}
	return fmt.Sprintf("%v–%v", l.CableMin, l.CableMax)
}

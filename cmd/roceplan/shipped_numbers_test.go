package main

import (
	"cmp"
	"encoding/csv"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/roceplan/roceplan/chips"
	"github.com/roceplan/roceplan/diag"
	"github.com/roceplan/roceplan/internal/testing/must"
	"github.com/roceplan/roceplan/internal/testing/oracle"
	"github.com/roceplan/roceplan/internal/testing/plantest"
	"github.com/roceplan/roceplan/plan"
	"github.com/roceplan/roceplan/policy"
	"github.com/roceplan/roceplan/units"
	"github.com/roceplan/roceplan/verify"
)

// golden/shipped-numbers.txt holds ours beside what ships with SONiC: what one lossless
// priority group and its queue are told for each chip, speed and cable, and the pools of
// each box. Where ours differs by more than a factor of two, the reason stands beside it;
// a difference of which none of the reasons holds fails, and so does a reason of nothing.
func TestShippedNumbers(t *testing.T) {
	catalogue := must.Sound(chips.Load())(t)
	table := &shippedTable{t: t, catalogue: catalogue, used: map[string]bool{}, seen: map[string]bool{}}
	paths, err := filepath.Glob(filepath.Join(oracle.Data(t, "shipped_sonic"), "*.json"))
	check(t, err)
	for _, path := range paths {
		table.configuration(path)
	}
	table.curves(oracle.Figures(t, "sonic_ecn.csv"))
	path := filepath.Join("..", "..", golden, "shipped-numbers.txt")
	told := table.text()
	if *update {
		check(t, os.WriteFile(path, []byte(told), 0o666))
	}
	want, err := os.ReadFile(path)
	check(t, err)
	if string(want) != told {
		t.Errorf("%s is not what is computed; run with -update and read the difference", path)
	}
	for _, r := range shippedReasons {
		if !table.used[r.key] {
			t.Errorf("reason %s explains nothing: %s", r.key, r.text)
		}
	}
}

// A figure is a number of what ships, and ours; in bytes, in powers of two where it is an
// alpha, in billionths where it is a probability.
type figure struct {
	name          string
	shipped, ours int64
	isAlpha       bool

	chip  *chips.Chip
	sku   string
	speed units.BitRate
	cable units.Length
	// What both switches are told as a whole; theirs is nil where only curves are known.
	theirs, planned *plan.Switch
	like            likeness
}

// apart reports whether the two differ by more than a factor of two.
func (f *figure) apart() bool {
	low, high := min(f.shipped, f.ours), max(f.shipped, f.ours)
	if f.isAlpha {
		return high-low > 1
	}
	return high > 2*low
}

func (f *figure) text() string {
	if f.isAlpha {
		return fmt.Sprintf("%v/%v", units.Alpha(f.shipped), units.Alpha(f.ours))
	}
	if f.name == "pmax" {
		return fmt.Sprintf("%v/%v", units.Ratio(f.shipped), units.Ratio(f.ours))
	}
	return fmt.Sprintf("%d/%d", f.shipped, f.ours)
}

type shippedTable struct {
	t                      *testing.T
	catalogue              *chips.Catalogue
	groups, pools, marking []string
	left                   []string // what is not compared, and why
	used, seen             map[string]bool
}

// row renders figures, each as shipped/ours, with the keys of the reasons.
func (s *shippedTable) row(figures []*figure) (texts []string) {
	for _, f := range figures {
		text := f.text()
		if f.apart() {
			text += " " + s.reason(f)
		}
		texts = append(texts, text)
	}
	return texts
}

func (s *shippedTable) reason(f *figure) string {
	for _, r := range shippedReasons {
		if slices.Contains(strings.Fields(r.of), f.name) && r.holds(s, f) {
			s.used[r.key] = true
			return r.key
		}
	}
	s.t.Errorf("%s on %s (%s) at %v, %v: shipped/ours is %s, and no reason is given", f.name, f.chip.Name, f.sku, f.speed, f.cable, f.text())
	return "?"
}

// configuration compares one file that SONiC ships with the plan of a switch of the same
// chip with the same lossless ports, two lossless classes and default values.
func (s *shippedTable) configuration(path string) {
	text, err := os.ReadFile(path)
	check(s.t, err)
	sku, platform, _ := strings.Cut(strings.TrimSuffix(filepath.Base(path), ".json"), "@")
	chip, ok := s.catalogue.ChipOf(platform, sku)
	if !ok {
		s.left = append(s.left, sku+": its chip is not in the catalogue")
		return
	}
	shapes, err := verify.Read([]verify.File{verify.Text("config_db.json", text)}, chip.CellSize.Or(0))
	check(s.t, err)
	theirs := shapes[0].Switch
	groups := losslessGroups(theirs)
	if len(groups) == 0 {
		s.left = append(s.left, sku+": no port has a lossless priority group")
		return
	}
	like, planned, why := s.plan(chip, groups)
	if planned == nil {
		s.left = append(s.left, fmt.Sprintf("%s (%s): %s", sku, chip.Name, why))
		return
	}
	base := figure{chip: chip, sku: sku, theirs: theirs, planned: planned, like: like}
	for _, g := range groups {
		s.group(base, g)
	}
	s.pool(base)
}

// A shippedGroup is ports that are told the same.
type shippedGroup struct {
	speed  units.BitRate
	cable  units.Length
	ports  int
	pg     plan.PG
	marked *plan.ECN
}

// losslessGroups sorts the ports with lossless groups by speed and cable.
func losslessGroups(sw *plan.Switch) (groups []shippedGroup) {
	at := map[string]int{}
	for i := range sw.Ports {
		port := &sw.Ports[i]
		pg := losslessOf(port)
		if pg == nil || port.Speed == 0 || port.Cable == 0 {
			continue
		}
		key := fmt.Sprint(port.Speed, port.Cable)
		if _, ok := at[key]; !ok {
			at[key] = len(groups)
			groups = append(groups, shippedGroup{speed: port.Speed, cable: port.Cable, pg: *pg, marked: curveOf(port, pg.ID)})
		}
		groups[at[key]].ports++
	}
	return groups
}

func losslessOf(port *plan.Port) *plan.PG {
	if port.QoS == nil {
		return nil
	}
	for i := range port.QoS.PGs {
		if pg := &port.QoS.PGs[i]; pg.Lossless && pg.Headroom.Value > 0 {
			return pg
		}
	}
	return nil
}

// curveOf returns the curve of the queue of the same number.
func curveOf(port *plan.Port, queue uint8) *plan.ECN {
	for i := range port.QoS.Queues {
		if q := &port.QoS.Queues[i]; q.ID == queue {
			return q.ECN
		}
	}
	return nil
}

// A likeness is a fabric with a switch that has the ports of one that ships.
type likeness struct {
	chip    *chips.Chip
	groups  []shippedGroup
	sharing string // of headroom, "2:1"; empty: none
	// alpha of the lossless classes and isolation, where they are given.
	alpha     string
	isolation int64
}

// plan compiles a switch with these ports. Where headroom of every group does not fit, it
// is shared as far as is needed, since most of what ships shares it too.
func (s *shippedTable) plan(chip *chips.Chip, groups []shippedGroup) (like likeness, planned *plan.Switch, why string) {
	for _, sharing := range []string{"", "2:1", "4:1", "8:1"} {
		like = likeness{chip: chip, groups: groups, sharing: sharing}
		sw, found := s.compute(&like)
		if !found.HasErrors() {
			return like, sw, ""
		}
		if why == "" {
			at := slices.IndexFunc(found, func(d diag.Diagnostic) bool { return d.Severity == diag.Error })
			why = string(found[at].Code) + ": " + found[at].Message
		}
	}
	return like, nil, why
}

func (s *shippedTable) compute(like *likeness) (*plan.Switch, diag.List) {
	_, p, found := plantest.Compile(policy.Options{Files: []policy.Source{{Name: "fabric.hcl", Text: []byte(like.text())}}, Catalogue: s.catalogue})
	if len(p.Switches) == 0 {
		return nil, found
	}
	return p.Switches[0], found
}

// text returns the fabric, with what init gives a new user.
func (l *likeness) text() string {
	var b strings.Builder
	b.WriteString("fabric \"like\" {\n  mtu = \"9216B\"\n  lossless_frame = \"4200B\"\n  expected_delay = \"40us\"\n  tolerable_delay = \"80us\"\n")
	if l.sharing != "" {
		fmt.Fprintf(&b, "  headroom_sharing = %q\n", l.sharing)
	}
	if l.isolation > 0 {
		fmt.Fprintf(&b, "  isolation = %d\n", l.isolation)
	}
	b.WriteString("}\n")
	for _, pfc := range []int{3, 4} {
		fmt.Fprintf(&b, "traffic_class \"rdma%d\" {\n  dscp = [%d]\n  queue = %d\n  pfc = %d\n  weight = 30\n", pfc, pfc, pfc, pfc)
		if l.alpha != "" {
			fmt.Fprintf(&b, "  alpha = %q\n", l.alpha)
		}
		b.WriteString("}\n")
	}
	b.WriteString("traffic_class \"cnp\" {\n  dscp = [48]\n  queue = 6\n  scheduling = strict\n  max_rate = \"500Mbps\"\n}\n")
	b.WriteString("traffic_class \"rest\" {\n  dscp = rest\n  queue = 0\n  weight = 40\n}\nnic \"cx7\" {\n  model = \"connectx-7\"\n}\n")
	fmt.Fprintf(&b, "switch \"sw\" {\n  chip = %q\n  os = sonic\n  buffer_model = traditional\n", l.chip.Name)
	first := 0
	for i, g := range l.groups {
		fmt.Fprintf(&b, "  port_group \"g%d\" {\n    ports = \"Ethernet[%d..%d]\"\n    speed = \"%v\"\n    cable = \"%v\"\n  }\n", i, first, first+g.ports-1, g.speed, g.cable)
		first += g.ports
	}
	b.WriteString("}\n")
	return b.String()
}

func (s *shippedTable) group(base figure, g shippedGroup) {
	base.speed, base.cable = g.speed, g.cable
	for i := range base.planned.Ports {
		port := &base.planned.Ports[i]
		if port.Speed != g.speed || port.Cable != g.cable {
			continue
		}
		ours := losslessOf(port)
		figures := []*figure{
			base.bytes("headroom", g.pg.Headroom.Value, ours.Headroom.Value),
			base.bytes("xon", resumesBelow(&g.pg), resumesBelow(ours)),
			base.alpha(g.pg.Limit.Value, ours.Limit.Value),
		}
		s.add(&s.groups, base.sku, append([]string{base.chip.Name, g.speed.String(), g.cable.String()}, s.row(figures)...))
		if g.marked != nil {
			s.curve(base, g.marked, curveOf(port, ours.ID))
		}
		return
	}
	s.t.Errorf("%s: nothing is planned for %v at %v", base.sku, g.speed, g.cable)
}

// resumesBelow returns the figure by which a group resumes: its offset, or its level.
func resumesBelow(pg *plan.PG) units.Bytes {
	if pg.XOnOffset.Value > 0 {
		return pg.XOnOffset.Value
	}
	return pg.XOn.Value
}

func (f figure) bytes(name string, shipped, ours units.Bytes) *figure {
	f.name, f.shipped, f.ours = name, int64(shipped), int64(ours)
	return &f
}

func (f figure) alpha(shipped, ours plan.Limit) *figure {
	f.name, f.isAlpha, f.shipped, f.ours = "alpha", true, int64(shipped.Alpha), int64(ours.Alpha)
	return &f
}

// curve compares marking. Both thresholds beyond 100 MB is how marking is switched off.
func (s *shippedTable) curve(base figure, theirs, ours *plan.ECN) {
	if theirs == nil || theirs.KMin.Value > 100_000_000 || ours == nil {
		return
	}
	pmax := base
	pmax.name, pmax.shipped, pmax.ours = "pmax", int64(theirs.PMax.Value), int64(ours.PMax.Value)
	figures := []*figure{base.bytes("kmin", theirs.KMin.Value, ours.KMin.Value), base.bytes("kmax", theirs.KMax.Value, ours.KMax.Value), &pmax}
	s.add(&s.marking, base.sku, append([]string{base.chip.Name, base.speed.String()}, s.row(figures)...))
}

func (s *shippedTable) pool(base figure) {
	in, own := losslessPool(base.theirs, plan.Ingress), losslessPool(base.planned, plan.Ingress)
	out, ownOut := losslessPool(base.theirs, plan.Egress), losslessPool(base.planned, plan.Egress)
	if in == nil {
		s.left = append(s.left, base.sku+": its lossless groups are in no pool of a size")
		return
	}
	cells := s.row([]*figure{base.bytes("pool", in.Size.Value, own.Size.Value), base.bytes("headroom-pool", in.Headroom.Value, own.Headroom.Value)})
	if out != nil {
		cells = append(cells, s.row([]*figure{base.bytes("egress-pool", out.Size.Value, ownOut.Size.Value)})...)
	} else {
		cells = append(cells, "queues have none")
	}
	s.add(&s.pools, base.sku, append([]string{base.chip.Name, fmt.Sprint(len(base.planned.Ports)), cmp.Or(base.like.sharing, "1:1")}, cells...))
}

// losslessPool returns the pool of lossless groups, or of their queues.
func losslessPool(sw *plan.Switch, side plan.Direction) *plan.Pool {
	for i := range sw.Ports {
		pg := losslessOf(&sw.Ports[i])
		if pg == nil {
			continue
		}
		name := pg.Pool
		if side == plan.Egress {
			name = ""
			for _, q := range sw.Ports[i].QoS.Queues {
				if q.ID == pg.ID {
					name = q.Pool
				}
			}
		}
		at := slices.IndexFunc(sw.Pools, func(p plan.Pool) bool { return p.Name == name && p.Direction == side })
		if at < 0 || sw.Pools[at].Size.Value == 0 {
			return nil
		}
		return &sw.Pools[at]
	}
	return nil
}

// add keeps a row, once for all boxes that have the same, under the first of them.
func (s *shippedTable) add(to *[]string, sku string, cells []string) {
	key := strings.Join(cells, "\x00")
	if s.seen[key] {
		return
	}
	s.seen[key] = true
	*to = append(*to, key+"\x00"+sku)
}

// curves compares the curves of sonic_ecn.csv at every speed that its box has.
func (s *shippedTable) curves(path string) {
	file, err := os.Open(path)
	check(s.t, err)
	defer file.Close()
	rows, err := csv.NewReader(file).ReadAll()
	check(s.t, err)
	for _, row := range rows[1:] {
		s.curveRow(row)
	}
}

func (s *shippedTable) curveRow(row []string) {
	asic, _, _ := strings.Cut(row[0], "(")
	chip, ok := s.catalogue.Find(asic)
	var kmin, kmax, pmax int64
	if _, err := fmt.Sscan(strings.Join(row[3:6], " "), &kmin, &kmax, &pmax); !ok || err != nil {
		s.left = append(s.left, fmt.Sprintf("%s (%s), curve %s: its chip or the curve is not known", row[1], row[0], row[2]))
		return
	}
	theirs := &plan.ECN{KMin: plan.Of(units.Bytes(kmin), nil), KMax: plan.Of(units.Bytes(kmax), nil), PMax: plan.Of(units.Ratio(pmax)*units.Percent, nil)}
	for _, speed := range s.speeds(row[1], chip) {
		like, planned, why := s.plan(chip, []shippedGroup{{speed: speed, cable: 40 * units.Metre, ports: 8}})
		if planned == nil {
			s.left = append(s.left, fmt.Sprintf("%s (%s) at %v: %s", row[1], chip.Name, speed, why))
			continue
		}
		port := &planned.Ports[0]
		s.curve(figure{chip: chip, sku: row[1], speed: speed, planned: planned, like: like}, theirs, curveOf(port, losslessOf(port).ID))
	}
}

// speeds are those that the port_config.ini of a HwSKU has, or the chip's fastest.
func (s *shippedTable) speeds(sku string, chip *chips.Chip) []units.BitRate {
	all := map[units.BitRate]bool{}
	for _, box := range s.catalogue.BoxesOf(sku) {
		for _, port := range s.catalogue.Ports(box, sku) {
			if port.Speed >= 25*units.Gbps {
				all[port.Speed] = true
			}
		}
	}
	if len(all) == 0 {
		all[100*units.Gbps] = true
	}
	return slices.Sorted(maps.Keys(all))
}

func (s *shippedTable) text() string {
	var b strings.Builder
	b.WriteString(shippedHead)
	for _, r := range shippedReasons {
		fmt.Fprintf(&b, "  %-3s %s: %s\n", r.key, r.of, r.text)
	}
	section := func(title string, heads []string, rows []string) {
		fmt.Fprintf(&b, "\n%s\n\n", title)
		slices.Sort(rows)
		var t table
		t.add(heads...)
		for _, row := range rows {
			t.add(strings.Split(row, "\x00")...)
		}
		b.WriteString(t.String())
	}
	section("A lossless priority group", []string{"CHIP", "SPEED", "CABLE", "HEADROOM", "XON", "ALPHA", "FIRST SHIPPED WITH"}, s.groups)
	section("Marking of its queue", []string{"CHIP", "SPEED", "KMIN", "KMAX", "PMAX", "FIRST SHIPPED WITH"}, s.marking)
	section("Pools", []string{"CHIP", "PORTS", "SHARING", "INGRESS", "HEADROOM", "EGRESS", "FIRST SHIPPED WITH"}, s.pools)
	b.WriteString("\nNot compared\n\n")
	for _, line := range slices.Compact(slices.Sorted(slices.Values(s.left))) {
		fmt.Fprintf(&b, "%s\n", line)
	}
	return b.String()
}

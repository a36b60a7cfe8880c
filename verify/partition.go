package verify

import (
	"cmp"
	"fmt"

	"github.com/roceplan/roceplan/calc/headroom"
	"github.com/roceplan/roceplan/chips"
	"github.com/roceplan/roceplan/internal/natural"
	"github.com/roceplan/roceplan/internal/stable"
	"github.com/roceplan/roceplan/model"
	"github.com/roceplan/roceplan/model/proof"
	"github.com/roceplan/roceplan/plan"
	"github.com/roceplan/roceplan/units"
)

// A HeadroomPartition is what a device that computes headroom itself has for it, and how far that
// goes: for each kind of lossless group and each speed that its ports can have.
type HeadroomPartition struct {
	Chip    string           `json:"chip"`
	Percent int64            `json:"percent"` // of the shared buffer
	Size    units.Bytes      `json:"size_bytes"`
	Parts   int              `json:"parts"`      // of the buffer, each with its share of the partition
	Cells   int64            `json:"part_cells"` // of one part
	Groups  []HeadroomDemand `json:"groups"`
	// Drops is what a part lacks when all groups that it may have are paused at once, in cells;
	// DropGroups is how many these are, each at the speed of the verdict.
	Drops      int64 `json:"drops_cells"`
	DropGroups int64 `json:"drops_groups"`
}

// A HeadroomDemand is lossless groups with the same settings, at one speed.
type HeadroomDemand struct {
	Ports []string      `json:"ports"`
	PG    uint8         `json:"pg"`
	Queue uint8         `json:"queue"`
	Speed units.BitRate `json:"speed_bps"`
	// Possible is set where the file says no speed and this is one of those that the ports may
	// have; the verdict is at the first of them.
	Possible bool `json:"possible,omitempty"`
	// Told is the cable that the device computes with, MRU the frame.
	Told  units.Length `json:"told_cable_mm"`
	MRU   units.Bytes  `json:"mru_bytes"`
	Cable units.Length `json:"cable_mm"`    // as declared, else Told
	Frame units.Bytes  `json:"frame_bytes"` // largest that comes in
	// Reserves is what IEEE 802.1Q Annex N gives for Told and MRU, assumed to be what the device
	// computes; Needs is what comes in after a pause over Cable in frames of Frame. In cells.
	Reserves int64 `json:"reserves_cells,omitempty"`
	Needs    int64 `json:"needs_cells"`
	// AtOnce is how many of the groups one part of the partition holds; InPart is how many of
	// them it may have.
	AtOnce int64 `json:"at_once"`
	InPart int64 `json:"in_part"`
	// LongestOwn is the longest cable for which a group needs no more than Reserves, LongestAll that
	// for which a part holds all of these groups and the others. Nil: none is short enough.
	LongestOwn *units.Length `json:"longest_own_mm,omitempty"`
	LongestAll *units.Length `json:"longest_all_mm,omitempty"`

	link model.Link
}

// divideHeadroom fills the tables of a switch whose device computes headroom: of its chip, or of
// all that its ports may belong to.
func (v *Verifier) divideHeadroom(s *Switch, planned *plan.Switch) {
	format := s.shape.Format
	if format.Computed == "" || format.Complete == nil || groupsIn(s.Plan) == 0 || s.unfilled != nil {
		return
	}
	possible := []*chips.Chip{s.chip}
	if s.chip == nil {
		possible = nil
		for _, name := range format.Chips(s.Plan) {
			if chip, ok := v.Catalogue.Find(name); ok {
				possible = append(possible, chip)
			}
		}
	}
	for _, chip := range possible {
		sw := s.Plan
		if s.chip == nil {
			sw = cloneSwitch(sw)
			if _, err := format.Complete(sw, chip.Name); err != nil {
				continue
			}
		}
		d := divider{told: s.shape.Switch, sw: sw, chip: chip, cables: cablesOf(v, s, planned)}
		if p := d.partition(); p != nil {
			s.Partitions = append(s.Partitions, p)
		}
	}
}

// cablesOf returns the lengths that are declared outside the file, by port.
func cablesOf(v *Verifier, s *Switch, planned *plan.Switch) map[string]units.Length {
	of := map[string]units.Length{}
	if planned != nil {
		for i := range planned.Ports {
			of[planned.Ports[i].Name] = planned.Ports[i].Cable
		}
	}
	if len(v.Cables) > 0 {
		for i := range s.Plan.Ports {
			of[s.Plan.Ports[i].Name] = s.Plan.Ports[i].Cable
		}
	}
	return of
}

type divider struct {
	told, sw *plan.Switch // as the file has it, and completed
	chip     *chips.Chip
	cables   map[string]units.Length
	after    *proof.After
	method   headroom.Method
}

func (d *divider) partition() *HeadroomPartition {
	p := &HeadroomPartition{Chip: d.chip.Name, Parts: d.chip.Slices.Or(1)}
	for _, pool := range d.sw.Pools {
		if pool.Direction == plan.Ingress && pool.HeadroomPercent != 0 {
			p.Percent, p.Size = pool.HeadroomPercent, pool.Headroom.Value
		}
	}
	cell, err := d.chip.CellSize.Get()
	if err != nil {
		return nil
	}
	d.after, _ = proof.NewAfter(d.chip) // neither asks for more than the cell
	d.method, _ = headroom.For(d.chip, "ieee8021q")
	p.Cells = int64(p.Size) / int64(p.Parts) / int64(cell)
	demands, load := d.demands()
	d.place(demands, load)
	d.judge(p, demands)
	return p
}

// demands returns the kinds of groups at the speed of the verdict, and what each port may put into
// the headroom.
func (d *divider) demands() (list []HeadroomDemand, load []chips.PortLoad) {
	for i := range d.sw.Ports {
		port := &d.sw.Ports[i]
		if port.QoS == nil {
			continue
		}
		own := chips.PortLoad{Lanes: port.Lanes, Rate: port.Speed}
		for _, pg := range port.QoS.PGs {
			if !pg.Lossless {
				continue
			}
			g := d.demand(i, port, pg)
			if g.link.Unknown(port.Name) != "" {
				continue
			}
			g.Needs = d.after.Cells(g.link)
			own.Load += units.Bytes(g.Needs)
			list = with(list, g)
		}
		if own.Load != 0 {
			load = append(load, own)
		}
	}
	return list, load
}

func (d *divider) demand(i int, port *plan.Port, pg plan.PG) HeadroomDemand {
	declared := plan.Assumed{}
	if port.Assumed != nil {
		declared = *port.Assumed
	}
	g := HeadroomDemand{
		Ports: []string{port.Name}, PG: pg.ID, Speed: port.Speed, Possible: d.told.Ports[i].Speed == 0 && d.cables[port.Name] == 0,
		Told: d.told.Ports[i].Cable, MRU: pg.MRU,
	}
	for _, c := range d.sw.Classes {
		if c.Lossless && c.PG == pg.ID {
			g.Queue = port.QoS.QueueOf(&c)
		}
	}
	g.Cable = cmp.Or(d.cables[port.Name], g.Told)
	own := *port
	own.Cable = g.Cable
	g.link = model.NewLink(&own, d.sw.MTU.Value, declared)
	if _, standard := model.StandardResponse(g.Speed); !standard && !declared.Declared {
		g.link.Response = responseAt400G()
	}
	g.link.Interface = d.chip.PauseDelay.Or(g.link.Interface)
	g.Frame = g.link.LosslessFrame
	return g
}

// with adds a group to those that are like it.
func with(list []HeadroomDemand, g HeadroomDemand) []HeadroomDemand {
	for i := range list {
		k := &list[i]
		if k.link == g.link && k.PG == g.PG && k.Queue == g.Queue && k.Told == g.Told && k.MRU == g.MRU && k.Possible == g.Possible {
			k.Ports = append(k.Ports, g.Ports...)
			return list
		}
	}
	return append(list, g)
}

// place counts how many groups of each kind the fullest part of the buffer may have.
func (d *divider) place(list []HeadroomDemand, load []chips.PortLoad) {
	var ports []string
	for i := range d.sw.Ports {
		if qos := d.sw.Ports[i].QoS; qos != nil && groupsOf(qos) != 0 {
			ports = append(ports, d.sw.Ports[i].Name)
		}
	}
	in := map[string]bool{}
	if len(ports) == len(load) {
		parts, _ := d.chip.Places(load)
		for i, part := range parts {
			in[ports[i]] = part == 0
		}
	}
	for i := range list {
		for _, port := range list[i].Ports {
			if in[port] || len(ports) != len(load) {
				list[i].InPart++
			}
		}
	}
}

// judge compares what groups need with what a part has, and adds rows of other speeds.
func (d *divider) judge(p *HeadroomPartition, list []HeadroomDemand) {
	sum := int64(0)
	for i := range list {
		sum += list[i].InPart * list[i].Needs
		p.DropGroups += list[i].InPart
	}
	p.Drops = max(0, sum-p.Cells)
	for i := range list {
		others := sum - list[i].InPart*list[i].Needs
		speeds := []units.BitRate{list[i].Speed}
		if list[i].Possible {
			speeds = slower(d.chip, list[i].Speed)
		}
		for _, speed := range speeds {
			g := list[i]
			d.at(&g, speed)
			g.AtOnce = p.Cells / max(1, g.Needs)
			if g.InPart > 0 {
				g.LongestAll = d.longest(g.link, (p.Cells-others)/g.InPart)
			}
			p.Groups = append(p.Groups, g)
		}
	}
}

// at puts a kind of groups to a speed.
func (d *divider) at(g *HeadroomDemand, speed units.BitRate) {
	if speed != g.Speed {
		g.Speed, g.link.Rate = speed, speed
		g.link.Response, _ = model.StandardResponse(speed)
		g.link.Interface = d.chip.PauseDelay.Or(model.InterfaceDelay(speed))
		g.Needs = d.after.Cells(g.link)
	}
	in := headroom.Defaults()
	in.Speed, in.Cable, in.PortMTU, in.LosslessMTU = speed, g.Told, g.MRU, g.MRU
	if r, err := d.method.Compute(in); err == nil && g.MRU != 0 {
		g.Reserves = int64(r.Cells)
		g.LongestOwn = d.longest(g.link, g.Reserves)
	}
}

func (d *divider) longest(l model.Link, cells int64) *units.Length {
	if cable, ok := d.after.Longest(l, cells); ok {
		return &cable
	}
	return nil
}

// slower returns the speeds of a chip from the fastest of a cage down to an eighth of it, that have a
// published response or are that fastest.
func slower(chip *chips.Chip, fastest units.BitRate) (speeds []units.BitRate) {
	for _, speed := range chip.PortSpeeds.Or(nil) {
		if _, standard := model.StandardResponse(speed); speed == fastest || standard && speed < fastest && speed >= fastest/8 {
			speeds = append(speeds, speed)
		}
	}
	stable.Sort(speeds, func(a, b units.BitRate) int { return cmp.Compare(b, a) })
	return speeds
}

// DropsAt says in words where packets are lost, and what for.
func (p *HeadroomPartition) DropsAt() (texts []string) {
	for _, g := range p.Groups {
		if g.Reserves > 0 && g.Needs > g.Reserves {
			texts = append(texts, fmt.Sprintf("drops at %s at %v, PG %d (queue %d): %d cells, if the device reserves for its cable-length and mru what IEEE 802.1Q Annex N gives, which is assumed",
				plan.Abbreviate(g.Ports), g.Speed, g.PG, g.Queue, g.Needs-g.Reserves))
		}
	}
	if p.Drops > 0 {
		texts = append(texts, fmt.Sprintf("drops in the headroom partition: %d cells, if %s in one part of the buffer are paused at once",
			p.Drops, natural.Count(int(p.DropGroups), "group", "groups")))
	}
	return texts
}

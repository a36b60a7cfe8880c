package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/roceplan/roceplan/chips"
	"github.com/roceplan/roceplan/diag"
	"github.com/roceplan/roceplan/model"
	"github.com/roceplan/roceplan/model/mmu"
	"github.com/roceplan/roceplan/plan"
	"github.com/roceplan/roceplan/units"
	"github.com/roceplan/roceplan/verify"
)

type probeCmd struct {
	Config      string       `arg:"" help:"config_db.json of SONiC, a running-config of EOS, or - for standard input."`
	Port        string       `required:"" placeholder:"NAME" help:"Port at which the packets arrive."`
	PG          uint8        `name:"pg" required:"" placeholder:"N" help:"Priority group of the packets, 0 to 7."`
	To          string       `placeholder:"NAME" help:"Blocked port to which they are sent (default: another one)."`
	PacketBytes *units.Bytes `name:"packet-bytes" placeholder:"BYTES" help:"Length of each packet, with unit (default: 64B)."`
	chipFlags
}

func (probeCmd) Help() string {
	return `Sends packets of one priority group to a blocked port of an empty switch, one by one, as SONiC's QoS tests do. It prints the packet that causes the first pause, the first dropped packet, and the number of packets that must leave before the sender may continue:

    roceplan probe config_db.json --chip td3 --port Ethernet0 --pg 3

A running-config of EOS has no pool sizes; probe then assumes all of the chip's memory.`
}

// Run reads the file, builds the buffer and probes it.
func (c probeCmd) Run(t *terminal) error {
	chip, err := c.find(t)
	if err != nil {
		return err
	}
	files, err := configFiles(t, []string{c.Config})
	if err != nil {
		return err
	}
	shapes, err := verify.Read(files, chip.CellSize.Or(0))
	if err != nil {
		return err
	}
	if len(shapes) != 1 || len(shapes[0].Files) != 1 {
		return misusef("%s is not one configuration file", c.Config)
	}
	shape := shapes[0]
	if shape.Found.HasErrors() && t.json {
		return failWith(t, shape.Found)
	}
	if err := t.tell(shape.Found, diag.Sources{shape.First(): shape.Text}); err != nil {
		return err
	}
	if shape.Found.HasErrors() {
		return errFindings
	}
	answer, err := c.probe(shape.Switch, chip)
	if err != nil {
		return err
	}
	if t.json {
		return t.printJSON(answer)
	}
	answer.print(t)
	return nil
}

// probe sends the packets.
func (c probeCmd) probe(sw *plan.Switch, chip *chips.Chip) (*probeAnswer, error) {
	if err := verify.Complete(sw, chip); err != nil {
		return nil, err
	}
	packet, err := c.packet(sw)
	if err != nil {
		return nil, err
	}
	config, err := model.Buffer(sw, chip)
	if err != nil {
		return nil, err
	}
	empty, err := mmu.New(config)
	if err != nil {
		return nil, err
	}
	found, err := mmu.Probe(config, packet, mostPackets(config))
	if err != nil {
		return nil, err
	}
	pg := config.Ports[packet.InPort].PGs[packet.PG]
	answer := &probeAnswer{
		Switch: sw.Names[0], Chip: chip.Name, CellBytes: config.CellBytes, Slices: config.Slices,
		Port: c.Port, PG: c.PG, To: sw.Ports[packet.OutPort].Name, Queue: uint8(packet.Queue),
		PacketBytes: units.Bytes(packet.Bytes), PacketCells: units.Cells(empty.Cells(packet.Bytes)), Lossless: pg.Lossless,
		FirstPause: found.FirstPause, FirstDrop: found.FirstDrop, DrainedToResume: found.DrainedToResume,
		Limits: limitsOf(config, pg),
	}
	if found.FirstDrop > 0 {
		answer.Drop = found.Drop.String()
	}
	return answer, nil
}

// mostPackets returns a number of packets that exceeds any buffer.
func mostPackets(c *mmu.Config) int64 {
	most := int64(1 << 16)
	for _, pool := range c.IngressPools {
		most += int64(pool.SharedCells + pool.HeadroomCells)
	}
	for _, pool := range c.EgressPools {
		most += int64(pool.SharedCells)
	}
	return most + int64(c.SliceCells)
}

// packet finds the ports, and the queue that packets of the PG leave from.
func (c probeCmd) packet(sw *plan.Switch) (mmu.Packet, error) {
	p := mmu.Packet{PG: int(c.PG), Bytes: 64}
	if c.PacketBytes != nil {
		p.Bytes = int(*c.PacketBytes)
	}
	if p.Bytes < 1 || p.Bytes > 16384 {
		return p, misusef("--packet-bytes is %d: packets have 1 to 16384 bytes", p.Bytes)
	}
	var err error
	if p.InPort, err = portIndex(sw, c.Port); err != nil {
		return p, err
	}
	in := sw.Ports[p.InPort]
	if in.QoS.PG(c.PG) == nil {
		return p, misusef("the file gives port %s no priority group %d; it gives %s", c.Port, c.PG, pgsOf(in.QoS))
	}
	if p.OutPort, err = c.way(sw, p.InPort); err != nil {
		return p, err
	}
	queue, _ := queueOfPG(sw, sw.Ports[p.OutPort].QoS, c.PG)
	p.Queue = int(queue)
	return p, nil
}

// way finds the blocked port: the one that is named, else the next that has the queue.
func (c probeCmd) way(sw *plan.Switch, in int) (int, error) {
	queue, ok := queueOfPG(sw, nil, c.PG)
	if !ok {
		return 0, misusef("no traffic class goes through priority group %d, so no queue is known", c.PG)
	}
	has := func(i int) bool {
		qos := sw.Ports[i].QoS
		queue, _ := queueOfPG(sw, qos, c.PG)
		return qos.Queue(queue) != nil
	}
	if c.To != "" {
		i, err := portIndex(sw, c.To)
		if err == nil && !has(i) {
			queue, _ = queueOfPG(sw, sw.Ports[i].QoS, c.PG)
			err = misusef("the file gives port %s no buffer for queue %d", c.To, queue)
		}
		return i, err
	}
	for step := 1; step <= len(sw.Ports); step++ {
		if i := (in + step) % len(sw.Ports); has(i) {
			return i, nil
		}
	}
	return 0, misusef("the file gives no port a buffer for queue %d", queue)
}

func portIndex(sw *plan.Switch, name string) (int, error) {
	i := slices.IndexFunc(sw.Ports, func(p plan.Port) bool { return p.Name == name })
	if i < 0 {
		var known []string
		for _, p := range sw.Ports {
			known = append(known, p.Name)
		}
		return 0, misusef("there is no port %q; there are %s", name, plan.Abbreviate(known))
	}
	return i, nil
}

func pgsOf(qos *plan.PortQoS) string {
	if qos == nil || len(qos.PGs) == 0 {
		return "none"
	}
	var ids []string
	for _, pg := range qos.PGs {
		ids = append(ids, fmt.Sprint(pg.ID))
	}
	return strings.Join(ids, ", ")
}

// queueOfPG returns the queue of the packets of a PG at a port: that of a class with packets, of the
// lowest where several share the PG; else that of the traffic class of the same number.
func queueOfPG(sw *plan.Switch, qos *plan.PortQoS, pg uint8) (uint8, bool) {
	for _, c := range sw.Classes {
		if c.PG == pg {
			return qos.QueueOf(&c), true
		}
	}
	m := &sw.Maps
	if m.TCToPG[pg&7] == pg {
		return sw.QueuesOf(qos)[pg&7], true
	}
	tc := slices.Index(m.TCToPG[:], pg)
	if tc < 0 {
		return 0, false
	}
	return sw.QueuesOf(qos)[tc], true
}

// probeLimits are the limits that decided, in cells of one slice.
type probeLimits struct {
	Reserved     units.Cells  `json:"reserved_cells"`
	Alpha        *units.Alpha `json:"alpha_exponent,omitempty"`
	Static       *units.Cells `json:"static_cells,omitempty"`
	Shared       units.Cells  `json:"pool_shared_cells"`
	Headroom     units.Cells  `json:"headroom_cells"`
	HeadroomPool units.Cells  `json:"headroom_pool_cells,omitempty"`
	XOn          units.Cells  `json:"xon_cells"`
	XOnOffset    units.Cells  `json:"xon_offset_cells"`
}

func limitsOf(c *mmu.Config, pg mmu.PG) probeLimits {
	pool := c.IngressPools[pg.Pool]
	l := probeLimits{Reserved: pg.ReservedCells, Shared: pool.SharedCells, Headroom: pg.HeadroomCells, XOn: pg.XonCells, XOnOffset: pg.XonOffsetCells}
	if pg.HeadroomPooled {
		l.HeadroomPool = pool.HeadroomCells
	}
	if pg.Limit.Dynamic {
		l.Alpha = &pg.Limit.Alpha
	} else {
		l.Static = &pg.Limit.StaticCells
	}
	return l
}

// A probeAnswer is the output of probe --json. Packets are counted from 1; 0 means that it did not
// happen.
type probeAnswer struct {
	Switch          string      `json:"switch"`
	Chip            string      `json:"chip"`
	CellBytes       units.Bytes `json:"cell_bytes"`
	Slices          int         `json:"slices"`
	Port            string      `json:"port"`
	PG              uint8       `json:"pg"`
	To              string      `json:"to"`
	Queue           uint8       `json:"queue"`
	PacketBytes     units.Bytes `json:"packet_bytes"`
	PacketCells     units.Cells `json:"packet_cells"`
	Lossless        bool        `json:"lossless"`
	FirstPause      int64       `json:"first_pause_packet"`
	FirstDrop       int64       `json:"first_drop_packet"`
	Drop            string      `json:"drop_reason,omitempty"`
	DrainedToResume int64       `json:"packets_drained_to_resume"`
	Limits          probeLimits `json:"limits"`
}

func (a *probeAnswer) print(t *terminal) {
	t.printf("%s %s, priority group %d (%s, cells of %v, slices: %d)\n", a.Switch, a.Port, a.PG, a.Chip, a.CellBytes, a.Slices)
	t.printf("packets of %v, %v each, to queue %d of %s, which is blocked\n\n", a.PacketBytes, a.PacketCells, a.Queue, a.To)
	var rows table
	switch {
	case a.FirstPause > 0:
		rows.add("  first pause", fmt.Sprintf("packet %d", a.FirstPause), a.Limits.threshold())
	case !a.Lossless:
		rows.add("  first pause", "never", "the priority group is lossy: it has no headroom")
	default:
		rows.add("  first pause", "never", "the packet was dropped before")
	}
	if a.FirstDrop > 0 {
		why := a.Drop
		if a.Lossless {
			why += ": " + a.Limits.room()
		}
		rows.add("  first drop", fmt.Sprintf("packet %d", a.FirstDrop), why)
	} else {
		rows.add("  first drop", "never", "")
	}
	if a.FirstPause > 0 {
		rows.add("  resume", fmt.Sprintf("after %d leave", a.DrainedToResume), a.Limits.resume())
	}
	t.printf("%s", rows)
}

func (l probeLimits) threshold() string {
	if l.Alpha != nil {
		return fmt.Sprintf("reserve of %v, then alpha %v of the free part of %v", l.Reserved, *l.Alpha, l.Shared)
	}
	return fmt.Sprintf("reserve of %v, then %v of %v shared", l.Reserved, *l.Static, l.Shared)
}

func (l probeLimits) room() string {
	if l.HeadroomPool > 0 {
		return fmt.Sprintf("%v at most, from a headroom pool of %v", l.Headroom, l.HeadroomPool)
	}
	return fmt.Sprintf("%v of its own", l.Headroom)
}

func (l probeLimits) resume() string {
	switch {
	case l.XOnOffset > 0 && l.XOn > 0:
		return fmt.Sprintf("%v below the level of the pause, or at %v if that is more", l.XOnOffset, l.XOn)
	case l.XOnOffset > 0:
		return fmt.Sprintf("%v below the level of the pause", l.XOnOffset)
	case l.XOn > 0:
		return fmt.Sprintf("at %v", l.XOn)
	}
	return "one cell below the level of the pause: neither xon nor xon_offset is set"
}

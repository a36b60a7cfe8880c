package verify

import (
	"cmp"
	"fmt"

	"github.com/roceplan/roceplan/calc/headroom"
	"github.com/roceplan/roceplan/calc/pool"
	"github.com/roceplan/roceplan/chips"
	"github.com/roceplan/roceplan/format/sonic"
	"github.com/roceplan/roceplan/plan"
	"github.com/roceplan/roceplan/units"
)

// computeBuffers fills in what a switch in SONiC's dynamic buffer model computes itself, as it
// does: headroom of each port by its speed and cable, then pools of what is left. Settings that the
// file overrides stay. Ports are taken to be up, without an external gearbox. The error says which
// figure is missing.
func computeBuffers(sw *plan.Switch, chip *chips.Chip) error {
	if sw.Calculator == nil {
		return fmt.Errorf("the file has no DEFAULT_LOSSLESS_BUFFER_PARAMETER, so the switch computes nothing")
	}
	method, err := headroom.For(chip, "spectrum")
	if err != nil {
		return fmt.Errorf("the switch computes its buffers itself (dynamic buffer model): %w", err)
	}
	c := &calculation{sw: sw, method: method, cell: chip.CellSize.Or(1), of: map[portSort]*plan.PortQoS{}}
	for i := range sw.Ports {
		if err := c.port(&sw.Ports[i]); err != nil {
			return fmt.Errorf("port %s: %w", sw.Ports[i].Name, err)
		}
	}
	return c.pools(chip)
}

type calculation struct {
	sw     *plan.Switch
	method headroom.Method
	cell   units.Bytes
	of     map[portSort]*plan.PortQoS
	given  *plan.Calculator // nil: that of the switch
	// apart is set if the reserve of a group does not hold its headroom, and a group with headroom keeps it.
	apart bool
}

// A portSort is what ports have in common that get the same profiles.
type portSort struct {
	qos   *plan.PortQoS
	speed units.BitRate
	cable units.Length
	mtu   units.Bytes
	lanes int
}

// port gives a port the profiles that the switch would make for it.
func (c *calculation) port(port *plan.Port) error {
	if port.QoS == nil || !c.computes(port.QoS) {
		return nil
	}
	in := headroom.Defaults()
	in.Speed, in.Cable, in.PortMTU = port.Speed, port.Cable, units.Bytes(sonic.Of(sonic.PortMTU).Of(int64(port.MTU)))
	if len(port.Lanes) > 0 {
		in.Lanes = len(port.Lanes)
	}
	given := cmp.Or(c.given, c.sw.Calculator)
	if given.LosslessFrame.Value != 0 {
		in.LosslessMTU, in.Frame = given.LosslessFrame.Value, given.LosslessFrame.Value
	}
	if given.SmallPackets.Why != nil {
		in.SmallPackets = given.SmallPackets.Value
	}
	in.OverSubscribe = int(given.Oversubscribe.Value)
	result, derived, err := c.method.Explain(in)
	if err != nil {
		return err
	}
	sort := portSort{port.QoS, port.Speed, port.Cable, port.MTU, in.Lanes}
	if c.of[sort] == nil {
		c.of[sort] = c.profiled(port.QoS, result, derived)
	}
	port.QoS = c.of[sort]
	return nil
}

// computes reports whether the switch makes a profile for a group of the port.
func (c *calculation) computes(qos *plan.PortQoS) bool {
	for i := range qos.PGs {
		if c.leaves(&qos.PGs[i]) {
			return true
		}
	}
	return false
}

// leaves reports whether the file leaves the profile of a group to the switch.
func (c *calculation) leaves(pg *plan.PG) bool {
	return pg.Lossless && !pg.Override && (!c.apart || pg.Headroom.Why == nil && pg.Reserved.Value == 0)
}

// profiled returns the QoS of a port with the profile in its lossless groups.
func (c *calculation) profiled(qos *plan.PortQoS, r headroom.Result, why headroom.Derivation) *plan.PortQoS {
	own := *qos
	own.PGs = append([]plan.PG(nil), qos.PGs...)
	whole := func(v units.Bytes) units.Bytes { return v.CeilTo(c.cell) }
	for i := range own.PGs {
		pg := &own.PGs[i]
		if !c.leaves(pg) {
			continue
		}
		pg.Headroom, pg.XOn = plan.Of(whole(r.XOff), why.XOff), plan.Of(whole(r.XOn), why.XOn)
		size := whole(r.Size)
		if r.Size > r.XOff { // the headroom is in it
			size = whole(r.Size - r.XOff)
			if !c.apart {
				size += whole(r.XOff)
			}
		}
		pg.Reserved = plan.Of(size, why.Size)
	}
	return &own
}

// pools sizes the pools that the file leaves open.
func (c *calculation) pools(chip *chips.Chip) error {
	constants, err := pool.SpectrumOf(chip)
	if err != nil {
		return err
	}
	lossless := c.losslessPools()
	in := pool.SpectrumInput{Chip: constants, Profiles: c.profiles(lossless), OverSubscribe: c.sw.Calculator.Oversubscribe.Value, Groups: c.groups()}
	ingress := 0
	for i := range c.sw.Pools {
		if p := &c.sw.Pools[i]; p.Direction == plan.Ingress {
			ingress++
			in.HeadroomPool = max(in.HeadroomPool, p.Headroom.Value)
		}
	}
	in.TwoIngressPools = ingress > 1
	sum, err := pool.Spectrum(&in)
	if err != nil {
		return err
	}
	for i := range c.sw.Pools {
		p := &c.sw.Pools[i]
		why := &plan.Why{Kind: plan.Standard, Name: "pool size", Value: sum.Size, ID: pool.SpectrumSource, Note: "computed as the switch does"}
		if p.Size.Why == nil {
			p.Size = plan.Of(sum.Size.FloorTo(constants.Cell), why)
		}
		if p.Direction == plan.Ingress && lossless[p.Name] && p.Headroom.Why == nil && sum.HeadroomPool != 0 {
			p.Headroom = plan.Of(sum.HeadroomPool, why)
		}
	}
	return nil
}

// losslessPools are those that lossless groups draw on, and queues that they feed.
func (c *calculation) losslessPools() map[string]bool {
	found := map[string]bool{}
	for _, qos := range kindsOf(c.sw) {
		for _, pg := range qos.PGs {
			if !pg.Lossless {
				continue
			}
			found[pg.Pool] = true
			for tc, to := range c.sw.Maps.TCToPG {
				for _, q := range qos.Queues {
					if to == pg.ID && q.ID == c.sw.QueuesOf(qos)[tc] && len(c.sw.Maps.DSCPsOf(uint8(tc))) > 0 {
						found[q.Pool] = true
					}
				}
			}
		}
	}
	return found
}

// profiles returns the sizes of profiles that are not lossless: the largest of the ports.
func (c *calculation) profiles(lossless map[string]bool) (sizes pool.SpectrumProfiles) {
	for _, qos := range kindsOf(c.sw) {
		for _, pg := range qos.PGs {
			if !pg.Lossless {
				sizes.IngressLossy = max(sizes.IngressLossy, pg.Reserved.Value)
			}
		}
		for _, q := range qos.Queues {
			if !lossless[q.Pool] {
				sizes.QueueLossy = max(sizes.QueueLossy, q.Reserved.Value)
			}
		}
		for _, p := range qos.Pools {
			switch {
			case !c.egress(p.Pool):
			case lossless[p.Pool]:
				sizes.EgressLossless = max(sizes.EgressLossless, p.Reserved.Value)
			default:
				sizes.EgressLossy = max(sizes.EgressLossy, p.Reserved.Value)
			}
		}
	}
	return sizes
}

func (c *calculation) egress(name string) bool {
	pool := c.sw.Pool(name)
	return pool != nil && pool.Direction == plan.Egress
}

// groups counts ports that are alike.
func (c *calculation) groups() (all []pool.SpectrumGroup) {
	at := map[portSort]int{}
	for i := range c.sw.Ports {
		port := &c.sw.Ports[i]
		if port.QoS == nil {
			continue
		}
		sort := portSort{qos: port.QoS, lanes: len(port.Lanes)}
		k, known := at[sort]
		if !known {
			k = len(all)
			at[sort] = k
			all = append(all, groupOf(port))
		}
		all[k].Ports++
	}
	return all
}

func groupOf(port *plan.Port) pool.SpectrumGroup {
	g := pool.SpectrumGroup{Lanes: len(port.Lanes), Up: true}
	for _, pg := range port.QoS.PGs {
		if pg.Lossless {
			g.LosslessPGs++
			g.XOn, g.XOff, g.Size = pg.XOn.Value, pg.Headroom.Value, pg.Reserved.Value
		}
	}
	return g
}

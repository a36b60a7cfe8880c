package verify

import (
	"fmt"
	"math/bits"
	"slices"

	"github.com/roceplan/roceplan/chips"
	"github.com/roceplan/roceplan/model"
	"github.com/roceplan/roceplan/model/mmu"
	"github.com/roceplan/roceplan/model/proof"
	"github.com/roceplan/roceplan/plan"
)

// sameInputs reports where the figures that a certificate was computed from are not those of its
// file: a digest can be copied. Figures that a file leaves to its device, to the fabric or to the
// caller are not compared. Nothing is proved for them.
func sameInputs(c *proof.Certificate, shape *Shape) (errs []error) {
	if slices.ContainsFunc(shape.Devices, func(name string) bool { return !slices.Contains(c.Switches, name) }) {
		errs = append(errs, fmt.Errorf("the certificate is of %v, but the file is of %v", c.Switches, shape.Devices))
	}
	catalogue, _ := chips.Load()
	chip, ok := catalogue.Find(c.Chip)
	if !ok || c.Model == nil || c.Model.Config == nil {
		return errs // it has no figures of a buffer, or those of a chip that its owner knows
	}
	sw := cloneSwitch(shape.Switch)
	if _, _, err := fillBuffers(sw, chip); err != nil {
		return errs // sizes that only the fabric has
	}
	if onParts(c) {
		sw = ofParts(sw, chip)
	}
	for i := range sw.Ports { // which of a pair's ports lead to servers, to which less goes, the fabric may have said
		sw.Ports[i].Server = true
	}
	file, err := model.NewSwitch(sw, chip, func(*plan.Port) plan.Assumed { return plan.Assumed{} })
	if err != nil {
		return errs
	}
	if c.Model.Config.CellBytes != file.Config.CellBytes {
		errs = append(errs, fmt.Errorf("cells of the certificate have %v, and those of %s %v", c.Model.Config.CellBytes, chip.Title, file.Config.CellBytes))
	}
	if c.Model.Config.Rules != file.Config.Rules {
		errs = append(errs, fmt.Errorf("the certificate is of a chip with other rules than %s: %+v, and not %+v", chip.Title, c.Model.Config.Rules, file.Config.Rules))
	}
	ports := map[string]int{}
	for i := range c.Model.Ports {
		ports[c.Model.Ports[i].Name] = i
	}
	for i := range shape.Switch.Ports {
		port := &shape.Switch.Ports[i]
		k, ok := ports[port.Name]
		if !ok || k >= len(c.Model.Config.Ports) {
			errs = append(errs, fmt.Errorf("the file has the port %s, but the certificate lacks it", port.Name))
			continue
		}
		errs = append(errs, samePort(port, c.Model, k, file, i)...)
		errs = append(errs, sameQueues(port, c.Model, k, file, i, ports)...)
	}
	return append(errs, samePools(shape.Switch, c.Model, file)...)
}

// samePort compares a port of a certificate with that of the file.
func samePort(port *plan.Port, c *model.Switch, k int, file *model.Switch, i int) (errs []error) {
	differ := func(what string, certified, read any) {
		if certified != read {
			errs = append(errs, fmt.Errorf("%s of %s is %v in the certificate, but %v in the file", what, port.Name, certified, read))
		}
	}
	was, now := &c.Ports[k], &file.Ports[i]
	if port.Speed != 0 {
		differ("the rate", was.Link.Rate, port.Speed)
	}
	if port.MTU != 0 {
		differ("the largest frame", was.Link.PortFrame, now.Link.PortFrame)
	}
	if port.QoS == nil {
		return errs
	}
	differ("which groups PFC pauses", was.Pausable, now.Pausable)
	for _, pg := range port.QoS.PGs {
		id := int(pg.ID)
		if !pg.Lossless || id >= len(c.Config.Ports[k].PGs) || id >= len(file.Config.Ports[i].PGs) {
			continue
		}
		a, b := &c.Config.Ports[k].PGs[id], &file.Config.Ports[i].PGs[id]
		group := fmt.Sprintf(" of priority group %d", id)
		if pg.Pool != "" {
			differ("the pool"+group, poolOf(c.Config, a), poolOf(file.Config, b))
		}
		if pg.Headroom.Why != nil {
			differ("the headroom"+group, a.HeadroomCells, b.HeadroomCells)
		}
		if pg.Limit.Why != nil {
			was, now := a.Limit, b.Limit
			was.Code, now.Code = mmu.Code{}, mmu.Code{} // which is the chip's
			differ("the threshold"+group, was, now)
		}
		if pg.Reserved.Why != nil {
			differ("the reserve"+group, a.ReservedCells, b.ReservedCells)
		}
		if pg.XOn.Why != nil {
			differ("the resume level"+group, a.XonCells, b.XonCells)
		}
		if pg.XOnOffset.Why != nil {
			differ("the resume offset"+group, a.XonOffsetCells, b.XonOffsetCells)
		}
	}
	return errs
}

// sameQueues demands that the lossless groups of a port of a certificate feed all queues that they feed by
// the file: ports are those of the certificate by name. Each group has one error.
func sameQueues(port *plan.Port, c *model.Switch, k int, file *model.Switch, i int, ports map[string]int) (errs []error) {
	if port.QoS == nil {
		return nil
	}
	for _, pg := range port.QoS.PGs {
		id := int(pg.ID)
		if !pg.Lossless || id >= mmu.MaxPGs {
			continue
		}
		for out := range file.Ports {
			to, ok := ports[file.Ports[out].Name]
			if lacking := file.Feeds(i, id, out) &^ c.Feeds(k, id, to); ok && lacking != 0 {
				errs = append(errs, fmt.Errorf("priority group %d of %s feeds queue %d of %s in the file, but not in the certificate", id, port.Name, bits.TrailingZeros16(lacking), file.Ports[out].Name))
				break
			}
		}
	}
	return errs
}

// poolOf returns the name of the pool of a priority group; a certificate may point anywhere.
func poolOf(c *mmu.Config, pg *mmu.PG) string {
	if pg.Pool < 0 || pg.Pool >= len(c.IngressPools) {
		return ""
	}
	return c.IngressPools[pg.Pool].Name
}

// samePools compares pools of headroom that the file sizes.
func samePools(sw *plan.Switch, c, file *model.Switch) (errs []error) {
	for _, pool := range sw.Pools {
		if pool.Headroom.Why == nil {
			continue
		}
		for _, now := range file.Config.IngressPools {
			for _, was := range c.Config.IngressPools {
				if now.Name == pool.Name && was.Name == pool.Name && was.HeadroomCells != now.HeadroomCells {
					errs = append(errs, fmt.Errorf("the headroom of %s is %v for each part of the buffer in the certificate, but %v in the file", pool.Name, was.HeadroomCells, now.HeadroomCells))
				}
			}
		}
	}
	return errs
}

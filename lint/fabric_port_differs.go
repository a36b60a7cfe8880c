package lint

import (
	"fmt"
	"slices"
	"strings"

	"github.com/roceplan/roceplan/plan"
	"github.com/roceplan/roceplan/units"
)

// fabricPortDiffers compares what a port is.
func fabricPortDiffers(c *comparison, got, want *plan.Port) {
	switch {
	case got.Speed != want.Speed:
		c.errorf(FabricPortDiffers, got.Range, "%s runs at %v, but in the fabric at %v", got.Name, got.Speed, want.Speed)
	case got.MTU != want.MTU && want.MTU != 0:
		c.errorf(FabricPortDiffers, first(got.MTURange, got.Range), "%s accepts frames of %v, but in the fabric of %v", got.Name, got.MTU, want.MTU)
	case got.Cable != want.Cable:
		c.errorf(FabricPortDiffers, first(got.CableRange, got.Range), "%s has a cable of %v, but in the fabric of %v", got.Name, got.Cable, want.Cable)
	case len(got.Lanes) > 0 && len(want.Lanes) > 0 && !slices.Equal(got.Lanes, want.Lanes):
		c.errorf(FabricPortDiffers, got.Range, "%s has the lanes %v, but in the fabric %v", got.Name, got.Lanes, want.Lanes)
	case want.FEC == "rs" && (got.FEC == "none" || got.FEC == "fc"): // auto chooses what the link needs
		c.errorf(FabricPortDiffers, got.Range, "%s has FEC %q, but in the fabric %q", got.Name, got.FEC, want.FEC)
	case want.FEC == "rs" && got.FEC == "":
		c.found.Warnf(FabricPortDiffers, first(got.Range, c.got.Range), "the file gives no FEC for %s, so the platform chooses it, but the fabric has %q", got.Name, want.FEC).
			Fixf("give the port the FEC of the fabric")
	case want.Routed && !got.Routed:
		c.errorf(FabricPortDiffers, got.Range, "%s switches packets, but in the fabric it routes them", got.Name)
	case want.Cage.Mode != "" && got.Cage.Mode != "" && got.Cage.Mode != want.Cage.Mode:
		c.errorf(FabricPortDiffers, got.Range, "%s is in a cage of %s, but in the fabric in one of %s", got.Name, got.Cage.Mode, want.Cage.Mode)
	case got.Cage.Port == got.Name && !offers(got.Cage.Mode, got.Speed):
		c.errorf(FabricPortDiffers, got.Range, "%s runs at %v, but is in a cage of %s, which has no port of that speed", got.Name, got.Speed, got.Cage.Mode)
	}
}

// offers reports whether a breakout mode such as 2x200G[100G,50G] has ports of a speed.
func offers(mode string, speed units.BitRate) bool {
	rates := strings.FieldsFunc(mode, func(r rune) bool { return strings.ContainsRune("x[],()+", r) })
	return mode == "" || speed%units.Gbps != 0 || slices.Contains(rates, fmt.Sprintf("%dG", speed/units.Gbps))
}

// fabricPorts reports ports that are only in one of the two.
func fabricPorts(c *comparison, ports map[string]*plan.Port) {
	for i := range c.want.Ports {
		if name := c.want.Ports[i].Name; ports[name] == nil {
			c.errorf(FabricPortDiffers, c.got.Range, "port %s of the fabric is not in the file", name)
		}
	}
	want := c.want.PortsByName()
	for i := range c.got.Ports {
		if p := &c.got.Ports[i]; want[p.Name] == nil && p.QoS != nil {
			c.errorf(FabricPortDiffers, p.Range, "port %s has QoS, but is not in the fabric", p.Name)
		}
	}
}

package chips

import "github.com/roceplan/roceplan/units"

// A Layout describes the ports that a HwSKU makes of the cages of its box.
type Layout struct {
	HwSKU string
	Ports []BoxPort // in the order of its port_config.ini
	// Flexible says that a hwsku.json names the breakout of each cage, so that the configuration may
	// break cages out otherwise: sonic-utilities, config interface breakout.
	Flexible bool
	// Default is set where the box is used as this HwSKU by default.
	Default bool
}

// Layouts returns the layouts of the HwSKUs of a switch's box, which is named by its platform or else
// by its HwSKU, in the order of their names; HwSKUs without ports in sonic-buildimage are left out.
func (c *Catalogue) Layouts(platform, hwsku string) (all []Layout) {
	b, ok := c.Box(platform)
	if !ok && platform == "" {
		if boxes := c.BoxesOf(hwsku); len(boxes) > 0 {
			b, ok = boxes[0], true
		}
	}
	if !ok {
		return nil
	}
	for _, name := range b.HwSKUs {
		if sku := c.sku(b, name); sku != nil && len(sku.rows) > 0 {
			all = append(all, Layout{name, sku.rows, len(sku.breakout) > 0, name == b.Default})
		}
	}
	return all
}

// Port finds a port by its name.
func (l *Layout) Port(name string) (*BoxPort, bool) {
	for i := range l.Ports {
		if l.Ports[i].Name == name {
			return &l.Ports[i], true
		}
	}
	return nil, false
}

// Makes reports whether the layout has a port of that name with so many lanes, which may be as
// fast. A port may be slower than its row says, and any speed fits a row that says none.
func (l *Layout) Makes(name string, lanes int, speed units.BitRate) bool {
	row, ok := l.Port(name)
	return ok && len(row.Lanes) == lanes && (row.Speed == 0 || speed <= row.Speed)
}

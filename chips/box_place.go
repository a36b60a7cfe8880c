package chips

import (
	"slices"
	"strconv"
	"strings"
)

// A boxView is a box as one switch uses it: its cages, and the ports that its HwSKU makes
// of them.
type boxView struct {
	box      *Box
	cages    []boxCage
	rows     []BoxPort
	breakout map[string]string // mode by cage
}

// view returns the box of a switch, nil where sonic-buildimage has none. Without a HwSKU
// it is used as its default. Of boxes that share a HwSKU the first is taken.
func (c *Catalogue) view(platform, hwsku string) *boxView {
	box, ok := c.Box(platform)
	if !ok {
		if boxes := c.BoxesOf(hwsku); platform == "" && len(boxes) > 0 {
			box, ok = boxes[0], true
		}
	}
	if !ok {
		return nil
	}
	v := &boxView{box: box, cages: box.read().cages, breakout: map[string]string{}}
	if hwsku == "" && len(v.cages) == 0 {
		hwsku = box.Default
	}
	for _, name := range box.spelling(hwsku) {
		if sku := c.sku(box, name); sku != nil {
			v.rows = append(v.rows, sku.rows...)
			for cage, mode := range sku.breakout {
				v.breakout[cage] = mode
			}
		}
	}
	return v
}

// row finds the port as the HwSKU makes it, if the fabric uses it so.
func (v *boxView) row(port string, use Use) (Place, bool) {
	i := slices.IndexFunc(v.rows, func(r BoxPort) bool { return r.Name == port })
	if i < 0 {
		return Place{}, false
	}
	r := &v.rows[i]
	at := Place{Parent: r.Name, Lanes: r.Lanes, Alias: r.Alias, Index: r.Index}
	parts := 1
	if cage := v.holding(r.Lanes[0]); cage != nil {
		mode, ok := v.modeOf(cage, r)
		if ok {
			at.Parent, at.Mode, parts = cage.port, mode.Text, mode.Ports
		}
		if parts > 1 {
			at.Subport = slices.Index(cage.lanes, r.Lanes[0])/len(r.Lanes) + 1
		}
	} else if v.named(r.Name) != nil {
		at.Parent = "" // the cage of its name has other lanes, and platform.json none with these
	}
	slower := r.Speed == 0 || use.Speed < r.Speed && len(v.cages) == 0
	if use.Lanes != 0 && use.Lanes != len(r.Lanes) || use.Ports != 0 && use.Ports != parts || use.Speed != r.Speed && !slower {
		return Place{}, false
	}
	return at, true
}

// modeOf returns the mode in which the cage is used for the row.
func (v *boxView) modeOf(cage *boxCage, r *BoxPort) (Breakout, bool) {
	fits := func(b Breakout) bool {
		return b.lanesOfPart(len(cage.lanes)) == len(r.Lanes) && (r.Speed == 0 || slices.Contains(b.Speeds, r.Speed))
	}
	if b, ok := parseBreakout(v.breakout[cage.port]); ok && fits(b) {
		return b, true
	}
	for _, m := range cage.modes {
		if fits(m.Breakout) {
			return m.Breakout, true
		}
	}
	return Breakout{}, false
}

// holding returns the cage that a lane belongs to.
func (v *boxView) holding(lane int) *boxCage {
	for i := range v.cages {
		if slices.Contains(v.cages[i].lanes, lane) {
			return &v.cages[i]
		}
	}
	return nil
}

// place finds a port in the cages, as [Platform.Place] does.
func (v *boxView) place(p *Platform, port string, use Use) (Place, error) {
	cage, before := v.cageOf(port)
	if cage == nil {
		for _, r := range v.rows {
			if r.Name == port {
				return Place{}, &NotAMode{Platform: p, Parent: port, Known: []Breakout{r.asMode()}}
			}
		}
		return Place{}, &NotAPort{Platform: p, Port: port}
	}
	mode, ok := cage.mode(use)
	if !ok {
		return Place{}, &NotAMode{Platform: p, Parent: cage.port, Known: cage.known()}
	}
	lanes := mode.lanesOfPart(len(cage.lanes))
	if lanes == 0 || before%lanes != 0 || before/lanes >= mode.Ports {
		return Place{}, &NotAPort{p, port, cage.port, lanes, cage.known()}
	}
	at := Place{Parent: cage.port, Mode: mode.Text, Index: cage.index, Lanes: cage.lanes[before : before+lanes]}
	if mode.Ports > 1 {
		at.Subport = before/lanes + 1
	}
	if part := before / lanes; part < len(mode.aliases) {
		at.Alias = mode.aliases[part]
	}
	return at, nil
}

// cageOf finds the cage that a port is in, and the number of its lanes before it.
func (v *boxView) cageOf(port string) (*boxCage, int) {
	number, err := strconv.Atoi(strings.TrimPrefix(port, portPrefix))
	for i := range v.cages {
		cage := &v.cages[i]
		if cage.port == port {
			return cage, 0
		}
		first, err2 := strconv.Atoi(strings.TrimPrefix(cage.port, portPrefix))
		if err == nil && err2 == nil && number > first && number < first+len(cage.lanes) && v.named(port) == nil {
			return cage, number - first
		}
	}
	return nil, 0
}

// named returns the cage that is called by the port's own name.
func (v *boxView) named(port string) *boxCage {
	for i := range v.cages {
		if v.cages[i].port == port {
			return &v.cages[i]
		}
	}
	return nil
}

// mode finds how the cage is used. Where nothing says otherwise it is one port.
func (c *boxCage) mode(use Use) (boxMode, bool) {
	parts := use.Ports
	if parts == 0 && use.Lanes == 0 {
		parts = 1
	}
	for _, m := range c.modes {
		if (parts == 0 || m.Ports == parts) && (use.Lanes == 0 || m.lanesOfPart(len(c.lanes)) == use.Lanes) && slices.Contains(m.Speeds, use.Speed) {
			return m, true
		}
	}
	return boxMode{}, false
}

func (c *boxCage) known() []Breakout {
	all := make([]Breakout, len(c.modes))
	for i, m := range c.modes {
		all[i] = m.Breakout
	}
	return all
}

// asMode returns the row as a mode.
func (r *BoxPort) asMode() Breakout {
	text := "as it is"
	if r.Speed != 0 {
		text = "1x" + r.Speed.PortSpeed()
	}
	return Breakout{Text: text, Ports: 1}
}

// called finds the port that has the label.
func (v *boxView) called(label string) (port string, ok bool) {
	for _, r := range v.rows {
		if r.Alias == label {
			return r.Name, true
		}
	}
	for _, c := range v.cages {
		for _, m := range c.modes {
			if m.Ports == 1 && len(m.aliases) == 1 && m.aliases[0] == label {
				return c.port, true
			}
		}
	}
	return "", false
}

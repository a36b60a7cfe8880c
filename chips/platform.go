package chips

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/roceplan/roceplan/diag"
	"github.com/roceplan/roceplan/units"
)

// A Platform is a box around a chip: how its cages are wired to the serdes of the chip,
// and what SONiC calls the ports.
type Platform struct {
	Name  string // "sn5600"
	Title string // as a person says it: "NVIDIA SN5600"
	// ChipAssumed is set where no source says that the platform has Chip.
	ChipAssumed bool
	Chip        string   // canonical name in the catalogue
	Names       []string // values of `platform` of a switch: ONIE names, "x86_64-nvidia_sn5600-r0"
	HwSKUs      []string // values of `hwsku` where `platform` is left out
	Cages       []*Cages // in the order of the file
	Range       diag.Range

	own  bool     // roceplan's
	view *boxView // the box as sonic-buildimage has it; nil: it has not
}

// Cages are the cages of a box that are of one kind.
type Cages struct {
	Name      string // "osfp"
	Lanes     int    // serdes lanes of each
	FirstPort int    // number of the first: 0 for Ethernet0
	// Step is the difference between the numbers of two neighbouring cages; a split port is called
	// by its cage's number and the first of its lanes, so it is at least Lanes where cages split.
	Step       int
	FirstIndex int // of the first cage, as printed on the box: 1
	// FirstLanes is the number of the first lane of each cage. Its length is the number
	// of cages.
	FirstLanes Datum[[]int]
	// Alias and PartAlias are the labels of a whole cage and of a part of it. {cage} is the index,
	// {part} for the part from 1 on, {letter} for the same as a letter, {lane} for its first lane
	// within the cage from 1 on.
	Alias     Datum[string]
	PartAlias Datum[string]
	// Breakouts are the ways in which a cage may be used.
	Breakouts Datum[[]Breakout]
	Range     diag.Range
}

// A Breakout is a way in which a cage is used, as SONiC's platform.json spells it:
// "2x400G[200G,100G]" is two ports of 400G, which may also run at 200G or 100G; in
// "4x25G(4)" four of the lanes are used.
type Breakout struct {
	Text   string
	Ports  int
	Speeds []units.BitRate // the first one is the usual one
	Lanes  int             // of the cage; 0: all
}

func (b Breakout) String() string { return b.Text }

// lanesOfPart returns the number of lanes that each port has in a cage of so many.
func (b Breakout) lanesOfPart(cage int) int {
	if b.Lanes != 0 {
		cage = b.Lanes
	}
	return cage / b.Ports
}

// A Place is the position of a port in the box.
type Place struct {
	Parent  string // port by which the cage is called: "Ethernet0"
	Mode    string // of the cage, "2x400G[200G,100G]"; empty where the catalogue lists none
	Subport int    // 0 for the whole cage, else from 1 on
	Lanes   []int
	Alias   string // may be empty
	Index   int
}

// A Use is a fabric's description of a port, except its name. A zero is unset.
type Use struct {
	Ports int // that its cage is split into
	Lanes int // that it has
	Speed units.BitRate
}

// portPrefix begins the name of every front-panel port of SONiC (sonic-config-engine portconfig.py,
// PORT_STR).
const portPrefix = "Ethernet"

// NotAPort is the error of a name that the box has not.
type NotAPort struct {
	Platform *Platform
	Port     string
	Parent   string // the cage in which it would be, with Lanes for each of its ports
	Lanes    int
	Modes    []Breakout // the possible uses of the cage
}

// Split returns the way to divide the cage into ports of a speed, as a fabric says it: "4x25G".
func (e *NotAPort) Split(speed units.BitRate) (breakout string, ok bool) {
	for _, b := range e.Modes {
		if b.Ports > 1 && slices.Contains(b.Speeds, speed) {
			return fmt.Sprintf("%dx%dG", b.Ports, speed/units.Gbps), true
		}
	}
	return "", false
}

func (e *NotAPort) Error() string {
	if e.Parent != "" {
		return fmt.Sprintf("%s has no port %s where the ports of %s have %d lanes each", e.Platform.Title, e.Port, e.Parent, e.Lanes)
	}
	return fmt.Sprintf("%s has no port %s", e.Platform.Title, e.Port)
}

// NotAMode is the error of a way to use a cage that the box has not.
type NotAMode struct {
	Platform *Platform
	Parent   string
	Known    []Breakout
	Fact     *Fact
}

func (e *NotAMode) Error() string {
	return fmt.Sprintf("%s of %s cannot be used so", e.Parent, e.Platform.Title)
}

// Place finds a port. The error is *NotAPort or *NotAMode.
//
// Names, lanes and labels of split ports follow sonic-config-engine portconfig.py,
// BreakoutCfg.get_config: the lanes are dealt out in order, and a port is called by the
// number of its cage plus the number of lanes before it.
//
// A port that the HwSKU's port_config.ini has as the fabric uses it is as that file says.
func (p *Platform) Place(port string, use Use) (Place, error) {
	if p.view != nil {
		if at, ok := p.view.row(port, use); ok {
			return at, nil
		}
		if len(p.Cages) == 0 {
			return p.view.place(p, port, use)
		}
	}
	number, err := strconv.Atoi(strings.TrimPrefix(port, portPrefix))
	c, cage := p.cageOf(number)
	if err != nil || !strings.HasPrefix(port, portPrefix) || c == nil {
		return Place{}, &NotAPort{Platform: p, Port: port}
	}
	base := c.FirstPort + cage*c.Step
	parent := portPrefix + strconv.Itoa(base)
	mode, ok := c.mode(use)
	if !ok {
		return Place{}, &NotAMode{p, parent, c.Breakouts.Or(nil), c.Breakouts.Fact()}
	}
	lanes, before := mode.lanesOfPart(c.Lanes), number-base
	if before%lanes != 0 || before/lanes >= mode.Ports {
		return Place{}, &NotAPort{p, port, parent, lanes, c.Breakouts.Or(nil)}
	}
	place := Place{Parent: parent, Mode: mode.Text, Index: c.FirstIndex + cage}
	for i := range lanes {
		place.Lanes = append(place.Lanes, c.FirstLanes.Or(nil)[cage]+before+i)
	}
	if mode.Ports > 1 {
		place.Subport = before/lanes + 1
	}
	place.Alias = c.alias(place, before)
	return place, nil
}

// cageOf finds the cage that a number belongs to: whose it is, or one of whose parts.
func (p *Platform) cageOf(number int) (*Cages, int) {
	for _, c := range p.Cages {
		cage := (number - c.FirstPort) / c.Step
		if number >= c.FirstPort && cage < c.Count() {
			return c, cage
		}
	}
	return nil, 0
}

// mode finds how the cage is used. Where nothing says otherwise it is one port.
func (c *Cages) mode(use Use) (Breakout, bool) {
	if c.Breakouts.Fact() == nil {
		return c.assumedMode(use)
	}
	for _, b := range c.Breakouts.Or(nil) {
		parts := use.Ports
		if parts == 0 && use.Lanes == 0 {
			parts = 1
		}
		if (parts == 0 || b.Ports == parts) && (use.Lanes == 0 || b.lanesOfPart(c.Lanes) == use.Lanes) && slices.Contains(b.Speeds, use.Speed) {
			return b, true
		}
	}
	return Breakout{}, false
}

// assumedMode deals out all lanes of a cage of which no list says how it may be used.
func (c *Cages) assumedMode(use Use) (Breakout, bool) {
	ports := max(use.Ports, 1)
	if use.Ports == 0 && use.Lanes != 0 {
		ports = c.Lanes / use.Lanes
	}
	if ports == 0 || c.Lanes%ports != 0 {
		return Breakout{}, false
	}
	return Breakout{Ports: ports}, true
}

func (c *Cages) alias(at Place, before int) string {
	template := c.Alias
	if at.Subport > 0 {
		template = c.PartAlias
	}
	return strings.NewReplacer(
		"{cage}", strconv.Itoa(at.Index), "{part}", strconv.Itoa(at.Subport),
		"{letter}", string(rune('a'+max(at.Subport-1, 0))), "{lane}", strconv.Itoa(before+1),
	).Replace(template.Or(""))
}

// Called finds the port that has the label, where the cages are not split.
func (p *Platform) Called(label string) (port string, ok bool) {
	if p.view != nil {
		if port, ok := p.view.called(label); ok {
			return port, true
		}
	}
	for _, c := range p.Cages {
		for cage := range c.Count() {
			if c.alias(Place{Index: c.FirstIndex + cage}, 0) == label {
				return portPrefix + strconv.Itoa(c.FirstPort+cage*c.Step), true
			}
		}
	}
	return "", false
}

// Count returns the number of the cages.
func (c *Cages) Count() int { return len(c.FirstLanes.Or(nil)) }

// Facts returns the known data of the cages in the order of the schema.
func (c *Cages) Facts() []FactRow { return factsOf(cageRows(c)) }

// Package adopt writes the fabric file of switches that run: from their configuration, and
// from what is known of their cables.
//
// A fabric file says what a fabric is, and compile derives the rest. [Import] compiles the text
// that it writes, reads the result with the readers of the files, and compares. It leaves out what
// compile derives as the files have it. It gives what compile derives otherwise, where the language
// has an attribute for all ports, and pins it elsewhere. A value that can be neither derived nor
// given nor pinned is a finding at the line of the file, and a comment in the text.
//
// Nothing is invented. A chip or a speed that is in no file is a variable without a value. A length
// is an empty cell of the table of cables, next to the longest one that the existing headroom
// allows; that bound is not a length, since a proof must not rest on what it is to prove.
package adopt

import (
	"cmp"
	"slices"

	"github.com/roceplan/roceplan/cabling"
	"github.com/roceplan/roceplan/chips"
	"github.com/roceplan/roceplan/diag"
	"github.com/roceplan/roceplan/emit"
	"github.com/roceplan/roceplan/plan"
	"github.com/roceplan/roceplan/units"
)

// Options are what configuration does not say.
type Options struct {
	Name      string // of the fabric
	Catalogue *chips.Catalogue
	Targets   []emit.Target // that compile can write
	Chips     []Choice      // the first that fits counts, before what files say
	Sightings []cabling.Sighting
	// LosslessFrame is declared to be the largest frame of lossless classes; 0: the MTU counts.
	LosslessFrame units.Bytes
	// AdoptSafe leaves out pinned values whose change to what is derived is proved harmless: without
	// them no obligation of the proof and no inequality is worse.
	AdoptSafe bool
}

// A Result is a fabric file, and the files that it refers to.
type Result struct {
	HCL    []byte
	Cables []byte // CablesFile; nil: not needed
	Table  []byte // TableFile; nil: not needed
	// Holes are variables without a value, each with what it is.
	Holes []Hole
	// OpenCables is how many rows of Cables have no length.
	OpenCables int
	// Pinned is how many lines have what runs and compile would not derive: pins, and headroom of a fabric that
	// runs.
	Pinned int
	// Adopted is how many values compiling gives otherwise than they run, since AdoptSafe left out pins. Each counts once for a
	// block of switches, on however many ports it was.
	Adopted int
	// Equal is set where compiling gives what was read but for what was adopted, and refuses nothing.
	Equal bool
	Found diag.List
}

// A Hole is a variable whose value no file has.
type Hole struct{ Variable, About string }

// Import writes the fabric of shapes that were gathered.
func Import(shapes []*Shape, o Options) *Result {
	im := &importer{
		Options: o, shapes: shapes,
		ports: map[plan.LinkEnd]*plan.Port{}, seen: map[plan.LinkEnd]cabling.Link{},
	}
	for _, s := range shapes {
		im.found = append(im.found, s.Found...)
		if len(s.Said.Ports) == 0 && s.Format.Name != "" {
			im.found.Errorf(NothingToImport, diag.Top(s.File), "this file names no port of a switch, so %s is not in the fabric", s.Names[0]).Fixf("give the whole configuration")
			im.noteStatements(s)
		}
	}
	im.wire()
	im.blocksOf()
	if len(im.blocks) == 0 {
		if len(im.found) == 0 {
			im.found.Errorf(NothingToImport, diag.Range{}, "no file names a port of a switch").Fixf("give a folder with whole configurations")
		}
		return &Result{Found: im.found.Sorted()}
	}
	im.draw()
	im.fit()
	im.pin()
	im.plainPorts()
	im.portMTUs()
	im.rewriteClasses()
	im.leaveBuffers()
	im.keep(func(s *sketch) { s.running = false }, func(new, old trial) bool { return new.score() <= old.score() })
	im.equal = im.last.plan != nil && im.last.score() == 0 && !slices.ContainsFunc(im.blocks, func(b *block) bool { return b.chip == nil })
	if im.AdoptSafe && !im.last.skipped {
		im.adoptSafe()
	}
	im.bounds()
	im.note()
	return im.result()
}

type importer struct {
	Options
	sketch
	shapes []*Shape
	ports  map[plan.LinkEnd]*plan.Port
	seen   map[plan.LinkEnd]cabling.Link // by either end
	links  []cabling.Link                // within the fabric
	found  diag.List

	last    trial // that was kept
	tried   trial
	refused []refusal
	equal   bool // before anything was adopted
	adopted int
}

// draw fills the sketch with all that files say.
func (im *importer) draw() {
	im.name = im.Name
	im.give = give{alpha: true, watchdog: true}
	im.classes = classesOf(im.shapes, im.reserves)
	im.layOut()
	for _, c := range im.classes {
		c.timed(im.blocks)
		c.bySpeed(im.blocks)
	}
	im.measureFabric()
}

// layOut divides ports into groups and finds their wiring.
func (im *importer) layOut() {
	im.blockOf = map[string]*block{}
	for _, b := range im.blocks {
		for _, name := range b.shape.Names {
			im.blockOf[name] = b
		}
	}
	for _, b := range im.blocks {
		im.groupPorts(b)
	}
	im.nics = nicsOf(im.blocks)
	for i := range im.nics {
		model, _ := im.Catalogue.NIC(im.nics[i].name)
		im.nics[i].model = model.Name
	}
	im.wiring()
	im.shareLengths()
}

// measureFabric takes what holds for the whole fabric.
func (im *importer) measureFabric() {
	var frames tally[units.Bytes]
	var watchdogs tally[plan.Watchdog]
	var balancing tally[string]
	for _, s := range im.shapes {
		sw := s.Said
		for i := range sw.Ports {
			if mtu := carried(s.Format.Name, sw.Ports[i].MTU); mtu > 0 {
				frames.add(mtu, len(s.Names))
			}
		}
		balancing.add(sw.LoadBalancing, len(s.Names))
		if w := sw.Watchdog; w != nil {
			watchdogs.add(plan.Watchdog{Detection: plan.Of(w.Detection.Value, nil), Restoration: plan.Of(w.Restoration.Value, nil), Poll: plan.Of(w.Poll.Value, nil), Action: w.Action}, len(s.Names))
		}
		if c := sw.Calculator; c != nil {
			if frame := c.LosslessFrame.Value; frame > 0 {
				im.losslessFrame = frame
			}
			if c.SmallPackets.Why != nil {
				share := c.SmallPackets.Value
				im.smallPackets = &share
			}
		}
		if sw.Marking != nil && im.marking == nil {
			im.marking = sw.Marking
		}
	}
	im.mtu, _ = frames.usual()
	im.losslessFrame = cmp.Or(im.Options.LosslessFrame, im.losslessFrame)
	im.loadBalancing, _ = balancing.usual()
	if w, ok := watchdogs.usual(); ok {
		im.watchdog = &w
	}
}

// shareLengths makes a variable of a length that both ends of a clos have.
func (im *importer) shareLengths() {
	im.shared = nil
	for _, c := range im.clos {
		if c.lower.cable > 0 && c.lower.cable == c.upper.cable {
			v := variable{variableName(c.name + "_cable"), c.lower.cable, "length of the cables between " + c.lower.block.ref() + " and " + c.upper.block.ref()}
			im.shared = append(im.shared, v)
			c.lower.cableVar, c.upper.cableVar = v.name, v.name
		}
	}
}

package adopt

import (
	"github.com/roceplan/roceplan/chips"
	"github.com/roceplan/roceplan/plan"
	"github.com/roceplan/roceplan/units"
)

// A sketch is a fabric file before it is text: the values that are written, and those among them
// that compile would derive.
type sketch struct {
	name          string
	mtu           units.Bytes
	losslessFrame units.Bytes // 0: not said
	loadBalancing string      // empty: not said
	smallPackets  *units.Ratio
	delays        delays      // of the fabric; zero: not said
	method        string      // headroom_method; empty: not said
	table         []byte      // of method "table"
	margin        units.Ratio // headroom_margin; 0: not said
	sharing       int         // headroom_sharing, in groups; 0: not said
	classes       []*class
	marking       *plan.Marking
	watchdog      *plan.Watchdog // nil: off
	nics          []nic
	blocks        []*block
	blockOf       map[string]*block // by device
	clos          []clos
	rows          []cable // of the table of cables
	shared        []variable
	// unlike are the ports that do not mark as the text makes them: their groups say how.
	unlike map[*plan.Port]bool
	pins   map[*Shape]pinned

	rewrite plan.Rewrite // of classes, on all ports

	running bool // values that break an inequality are as they run

	give // written though compile might derive it
}

// give says which attributes are written.
type give struct {
	alpha    bool
	curves   curveForm
	watchdog bool
	lanes    bool // aliases and lanes
	indices  bool // index_list is written
	rooms    bool // headroom of each port group
	lossy    bool // pools of lossy queues
	groups   bool // thresholds of lossy priority groups
	onePool  bool // one pool accounts all queues
	fec      bool // of port groups
	fills    bool // marking by fill, of classes
	device   bool // buffers are left to the device
	strict   bool // classes without a schedule are strict, above those that share by weight
	mtus     bool // of port groups that differ from the fabric
	bare     bool // marking and caps are left out: they are pinned
}

// curveForm is how marking is written.
type curveForm uint8

const (
	curvesInBytes curveForm = iota
	curvesInTime
	curvesDerived // by the delays of the fabric
)

// delays are the queueing delays between which marking grows.
type delays struct{ expected, tolerable units.Time }

// A class is a traffic_class block.
type class struct {
	plan.Class
	rest      bool
	scheduler plan.Scheduler
	unweighed bool // no file gives it a weight
	// byPriority is set where no file gives it a code point.
	byPriority bool
	alpha      *units.Alpha
	curve      *plan.ECN // the usual one; nil: nothing is marked, or by fill
	byFill     bool      // it marks by fill
	fill       plan.Levels
	curvesAt   []curveAt // of ports of a speed that have another one
	delays     delays    // that give all of its curves; zero: there are none

	sentBackAs *class  // in which a switch of a pair sends its packets back; nil: they stay
	sentBack   bool    // it is such a class
	kept       []uint8 // code points that stay outside of a tunnel
}

// curveAt is the usual curve of ports of a speed.
type curveAt struct {
	speed units.BitRate
	curve
}

// curve is how a queue marks.
type curve struct {
	kmin, kmax units.Bytes
	pmax       units.Ratio
}

type nic struct{ name, model string }

// A block is a switch block.
type block struct {
	shape    *Shape   // the first of them
	shapes   []*Shape // devices that differ in lengths of cables and what follows from them
	label    string
	names    []string // patterns; empty: the label
	chip     *chips.Chip
	role     string
	groups   []*group
	notes    []string // what could not be carried
	chipHole string   // variable that has to name the chip; empty: it is known
}

// A group is a port_group block.
type group struct {
	groupKey
	block     *block
	name      string
	ports     []*plan.Port
	speedHole string
	cable     units.Length // 0: not the same for all, or not known
	rows      bool         // the table of cables says the lengths
	cableVar  string
	medium    string
	bound     units.Length // longest cable that the present headroom allows
	unbound   bool         // nothing bounds it, or it is not known
}

// A groupKey is what ports of one group have in common.
type groupKey struct {
	speed             units.BitRate // 0: not known
	lanes             int           // of ports whose speed is not known; 0: nor are these
	lossless, marking bool
	routed            bool   // of formats that have it
	sentBack          bool   // what is sent back passes
	breakout          int    // ports per cage; 0: not split
	nic               string // peer
	to                *block // peer
	headroom          units.Bytes
	mtu               units.Bytes // 0: that of the fabric, or not said
	curves            string      // of all queues; empty: as the classes say
	ownQueues         bool        // ports of the switch have several maps of queues, and leave is that of these
	leave             [8]uint8
}

// A clos is a clos block.
type clos struct {
	name         string
	lower, upper *group
	perPair      int
}

// A cable is a row of the table of cables.
type cable struct {
	a, b   plan.LinkEnd
	length units.Length // 0: to be filled in
	most   string       // what the present headroom allows
}

// A variable is a length that several groups share.
type variable struct {
	name   string
	length units.Length
	about  string
}

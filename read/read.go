// Package read says what every reader of configuration returns: the switch, what is
// wrong with the file, and a ledger in which every statement of the file is accounted
// for.
//
// A reader is a package below this one with a function Format() [Format]. It is the twin of an
// [github.com/roceplan/roceplan/emit.Target]: the one writes a file, the other reads it back, also
// where roceplan did not write it.
package read

import (
	"bytes"
	"strings"

	"github.com/roceplan/roceplan/diag"
	"github.com/roceplan/roceplan/plan"
	"github.com/roceplan/roceplan/units"
)

// A Format is one language of configuration files.
type Format struct {
	Name  string // as the target that writes it: "sonic"
	Title string // as people call it: "SONiC"
	// Files are names under which such files are in a folder that is called like the device:
	// "config_db.json".
	Files []string
	// Recognize returns the part of head that shows that a file which begins so is of this format;
	// nil: it is not. head is the first 64 KiB at most, without a byte order mark and leading blanks.
	Recognize func(head []byte) []byte
	// Alike is set where files of other systems have such lines too: see [systems.Of].
	Alike bool
	// Device finds the name that the file gives its device, and its offset. An empty name:
	// the file has none.
	Device func(text []byte) (name string, at int)
	// Read reads a file; name is what ranges call it. It never panics and its memory is
	// bounded by a multiple of the text.
	Read func(name string, text []byte, o Options) Result
	// Cells is set where amounts can be in cells of the chip: see [Options].
	Cells bool
	// OnePath says what makes BGP use several equal paths, where it uses one without a word; empty: it uses several.
	OnePath string
	// ByPolicy is set where one next hop is installed unless a policy says otherwise.
	ByPolicy bool
	// Exports is set where BGP announces no route of its own without a policy that accepts it.
	Exports bool
	// OneAS is set where equal paths through several AS are not used together unless the file says so.
	OneAS bool
	// Silent says what of losslessness no file of the format can hold; empty: a verdict can
	// rest on such a file alone.
	Silent string
	// Complete fills in what the device of a switch decides by its model alone, such as the buffer
	// that percentages refer to; chip is a name of the catalogue. Nil: nothing is. The list is its
	// assumptions; the error names what is not known.
	Complete func(sw *plan.Switch, chip string) ([]Assumption, error)
	// Chips are those that the device of a file may have, by what its ports run at. Nil: files of the
	// format do not show it.
	Chips func(sw *plan.Switch) []string
	// Shows says what names the box, and so the chip; empty: nothing is known to. A verdict without a chip gives it.
	Shows string
	// Computed says from what devices compute the headroom of each group, which files of the
	// format do not hold; empty: they do.
	Computed string
	// Defaults says whose figures count where a file gives a lossless group no headroom,
	// threshold, reserve or resume (one without a Why), and that they are not known; empty: what is left out is 0.
	Defaults string
	// OwnHeadroom says from what a device computes the headroom of a lossless group where its
	// file gives none, and that it is not known; empty: none is none.
	OwnHeadroom string
	// Adds says in which file the priority groups are that a device adds for PFC by itself; empty: it adds none.
	Adds string
	// Frame is the largest frame of a routed port that has no line of it, where such a port is judged. 0: reading it says.
	Frame units.Bytes
	// OwnQueue says by what a device limits a queue for which its file gives no limit, and that the limit is not known; empty:
	// Defaults says so, or none is none.
	OwnQueue string
	// OwnPools: the device sizes the pools of its buffer, and no line of the format holds a size.
	OwnPools bool
	// Neutral are the rules by which statements are skipped.
	Neutral []NeutralRule
}

// ByLine recognizes a text by a line that begins in one of the ways given.
func ByLine(ways []string) func(head []byte) []byte {
	return func(head []byte) []byte {
		for line := range bytes.Lines(head) {
			for _, way := range ways {
				if len(line) >= len(way) && string(line[:len(way)]) == way {
					return bytes.TrimRight(line, "\r\n")
				}
			}
		}
		return nil
	}
}

// LineWith returns the line of a text that has the byte at a place, without blanks around it.
func LineWith(text []byte, at int) []byte {
	from := bytes.LastIndexByte(text[:at], '\n') + 1
	line, _, _ := bytes.Cut(text[from:], []byte("\n"))
	return bytes.TrimSpace(line)
}

// Options are a reader's inputs in addition to the text.
type Options struct {
	// Cell gives amounts in cells a meaning. 0: unknown, and such an amount is a finding.
	Cell units.Bytes
}

// A Result is what a file says.
type Result struct {
	Switch *plan.Switch // nil only where nothing can be read
	Found  diag.List
	Ledger Ledger
	// Assumed lists the assumptions of statements that are modelled.
	Assumed []Assumption
	// Running is set where the text is a dump of what runs: of buffers alone, which go before those of the device's
	// configuration. RunningAlone is the code of the finding that such a configuration is missing.
	Running      bool
	RunningAlone diag.Code
}

// An Assumption is something that is not in a file, that its vendor does not publish or
// publishes two ways, and that a verdict rests on.
type Assumption struct {
	Where   string // "whole switch"
	Assumes string // who says so, and what was taken
	Declare string // what would say it
}

// Sort says what a reader made of a statement.
type Sort uint8

const (
	// Unmodelled statements are obeyed by a device, or may be, and the plan does not hold
	// what they do. It is the zero value: what no reader has looked at is not modelled.
	Unmodelled Sort = iota
	// Modelled statements are in the plan, or a finding says why not.
	Modelled
	// Neutral statements cannot change what becomes of lossless packets: a [NeutralRule]
	// says why.
	Neutral
)

func (s Sort) String() string { return [...]string{"not modelled", "modelled", "neutral"}[s] }

// A NeutralRule is a kind of statement that no lossless packet can feel.
type NeutralRule struct {
	_        [0]func() // not comparable: no comparison of arrays is compiled
	ID       string    // "ntp": stable, unique within the format
	Pattern  string    // what it covers, as the reader's table writes it: "ntp …", "NTP_SERVER"
	Reason   string    // why it touches no lossless class, queue, group, port, DSCP, speed or PFC
	Evidence string    // the public source that says so
}

// A Statement is one line, leaf or table of a file.
type Statement struct {
	At   diag.Range
	Text string // as written, with single blanks, at most 80 bytes
	Sort Sort
	Rule string // of a neutral statement: the ID of its NeutralRule
	// Why says of a statement that is not modelled what a device does with it, or that
	// it is not known.
	Why string
	// Touches is what a statement that is not modelled may change.
	Touches Scope
	// Sides is set where a statement that is not modelled names a pool from its other side. On some
	// chips pools account both.
	Sides bool
	// Harmless is under which condition a statement that is not modelled changes nothing of what is judged. Its Where is
	// empty: the condition is of the ports that the statement touches. Nil: no condition is known.
	Harmless *Assumption
}

// TagAsDSCP returns the condition under which a port that classifies packets by the priority of their VLAN tag
// does as one that classifies them by their DSCP, with what the file says of DSCPs.
func TagAsDSCP(declare string) *Assumption {
	return &Assumption{
		Assumes: "assumed: each packet comes in with a VLAN tag whose priority gives it the class that is judged; the port classifies by the tag",
		Declare: declare,
	}
}

// A Scope is a part of a switch. Every zero field is without bound: the zero Scope is the
// whole switch.
type Scope struct {
	Ports  []string // names
	Queues uint16   // bit q: egress queue q
	PGs    uint8    // bit g: priority group g, or PFC priority g where the two are the same
	TCs    uint8    // bit t: traffic class t
	DSCPs  uint64   // bit d: code point d
}

// A Ledger accounts for every statement of a file. Statements of one neutral subtree, a
// table of ConfigDB or a section of a running-config, may be one entry.
type Ledger struct {
	Statements []Statement // in the order of the file
	Ways       []Way       // of those that say where packets go, the ones that may lead them elsewhere than shortest paths
	Policies   Policies    // of routes
	Ends       []Way       // that the other end of the link has to agree with: why is Negotiated or one of the constants below it
}

// Lead notes the ways that a statement is, by its words.
func (l *Ledger) Lead(kinds WayKinds, words []string, at diag.Range) {
	for _, w := range kinds.Of(words) {
		w.At, w.Text = at, ending(strings.Join(words, " "))
		if w.ofLink() {
			l.Ends = append(l.Ends, w)
		} else {
			l.Ways = append(l.Ways, w)
		}
	}
}

// Count returns how many statements are of a sort.
func (l *Ledger) Count(sort Sort) (n int) {
	for i := range l.Statements {
		if l.Statements[i].Sort == sort {
			n++
		}
	}
	return n
}

// Unmodelled returns the statements that are not modelled, in the order of the file.
func (l *Ledger) Unmodelled() (all []Statement) {
	for _, s := range l.Statements {
		if s.Sort == Unmodelled {
			all = append(all, s)
		}
	}
	return all
}

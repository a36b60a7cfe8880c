// Package format describes configurations as data: one row for each leaf and list of a system's
// configuration. Emitters and readers look names, units and bounds up in the rows, so that
// each of these facts has one place.
//
// A system whose configuration nests as a plan does needs nothing but rows: package
// [github.com/roceplan/roceplan/format/system] prints and reads it. Others have Go code in emit/NAME
// and read/NAME for what rows cannot express, and their rows in a package below this one.
//
// The package does not import plans, so that the language of fabrics can ask it for names.
package format

import (
	"regexp"
	"strings"

	"github.com/roceplan/roceplan/units"
)

// A System is an operating system of switches, and the configuration that it takes.
type System struct {
	OS   string // as fabric files call it: "cumulus"
	Name string // of its configuration: "nvue"

	// Boxes are given where the configuration divides less than all buffer of the chip, in whole per cent, and no part
	// can use another. Lossy is the default part of lossy traffic. BoxesBy is the source.
	Boxes   Boxes
	Lossy   int64
	BoxesBy string
	// QueueAlpha is the largest threshold of a queue there, which is dynamic.
	QueueAlpha units.Alpha
	// Shares are the names of the pools whose size the configuration has in per cent; none where it has bytes.
	Shares []string

	// Rows describe the whole configuration. Where they are nil, the packages emit/NAME and
	// read/NAME have it, and the fields below are not set.
	Rows  Rows
	Title string // as people call it: "Cumulus Linux"
	File  string // below the device's folder: "config.json"
	Help  string // the content of the file, and how a user loads it
	Load  string // the effect on a running device: one clause
	// Root is a key at the top of every document of the system, and of no other system's.
	Root string
	// Chips are names of the catalogue; empty: any.
	Chips []string
	// Port is the format of the names of ports, such as "port%d". The number of the first is 1.
	Port string
	// Source is the document that the rows are taken from.
	Source string
	// Subjects are the chips on which tests try the rows; one at least.
	Subjects []string
}

// An ID is the number of a row among those of its system, for Go code that names rows. 0 is none.
type ID int

// A Row is a leaf or a list of a configuration.
type Row struct {
	// Path has words with "/" between them. A list has its keys in brackets:
	// "port[name]/group[id]/headroom". It begins in an entry of the list In; 0: at the top.
	Path string
	In   ID
	// List is the kind of the entries of a list. Empty: the row is a leaf, or a list that Go code
	// writes and reads.
	List Level
	// Says is the attribute of a plan that the leaf holds. Empty: none; then Neutral says why, or Go
	// code writes and reads the leaf.
	Says Attribute
	Number
	// Reads are the bounds for reading, where boxes that are read take more than those that are
	// written; both 0: Least and Most.
	Reads [2]int64
	// Words are the texts that a leaf may have, each with its meaning. Empty: any text, or a number.
	Words [][2]string
	// Wide is set where the document has a number as a text, as RFC 7951 has those of 64 bits.
	Wide bool
	// Values is set where a leaf has several values.
	Values bool
	// Entry is the name in findings for an entry of a list that others refer to by name. Idle is
	// set where an entry without a reference has no effect.
	Entry string
	Idle  bool
	// Whole is set where a change replaces and removes a container, or an entry of a list, as one.
	// Shared is set where the device may have more in it: a change adds to it, and never removes it.
	Whole, Shared bool
	// Absent is the number that holds without the leaf, in the leaf's unit; 0: none does.
	Absent int64
	// Part names the values of the attribute that the leaf can hold. Empty: all of them.
	Part string
	// Neutral is the reason why the leaf, and what is below it, does not matter to lossless packets.
	Neutral string
	// Source is the public document that the row is taken from.
	Source string

	around string   // see Around
	words  []string // of Path from the nearest list on
	keys   []string // of a list
	plain  string   // see Plain
	place  int
}

// Rows are the rows of a system, in the order in which a document has them. Those of one container
// follow one another.
type Rows []Row

// Of returns the row with a number.
//
//go:noinline
func (all Rows) Of(id ID) *Row { return &all[id] }

var brackets = regexp.MustCompile(`\[[^]]*\]`)

// New completes the paths of rows, and returns the rows. A list comes before what is in it.
func New(rows []Row) Rows {
	for i := range rows {
		r := &rows[i]
		if r.In > 0 {
			r.Path = rows[r.In].Path + "/" + r.Path
		}
		r.place = i
		r.around = r.Path[:strings.LastIndexByte(strings.TrimSuffix(r.Path, "]"), ']')+1]
		own, keys, list := strings.Cut(strings.TrimPrefix(r.Path[len(r.around):], "/"), "[")
		r.words = strings.Split(own, "/")
		r.plain = strings.ReplaceAll(brackets.ReplaceAllString(r.Path, ""), "/", " ")
		if list {
			r.keys = strings.Fields(strings.TrimSuffix(keys, "]"))
		}
	}
	return rows
}

// Bounds returns the least and the most that a document may have in a leaf, in its own unit.
func (r *Row) Bounds() (least, most int64) {
	if r.Reads != [2]int64{} {
		return r.Reads[0], r.Reads[1]
	}
	return r.Least, r.Most
}

// Names returns the names that lead to the row from the entry of the list around it, or from the
// top of the document where there is no list.
func (r *Row) Names() []string { return r.words }

// Name returns the name of a leaf.
func (r *Row) Name() string { return r.words[len(r.words)-1] }

// Default returns the quantity that holds without the leaf.
func (r *Row) Default() int64 { return r.Means(r.Absent) }

// Keys returns the keys of a list; none for a leaf.
func (r *Row) Keys() []string { return r.keys }

// Place returns the position of the row among those of its system, from 0.
func (r *Row) Place() int { return r.place }

// Plain returns the path without keys, with blanks between its words: "port group headroom".
func (r *Row) Plain() string { return r.plain }

// Around returns the path of the list that a row is in, with its keys; empty where it is in none.
func (r *Row) Around() string { return r.around }

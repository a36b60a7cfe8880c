// Package format says as data what a system can be told: one row for each leaf and list of its
// configuration. Emitters and readers look names, units and bounds up in the rows, so that
// each of these facts has one place.
//
// A system whose configuration nests as a plan does needs nothing but rows: package
// [github.com/roceplan/roceplan/format/system] prints and reads it. Others set System.Own and have
// Go code in emit/NAME and read/NAME for what rows cannot say.
//
// The package knows no plan, so that the language of fabrics can ask it for names.
package format

import "strings"

// A System is an operating system of switches, and the configuration that it takes.
type System struct {
	OS    string // as fabric files call it: "cumulus"
	Name  string // of its configuration: "nvue"
	Title string // as people call it: "Cumulus Linux"
	// Own is set where emit/Name and read/Name have Go code of their own. The fields below are
	// for the others.
	Own bool

	File string // below the device's folder: "config.json"
	Help string // what the file is, and what is done with it
	Load string // what a running device makes of it: one clause
	// Root is a key at the top of every document, and of no other system's.
	Root string
	// Chips are names of the catalogue; empty: any.
	Chips []string
	// Port is the form of names of ports, such as "port%d" for the first, which is 1.
	Port string
	Rows Rows
	// Source is the document of which the rows are.
	Source string
	// Subjects are chips on which tests try what the rows say; one at least.
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
	// List says of what the entries of a list are. Empty: the row is a leaf, or a list that Go code
	// writes and reads.
	List Level
	// Says is what of a plan the leaf holds. Empty: nothing; then Neutral says why, or Go code
	// writes and reads it.
	Says Attribute
	Number
	// Reads are the bounds of what is read, where other boxes than those that are written for take
	// more; both 0: Least and Most.
	Reads [2]int64
	// Words are the texts that a leaf may have, each with what it means. Empty: any text, or a
	// number.
	Words [][2]string
	// Wide is set where the document has a number as a text, as RFC 7951 has those of 64 bits.
	Wide bool
	// Values is set where a leaf has several values.
	Values bool
	// Entry is what findings call an entry of a list that others refer to by name. Idle is set where
	// it does nothing until something does.
	Entry string
	Idle  bool
	// Whole is set where a change replaces and removes a container, or an entry of a list, as one.
	// Shared is set where others have more in it: a change adds to it, and never removes it.
	Whole, Shared bool
	// Absent is the number that holds where the leaf is not there, in the leaf's unit; 0: none does.
	Absent int64
	// Part says which values of the attribute the leaf holds, in a few words. Empty: all of them.
	Part string
	// Neutral is why no lossless packet feels the leaf, and what is below it.
	Neutral string
	// Source is the public document that says so.
	Source string

	words []string // of Path from the nearest list on
	keys  []string // of a list
	place int
}

// Rows are those of a system, in the order in which a document has them. Those of one container
// follow one another.
type Rows []Row

// Of returns the row with a number.
func (all Rows) Of(id ID) *Row { return &all[id] }

// New completes the paths of rows, and returns the rows. A list comes before what is in it.
func New(rows []Row) Rows {
	for i := range rows {
		r := &rows[i]
		if r.In > 0 {
			r.Path = rows[r.In].Path + "/" + r.Path
		}
		r.place = i
		own := r.Path
		if last := strings.LastIndexByte(strings.TrimSuffix(own, "]"), ']'); last >= 0 {
			own = own[last+2:]
		}
		if at := strings.IndexByte(own, '['); at >= 0 {
			r.keys = strings.Fields(own[at+1 : len(own)-1])
			own = own[:at]
		}
		r.words = strings.Split(own, "/")
	}
	return rows
}

// Bounds are the least and the most that a document may have in a leaf, in its own unit.
func (r *Row) Bounds() (least, most int64) {
	if r.Reads != [2]int64{} {
		return r.Reads[0], r.Reads[1]
	}
	return r.Least, r.Most
}

// Names returns the names that lead to the row from the entry of the list around it, or from the
// top of the document where there is no list.
func (r *Row) Names() []string { return r.words }

// Name is what a leaf is called.
func (r *Row) Name() string { return r.words[len(r.words)-1] }

// Keys returns the keys of a list; none for a leaf.
func (r *Row) Keys() []string { return r.keys }

// Place is the position of the row among those of its system, from 0.
func (r *Row) Place() int { return r.place }

// Plain is the path without keys, with blanks between its words: "port group headroom".
func (r *Row) Plain() string {
	var out strings.Builder
	inKeys := false
	for _, c := range r.Path {
		switch {
		case c == '[' || c == ']':
			inKeys = c == '['
		case inKeys:
		case c == '/':
			out.WriteByte(' ')
		default:
			out.WriteRune(c)
		}
	}
	return out.String()
}

// Around is the path of the list that a row is in, with its keys; empty where it is in none.
func (r *Row) Around() string {
	own := strings.TrimSuffix(r.Path, "]")
	return r.Path[:strings.LastIndexByte(own, ']')+1]
}

package cabling

import (
	"bytes"

	"github.com/hashicorp/hcl/v2"

	"github.com/roceplan/roceplan/diag"
	"github.com/roceplan/roceplan/internal/posjson"
)

// A format is one way in which cables are told.
type format struct {
	recognize func(head []byte) bool
	read      func(r *reader, text []byte)
}

// formats in the order in which a file is held against them.
func formats() []format {
	return []format{
		{isJSON, readJSON},
		{isLLDPTable, readLLDPTable},
		{isDOT, readDOT},
		{isTopology, readTopology},
		{isCSV, readCSV},
	}
}

// Recognizes reports whether a file tells of cables, by its name and text. JSON is looked
// through: configuration is JSON too.
func Recognizes(name string, text []byte) bool {
	head := bytes.TrimLeft(text[:min(len(text), 64<<10)], "\ufeff \t\r\n")
	if isJSON(head) {
		return tellsOfCables(text)
	}
	for _, f := range formats() {
		if f.recognize(head) {
			return true
		}
	}
	return false
}

// Read reads a file; name is what ranges call it, and where the text does not say of which
// device it is, the name does: DEVICE.json, or lldp.json in a folder DEVICE. Of a transceiver
// that `ethtool -m` shows, the file is called after the port, and its folder after the device.
func Read(name string, text []byte) ([]Sighting, diag.List) {
	r := &reader{file: name, device: deviceOf(name)}
	text = bytes.TrimPrefix(text, []byte("\ufeff"))
	head := bytes.TrimLeft(text[:min(len(text), 64<<10)], " \t\r\n")
	for _, f := range formats() {
		if f.recognize(head) {
			f.read(r, text)
			return r.seen, r.found
		}
	}
	r.unknown()
	return nil, r.found
}

type reader struct {
	file, device string
	doc          *posjson.File // of JSON
	seen         []Sighting
	found        diag.List
}

func (r *reader) unknown() {
	r.found.Errorf(Unknown, r.line(1, 1), "this tells of no cables in a format that is known").
		Fixf("`show lldp table`, LLDP_ENTRY_TABLE, `lldpctl -f json`, EOS `show lldp neighbors detail | json`, containerlab, NetBox, DOT, CSV, TRANSCEIVER_INFO and `ethtool -m` as JSON are read")
}

// line is a place of a text that is read line by line.
func (r *reader) line(line, column int) diag.Range {
	pos := hcl.Pos{Line: line, Column: column}
	return diag.Range{Filename: r.file, Start: pos, End: pos}
}

func (r *reader) see(s Sighting) { r.seen = append(r.seen, s) }

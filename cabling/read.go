package cabling

import (
	"bytes"

	"github.com/hashicorp/hcl/v2"

	"github.com/roceplan/roceplan/diag"
	"github.com/roceplan/roceplan/internal/posjson"
)

// A format is one way in which cables are listed.
type format struct {
	recognize func(head []byte) bool
	read      func(r *reader, text []byte)
	tells     func(text []byte) bool // whether it is of cables; nil: the format is of nothing else
}

// formats in the order in which a file is checked against them.
func formats() []format {
	return []format{
		{isJSON, readJSON, listsCables},
		{isLLDPTable, readLLDPTable, nil},
		{isNXOSDetail, readNXOSDetail, nil},
		{isNXOSTable, readNXOSTable, nil},
		{isNVUETable, readNVUETable, nil},
		{isSRLinuxTable, readSRLinuxTable, nil},
		{isEOSTable, readEOSTable, nil},
		{isLLDPText, readLLDPText, nil},
		{isEOSDetail, readEOSDetail, nil},
		{isJunosTable, readJunosTable, nil},
		{isDOT, readDOT, nil},
		{isTopology, readTopology, nil},
		{isCSV, readCSV, nil},
	}
}

// formatOf finds the format of a text by how it begins.
func formatOf(text []byte) (format, bool) {
	head := bytes.TrimLeft(text[:min(len(text), 64<<10)], "\ufeff \t\r\n")
	for _, f := range formats() {
		if f.recognize(head) {
			return f, true
		}
	}
	return format{}, false
}

// Recognizes reports whether a text lists cables. JSON is looked through: configuration is JSON
// too.
func Recognizes(text []byte) bool {
	f, ok := formatOf(text)
	return ok && (f.tells == nil || f.tells(text))
}

// Read reads a file; name is its name in ranges. Where the text does not name the device, the
// file's name does: DEVICE.json, or lldp.json in a folder DEVICE. A file of `ethtool -m` is called
// after the port, and its folder after the device.
func Read(name string, text []byte) ([]Sighting, diag.List) {
	r := &reader{file: name, device: deviceOf(name)}
	text = bytes.TrimPrefix(text, []byte("\ufeff"))
	if f, ok := formatOf(text); ok {
		f.read(r, text)
	} else {
		r.unknown()
	}
	return r.seen, r.found
}

type reader struct {
	file, device string
	doc          *posjson.File // of JSON
	seen         []Sighting
	found        diag.List
}

func (r *reader) unknown() {
	r.found.Errorf(Unknown, r.line(1, 1), "no cables were found in a known format").
		Fixf("`show lldp table`, LLDP_ENTRY_TABLE, `lldpctl`, also with -f json, `show lldp neighbors` of EOS, also with detail and as JSON, `show lldp neighbors detail` of NX-OS, `show lldp neighbors` of NX-OS and of Junos, also as its JSON, `show system lldp neighbor` of SR Linux, `nv show interface lldp` of Cumulus Linux, LLDP in OpenConfig's or Nokia's model as JSON, also as gNMI clients print it, containerlab, NetBox, DOT, CSV, TRANSCEIVER_INFO and `ethtool -m` as JSON are read")
}

// line is a place of a text that is read line by line.
func (r *reader) line(line, column int) diag.Range {
	pos := hcl.Pos{Line: line, Column: column}
	return diag.Range{Filename: r.file, Start: pos, End: pos}
}

func (r *reader) see(s Sighting) { r.seen = append(r.seen, s) }

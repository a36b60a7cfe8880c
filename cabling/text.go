package cabling

import (
	"bytes"
	"regexp"
	"strconv"
	"strings"

	"github.com/roceplan/roceplan/internal/natural"
	"github.com/roceplan/roceplan/internal/posjson"
)

// This file reads what devices print of their neighbours for people. The samples of ntc-templates
// (networktocode/ntc-templates, tests/…/show_lldp_neighbors) have the forms.

// isNXOSDetail recognizes `show lldp neighbors detail` of NX-OS.
func isNXOSDetail(head []byte) bool {
	return bytes.Contains(head, []byte("\nLocal Port id:")) && bytes.Contains(head, []byte("Chassis id:"))
}

// readNXOSDetail reads it: a line for each value, a neighbour from one "Chassis id" to the next, and
// how many there are at the end.
func readNXOSDetail(r *reader, src []byte) {
	var s Sighting
	total := -1
	done := func() {
		if s.A.Port != "" {
			r.see(s)
		}
		s = Sighting{Heard: true, A: End{Device: r.device}}
	}
	number := 0
	for raw := range bytes.Lines(src) {
		number++
		key, value, ok := strings.Cut(strings.TrimSpace(string(raw)), ":")
		value = strings.TrimSpace(value)
		if !ok || value == "not advertised" {
			continue
		}
		switch key {
		case "Chassis id":
			done()
			s.At, s.B.Device = r.line(number, 1), value
		case "Port id":
			s.B.Port = longPort(value)
		case "Local Port id":
			s.A.Port = longPort(value)
		case "System Name":
			s.B.Device = value
		case "System Description":
			s.System = value
		case "Total entries displayed":
			total, _ = strconv.Atoi(value)
		}
	}
	done()
	if total != len(r.seen) {
		r.found.Errorf(Invalid, r.line(number, 1), "the output has %s, and does not end with as many in Total entries displayed: it is cut off", natural.Count(len(r.seen), "neighbour", "neighbours")).
			Fixf("write the whole output of `show lldp neighbors detail` into the file")
	}
}

// isNXOSTable recognizes `show lldp neighbors` of NX-OS, and of IOS, which prints the same.
func isNXOSTable(head []byte) bool {
	return bytes.Contains(head, []byte("Device ID")) && bytes.Contains(head, []byte("Local Intf")) && bytes.Contains(head, []byte("Hold-time"))
}

// nxosRow is a row of it: the far device, which has a line of its own where it is long, the port, seconds, letters of
// capabilities, if there are any, and the far port.
var nxosRow = regexp.MustCompile(`^(.*?)\s*(\S+)\s+\d+\s+(?:(?:[RBTCWPSO]\s?)+\s+)?(\S+)\s*$`)

// readNXOSTable reads its rows, and how many there are at the end.
func readNXOSTable(r *reader, src []byte) {
	total, number, name, rows := -1, 0, "", false
	for raw := range bytes.Lines(src) {
		number++
		line := strings.TrimRight(string(raw), "\r\n")
		trimmed := strings.TrimSpace(line)
		if count, ok := strings.CutPrefix(trimmed, "Total entries displayed:"); ok {
			total, _ = strconv.Atoi(strings.TrimSpace(count))
			break
		}
		switch m := nxosRow.FindStringSubmatch(line); {
		case strings.HasPrefix(trimmed, "Device ID"):
			rows = true
		case !rows || trimmed == "":
		case m == nil:
			name = trimmed
		default:
			if m[1] != "" {
				name = strings.TrimSpace(m[1])
			}
			r.see(Sighting{Heard: true, A: End{Device: r.device, Port: longPort(m[2])}, B: End{Device: name, Port: longPort(m[3])}, At: r.line(number, 1)})
			name = ""
		}
	}
	if total < 0 || len(r.seen) < total {
		r.found.Errorf(Invalid, r.line(number, 1), "the output has %s, and does not end with as many in Total entries displayed: it is cut off", natural.Count(len(r.seen), "neighbour", "neighbours")).
			Fixf("write the whole output of `show lldp neighbors` into the file")
	}
}

// longPort returns the name of a port as configurations have it: NX-OS shortens Ethernet1/1 to Eth1/1, and EOS
// to Et1/1.
func longPort(name string) string {
	for _, short := range []string{"Eth", "Et"} {
		if rest, ok := strings.CutPrefix(name, short); ok && rest != "" && rest[0] >= '0' && rest[0] <= '9' {
			return "Ethernet" + rest
		}
	}
	return name
}

// eosRow is a row of `show lldp neighbors` of EOS: the port, the far device, its port and a time to live.
var eosRow = regexp.MustCompile(`^((?:Et|Ma)\S+)\s+(\S.*?)\s+(\S+)\s+(\d+)$`)

// isEOSTable recognizes that table by the names of its columns.
func isEOSTable(head []byte) bool {
	return bytes.Contains(head, []byte("Neighbor Device ID")) && bytes.Contains(head, []byte("Neighbor Port ID"))
}

func readEOSTable(r *reader, src []byte) {
	number, rows := 0, false
	for raw := range bytes.Lines(src) {
		number++
		line := strings.TrimSpace(string(raw))
		switch m := eosRow.FindStringSubmatch(line); {
		case strings.Contains(line, "Neighbor Device ID"):
			rows = true
		case !rows || line == "" || strings.Trim(line, "- ") == "" || strings.HasSuffix(line, "#"):
		case m == nil:
			r.found.Errorf(Invalid, r.line(number, 1), "%q is not a row with a port, the far device, its port and a time to live: the output is cut off", posjson.Clip(line)).
				Fixf("write the whole output of `show lldp neighbors` into the file; that with detail is read too")
		default:
			r.see(Sighting{Heard: true, A: End{Device: r.device, Port: longPort(m[1])}, B: End{Device: m[2], Port: longPort(m[3])}, At: r.line(number, 1)})
		}
	}
}

// isLLDPText recognizes what lldpctl prints for people, which is `show lldp neighbors` of SONiC.
func isLLDPText(head []byte) bool {
	return bytes.Contains(head, []byte("LLDP neighbors:")) && bytes.Contains(head, []byte("\nInterface:"))
}

// readLLDPText reads it: a neighbour from one Interface to the next, and a line of dashes at the end.
func readLLDPText(r *reader, src []byte) {
	var s Sighting
	done := func() {
		if s.A.Port != "" {
			r.see(s)
		}
		s = Sighting{}
	}
	number, whole := 0, false
	for raw := range bytes.Lines(src) {
		number++
		line := strings.TrimSpace(string(raw))
		if whole = strings.HasPrefix(line, "---") || whole && line == ""; whole {
			done()
			continue
		}
		key, value, _ := strings.Cut(line, ":")
		switch value = strings.TrimSpace(value); key {
		case "Interface":
			done()
			port, _, _ := strings.Cut(value, ",")
			s = Sighting{Heard: true, A: End{Device: r.device, Port: port}, At: r.line(number, 1)}
		case "SysName":
			s.B.Device = value
		case "SysDescr":
			s.System = value
		case "ChassisID", "PortID": // a kind and the name: mac 00:…, ifname Ethernet1
			_, name, _ := strings.Cut(value, " ")
			if key == "PortID" {
				s.B.Port = name
			} else if s.B.Device == "" {
				s.B.Device = name
			}
		}
	}
	if !whole {
		done()
		r.found.Errorf(Invalid, r.line(number, 1), "the output does not end with a line of dashes: it is cut off").Fixf("write the whole output of `show lldp neighbors`, which is lldpctl, into the file")
	}
}

// eosInterface begins the neighbours of a port in `show lldp neighbors detail` of EOS.
var eosInterface = regexp.MustCompile(`(?m)^Interface (\S+) detected (\d+) LLDP neighbors:`)

func isEOSDetail(head []byte) bool { return eosInterface.Match(head) }

// readEOSDetail reads it: below each port its neighbours, each with a first Port ID, which is its own,
// and further ones of a bundle.
func readEOSDetail(r *reader, src []byte) {
	var port string
	var s *Sighting
	promised, at, number := 0, 0, 0
	done := func() {
		if s != nil {
			r.see(*s)
			s = nil
			promised--
		}
	}
	short := func() {
		if done(); promised != 0 {
			r.found.Errorf(Invalid, r.line(at, 1), "%s has another number of neighbours below it than this line says: the output is cut off or was edited", port).
				Fixf("write the whole output of `show lldp neighbors detail` into the file")
		}
	}
	for raw := range bytes.Lines(src) {
		number++
		line := strings.TrimSpace(string(raw))
		if m := eosInterface.FindStringSubmatch(line); m != nil {
			short()
			port, at = m[1], number
			promised, _ = strconv.Atoi(m[2])
			continue
		}
		if strings.HasPrefix(line, "Neighbor ") {
			done()
			s = &Sighting{Heard: true, A: End{Device: r.device, Port: port}, At: r.line(number, 1)}
			s.B.Device, _, _ = strings.Cut(strings.TrimPrefix(line, "Neighbor "), "/")
			continue
		}
		key, value, ok := strings.Cut(strings.TrimPrefix(line, "- "), ":")
		if value = strings.Trim(strings.TrimSpace(value), `"`); !ok || s == nil || value == "" {
			continue
		}
		switch strings.TrimSpace(key) {
		case "Port ID":
			if s.B.Port == "" {
				s.B.Port = value
			}
		case "System Name":
			s.B.Device = value
		case "System Description":
			s.System = value
		}
	}
	short()
}

// isSRLinuxTable recognizes `show system lldp neighbor` of SR Linux.
func isSRLinuxTable(head []byte) bool {
	return bytes.Contains(head, []byte("| ")) && bytes.Contains(head, []byte("Neighbor Port")) && bytes.Contains(head, []byte("+==="))
}

// readSRLinuxTable reads its rows, between lines of +. Words of a cell, also of a name above a column, go on in the line below
// where the cell is too narrow.
func readSRLinuxTable(r *reader, src []byte) {
	var names, row []string
	begun, number, whole := 0, 0, false
	done := func() {
		if len(names) > 0 && len(row) == len(names) {
			at := func(name string) string { return below(names, name, row) }
			device := at("Neighbor System Name")
			if device == "" {
				device = at("Neighbor Chassis ID")
			}
			r.see(Sighting{Heard: true, A: End{Device: r.device, Port: at("Name")}, B: End{Device: device, Port: at("Neighbor Port")}, At: r.line(begun, 1)})
		}
		row = nil
	}
	for raw := range bytes.Lines(src) {
		number++
		line := strings.TrimSpace(string(raw))
		cells := strings.Split(strings.Trim(line, "|"), "|")
		for i := range cells {
			cells[i] = strings.TrimSpace(cells[i])
		}
		switch {
		case strings.HasPrefix(line, "+="):
			names, row, whole = row, nil, false
		case strings.HasPrefix(line, "+-"):
			done()
			whole = true
		case !strings.HasPrefix(line, "|"):
		case row != nil && len(cells) == len(row) && (cells[0] == "" || names == nil):
			for i := range row {
				row[i] = strings.TrimSpace(row[i] + " " + cells[i])
			}
		default:
			done()
			row, begun, whole = cells, number, false
		}
	}
	if !whole {
		r.found.Errorf(Invalid, r.line(number, 1), "the table does not end with a line of + and -: it is cut off").
			Fixf("write the whole output of `show system lldp neighbor` into the file")
	}
}

// isJunosTable recognizes `show lldp neighbors` of Junos.
func isJunosTable(head []byte) bool {
	line, _, _ := bytes.Cut(head, []byte("\n"))
	return bytes.HasPrefix(line, []byte("Local Interface ")) && bytes.Contains(line, []byte("Chassis Id")) && bytes.Contains(line, []byte("System Name"))
}

// readJunosTable reads its rows: the port, its bundle, the chassis, the far port, which may have
// blanks, and the far device.
func readJunosTable(r *reader, src []byte) {
	number := 0
	for raw := range bytes.Lines(src) {
		number++
		f := strings.Fields(string(raw))
		if number == 1 || len(f) == 0 || strings.HasPrefix(f[0], "{") {
			continue
		}
		if len(f) < 5 {
			r.found.Errorf(Invalid, r.line(number, 1), "a row has %d words, and must have at least 5: the port, its bundle, the chassis, the far port and the far device", len(f)).
				Fixf("write the whole output of `show lldp neighbors` into the file; a neighbour without a name is in `show lldp neighbors | display json`, which is read too")
			continue
		}
		last := len(f) - 1
		r.see(Sighting{
			Heard: true, A: End{Device: r.device, Port: f[0]}, B: End{Device: f[last], Port: strings.Join(f[3:last], " ")}, At: r.line(number, 1),
		})
	}
}

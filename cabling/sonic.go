package cabling

import (
	"bytes"
	"slices"
	"strings"

	"github.com/roceplan/roceplan/internal/posjson"
	"github.com/roceplan/roceplan/units"
)

// isLLDPTable recognizes the text of `show lldp table`.
func isLLDPTable(head []byte) bool {
	return bytes.Contains(head, []byte("LocalPort")) && bytes.Contains(head, []byte("RemoteDevice"))
}

// readLLDPTable reads `show lldp table` (sonic-utilities, scripts/lldpshow): columns begin
// where the line of dashes says, since descriptions hold blanks.
func readLLDPTable(r *reader, src []byte) {
	var names []string
	var starts []int
	lines := strings.Split(string(src), "\n")
	for i, line := range lines {
		line = strings.TrimRight(line, "\r")
		fields := strings.Fields(line)
		switch {
		case len(fields) > 1 && fields[0] == "LocalPort":
			names = fields
		case len(starts) == 0 && strings.Trim(line, "- ") == "" && len(fields) == len(names):
			starts = columnStarts(line)
		case len(starts) == 0 || len(fields) < 2 || strings.HasPrefix(line, "Total entries") || strings.Trim(line, "-") == "":
		default:
			r.lldpRow(names, cut(line, starts), i+1)
		}
	}
	if len(starts) == 0 {
		r.found.Errorf(Invalid, r.line(1, 1), "there is no line of dashes under LocalPort RemoteDevice …").Fixf("write the whole output of `show lldp table` into the file")
	}
}

// isNVUETable recognizes `nv show interface lldp` of Cumulus Linux.
func isNVUETable(head []byte) bool {
	return bytes.Contains(head, []byte("Remote Host")) && bytes.Contains(head, []byte("Remote Port")) && bytes.Contains(head, []byte("\n---"))
}

// readNVUETable reads it. Columns begin where the line of dashes says.
func readNVUETable(r *reader, src []byte) {
	var starts []int
	var names []string
	lines := strings.Split(strings.ReplaceAll(string(src), "\r", ""), "\n")
	for i, line := range lines {
		switch dashes := strings.Trim(line, "- ") == "" && strings.Contains(line, "-"); {
		case dashes && i > 0 && starts == nil:
			starts = columnStarts(line)
			names = cut(lines[i-1], starts)
		case starts == nil || strings.TrimSpace(line) == "" || strings.Contains(line, "@"):
		default:
			cells := cut(line, starts)
			if far := below(names, "Remote Host", cells); far != "" {
				r.see(Sighting{A: End{Device: r.device, Port: below(names, "Interface", cells)}, B: End{Device: far, Port: below(names, "Remote Port", cells)}, Heard: true, At: r.line(i+1, 1)})
			}
		}
	}
	if last := lines[len(lines)-1]; strings.TrimSpace(last) != "" && !strings.Contains(last, "@") {
		r.found.Errorf(Invalid, r.line(len(lines), 1), "the last line is incomplete: the file is cut off").Fixf("write the whole output of `nv show interface lldp` into the file")
	}
}

func columnStarts(line string) (starts []int) {
	for i := range line {
		if line[i] == '-' && (i == 0 || line[i-1] == ' ') {
			starts = append(starts, i)
		}
	}
	return starts
}

// cut takes a line apart at its columns. A cell that is wider than its column moves the rest,
// so a column begins at the first blank before it.
func cut(line string, starts []int) []string {
	cells := make([]string, len(starts))
	for i, from := range starts {
		to := len(line)
		if i+1 < len(starts) {
			to = min(to, starts[i+1])
		}
		if from < to {
			cells[i] = strings.TrimSpace(line[from:to])
		}
	}
	return cells
}

// below returns the cell of a row below the name of a column; empty where there is no such column.
func below(names []string, name string, cells []string) string {
	if i := slices.Index(names, name); i >= 0 {
		return cells[i]
	}
	return ""
}

func (r *reader) lldpRow(names, cells []string, line int) {
	cell := func(name string) string { return below(names, name, cells) }
	b := End{Device: cell("RemoteDevice"), Port: cell("RemotePortID")}
	if d := cell("RemotePortDescr"); d != "" {
		b.Also = portNames(d)
	}
	r.see(Sighting{A: End{Device: r.device, Port: cell("LocalPort")}, B: b, Heard: true, At: r.line(line, 1)})
}

// redis reads a dump of SONiC's APPL_DB or STATE_DB, as sonic-db-dump writes it, or nested by
// table. It reports whether it holds a table of cables.
func (r *reader) redis(root *posjson.Node) (known bool) {
	for i := range root.Members {
		m := &root.Members[i]
		at := strings.IndexAny(m.Key, ":|")
		if at < 0 {
			for j := range m.Value.Members {
				row := &m.Value.Members[j]
				known = r.redisRow(m.Key, row.Key, row) || known
			}
			continue
		}
		known = r.redisRow(m.Key[:at], m.Key[at+1:], m) || known
	}
	return known
}

// redisRow reads one hash, and reports whether its table lists cables.
func (r *reader) redisRow(table, key string, m *posjson.Member) bool {
	fields := &m.Value
	if hash := fields.Get("value"); hash != nil && hash.Kind == posjson.Object && fields.Get("type") != nil {
		fields = hash
	}
	s := Sighting{A: End{Device: r.device, Port: key}, At: r.doc.KeyAt(m)}
	switch table {
	case "LLDP_ENTRY_TABLE": // sonic-dbsyncd, lldp_syncd/daemon.py
		s.B = End{Device: text(fields.Get("lldp_rem_sys_name")), Port: text(fields.Get("lldp_rem_port_id"))}
		if s.B.Device == "" {
			s.B.Device = text(fields.Get("lldp_rem_chassis_id"))
		}
		if d := text(fields.Get("lldp_rem_port_desc")); d != "" {
			s.B.Also = portNames(d)
		}
		s.System, s.Heard = text(fields.Get("lldp_rem_sys_desc")), true
	case "TRANSCEIVER_INFO": // sonic-xcvrd; of optics it is how far they reach
		if text(fields.Get("cable_type")) != "Length Cable Assembly(m)" {
			return true
		}
		s.Cable = metres(text(fields.Get("cable_length")))
	case "PORT_TABLE": // APPL_DB: what the port runs at
		if text(fields.Get("oper_status")) != "up" {
			return false
		}
		if speed, err := units.ParseBitRate(text(fields.Get("speed")) + "Mbps"); err == nil {
			s.Speed = speed
		}
		r.see(s)
		return false // a dump without neighbours is not what was wanted
	default:
		return false
	}
	r.see(s)
	return true
}

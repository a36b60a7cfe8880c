package intake

import (
	"bytes"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/roceplan/roceplan/observe"
)

func isLANZ(text []byte) bool {
	return bytes.Contains(text[:min(len(text), 4096)], []byte("Type,Time,Interface,"))
}

// lanzTime is how LANZ writes local times. EOS does not name the zone: they are taken for UTC.
const lanzTime = "2006-01-02 15:04:05"

// lanzPort is an interface with the traffic class of its queue: Et4(1), Et4/1(3).
var lanzPort = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^([A-Za-z]+)([0-9/]+)\(([0-9]{1,3})\)$`) })

// readLANZ reads EOS's `show queue-monitor length csv`. The unit of lengths differs by chip,
// segments of 480 B on some: without "bytes" in its heading it stays unknown.
func readLANZ(r *reader, text []byte) {
	var names []string
	lines := strings.Split(string(text), "\n")
	port := lanzPort()
	for i, line := range lines {
		cells := strings.Split(strings.TrimSpace(line), ",")
		switch {
		case len(cells) > 3 && cells[0] == "Type":
			names = cells
			if !slices.ContainsFunc(names, isBytes) {
				r.found.Warnf(Unit, r.line(i+1), "the heading does not give the unit of lengths, bytes or segments, so they stay unknown").
					Fixf("if the chip counts bytes, name the column Queue-Length(bytes)")
			}
		case names == nil || len(cells) < 2:
		case i == len(lines)-1:
			r.found.Errorf(Invalid, r.line(i+1), "the last line is incomplete: the file is cut off").Fixf("record the output again, to its end")
		default:
			r.lanzRow(names, cells, i+1, port)
		}
	}
}

func isBytes(name string) bool {
	return strings.HasPrefix(name, "Queue-Length") && strings.Contains(strings.ToLower(name), "bytes")
}

func (r *reader) lanzRow(names, cells []string, line int, port *regexp.Regexp) {
	cell := func(is func(string) bool) string {
		if i := slices.IndexFunc(names, is); i >= 0 && i < len(cells) {
			return strings.TrimSpace(cells[i])
		}
		return ""
	}
	named := func(name string) string { return cell(func(n string) bool { return n == name }) }
	m := port.FindStringSubmatch(named("Interface"))
	if m == nil {
		return // of the whole switch: its buffer in use
	}
	name := m[1]
	if strings.EqualFold(name, "Et") {
		name = "Ethernet"
	}
	id, err := strconv.ParseUint(m[3], 10, 8)
	until, wrong := time.Parse(lanzTime, named("Time"))
	if err != nil || wrong != nil {
		r.found.Errorf(Invalid, r.line(line), "%s of %s is not a queue at a time", clip(named("Interface")), clip(named("Time"))).Fixf("give the table as the switch prints it, with Interface, Time and the queue")
		return
	}
	row := observe.Row{Object: observe.Object{Kind: observe.Queue, Name: name + m[2], ID: uint8(id)}, Until: until, Cleared: true, Source: "LANZ", At: r.line(line)}
	if n, ok := r.wholeText(cell(isBytes), "Queue-Length", r.line(line)); ok {
		row.Counter, row.Value = observe.QueueShared, n
		r.add(row)
	}
}

package intake

import (
	"bytes"
	"math/bits"
	"regexp"
	"strconv"
	"strings"

	"github.com/roceplan/roceplan/observe"
)

func isJunosPauses(text []byte) bool {
	return bytes.Contains(text, []byte("Physical interface: ")) && (bytes.Contains(text, []byte("MAC Priority Flow Control Statistics:")) || bytes.Contains(text, []byte("Queue counters:")))
}

// junosPriority is a line of a priority: received and sent. junosEgress is a line of a queue: queued, sent and dropped; the name
// of its class may be left out, or cut off.
var (
	junosPriority = regexp.MustCompile(`^Priority :\s+([0-7])\s+(\d+)\s+(\d+)$`)
	junosEgress   = regexp.MustCompile(`^(\d{1,2})(?: \S+)? +\d+ +(\d+) +(\d+)$`)
)

// readJunosPauses reads `show interfaces extensive` of Junos: of each physical interface the pause frames of the eight
// priorities, and the packets of its queues at egress.
func readJunosPauses(r *reader, text []byte) {
	port, left, at, queues := "", 0, 0, ""
	short := func() bool {
		if left > 0 {
			r.found.Errorf(Invalid, r.line(at), "%s has %d of eight priorities below this line: the output is cut off", port, 8-left).Fixf("record the output again, to its end")
		}
		return left > 0
	}
	lines := strings.Split(strings.ReplaceAll(string(text), "\r", ""), "\n")
	for i, line := range lines {
		line = strings.TrimSpace(line)
		if m := junosPriority.FindStringSubmatch(line); m != nil && left > 0 {
			left--
			priority := m[1][0] - '0'
			r.pauses(port, priority, m[2], m[3], i+1)
			continue
		}
		if short() {
			return
		}
		if name, ok := strings.CutPrefix(line, "Physical interface: "); ok {
			port, _, _ = strings.Cut(name, ",")
			queues = ""
		} else if line == "MAC Priority Flow Control Statistics:" {
			left, at = 8, i+1
		} else if way, _, ok := strings.Cut(line, " queues: "); ok {
			queues = way // Ingress or Egress, before the counters of the queues
		} else if strings.HasPrefix(line, "Queue number:") {
			queues = ""
		} else if queues == "Egress" && line != "" && line[0] >= '0' && line[0] <= '9' {
			m := junosEgress.FindStringSubmatch(line)
			if m == nil || i == len(lines)-1 {
				r.found.Errorf(Invalid, r.line(i+1), "the row %q of a queue of %s is not whole: the output is cut off", clip(line), port).Fixf("record the output again, to its end")
				return
			}
			id, _ := strconv.ParseUint(m[1], 10, 8)
			o := observe.Object{Kind: observe.Queue, Name: port, ID: uint8(id)}
			r.count(o, observe.QueueSent, m[2], "show", i+1)
			r.count(o, observe.QueueDropped, m[3], "show", i+1)
		}
	}
	short()
}

func isNXOSPauses(text []byte) bool {
	return nxosHead.Match(text) || isNXOSDetail(text)
}

// nxosHead are the names of the columns.
var nxosHead = regexp.MustCompile(`(?m)^ *Port +Mode +Oper.*RxPPP +TxPPP`)

// nxosPauses is a row: the port, the mode of PFC and whether it is on, its priorities as bits of a hexadecimal number, and frames
// received and sent.
var nxosPauses = regexp.MustCompile(`^(\S+[0-9])\s+(?:On|Off|Auto)\s+(?:On|Off)(?:\s*\(([0-9a-fA-F]{1,2})\))?\s+(\d+)\s+(\d+)$`)

// readNXOSPauses reads `show interface priority-flow-control` of NX-OS. A port has one number for the frames of all priorities: it is
// that of a priority if PFC has no other.
func readNXOSPauses(r *reader, text []byte) {
	if isNXOSDetail(text) {
		readNXOSDetail(r, text)
		return
	}
	lines := strings.Split(strings.ReplaceAll(string(text), "\r", ""), "\n")
	if prompt := strings.HasSuffix(strings.TrimSpace(lines[len(lines)-1]), "#"); !prompt && r.cutOff(lines) {
		return
	}
	for i, line := range lines {
		m := nxosPauses.FindStringSubmatch(strings.TrimSpace(line))
		if m == nil || m[3] == "0" && m[4] == "0" && m[2] == "" {
			continue
		}
		port := m[1]
		if rest, ok := strings.CutPrefix(port, "Eth"); ok && rest[0] >= '0' && rest[0] <= '9' {
			port = "Ethernet" + rest
		}
		bitmap, _ := strconv.ParseUint("0"+m[2], 16, 8) // two digits at most
		if several := bits.OnesCount8(uint8(bitmap)); several != 1 {
			r.frames(port, observe.PausesReceived, m[3], i+1)
			r.frames(port, observe.PausesSent, m[4], i+1)
			if several == 0 { // PFC is off, and the peer sends frames, or it was on
				continue
			}
			r.found.Warnf(Empty, r.line(i+1), "%s counts pause frames of %d priorities together, so the count of each priority is unknown", port, several).
				Fixf("give those of `show interface priority-flow-control detail`")
			continue
		}
		r.pauses(port, uint8(bits.TrailingZeros8(uint8(bitmap))), m[3], m[4], i+1)
	}
}

// nxosDetail is a line of a port, or of what it received or sent of each priority.
var nxosDetail = regexp.MustCompile(`^(?:(Ethernet[0-9/]+)|([RT]x)\s+\|(.*))$`)

func isNXOSDetail(text []byte) bool { return bytes.Contains(text, []byte("Total Rx PFC Frames:")) }

// readNXOSDetail reads `show interface priority-flow-control detail` of NX-OS: of each port the pause frames of the eight
// priorities.
func readNXOSDetail(r *reader, text []byte) {
	port, rows, last := "", 0, 0
	short := func() {
		if port != "" && rows < 2 {
			r.found.Errorf(Invalid, r.line(last), "%s has %d of the two lines Rx and Tx of its priorities: the output is cut off", port, rows).Fixf("record the output again, to its end")
		}
	}
	for i, line := range strings.Split(strings.ReplaceAll(string(text), "\r", ""), "\n") {
		m := nxosDetail.FindStringSubmatch(strings.TrimSpace(line))
		if strings.TrimSpace(line) != "" && (m == nil || m[1] == "") {
			last = i + 1
		}
		switch {
		case m == nil:
		case m[1] != "":
			short()
			port, rows, last = m[1], 0, i+1
		case port != "":
			rows++
			counts := strings.Split(strings.TrimRight(m[3], "| "), "|")
			if len(counts) != 8 {
				r.found.Errorf(Invalid, r.line(i+1), "the line %s of %s has %d of eight priorities: the output is cut off", m[2], port, len(counts)).Fixf("record the output again, to its end")
				continue
			}
			of := map[string]func(uint8) observe.Counter{"Rx": observe.PFCReceived, "Tx": observe.PFCSent}[m[2]]
			for priority, count := range counts {
				r.frames(port, of(uint8(priority)), strings.TrimSpace(count), i+1)
			}
		}
	}
	short()
}

// eosHead and eosPauses are the names and a row of EOS's table: the port, and frames received and sent.
var (
	eosHead   = regexp.MustCompile(`(?m)^ *Port +RxPfc +TxPfc *\r?$`)
	eosPort   = regexp.MustCompile(`^(?:Et|Ethernet)[0-9/]+$`)
	eosPauses = regexp.MustCompile(`^(?:Et|Ethernet)([0-9/]+) +(\d+) +(\d+)$`)
)

func isEOSPauses(text []byte) bool { return eosHead.Match(text) }

// readEOSPauses reads `show priority-flow-control counters` of EOS, which counts the frames of all priorities together.
func readEOSPauses(r *reader, text []byte) {
	lines := strings.Split(strings.ReplaceAll(string(text), "\r", ""), "\n")
	if prompt := strings.HasSuffix(strings.TrimSpace(lines[len(lines)-1]), "#"); !prompt && r.cutOff(lines) {
		return
	}
	for i, line := range lines {
		if m := eosPauses.FindStringSubmatch(strings.TrimSpace(line)); m != nil {
			r.frames("Ethernet"+m[1], observe.PausesReceived, m[2], i+1)
			r.frames("Ethernet"+m[1], observe.PausesSent, m[3], i+1)
		} else if fields := strings.Fields(line); len(fields) == 2 && eosPort.MatchString(fields[0]) {
			r.found.Errorf(Invalid, r.line(i+1), "the row of %s has 2 of three columns: the table is cut off", fields[0]).Fixf("record the output again, to its end")
		}
	}
}

// pauses adds the pause frames of a priority of a port.
func (r *reader) pauses(port string, priority uint8, received, sent string, line int) {
	r.frames(port, observe.PFCReceived(priority), received, line)
	r.frames(port, observe.PFCSent(priority), sent, line)
}

func (r *reader) frames(port string, counter observe.Counter, text string, line int) {
	r.count(observe.Object{Kind: observe.Port, Name: port}, counter, text, "show", line)
}

// count adds what a line counts of an object.
//
//go:noinline
func (r *reader) count(o observe.Object, counter observe.Counter, text, source string, line int) {
	if n, ok := r.wholeText(text, string(counter), r.line(line)); ok {
		r.add(observe.Row{Object: o, Counter: counter, Value: n, Source: source, At: r.line(line)})
	}
}

func isEOSDetail(text []byte) bool {
	return opens(text, "{") && bytes.Contains(text, []byte(`"rxFrames"`)) && (bytes.Contains(text, []byte(`"priorities"`)) || bytes.Contains(text, []byte(`"interfaceCounters"`)))
}

// readEOSDetail reads `show priority-flow-control counters detail | json` of EOS: the pause frames of each priority of a port; and
// without detail (amd/node-scraper, AristaPfcCounters): those of all priorities together.
func readEOSDetail(r *reader, text []byte) {
	root := r.document(text)
	if root == nil {
		return
	}
	for port := range root.Get("interfaceCounters").All() {
		for key, counter := range map[string]observe.Counter{"rxFrames": observe.PausesReceived, "txFrames": observe.PausesSent} {
			if n := port.Value.Get(key); n != nil {
				r.frames(port.Key, counter, scalar(n), r.doc.At(n).Start.Line)
			}
		}
	}
	for port := range root.Get("interfaces").All() {
		for of := range port.Value.Get("priorities").All() {
			priority, err := strconv.ParseUint(of.Key, 10, 3)
			if rx, tx := of.Value.Get("rxFrames"), of.Value.Get("txFrames"); err == nil && rx != nil && tx != nil {
				r.pauses(port.Key, uint8(priority), scalar(rx), scalar(tx), r.doc.At(rx).Start.Line)
			}
		}
	}
}

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
	return bytes.Contains(text, []byte("Physical interface: ")) && bytes.Contains(text, []byte("MAC Priority Flow Control Statistics:"))
}

// junosPriority is a line of a priority: received and sent.
var junosPriority = regexp.MustCompile(`^Priority :\s+([0-7])\s+(\d+)\s+(\d+)$`)

// readJunosPauses reads `show interfaces extensive` of Junos: of each physical interface the pause frames of the eight
// priorities.
func readJunosPauses(r *reader, text []byte) {
	port, left, at := "", 0, 0
	short := func() bool {
		if left > 0 {
			r.found.Errorf(Invalid, r.line(at), "of %s there are %d of eight priorities below this line: the output is cut off", port, 8-left).Fixf("record the output again, to its end")
		}
		return left > 0
	}
	for i, line := range strings.Split(strings.ReplaceAll(string(text), "\r", ""), "\n") {
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
		} else if line == "MAC Priority Flow Control Statistics:" {
			left, at = 8, i+1
		}
	}
	short()
}

func isNXOSPauses(text []byte) bool {
	return bytes.Contains(text, []byte("RxPPP")) && bytes.Contains(text, []byte("TxPPP"))
}

// nxosPauses is a row: the port, the mode of PFC and whether it is on, its priorities as bits of a hexadecimal number, and frames
// received and sent.
var nxosPauses = regexp.MustCompile(`^(\S+[0-9])\s+(?:On|Off|Auto)\s+(?:On|Off)(?:\s*\(([0-9a-fA-F]{1,2})\))?\s+(\d+)\s+(\d+)$`)

// readNXOSPauses reads `show interface priority-flow-control` of NX-OS. A port has one number for the frames of all priorities: it is
// that of a priority if PFC has no other.
func readNXOSPauses(r *reader, text []byte) {
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
		if bits.OnesCount8(uint8(bitmap)) != 1 {
			r.found.Warnf(Empty, r.line(i+1), "%s counts pause frames of %d priorities together, so the count of each priority is unknown", port, bits.OnesCount8(uint8(bitmap))).
				Fixf("give the counters of single priorities, such as those of gNMI")
			continue
		}
		r.pauses(port, uint8(bits.TrailingZeros8(uint8(bitmap))), m[3], m[4], i+1)
	}
}

// pauses adds the pause frames of a priority of a port.
func (r *reader) pauses(port string, priority uint8, received, sent string, line int) {
	for _, c := range []struct {
		counter observe.Counter
		text    string
	}{{observe.PFCReceived(priority), received}, {observe.PFCSent(priority), sent}} {
		if n, ok := r.wholeText(c.text, string(c.counter), r.line(line)); ok {
			r.add(observe.Row{Object: observe.Object{Kind: observe.Port, Name: port}, Counter: c.counter, Value: n, Source: "show", At: r.line(line)})
		}
	}
}

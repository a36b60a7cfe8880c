package intake

import (
	"bytes"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/roceplan/roceplan/observe"
)

// Lines of `show queuing interface` of NX-OS (Cisco Nexus 9000 NX-OS Quality of Service guide, Monitoring QoS Statistics): the port,
// a group, what it counts of unicast, which RoCE is, and the pause frames of a priority, which a PFC frame has a count of each for.
var (
	nxosQueuing = regexp.MustCompile(`^(?:Egress|Ingress) Queuing for (Ethernet[0-9/]+)`)
	nxosGroup   = regexp.MustCompile(`^\|\s*(.*)QOS GROUP ?(\d*)\s*\|$`)
	nxosCount   = regexp.MustCompile(`\|\s*([A-Z][^|]*?)\s*\|\s*(\d+)\s*`)
	nxosPFC     = regexp.MustCompile(`^(\d)\s+(?:\d+|-)(?:\s+(?:\d+|-))?\s+(?:Active|Inactive)\s+(\d+)\s+(?:Active|Inactive)\s+(\d+)$`)
	nxosIngress = regexp.MustCompile(`^(Ingress (?:Overflow|MMU) Drop Pkts|Low Priority Drop Pkts|High? Priority Drop Pkts)\s+(\d+)$`)
)

// nxosDrops are the lines of drops of a group; others, such as those of the watchdog, count some of them again.
var nxosDrops = []string{"Dropped Pkts", "Tail Drop Pkts", "WRED Drop Pkts", "WRED & AFD Drop Pkts", "WRED/AFD & Tail Drop Pkts"}

func isNXOSQueues(text []byte) bool {
	return bytes.Contains(text, []byte("Queuing for Ethernet")) && (bytes.Contains(text, []byte("QOS GROUP")) || bytes.Contains(text, []byte("PFC Statistics")))
}

// readNXOSQueues reads `show queuing interface` of NX-OS. It has one number for the packets that a port dropped at ingress, of all
// groups, which is named.
func readNXOSQueues(r *reader, text []byte) {
	lines := strings.Split(strings.ReplaceAll(string(text), "\r", ""), "\n")
	if prompt := strings.HasSuffix(strings.TrimSpace(lines[len(lines)-1]), "#"); !prompt && r.cutOff(lines) {
		return
	}
	port, dropped, slice := "", (*observe.Row)(nil), false
	queue := observe.Object{}
	end := func() {
		if dropped != nil {
			r.add(*dropped)
		}
		dropped, queue = nil, observe.Object{}
	}
	for i, line := range lines {
		line = strings.TrimSpace(line)
		if strings.HasPrefix(line, "|") && !strings.HasSuffix(line, "|") {
			r.errorf(Invalid, r.line(i+1), "the row %q does not end with its table: it is cut off or was edited", clip(line)).Fixf("record `show queuing interface` again, to its end")
		}
		if m := nxosQueuing.FindStringSubmatch(line); m != nil {
			end()
			port, slice = m[1], false
		} else if m := nxosGroup.FindStringSubmatch(line); m != nil {
			end()
			if id, err := strconv.ParseUint(m[2], 10, 3); err == nil && m[1] == "" { // else of the processor or of copies
				queue = observe.Object{Kind: observe.Queue, Name: port, ID: uint8(id)}
			}
		} else if strings.HasPrefix(line, "Per Slice") {
			slice = true // all ports of a part of the chip
		} else if m := nxosPFC.FindStringSubmatch(line); m != nil && port != "" {
			priority := m[1][0] - '0'
			r.pauses(port, priority&7, m[3], m[2], i+1)
		} else if m := nxosIngress.FindStringSubmatch(line); m != nil && m[2] != "0" && port != "" && !slice {
			r.found.Warnf(Empty, r.line(i+1), "%s dropped %s packets at ingress (%s), and the output does not say of which group", port, m[2], m[1]).
				Fixf("if the port has lossy traffic, they may be of that; else a lossless group lost them")
		} else if queue.Name != "" {
			for _, m := range nxosCount.FindAllStringSubmatch(line, -1) { // two where a line has what was sent and dropped
				dropped = r.nxosCount(queue, dropped, m[1], m[2], i+1)
			}
		}
	}
	end()
}

// nxosCount adds what a queue counts under a name, and returns what it dropped in sum.
func (r *reader) nxosCount(queue observe.Object, dropped *observe.Row, name, text string, line int) *observe.Row {
	switch {
	case name == "Tx Pkts":
		r.count(queue, observe.QueueSent, text, "show", line)
	case name == "Tx Byts":
		r.count(queue, observe.QueueSentBytes, text, "show", line)
	case slices.Contains(nxosDrops, name):
		if dropped == nil {
			dropped = &observe.Row{Object: queue, Counter: observe.QueueDropped, Source: "show"}
		}
		n, _ := r.wholeText(text, name, r.line(line))
		dropped.Value, dropped.At = dropped.Value+n, r.line(line)
	}
	return dropped
}

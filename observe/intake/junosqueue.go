package intake

import (
	"bytes"
	"regexp"
	"strconv"
	"strings"

	"github.com/roceplan/roceplan/observe"
)

func isJunosQueues(text []byte) bool {
	return bytes.Contains(text, []byte("Physical interface: ")) && bytes.Contains(text, []byte("Queue: ")) && bytes.Contains(text, []byte(", Forwarding classes: "))
}

// junosQueue begins a queue, and junosCount is a line of it: what is counted, and how often.
var (
	junosQueue = regexp.MustCompile(`^Queue: (\d+), Forwarding classes: `)
	junosCount = regexp.MustCompile(`^(Packets|Bytes|(?:Tail|RED|Total)-dropped (?:packets|bytes)|ECN-CE (?:packets|bytes)) *: +(\S.*?)(?:  +\d+ [bp]ps)?$`)
)

// junosCounters are the counters of lines in the section Transmitted, without those of drops.
var junosCounters = map[string]observe.Counter{
	"Packets": observe.QueueSent, "Bytes": observe.QueueSentBytes, "ECN-CE packets": observe.QueueMarked, "ECN-CE bytes": observe.QueueMarkedBytes,
}

// readJunosQueues reads `show interfaces queue` of Junos. A queue drops at its tail and by its curve, which are counted apart
// where no line has the total.
func readJunosQueues(r *reader, text []byte) {
	port, section := "", ""
	var queue *observe.Row // what it dropped
	total, begun := false, 0
	end := func() {
		switch {
		case queue == nil:
		case section != "Transmitted:":
			r.found.Errorf(Invalid, r.line(begun), "queue %d of %s has no section Transmitted: the output is cut off", queue.Object.ID, port).Fixf("record the output again, to its end")
		case queue.Counter != "":
			r.add(*queue)
		}
		queue, total = nil, false
	}
	for i, line := range strings.Split(strings.ReplaceAll(string(text), "\r", ""), "\n") {
		line = strings.TrimSpace(line)
		if name, ok := strings.CutPrefix(line, "Physical interface: "); ok {
			end()
			port, _, _ = strings.Cut(name, ",")
		} else if m := junosQueue.FindStringSubmatch(line); m != nil {
			end()
			if id, err := strconv.ParseUint(m[1], 10, 4); err == nil {
				queue, begun, section = &observe.Row{Object: observe.Object{Kind: observe.Queue, Name: port, ID: uint8(id)}, Source: "show", At: r.line(i + 1)}, i+1, ""
			}
		} else if line == "Queued:" || line == "Transmitted:" {
			section = line
		} else if m := junosCount.FindStringSubmatch(line); m != nil && queue != nil && section == "Transmitted:" && m[2] != "Not Available" {
			counter, sum := junosCounters[m[1]], strings.HasPrefix(m[1], "Total")
			n, ok := r.wholeText(m[2], m[1], r.line(i+1))
			switch {
			case !ok:
			case counter != "":
				row := *queue
				row.Counter, row.Value, row.At = counter, n, r.line(i+1)
				r.add(row)
			case strings.HasSuffix(m[1], "packets") && (sum || !total):
				if queue.Counter = observe.QueueDropped; sum {
					queue.Value, total = 0, true
				}
				queue.Value, queue.At = queue.Value+n, r.line(i+1)
			}
		}
	}
	end()
}

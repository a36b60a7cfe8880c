package intake

import (
	"bytes"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/roceplan/roceplan/observe"
)

// Rows of `show interfaces counters queue detail` of EOS, which differs by chip: a row of a traffic class, a drop precedence and
// a kind of destination on chips with virtual output queues (ntc-templates, arista_eos show_interfaces_counters_queue_detail), and
// a row of a queue on others (amd/node-scraper, scale-out collector of Arista: port, TxQ, packets, bytes, drops in packets and bytes).
// EOS sends traffic class n by queue n unless a map says otherwise.
var (
	eosQueueHead = regexp.MustCompile(`(?m)^ *Port +(?:Traffic +DropPrec +DestType|TxQ +Counter/pkts +Counter/bytes)`)
	eosQueueRow  = regexp.MustCompile(`^(?:Et|Ethernet)([0-9/]+) +(?:TC([0-9]+) +DP\S+ +(UC|MC)|(UC|MC)([0-9]+)) +(\d+) +(\d+) +(\d+) +(\d+)$`)
	eosQueuePort = regexp.MustCompile(`^(?:Et|Ethernet)[0-9/]+ +(?:TC|UC|MC)[0-9]`)
)

func isEOSQueues(text []byte) bool {
	return eosQueueHead.Match(text) && regexp.MustCompile(`(?m)^ *(?:Et[0-9/]+|Ethernet[0-9/]+ +TC[0-9]+) `).Match(text)
}

// queueCounts are what a row counts, in the order of its columns.
var queueCounts = []observe.Counter{observe.QueueSent, observe.QueueSentBytes, observe.QueueDropped, observe.QueueDroppedBytes}

// parts are counts that a text gives in several lines or columns, such as those of the drop precedences of a queue.
type parts map[part]*observe.Row

type part struct {
	object  observe.Object
	counter observe.Counter
}

// add adds what a line counts.
func (p parts) add(r *reader, o observe.Object, c observe.Counter, text, source string, line int) {
	if n, ok := r.wholeText(text, string(c), r.line(line)); ok {
		row := p[part{o, c}]
		if row == nil {
			row = &observe.Row{Object: o, Counter: c, Source: source}
			p[part{o, c}] = row
		}
		row.Value, row.At = row.Value+n, r.line(line)
	}
}

func (p parts) into(r *reader) {
	for row := range maps.Values(p) { // rows are sorted afterwards
		r.add(*row)
	}
}

func readEOSQueues(r *reader, text []byte) {
	lines, all := strings.Split(strings.ReplaceAll(string(text), "\r", ""), "\n"), parts{}
	if prompt := strings.HasSuffix(strings.TrimSpace(lines[len(lines)-1]), "#"); !prompt && r.cutOff(lines) {
		return
	}
	for i, line := range lines {
		line = strings.TrimSpace(line)
		m := eosQueueRow.FindStringSubmatch(line)
		if m == nil && eosQueuePort.MatchString(line) {
			r.errorf(Invalid, r.line(i+1), "the row %q is not one of egress queues: a port, its queue, and packets and bytes that were sent and dropped", clip(strings.Join(strings.Fields(line), " "))).
				Fixf("record `show interfaces counters queue detail` again, to its end, and leave out the queues at ingress")
		}
		if m == nil || m[3]+m[4] != "UC" { // RoCE goes through no queue of multicast
			continue
		}
		queue, err := strconv.ParseUint(m[2]+m[5], 10, 3)
		if err != nil {
			continue
		}
		for column, value := range m[6:] {
			all.add(r, observe.Object{Kind: observe.Queue, Name: "Ethernet" + m[1], ID: uint8(queue)}, queueCounts[column], value, "show", i+1)
		}
	}
	all.into(r)
}

func isEOSQueueJSON(text []byte) bool {
	return opens(text, "{") && (bytes.Contains(text, []byte(`"ucastQueues"`)) || bytes.Contains(text, []byte(`"intfQueueCounters"`)))
}

// eosFields are the names in JSON of what a row counts (aristanetworks/anta, VerifyInterfacesEgressQueueDrops).
var eosFields = []string{"enqueuedPackets", "enqueuedBytes", "droppedPackets", "droppedBytes"}

// readEOSQueueJSON reads `show interfaces counters queue detail | json` and `show qos interfaces ecn counters queue | json` of EOS,
// which has the marked packets of each queue (aristanetworks/anta, VerifyInterfacesECNCounters).
func readEOSQueueJSON(r *reader, text []byte) {
	root := r.document(text)
	if root == nil {
		return
	}
	all := parts{}
	for port := range root.Get("egressQueueCounters", "interfaces").All() {
		for class := range port.Value.Get("ucastQueues", "trafficClasses").All() {
			queue, err := strconv.ParseUint(strings.TrimPrefix(class.Key, "TC"), 10, 3)
			for precedence := range class.Value.Get("dropPrecedences").All() {
				for m := range precedence.Value.All() {
					if column := slices.Index(eosFields, m.Key); column >= 0 && err == nil {
						all.add(r, observe.Object{Kind: observe.Queue, Name: port.Key, ID: uint8(queue)}, queueCounts[column], scalar(&m.Value), "show", r.doc.At(&m.Value).Start.Line)
					}
				}
			}
		}
	}
	all.into(r)
	for port := range root.Get("intfQueueCounters").All() {
		for m := range port.Value.Get("queueCounters").All() {
			queue, err := strconv.ParseUint(m.Key, 10, 3)
			if text := scalar(&m.Value); err == nil && text != "-" { // where the queue counts none
				if n, ok := r.wholeText(text, "marked packets", r.doc.At(&m.Value)); ok {
					r.add(observe.Row{Object: observe.Object{Kind: observe.Queue, Name: port.Key, ID: uint8(queue)}, Counter: observe.QueueMarked, Value: n, Source: "show", At: r.doc.At(&m.Value)})
				}
			}
		}
	}
}

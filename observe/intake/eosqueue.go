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

// eosQueues sums what several drop precedences of a queue count.
type eosQueues map[observe.Object]*[4]observe.Row

func (q eosQueues) add(r *reader, port string, queue uint8, column int, text string, line int) {
	o := observe.Object{Kind: observe.Queue, Name: port, ID: queue}
	n, ok := r.wholeText(text, string(queueCounts[column]), r.line(line))
	if !ok {
		return
	}
	if q[o] == nil {
		q[o] = new([4]observe.Row)
	}
	row := &q[o][column]
	*row = observe.Row{Object: o, Counter: queueCounts[column], Value: row.Value + n, Source: "show", At: r.line(line)}
}

func (q eosQueues) into(r *reader) {
	for rows := range maps.Values(q) { // rows are sorted afterwards
		for _, row := range rows {
			if row.Counter != "" {
				r.add(row)
			}
		}
	}
}

func readEOSQueues(r *reader, text []byte) {
	lines, all := strings.Split(strings.ReplaceAll(string(text), "\r", ""), "\n"), eosQueues{}
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
			all.add(r, "Ethernet"+m[1], uint8(queue), column, value, i+1)
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
	all := eosQueues{}
	for port := range root.Get("egressQueueCounters", "interfaces").All() {
		for class := range port.Value.Get("ucastQueues", "trafficClasses").All() {
			queue, err := strconv.ParseUint(strings.TrimPrefix(class.Key, "TC"), 10, 3)
			for precedence := range class.Value.Get("dropPrecedences").All() {
				for m := range precedence.Value.All() {
					if column := slices.Index(eosFields, m.Key); column >= 0 && err == nil {
						all.add(r, port.Key, uint8(queue), column, scalar(&m.Value), r.doc.At(&m.Value).Start.Line)
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

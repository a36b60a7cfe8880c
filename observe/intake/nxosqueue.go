package intake

import (
	"bytes"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/roceplan/roceplan/internal/posjson"
	"github.com/roceplan/roceplan/observe"
)

// Lines of `show queuing interface` of NX-OS (Cisco Nexus 9000 NX-OS Quality of Service guide, Monitoring QoS Statistics): the port,
// a group, what it counts of unicast, which RoCE is, and the pause frames of a priority, which a PFC frame has a count of each for.
var (
	nxosQueuing = regexp.MustCompile(`^(?:(?:Egress|Ingress) Queuing for (Ethernet[0-9/]+)|(Ethernet[0-9/]+) (?:queuing information:|Interface PFC watchdog))`)
	nxosGroup   = regexp.MustCompile(`^\|\s*(.*)QOS GROUP ?(\d*)\s*(?:\|| \[\S+\] PFC .*)$`)
	nxosOld     = regexp.MustCompile(`^qos-group (\d)$`)
	nxosCount   = regexp.MustCompile(`\|\s*([A-Z][^|]*?)\s*\|\s*(\d+)\s*`)
	nxosPFC     = regexp.MustCompile(`^(\d)\s+(?:\d+|-)(?:\s+(?:\d+|-))?\s+(?:Active|Inactive)\s+(\d+)\s+(?:Active|Inactive)\s+(\d+)$`)
	nxosIngress = regexp.MustCompile(`^(Ingress (?:Overflow|MMU) Drop Pkts|Low Priority Drop Pkts|High? Priority Drop Pkts)\s+(\d+)$`)
)

// nxosCounts are the lines of a group that have a counter. nxosMost are those of the watchdog: the largest counts, since Cisco does not
// say which of them begin anew after a storm (show queuing pfc-queue detail).
var (
	nxosCounts = map[string]observe.Counter{
		"Tx Pkts": observe.QueueSent, "Tx Byts": observe.QueueSentBytes, "ECN Pkts": observe.QueueMarked, "ECN Byts": observe.QueueMarkedBytes,
		"Shutdown": observe.WatchdogDetected, "Restored": observe.WatchdogRestored,
	}
	nxosMost = map[string]observe.Counter{
		"Total pkts drained": observe.WatchdogDroppedTx, "Total pkts dropped": observe.WatchdogDroppedTx, "Total pkts drained + dropped": observe.WatchdogDroppedTx,
		"Aggregate pkts dropped":     observe.WatchdogDroppedTx,
		"Total Ingress pkts dropped": observe.WatchdogDroppedRx, "Aggregate Ingress pkts dropped": observe.WatchdogDroppedRx,
	}
)

// nxosDrops are the lines of drops of a group; others, such as those of the watchdog, count some of them again.
var nxosDrops = []string{"Dropped Pkts", "Tail Drop Pkts", "WRED Drop Pkts", "WRED & AFD Drop Pkts", "WRED/AFD & Tail Drop Pkts"}

func isNXOSQueues(text []byte) bool {
	return nxosQueuingOld.Match(text) || bytes.Contains(text, []byte("Queuing for Ethernet")) && (bytes.Contains(text, []byte("QOS GROUP")) || bytes.Contains(text, []byte("PFC Statistics")))
}

// nxosQueuingOld begins a port of a Nexus 5000, or of the watchdog's table.
var nxosQueuingOld = regexp.MustCompile(`(?m)^ *Ethernet[0-9/]+ (?:queuing information:|Interface PFC watchdog)`)

// readNXOSQueues reads `show queuing interface` and `show queuing pfc-queue detail` of NX-OS. The former has one number for the
// packets that a port dropped at ingress, of all groups, which is named; on a Nexus 5000 each group has its own.
func readNXOSQueues(r *reader, text []byte) {
	lines := strings.Split(strings.ReplaceAll(string(text), "\r", ""), "\n")
	if prompt := strings.HasSuffix(strings.TrimSpace(lines[len(lines)-1]), "#"); !prompt && r.cutOff(lines) {
		return
	}
	port, slice, all := "", false, parts{}
	queue := observe.Object{}
	for i, line := range lines {
		line = strings.TrimSpace(line)
		if strings.HasPrefix(line, "|") && !strings.HasSuffix(line, "|") && !(strings.Contains(line, "PFC-COS [") && strings.HasSuffix(line, "]")) {
			r.errorf(Invalid, r.line(i+1), "the row %q does not end with its table: it is cut off or was edited", clip(line)).Fixf("record `show queuing interface` again, to its end")
		}
		if m := nxosQueuing.FindStringSubmatch(line); m != nil {
			port, slice, queue = m[1]+m[2], false, observe.Object{}
		} else if m := nxosGroup.FindStringSubmatch(line); m != nil {
			queue = nxosQueue(port, m[1], m[2])
		} else if m := nxosOld.FindStringSubmatch(line); m != nil {
			queue = nxosQueue(port, "", m[1])
		} else if strings.HasPrefix(line, "Per Slice") {
			slice = true // all ports of a part of the chip
		} else if m := nxosPFC.FindStringSubmatch(line); m != nil && port != "" {
			priority := m[1][0] - '0'
			r.pauses(port, priority&7, m[3], m[2], i+1)
		} else if m := nxosIngress.FindStringSubmatch(line); m != nil && port != "" && !slice {
			r.nxosIngress(port, m[1], m[2], i+1)
		} else if name, count, ok := strings.Cut(line, ":"); ok && queue.Name != "" && strings.TrimSpace(name) == "Pkts discarded on ingress" {
			queue.Kind = observe.Group
			all.add(r, queue, observe.GroupDropped, strings.TrimSpace(count), "show", i+1)
		} else if queue.Name != "" {
			for _, m := range nxosCount.FindAllStringSubmatch(line, -1) { // two where a line has what was sent and dropped
				all.nxos(r, queue, m[1], m[2], i+1)
			}
		}
	}
	all.into(r)
}

// nxosQueue returns the queue of a group, which has no name if it is of the processor or of copies.
func nxosQueue(port, kind, id string) observe.Object {
	n, err := strconv.ParseUint(id, 10, 3)
	if err != nil || kind != "" {
		return observe.Object{}
	}
	return observe.Object{Kind: observe.Queue, Name: port, ID: uint8(n)}
}

// nxosIngress names packets that a port dropped at ingress.
func (r *reader) nxosIngress(port, name, count string, line int) {
	if count == "0" {
		return
	}
	r.found.Warnf(Empty, r.line(line), "%s dropped %s packets at ingress (%s), and the output does not say of which group", port, count, name).
		Fixf("if the port has lossy traffic, they may be of that; else a lossless group lost them")
}

// nxos adds what a queue counts under a name.
func (p parts) nxos(r *reader, queue observe.Object, name, text string, line int) {
	if c, ok := nxosCounts[name]; ok {
		p.add(r, queue, c, text, "show", line)
	} else if slices.Contains(nxosDrops, name) {
		p.add(r, queue, observe.QueueDropped, text, "show", line)
	} else if c, ok := nxosMost[name]; ok {
		before := p[part{queue, c}]
		delete(p, part{queue, c})
		p.add(r, queue, c, text, "show", line)
		if now := p[part{queue, c}]; before != nil && (now == nil || now.Value < before.Value) {
			p[part{queue, c}] = before
		}
	}
}

func isNXOSQueueJSON(text []byte) bool {
	return opens(text, "{") && bytes.Contains(text, []byte(`"ROW_queuing_interface"`))
}

// nxosRows returns the rows of a table in NX-OS's JSON, which is no list where it has one row.
func nxosRows(n *posjson.Node, table string) []*posjson.Node {
	rows := n.Get("TABLE_"+table, "ROW_"+table)
	if rows != nil && rows.Kind == posjson.Object {
		return []*posjson.Node{rows}
	}
	return items(rows)
}

// nxosWatchdog are the fields of the watchdog's table, by the names of the lines.
var nxosWatchdog = map[string]string{
	"q-shutdown": "Shutdown", "q-restored": "Restored", "q-pkt-drained": "Total pkts drained", "q-pkt-dropped": "Total pkts dropped",
	"q-pkt-drained-n-dropped": "Total pkts drained + dropped", "q-aggr-pkt-dropped": "Aggregate pkts dropped",
	"q-ing-pkt-dropped": "Total Ingress pkts dropped", "q-ing-aggr-pkt-dropped": "Aggregate Ingress pkts dropped",
}

// readNXOSQueueJSON reads `show queuing interface | json` and `show queuing pfc-queue detail | json` of NX-OS, also in the answer of
// NX-API (Cisco Nexus 9000 Series NX-OS Command Reference, Show Commands, show queuing).
func readNXOSQueueJSON(r *reader, text []byte) {
	root := r.document(text)
	if body := root.Get("ins_api", "outputs", "output", "body"); body != nil {
		root = body
	}
	all := parts{}
	for _, module := range nxosRows(root, "module") {
		for _, of := range nxosRows(module, "queuing_interface") {
			port := nxosPort.FindString(scalar(of.Get("if_name_str")))
			if port == "" {
				continue
			}
			all.nxosGroups(r, port, of)
			for _, row := range nxosRows(of, "ingress_stats_entry") {
				if scalar(row.Get("ip-stat-units")) == "Pkts" {
					n := row.Get("ip-stat-value")
					r.nxosIngress(port, scalar(row.Get("ip-stat-type"))+" Pkts", scalar(n), r.doc.At(n).Start.Line)
				}
			}
			for _, row := range nxosRows(of, "pfc_stats") {
				priority, err := strconv.ParseUint(scalar(row.Get("cos")), 10, 3)
				if rx, tx := row.Get("rx-pause-count"), row.Get("tx-pause-count"); err == nil && rx != nil && tx != nil {
					r.pauses(port, uint8(priority), scalar(rx), scalar(tx), r.doc.At(rx).Start.Line)
				}
			}
		}
	}
	all.into(r)
}

// nxosPort is a port, after which its name may say more.
var nxosPort = regexp.MustCompile(`^Ethernet[0-9/]+`)

// nxosGroups adds what the groups of a port count at egress, and their watchdog.
func (p parts) nxosGroups(r *reader, port string, of *posjson.Node) {
	for _, group := range nxosRows(of, "qosgrp_egress_stats") {
		queue := nxosQueue(port, "", scalar(group.Get("eq-qosgrp")))
		for _, row := range nxosRows(group, "qosgrp_egress_stats_entry") {
			if n := row.Get("eq-uc-stat-value"); n != nil && queue.Name != "" {
				p.nxos(r, queue, scalar(row.Get("eq-stat-type"))+" "+scalar(row.Get("eq-stat-units")), scalar(n), r.doc.At(n).Start.Line)
			}
		}
	}
	for _, group := range nxosRows(of, "qosgrp_stats") {
		queue := nxosQueue(port, "", scalar(group.Get("eq-qosgrp")))
		for _, row := range nxosRows(group, "qosgrp_stats_entry") {
			for m := range row.All() {
				if name := nxosWatchdog[m.Key]; name != "" && queue.Name != "" {
					p.nxos(r, queue, name, scalar(&m.Value), r.doc.At(&m.Value).Start.Line)
				}
			}
		}
	}
}

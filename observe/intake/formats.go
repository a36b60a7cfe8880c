package intake

import (
	"bytes"
)

// A format is one way in which counters are listed.
type format struct {
	name      string
	recognize func(text []byte) bool
	read      func(r *reader, text []byte)
}

// formats in the order in which a text is checked against them.
func formats() []format {
	return []format{
		{"answers of Prometheus as JSON", isPrometheus, readPrometheus},
		{"OTLP as JSON", isOTLP, readOTLP},
		{"gNMI notifications as JSON", isGNMI, readGNMI},
		{"a dump of SONiC's COUNTERS_DB (sonic-db-dump -n COUNTERS_DB -y)", isCountersDB, readCountersDB},
		{"SONiC's watermarkstat --json, called after its type", isShown, readShown},
		{"SONiC's show queue counters --json and show queue wredcounters --json", isQueueCounters, readQueueCounters},
		{"EOS's show interfaces counters queue detail", isEOSQueues, readEOSQueues},
		{"EOS's show interfaces counters queue detail | json and show qos interfaces ecn counters queue | json", isEOSQueueJSON, readEOSQueueJSON},
		{"tables of SONiC's show pfc counters, also with --history, show queue counters, show queue wredcounters, show priority-group drop counters, show pfcwd stats, and of its watermarks", isTables, readTables},
		{"ethtool -S", isEthtool, readEthtool},
		{"rdma statistic show, also with -j", isRDMA, readRDMA},
		{"Prometheus' text format, as node_exporter serves it", isExposition, readExposition},
		{"Junos's show interfaces extensive", isJunosPauses, readJunosPauses},
		{"NX-OS's show queuing interface and show queuing pfc-queue detail", isNXOSQueues, readNXOSQueues},
		{"NX-OS's show queuing interface | json and show queuing pfc-queue detail | json", isNXOSQueueJSON, readNXOSQueueJSON},
		{"NX-OS's show interface priority-flow-control, also with detail", isNXOSPauses, readNXOSPauses},
		{"EOS's show priority-flow-control counters", isEOSPauses, readEOSPauses},
		{"Junos's show interfaces queue", isJunosQueues, readJunosQueues},
		{"EOS's show priority-flow-control counters | json, also with detail", isEOSDetail, readEOSDetail},
		{"EOS's show queue-monitor length csv", isLANZ, readLANZ},
	}
}

// Names lists the formats, for people.
func Names() []string {
	var all []string
	for _, f := range formats() {
		all = append(all, f.name)
	}
	return all
}

// formatOf returns the format by which a text is read, and others are those by which more of it could be.
func formatOf(text []byte) (f format, others []format, ok bool) {
	for _, f := range formats() {
		if f.recognize(text) {
			others = append(others, f)
		}
	}
	if len(others) == 0 {
		return f, nil, false
	}
	if opens(text, "{[") { // a document is of one kind, and words of another are in it
		return others[0], nil, true
	}
	return others[0], others[1:], true
}

// opens reports whether a text begins with one of the characters after blanks.
func opens(text []byte, with string) bool {
	text = bytes.TrimLeft(text, " \t\r\n")
	return len(text) > 0 && bytes.IndexByte([]byte(with), text[0]) >= 0
}

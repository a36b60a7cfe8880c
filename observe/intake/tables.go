package intake

import (
	"bytes"
	"cmp"
	"path"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"sync"

	"github.com/roceplan/roceplan/observe"
)

// Tables are what SONiC's `show` prints: `show pfc counters`, also with --history, `show queue counters` and
// wredcounters, `show priority-group drop counters` (script pg-drop), `show pfcwd stats`, `show priority-group watermark`, `show queue watermark`, `show buffer_pool
// watermark` and `show headroom-pool watermark` (sonic-utilities, scripts pfcstat, queuestat,
// wredstat and watermarkstat), one or several in a file. All are drawn alike: names, a line of
// dashes that says how wide each column is, and rows that end where it ends. So a row that is
// cut off is seen.

// tableHeads are beginnings of the lines of names.
var tableHeads = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?m)^[ \t]*(Port Rx +PFC[0-7]|Port Tx +PFC[0-7]|Port +TxQ |Port +Voq |Port +Priority +RX Pause|Port +(PG|UC|MC|ALL)[0-9]+\b|Pool +Bytes|QUEUE +STATUS +STORM DETECTED|Queue +Bytes)`)
})

func isTables(text []byte) bool {
	text = bytes.TrimLeft(text, " \t\r\n")
	return len(text) > 0 && text[0] != '{' && text[0] != '[' && tableHeads().Match(text) && !isEOSQueues(text)
}

// titleLine is what is above a table, which may follow the last row of another: watermarks of several ASICs have no empty line
// between them. dashes is the line below the names of columns of any table.
var (
	titleLine = regexp.MustCompile(`^(?:Ingress|Egress|Shared pool|Headroom pool|For namespace) .*:`)
	dashes    = regexp.MustCompile(`^-{3,}(?: +-{3,})+$`)
)

// A table is one that is being read.
type table struct {
	names   []string
	columns [][2]int // from and to
	counter func(column string) (observe.Counter, bool)
	source  string
	cleared bool // its numbers are differences to ones that the user kept
	line    int  // of its dashes
	rows    int
}

func readTables(r *reader, text []byte) {
	r.deviceOfTable()
	r.voqs = parts{}
	heads, kept, tables := tableHeads(), false, map[string]*table{}
	var title, previous string
	var t *table
	lines := strings.Split(strings.ReplaceAll(string(text), "\r", ""), "\n")
	for i, line := range lines {
		trimmed := strings.TrimSpace(line)
		switch {
		case heads.MatchString(previous) && (trimmed == "" || strings.Trim(trimmed, "- ") != ""):
			r.found.Errorf(Invalid, r.line(i), "no line of dashes follows the names of the columns: the table is cut off").Fixf("record the output again, with the heading of the table")
			return
		case trimmed == "" && t != nil && t.names[1] == "Priority": // between the ports of the history of pauses
		case trimmed == "" || isPrompt(trimmed):
			kept = kept && (t == nil || t.names[0] == "Port Rx") // one line is for both tables of PFC
			t = nil
		case heads.MatchString(previous):
			t = r.tableOf(title, previous, line, i)
			if t == nil {
				return
			}
			t.cleared, t.line = kept, i+1
			tables[t.names[0]] = t
		case heads.MatchString(line):
			t = nil
		case t != nil && !titleLine.MatchString(trimmed):
			r.tableRow(t, line, i+1)
		case dashes.MatchString(trimmed):
			r.unused(previous, i)
		case strings.Contains(line, "ast cached time"):
			kept = true
		default:
			if title, t = trimmed, nil; !strings.HasPrefix(trimmed, "For namespace") {
				kept = false
			}
		}
		previous = line
	}
	r.voqs.into(r)
	if !isPrompt(lines[len(lines)-1]) {
		r.cutOff(lines)
	}
	rx, tx := tables["Port Rx"], tables["Port Tx"]
	if one := cmp.Or(rx, tx); one != nil && (rx == nil || tx == nil || rx.rows != tx.rows) {
		r.found.Errorf(Invalid, r.line(one.line), "`show pfc counters` prints a table Port Rx and a table Port Tx of the same ports, but they are not here: the file is cut off").Fixf("record the output again, with both tables")
	}
}

// unused names a table that is not read, by the names of its columns.
func (r *reader) unused(names string, line int) {
	r.found.Warnf(Empty, r.line(line), "the table with the columns %q has no counter that roceplan uses, so it is not read", clip(strings.Join(strings.Fields(names), " "))).
		Fixf("leave it out: `roceplan help observe` lists the tables that are read")
}

// isPrompt reports whether a line is what a shell prints before a command: admin@leaf-1:~$, or # and $ alone.
func isPrompt(line string) bool {
	return strings.Contains(line, "@") && strings.ContainsAny(line, "$#") || strings.HasPrefix(line, "# ") || strings.HasPrefix(line, "$ ")
}

// deviceOfTable takes the folder for the device, where the file is called after the command:
// leaf-1/pg_headroom.txt, leaf-1/persistent_pg_headroom.txt.
func (r *reader) deviceOfTable() {
	kind, _ := r.kindOfFile()
	if _, ok := shown()[kind]; ok || strings.HasPrefix(kind, "show") {
		if folder := path.Base(path.Dir(filepath.ToSlash(r.file))); folder != "." && folder != "/" {
			r.device = folder
		}
	}
}

// tableOf begins a table after its line of dashes; nil, with a finding, where the line above it
// has other columns.
func (r *reader) tableOf(title, names, dashes string, line int) *table {
	t := &table{}
	for _, at := range regexp.MustCompile(`-+`).FindAllStringIndex(dashes, -1) {
		t.columns = append(t.columns, [2]int{at[0], at[1]})
	}
	t.names = t.cells(names)
	if t.names == nil {
		r.found.Errorf(Invalid, r.line(line), "the names of the columns are not aligned with the line of dashes below them: the table is cut off or was edited").Fixf("record the output again and leave its columns as they are")
		return nil
	}
	t.source = UserMarks
	if _, lasting := r.kindOfFile(); lasting || strings.Contains(title, "persistent-watermark") {
		t.source = LastingMarks
	}
	one := func(c observe.Counter) func(string) (observe.Counter, bool) {
		return func(string) (observe.Counter, bool) { return c, true }
	}
	switch first := t.names[0]; {
	case first == "Port Rx":
		t.source, t.counter = Counters, func(column string) (observe.Counter, bool) { return pfcColumn(column, observe.PFCReceived) }
	case first == "Port Tx":
		t.source, t.counter = Counters, func(column string) (observe.Counter, bool) { return pfcColumn(column, observe.PFCSent) }
	case t.names[1] == "TxQ":
		t.source, t.counter = Counters, queueColumn
	case t.names[1] == "Voq":
		t.source = Counters
	case first == "Queue": // of the processor
		r.unused(names, line)
		t.counter = func(string) (observe.Counter, bool) { return "", false }
	case t.names[1] == "Priority" || first == "QUEUE":
		t.source = Counters // each row is of a counter of its own
	case strings.HasPrefix(title, "Ingress PG dropped packets"):
		t.source, t.counter = Counters, one(observe.GroupDropped)
	case strings.HasPrefix(title, "Ingress headroom per PG"):
		t.counter = one(observe.GroupHeadroom)
	case strings.HasPrefix(title, "Ingress shared pool occupancy per PG"):
		t.counter = one(observe.GroupShared)
	case strings.HasPrefix(title, "Egress shared pool occupancy per"):
		t.counter = one(observe.QueueShared)
	case strings.HasPrefix(title, "Shared pool maximum occupancy"):
		t.counter = one(observe.PoolShared)
	case strings.HasPrefix(title, "Headroom pool maximum occupancy"):
		t.counter = one(observe.PoolHeadroom)
	default:
		r.found.Errorf(Unnamed, r.line(line), "the table has no title: the line above it is %q", clip(title)).
			Fixf("keep the line that watermarkstat prints above the table, such as Ingress headroom per PG:")
		return nil
	}
	return t
}

func pfcColumn(column string, of func(uint8) observe.Counter) (observe.Counter, bool) {
	n, err := strconv.ParseUint(strings.TrimPrefix(column, "PFC"), 10, 8)
	return of(uint8(n)), err == nil && n < 8
}

func queueColumn(column string) (observe.Counter, bool) {
	c, ok := map[string]observe.Counter{
		"Counter/pkts": observe.QueueSent, "Counter/bytes": observe.QueueSentBytes, "Drop/pkts": observe.QueueDropped, "Drop/bytes": observe.QueueDroppedBytes,
		"EcnMarked/pkts": observe.QueueMarked, "EcnMarked/bytes": observe.QueueMarkedBytes,
	}[column]
	return c, ok
}

// cells cuts a line below the dashes; nil where it does not end with them or where there is text
// between columns.
func (t *table) cells(line string) (cells []string) {
	if len(t.columns) < 2 || len(line) != t.columns[len(t.columns)-1][1] {
		return nil
	}
	from := 0
	for _, c := range t.columns {
		if strings.TrimSpace(line[from:c[0]]) != "" {
			return nil
		}
		cells = append(cells, strings.TrimSpace(line[c[0]:c[1]]))
		from = c[1]
	}
	return cells
}

// tableRow reads the numbers of a row.
func (r *reader) tableRow(t *table, line string, number int) {
	cells := t.cells(line)
	if cells == nil {
		r.found.Errorf(Invalid, r.line(number), "the row %q does not end with its table: it is cut off or was edited", clip(strings.TrimSpace(line))).
			Fixf("save the output of the command to a file; a copy from a screen may lack lines")
		return
	}
	t.rows++
	if t.names[0] == "QUEUE" {
		r.watchdogRow(t, cells, number)
		return
	}
	if t.names[1] == "Voq" {
		r.virtual(t, cells, number)
		return
	}
	id := uint8(0)
	if t.names[1] == "TxQ" {
		n, ok := queueOf(cells[1])
		if !ok {
			return
		}
		id = n
	}
	if t.names[1] == "Priority" {
		priority := strings.TrimPrefix(cells[1], "PFC")
		t.counter = func(column string) (observe.Counter, bool) {
			c, ok := pfcColumn(priority, observe.PFCPauses)
			return c, ok && column == "RX Pause Transitions"
		}
	}
	for i := 1; i < len(cells); i++ {
		counter, ok := t.counter(t.names[i])
		object, is := objectOf(t.names, i, cells[0], id)
		if !ok || !is {
			continue
		}
		row := observe.Row{Object: object, Counter: counter, Source: t.source, Cleared: t.cleared, At: r.line(number)}
		row.Every = PollWatermarks
		if t.source == Counters {
			row.Every = pollOf(counter)
		}
		if n, ok := r.wholeText(strings.ReplaceAll(cells[i], ",", ""), t.names[i], row.At); ok {
			row.Value = n
			r.add(row)
		}
	}
}

// virtual reads packets that a virtual output queue dropped, Drop/pkts, or that its credit watchdog deleted (sonic-net/SONiC, Aggregate
// VOQ Counters in SONiC). Each ASIC has a queue for a port, ASIC and line card, lc1|asic0|Ethernet0, and counts its own share: the tables
// of a file are added up, and packets to ports of other devices are named, since the share of those is in other files.
func (r *reader) virtual(t *table, cells []string, number int) {
	id, err := strconv.ParseUint(strings.TrimPrefix(cells[1], "VOQ"), 10, 8)
	device, port := r.device, cells[0]
	if parts := strings.Split(port, "|"); len(parts) == 3 {
		device, port = parts[0], parts[2]
	}
	for i := 2; i < len(cells) && err == nil; i++ {
		if t.names[i] != "Drop/pkts" && t.names[i] != "Credit-WD-Del/pkts" {
			continue
		}
		lost := strings.ReplaceAll(cells[i], ",", "")
		if device == r.device {
			r.voqs.add(r, observe.Object{Kind: observe.Queue, Name: port, ID: uint8(id)}, observe.VOQDropped, lost, t.source, number)
		} else if n, ok := r.wholeText(lost, t.names[i], r.line(number)); ok && n > 0 {
			r.named = true
			r.found.Warnf(Empty, r.line(number), "%s dropped %d packets to queue %d of %s, a port of another device", r.device, n, id, clip(cells[0])).
				Fixf("a lossless class lost them there if the queue is of one: call the folder of the file after the device that %s is of", clip(cells[0]))
		}
	}
}

// watchdogCounters are those of `show pfcwd stats` (sonic-utilities, pfcwd/main.py), two in each column.
var watchdogCounters = map[string][2]observe.Counter{
	"STORM DETECTED/RESTORED": {observe.WatchdogDetected, observe.WatchdogRestored},
	"TX OK/DROP":              {"", observe.WatchdogDroppedTx},
	"RX OK/DROP":              {"", observe.WatchdogDroppedRx},
}

// watchdogRow reads what the watchdog counts of a queue, Ethernet0:3.
func (r *reader) watchdogRow(t *table, cells []string, number int) {
	port, index, _ := cutLast(cells[0], ":")
	id, err := strconv.ParseUint(index, 10, 8)
	if err != nil {
		r.found.Errorf(Invalid, r.line(number), "%q is not a queue of a port, such as Ethernet0:3", clip(cells[0])).Fixf("record `show pfcwd stats` again")
		return
	}
	for i := 1; i < len(cells); i++ {
		first, second, _ := strings.Cut(cells[i], "/")
		for j, text := range []string{first, second} {
			counter := watchdogCounters[t.names[i]][j]
			if counter == "" {
				continue
			}
			if n, ok := r.wholeText(text, t.names[i], r.line(number)); ok {
				r.add(observe.Row{Object: observe.Object{Kind: observe.Queue, Name: port, ID: uint8(id)}, Counter: counter, Value: n, Every: pollOf(counter), Source: Counters, At: r.line(number)})
			}
		}
	}
}

// queueOf returns the number of a queue of unicast, or of both: UC3, ALL3. RoCE goes through no queue of
// multicast.
func queueOf(name string) (id uint8, ok bool) {
	n, err := strconv.ParseUint(strings.TrimPrefix(strings.TrimPrefix(name, "UC"), "ALL"), 10, 8)
	return uint8(n), err == nil
}

// objectOf returns the object of a cell, by the name of its column and of the table's first. ok is false
// if it is not read.
func objectOf(names []string, column int, name string, queue uint8) (o observe.Object, ok bool) {
	switch first := names[0]; {
	case first == "Pool":
		return observe.Object{Kind: observe.Pool, Name: name}, names[column] == "Bytes"
	case first == "Port Rx" || first == "Port Tx" || names[1] == "Priority":
		return observe.Object{Kind: observe.Port, Name: name}, true
	case names[1] == "TxQ":
		return observe.Object{Kind: observe.Queue, Name: name, ID: queue}, true
	}
	return partOf(name, names[column])
}

// partOf returns the group or queue of a port that a name is of: PG3, UC3, ALL3. False if of none that
// RoCE goes through.
func partOf(port, name string) (o observe.Object, ok bool) {
	number, group := strings.CutPrefix(name, "PG")
	o = observe.Object{Kind: observe.Queue, Name: port}
	if group {
		o.Kind = observe.Group
	}
	o.ID, ok = queueOf(number)
	return o, ok
}

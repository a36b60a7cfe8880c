package intake

import (
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/roceplan/roceplan/observe"
)

// tabulated draws a table as sonic-utilities do, with python's tabulate in the form "simple": cells end where their column ends,
// two blanks lie between columns, and a line of dashes is below the names.
func tabulated(rows ...[]string) string {
	widths := make([]int, len(rows[0]))
	for _, row := range rows {
		for i, cell := range row {
			widths[i] = max(widths[i], len(cell))
		}
	}
	var b strings.Builder
	for n, row := range rows {
		for i, cell := range row {
			fmt.Fprintf(&b, "%s%*s", map[bool]string{true: "  "}[i > 0], widths[i], cell)
		}
		b.WriteByte('\n')
		if n == 0 {
			for i, w := range widths {
				b.WriteString(map[bool]string{true: "  "}[i > 0] + strings.Repeat("-", w))
			}
			b.WriteByte('\n')
		}
	}
	return b.String()
}

// A drawn file: its text, and what it counts, in the form of rowText.
type drawnFile struct {
	text strings.Builder
	want map[string]uint64
}

// cell draws a count as the tables write it, with commas or not, or N/A, and remembers what it counts.
func (f *drawnFile) cell(t *rapid.T, o observe.Object, c observe.Counter) string {
	n := rapid.Uint64Range(0, 1<<40).Draw(t, "count")
	if n%7 == 0 {
		return "N/A"
	}
	if c != "" {
		f.want[fmt.Sprintf("%v %v %s", o.Kind, o, c)] = n
	}
	text := fmt.Sprint(n)
	if n%2 == 0 {
		for i := len(text) - 3; i > 0; i -= 3 {
			text = text[:i] + "," + text[i:]
		}
	}
	return text
}

// Every number of every table comes back, whatever the ports are called, however many there are, and with any tables before and
// after it: sonic-utilities, scripts pfcstat, queuestat, wredstat, pg-drop, watermarkstat, pfcwd, on one ASIC and on several.
func TestEveryTableOfSONiC(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		f := &drawnFile{want: map[string]uint64{}}
		ports := rapid.SliceOfNDistinct(rapid.SampledFrom([]string{"Ethernet0", "Ethernet4", "Ethernet-BP256", "Ethernet1_1", "Ethernet1024"}), 1, 4, rapid.ID).Draw(t, "ports")
		kinds := rapid.SliceOfNDistinct(rapid.SampledFrom([]string{"pfc", "history", "queue", "wred", "drop", "headroom", "shared", "unicast", "multicast", "pool", "room", "watchdog"}), 1, 12, rapid.ID).Draw(t, "kinds")
		for _, kind := range kinds {
			f.table(t, kind, ports)
		}
		rows, found := Read("leaf-1.txt", []byte(f.text.String()))
		if len(found) > 0 && !(len(rows) == 0 && len(f.want) == 0) {
			t.Fatalf("%v\n%s", found, f.text.String())
		}
		got := map[string]uint64{}
		for _, r := range rows {
			got[fmt.Sprintf("%v %v %s", r.Object.Kind, r.Object, r.Counter)] = r.Value
		}
		for key, n := range f.want {
			if v, ok := got[key]; !ok || v != n {
				t.Fatalf("%s is %d, %v, want %d\n%s", key, v, ok, n, f.text.String())
			}
		}
		if len(got) != len(f.want) {
			t.Fatalf("%d counts, want %d\n%s", len(got), len(f.want), f.text.String())
		}
	})
}

func (f *drawnFile) table(t *rapid.T, kind string, ports []string) {
	port := func(name string) observe.Object { return observe.Object{Kind: observe.Port, Name: name} }
	space := rapid.SampledFrom([]string{"", " (Namespace asic0)"}).Draw(t, "namespace")
	// of is a table of a counter with a column for each group or queue.
	of := func(title, column string, part observe.ObjectKind, c observe.Counter) {
		rows := [][]string{{"Port"}}
		first := rapid.IntRange(0, 8).Draw(t, "first")
		for id := first; id < first+3; id++ {
			rows[0] = append(rows[0], fmt.Sprint(column, id))
		}
		for _, p := range ports {
			row := []string{p}
			for id := first; id < first+3; id++ {
				row = append(row, f.cell(t, observe.Object{Kind: part, Name: p, ID: uint8(id)}, c))
			}
			rows = append(rows, row)
		}
		f.text.WriteString(title + space + "\n" + tabulated(rows...))
	}
	switch kind {
	case "pfc":
		for _, way := range []string{"Rx", "Tx"} {
			rows := [][]string{{"Port " + way}}
			for p := range 8 {
				rows[0] = append(rows[0], fmt.Sprint("PFC", p))
			}
			for _, name := range ports {
				row := []string{name}
				for p := range uint8(8) {
					row = append(row, f.cell(t, port(name), map[string]func(uint8) observe.Counter{"Rx": observe.PFCReceived, "Tx": observe.PFCSent}[way](p)))
				}
				rows = append(rows, row)
			}
			f.text.WriteString(tabulated(rows...) + "\n")
		}
	case "history":
		rows := [][]string{{"Port", "Priority", "RX Pause Transitions", "Total RX Pause Time MS", "Recent RX Pause Timestamp"}}
		for _, name := range ports {
			for p := range uint8(8) {
				rows = append(rows, []string{name, fmt.Sprint("PFC", p), f.cell(t, port(name), observe.PFCPauses(p)), "12,000", "01/10/2008, 21:20:00"})
			}
		}
		for i, line := range strings.SplitAfter(tabulated(rows...), "\n") { // a blank line is after each port
			if f.text.WriteString(line); i > 1 && (i-1)%8 == 0 {
				f.text.WriteString("\n")
			}
		}
	case "queue", "wred":
		for _, name := range ports { // a table each
			rows := [][]string{{"Port", "TxQ", "Counter/pkts", "Counter/bytes", "Drop/pkts", "Drop/bytes", "Trim/pkts"}}
			counters := []observe.Counter{observe.QueueSent, observe.QueueSentBytes, observe.QueueDropped, observe.QueueDroppedBytes, ""}
			if kind == "wred" {
				rows = [][]string{{"Port", "TxQ", "WredDrp/pkts", "WredDrp/bytes", "EcnMarked/pkts", "EcnMarked/bytes"}}
				counters = []observe.Counter{"", "", observe.QueueMarked, observe.QueueMarkedBytes}
			}
			for id := range uint8(4) {
				row := []string{name, fmt.Sprint(map[bool]string{true: "UC", false: "ALL"}[id < 3], id)}
				for _, c := range counters {
					row = append(row, f.cell(t, observe.Object{Kind: observe.Queue, Name: name, ID: id}, c))
				}
				rows = append(rows, row)
			}
			if kind == "queue" {
				f.text.WriteString("For namespace :\n")
			}
			f.text.WriteString(tabulated(rows...) + "\n")
		}
	case "drop":
		of("Ingress PG dropped packets:", "PG", observe.Group, observe.GroupDropped)
	case "headroom":
		of("Ingress headroom per PG:", "PG", observe.Group, observe.GroupHeadroom)
	case "shared":
		of("Ingress shared pool occupancy per PG:", "PG", observe.Group, observe.GroupShared)
	case "unicast":
		if rapid.Bool().Draw(t, "of all") {
			of("Egress shared pool occupancy per all queues:", "ALL", observe.Queue, observe.QueueShared)
		} else {
			of("Egress shared pool occupancy per unicast queue:", "UC", observe.Queue, observe.QueueShared)
		}
	case "multicast": // RoCE goes through none
		of("Egress shared pool occupancy per multicast queue:", "MC", observe.Queue, "")
	case "pool", "room":
		title, c := "Shared pool maximum occupancy:", observe.PoolShared
		if kind == "room" {
			title, c = "Headroom pool maximum occupancy:", observe.PoolHeadroom
		}
		f.text.WriteString(title + space + "\n" + tabulated([]string{"Pool", "Bytes"}, []string{"ingress_lossless_pool", f.cell(t, observe.Object{Kind: observe.Pool, Name: "ingress_lossless_pool"}, c)}))
	case "watchdog":
		rows := [][]string{{"QUEUE", "STATUS", "STORM DETECTED/RESTORED", "TX OK/DROP", "RX OK/DROP", "TX LAST OK/DROP", "RX LAST OK/DROP"}}
		for _, name := range ports {
			q := observe.Object{Kind: observe.Queue, Name: name, ID: 3}
			n := func(c observe.Counter) string {
				text := f.cell(t, q, c)
				if text == "N/A" {
					text = "0"
					f.want[fmt.Sprintf("%v %v %s", q.Kind, q, c)] = 0
				}
				return strings.ReplaceAll(text, ",", "")
			}
			rows = append(rows, []string{name + ":3", "operational", n(observe.WatchdogDetected) + "/" + n(observe.WatchdogRestored), "5/" + n(observe.WatchdogDroppedTx), "5/" + n(observe.WatchdogDroppedRx), "0/0", "0/0"})
		}
		f.text.WriteString(tabulated(rows...))
	}
}

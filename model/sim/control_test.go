package sim

import (
	"bytes"
	"fmt"
	"maps"
	"slices"
	"testing"

	"github.com/roceplan/roceplan/internal/testing/must"
	"github.com/roceplan/roceplan/units"
)

// TestControlsUnderIncast shows what each congestion control does to a 16:1 incast: how
// long the queue gets and stays, whether PFC has to act, what throughput and fairness are
// left.
func TestControlsUnderIncast(t *testing.T) {
	var report bytes.Buffer
	report.WriteString(controlsHead)
	rows := map[string]outcome{}
	for _, control := range slices.Sorted(maps.Keys(controls)) {
		o := underIncast(t, control)
		rows[control] = o
		fmt.Fprintf(&report, "%-16s %10.1f %9.2f %9d %9d %7d %7d\n", control, 100*o.throughput, o.fairness, o.peak, o.later, o.pauses, o.marks)
	}
	for control, o := range rows {
		switch {
		case o.throughput > 1.0001:
			t.Errorf("%s: throughput %v", control, o.throughput)
		case slices.Contains([]string{"dctcp", "hpcc", "swift"}, control) && o.throughput < 0.9:
			t.Errorf("%s: throughput %v", control, o.throughput)
		case control == "none" && (o.pauses < 100 || o.throughput < 0.99):
			t.Errorf("none: %d pauses, throughput %v", o.pauses, o.throughput)
		case !slices.Contains([]string{"none", "rttcc", "rtt template"}, control) && o.pauses > rows["none"].pauses/2:
			t.Errorf("%s: %d pauses, %d without control", control, o.pauses, rows["none"].pauses)
		case (control == "hpcc" || control == "swift") && o.later > 400_000:
			t.Errorf("%s: %d B in queue at half-time", control, o.later)
		}
	}
	compareGolden(t, "sim_controls.txt", report.Bytes())
}

type outcome struct {
	throughput, fairness float64
	peak, later          int64
	pauses, marks        int64
}

func underIncast(t *testing.T, control string) (o outcome) {
	const senders, size = 16, 4 * units.MB
	sc := scenario(leafSpine(1, senders+1, 0), "incast", control, size)
	sc.Buffer.Size = 12 * units.MiB
	if control == "dctcp" {
		sc.ECN[0].KMin, sc.ECN[0].KMax, sc.ECN[0].PMax = 300*units.KB, 300*units.KB, 1
	}
	s := must.Get(newEngine(sc))(t)
	wire := int64(size) / 1000 * int64(s.transport.dataHeader+1000)
	alone := senders * s.clock.duration(int32(s.transport.dataHeader)+1000, 100e9) * int64(size) / 1000
	for s.now < alone/2 && s.step(never) {
	}
	o.later = int64(s.queue(1, 3).bytes) // the switch's end of host 0's link
	sum, squares := 0.0, 0.0
	for i := range s.flows {
		done := float64(s.flows[i].acked)
		sum, squares = sum+done, squares+done*done
	}
	o.fairness = sum * sum / squares / senders
	for s.step(never) {
	}
	last := int64(0)
	for i := range s.messages {
		last = max(last, s.messages[i].finished)
	}
	o.throughput = float64(senders*wire*80) / float64(last)
	o.peak, o.pauses, o.marks = int64(s.peakQueue), s.pauses, s.marks
	return o
}

const controlsHead = `Congestion controls under a 16:1 incast

16 hosts at 100G start 4 MB each to one host at the same time; one switch, 12 MiB, ECN 100
kB to 400 kB at 20 % (DCTCP: 300 kB, 100 %). Parameters: the HPCC simulator's presets at
100G; "dcqcn, paper" and "timely, patched" those of the papers; "timely, listing" as TIMELY's
authors list it, with the paper's constants at 100G; Swift htsim's; "rtt template" NVIDIA's
example of a control by probes; "rttcc" is modelled on the control of NVIDIA's NICs, whose rule and
constants are assumed, for they are not published. Throughput until the last flow is done in % of the port; Jain's fairness of
what was acknowledged at half of the ideal time; the queue at its longest and at half-time in
bytes.

Without control, or until control takes effect, PFC holds the queue at the threshold: all
start at line rate. DCQCN with the paper's timers is late and PFC acts; then it climbs by
40 Mb/s per 55 us from far below. TIMELY cuts by the gradient before it knows the cause, and the patched
law recovers by 10 Mb/s per 16 kB. HPCC, Swift and DCTCP keep the port busy and the queue
short because a window bounds what is under way. Controls by probes are late here: one probe is
under way at a time, in the queue that it measures, and 16 hosts fill 15 us of queue in each
1 us, so that the second probe comes back after 16 times the time of the first, and the third
finds the queue that PFC holds, 670 us long.

control          throughput  fairness      peak half-time  pauses   marks
`

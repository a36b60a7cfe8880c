package main

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/roceplan/roceplan/internal/testing/oracle"
)

// figuresOfCisco returns the figures of silicon_one.csv by chip of the test code and parameter.
func figuresOfCisco(t *testing.T) func(asic, parameter string) int64 {
	t.Helper()
	text, err := os.ReadFile(oracle.Figures(t, "silicon_one.csv"))
	check(t, err)
	rows, err := csv.NewReader(bytes.NewReader(text)).ReadAll()
	check(t, err)
	return func(asic, parameter string) int64 {
		for _, row := range rows {
			if row[0] == asic && row[1] == parameter {
				n, err := strconv.ParseInt(row[2], 10, 64)
				check(t, err)
				return n
			}
		}
		t.Fatalf("silicon_one.csv has no %s of %s", parameter, asic)
		return 0
	}
}

// A ciscoSwitch is a configuration of two ports with a lossless group 3 and a lossy group 0.
type ciscoSwitch struct {
	size, pool, th         int64 // ingress pool with its headroom pool, dynamic_th of the lossless group
	xoff, xonOffset        int64
	egress, queue, lossyTh int64 // egress pool, reserve and dynamic_th of the lossy queue
}

// configDB writes the switch as SONiC has it.
func (c ciscoSwitch) configDB() string {
	type table = map[string]map[string]string
	ingress := map[string]string{"type": "ingress", "mode": "dynamic", "size": fmt.Sprint(c.size)}
	if c.pool > 0 {
		ingress["xoff"] = fmt.Sprint(c.pool)
	}
	lossless := map[string]string{"pool": "in", "size": "0", "xon": "0", "xoff": fmt.Sprint(c.xoff), "dynamic_th": fmt.Sprint(c.th)}
	if c.xonOffset > 0 {
		lossless["xon_offset"] = fmt.Sprint(c.xonOffset)
	}
	db := map[string]table{
		"BUFFER_POOL": {
			"in": ingress, "out": {"type": "egress", "mode": "static", "size": "17179869184"},
			"lossy": {"type": "egress", "mode": "dynamic", "size": fmt.Sprint(c.egress)},
		},
		"BUFFER_PROFILE": {
			"lossless":    lossless,
			"lossy_group": {"pool": "in", "size": "0", "static_th": fmt.Sprint(c.size)},
			"lossy_queue": {"pool": "lossy", "size": fmt.Sprint(c.queue), "dynamic_th": fmt.Sprint(c.lossyTh)},
			"queue":       {"pool": "out", "size": "0", "static_th": "17179869184"},
		},
		"PORT": {}, "BUFFER_PG": {}, "BUFFER_QUEUE": {}, "PORT_QOS_MAP": {},
		"TC_TO_PRIORITY_GROUP_MAP": {"AZURE": {"0": "0", "3": "3"}}, "TC_TO_QUEUE_MAP": {"AZURE": {"0": "0", "3": "3"}},
		"DSCP_TO_TC_MAP": {"AZURE": {"0": "0", "3": "3"}},
	}
	for _, port := range []string{"Ethernet0", "Ethernet8"} {
		db["PORT"][port] = map[string]string{"speed": "400000", "lanes": strings.TrimPrefix(port, "Ethernet")}
		db["PORT_QOS_MAP"][port] = map[string]string{"pfc_enable": "3", "dscp_to_tc_map": "AZURE", "tc_to_pg_map": "AZURE", "tc_to_queue_map": "AZURE"}
		db["BUFFER_PG"][port+"|3"] = map[string]string{"profile": "lossless"}
		db["BUFFER_PG"][port+"|0"] = map[string]string{"profile": "lossy_group"}
		db["BUFFER_QUEUE"][port+"|3"] = map[string]string{"profile": "queue"}
		db["BUFFER_QUEUE"][port+"|0"] = map[string]string{"profile": "lossy_queue"}
	}
	text, err := json.Marshal(db)
	if err != nil {
		panic(err)
	}
	return string(text)
}

// probeOf probes a group with packets of so many bytes.
func (c ciscoSwitch) probeOf(t *testing.T, chip string, pg, packet int64) (got probeAnswer) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "config_db.json")
	check(t, os.WriteFile(path, []byte(c.configDB()), 0o666))
	var out, told strings.Builder
	args := []string{"probe", "--json", path, "--chip", chip, "--port", "Ethernet0", "--pg", fmt.Sprint(pg), "--packet-bytes", fmt.Sprintf("%dB", packet)}
	if code := run(args, nil, &out, &told, func(string) string { return "" }); code != exitFine {
		t.Fatalf("%v: exit code %d: %s", args, code, &told)
	}
	check(t, json.Unmarshal([]byte(out.String()), &got))
	return got
}

// coded returns the largest mantissa of 16 to 31 times a power of two that is at most n, by trial.
func coded(n int64) int64 {
	best := int64(0)
	for step := int64(1); step*16 <= n; step *= 2 {
		for mantissa := int64(16); mantissa < 32; mantissa++ {
			if m := mantissa * step; m <= n {
				best = max(best, m)
			}
		}
	}
	return best
}

// A ciscoTable compares what the tests expect with what probe says.
type ciscoTable struct {
	t    *testing.T
	text bytes.Buffer
}

// row is one comparison, in packets; the probe may be far packets off, or disagrees for a reason.
func (c *ciscoTable) row(chip, what string, want, got, far int64, why string) {
	fmt.Fprintf(&c.text, "%-17s %-42s %8d %8d %+5d", chip, what, want, got, got-want)
	if why != "" {
		fmt.Fprintf(&c.text, "  %s", why)
	}
	c.text.WriteByte('\n')
	if off := max(got-want, want-got); (off > far) == (why == "") {
		c.t.Errorf("%s, %s: probe says %d, the tests %d; %d off may be (%s)", chip, what, got, want, far, why)
	}
}

const ciscoHead = `Cisco's Silicon One: what SONiC's hardware tests expect (silicon_one.csv), and what probe says

In packets. "expected" is the formula of the tests before they add packets of tuning, 2 or 3, by
which they found the hardware later; the rows of t2 are what was found. A pause is said by the
packet that fills the group, and a drop by the first that is refused, so one beyond the formula is
the same place. Not compared: 120 km over external memory, and what several groups do together:
the tests have total occupancies at which regions change, and no rule for their borders.

chip              case                                       expected    probe
`

// Probing a configuration says of Silicon One what SONiC's hardware tests expect of it.
func TestProbeAgreesWithSiliconOne(t *testing.T) {
	figure := figuresOfCisco(t)
	table := &ciscoTable{t: t}
	table.text.WriteString(ciscoHead)
	table.q200(figure)
	table.g100(figure)
	for _, chip := range []struct{ asic, name string }{{"gr2", "silicon-one-g200"}, {"p200", "silicon-one-p200"}} {
		table.outputQueued(chip.asic, chip.name, figure)
	}
	path := filepath.Join("..", "..", golden, "silicon_one.txt")
	if *update {
		check(t, os.WriteFile(path, table.text.Bytes(), 0o666))
	}
	kept, err := os.ReadFile(path)
	check(t, err)
	if !bytes.Equal(kept, table.text.Bytes()) {
		t.Errorf("%s is not what is computed; run with -update and read the difference", path)
	}
}

// q200 has measured rows: the group pauses so far below the depth of a queue that its headroom
// fits, whatever alpha asks for.
func (c *ciscoTable) q200(figure func(string, string) int64) {
	const chip = "silicon-one-q200"
	packet := figure("gb", "test_packet")
	units := (packet + figure("gb", "buffer_unit") - 1) / figure("gb", "buffer_unit")
	tuned := figure("gb", "lossless_drop_tuning")
	for _, speed := range []string{"100G", "400G"} {
		of := func(what string) int64 { return figure("gb", "t2_"+speed+"_300m_"+what) }
		sw := ciscoSwitch{size: 60_000_000, xoff: of("headroom"), egress: 60_000_000}
		got := sw.probeOf(c.t, chip, 3, packet)
		c.row(chip, "pause, t2 "+speed+" 300 m", of("pause_units")/units, got.FirstPause, tuned, "")
		c.row(chip, "drop, t2 "+speed+" 300 m", of("drop_units")/units, got.FirstDrop, tuned, "")
		why := ""
		if speed == "400G" {
			why = "7,592 units are 2.78 MiB, which no rule of the tests gives"
		}
		c.row(chip, "resume, t2 "+speed+" 300 m", of("xon_hysteresis"), got.DrainedToResume, tuned, why)
	}
	sw := ciscoSwitch{size: 60_000_000, egress: 60_000_000}
	c.row(chip, "lossy drop", figure("gb", "lossy_drop")/units, sw.probeOf(c.t, chip, 0, packet).FirstDrop, 1, "")
	sw.th, sw.xoff = -5, 100_000
	want := sw.size / 32 / 384 / units
	c.row(chip, "pause, alpha 1/32 of the pool", want, sw.probeOf(c.t, chip, 3, packet).FirstPause, 1, "")
}

// g100 holds thresholds with five bits.
func (c *ciscoTable) g100(figure func(string, string) int64) {
	const chip = "silicon-one-g100"
	packet, unit, depth := figure("gr", "test_packet"), figure("gr", "buffer_unit"), figure("gr", "max_queue_depth")
	units := (packet + unit - 1) / unit
	for _, th := range []int64{-6, -4, -3, 0} {
		sw := ciscoSwitch{size: 80_000_000, th: th, xoff: 1_021_440, egress: 80_000_000}
		wish := min(sw.size>>-th, depth-depth*748125/10_000_000-sw.xoff)
		pause := coded(wish / unit)
		got := sw.probeOf(c.t, chip, 3, packet)
		c.row(chip, fmt.Sprintf("pause, dynamic_th %d", th), pause/units, got.FirstPause, 1, "")
		c.row(chip, fmt.Sprintf("drop, dynamic_th %d", th), (pause+sw.xoff/unit)/units, got.FirstDrop, 1, "")
		c.row(chip, fmt.Sprintf("resume, dynamic_th %d", th), (pause-coded(10<<20>>-th/unit))/units, got.DrainedToResume, 1, "")
	}
	sw := ciscoSwitch{size: 80_000_000, egress: 80_000_000}
	c.row(chip, "lossy drop", depth/unit/units, sw.probeOf(c.t, chip, 0, packet).FirstDrop, 1, "")
}

// outputQueued are G200 and P200: the familiar threshold, held with five bits.
func (c *ciscoTable) outputQueued(asic, chip string, figure func(string, string) int64) {
	unit, kept := figure(asic, "buffer_unit"), figure(asic, "egress_pool_reserved")
	for _, th := range []int64{-3, -1, 0, 2} {
		num, den := int64(1)<<max(0, th), int64(1)<<max(0, -th)
		share := func(n int64) int64 { return n * num / (num + den) }
		sw := ciscoSwitch{size: 150_000_000, pool: 30_000_000, th: th, xoff: 700_000, xonOffset: 120_000, egress: 160_000_000, queue: 3000, lossyTh: th}
		pause := coded(share(sw.size-sw.pool) / unit)
		for _, packet := range []int64{64, 1350, 4200} {
			units := (packet + unit - 1) / unit
			room := roundedUp(sw.xoff, 4) / unit / units // in packets
			if asic == "gr2" {
				room = sw.xoff / figure("gr2", "headroom_unit") / ((packet+31)/32 + figure("gr2", "headroom_overhead"))
			}
			got, at := sw.probeOf(c.t, chip, 3, packet), fmt.Sprintf(", dynamic_th %d, %d B", th, packet)
			c.row(chip, "pause"+at, pause/units, got.FirstPause, 1, "")
			c.row(chip, "drop"+at, pause/units+room, got.FirstDrop, 2, "")
			c.row(chip, "resume"+at, (pause-coded(pause-sw.xonOffset/unit))/units, got.DrainedToResume, 2, "")
		}
		sw.size = 400_000_000 // so that it is the queue that drops
		lossy := coded((sw.queue + share(sw.egress-kept)) / unit)
		if asic == "gr2" { // one step further
			lossy = coded(lossy + lossy/16)
		}
		c.row(chip, fmt.Sprintf("lossy drop, dynamic_th %d", th), lossy, sw.probeOf(c.t, chip, 0, 64).FirstDrop, 1, "")
	}
}

// roundedUp returns the least number of at least n that a mantissa of some bits holds, by trial; the
// mantissa may be 2^bits too.
func roundedUp(n int64, bits int) int64 {
	step := int64(1)
	for (n+step-1)/step > 1<<bits {
		step *= 2
	}
	return (n + step - 1) / step * step
}

package observe

import (
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/roceplan/roceplan/internal/plain"
	"github.com/roceplan/roceplan/internal/testing/must"
)

// 127,232 of 160,512 B are 79.27 %, rounded up to thousandths. The reading was at 03:00:00, and
// metrics are asked for 90.5 s later.
func TestMetrics(t *testing.T) {
	r := check(t, pod2, reading("leaf-1", onGroup("Ethernet0"), GroupHeadroom, 0, 127_232))
	read := time.Date(2026, 1, 2, 3, 0, 0, 0, time.UTC)
	log := NewLog()
	log.Update(read, r.Faults(), r, nil)
	devices := []Watchee{{Device: "leaf-1", Address: `redis://"leaf-1"`, Up: true, Read: read}, {Device: "leaf-2", Address: "gnmi://leaf-2:1", Failed: 2}}
	var out strings.Builder
	must.Do(t, WriteMetrics(&out, r, Watched{Read: read, Failed: 2, Rounds: 5, Devices: devices, Log: log}))
	must.Do(t, WriteAge(&out, r.Oldest, read.Add(90_500*time.Millisecond)))
	var samples []string
	for line := range strings.Lines(out.String()) {
		if !strings.HasPrefix(line, "#") {
			samples = append(samples, strings.TrimSpace(line))
		}
	}
	want := []string{
		`roceplan_readings_failed_total 2`,
		`roceplan_rounds_total 5`,
		`roceplan_device_up{device="leaf-1",address="redis://\"leaf-1\""} 1`,
		`roceplan_device_up{device="leaf-2",address="gnmi://leaf-2:1"} 0`,
		`roceplan_device_readings_failed_total{device="leaf-1",address="redis://\"leaf-1\""} 0`,
		`roceplan_device_readings_failed_total{device="leaf-2",address="gnmi://leaf-2:1"} 2`,
		`roceplan_device_last_reading_timestamp_seconds{device="leaf-1",address="redis://\"leaf-1\""} 1767322800.000`,
		`roceplan_headroom_used_ratio{device="leaf-1",port="Ethernet0",pg="3"} 0.793`,
		`roceplan_headroom_used_bytes{device="leaf-1",port="Ethernet0",pg="3"} 127232`,
		`roceplan_worst_port_headroom_used_ratio{device="leaf-1",port="Ethernet0"} 0.793`,
		`roceplan_lossless_groups 24`,
		`roceplan_lossless_groups_measured 1`,
		`roceplan_fault{device="leaf-1",port="Ethernet0",fault="observe-headroom-exceeded"} 1`,
		`roceplan_contradictions{device="leaf-1",assumption="cable or response"} 1`,
		`roceplan_last_reading_timestamp_seconds 1767322800.000`,
		`roceplan_data_age_seconds 90.500`,
	}
	must.NoDiffIn(t, cmp.Diff(want, samples), "(-want +got)")
	out.Reset()
	if err := WriteMetrics(&out, nil, Watched{}); err != nil || strings.Contains(out.String(), "used") {
		t.Errorf("of nothing: %s, %v", out.String(), err)
	}
}

// A name in a label stays in its place, and is text.
func TestLabelsOfOthers(t *testing.T) {
	for _, name := range []string{"x\"} 1\nup 1", "\\", "\x1b[2J", "\u009b31m", "\xff", "\r", "\u2028", "{}=,"} {
		var out strings.Builder
		must.Do(t, WriteMetrics(&out, nil, Watched{Devices: []Watchee{{Device: name, Address: name}}}))
		if plain.Text(out.String()) != out.String() || strings.Contains(out.String(), "\nup 1") {
			t.Errorf("%q: %q", name, out.String())
		}
		_, rest, _ := strings.Cut(out.String(), "roceplan_device_up{device=")
		quoted, err := strconv.QuotedPrefix(rest) // of these escapes Go has the same
		if err != nil || !strings.HasPrefix(rest[len(quoted):], ",address="+quoted+"} 0\n") {
			t.Errorf("%q: %v in %q", name, err, rest)
		}
	}
}

package observe

import (
	"bytes"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/roceplan/roceplan/internal/plain"
)

// Watched is what is known of readings besides the last report.
type Watched struct {
	Read    time.Time // of the last reading that succeeded; zero: none did
	Failed  int       // readings that failed, of files too
	Rounds  int       // of readings, this one included
	Devices []Watchee
	Log     *Log
}

// A Watchee is a device that is asked.
type Watchee struct {
	Device, Address string
	Up              bool
	Read            time.Time // of the last reading that succeeded; zero: none did
	Failed          int       // readings that failed
}

// WriteMetrics writes the report in Prometheus's text format (Prometheus, Exposition formats,
// version 0.0.4). A report of nil has no metric: what was not read is unknown. How old values are
// is for [WriteAge].
func WriteMetrics(out io.Writer, r *Report, w Watched) error {
	m := &metrics{}
	m.head("roceplan_readings_failed_total", "counter", "Readings that failed, or of which a file was malformed.")
	m.value("roceplan_readings_failed_total", nil, fmt.Sprint(w.Failed))
	m.head("roceplan_rounds_total", "counter", "Rounds in which every device that had answered the last question was asked.")
	m.value("roceplan_rounds_total", nil, fmt.Sprint(w.Rounds))
	m.watchees(w.Devices)
	if r != nil && !w.Read.IsZero() {
		m.report(r, w)
	}
	_, err := out.Write(m.Bytes())
	return err
}

// WriteAge writes how old the oldest values are, see [Report.Oldest]: it depends on when it is asked for.
func WriteAge(out io.Writer, oldest, now time.Time) error {
	m := &metrics{}
	if !oldest.IsZero() {
		m.head("roceplan_data_age_seconds", "gauge", "Age of the last values of the device that was read longest ago.")
		m.value("roceplan_data_age_seconds", nil, seconds(max(0, now.Sub(oldest))))
	}
	_, err := out.Write(m.Bytes())
	return err
}

// watchees writes the devices, each by itself.
func (m *metrics) watchees(list []Watchee) {
	if len(list) == 0 {
		return
	}
	of := func(d Watchee) []string { return []string{"device", d.Device, "address", d.Address} }
	m.head("roceplan_device_up", "gauge", "Whether the device answered when it was last asked.")
	for _, d := range list {
		up := "0"
		if d.Up {
			up = "1"
		}
		m.value("roceplan_device_up", of(d), up)
	}
	m.head("roceplan_device_readings_failed_total", "counter", "Readings of the device that failed.")
	for _, d := range list {
		m.value("roceplan_device_readings_failed_total", of(d), fmt.Sprint(d.Failed))
	}
	m.head("roceplan_device_last_reading_timestamp_seconds", "gauge", "When the device was last read.")
	for _, d := range list {
		if !d.Read.IsZero() {
			m.value("roceplan_device_last_reading_timestamp_seconds", of(d), seconds(time.Duration(d.Read.UnixNano())))
		}
	}
}

type metrics struct{ bytes.Buffer }

func (m *metrics) head(name, kind, help string) {
	fmt.Fprintf(m, "# HELP %s %s\n# TYPE %s %s\n", name, help, name, kind)
}

// value writes a sample; the labels are names and values in turn.
func (m *metrics) value(name string, of []string, value string) {
	fmt.Fprintf(m, "%s%s %s\n", name, labels(of...), value)
}

// labels are names and values in turn as Prometheus writes them; empty without any.
func labels(of ...string) string {
	var out strings.Builder
	for i := 0; i+1 < len(of); i += 2 {
		before := ","
		if i == 0 {
			before = "{"
		}
		fmt.Fprintf(&out, "%s%s=\"%s\"", before, of[i], escape(of[i+1]))
	}
	if len(of) > 0 {
		out.WriteString("}")
	}
	return out.String()
}

// escape writes a label's value. Prometheus rejects a whole page for one byte that is not UTF-8, and a terminal obeys
// control characters.
func escape(label string) string {
	label = plain.Text(label)
	if strings.ContainsAny(label, "\\\"\n") {
		label = strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", `\n`).Replace(label)
	}
	return label
}

// thousandths writes a number of thousandths as a decimal.
func thousandths(n int64) string { return fmt.Sprintf("%d.%03d", n/1000, n%1000) }

func (m *metrics) report(r *Report, w Watched) {
	m.head("roceplan_headroom_used_ratio", "gauge", "Share of its headroom that a lossless group used.")
	for _, u := range r.Uses {
		m.value("roceplan_headroom_used_ratio", []string{"device", u.Device, "port", u.Port, "pg", fmt.Sprint(u.Group)}, thousandths(u.Permille()))
	}
	m.head("roceplan_headroom_used_bytes", "gauge", "Headroom that a lossless group used.")
	for _, u := range r.Uses {
		m.value("roceplan_headroom_used_bytes", []string{"device", u.Device, "port", u.Port, "pg", fmt.Sprint(u.Group)}, fmt.Sprint(int64(u.Used)))
	}
	if len(r.Uses) > 0 {
		worst := r.Uses[0]
		m.head("roceplan_worst_port_headroom_used_ratio", "gauge", "Share of headroom used at the port that used most of it.")
		m.value("roceplan_worst_port_headroom_used_ratio", []string{"device", worst.Device, "port", worst.Port}, thousandths(worst.Permille()))
	}
	m.head("roceplan_lossless_groups", "gauge", "Lossless groups of the fabric.")
	m.value("roceplan_lossless_groups", nil, fmt.Sprint(r.Groups))
	m.head("roceplan_lossless_groups_measured", "gauge", "Lossless groups whose headroom is measured.")
	m.value("roceplan_lossless_groups_measured", nil, fmt.Sprint(len(r.Uses)))
	if w.Log != nil {
		m.faults(w.Log)
	}
	m.head("roceplan_last_reading_timestamp_seconds", "gauge", "When devices were last read.")
	m.value("roceplan_last_reading_timestamp_seconds", nil, seconds(time.Duration(w.Read.UnixNano())))
}

func seconds(d time.Duration) string { return thousandths(d.Milliseconds()) }

// faults counts what is wrong by where it is, and by what it contradicts.
func (m *metrics) faults(l *Log) {
	m.counts("roceplan_fault", "Faults that are raised, by device, port and code; 0 where one was.", l.at())
	m.counts("roceplan_contradictions", "Conclusions that contradict the plan, by device and assumption; 0 where there were some.", l.contradictions())
}

// counts writes gauges by their labels.
func (m *metrics) counts(name, help string, of map[string]int) {
	m.head(name, "gauge", help)
	for _, labels := range slices.Sorted(maps.Keys(of)) {
		fmt.Fprintf(m, "%s%s %d\n", name, labels, of[labels])
	}
}

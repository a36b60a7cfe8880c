package observe

import (
	"bytes"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/roceplan/roceplan/diag"
)

// Watched is what is known of readings besides the last report.
type Watched struct {
	Now    time.Time
	Read   time.Time // of the last reading that succeeded; zero: none did
	Failed int       // readings that failed
}

// WriteMetrics writes the report in Prometheus's text format (Prometheus, Exposition formats,
// version 0.0.4). A report of nil has no metric: what was not read is unknown.
func WriteMetrics(out io.Writer, r *Report, w Watched) error {
	m := &metrics{}
	m.head("roceplan_readings_failed_total", "counter", "Readings that failed, or of which a file was malformed.")
	m.value("roceplan_readings_failed_total", nil, fmt.Sprint(w.Failed))
	if r != nil && !w.Read.IsZero() {
		m.report(r, w)
	}
	_, err := out.Write(m.Bytes())
	return err
}

type metrics struct{ bytes.Buffer }

func (m *metrics) head(name, kind, help string) {
	fmt.Fprintf(m, "# HELP %s %s\n# TYPE %s %s\n", name, help, name, kind)
}

// value writes a sample; labels are names and values in turn.
func (m *metrics) value(name string, labels []string, value string) {
	m.WriteString(name)
	for i := 0; i+1 < len(labels); i += 2 {
		before := ","
		if i == 0 {
			before = "{"
		}
		fmt.Fprintf(m, "%s%s=\"%s\"", before, labels[i], escape(labels[i+1]))
	}
	if len(labels) > 0 {
		m.WriteString("}")
	}
	fmt.Fprintf(m, " %s\n", value)
}

func escape(label string) string {
	return strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", `\n`).Replace(label)
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
	m.conclusions(r)
	m.head("roceplan_last_reading_timestamp_seconds", "gauge", "When devices were last read.")
	m.value("roceplan_last_reading_timestamp_seconds", nil, seconds(time.Duration(w.Read.UnixNano())))
	if !r.Oldest.IsZero() {
		m.head("roceplan_data_age_seconds", "gauge", "Age of the last values of the device that was read longest ago.")
		m.value("roceplan_data_age_seconds", nil, seconds(max(0, w.Now.Sub(r.Oldest))))
	}
}

func seconds(d time.Duration) string { return thousandths(d.Milliseconds()) }

// conclusions counts them by what they contradict.
func (m *metrics) conclusions(r *Report) {
	m.head("roceplan_contradictions", "gauge", "Conclusions that contradict the plan, by assumption.")
	counts := map[Assumption]int{}
	for _, k := range r.Conclusions {
		if k.severity == diag.Error {
			counts[k.Assumption]++
		}
	}
	var names []Assumption
	for name := range counts {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, name := range names {
		m.value("roceplan_contradictions", []string{"assumption", string(name)}, fmt.Sprint(counts[name]))
	}
}

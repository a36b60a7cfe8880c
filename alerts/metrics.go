package alerts

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/gohcl"

	"github.com/roceplan/roceplan/diag"
	"github.com/roceplan/roceplan/observe"
)

// A Metric is an exporter's name for a counter.
type Metric struct {
	Name   string
	Device string   // label that holds the switch
	Port   string   // label that holds the port, or the pool
	Index  string   // label that holds the number of the group or queue
	With   []string // further matchers, such as type="periodic"
}

// Metrics are the metrics of an exporter, by counter. A counter that it does not have is not in it.
type Metrics map[observe.Counter]Metric

func (m Metrics) of(c observe.Counter) (Metric, bool) {
	metric, ok := m[c]
	return metric, ok
}

// counters returns the counters that rules need.
func counters() []observe.Counter {
	list := []observe.Counter{
		observe.GroupDropped, observe.GroupHeadroom, observe.QueueShared, observe.QueueMarked, observe.QueueDropped,
		observe.PoolHeadroom, observe.WatchdogDetected, observe.CNPSent, observe.CNPHandled,
	}
	for priority := range uint8(8) {
		list = append(list, observe.PFCSent(priority))
	}
	return list
}

// Sonic has every counter under SONiC's own name in lower case, with the labels device, port or pool,
// and index. Watermarks are those of PERIODIC_WATERMARKS and have watermark="periodic".
func Sonic() Metrics {
	m := Metrics{}
	for _, c := range counters() {
		metric := Metric{Name: strings.ToLower(string(c)), Device: "device", Port: "port", Index: "index"}
		if c == observe.PoolHeadroom {
			metric.Port = "pool"
		}
		if c.Kind() == observe.Watermark {
			metric.With = []string{`watermark="periodic"`}
		}
		m[c] = metric
	}
	return m
}

// SonicExporter returns the metrics of vinted/sonic-exporter (internal/collector/queue_collector.go): the fill
// and the drops of queues, in labels that it calls device and queue, on a target that is called after the
// switch.
func SonicExporter() Metrics {
	return Metrics{
		observe.QueueShared: {
			Name: "sonic_queue_watermark_bytes_total", Device: "instance", Port: "device", Index: "queue",
			With: []string{`type="periodic"`, `watermark="shared"`},
		},
		observe.QueueDropped: {Name: "sonic_queue_dropped_packets_total", Device: "instance", Port: "device", Index: "queue"},
	}
}

// metricsFile is a mapping that a user gives.
type metricsFile struct {
	Metrics []metricBlock `hcl:"metric,block"`
}

type metricBlock struct {
	Counter string         `hcl:"counter,label"`
	Name    hcl.Expression `hcl:"name"`
	Device  hcl.Expression `hcl:"device,optional"`
	Port    hcl.Expression `hcl:"port,optional"`
	Index   hcl.Expression `hcl:"index,optional"`
	With    hcl.Expression `hcl:"with,optional"`
	At      hcl.Range      `hcl:",def_range"`
}

// ParseMetrics reads a mapping in HCL:
//
//	metric "SAI_QUEUE_STAT_SHARED_WATERMARK_BYTES" {
//	  name   = "sonic_queue_watermark_bytes_total"
//	  device = "instance"   # label that holds the switch; default: device
//	  port   = "device"     # default: port; of a pool: pool
//	  index  = "queue"      # default: index
//	  with   = { type = "periodic" }
//	}
//
// Counters that it does not name are not exported.
func ParseMetrics(name string, text []byte) (Metrics, diag.List) {
	file, diags := diag.ParseHCL(text, name)
	var read metricsFile
	if !diags.HasErrors() {
		diags = append(diags, gohcl.DecodeBody(file.Body, nil, &read)...)
	}
	found := diag.FromHCL(diags)
	m := Metrics{}
	defaults := Sonic()
	for i := range read.Metrics {
		if found.HasErrors() && len(diags) > 0 {
			break
		}
		block := &read.Metrics[i]
		c := observe.Counter(block.Counter)
		usual, known := defaults[c]
		switch _, twice := m[c]; {
		case !known:
			all := counters()
			names := make([]string, len(all))
			for i, c := range all {
				names[i] = string(c)
			}
			slices.Sort(names)
			found.Errorf(UnknownCounter, diag.Range(block.At), "no rule needs the counter %q", block.Counter).Fixf("write one of %s", strings.Join(names, ", "))
			continue
		case twice:
			found.Errorf(RepeatedCounter, diag.Range(block.At), "the metric of %s is said twice", block.Counter).Fixf("leave one of the two out")
			continue
		}
		d := &metricReader{found: &found}
		usual.Name = d.text(block.Name, "", metricName)
		usual.Device = d.text(block.Device, usual.Device, labelName)
		usual.Port = d.text(block.Port, usual.Port, labelName)
		usual.Index = d.text(block.Index, usual.Index, labelName)
		usual.With = d.matchers(block.With)
		m[c] = usual
	}
	return m, found.Sorted()
}

// Names that Prometheus takes (its documentation, "Data model").
var (
	metricName = regexp.MustCompile(`^[a-zA-Z_:][a-zA-Z0-9_:]*$`)
	labelName  = regexp.MustCompile(`^[a-zA-Z_][a-zA-Z0-9_]*$`)
)

// metricReader evaluates the values of a block.
type metricReader struct{ found *diag.List }

// text returns a string of a form, or the default where it is empty.
func (r *metricReader) text(e hcl.Expression, usual string, form *regexp.Regexp) string {
	var s *string
	if diags := gohcl.DecodeExpression(e, nil, &s); diags.HasErrors() {
		*r.found = append(*r.found, diag.FromHCL(diags)...)
		return usual
	}
	if s == nil {
		return usual
	}
	if !form.MatchString(*s) {
		r.found.Errorf(BadName, diag.Range(e.Range()), "%q is not a name that Prometheus takes", *s).Fixf("letters, digits and _ are taken, and : in names of metrics; the first is not a digit")
	}
	return *s
}

// matchers are labels with the values that they must have.
func (r *metricReader) matchers(e hcl.Expression) (list []string) {
	var with map[string]string
	if diags := gohcl.DecodeExpression(e, nil, &with); diags.HasErrors() {
		*r.found = append(*r.found, diag.FromHCL(diags)...)
		return nil
	}
	for label, value := range with {
		if !labelName.MatchString(label) {
			r.found.Errorf(BadName, diag.Range(e.Range()), "%q is not a name that Prometheus takes for a label", label).Fixf("letters, digits and _ are taken; the first is not a digit")
		}
		list = append(list, fmt.Sprintf("%s=%q", label, value))
	}
	slices.Sort(list)
	return list
}

package main

import (
	"path/filepath"

	"github.com/roceplan/roceplan/alerts"
	"github.com/roceplan/roceplan/cmd/roceplan/whole"
	"github.com/roceplan/roceplan/diag"
	"github.com/roceplan/roceplan/internal/natural"
	"github.com/roceplan/roceplan/internal/regular"
)

type alertsCmd struct {
	Fabric  string `arg:"" help:"Fabric file or folder."`
	Out     string `short:"o" placeholder:"DIR" help:"Write roce-rules.yml and roce-dashboard.json into this folder (default: print the rules)."`
	Metrics string `placeholder:"NAME" default:"sonic" help:"Names of the counters in Prometheus: sonic, sonic-exporter, or a file with names (default: sonic)."`
	sourceFlags
}

func (alertsCmd) Help() string {
	return `Writes Prometheus' alerting rules and a Grafana dashboard with the plan's thresholds. An alert has the name of the broken assumption.

    roceplan alerts fabric.hcl -o monitoring
    promtool check rules monitoring/roce-rules.yml

    RoceLosslessDrop     a packet of a lossless class was dropped: the headroom is too small
    RoceQueueDrop        a queue of a lossless class refused a packet
    RoceCableOrResponse  headroom is used up to its last frame: the cable is longer, or the peer slower, than declared
    RoceHeadroomSharing  one more group would not find its headroom in the pool
    RocePauseNotSent     headroom is used, and no pause was sent: PFC is off
    RocePauseGoal        more pauses than the fabric's target
    RoceStuckPeer        a watchdog took hold of a queue
    RoceLatencyGoal      a queue was longer than the greatest latency leaves for one
    RoceMarking          a queue was above Kmax, and nothing was marked
    RoceNotifications    less than half of the CNPs sent are handled
    RoceNotMeasured      a counter is missing: its rules would be silent

With --metrics sonic every counter of COUNTERS_DB and of NICs has its name in lower case, with the labels device, port (for a pool: pool) and index, and watermarks are those of the periodic table, with watermark="periodic". sonic-exporter is github.com/vinted/sonic-exporter, which has only watermarks and drops of queues. A file has the names of another exporter:

    metric "SAI_QUEUE_STAT_SHARED_WATERMARK_BYTES" {
      name   = "sonic_queue_watermark_bytes_total"
      device = "instance"
      port   = "device"
      index  = "queue"
      with   = { type = "periodic", watermark = "shared" }
    }

A rule that needs a counter without a metric is left out; the rules' file names the counter.

Exit codes: 0 written; 1 the fabric or the mapping has errors; 2 the call was wrong.`
}

// alertsReport is the result with --json.
type alertsReport struct {
	*alerts.Set
	Diagnostics diag.List `json:"diagnostics"`
	Files       []string  `json:"files,omitempty"` // written
}

// Run plans the fabric and writes its rules.
func (c alertsCmd) Run(t *terminal) error {
	loaded, err := c.load(t, []string{c.Fabric})
	if err != nil {
		return err
	}
	p, err := planOf(t, loaded, c.Fabric)
	if err != nil {
		return err
	}
	metrics, err := c.metrics(t)
	if err != nil {
		return err
	}
	report := alertsReport{Set: alerts.Of(p, metrics, loaded.Policy.Targets.PausesPerSecond.Value), Diagnostics: diag.List{}}
	if c.Out != "" {
		if report.Files, err = c.write(t, report.Set); err != nil {
			return err
		}
	}
	switch {
	case t.json:
		return t.printJSON(report)
	case c.Out == "":
		t.printf("%s", report.YAML())
	default:
		t.linef("%s in %s; a dashboard in %s", natural.Count(len(report.Rules), "rule", "rules"), report.Files[0], report.Files[1])
	}
	return nil
}

// metrics returns the ones that are asked for by name, or those of a file.
func (c alertsCmd) metrics(t *terminal) (alerts.Metrics, error) {
	switch c.Metrics {
	case "sonic":
		return alerts.Sonic(), nil
	case "sonic-exporter":
		return alerts.SonicExporter(), nil
	}
	text, err := regular.Read(c.Metrics)
	if err != nil {
		return nil, misusef("--metrics %s: want sonic, sonic-exporter, or a readable file: %v", c.Metrics, err)
	}
	metrics, found := alerts.ParseMetrics(c.Metrics, text)
	if len(found) == 0 {
		return metrics, nil
	}
	if t.json {
		err = t.printJSON(findings{found})
	} else {
		err = t.tell(found, diag.Sources{c.Metrics: text})
	}
	if err == nil {
		err = errFindings
	}
	return nil, err
}

func (c alertsCmd) write(t *terminal, set *alerts.Set) (paths []string, err error) {
	files := []whole.Text{{Path: "roce-rules.yml", Text: set.YAML()}, {Path: "roce-dashboard.json", Text: set.Dashboard()}}
	for _, f := range files {
		paths = append(paths, filepath.Join(c.Out, f.Path))
	}
	return paths, whole.Files(t.disk, c.Out, files)
}

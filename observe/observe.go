package observe

import (
	"cmp"
	"fmt"
	"time"

	"github.com/roceplan/roceplan/diag"
	"github.com/roceplan/roceplan/internal/natural"
	"github.com/roceplan/roceplan/internal/stable"
	"github.com/roceplan/roceplan/plan"
	"github.com/roceplan/roceplan/policy"
	"github.com/roceplan/roceplan/units"
)

// An Assumption is an assumption of the plan and the subject of a conclusion.
type Assumption string

const (
	AssumesLink    Assumption = "cable or response" // how long the cable is and how fast the peer obeys
	AssumesCable   Assumption = "cable"             // how long it is
	AssumesPFC     Assumption = "pfc"               // that a pause is sent, gets there and is obeyed
	AssumesSharing Assumption = "headroom sharing"  // how many groups are paused at once
	AssumesMarking Assumption = "marking"           // Kmin, Kmax, Pmax and ECT
	AssumesCNP     Assumption = "cnp"               // that CNPs get to the senders
	AssumesGoal    Assumption = "pauses"            // how often ports are paused
	AssumesCabling Assumption = "cabling"           // which ports a cable joins
	AssumesNone    Assumption = "unknown"           // counters do not show which
)

// Worth is what a conclusion is worth.
type Worth string

const (
	Certain Worth = "certain" // it follows from the counters, whatever happened between readings
	Bounded Worth = "bound"   // the truth is at least this
	Likely  Worth = "likely"  // the most probable of several reasons
)

// A Conclusion is one thing that was measured otherwise than computed.
type Conclusion struct {
	Code       diag.Code  `json:"code"`
	Device     string     `json:"device"`
	Object     string     `json:"object"`
	Port       string     `json:"port"` // of the object; empty of a pool and of a server
	Assumption Assumption `json:"assumption"`
	Worth      Worth      `json:"worth"`
	Message    string     `json:"message"`
	Fix        string     `json:"fix,omitempty"`
	Bound      *Bound     `json:"bound,omitempty"` // of cable and response
	Evidence   []Evidence `json:"evidence"`

	severity diag.Severity
	at       diag.Range
	site     *site
}

// Evidence is a row that a conclusion rests on.
type Evidence struct {
	Device  string     `json:"device"`
	Object  string     `json:"object"`
	Counter Counter    `json:"counter"`
	Value   uint64     `json:"value"`
	Kind    string     `json:"kind"`
	Until   *time.Time `json:"until,omitempty"`
	Source  string     `json:"source"`
	File    string     `json:"file,omitempty"`
	Line    int        `json:"line,omitempty"`
	at      diag.Range
	of      target
}

// String is one line: device, object, counter and value, with the source.
func (e Evidence) String() string {
	text := fmt.Sprintf("%s %s: %s = %d (%s, %s", e.Device, e.Object, e.Counter, e.Value, e.Kind, e.Source)
	if e.Until != nil {
		text += ", " + e.Until.Format(time.RFC3339)
	}
	return text + ")"
}

// Use is how much of its headroom a lossless group used.
type Use struct {
	Device   string      `json:"device"`
	Port     string      `json:"port"`
	Group    uint8       `json:"group"`
	Used     units.Bytes `json:"used"`
	Computed units.Bytes `json:"computed"` // the worst case, without margin
	Headroom units.Bytes `json:"headroom"` // as configured
	Bound    *Bound      `json:"bound,omitempty"`
	Until    *time.Time  `json:"until,omitempty"`
}

// Permille returns the share of the headroom that was used, in parts of 1000, rounded up.
func (u Use) Permille() int64 {
	if u.Headroom <= 0 {
		return 0
	}
	return units.CeilMulDiv(int64(u.Used), 1000, int64(u.Headroom))
}

// A Report is what was concluded.
type Report struct {
	Conclusions []Conclusion
	Uses        []Use // of the groups whose headroom is measured, worst first
	Groups      int   // lossless groups of the fabric
	Rows        int
	Oldest      time.Time // of the last readings of each device, the oldest; zero: no time is known
	Newest      time.Time
	pod         *pod
	rows        []Row // by the fabric's names
}

// Findings returns the conclusions as findings at the lines of the fabric.
func (r *Report) Findings() (found diag.List) {
	for _, c := range r.Conclusions {
		d := diag.Diagnostic{Severity: c.severity, Code: c.Code, Subject: c.at, Message: c.Message, Fix: c.Fix}
		for _, e := range c.Evidence {
			d.Notef(e.at, "%v", e)
		}
		found = append(found, d)
	}
	return found.Sorted()
}

// Check checks rows against a fabric and its plan, which must have no errors.
func Check(f *policy.Fabric, p *plan.Plan, rows []Row) *Report {
	d := newPod(f, p)
	rows = d.ofPriorities(d.known(rows))
	c := &checker{pod: d, r: gather(rows), report: &Report{Rows: len(rows), rows: rows, pod: d}}
	c.elsewhere(rows)
	c.times(rows)
	for _, s := range d.sites {
		for _, pg := range s.lossless() {
			c.report.Groups++
			c.group(s, pg)
		}
		for i := range s.port.QoS.Queues {
			c.queue(s, &s.port.QoS.Queues[i])
			c.lost(s, s.port.QoS.Queues[i].ID)
		}
	}
	c.links()
	c.pools(p)
	c.pauses()
	c.cnps(rows)
	c.doubts(rows)
	c.report.sort()
	return c.report
}

// A checker draws the conclusions.
type checker struct {
	*pod
	r      *readings
	report *Report
}

// say adds a conclusion on a site.
func (c *checker) say(s *site, object Object, k Conclusion, evidence ...Row) *Conclusion {
	k.Device, k.Object, k.Port, k.site, k.at = s.end.Switch, object.String(), s.end.Port, s, s.at()
	return c.add(k, evidence)
}

func (c *checker) add(k Conclusion, evidence []Row) *Conclusion {
	k.Evidence = []Evidence{}
	for _, row := range evidence {
		e := Evidence{Device: row.Device, Object: row.Object.String(), Counter: row.Counter, Value: row.Value, Kind: row.Kind.String(), Source: row.Source,
			File: row.At.Filename, Line: row.At.Start.Line, at: row.At, of: target{row.Device, row.Object, row.Counter}}
		if !row.Until.IsZero() {
			until := row.Until
			e.Until = &until
		}
		k.Evidence = append(k.Evidence, e)
	}
	c.report.Conclusions = append(c.report.Conclusions, k)
	return &c.report.Conclusions[len(c.report.Conclusions)-1]
}

// times finds how old the data is.
func (c *checker) times(rows []Row) {
	last := map[string]time.Time{}
	for _, row := range rows {
		if row.Until.After(last[row.Device]) {
			last[row.Device] = row.Until
		}
	}
	for _, at := range last {
		if c.report.Oldest.IsZero() || at.Before(c.report.Oldest) {
			c.report.Oldest = at
		}
		if at.After(c.report.Newest) {
			c.report.Newest = at
		}
	}
}

func (r *Report) sort() {
	stable.Sort(r.Conclusions, func(a, b Conclusion) int {
		return cmp.Or(cmp.Compare(a.severity, b.severity), natural.Compare(a.Device, b.Device), natural.Compare(a.Object, b.Object), cmp.Compare(a.Code, b.Code))
	})
	stable.Sort(r.Uses, func(a, b Use) int {
		return cmp.Or(cmp.Compare(b.Permille(), a.Permille()), natural.Compare(a.Device, b.Device), natural.Compare(a.Port, b.Port), cmp.Compare(a.Group, b.Group))
	})
}

package alerts

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
)

// window is over what time counters are looked at: longer than two of SONiC's polls of watermarks,
// which are 60 s apart, and than the 120 s after which its periodic watermarks begin again.
const window = "5m"

// expr writes a rule as PromQL.
func (r *Rule) expr() string {
	measured := r.Measured.String()
	switch r.Form {
	case Above:
		return fmt.Sprintf("%s > %d", measured, r.Threshold)
	case Grows:
		if r.Threshold == 0 {
			return fmt.Sprintf("increase(%s[%s]) > 0", measured, window)
		}
		return fmt.Sprintf("rate(%s[%s]) > %d", measured, window, r.Threshold)
	case Unanswered:
		return fmt.Sprintf("%s > %d and on (%s) increase(%s[%s]) == 0", measured, r.Threshold, strings.Join(r.shared(), ", "), r.Silent.String(), window)
	case Unequal:
		return fmt.Sprintf("100 * sum(increase(%s[%s])) < %d * (sum(increase(%s[%s])) > 0)", r.Silent.String(), window, r.Threshold, measured, window)
	}
	return fmt.Sprintf("absent(%s)", measured)
}

// shared returns the labels by which the two sides of a rule are of one port, and of one queue where
// both have an index.
func (r *Rule) shared() []string {
	labels := []string{r.Measured.Metric.Device, r.Measured.Metric.Port}
	if r.Measured.Index != "" && r.Silent.Index != "" {
		labels = append(labels, r.Measured.Metric.Index)
	}
	return labels
}

// String writes a selector as PromQL does.
func (s *Selector) String() string {
	var matchers []string
	if len(s.Devices) > 0 {
		names := alternatives(s.Devices)
		if s.Metric.Device == "instance" {
			names = "(?:" + names + ")(?::[0-9]+)?" // Prometheus calls a target after its address
		}
		matchers = append(matchers, s.Metric.Device+"=~"+strconv.Quote(names))
	}
	if len(s.Ports) > 0 {
		matchers = append(matchers, s.Metric.Port+"=~"+strconv.Quote(alternatives(s.Ports)))
	}
	if s.Index != "" {
		matchers = append(matchers, s.Metric.Index+"="+strconv.Quote(s.Index))
	}
	matchers = append(matchers, s.Metric.With...)
	return s.Metric.Name + "{" + strings.Join(matchers, ",") + "}"
}

// alternatives returns a regular expression of names, which Prometheus matches as a whole.
func alternatives(names []string) string {
	quoted := make([]string, len(names))
	for i, name := range names {
		quoted[i] = regexp.QuoteMeta(name)
	}
	return strings.Join(quoted, "|")
}

// YAML writes the rules as a file of Prometheus.
func (s *Set) YAML() []byte {
	out := []byte("# Made by roceplan alerts: thresholds are those of the compiled fabric.\n")
	for _, c := range s.Without {
		out = fmt.Appendf(out, "# No metric is named for %s: no rule speaks of it.\n", c)
	}
	out = fmt.Appendf(out, "groups:\n- name: %s\n  rules:", quote("roce "+s.Fabric))
	if len(s.Rules) == 0 {
		out = append(out, " []"...)
	}
	out = append(out, '\n')
	for i := range s.Rules {
		r := &s.Rules[i]
		out = fmt.Appendf(out, "  - alert: %s\n    expr: %s\n    labels:\n      severity: %s\n    annotations:\n      summary: %s\n      description: %s\n",
			r.Alert, quote(r.Expr), r.Severity, quote(r.summary()), quote("This does not hold: "+r.Assumption+"."))
	}
	return out
}

// summary says what was measured where, and the bound.
func (r *Rule) summary() string {
	switch r.Form {
	case Absent:
		return r.Where + " is not measured anywhere"
	case Unequal:
		return fmt.Sprintf("less than %d %% of the CNPs sent are handled", r.Threshold)
	}
	place := "{{ $labels." + r.Measured.Metric.Device + " }} {{ $labels." + r.Measured.Metric.Port + " }}"
	if r.Measured.Index != "" {
		place += " " + r.Measured.Index
	}
	text := fmt.Sprintf("%s: %s is {{ $value }}", place, r.Measured.Counter)
	if r.Form == Grows && r.Threshold == 0 {
		return text + " more in " + window
	}
	if r.Threshold > 0 {
		text += fmt.Sprintf(", above %d %s", r.Threshold, r.Unit)
	}
	if r.Form == Unanswered {
		text += fmt.Sprintf("; %s does not grow", r.Silent.Counter)
	}
	return text
}

// quote writes a text as YAML does in single quotes.
func quote(s string) string { return "'" + strings.ReplaceAll(s, "'", "''") + "'" }

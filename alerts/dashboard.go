package alerts

import (
	"encoding/json"
	"slices"
)

// Dashboard writes Grafana's JSON model: a panel for each comparison, with what is measured and, as a line,
// what was computed. Grafana asks for the data source when it is imported.
func (s *Set) Dashboard() []byte {
	type object = map[string]any
	source := object{"type": "prometheus", "uid": "${datasource}"}
	panels := []object{}
	for i := range s.Rules {
		r := &s.Rules[i]
		if r.Form == Absent {
			continue
		}
		n := len(panels)
		panels = append(panels, object{
			"id": n + 1, "type": "timeseries", "title": r.Alert + ": " + r.Where, "description": "Assumed: " + r.Assumption + ".",
			"datasource": source,
			"gridPos":    object{"h": panelHeight, "w": panelWidth, "x": n % panelsPerRow * panelWidth, "y": n / panelsPerRow * panelHeight},
			"targets":    r.targets(source),
			"fieldConfig": object{"overrides": []any{}, "defaults": object{
				"unit": r.grafanaUnit(), "min": 0,
				"custom": object{"thresholdsStyle": object{"mode": "line"}},
				"thresholds": object{"mode": "absolute", "steps": []object{
					{"color": "green", "value": nil}, {"color": "red", "value": r.Threshold},
				}},
			}},
		})
	}
	text, err := json.MarshalIndent(object{
		"title": "RoCE: " + s.Fabric, "tags": []string{"roceplan"}, "schemaVersion": 36, "editable": true, "refresh": "1m",
		"time": object{"from": "now-6h", "to": "now"}, "panels": panels,
		"templating": object{"list": []object{{"name": "datasource", "type": "datasource", "query": "prometheus", "label": "Prometheus"}}},
	}, "", "  ")
	if err != nil {
		panic(err) // texts and numbers
	}
	return append(text, '\n')
}

// Grafana's grid has 24 columns.
const (
	panelWidth   = 12
	panelHeight  = 8
	panelsPerRow = 24 / panelWidth
)

// targets returns the queries of a panel.
func (r *Rule) targets(source any) (list []map[string]any) {
	for i, expr := range r.shown() {
		s := r.Measured
		if i > 0 {
			s = r.Silent
		}
		legend := "__auto"
		if len(s.Devices) > 0 {
			legend = "{{" + s.Metric.Device + "}} {{" + s.Metric.Port + "}}"
		}
		list = append(list, map[string]any{"refId": string(rune('A' + i)), "expr": expr, "legendFormat": legend, "datasource": source})
	}
	return list
}

// shown returns the queries whose values are compared with the threshold, and the counter that should
// grow.
func (r *Rule) shown() []string {
	measured := r.Measured.String()
	switch r.Form {
	case Grows:
		if r.Threshold == 0 {
			return []string{"increase(" + measured + "[" + window + "])"}
		}
		return []string{"rate(" + measured + "[" + window + "])"}
	case Unanswered:
		return []string{measured, "increase(" + r.Silent.String() + "[" + window + "])"}
	case Unequal:
		return []string{"100 * sum(increase(" + r.Silent.String() + "[" + window + "])) / sum(increase(" + measured + "[" + window + "]))"}
	}
	return []string{measured}
}

func (r *Rule) grafanaUnit() string {
	if slices.Contains([]string{"bytes", "percent"}, r.Unit) {
		return r.Unit
	}
	return "short"
}

package intake

import (
	"bytes"
	"encoding/base64"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/roceplan/roceplan/diag"
	"github.com/roceplan/roceplan/internal/posjson"
)

func clip(s string) string { return posjson.Clip(s) }

func isPrometheus(text []byte) bool {
	return opens(text, "{") && bytes.Contains(text, []byte(`"resultType"`))
}

// readPrometheus reads answers of /api/v1/query and query_range (Prometheus, HTTP API).
func readPrometheus(r *reader, text []byte) {
	root := r.document(text)
	if root == nil {
		return
	}
	if status := root.Get("status"); status == nil || status.Text != "success" {
		r.found.Errorf(Invalid, r.doc.At(status), "the query did not succeed").Fixf("ask Prometheus again: only answers with status success hold values")
		return
	}
	result := root.Get("data", "result")
	if result == nil || result.Kind != posjson.Array {
		r.found.Errorf(Invalid, r.doc.At(root.Get("data")), "the answer has no data with a list of results").Fixf("give the answer of /api/v1/query or query_range as it is")
		return
	}
	for i := range result.Items {
		series := &result.Items[i]
		labels := map[string]string{}
		if metric := series.Get("metric"); metric != nil {
			for j := range metric.Members {
				labels[metric.Members[j].Key] = metric.Members[j].Value.Text
			}
		}
		if v := series.Get("value"); v != nil {
			r.point(labels, v)
		}
		if all := series.Get("values"); all != nil {
			for j := range all.Items {
				r.point(labels, &all.Items[j])
			}
		}
	}
}

// point reads [time, "value"].
func (r *reader) point(labels map[string]string, pair *posjson.Node) {
	if len(pair.Items) != 2 || !pair.Items[0].Scalar() || !pair.Items[1].Scalar() {
		r.errorf(Invalid, r.doc.At(pair), "this point is not a time and a value").Fixf("give the answer of Prometheus as it is: a point is [time, \"value\"]")
		return
	}
	until, ok := unixSeconds(pair.Items[0].Text)
	if !ok {
		r.errorf(Invalid, r.doc.At(&pair.Items[0]), "%s is not a time", clip(pair.Items[0].Text)).Fixf("give the answer of Prometheus as it is: times are seconds since 1970")
		return
	}
	r.sample(sample{name: labels["__name__"], labels: labels, value: pair.Items[1].Text, until: until, source: "Prometheus", at: r.doc.At(pair)})
}

// unixSeconds reads seconds with a fraction.
func unixSeconds(text string) (time.Time, bool) {
	whole, part, _ := strings.Cut(text, ".")
	s, err := strconv.ParseInt(whole, 10, 64)
	const digits = 9
	part = (part + strings.Repeat("0", digits))[:digits]
	ns, err2 := strconv.ParseInt(part, 10, 64)
	return time.Unix(s, ns).UTC(), err == nil && err2 == nil && s > 0 && s < 1<<40
}

// unixNanos reads nanoseconds.
func unixNanos(n *posjson.Node) time.Time {
	if n == nil {
		return time.Time{}
	}
	ns, err := strconv.ParseInt(n.Text, 10, 64)
	if err != nil || ns <= 0 {
		return time.Time{}
	}
	return time.Unix(0, ns).UTC()
}

func isOTLP(text []byte) bool {
	return opens(text, "{") && bytes.Contains(text, []byte(`"resourceMetrics"`))
}

// readOTLP reads OTLP as JSON (opentelemetry-proto, metrics/v1/metrics.proto), such as Cumulus
// Linux exports. A file may hold several requests, as the collector's file exporter writes them.
func readOTLP(r *reader, text []byte) {
	var roots []posjson.Node
	r.doc, roots = r.dialect.ParseAll(r.file, text, &r.found)
	for i := range roots {
		for _, resource := range items(roots[i].Get("resourceMetrics")) {
			labels := attributes(resource.Get("resource", "attributes"))
			for _, scope := range items(resource.Get("scopeMetrics")) {
				for _, metric := range items(scope.Get("metrics")) {
					r.metric(metric, labels)
				}
			}
		}
	}
}

func (r *reader) metric(metric *posjson.Node, resource map[string]string) {
	name := metric.Get("name")
	if name == nil {
		return
	}
	for _, sort := range []string{"gauge", "sum"} {
		for _, p := range items(metric.Get(sort, "dataPoints")) {
			labels := maps.Clone(resource)
			maps.Copy(labels, attributes(p.Get("attributes")))
			value := p.Get("asInt")
			if value == nil {
				value = p.Get("asDouble")
			}
			if value != nil && value.Scalar() {
				r.sample(sample{name: name.Text, labels: labels, value: value.Text, until: unixNanos(p.Get("timeUnixNano")), source: "OTLP", at: r.doc.At(value)})
			}
		}
	}
}

// items of a list; none where there is no list.
func items(n *posjson.Node) (all []*posjson.Node) {
	if n == nil {
		return nil
	}
	for i := range n.Items {
		all = append(all, &n.Items[i])
	}
	return all
}

// attributes are OTLP's pairs of key and value.
func attributes(n *posjson.Node) map[string]string {
	labels := map[string]string{}
	for _, pair := range items(n) {
		key, value := pair.Get("key"), pair.Get("value")
		if key == nil || value == nil {
			continue
		}
		for i := range value.Members {
			if value.Members[i].Value.Scalar() {
				labels[key.Text] = value.Members[i].Value.Text
			}
		}
	}
	return labels
}

func isGNMI(text []byte) bool {
	return opens(text, "{[") && (bytes.Contains(text, []byte(`"updates"`)) || bytes.Contains(text, []byte(`"update"`))) && bytes.Contains(text, []byte(`"timestamp"`))
}

// readGNMI reads notifications of gNMI as JSON: as protobuf's own mapping writes a
// SubscribeResponse or a Notification, and as gnmic prints them (openconfig/gnmic, formats json and
// protojson). Several may be one after another, or in a list.
func readGNMI(r *reader, text []byte) {
	var roots []posjson.Node
	r.doc, roots = r.dialect.ParseAll(r.file, text, &r.found)
	for i := range roots {
		all := []*posjson.Node{&roots[i]}
		if roots[i].Kind == posjson.Array {
			all = items(&roots[i])
		}
		for _, n := range all {
			r.notification(n)
		}
	}
}

func (r *reader) notification(n *posjson.Node) {
	if inner := n.Get("update"); inner != nil && inner.Kind == posjson.Object {
		n = inner // of a SubscribeResponse
	}
	until := unixNanos(n.Get("timestamp"))
	device := scalar(n.Get("source"))
	if device == "" {
		device = scalar(n.Get("target"))
	}
	prefix := pathOf(n.Get("prefix"))
	for _, u := range items(n.Get("updates")) { // gnmic's json
		values := u.Get("values")
		for i := 0; values != nil && i < len(values.Members); i++ {
			m := &values.Members[i]
			r.tree(append(splitPath(scalar(n.Get("prefix"))), splitPath(m.Key)...), &m.Value, device, until)
		}
	}
	for _, u := range items(n.Get("update")) {
		path := append(append([]step(nil), prefix...), pathOf(u.Get("path"))...)
		value := u.Get("val")
		for i := 0; value != nil && i < len(value.Members); i++ {
			r.typed(path, &value.Members[i], device, until)
		}
	}
}

// typed reads a TypedValue: JSON is in base64 there.
func (r *reader) typed(path []step, m *posjson.Member, device string, until time.Time) {
	if !strings.HasPrefix(m.Key, "json") || !m.Value.Scalar() {
		r.tree(path, &m.Value, device, until)
		return
	}
	text, err := base64.StdEncoding.DecodeString(m.Value.Text)
	if err != nil {
		r.errorf(Invalid, r.doc.At(&m.Value), "%s is not base64", m.Key).Fixf("give the notifications as the collector wrote them, the value in base64")
		return
	}
	at := r.doc.At(&m.Value)
	var found diag.List
	inner, root := r.dialect.Parse(r.file, text, &found)
	if root == nil {
		r.errorf(Invalid, at, "the value of %s is not JSON", m.Key).Fixf("give the notifications as the collector wrote them, the value as JSON in base64")
		return
	}
	outer := r.doc
	r.doc = inner
	before := len(r.rows)
	r.tree(path, root, device, until)
	r.doc = outer
	for i := before; i < len(r.rows); i++ {
		r.rows[i].At = at
	}
}

// A step is an element of a path with its keys.
type step struct {
	name string
	keys map[string]string
}

// pathOf reads a path as protobuf's JSON has it.
func pathOf(n *posjson.Node) (path []step) {
	for _, e := range items(n.Get("elem")) {
		s := step{name: scalar(e.Get("name")), keys: map[string]string{}}
		if keys := e.Get("key"); keys != nil {
			for i := range keys.Members {
				s.keys[keys.Members[i].Key] = keys.Members[i].Value.Text
			}
		}
		path = append(path, s)
	}
	return path
}

// splitPath reads a path as text: a/b[k=v]/c.
func splitPath(text string) (path []step) {
	for _, part := range splitOutside(text) {
		name, rest, _ := strings.Cut(part, "[")
		s := step{name: name, keys: map[string]string{}}
		for _, pair := range strings.Split(strings.TrimSuffix(rest, "]"), "][") {
			if k, v, ok := strings.Cut(pair, "="); ok {
				s.keys[k] = v
			}
		}
		if name != "" {
			path = append(path, s)
		}
	}
	return path
}

// splitOutside splits at slashes that are in no brackets: names of ports have slashes.
func splitOutside(text string) (parts []string) {
	depth, from := 0, 0
	for i := 0; i < len(text); i++ {
		switch text[i] {
		case '[':
			depth++
		case ']':
			depth--
		case '/':
			if depth == 0 {
				parts, from = append(parts, text[from:i]), i+1
			}
		}
	}
	return append(parts, text[from:])
}

func scalar(n *posjson.Node) string {
	if !n.Scalar() || n.Kind == posjson.Other && n.Text == "null" {
		return ""
	}
	return n.Text
}

// mostLevels bounds a path with what is below it.
const mostLevels = 64

// tree reads a value below a path: of SONiC's COUNTERS_DB, /COUNTERS/Ethernet0/…, and of
// OpenConfig, /qos/interfaces/interface[interface-id=…]/output/queues/queue[name=…]/state/….
func (r *reader) tree(path []step, n *posjson.Node, device string, until time.Time) {
	if len(path) > mostLevels {
		return
	}
	for i := range n.Members {
		m := &n.Members[i]
		r.tree(append(path[:len(path):len(path)], step{name: m.Key}), &m.Value, device, until)
	}
	if !n.Scalar() || len(path) == 0 {
		return
	}
	labels := map[string]string{"device": device}
	for _, s := range path[:len(path)-1] {
		if strings.Contains(s.name, "queue") && s.keys["name"] != "" {
			labels["queue"] = s.keys["name"]
			continue
		}
		maps.Copy(labels, s.keys)
		if !slices.Contains(tables(), s.name) {
			labels["port"], labels["pool"] = s.name, s.name
		}
	}
	if id := labels["interface-id"]; id != "" {
		labels["port"] = id
	}
	name := path[len(path)-1].name
	if c, ok := openConfigQueue()[name]; ok && labels["queue"] != "" {
		name = c
	}
	r.sample(sample{name: name, labels: labels, value: n.Text, until: until, source: "gNMI", at: r.doc.At(n)})
}

// tables are elements of SONiC's paths that name no object (sonic-gnmi,
// sonic_data_client/virtual_db.go).
func tables() []string {
	return []string{Counters, PeriodicMarks, UserMarks, LastingMarks, "COUNTERS_DB", "Queues", "PriorityGroups", "Pfcwd"}
}

// openConfigQueue are leaves of openconfig-qos (queue state), by their name.
func openConfigQueue() map[string]string {
	return map[string]string{
		"transmit-pkts": "SAI_QUEUE_STAT_PACKETS", "transmit-octets": "SAI_QUEUE_STAT_BYTES",
		"dropped-pkts": "SAI_QUEUE_STAT_DROPPED_PACKETS", "dropped-octets": "SAI_QUEUE_STAT_DROPPED_BYTES",
		"ecn-marked-pkts": "SAI_QUEUE_STAT_WRED_ECN_MARKED_PACKETS", "ecn-marked-octets": "SAI_QUEUE_STAT_WRED_ECN_MARKED_BYTES",
		"max-queue-len": "SAI_QUEUE_STAT_SHARED_WATERMARK_BYTES",
	}
}

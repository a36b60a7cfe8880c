package intake

import (
	"regexp"
	"strings"
	"time"
)

// isExposition recognizes the text that exporters serve at /metrics, by a line of help or type.
func isExposition(text []byte) bool {
	return regexp.MustCompile(`(?m)^# (HELP|TYPE) [a-zA-Z_:]`).Match(text)
}

// metricLine is a line of Prometheus' text format: a name, labels, a value and maybe a time in milliseconds (Prometheus,
// Exposition formats, version 0.0.4).
var (
	metricLine = regexp.MustCompile(`^([a-zA-Z_:][a-zA-Z0-9_:]*)(?:\{(.*)\})?[ \t]+(\S+)(?:[ \t]+(-?[0-9]+))?[ \t]*$`)
	labelPair  = regexp.MustCompile(`([a-zA-Z_][a-zA-Z0-9_]*)[ \t]*=[ \t]*"((?:[^"\\]|\\.)*)"`)
)

// readExposition reads the text of node_exporter and its like. It is of the device that the file is called after, unless a
// label names one.
func readExposition(r *reader, text []byte) {
	lines := strings.Split(strings.ReplaceAll(string(text), "\r", ""), "\n")
	if r.cutOff(lines) {
		return
	}
	unescape := strings.NewReplacer(`\\`, `\`, `\"`, `"`, `\n`, "\n")
	for i, line := range lines {
		if line = strings.TrimSpace(line); line == "" || line[0] == '#' {
			continue
		}
		m := metricLine.FindStringSubmatch(line)
		if m == nil {
			r.errorf(Invalid, r.line(i+1), "%q is not a line of Prometheus' text format: a name, labels in braces, and a value", clip(line)).Fixf("save what the exporter serves at /metrics as it is")
			continue
		}
		s := sample{name: m[1], labels: map[string]string{}, value: m[3], source: "metrics", at: r.line(i + 1)}
		for _, pair := range labelPair.FindAllStringSubmatch(m[2], -1) {
			s.labels[pair[1]] = unescape.Replace(pair[2])
		}
		if m[4] != "" {
			if at, ok := r.wholeText(m[4], "the time", s.at); ok && at < 1<<53 {
				s.until = time.UnixMilli(int64(at)).UTC()
			}
		}
		r.sample(s)
	}
}

// ethtoolName is ethtool's name for a counter of node_exporter, which writes received for rx, and transmitted for tx
// (collector/ethtool_linux.go, buildEthtoolFQName).
func ethtoolName(metric string) string {
	parts := strings.Split(metric, "_")
	for i, part := range parts {
		switch part {
		case "received":
			parts[i] = "rx"
		case "transmitted":
			parts[i] = "tx"
		}
	}
	return strings.Join(parts, "_")
}

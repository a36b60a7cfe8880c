package verify

import (
	"slices"
	"strings"
	"testing"

	"github.com/roceplan/roceplan/diag"
	"github.com/roceplan/roceplan/lint"
	"github.com/roceplan/roceplan/model/proof"
	"github.com/roceplan/roceplan/read/sonic"
)

// Ports may name different maps from traffic classes to queues. The sample has one lossless class in
// queue 5; here queue 1 is lossy beside it, and one port has a map of its own.
func TestQueueMapOfAPort(t *testing.T) {
	const main, own = `"TC_TO_QUEUE_MAP": {"AZURE": {"5": "5"}}`, `"Ethernet4": {"dscp_to_tc_map": "AZURE", "tc_to_queue_map": "OWN"`
	base := strings.NewReplacer(
		`"q_lossless": {`, `"q_lossy": {"pool": "egress_lossy_pool", "size": "0", "static_th": "25600"}, "q_lossless": {`,
		`"egress_lossless_pool": {`, `"egress_lossy_pool": {"type": "egress", "mode": "static", "size": "256000"}, "egress_lossless_pool": {`,
		`"Ethernet4|5": {"profile": "q_lossless"}`, `"Ethernet4|5": {"profile": "q_lossless"}, "Ethernet4|1": {"profile": "q_lossy"}`,
		`"Ethernet4": {"dscp_to_tc_map": "AZURE", "tc_to_queue_map": "AZURE"`, own,
	).Replace(string(sample(t)))
	with := func(row string) string { return strings.Replace(base, main, main[:len(main)-1]+row+"}", 1) }
	pauseless := func(text string) string { // Ethernet4 carries no RoCE
		at := strings.Index(text, `"Ethernet4": {"dscp_to_tc_map"`)
		text = text[:at] + strings.Replace(text[at:], `, "pfc_enable": "5"`, "", 1)
		return strings.Replace(text, ",\n        \"Ethernet4|5\": {\"profile\": \"pg_lossless\"}", "", 1)
	}
	for _, c := range []struct {
		name, text string
		verdict    Verdict
		code       diag.Code
		at         string // the line of the finding has it; empty: no error is found
	}{
		{"the same content under another name", with(`, "OWN": {"5": "5"}`), Proved, "", ""},
		{"a map that is absent", base, NotJudged, sonic.Reference, `"tc_to_queue_map": "OWN"`},
		{"the lossless class to a lossy queue", with(`, "OWN": {"5": "1"}`), Refuted, lint.PFCQueueMismatch, `"OWN"`},
		{"to a queue without a buffer", with(`, "OWN": {"5": "2"}`), Refuted, lint.QueueMissing, `"OWN"`},
		{"a lossy class elsewhere", with(`, "OWN": {"5": "5", "1": "1"}`), Proved, "", ""},
		{"a port that carries no RoCE, to the same queue", pauseless(with(`, "OWN": {"5": "5"}`)), Proved, "", ""},
		{"and to a lossy one", pauseless(with(`, "OWN": {"5": "1"}`)), Refuted, proofCode(proof.QueueHolds), `"static_th": "25600"`},
	} {
		r := judge(t, trident3(t), Text("config_db.json", []byte(c.text)))
		if r.Verdict() != c.verdict {
			t.Errorf("%s: %v, want %v: %v", c.name, r.Verdict(), c.verdict, r.Findings)
		}
		lines := strings.Split(c.text, "\n")
		hit := func(d diag.Diagnostic) bool {
			return d.Code == c.code && strings.Contains(lines[d.Subject.Start.Line-1], c.at)
		}
		if c.code != "" && !slices.ContainsFunc(r.Findings, hit) {
			t.Errorf("%s: no %s at %s: %v", c.name, c.code, c.at, r.Findings)
		}
		if c.code == "" && r.Findings.HasErrors() {
			t.Errorf("%s: %v", c.name, r.Findings)
		}
	}
}

// An uplink's map swaps the queues of two lossless classes, and what a pause stops does not follow: an
// error at both lines. Without the edit there is none.
func TestQueueMapThatPausesDoNotFollow(t *testing.T) {
	two := strings.NewReplacer(
		`"Ethernet0|5": {"profile": "pg`, `"Ethernet0|4": {"profile": "pg_lossless"}, "Ethernet0|5": {"profile": "pg`, `"Ethernet4|5": {"profile": "pg`, `"Ethernet4|4": {"profile": "pg_lossless"}, "Ethernet4|5": {"profile": "pg`,
		`"Ethernet0|5": {"profile": "q`, `"Ethernet0|4": {"profile": "q_lossless"}, "Ethernet0|5": {"profile": "q`, `"Ethernet4|5": {"profile": "q`, `"Ethernet4|4": {"profile": "q_lossless"}, "Ethernet4|5": {"profile": "q`,
		`{"46": "5"}`, `{"40": "4", "46": "5"}`,
		`{"AZURE": {"5": "5"}}`, `{"AZURE": {"4": "4", "5": "5"}}`, `"pfc_enable": "5"`, `"pfc_enable": "4,5"`,
	).Replace(string(sample(t)))
	own := strings.Replace(two, `"TC_TO_QUEUE_MAP": {`, `"TC_TO_QUEUE_MAP": {"UP": {
"4": "5",
"5": "4"}, `, 1)
	own = strings.Replace(own, `"Ethernet4": {"dscp_to_tc_map": "AZURE", "tc_to_queue_map": "AZURE"`, `"Ethernet4": {"dscp_to_tc_map": "AZURE", "tc_to_queue_map": "UP"`, 1)
	for text, want := range map[string][]string{two: nil, own: {`"4": "5",`, `"5": "4"}, "AZURE": {"4": "4", "5": "5"}},`}} {
		r, lines := judge(t, trident3(t), Text("config_db.json", []byte(text))), strings.Split(text, "\n")
		var got []string
		for _, d := range r.Findings {
			if d.Code == lint.PFCQueueMismatch {
				got = append(got, lines[d.Subject.Start.Line-1])
			}
		}
		if !slices.Equal(got, want) {
			t.Errorf("%q, want %q: %v", got, want, r.Findings)
		}
	}
}

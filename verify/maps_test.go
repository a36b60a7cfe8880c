package verify

import (
	"strings"
	"testing"
)

// What an untrusted port makes of code points, and what a switch writes into packets that
// leave it, decides what the next switch takes them for.
func TestMapsOfPortsAndRewriting(t *testing.T) {
	tor := redSubjectOf(t, "ucloud-pod/tor-01/config_db.json")
	edge := func(from, to string) func(string) string {
		return func(text string) string { return inTable(text, `"EDGE": {`, from, to) }
	}
	rewrite := func(from, to string) func(string) string {
		return func(text string) string { return inTable(text, `"TC_TO_DSCP_MAP": {`, from, to) }
	}
	for what, edit := range map[string]func(string) string{
		"RoCE of servers becomes lossy":              edge(`"46": "5"`, `"46": "2"`),
		"CNPs of servers become best effort":         edge(`"48": "6"`, `"48": "2"`),
		"best effort of servers becomes lossless":    edge(`"0": "2"`, `"0": "5"`),
		"best effort leaves as RoCE":                 rewrite(`"2": "0"`, `"2": "46"`),
		"RoCE leaves as best effort":                 rewrite(`"5": "46"`, `"5": "0"`),
		"CNPs leave as RoCE":                         rewrite(`"6": "48"`, `"6": "46"`),
		"best effort leaves with another code point": rewrite(`"2": "0"`, `"2": "1"`),
		"ports of servers believe what servers claim": func(text string) string {
			return strings.ReplaceAll(text, `"dscp_to_tc_map": "EDGE"`, `"dscp_to_tc_map": "AZURE"`)
		},
	} {
		edited := edit(tor.text)
		if edited == tor.text {
			t.Errorf("%s: the edit changes nothing", what)
		}
		if !tor.seen(t, 1, edited) {
			t.Errorf("%s: silent", what)
		}
		if alone := strings.HasSuffix(what, " leaves as RoCE"); alone && !tor.seen(t, 0, edited) {
			t.Errorf("%s: silent without the fabric", what)
		}
	}
}

// inTable exchanges the first occurrence of a text behind the beginning of a table or row.
func inTable(text, begins, from, to string) string {
	before, behind, _ := strings.Cut(text, begins)
	return before + begins + strings.Replace(behind, from, to, 1)
}

package main

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"
)

var profileName = regexp.MustCompile(`"(pg_lossless_\d+_\d+m_profile)": \{`)

// profileNames returns the lossless profiles of a ConfigDB file, in the order of speeds.
func profileNames(text string) (names []string) {
	for _, m := range profileName.FindAllStringSubmatch(text, -1) {
		names = append(names, m[1])
	}
	slices.SortFunc(names, func(a, b string) int {
		if len(a) != len(b) {
			return len(a) - len(b)
		}
		return strings.Compare(a, b)
	})
	return names
}

// swapLastPG gives the last lossless group of the file another profile.
func swapLastPG(text, profile string) string {
	lines := strings.Split(text, "\n")
	for i := len(lines) - 1; i >= 0; i-- {
		if strings.Contains(lines[i], `"profile": "pg_lossless_`) && !strings.Contains(lines[i], profile) {
			lines[i] = `            "profile": "` + profile + `"`
			return strings.Join(lines, "\n")
		}
	}
	return text
}

// cableOf edits the length of a port.
func cableOf(port string, of func(string) string) edit {
	return field("CABLE_LENGTH", "AZURE", port, of)
}

var enabled = regexp.MustCompile(`"pfc_enable": "(\d)"`)

// words returns the words that the maps of the examples lead to: the lossless traffic class is the PFC
// priority, the rest is where DSCP 0 leads.
func words(text string) func(string) string {
	lossless := "3"
	if m := enabled.FindStringSubmatch(text); m != nil {
		lossless = m[1]
	}
	rest := "0"
	if i := fieldLine(text, "DSCP_TO_TC_MAP", "AZURE", "0"); i >= 0 {
		rest = fieldValue.FindStringSubmatch(strings.Split(text, "\n")[i])[2]
	}
	return func(w string) string {
		switch w {
		case "RDMA", "LOSSLESS", "TC", "PFC":
			return lossless
		case "REST":
			return rest
		}
		return w
	}
}

// dscp leads a code point of ConfigDB to another class; RDMA is that of the lossless class.
func dscp(from, to string) edit {
	return func(text string) string {
		w := words(text)
		code := from
		if from == "RDMA" {
			code = losslessDSCP(text, w("TC"))
		}
		return field("DSCP_TO_TC_MAP", "AZURE", code, func(string) string { return w(to) })(text)
	}
}

func losslessDSCP(text, tc string) string {
	lines := strings.Split(text, "\n")
	i := fieldLine(text, "DSCP_TO_TC_MAP", "AZURE", "0")
	for ; i >= 0 && i < len(lines); i++ {
		if m := fieldValue.FindStringSubmatch(lines[i]); m != nil && m[2] == tc {
			return keyOf(lines[i])
		}
	}
	return "26"
}

func dropDSCP() edit {
	return func(text string) string {
		return dropField("DSCP_TO_TC_MAP", "AZURE", losslessDSCP(text, words(text)("TC")))(text)
	}
}

// eosDSCP leads a code point of EOS to another class.
func eosDSCP(code, tc string) edit {
	return func(text string) string {
		if tc == "0" && strings.Contains(text, "10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 27") && strings.Contains(text, "63 to traffic-class 1") {
			tc = "1"
		}
		return reline(`qos map dscp `+code+` to traffic-class \d`, "qos map dscp "+code+" to traffic-class "+tc)(text)
	}
}

// ocTerm sends a term of OpenConfig's classifiers to another group.
func ocTerm(term, group string) edit {
	return func(text string) string {
		is := regexp.MustCompile(`("target-group": )"` + term + `"`)
		return is.ReplaceAllString(text, `$1"`+group+`"`)
	}
}

// ocMove puts a code point beside another one.
func ocMove(code, beside string) edit {
	return func(text string) string {
		text = regexp.MustCompile(`(?m)^ *`+code+`,\n`).ReplaceAllString(text, "")
		return regexp.MustCompile(`(?m)^( *)`+beside+`$`).ReplaceAllString(text, "${1}"+beside+",\n${1}"+code)
	}
}

// ocQueue sends the lossless group to the queue of the rest.
func ocQueue() edit {
	return reline(`( *"output-queue":) "rdma"(,?)`, `$1 "rest"$2`)
}

func ocSwapCurve() edit {
	return func(text string) string {
		is := regexp.MustCompile(`"max-threshold": "(\d+)"([^}]*)"min-threshold": "(\d+)"`)
		return is.ReplaceAllString(text, `"max-threshold": "$3"$2"min-threshold": "$1"`)
	}
}

// byWord edits an entry of a map whose key and value are words.
func byWord(table, key, value string) edit {
	return func(text string) string {
		w := words(text)
		return field(table, "AZURE", w(key), func(string) string { return w(value) })(text)
	}
}

// unseenBecause says of kinds of edits why audit cannot see all of them: what is left is a
// file that somebody might have meant so.
var unseenBecause = map[string]string{
	"one cell less headroom":              "what is right to the cell follows from the peers' pause response, which no file of a switch holds",
	"headroom pool one cell less":         "how many groups are paused at once is the operator's to say; oversubscribed pools are in use",
	"alpha one step down":                 "another threshold is as valid: it pauses sooner",
	"lossless queue bounded by a share":   "OpenConfig: the file has no PFC, so it is not known that the queue is lossless",
	"limit of the lossless queue a tenth": "OpenConfig: the file has no PFC, so it is not known that the queue is lossless",
	"reserve of a lossy queue gone":       "SONiC: a queue other than that of CNPs is as valid without a reserve",
	"Kmin a tenth":                        "a queue that marks from one packet on is as valid: it is for short messages",
	"cap tenfold":                         "the file has no speeds, so nothing is known of the part that the cap is of a port",
}

// mostUnseen is the part of harmful edits that may need the fabric file to be found: one in so many at the most.
const mostUnseen = 30

// unseen lists the kinds of edits that audit does not find in some file, with the reason.
// A kind without one fails, so does a reason that nothing needs, and so do too many edits.
func unseen(t *testing.T, rows table) string {
	missed := map[string]map[string]int{}
	all := 0
	for _, row := range rows.rows[1:] {
		if kind, target := row[0], row[1]; row[5] == "-" {
			all++
			if missed[kind] == nil {
				missed[kind] = map[string]int{}
			}
			missed[kind][target]++
		}
	}
	if edits := len(rows.rows) - 1; all*mostUnseen > edits {
		t.Errorf("%d of %d harmful edits need the fabric file to be found, want one in %d at most", all, edits, mostUnseen)
	}
	for kind := range unseenBecause {
		if missed[kind] == nil {
			t.Errorf("audit finds all of %q: it needs no reason", kind)
		}
	}
	var out table
	out.add("NOT SEEN WITHOUT THE FABRIC FILE", "FILES", "BECAUSE")
	for _, kind := range slices.Sorted(maps.Keys(missed)) {
		if unseenBecause[kind] == "" {
			t.Errorf("audit does not find %q, and nothing says why", kind)
		}
		var files []string
		for _, target := range slices.Sorted(maps.Keys(missed[kind])) {
			files = append(files, fmt.Sprintf("%d %s", missed[kind][target], target))
		}
		out.add(kind, strings.Join(files, ", "), unseenBecause[kind])
	}
	return out.String()
}

package eos_test

import (
	"bytes"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/roceplan/roceplan/internal/testing/diagtest"
	"github.com/roceplan/roceplan/internal/testing/must"
	"github.com/roceplan/roceplan/internal/testing/oracle"
	"github.com/roceplan/roceplan/internal/testing/readtest"
	"github.com/roceplan/roceplan/read"
	"github.com/roceplan/roceplan/read/eos"
)

func language() readtest.Language {
	return readtest.Language{
		Format: eos.Format(), Options: read.Options{Cell: 254},
		Statement: func(line string) bool {
			line = strings.TrimSpace(line)
			return line != "" && line[0] != '!'
		},
		Undone: func(line string) []string {
			command := strings.TrimLeft(line, " ")
			blanks := line[:len(line)-len(command)]
			for _, word := range []string{"no ", "default "} {
				if rest, ok := strings.CutPrefix(command, word); ok {
					return []string{blanks + rest}
				}
			}
			return []string{blanks + "no " + command, blanks + "default " + command}
		},
		SectionEnd: func(lines []string, i int) int {
			own := indent(lines[i])
			end := i + 1
			for j := i + 1; j < len(lines); j++ {
				if line := strings.TrimSpace(lines[j]); line == "" || line[0] == '!' {
					continue
				}
				if indent(lines[j]) < own {
					break
				}
				end = j + 1
			}
			return end
		},
	}
}

func indent(line string) int { return len(line) - len(strings.TrimLeft(line, " ")) }

// shape is a line without its numbers and the names that people give.
func shape(line string) string {
	line = number.ReplaceAllString(line, "N")
	for _, name := range named {
		line = name.ReplaceAllString(line, "$1 NAME")
	}
	return many.ReplaceAllString(line, "N …")
}

var (
	number = regexp.MustCompile(`\b[0-9][0-9.]*\b`)
	many   = regexp.MustCompile(`N( N)+`)
	named  = []*regexp.Regexp{
		regexp.MustCompile(`^((?:no |default )?(?:service-profile|qos profile|hostname|policy-map type quality-of-service|class-map type qos match-any|class|service-policy type qos input|ip access-list|ipv6 access-list|match ip access-group|match ipv6 access-group|platform trident mmu queue profile)) [^ ]+`),
		regexp.MustCompile(`( name) .*`),
		regexp.MustCompile(`^((?:no |default )?interface) .*`),
	}
)

// alike are edits that change nothing that a device does, by kind and shape, each with
// its reason. An edit beyond these and beyond the ledger is a line that passes in silence.
func alike() map[string]string {
	const (
		isDefault   = "it sets the default: EOS user manual, Quality of Service; show running-config all"
		strictQueue = "the queue is strict, so its share by weight does not count"
		lastCounts  = "a later line of the same kind counts; real files have one"
		above       = "a higher queue shares by weight, so this one does: EOS user manual, Quality of Service"
		repeated    = "the line is one of the switch, and says again what it has said"
		noPFC       = "no port of the file has PFC"
	)
	table := map[string]string{
		"deleted: bandwidth percent N": strictQueue,
		"undone: bandwidth percent N":  strictQueue,
		"number: bandwidth percent N":  strictQueue,
		"deleted: priority strict":     isDefault,
		"undone: priority strict":      isDefault,
		"deleted: no priority":         above,

		"deleted: priority-flow-control all off": noPFC,
		"undone: priority-flow-control all off":  noPFC,

		"number: no priority-flow-control priority N":                       isDefault,
		"number: qos map dscp N … to traffic-class N":                       "the code point that is left out has this class by default, the one that it becomes is in the line already",
		"number: qos map traffic-class N to tx-queue N":                     lastCounts,
		"doubled at the end: hostname NAME":                                 repeated,
		"doubled at the end: interface NAME":                                repeated,
		"doubled at the end: platform trident mmu queue profile NAME apply": repeated,
	}
	for _, line := range []string{"default error-correction encoding", "default qos trust", "no bandwidth percent", "no priority-flow-control", "no priority-flow-control priority N",
		"no random-detect ecn", "no random-detect ecn minimum-threshold", "no shape rate", "no speed"} {
		table["deleted: "+line] = isDefault
	}
	for _, line := range []string{"qos map dscp N to traffic-class N", "qos map traffic-class N to tx-queue N", "qos trust dscp", "switchport",
		"priority-flow-control pause watchdog"} {
		table["deleted: "+line], table["undone: "+line] = isDefault, isDefault
	}
	for _, speed := range []string{"auto", "auto 100full", "forced 10000full", "forced 1000full", "forced 100gfull", "forced 25gfull", "forced 40gfull"} {
		table["deleted: speed "+speed], table["undone: speed "+speed] = lastCounts, lastCounts
	}
	return table
}

// TestEveryLine edits every line of our own files and of those by others: what
// shows nowhere is in the table above. golden/ledger/eos.txt is the report.
func TestEveryLine(t *testing.T) {
	if testing.Short() {
		t.Skip("reads 60,000 files")
	}
	others := must.Get(filepath.Glob(filepath.Join(oracle.Data(t, "eos_configs"), "*.cfg")))(t)
	ours, err := filepath.Glob("../../golden/*/*/eos.cfg")
	if err != nil || len(ours) == 0 || len(others) < 20 {
		t.Fatalf("%d files of our own, %d of others: %v", len(ours), len(others), err)
	}
	r := report{lines: map[string]map[string]int{}, rules: map[string]int{}}
	known, used := alike(), map[string]bool{}
	seen := map[string]bool{} // files of one shape
	for _, file := range append(ours, others...) {
		text := must.Get(os.ReadFile(file))(t)
		if seen[string(withoutHost.ReplaceAll(text, nil))] {
			continue
		}
		seen[string(withoutHost.ReplaceAll(text, nil))] = true
		language().Try(filepath.Base(file), text, func(trial readtest.Trial) {
			r.add(trial)
			if trial.Shown != readtest.Nowhere || trial.Kind == "doubled" {
				return // what is said twice in one section holds once
			}
			key := trial.Kind + ": " + shape(trial.Line)
			if used[key] = true; known[key] == "" {
				t.Errorf("%s: %q %s, now %q: nothing shows it\n\t%q", filepath.Base(file), trial.Line, trial.Kind, trial.Edited, key)
				known[key] = "told once"
			}
		})
	}
	for key := range known {
		if !used[key] {
			t.Errorf("nothing needs the table's %q", key)
		}
	}
	diagtest.Golden(t, "../../golden/ledger/eos.txt", string(r.text()))
}

var withoutHost = regexp.MustCompile(`(?m)^hostname .*$`)

// A report counts what came of the edits.
type report struct {
	lines map[string]map[string]int // by shape: how often which outcome
	rules map[string]int
}

func (r *report) add(t readtest.Trial) {
	if t.Statement.Sort == read.Neutral {
		if t.Kind == "deleted" {
			r.rules[t.Statement.Rule]++
		}
		return
	}
	key := shape(t.Statement.Text) // of the section, where it is one entry
	if r.lines[key] == nil {
		r.lines[key] = map[string]int{}
	}
	r.lines[key][t.Kind+" "+string(t.Shown)]++
}

func (r *report) text() []byte {
	var out bytes.Buffer
	fmt.Fprintln(&out, "What becomes of edited lines of EOS configurations, ours and by others. By shape of line: how often an edit")
	fmt.Fprintln(&out, "changes the plan, gives a finding, hits a neutral rule, is named as not modelled, or does the same. `go test ./read/eos -run EveryLine -update` rewrites it.")
	for _, key := range slices.Sorted(maps.Keys(r.lines)) {
		fmt.Fprintf(&out, "\n%s\n", key)
		for _, kind := range []string{"deleted", "doubled", "doubled at the end", "undone", "number"} {
			var parts []string
			for _, o := range []readtest.Shown{readtest.InPlan, readtest.InFindings, readtest.AsNeutral, readtest.AsUnmodelled, readtest.Nowhere} {
				if n := r.lines[key][kind+" "+string(o)]; n > 0 {
					parts = append(parts, fmt.Sprintf("%s %d", o, n))
				}
			}
			if parts != nil {
				fmt.Fprintf(&out, "    %-19s %s\n", kind, strings.Join(parts, ", "))
			}
		}
	}
	fmt.Fprintln(&out, "\nNeutral lines, by rule: how many lines of these files it covers, why, and who says so.")
	for _, rule := range eos.Format().Neutral {
		fmt.Fprintf(&out, "\n%s: %d lines\n    %s\n    because %s\n    source: %s\n", rule.ID, r.rules[rule.ID], rule.Pattern, rule.Reason, rule.Evidence)
	}
	return out.Bytes()
}

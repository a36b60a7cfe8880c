package verify

import (
	"encoding/json"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/roceplan/roceplan/emit"
	"github.com/roceplan/roceplan/internal/target"
	"github.com/roceplan/roceplan/internal/testing/must"
)

// A redEdit is one edit of a compiled file.
type redEdit struct {
	what string
	edit func(text string) string
}

// A redTeam edits the file of one target: edits that harm must be found, those that do not
// have to pass.
type redTeam struct {
	file     string // of golden
	harmful  []redEdit
	harmless []redEdit
	// alone says of harmful edits why the file alone does not show them: what is left is a valid
	// configuration of another kind.
	alone map[string]string
}

// mostReported is how many of 85 harmless edits may be reported.
const mostReported = 3

// Edits by hand of files of each target: none that harms passes in silence where the fabric is
// known, and few that do not harm are spoken of. What a file alone does not show has a reason.
func TestRedTeam(t *testing.T) {
	reported, tried := 0, 0
	for _, team := range append(slices.Concat(furtherTeams(), freshTeams()), junosTeam(), srlinuxTeam(), sonicTeam(), eosTeam(), nvueTeam(), openConfigTeam()) {
		s := redSubjectOf(t, team.file)
		silent := map[string]bool{}
		for _, e := range team.harmful {
			edited := e.edit(s.text)
			if edited == s.text {
				t.Errorf("%s: %s: the edit changes nothing", team.file, e.what)
				continue
			}
			if !s.seen(t, 1, edited) {
				t.Errorf("%s: %s: nothing shows it", team.file, e.what)
			}
			if !s.seen(t, 0, edited) {
				silent[e.what] = true
				if team.alone[e.what] == "" {
					t.Errorf("%s: %s: nothing shows it without the fabric, and nothing says why", team.file, e.what)
				}
			}
		}
		for _, e := range team.harmless {
			edited := e.edit(s.text)
			if edited == s.text {
				t.Errorf("%s: %s: the edit changes nothing", team.file, e.what)
			}
			if tried++; s.seen(t, 1, edited) {
				reported++
				t.Logf("%s: %s: it is reported, and harms nothing: %v", team.file, e.what, s.fresh(t, 1, edited))
			}
		}
		for what := range team.alone {
			if !silent[what] {
				t.Errorf("%s: %s: the file alone shows it, which needs no reason", team.file, what)
			}
		}
		t.Logf("%s: %d harmful edits, of which %d need the fabric; %d harmless ones", team.file, len(team.harmful), len(silent), len(team.harmless))
	}
	if 85*reported > mostReported*tried {
		t.Errorf("%d of %d harmless edits are reported, want %d of 85 at most", reported, tried, mostReported)
	}
}

// A redSubject is a file as it was compiled: alone, with what the fabric declares, and with the
// fabric.
type redSubject struct {
	name, text string
	options    [2]Options
	known      [2]map[string]bool
	verdict    [2]Verdict
}

func redSubjectOf(t *testing.T, file string) *redSubject {
	t.Helper()
	parts := strings.Split(file, "/")
	p, catalogue := planOf(t, parts[0])
	text := must.Get(os.ReadFile(filepath.Join("../golden", file)))(t)
	s := &redSubject{name: file, text: string(text)}
	s.options[0] = declaredBy(t, catalogue, plannedSwitch(t, p, parts[1]), parts[1])
	s.options[1] = Options{Catalogue: catalogue, Fabric: &Fabric{Plan: p, Targets: []emit.Target{}}}
	for _, name := range plannedSwitch(t, p, parts[1]).Targets {
		of, ok := target.Find(name)
		if !ok {
			t.Fatalf("no target %s", name)
		}
		s.options[1].Fabric.Targets = append(s.options[1].Fabric.Targets, of)
	}
	for i := range s.options {
		s.known[i], s.verdict[i] = told(t, s.options[i], file, s.text)
	}
	return s
}

// fresh returns the findings about an edited file that the original does not have.
func (s *redSubject) fresh(t *testing.T, i int, edited string) []string {
	t.Helper()
	found, verdict := told(t, s.options[i], s.name, edited)
	maps.DeleteFunc(found, func(what string, _ bool) bool { return s.known[i][what] })
	if verdict > s.verdict[i] {
		found["verdict "+verdict.String()] = true
	}
	return slices.Sorted(maps.Keys(found))
}

func (s *redSubject) seen(t *testing.T, i int, edited string) bool {
	return len(s.fresh(t, i, edited)) > 0
}

// each makes edits one after another; none where one of them changes nothing.
func each(edits ...func(string) string) func(string) string {
	return func(text string) string {
		edited := text
		for _, e := range edits {
			before := edited
			if edited = e(before); edited == before {
				return text
			}
		}
		return edited
	}
}

// everywhere replaces all occurrences.
func everywhere(old, now string) func(string) string {
	return func(text string) string { return strings.ReplaceAll(text, old, now) }
}

// put sets what a path in JSON leads to: names of members, and indices of lists, between
// slashes. A last index + appends. Without a value it is taken out. The value is JSON. Where
// the document has it so, the text stays as it is.
func put(path, value string) func(string) string {
	return func(text string) string {
		var doc, was any
		if json.Unmarshal([]byte(text), &doc) != nil || json.Unmarshal([]byte(text), &was) != nil {
			return text
		}
		var v any
		if value != "" && json.Unmarshal([]byte(value), &v) != nil {
			panic(value)
		}
		doc = putAt(doc, strings.Split(path, "/"), v, value == "")
		out, err := json.MarshalIndent(doc, "", "  ")
		if err != nil || reflect.DeepEqual(doc, was) {
			return text
		}
		return string(out)
	}
}

func putAt(doc any, path []string, v any, drop bool) any {
	if len(path) == 0 {
		return v
	}
	switch in := doc.(type) {
	case map[string]any:
		key := strings.ReplaceAll(path[0], "~", "/") // names of ports have slashes
		if len(path) == 1 && drop {
			delete(in, key)
			return in
		}
		in[key] = putAt(in[key], path[1:], v, drop)
		return in
	case []any:
		if path[0] == "+" {
			return append(in, v)
		}
		i, _ := strconv.Atoi(path[0])
		if len(path) == 1 && drop {
			return slices.Delete(in, i, i+1)
		}
		in[i] = putAt(in[i], path[1:], v, drop)
		return in
	}
	return putAt(map[string]any{}, path, v, drop)
}

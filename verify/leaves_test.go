package verify

import (
	"cmp"
	"encoding/json"
	"flag"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/roceplan/roceplan/internal/target"
	"github.com/roceplan/roceplan/internal/testing/diagtest"
	"github.com/roceplan/roceplan/internal/testing/must"
	"github.com/roceplan/roceplan/internal/testing/readtest"
	"github.com/roceplan/roceplan/plan"
	"github.com/roceplan/roceplan/read"
)

// sampledLeaves of each golden file are changed by an ordinary run.
const sampledLeaves = 20

var hunting = flag.Bool("hunt", false, "change every leaf of every golden file, for some minutes; -update then rewrites golden/leaves")

// Every leaf of every golden file is deleted, halved, doubled, and given another value that the file has of
// its kind: verify --fabric then says something else, or golden/leaves has the reason why not.
func TestEveryLeaf(t *testing.T) {
	formats := 0
	for _, f := range Formats() {
		if subjects := leafSubjects(t, f); len(subjects) > 0 {
			formats++
			t.Run(f.Name, func(t *testing.T) { changeLeaves(t, "../golden/leaves/"+f.Name+".txt", subjects) })
		}
	}
	must.Equalf(t, formats, 6, "formats have golden files:")
}

func changeLeaves(t *testing.T, golden string, subjects []*leafSubject) {
	listed, err := os.ReadFile(golden)
	if err != nil && !*hunting {
		t.Fatal(err)
	}
	known, all := silencesIn(string(listed)), map[silence]bool{}
	leaves, changes := 0, 0
	for i, s := range subjects {
		drawn := leavesOf(t, s.text)
		others := ofKind(drawn)
		if !*hunting {
			draw := rand.New(rand.NewPCG(30, uint64(i)))
			draw.Shuffle(len(drawn), func(i, j int) { drawn[i], drawn[j] = drawn[j], drawn[i] })
			drawn = drawn[:min(len(drawn), sampledLeaves)]
		}
		leaves += len(drawn)
		for i := range drawn {
			for _, e := range drawn[i].edits(s.text, others[drawn[i].kind]) {
				changes++
				if why, silent := s.silent(t, &drawn[i], &e); silent {
					found := silence{why, e.how, drawn[i].kind}
					all[found] = true
					if !*hunting && !known[found] {
						t.Errorf("%s:%d: %s, %q: verify says the same, and %s does not have it (%s)", s.path, e.line, e.how, found.kind, golden, why)
					}
				}
			}
		}
	}
	t.Logf("%d files, %d leaves, %d changes, %d kinds after which verify says the same", len(subjects), leaves, changes, len(all))
	if *hunting {
		diagtest.Golden(t, golden, silencesText(all))
	}
}

// A silence is a kind of change after which verify says the same, and why.
type silence struct{ why, how, kind string }

const silencesHead = `Changes of leaves of compiled files after which verify --fabric says the same, by the reason: that of a neutral
statement in the ledger of the file, or why the switch does the same. A # is any number.
Written by: go test ./verify -run TestEveryLeaf -timeout 2h -hunt -update
`

func silencesText(all map[silence]bool) string {
	hows := map[silence][]string{} // without how
	for s := range all {
		key := silence{why: s.why, kind: s.kind}
		hows[key] = append(hows[key], s.how)
	}
	rows := slices.SortedFunc(maps.Keys(hows), func(a, b silence) int {
		return cmp.Or(cmp.Compare(a.why, b.why), cmp.Compare(a.kind, b.kind))
	})
	var out strings.Builder
	out.WriteString(silencesHead)
	why := ""
	for _, s := range rows {
		if s.why != why {
			why = s.why
			fmt.Fprintf(&out, "\n%s\n", why)
		}
		how := hows[s]
		slices.Sort(how)
		fmt.Fprintf(&out, "    %s: %s\n", s.kind, strings.Join(how, ", "))
	}
	return out.String()
}

func silencesIn(text string) map[silence]bool {
	all := map[silence]bool{}
	why := ""
	for line := range strings.Lines(strings.TrimPrefix(text, silencesHead)) {
		line = strings.TrimRight(line, "\n")
		kind, in := strings.CutPrefix(line, "    ")
		if !in {
			why = line
			continue
		}
		at := strings.LastIndex(kind, ": ")
		for how := range strings.SplitSeq(kind[at+2:], ", ") {
			all[silence{why, how, kind[:at]}] = true
		}
	}
	return all
}

// A leafSubject is a golden file and the files of its peers.
type leafSubject struct {
	path, text, device string
	format             read.Format
	options            read.Options
	verifier           *Verifier
	peers              []*Switch
	says               map[string]bool
	read               read.Result
	print              uint64 // of what was read
}

func leafSubjects(t *testing.T, f read.Format) (all []*leafSubject) {
	for _, name := range f.Files {
		paths := must.Get(filepath.Glob("../golden/*/*/" + name))(t)
		for _, path := range paths {
			all = append(all, leafSubjectOf(t, f, path))
		}
	}
	return all
}

func leafSubjectOf(t *testing.T, f read.Format, path string) *leafSubject {
	t.Helper()
	text := must.Get(os.ReadFile(path))(t)
	device := filepath.Base(filepath.Dir(path))
	s := &leafSubject{path: device + "/" + filepath.Base(path), text: string(text), device: device, format: f}
	p, catalogue := planOf(t, filepath.Base(filepath.Dir(filepath.Dir(path))))
	own := *p // with the links of the device alone, which are what its file can change
	own.Links = slices.DeleteFunc(slices.Clone(p.Links), func(l plan.Link) bool { return l.A.Switch != device && l.B.Switch != device })
	s.verifier = New(Options{Catalogue: catalogue, Fabric: &Fabric{Plan: &own, Targets: target.All()}})
	s.options.Cell = plannedSwitch(t, p, device).Cell
	var files []File
	for _, sw := range p.Switches {
		of, _ := target.Find(sw.Targets[0])
		out, _ := of.Forms[0].Emit(sw)
		for _, name := range sw.Names {
			if name != device && slices.ContainsFunc(own.Links, func(l plan.Link) bool { return l.A.Switch == name || l.B.Switch == name }) {
				files = append(files, Text(name+"/"+out[0].Path, out[0].Body.AppendFor(nil, name)))
			}
		}
	}
	s.peers = s.judge(t, files...)
	s.says = s.told(t, s.text)
	s.read = f.Read(s.path, text, s.options)
	s.print = readtest.Fingerprint(s.read.Switch)
	return s
}

func (s *leafSubject) judge(t *testing.T, files ...File) []*Switch {
	t.Helper()
	shapes := must.Get(Read(files, s.verifier.usualCell()))(t)
	judged := must.Get(s.verifier.Shapes(shapes))(t)
	return judged
}

var placesInJSON = regexp.MustCompile(`"at":"[^"]*",?`)

// told returns the messages of verify --fabric, without places and without how many statements there are.
func (s *leafSubject) told(t *testing.T, text string) map[string]bool {
	t.Helper()
	all := append(slices.Clone(s.peers), s.judge(t, Text(s.path, []byte(text)))...)
	apart, found := s.verifier.links(all)
	found = append(append(found, s.verifier.missing(all)...), s.verifier.lost(all)...)
	told := map[string]bool{}
	for _, sw := range apart {
		own := *sw
		own.Coverage, own.FormatBy = Coverage{}, ""
		if !slices.Contains(sw.Names, s.device) {
			own.Obligations = nil
		} else {
			found = append(found, sw.Findings...)
		}
		text := must.Get(json.Marshal(&own))(t)
		told[string(placesInJSON.ReplaceAll(text, nil))] = true
	}
	for _, d := range found {
		told[fmt.Sprint(d.Severity, d.Code, d.Message)] = true
	}
	return told
}

// silent reports whether verify says the same of an edited file, and why that is right.
func (s *leafSubject) silent(t *testing.T, l *leaf, e *leafEdit) (why string, silent bool) {
	t.Helper()
	if !maps.Equal(s.says, s.told(t, e.text)) {
		return "", false
	}
	if rule := s.neutral(e.line); rule != "" {
		i := slices.IndexFunc(s.format.Neutral, func(r read.NeutralRule) bool { return r.ID == rule })
		return fmt.Sprintf("neutral, %s: %s", rule, s.format.Neutral[i].Reason), true
	}
	same := readtest.Fingerprint(s.format.Read(s.path, []byte(e.text), s.options).Switch) == s.print
	for _, q := range quietLeaves {
		if q.format == s.format.Name && (same || !q.same) && strings.HasPrefix(l.kind, q.kind) {
			return q.why, true
		}
	}
	t.Errorf("%s:%d: %s, %q: verify says the same, and nothing says why (the plan is the same: %v)", s.path, e.line, e.how, l.kind, same)
	return "no reason", true
}

// neutral returns the rule of the ledger for a line, empty where some statement of it is not neutral.
func (s *leafSubject) neutral(line int) (rule string) {
	all := s.read.Ledger.Statements
	i, exact := slices.BinarySearchFunc(all, line, func(st read.Statement, line int) int { return cmp.Compare(st.At.Start.Line, line) })
	if !exact { // a row whose leaves are all alike has one statement
		i = max(0, i-1)
	}
	for at := all[i].At.Start.Line; i < len(all) && all[i].At.Start.Line == at; i++ {
		if all[i].Sort != read.Neutral {
			return ""
		}
		rule = all[i].Rule
	}
	return rule
}

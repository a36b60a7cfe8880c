package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/roceplan/roceplan"
	"github.com/roceplan/roceplan/diag"
	"github.com/roceplan/roceplan/internal/testing/goldentest"
	"github.com/roceplan/roceplan/internal/testing/must"
	"github.com/roceplan/roceplan/plan"
	"github.com/roceplan/roceplan/verify"
)

const mutationTable = "golden/mutations.txt"

// A mutation is one kind of edit, by target. An edit that cannot be expressed in a file
// returns the text as it was.
type mutation struct {
	name string
	by   map[string]func(text string) string
}

// A subject is one file of an example under edits.
type mutationSubject struct{ example, device, kind string }

// mutationSubjects are files of each target: of three examples where there are as many.
var mutationSubjects = []mutationSubject{
	{"tomahawk5-ai-pod", "leaf-01", "sonic"}, {"ucloud-pod", "tor-01", "sonic"}, {"mixed-cabling", "tor-1", "sonic"},
	{"tomahawk-eos-pod", "leaf-1", "eos"}, {"mixed-cabling", "leaf-1", "eos"}, {"tomahawk4-eos-storage", "leaf-1", "eos"},
	{"mixed-cabling", "spine-1", "openconfig"}, {"tomahawk-eos-pod", "spine-1", "openconfig"}, {"tomahawk4-eos-storage", "leaf-1", "openconfig"},
	{"cumulus-storage", "leaf-1", "nvue"}, {"cumulus-storage", "spine-1", "nvue"},
	{"junos-rail", "leaf-1", "junos"}, {"srlinux-rail", "leaf-1", "srlinux"},
}

// workshops are those of examples that were compiled already.
var workshops = map[string]*workshop{}

// A workshop holds an example as it is compiled, with what was found of it: an edit
// costs one file to be judged again.
type workshop struct {
	texts   goldentest.Files
	v       *verify.Verifier
	planned map[string]*plan.Switch // by device
	judged  []*verify.Switch
	known   map[string]bool // findings of the unedited example
	audited map[mutationSubject]audited
}

// audited is what audit says of an unedited file.
type audited struct {
	verdict     verify.Verdict
	known, said map[string]bool // findings without their places, and messages
}

func newWorkshop(t *testing.T, example string) *workshop {
	t.Helper()
	if w := workshops[example]; w != nil {
		return w
	}
	term := &terminal{Context: context.Background(), err: os.Stderr}
	loaded, err := sourceFlags{}.load(term, []string{filepath.Join(examples, example)})
	check(t, err)
	p := must.Sound(loaded.Plan())(t)
	w := &workshop{v: roceplan.NewVerifier(loaded.Fabric), planned: map[string]*plan.Switch{}, known: map[string]bool{}, audited: map[mutationSubject]audited{}}
	dir := t.TempDir()
	for _, sw := range p.Switches {
		for _, name := range sw.Names {
			w.planned[name] = sw
		}
	}
	compile(t, filepath.Join(examples, example), dir)
	w.texts, err = goldentest.ReadAll(dir)
	check(t, err)
	files, err := configFiles(term, []string{dir})
	check(t, err)
	shapes, err := verify.Read(files, p.Switches[0].Cell)
	check(t, err)
	w.judged, err = w.v.Shapes(shapes)
	check(t, err)
	for _, d := range w.findings(w.judged) {
		if d.Severity == diag.Error {
			t.Errorf("%s: %s[%s]: %s", example, d.Severity, d.Code, d.Message)
		}
		w.known[spoken(d)] = true
	}
	workshops[example] = w
	return w
}

// spoken is a finding without its place: an edit moves lines. What fails before and fails
// after by another figure is not a new finding.
func spoken(d diag.Diagnostic) string {
	message := d.Message
	if strings.HasPrefix(string(d.Code), "proof-") {
		message, _, _ = strings.Cut(message, ": ")
	}
	return string(d.Code) + message
}

func (w *workshop) findings(judged []*verify.Switch) (found diag.List) {
	for _, s := range judged {
		found = append(found, s.Findings...)
	}
	return append(found, w.v.Between(judged)...)
}

// try judges the example with one file edited, and returns what is new.
func (w *workshop) try(t *testing.T, s mutationSubject, edited string) (fresh diag.List, path string) {
	t.Helper()
	var judged []*verify.Switch
	was := verify.Refuted
	for _, j := range w.judged {
		i := slices.Index(j.Names, s.device)
		if i < 0 || j.Format != s.kind {
			judged = append(judged, j)
			continue
		}
		path, was = j.Files[i], j.Verdict
		if len(j.Names) > 1 {
			rest := *j
			rest.Names = slices.Delete(slices.Clone(j.Names), i, i+1)
			rest.Files = slices.Delete(slices.Clone(j.Files), i, i+1)
			judged = append(judged, &rest)
		}
	}
	shapes, err := verify.Read([]verify.File{verify.Text(path, []byte(edited))}, cellOf(w, s.device))
	check(t, err)
	own, err := w.v.Shapes(shapes)
	check(t, err)
	for _, d := range w.findings(append(judged, own...)) {
		if !w.known[spoken(d)] {
			fresh = append(fresh, d)
		}
	}
	return append(fresh, worse(was, own)...), path
}

// worse is a verdict that an edit made worse, as a finding.
func worse(was verify.Verdict, own []*verify.Switch) (found diag.List) {
	for _, s := range own {
		if s.Verdict > was && len(s.Because) > 0 { // what is conditional has no reason, and conditions are told as warnings
			found.Errorf(diag.Code("verdict "+s.Verdict.String()), s.Because[0].Range, "%s", s.Because[0].Message)
		}
	}
	return found
}

// alone judges a file without the fabric file, as audit does: with the chip, and a list of
// cables. It returns the code of a finding that the unedited file does not have.
func (w *workshop) alone(t *testing.T, s mutationSubject, before, after string) string {
	t.Helper()
	planned := w.planned[s.device]
	o := verify.Options{Catalogue: w.v.Catalogue, Cables: verify.Cables{}}
	o.Chip, _ = w.v.Catalogue.Find(planned.Chip)
	if s.kind != "sonic" {
		for _, p := range planned.Ports {
			o.Cables[plan.LinkEnd{Switch: s.device, Port: p.Name}] = verify.Cable{Length: p.Cable, Speed: p.Speed}
		}
	}
	judge := func(text string) *verify.Report {
		report, err := verify.Judge([]verify.File{verify.Text(s.device+"/"+fileOf[s.kind], []byte(text))}, o)
		check(t, err)
		return report
	}
	was, ok := w.audited[s]
	if !ok {
		report := judge(before)
		was = audited{report.Verdict(), map[string]bool{}, map[string]bool{}}
		for _, d := range report.Findings {
			was.known[spoken(d)], was.said[d.Message] = true, true
		}
		w.audited[s] = was
	}
	figure, report := "-", judge(after)
	for _, d := range append(report.Findings, worse(was.verdict, report.Switches)...) {
		switch {
		case !was.known[spoken(d)]:
			return string(d.Code)
		case !was.said[d.Message]:
			figure = string(d.Code) + ", by another figure"
		}
	}
	return figure
}

// changedLines returns the lines of the edited text that the original does not have in that
// order, and the places where lines were taken out.
func changedLines(before, after string) (changed, gaps map[int]bool) {
	a, b := strings.Split(before, "\n"), strings.Split(after, "\n")
	changed, gaps = map[int]bool{}, map[int]bool{}
	head := 0
	for head < len(a) && head < len(b) && a[head] == b[head] {
		head++
	}
	tail := 0
	for tail < len(a)-head && tail < len(b)-head && a[len(a)-1-tail] == b[len(b)-1-tail] {
		tail++
	}
	old := map[string]bool{}
	for _, line := range a[head : len(a)-tail] {
		old[strings.TrimRight(line, ",")] = true
	}
	for i := head; i < len(b)-tail; i++ {
		if !old[strings.TrimRight(b[i], ",")] {
			changed[i+1] = true
		}
	}
	if len(changed) == 0 {
		gaps[head], gaps[head+1] = true, true
	}
	return changed, gaps
}

// where says how near findings come to an edit: on the line, at the gap where a line was
// taken out, on a line that opens an object or block around it, at the port that it is
// about, or, where something was taken out, at what lacks it now.
func where(fresh diag.List, path, before, after string) (d diag.Diagnostic, near string) {
	changed, gaps := changedLines(before, after)
	around, ports := map[int]bool{}, map[string]bool{}
	for _, lines := range []map[int]bool{changed, gaps} {
		for line := range lines {
			enclose(around, ports, after, line)
		}
	}
	for _, rank := range []struct {
		near  string
		lines map[int]bool
	}{{"line", changed}, {"gap", gaps}, {"object", around}} {
		for _, d := range fresh {
			if hits(d, path, rank.lines) {
				return d, rank.near
			}
		}
	}
	for _, d := range fresh {
		for port := range ports {
			if d.Subject.Filename == path && strings.Contains(d.Message+" ", " "+port+" ") {
				return d, "port"
			}
		}
	}
	for _, d := range fresh {
		if d.Subject.Filename == path && (len(changed) == 0 || strings.HasPrefix(before, after)) {
			return d, "what lacks it"
		}
	}
	return fresh[0], ""
}

func hits(d diag.Diagnostic, path string, lines map[int]bool) bool {
	if lines[d.Subject.Start.Line] && d.Subject.Filename == path {
		return true
	}
	return slices.ContainsFunc(d.Related, func(n diag.Note) bool { return lines[n.Range.Start.Line] && n.Range.Filename == path })
}

// enclose adds the fields beside a line and the lines that open objects or blocks around
// it, apart from whole tables, and the port that one of them names.
func enclose(around map[int]bool, ports map[string]bool, text string, line int) {
	lines := strings.Split(text, "\n")
	if line < 1 || line > len(lines) {
		return
	}
	depth := indent(lines[line-1])
	for i := line - 1; i >= 1 && depth > 0; i-- {
		if d := indent(lines[i-1]); d < depth && strings.TrimSpace(lines[i-1]) != "!" {
			if depth = d; d < 8 && strings.HasPrefix(text, "{") {
				break
			}
			around[i] = true
			port, _, _ := strings.Cut(keyOf(lines[i-1]), "|")
			if yaml := strings.TrimRight(strings.TrimSpace(lines[i-1]), ":"); port == "" && strings.HasPrefix(yaml, "swp") {
				port = yaml
			}
			if strings.HasPrefix(port, "Ethernet") || strings.HasPrefix(port, "swp") {
				ports[port] = true
			}
		} else if d == depth {
			around[i] = true
		}
	}
	for i := line + 1; i <= len(lines) && indent(lines[i-1]) >= indent(lines[line-1]) && indent(lines[line-1]) > 0; i++ {
		around[i] = true
	}
}

func indent(line string) int { return len(line) - len(strings.TrimLeft(line, " ")) }

// Every harmful edit of every file is found, at its line or in its object; no harmless
// one is reported.
func TestMutations(t *testing.T) {
	t.Chdir("../..")
	if n := len(harmful()); n < 60 {
		t.Errorf("%d kinds of harmful edits, want 60", n)
	}
	if n := len(harmless()); n < 60 {
		t.Errorf("%d kinds of harmless edits, want 60", n)
	}
	var out strings.Builder
	out.WriteString(mutationHeader)
	var rows table
	rows.add("HARMFUL EDIT", "TARGET", "EXAMPLE", "FOUND", "AT", "FOUND WITHOUT THE FABRIC FILE")
	tried := tryAll(t, harmful(), &rows, true)
	var quiet table
	quiet.add("HARMLESS EDIT", "TARGET", "EXAMPLE", "FOUND")
	passed := tryAll(t, harmless(), &quiet, false)
	fmt.Fprintf(&out, "Harmful: %d kinds, %d edits. Harmless: %d kinds, %d edits.\n\n%s\n%s\n%s", len(harmful()), tried, len(harmless()), passed, rows, quiet, unseen(t, rows))
	if *update {
		check(t, os.WriteFile(mutationTable, []byte(out.String()), 0o666))
	}
	want, err := os.ReadFile(mutationTable)
	check(t, err)
	must.NoDiffIn(t, cmp.Diff(strings.Split(string(want), "\n"), strings.Split(out.String(), "\n")), "%s (-golden +now):", mutationTable)
}

const mutationHeader = `What roceplan verify says of edited files

Each edit is made in one file of a compiled example; the other files stay. FOUND is the code
of a finding that the unedited files do not have. AT says how near it comes: on the edited
line; at the gap where a line was taken out; on a line of the object or block around it; at
the port that it is about; where something was taken out, at what lacks it now. The last
column is what audit says, which knows the file, the chip and the cables, and no fabric
file. "By another figure" is a finding that the unedited file has too, where no fabric file
says how fast its peers respond, and that the edit makes larger. An edit that makes a valid
configuration of another kind cannot be seen so; the end of this file says of each why.
Written by: go test ./cmd/roceplan -run TestMutations -update

`

func tryAll(t *testing.T, kinds []mutation, rows *table, harm bool) (tried int) {
	for _, m := range kinds {
		used := 0
		for _, s := range mutationSubjects {
			edit := m.by[s.kind]
			if edit == nil {
				continue
			}
			shop := newWorkshop(t, s.example)
			before := shop.texts[filepath.Join(s.device, fileOf[s.kind])]
			after := edit(before)
			if after == before {
				continue // this file does not have what the edit is about
			}
			used++
			fresh, at := shop.try(t, s, after)
			where := s.example + " " + s.device
			if !harm {
				found := "-"
				for _, d := range fresh {
					found = string(d.Code)
					t.Errorf("harmless edit %q of %s (%s) is reported: %s:%d: %s[%s]: %s", m.name, where, s.kind, d.Subject.Filename, d.Subject.Start.Line, d.Severity, d.Code, d.Message)
				}
				rows.add(m.name, s.kind, where, found)
				continue
			}
			alone := shop.alone(t, s, before, after)
			rows.add(append(append([]string{m.name, s.kind, where}, verdictOn(t, m.name, where, fresh, at, before, after)...), alone)...)
		}
		if used == 0 {
			t.Errorf("the edit %q changes no file", m.name)
		}
		tried += used
	}
	return tried
}

func verdictOn(t *testing.T, name, file string, fresh diag.List, path, before, after string) []string {
	if len(fresh) == 0 {
		t.Errorf("harmful edit %q of %s is not found", name, file)
		return []string{"NOTHING", ""}
	}
	d, near := where(fresh, path, before, after)
	if near == "" {
		t.Errorf("harmful edit %q of %s is found elsewhere: %s:%d: [%s] %s", name, file, d.Subject.Filename, d.Subject.Start.Line, d.Code, d.Message)
	}
	return []string{string(d.Code), near}
}

var fileOf = map[string]string{"sonic": "config_db.json", "eos": "eos.cfg", "openconfig": "openconfig.json", "nvue": "nvue.yaml", "junos": "junos.conf", "srlinux": "srlinux.json"}

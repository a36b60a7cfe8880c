package target

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/roceplan/roceplan/diag"
	"github.com/roceplan/roceplan/emit"
	"github.com/roceplan/roceplan/format"
	"github.com/roceplan/roceplan/format/system"
	"github.com/roceplan/roceplan/internal/testing/readtest"
	"github.com/roceplan/roceplan/plan"
	"github.com/roceplan/roceplan/read"
	"github.com/roceplan/roceplan/read/eos"
	"github.com/roceplan/roceplan/read/junos"
	"github.com/roceplan/roceplan/read/nvue"
	"github.com/roceplan/roceplan/read/openconfig"
	"github.com/roceplan/roceplan/read/sonic"
	"github.com/roceplan/roceplan/read/srlinux"
)

// A subject is a switch of a target that the matrix is tried on: its plan without any
// intent, and how its files are read back. Where a target has several subjects, they
// are chips or profiles on which it can do more or less.
type subject struct {
	target, name string
	change       func(*plan.Switch)
	format       read.Format
}

func subjects() []subject {
	on := func(chip, os string) func(*plan.Switch) {
		return func(s *plan.Switch) { s.Chip, s.OS = chip, os }
	}
	all := []subject{
		{"sonic", "tomahawk5", on("tomahawk5", "sonic"), sonic.Format()},
		{"sonic", "spectrum4", on("spectrum4", "sonic"), sonic.Format()},
		{"eos", "tomahawk5", on("tomahawk5", "eos"), eos.Format()},
		{"eos", "trident2", on("trident2", "eos"), eos.Format()},
		{"eos", "jericho2", on("jericho2", "eos"), eos.Format()},
		{"openconfig", "generic", on("tomahawk5", "openconfig"), openconfig.Format()},
		{"openconfig", "EOS", on("tomahawk5", "eos"), openconfig.Format()},
		{"nvue", "spectrum4", onSpectrum("spectrum4"), nvue.Format()},
		{"nvue", "spectrum3", onSpectrum("spectrum3"), nvue.Format()},
		{"junos", "QFX5240", onQFX, junos.Format()},
		{"srlinux", "7220 IXR-H5", onIXR, srlinux.Format()},
	}
	for _, s := range ofRows() {
		for _, chip := range s.Subjects {
			all = append(all, subject{s.Name, chip, onRows(s, chip), system.Format(s)})
		}
	}
	return all
}

// onRows makes a switch of a system that rows describe entirely.
func onRows(of format.System, chip string) func(*plan.Switch) {
	return func(s *plan.Switch) {
		s.Chip, s.OS = chip, of.OS
		for i := range s.Ports {
			s.Ports[i].Name = fmt.Sprintf(of.Port, i+1)
		}
	}
}

// onSpectrum makes a switch of Cumulus Linux, which has names of its own for ports.
func onSpectrum(chip string) func(*plan.Switch) {
	return func(s *plan.Switch) {
		s.Chip, s.OS = chip, "cumulus"
		for i := range s.Ports {
			s.Ports[i].Name = fmt.Sprintf("swp%d", i+1)
		}
	}
}

// onQFX makes a switch of Junos Evolved, which has names of its own for ports.
func onQFX(s *plan.Switch) {
	s.Chip, s.OS = "tomahawk5", "junos"
	for i := range s.Ports {
		s.Ports[i].Name = fmt.Sprintf("et-0/0/%d", i)
	}
}

// onIXR makes a switch of SR Linux, which has names of its own for ports.
func onIXR(s *plan.Switch) {
	s.Chip, s.OS = "tomahawk5", "srlinux"
	for i := range s.Ports {
		s.Ports[i].Name = fmt.Sprintf("ethernet-1/%d", i+1)
	}
}

// tryOut compiles a plan for the subject's target, reads it back, and reports whether what
// is held of the intent is what the plan says. New are the findings that the plan
// without the intent does not cause.
func (s subject) tryOut(t *testing.T, c intentCase, need func(*plan.Switch)) (carried bool, fresh diag.List) {
	without, with := s.plan(c.given), s.plan(c.given, need)
	if cmp.Equal(c.held(without), c.held(with)) {
		t.Errorf("%s: the plan that needs it is as the plan that does not", c.intent)
	}
	_, before := s.emit(without)
	text, found := s.emit(with)
	for _, d := range found {
		if !slices.ContainsFunc(before, func(b diag.Diagnostic) bool { return b.Code == d.Code && b.Message == d.Message }) {
			fresh = append(fresh, d)
		}
	}
	if text == nil {
		return false, fresh
	}
	got, list := readtest.Switch(s.format, "read back", text)
	if list.HasErrors() {
		t.Fatalf("%s on %s %s: what was written cannot be read: %v", c.intent, s.target, s.name, list)
	}
	return cmp.Equal(c.held(with), c.held(got)), fresh
}

func (s subject) emit(sw *plan.Switch) ([]byte, diag.List) {
	all := targets()
	t := all[slices.IndexFunc(all, func(t emit.Target) bool { return t.Name == s.target })]
	files, found := t.Forms[0].Emit(sw)
	if found.HasErrors() {
		return nil, found
	}
	return files[0].Body.AppendFor(nil, sw.Names[0]), found
}

// plan makes the subject's plan and lets it need more.
func (s subject) plan(needs ...func(*plan.Switch)) *plan.Switch {
	sw := bare()
	s.change(sw)
	for _, need := range needs {
		if need != nil {
			need(sw)
		}
	}
	return sw
}

// The matrix says what is: for every target and intent, a plan that needs the intent is
// compiled on every subject of the target. Where the matrix says yes, the intent comes
// back from the files, and nothing is said of it; where no, it does not, and a finding
// with the declared code says so; where part, both occur.
func TestMatrixIsTrue(t *testing.T) {
	for _, target := range targets() {
		if len(target.Can) != len(emit.Intents()) {
			t.Errorf("%s says something of %d intents, and there are %d", target.Name, len(target.Can), len(emit.Intents()))
		}
		for i, c := range intentCases() {
			if target.Can[i].Intent != c.intent {
				t.Fatalf("%s: intent %d is %s, and the case is of %s", target.Name, i, target.Can[i].Intent, c.intent)
			}
			t.Run(target.Name+"/"+string(c.intent), func(t *testing.T) { tryCell(t, target, target.Can[i], c) })
		}
	}
}

func tryCell(t *testing.T, target emit.Target, can emit.Capability, c intentCase) {
	if !slices.ContainsFunc(subjects(), func(s subject) bool { return s.target == target.Name }) {
		t.Fatalf("no plan in subjects is for %s, so that nothing holds its matrix", target.Name)
	}
	var carried, lost []string
	shown := map[diag.Code]bool{}
	for _, s := range subjects() {
		if s.target != target.Name {
			continue
		}
		for i, need := range c.needs {
			where := fmt.Sprintf("%s, need %d", s.name, i+1)
			ok, fresh := s.tryOut(t, c, need)
			told := false
			for _, d := range fresh {
				shown[d.Code] = true
				told = told || slices.Contains(can.Codes, d.Code)
			}
			if !ok && !told {
				t.Errorf("%s: it is lost without a finding of %v; found %v", where, can.Codes, fresh)
			}
			if ok && !told {
				carried = append(carried, where)
			} else {
				lost = append(lost, where)
			}
		}
	}
	is := emit.Part
	switch {
	case lost == nil:
		is = emit.Yes
	case carried == nil:
		is = emit.No
	}
	if is != can.Support {
		t.Errorf("the matrix says %v, and it is %v: carried on %s; lost on %s", can.Support, is, strings.Join(carried, "; "), strings.Join(lost, "; "))
	}
	for _, code := range can.Codes {
		if !shown[code] {
			t.Errorf("no plan showed the code %s", code)
		}
	}
	if can.Evidence == "" || can.Support == emit.Part && can.Note == "" {
		t.Error("a cell without evidence, or a part without a word on which part")
	}
}

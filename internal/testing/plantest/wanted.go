package plantest

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/roceplan/roceplan/diag"
	"github.com/roceplan/roceplan/emit"
	"github.com/roceplan/roceplan/plan"
	"github.com/roceplan/roceplan/units"
)

// Wants checks what a form says of a switch with one change: each of has is in one of its lines, or
// of its findings as "error CODE: MESSAGE", or is in a repair; none of not is. Both are written by hand, from a
// source or from arithmetic.
func Wants(t *testing.T, form emit.Form, sw *plan.Switch, name string, change func(*plan.Switch), has, not []string) {
	t.Helper()
	change(sw)
	files, found := form.Emit(sw)
	lines := told(files, found)
	for _, d := range found {
		lines = append(lines, "fix: "+d.Fix)
	}
	in := func(text string) bool {
		return slices.ContainsFunc(lines, func(line string) bool { return strings.Contains(line, text) })
	}
	for _, text := range has {
		if !in(text) {
			t.Errorf("%s: %s does not say %q:\n%s", name, form.Name, text, strings.Join(lines, "\n"))
		}
	}
	for _, text := range not {
		if in(text) {
			t.Errorf("%s: %s says %q:\n%s", name, form.Name, text, strings.Join(lines, "\n"))
		}
	}
}

// A Fault is a change that a target does not carry as it is.
type Fault[S any] = struct {
	Name   string
	Change func(*S)
}

// Trimming makes switches trim packets; SentBack gives them a tunnel and a port of its own code points.
func Trimming(s *plan.Switch) {
	s.Trim = &plan.Trim{Size: plan.Of(units.Bytes(2000), nil), DSCP: 48, TC: 6, Queue: 6}
}

func SentBack(s *plan.Switch) {
	s.Tunnel = &plan.Tunnel{Name: "MuxTunnel0"}
	s.Ports[0].QoS.DSCPToTC = &[64]uint8{8: 1}
}

// Findings returns the findings of a device with each fault alone, for a golden file. There are
// files, or else errors.
func Findings[S any](t *testing.T, device func() *S, write func(*S) ([]emit.File, diag.List), faults []Fault[S]) string {
	t.Helper()
	var got strings.Builder
	for _, f := range faults {
		d := device()
		f.Change(d)
		files, found := write(d)
		if found.HasErrors() != (files == nil) {
			t.Errorf("%s: files and errors at once, or neither", f.Name)
		}
		fmt.Fprintf(&got, "# %s\n", f.Name)
		if err := (diag.Text{}).Write(&got, found); err != nil {
			t.Fatal(err)
		}
		got.WriteByte('\n')
	}
	return got.String()
}

// NoChangeOfWhatCannotBeTold checks that a change from or to a switch with a chip that a target does not have
// writes nothing and says so, and that one to the same switch writes nothing and finds what emit finds.
func NoChangeOfWhatCannotBeTold(t *testing.T, leaf func() *plan.Switch, emit func(*plan.Switch) ([]emit.File, diag.List), change func(from, to *plan.Switch) ([]emit.File, diag.List)) {
	t.Helper()
	bad := leaf()
	bad.Chip = "spectrum4"
	for _, c := range []struct {
		from, to *plan.Switch
		errors   bool
	}{{bad, leaf(), true}, {leaf(), bad, true}, {leaf(), leaf(), false}} {
		_, usual := emit(c.to)
		if files, found := change(c.from, c.to); len(files) > 0 || found.HasErrors() != c.errors || !c.errors && len(found) != len(usual) {
			t.Errorf("%d files, found %v", len(files), found)
		}
	}
}

// Written returns a form's output for a switch: findings, then lines.
func Written(form emit.Form, sw *plan.Switch) []string { return told(form.Emit(sw)) }

func told(files []emit.File, found diag.List) (lines []string) {
	for _, d := range found.Sorted() {
		kind := "warning"
		if d.Severity == diag.Error {
			kind = "error"
		}
		lines = append(lines, fmt.Sprintf("%s %s: %s", kind, d.Code, d.Message))
	}
	for _, f := range files {
		for line := range strings.Lines(string(f.Body.AppendFor(nil, "device"))) {
			lines = append(lines, strings.TrimSpace(line))
		}
	}
	return lines
}

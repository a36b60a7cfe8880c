package main

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/roceplan/roceplan/diag"
)

// Warnings are joined where they are one list, and neither where they begin otherwise nor where another change repairs
// them.
func TestFolded(t *testing.T) {
	at := func(line int) diag.Range {
		r := diag.Range{Filename: "fabric.hcl"}
		r.Start.Line = line
		return r
	}
	warn := func(line int, code diag.Code, message, fix string) diag.Diagnostic {
		return diag.Diagnostic{Severity: diag.Warning, Code: code, Subject: at(line), Message: message, Fix: fix}
	}
	fault := diag.Diagnostic{Code: "eos-name", Subject: at(2), Message: "no name"}
	got := folded(diag.List{
		fault, fault,
		warn(3, "openconfig-lost", "OpenConfig cannot carry PFC", "use EOS"),
		warn(3, "headroom-below-8023", "one", ""),
		warn(5, "openconfig-lost", "OpenConfig cannot carry the watchdog", "use EOS"),
		warn(5, "openconfig-lost", "OpenConfig cannot carry PFC", "use EOS"),
		warn(7, "openconfig-refused", "EOS refuses it", ""),
		warn(7, "openconfig-refused", "OpenConfig has no such leaf", ""),
		warn(8, "openconfig-refused", "EOS refuses it also", "leave it out"),
		warn(9, "headroom-below-8023", "two", ""),
	})
	want := diag.List{
		fault, fault,
		warn(3, "openconfig-lost", "OpenConfig cannot carry PFC; the watchdog (also of line 5)", "use EOS"),
		warn(3, "headroom-below-8023", "one", ""),
		warn(7, "openconfig-refused", "EOS refuses it", ""),
		warn(7, "openconfig-refused", "OpenConfig has no such leaf", ""),
		warn(8, "openconfig-refused", "EOS refuses it also", "leave it out"),
		warn(9, "headroom-below-8023", "two", ""),
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
}

// A switch block with a count makes a shape of each switch where cables differ: one line then
// says the same a hundred times.
func TestFoldedIsShort(t *testing.T) {
	var list diag.List
	for i := range 100 {
		d := list.Warnf("eos-device-decides", diag.Range{Filename: "fabric.hcl"}, "EOS sets a pool (%dB) itself", i)
		d.Subject.Start.Line = 27
	}
	for line := 30; line < 60; line++ {
		d := list.Warnf("eos-device-decides", diag.Range{Filename: "fabric.hcl"}, "EOS sets a pool (%dB) itself", line)
		d.Subject.Start.Line = line
	}
	got := folded(list)
	const want = "EOS sets a pool (0B) itself; (1B) itself; (2B) itself; (3B) itself; the same 96 more times with other numbers (also of line 30, 31, 32, 33 and 26 others)"
	if len(got) != 1 || got[0].Message != want {
		t.Errorf("%v", got)
	}
}

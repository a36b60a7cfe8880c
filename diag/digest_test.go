package diag_test

import (
	"fmt"
	"testing"

	"github.com/hashicorp/hcl/v2"

	"github.com/roceplan/roceplan/diag"
)

func place(file string, line int) diag.Range {
	at := hcl.Pos{Line: line, Column: 1, Byte: 10 * line}
	return diag.Range{Filename: file, Start: at, End: at}
}

// What differs by names and numbers is told once, with the places of the others.
func TestDigestGroups(t *testing.T) {
	var l diag.List
	l.Errorf("nic-speed", place("a.hcl", 2), "nic cx5 has no ports of 30Gbps")
	l.Errorf("nic-speed", place("a.hcl", 7), "nic cx6 has no ports of 70Gbps")
	l.Errorf("nic-speed", place("a.hcl", 9), "nic cx6 has no ports of 90Gbps")
	l.Errorf("unknown-name", place("a.hcl", 3), `there is no class "rmda"`)
	l.Errorf("unknown-name", place("a.hcl", 4), `there is no class "rest-of"`)
	l.Warnf("headroom", place("a.hcl", 5), `group "x" needs 5 cells`)
	got := diag.ErrorsFirst(l, 20)
	for i, want := range []string{
		"nic cx5 has no ports of 30Gbps (and 2 more like this, also in lines 7 and 9)",
		`there is no class "rmda"`, `there is no class "rest-of"`, // each is fixed by itself
	} {
		if i >= len(got.Shown) || got.Shown[i].Message != want {
			t.Fatalf("%d is not %q: %v", i, want, got.Shown)
		}
	}
	if len(got.Shown) != 3 || got.Withheld() != "1 warning is not shown" {
		t.Errorf("%d findings, %q", len(got.Shown), got.Withheld())
	}
	var w diag.List
	w.Warnf("headroom", place("a.hcl", 5), `group "x" needs 5 cells`)
	w.Warnf("headroom", place("a.hcl", 5), `group "x" needs 6 cells`)
	if got := diag.ErrorsFirst(w, 20); got.Shown[0].Message != `group "x" needs 5 cells (and 1 more like this here)` || got.Withheld() != "" {
		t.Errorf("%q, %q", got.Shown[0].Message, got.Withheld())
	}
	w.Warnf("headroom", place("b.hcl", 5), `group "y" needs 6 cells`)
	if got := diag.NewDigest(w, 20); got.Shown[0].Message != `group "x" needs 5 cells (and 2 more like this, also in b.hcl)` {
		t.Errorf("%q", got.Shown[0].Message)
	}
}

// A person gets no more than asked for, and is told how many there are.
func TestDigestCounts(t *testing.T) {
	var l diag.List
	for i := range 30 {
		l.Errorf(diag.Code(fmt.Sprintf("kind-%02d", i)), place("a.hcl", i+1), "wrong")
		l.Warnf(diag.Code(fmt.Sprintf("other-%02d", i)), place("a.hcl", i+1), "odd")
	}
	if got := diag.ErrorsFirst(l, 20); len(got.Shown) != 20 || got.Withheld() != "10 errors and 30 warnings are not shown" {
		t.Errorf("%d findings, %q", len(got.Shown), got.Withheld())
	}
	if got := diag.NewDigest(l, 20); len(got.Shown) != 20 || got.Withheld() != "20 errors and 20 warnings are not shown" {
		t.Errorf("%d findings, %q", len(got.Shown), got.Withheld())
	}
}

package lint

import (
	"fmt"
	"testing"

	"github.com/roceplan/roceplan/diag"
)

// A profile that several kinds of ports share is found fault with once, and all of them are named, a
// few at most. What has no place is not joined.
func TestOneFindingOfASharedProfile(t *testing.T) {
	at := func(line int) (r diag.Range) {
		r.Filename, r.Start.Line, r.Start.Byte = "config_db.json", line, line
		return r
	}
	of := func(line int, ports ...string) (list diag.List) {
		for _, p := range ports {
			list.Warnf(WeightZero, at(line), "queue 3 of %s has weight 0", p)
		}
		return list
	}
	for _, c := range []struct {
		found diag.List
		want  []string
	}{
		{of(1, "a"), []string{"queue 3 of a has weight 0"}},
		{of(1, "a", "a"), []string{"queue 3 of a has weight 0"}},
		{append(of(1, "a"), of(2, "b")...), []string{"queue 3 of a has weight 0", "queue 3 of b has weight 0"}},
		{of(1, "b and 3 more ports", "a"), []string{"queue 3 of a has weight 0; the same with b and 3 more ports"}},
		{of(1, "a", "b", "c", "d", "b"), []string{"queue 3 of a has weight 0; the same with b, c, d"}},
		{of(1, "a", "b", "c", "d", "e"), []string{"queue 3 of a has weight 0; the same with b, c, d and 1 more"}},
		{append(of(1, "a"), diag.Diagnostic{Code: PmaxZero, Subject: at(1), Message: "queue 3 of b has weight 0"}), []string{"queue 3 of b has weight 0", "queue 3 of a has weight 0"}},
		{diag.List{{Code: PmaxZero, Message: "of a"}, {Code: PmaxZero, Message: "of b"}}, []string{"of a", "of b"}},
		{diag.List{{Code: PmaxZero, Subject: at(1), Message: "of a, b: c"}, {Code: PmaxZero, Subject: at(1), Message: "of d, b: c"}, {Code: PmaxZero, Subject: at(1), Message: "of d, e: c"}}, []string{"of a, b: c; the same with d, d, e"}},
		{diag.List{{Code: PmaxZero, Subject: at(1), Message: "a of 1 leads to b, and a is odd"}, {Code: PmaxZero, Subject: at(1), Message: "c of 1 leads to d, and c is odd"}}, []string{"a of 1 leads to b, and a is odd; the same with c and d"}},
		// Nothing else than a word more, before or behind.
		{diag.List{{Code: PmaxZero, Subject: at(1), Message: "of a"}, {Code: PmaxZero, Subject: at(1), Message: "of a b"}}, []string{"of a; the same with b"}},
		{diag.List{{Code: PmaxZero, Subject: at(1), Message: "a a"}, {Code: PmaxZero, Subject: at(1), Message: "a a a"}}, []string{"a a; the same with a"}},
	} {
		var got []string
		for _, d := range once(c.found) {
			got = append(got, d.Message)
		}
		if fmt.Sprint(got) != fmt.Sprint(c.want) {
			t.Errorf("%v: %q, want %q", c.found, got, c.want)
		}
	}
}

// Findings of one code at one place are one if they differ in their ports, and two if they say different things.
func TestOnceKeepsOtherSentences(t *testing.T) {
	at := diag.Top("a")
	var found diag.List
	for _, m := range []string{"queue 3 of Ethernet0 has a reserve of 0B, but in the fabric 1B", "queue 3 of Ethernet4 has a reserve of 0B, but in the fabric 1B", "queue 3 of Ethernet0 is limited by 0B, but in the fabric by 1B"} {
		found.Errorf(FabricThresholdDiffers, at, "%s", m)
	}
	got := once(found)
	if len(got) != 2 || got[0].Message != "queue 3 of Ethernet0 has a reserve of 0B, but in the fabric 1B; the same with Ethernet4" || got[1].Message != "queue 3 of Ethernet0 is limited by 0B, but in the fabric by 1B" {
		t.Errorf("%v", got)
	}
}

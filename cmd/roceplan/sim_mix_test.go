package main

import (
	"slices"
	"strings"
	"testing"

	"github.com/hashicorp/hcl/v2"
	"github.com/roceplan/roceplan/model/sim/pattern"
	"github.com/roceplan/roceplan/policy"
	"github.com/roceplan/roceplan/units"
)

// Where a run loses lossless packets, what the fabric declares of their sizes is named; else not.
func TestMixNote(t *testing.T) {
	half := &policy.Fabric{}
	half.SmallPackets = policy.Opt[units.Ratio]{Value: 50 * units.Percent, Set: true, Range: hcl.Range{Filename: "f.hcl", Start: hcl.Pos{Line: 10, Column: 3}, End: hcl.Pos{Line: 10, Column: 9}}}
	anyMix := &policy.Fabric{}
	anyMix.SmallPackets = policy.Opt[units.Ratio]{Value: units.One, Set: true}
	fine, lost := pattern.Outcome{Pattern: "incast-8"}, pattern.Outcome{Pattern: "hadoop-70", LosslessDrops: 1}
	for _, c := range []struct {
		name     string
		f        *policy.Fabric
		outcomes []pattern.Outcome
		want     []string
	}{
		{"nothing is declared", &policy.Fabric{}, []pattern.Outcome{lost}, nil},
		{"any mix is declared", anyMix, []pattern.Outcome{lost}, nil},
		{"nothing is lost", half, []pattern.Outcome{fine}, nil},
		{"the second run loses", half, []pattern.Outcome{fine, lost}, []string{"hadoop-70 lost", "at most 50% of the packets", "f.hcl:10"}},
	} {
		got := mixNote(c.f, c.outcomes)
		if len(c.want) == 0 && len(got) > 0 || len(c.want) > 0 && len(got) != 1 {
			t.Errorf("%s: %q", c.name, got)
			continue
		}
		if missing := slices.IndexFunc(c.want, func(w string) bool { return !strings.Contains(got[0], w) }); missing >= 0 {
			t.Errorf("%s: %q does not say %q", c.name, got[0], c.want[missing])
		}
	}
}

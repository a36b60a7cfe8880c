package main

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"github.com/hashicorp/hcl/v2"

	"github.com/roceplan/roceplan"
	"github.com/roceplan/roceplan/model/sim/pattern"
	"github.com/roceplan/roceplan/policy"
	"github.com/roceplan/roceplan/units"
)

// What takes longer than about a minute is cut to a part, and the first note says so. 512 hosts at 400G send 154 GB in 6 ms,
// in 36.8 million packets of 4,178 B with gap; with as many acknowledgements over four links that is 294 million
// packet-hops of a scenario. Six are 1,765 million: sixteen hosts of each of the eight leaves are a quarter of it.
func TestPartOfFabric(t *testing.T) {
	long := 6 * units.Millisecond
	all := []string{"permutation", "neighbours", "opposite", "incast-2", "incast-4", "incast-8"}
	for _, c := range []struct {
		cmd        simCmd
		note       string
		hosts      int
		notPrinted string
	}{
		{cmd: ofPod(all, nil), hosts: 128, note: "a part is simulated, which takes about a minute: 128 of 512 hosts (--size 16x16), about 441 of 1764 million packet-hops; --size all runs the whole"},
		{cmd: ofPod(all[:3], nil), hosts: 512, notPrinted: "a part"},
		{cmd: ofPod(all, &cutSize{8, 64}), hosts: 512, notPrinted: "a part"},
	} {
		c.cmd.Time = &long
		l, err := c.cmd.load(nil, c.cmd.Files)
		check(t, err)
		run, err := c.cmd.prepare(l, false)
		check(t, err)
		if run.Hosts != c.hosts || c.note != "" && run.Notes[0] != c.note || c.notPrinted != "" && strings.HasPrefix(run.Notes[0], c.notPrinted) {
			t.Errorf("%d hosts: %q, want %d: %q", run.Hosts, run.Notes[0], c.hosts, c.note)
		}
	}
}

// If a part is run by packets, the whole is run as flows too, except for scenarios that flows do not model, and unless there are too
// many messages.
func TestWholeBesidePart(t *testing.T) {
	long, count := 6*units.Millisecond, func(run *roceplan.Simulation) (flows int) {
		for i := range run.Jobs {
			if run.Jobs[i].Fluid {
				flows++
			}
		}
		return flows
	}
	for _, c := range []struct {
		patterns     []string
		fidelity     string
		flows, hosts int
		note         string
	}{
		{[]string{"permutation", "neighbours", "opposite", "incast-2", "incast-4", "link-failure-down"}, "auto", 5, 512, "the whole of 512 hosts is also run as flows, only for times: no goal is judged; --fidelity packet omits this run"},
		{[]string{"permutation", "neighbours", "opposite", "incast-2", "incast-4", "all-to-all-16kb"}, "auto", 0, 0, "--fidelity fluid runs the whole of 512 hosts as flows, about "},
		{[]string{"permutation", "neighbours", "opposite", "incast-2", "incast-4", "incast-8"}, "packet", 0, 0, "switches are simulated"},
	} {
		cmd := ofPod(c.patterns, nil)
		cmd.Time, cmd.Fidelity = &long, c.fidelity
		l, err := cmd.load(nil, cmd.Files)
		check(t, err)
		run, err := cmd.prepare(l, false)
		check(t, err)
		if n := count(run); n != c.flows || !strings.HasPrefix(run.Notes[0], "a part is simulated") || !strings.HasPrefix(run.Notes[1], c.note) {
			t.Errorf("%v: %d fluid runs, %q", c.patterns, n, run.Notes[:2])
		}
		if last := run.Jobs[len(run.Jobs)-1]; last.Fluid && len(last.Network.Hosts) != c.hosts {
			t.Errorf("%d hosts", len(last.Network.Hosts))
		}
	}
}

// ofPod runs scenarios on the pod of 512 GPUs.
func ofPod(patterns []string, size *cutSize) (c simCmd) {
	c.Files, c.Pattern = []string{"../../examples/tomahawk5-ai-pod/fabric.hcl"}, patterns
	if size != nil {
		c.Size = *size
	}
	return c
}

// Of the whole library a part of 64 hosts is run, since one of 128 is too much, and of a hundred seeds of it half a
// millisecond of each scenario on the smallest.
func TestSmallestPart(t *testing.T) {
	c := ofPod(nil, nil)
	l, err := c.load(nil, c.Files)
	check(t, err)
	run, err := c.prepare(l, false)
	check(t, err)
	if hops := roceplan.PacketHops(run.Jobs); hops > mostHops || !strings.HasPrefix(run.Notes[0], "a part is simulated, which takes about a minute: 64 of 512 hosts (--size 4x16), about ") {
		t.Errorf("%d packet-hops: %s", hops, run.Notes[0])
	}
	hundred := 100
	c.Size, c.Seeds = cutSize{}, &hundred
	run, err = c.prepare(l, false)
	check(t, err)
	for i := range run.Jobs {
		if run.Jobs[i].Scenario.Time > roceplan.Shortest {
			t.Fatalf("%s runs for %v", run.Jobs[i].Scenario.Name, run.Jobs[i].Scenario.Time)
		}
	}
	if want := "16 of 512 hosts (--size 4x4) and 500us of each scenario that is longer, about "; !strings.Contains(run.Notes[0], want) || !strings.HasSuffix(run.Notes[0], "; --size all or --time runs the whole") {
		t.Errorf("%q, want %q", run.Notes[0], want)
	}
}

// The note is the first line, and what is small or was asked for is not cut.
func TestPartIsTold(t *testing.T) {
	sim := func(args ...string) (code int, stdout, stderr string) {
		var out, bad bytes.Buffer
		code = run(append([]string{"sim", "../../examples/ucloud-pod/fabric.hcl"}, args...), nil, &out, &bad, func(string) string { return "" })
		return code, out.String(), bad.String()
	}
	code, stdout, stderr := sim("--pattern", "neighbours", "--time", "1us")
	if code != exitFine || strings.Contains(stdout, "cut to") || !strings.Contains(stdout, "neighbours  1     512 ") {
		t.Errorf("exit code %d: %s\n%s", code, stdout, stderr)
	}
	code, stdout, stderr = sim("--pattern", "neighbours", "--time", "1us", "--size", "4x16")
	if code != exitFine || !strings.Contains(stdout, "note: cut to 64 of 512 hosts") {
		t.Errorf("exit code %d: %s\n%s", code, stdout, stderr)
	}
}

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

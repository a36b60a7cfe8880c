package main

import (
	"cmp"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"

	"github.com/roceplan/roceplan/chips"
	"github.com/roceplan/roceplan/diag"
	"github.com/roceplan/roceplan/diff"
	"github.com/roceplan/roceplan/internal/natural"
	"github.com/roceplan/roceplan/internal/plantest"
	"github.com/roceplan/roceplan/plan"
	"github.com/roceplan/roceplan/policy"
)

// An edit of a fabric's text. Its pattern must be there.
type textEdit struct{ pattern, text string }

// A yearOf is a fabric and how the changes that a year brings are written in it.
type yearOf struct {
	system, text string
	rack         []textEdit // nil: fewer says it
	cables       []textEdit
	dscp         []textEdit
	nic          []textEdit
	fewer        string
}

// rolloutPod is two leaves over two ToRs on boxes of 32 ports.
const rolloutPod = `
fabric "pod" {
  mtu             = "9216B"
  lossless_frame  = "4200B"
  expected_delay  = "40us"
  tolerable_delay = "80us"
}

traffic_class "rdma" {
  dscp               = [26]
  queue              = 3
  pfc                = 3
  weight             = 60
  congestion_control = dcqcn
}

traffic_class "rest" {
  dscp   = rest
  queue  = 0
  weight = 40
}

nic "cx" {
  model    = "connectx-5"
  roce_mtu = "4096B"
}

switch "tor-[1..2]" {
  chip  = "trident3"
  os    = sonic
  hwsku = "Arista-7050CX3-32S-C32"
  role  = "tor"

  port_group "servers" {
    ports      = "Ethernet[32..60/4]"
    speed      = "100Gbps"
    lanes      = 4
    first_lane = 33
    cable      = "5m"
    medium     = dac
    peer       = nic.cx
  }

  port_group "uplinks" {
    ports      = "Ethernet[0..4/4]"
    speed      = "100Gbps"
    lanes      = 4
    first_lane = 1
    cable      = "40m"
    medium     = fiber
    peer       = switch.leaf
  }
}

switch "leaf-[1..2]" {
  chip  = "trident3"
  os    = sonic
  hwsku = "Arista-7050CX3-32S-C32"
  role  = "leaf"

  port_group "tors" {
    ports      = "Ethernet[0..4/4]"
    speed      = "100Gbps"
    lanes      = 4
    first_lane = 1
    cable      = "40m"
    medium     = fiber
    peer       = switch.tor
  }
}

clos "pod" {
  lower          = switch.tor
  upper          = switch.leaf
  lower_ports    = "uplinks"
  upper_ports    = "tors"
  links_per_pair = 1
}
`

// podYear is the year of the pod on boxes of a HwSKU.
func podYear(system, hwsku string) yearOf {
	return yearOf{system, strings.ReplaceAll(rolloutPod, "Arista-7050CX3-32S-C32", hwsku),
		[]textEdit{{`tor-\[1\.\.2\]`, `tor-[1..3]`}, {`(port_group "tors" \{\n +ports +=) "Ethernet\[0\.\.4/4\]"`, `$1 "Ethernet[0..8/4]"`}},
		[]textEdit{{`"40m"`, `"60m"`}}, []textEdit{{`\[26\]`, `[24]`}}, []textEdit{{`connectx-5`, `connectx-6`}}, ""}
}

// exampleYear is the year of an example. For a fabric without room it begins with fewer switches
// or ports, and the example is what it grows to.
func exampleYear(t *testing.T, system, example string, nics [2]string, fewer ...textEdit) yearOf {
	text, err := os.ReadFile(filepath.Join("../../examples", example, "fabric.hcl"))
	check(t, err)
	y := yearOf{system, string(text), nil, []textEdit{{`"40m"`, `"60m"`}}, []textEdit{{`\[26\]`, `[24]`}}, []textEdit{{nics[0], nics[1]}}, ""}
	y.fewer = edited(t, y.text, fewer)
	return y
}

// years has a fabric for each system, of SONiC one whose box the updater knows and one that it does
// not.
func years(t *testing.T) []yearOf {
	return []yearOf{
		podYear("sonic, HwSKU known to the updater", "Arista-7050CX3-32S-C32"),
		podYear("sonic, HwSKU not known to the updater", "DellEMC-S5232f-C32"),
		exampleYear(t, "eos and openconfig", "tomahawk-eos-pod", [2]string{"connectx-5", "connectx-6"}, textEdit{`leaf-\[1\.\.4\]`, `leaf-[1..3]`}, textEdit{`Ethernet\[1\.\.16\]/1`, `Ethernet[1..12]/1`}),
		exampleYear(t, "cumulus", "cumulus-storage", [2]string{"connectx-6", "connectx-7"}, textEdit{`leaf-\[1\.\.4\]`, `leaf-[1..3]`}, textEdit{`swp\[1\.\.60\]`, `swp[1..45]`}),
		exampleYear(t, "junos", "junos-rail", [2]string{"connectx-7", "connectx-8"}, textEdit{`et-0/0/\[0\.\.7\]`, `et-0/0/[0..3]`}),
		exampleYear(t, "srlinux", "srlinux-rail", [2]string{"connectx-7", "connectx-8"}, textEdit{`ethernet-1/\[1\.\.8\]`, `ethernet-1/[1..4]`}),
	}
}

// edited is a text after edits.
func edited(t *testing.T, text string, edits []textEdit) string {
	t.Helper()
	for _, e := range edits {
		p := regexp.MustCompile(e.pattern)
		if !p.MatchString(text) {
			t.Fatalf("there is no %s", e.pattern)
		}
		text = p.ReplaceAllString(text, e.text)
	}
	return text
}

// changes are what a year brings, as the texts before and after.
func (y yearOf) changes(t *testing.T) (all []struct{ name, before, after string }) {
	text := y.text
	edited := func(edits ...textEdit) string { return edited(t, text, edits) }
	add := func(name, before, after string) {
		all = append(all, struct{ name, before, after string }{name, before, after})
	}
	fewer, more := y.fewer, text
	if y.rack != nil {
		fewer, more = text, edited(y.rack...)
	}
	add("add switches or ports", fewer, more)
	add("remove them", more, fewer)
	add("longer cables", text, edited(y.cables...))
	add("shorter cables", edited(y.cables...), text)
	add("next NIC", text, edited(y.nic...))
	const second = "traffic_class \"second\" {\n  dscp = [18]\n  queue = 4\n  pfc = 4\n  weight = 10\n  congestion_control = dcqcn\n}\n"
	rest := edited(textEdit{`(dscp +=) rest\n((?:.*\n)*?) +weight = (\d)0\n`, "$1 rest\n$2  weight = 10\n"})
	admitted := strings.Replace(rest, "marking {\n", "marking {\n  rule { dscp = 18 }\n", 1)
	add("second lossless class", rest, admitted+second)
	add("DSCP moves", text, edited(y.dscp...))
	add("alpha and curve", text, edited(textEdit{`congestion_control( +)= "?dcqcn"?`, "congestion_control = dcqcn\n  alpha = \"1/16\"\n  ecn {\n    kmin = \"40KB\"\n    kmax = \"80KB\"\n    pmax = \"10%\"\n  }"}))
	if strings.Contains(text, "pfc_watchdog") {
		add("watchdog", text, edited(textEdit{`restoration( +)= "400ms"`, `restoration$1= "600ms"`}))
	} else {
		add("watchdog", text, text+"pfc_watchdog {\n  detection = \"300ms\"\n  restoration = \"600ms\"\n  poll = \"100ms\"\n}\n")
	}
	if strings.HasPrefix(y.system, "sonic") {
		released := func(release string) string {
			return edited(textEdit{`os( +)= "?sonic"?`, "os$1= sonic\n  release = \"" + release + "\""})
		}
		add("release upgrade", released("202405"), released("202511"))
	}
	return all
}

// What the changes of a year ask of each system and release: how many steps, and which switches
// are drained. At most one change in ten may need a drain.
func TestYearOfRollouts(t *testing.T) {
	catalogue, _ := chips.Load()
	var out strings.Builder
	out.WriteString("# What the changes of a year ask: steps of the order, switches that change, on SONiC the files that\n# config apply-patch takes and those that go past it, and which switches are drained, and why. A system\n# that cannot have the change refuses it. Written by go test ./cmd/roceplan -run YearOfRollouts -update.\n")
	all, drained := 0, 0
	plans, wrong := map[string]*plan.Plan{}, map[string]string{}
	compiled := func(text string) *plan.Plan {
		if plans[text] == nil {
			var found diag.List
			_, plans[text], found = plantest.Compile(policy.Options{Files: []policy.Source{{Name: "fabric.hcl", Text: []byte(text)}}, Catalogue: catalogue})
			for _, d := range found {
				if d.Severity == diag.Error {
					wrong[text] = string(d.Code)
				}
			}
		}
		return plans[text]
	}
	for _, y := range years(t) {
		releases := []string{""}
		if strings.HasPrefix(y.system, "sonic") {
			releases = []string{"202405", "202505", "202511"}
		}
		changes := y.changes(t)
		for _, release := range releases {
			fmt.Fprintf(&out, "\n%s\n", strings.TrimSpace(y.system+" "+release))
			for _, c := range changes {
				before, after := compiled(c.before), compiled(c.after)
				if c.name != "release upgrade" {
					setRelease(before, release)
					setRelease(after, release)
				} else if release != "202405" {
					continue
				}
				if code := cmp.Or(wrong[c.before], wrong[c.after]); code != "" {
					fmt.Fprintf(&out, "  %-22s the system cannot: %s\n", c.name, code)
					continue
				}
				line, drains := rolledOut(t, catalogue, before, after)
				fmt.Fprintf(&out, "  %-22s %s\n", c.name, line)
				if strings.HasPrefix(line, noStep) {
					continue
				}
				all++
				if drains {
					drained++
				}
			}
		}
	}
	fmt.Fprintf(&out, "\n%d of %d changes need no drain\n", all-drained, all)
	if drained*10 > all {
		t.Errorf("%d of %d changes need a drain", drained, all)
	}
	const golden = "../../golden/rollouts.txt"
	if *update {
		check(t, os.WriteFile(golden, []byte(out.String()), 0o666))
	}
	want, err := os.ReadFile(golden)
	check(t, err)
	if d := gocmp.Diff(string(want), out.String()); d != "" {
		t.Errorf("%s differs; -update rewrites it (-golden +now):\n%s", golden, d)
	}
}

// noStep is said where a plan says nothing of a change, as of the upgrade of a release.
const noStep = "no difference, so no step"

// carried counts the steps on SONiC by who carries them out.
func (o *rolling) carried() (patches, past int) {
	step := regexp.MustCompile(`^[^/]+/[^/]+/\d\d-[^/]+\.(json|sh)$`)
	for _, f := range o.files {
		if m := step.FindStringSubmatch(f.Path); m != nil && m[1] == "json" {
			patches++
		} else if m != nil {
			past++
		}
	}
	return patches, past
}

func rolledOut(t *testing.T, catalogue *chips.Catalogue, before, after *plan.Plan) (line string, drains bool) {
	t.Helper()
	r := diff.Compare(before, after)
	o, err := newRolling(catalogue, before, after, r, 0)
	check(t, err)
	if o.found.HasErrors() {
		return fmt.Sprintf("refused: %s", o.found[0].Message), true
	}
	touched := map[string]bool{}
	for _, step := range r.Rollout.Steps {
		for _, told := range step.Told {
			for _, device := range told.Devices {
				touched[device] = true
			}
		}
	}
	if len(r.Rollout.Steps) == 0 {
		return noStep, false
	}
	line = fmt.Sprintf("%s, %d switches", natural.Count(len(r.Rollout.Steps), "step", "steps"), len(touched))
	if patches, past := o.carried(); patches+past > 0 {
		line += fmt.Sprintf(", %d patches, %d past the updater", patches, past)
	}
	for _, q := range r.Rollout.Quiet {
		line += fmt.Sprintf(", traffic with DSCP %v stops", q.DSCPs)
	}
	if _, drain, is := strings.Cut(o.waves.String(), "stay in service:\n"); is {
		return line + ", drained:" + strings.ReplaceAll(drain, "\n", "\n      "), true
	}
	return line + ", none drained", false
}

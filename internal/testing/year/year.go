// Package year has, for tests, a fabric for each system and the changes that a year brings to it.
package year

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/roceplan/roceplan/internal/testing/oracle"
)

// An Edit replaces a pattern in the text of a fabric, which must have it.
type Edit struct{ pattern, text string }

// A Year is a fabric and how the changes that a year brings are written in it.
type Year struct {
	System, Text string
	rack         []Edit
	cables       []Edit
	dscp         []Edit
	nic          []Edit
	fewer, more  string // empty: the text itself
}

// pod is two leaves over two ToRs on boxes of 32 ports.
const pod = `
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

// podYear returns the year of the pod on boxes of a HwSKU.
func podYear(system, hwsku string) Year {
	return Year{system, strings.ReplaceAll(pod, "Arista-7050CX3-32S-C32", hwsku),
		[]Edit{{`tor-\[1\.\.2\]`, `tor-[1..3]`}, {`(port_group "tors" \{\n +ports +=) "Ethernet\[0\.\.4/4\]"`, `$1 "Ethernet[0..8/4]"`}},
		[]Edit{{`"40m"`, `"60m"`}}, []Edit{{`\[26\]`, `[24]`}}, []Edit{{`connectx-5`, `connectx-6`}}, "", ""}
}

// Large returns the pod with 28 ToRs and two leaves.
func Large() Year {
	y := podYear("sonic, 30 switches", "Arista-7050CX3-32S-C32")
	y.Text = strings.Replace(strings.ReplaceAll(y.Text, "tor-[1..2]", "tor-[1..28]"), "port_group \"tors\" {\n    ports      = \"Ethernet[0..4/4]\"", "port_group \"tors\" {\n    ports      = \"Ethernet[0..108/4]\"", 1)
	y.rack = []Edit{{`tor-\[1\.\.28\]`, `tor-[1..29]`}, {`Ethernet\[0\.\.108/4\]`, `Ethernet[0..112/4]`}}
	return y
}

// exampleYear returns the year of an example. A fabric without room begins with fewer switches or ports,
// and grows to the example.
func exampleYear(t testing.TB, system, example string, nics [2]string, fewer ...Edit) Year {
	t.Helper()
	text, err := os.ReadFile(oracle.InModule("examples/" + example + "/fabric.hcl"))
	if err != nil {
		t.Fatal(err)
	}
	y := Year{system, string(text), nil, []Edit{{`"40m"`, `"60m"`}}, []Edit{{`\[26\]`, `[24]`}}, []Edit{{nics[0], nics[1]}}, "", ""}
	y.fewer = edited(t, y.Text, fewer)
	return y
}

// All has a fabric for each system, and two for SONiC: the updater knows the box of one and not that
// of the other.
func All(t testing.TB) []Year {
	eos := exampleYear(t, "eos and openconfig", "tomahawk-eos-pod", [2]string{"connectx-5", "connectx-6"}, Edit{`leaf-\[1\.\.4\]`, `leaf-[1..3]`}, Edit{`Ethernet\[1\.\.16\]/1`, `Ethernet[1..12]/1`})
	alone := eos
	alone.System, alone.Text, alone.fewer = "openconfig", openconfigAlone(eos.Text), openconfigAlone(eos.fewer)
	return []Year{
		podYear("sonic, HwSKU known to the updater", "Arista-7050CX3-32S-C32"),
		podYear("sonic, HwSKU not known to the updater", "DellEMC-S5232f-C32"),
		eos, alone,
		exampleYear(t, "cumulus", "cumulus-storage", [2]string{"connectx-6", "connectx-7"}, Edit{`leaf-\[1\.\.4\]`, `leaf-[1..3]`}, Edit{`swp\[1\.\.60\]`, `swp[1..45]`}),
		exampleYear(t, "junos", "junos-rail", [2]string{"connectx-7", "connectx-8"}, Edit{`et-0/0/\[0\.\.7\]`, `et-0/0/[0..3]`}),
		exampleYear(t, "srlinux", "srlinux-rail", [2]string{"connectx-7", "connectx-8"}, Edit{`ethernet-1/\[1\.\.8\]`, `ethernet-1/[1..4]`}),
	}
}

// A box describes a device of a system in a mixed fabric: its lines and its ports of 100G.
type box struct{ system, chip, ports string }

var boxes = []box{
	{"sonic", "trident3", "Ethernet[%d..%d/4]"},
	{"sonic", "spectrum2", "Ethernet[%d..%d/4]"},
	{"eos", "trident3", "Ethernet[%d..%d]/1"},
	{"openconfig", "trident3", "Ethernet1/[%d..%d]"},
	{"cumulus", "spectrum2", "swp[%d..%d]"},
	{"junos", "tomahawk3", "et-0/0/[%d..%d]"},
	{"srlinux", "trident4-x9", "ethernet-1/[%d..%d]"},
}

// begin returns the first line of a block of switches, and what they are.
func (b box) begin(name, role string, n int) string {
	return fmt.Sprintf("\nswitch \"%s[1..%d]\" {\n  chip = %q\n  os   = %s\n  role = %q\n", name, n, b.chip, b.system, role)
}

// group is a port group from the second port of a box on.
func (b box) group(name string, from, n int, cable, medium, peer string) string {
	ports, lanes := fmt.Sprintf(b.ports, from+1, from+n), ""
	if b.system == "sonic" {
		ports = fmt.Sprintf(b.ports, 4*(from+1), 4*(from+n))
		lanes = fmt.Sprintf("    lanes = 4\n    first_lane = %d\n", 4*(from+1)+1)
	}
	return fmt.Sprintf("\n  port_group %q {\n    ports = %q\n%s    speed = \"100Gbps\"\n    cable = %q\n    medium = %s\n    peer = %s\n  }\n", name, ports, lanes, cable, medium, peer)
}

// mixed begins a fabric; its switches follow.
const mixed = `fabric "mixed" {
  mtu            = "9216B"
  lossless_frame = "4200B"
  purpose        = training
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
  model    = "connectx-6"
  roce_mtu = "4096B"
}
`

// Mixed draws a fabric of leaves and spines, of so many switches about, whose systems are mixed.
func Mixed(r *rand.Rand, switches int) Year {
	leaves := make([]int, len(boxes)) // of each box
	spines := []int{r.IntN(len(boxes)), r.IntN(len(boxes))}
	slices.Sort(spines)
	spines = slices.Compact(spines)
	each := max(1, switches/8/len(spines)) // spines of a box
	for range max(2, switches-each*len(spines)) {
		leaves[r.IntN(len(boxes))]++
	}
	grown := r.IntN(len(boxes)) // a rack of this box is added
	for leaves[grown] == 0 {
		grown = (grown + 1) % len(boxes)
	}
	write := func(grown int) string {
		leaves := slices.Clone(leaves)
		if grown >= 0 {
			leaves[grown]++
		}
		return mixed + mixedSwitches(leaves, spines, each)
	}
	return Year{System: "mixed", Text: write(-1), more: write(grown), cables: []Edit{{`"40m"`, `"60m"`}}, dscp: []Edit{{`\[26\]`, `[24]`}}, nic: []Edit{{`connectx-6`, `connectx-7`}}}
}

// Pods is a fabric of pods of 32 switches below a core of four. A pod has four leaves of each box, and two spines
// of each of two.
func Pods(pods int) Year {
	const spine, core = "spine-%c-", 5
	of := fmt.Sprintf("[1..%d]-", pods)
	text, spines := mixed, []int{2, 5} // EOS and Junos
	for i, b := range boxes {
		text += b.begin(fmt.Sprintf("leaf-%c-", 'a'+i)+of, "leaf", 4) + b.group("servers", 0, 3, "3m", "dac", "nic.cx")
		for k, s := range spines {
			text += b.group(fmt.Sprintf("up%d", k), 8+2*k, 2, "40m", "fiber", fmt.Sprintf("switch.spine-%c", 'a'+s))
		}
		text += "}\n"
		for k, s := range spines {
			text += fmt.Sprintf("\nclos \"%c-%c\" {\n  count = %d\n  lower = \"leaf-%[1]c-${count.index + 1}-[1..4]\"\n  upper = \"spine-%[2]c-${count.index + 1}-[1..2]\"\n  lower_ports = \"up%[4]d\"\n  upper_ports = \"down%[5]d\"\n}\n", 'a'+i, 'a'+s, pods, k, i)
		}
	}
	for _, s := range spines {
		b := boxes[s]
		text += b.begin(fmt.Sprintf(spine, 'a'+s)+of, "spine", 2)
		for i := range boxes {
			text += b.group(fmt.Sprintf("down%d", i), 4*i, 4, "40m", "fiber", fmt.Sprintf("switch.leaf-%c", 'a'+i))
		}
		text += b.group("up", 28, 2, "40m", "fiber", fmt.Sprintf("switch.core-%c", 'a'+s)) + "}\n"
		text += fmt.Sprintf("\nclos \"%c-core\" {\n  lower = switch.spine-%[1]c\n  upper = switch.core-%[1]c\n  lower_ports = \"up\"\n  upper_ports = \"down\"\n}\n", 'a'+s)
		text += boxes[core].begin(fmt.Sprintf("core-%c-", 'a'+s), "core", 2) + boxes[core].group("down", 0, 2*pods, "40m", "fiber", fmt.Sprintf("switch.spine-%c", 'a'+s)) + "}\n"
	}
	return Year{System: "pods", Text: text, cables: []Edit{{`"40m"`, `"60m"`}}, dscp: []Edit{{`\[26\]`, `[24]`}}, nic: []Edit{{`connectx-6`, `connectx-7`}}}
}

// mixedSwitches are leaves of each box and so many spines of some boxes, each linked to each. Ports of spines
// leave room for one leaf more of each box.
func mixedSwitches(leaves, spines []int, each int) (text string) {
	for i, n := range leaves {
		if n == 0 {
			continue
		}
		text += boxes[i].begin(fmt.Sprintf("leaf-%c", 'a'+i), "leaf", n) + boxes[i].group("servers", 0, 3, "3m", "dac", "nic.cx")
		for k, s := range spines {
			text += boxes[i].group(fmt.Sprintf("up%d", k), 8+k*each, each, "40m", "fiber", fmt.Sprintf("switch.spine-%c", 'a'+s))
		}
		text += "}\n"
		for k, s := range spines {
			text += fmt.Sprintf("\nclos \"%c-%c\" {\n  lower = switch.leaf-%[1]c\n  upper = switch.spine-%[2]c\n  lower_ports = \"up%d\"\n  upper_ports = \"down%d\"\n  links_per_pair = 1\n}\n", 'a'+i, 'a'+s, k, i)
		}
	}
	for _, s := range spines {
		text += boxes[s].begin(fmt.Sprintf("spine-%c", 'a'+s), "spine", each)
		at := 0
		for i, n := range leaves {
			if n > 0 {
				text += boxes[s].group(fmt.Sprintf("down%d", i), at, n, "40m", "fiber", fmt.Sprintf("switch.leaf-%c", 'a'+i))
			}
			at += 8 + n/8*8
		}
		text += "}\n"
	}
	return text
}

// openconfigAlone is a fabric whose switches have OpenConfig's models alone.
func openconfigAlone(text string) string {
	return strings.NewReplacer(`os       = "eos"`, `os       = "openconfig"`, `targets  = ["eos", "openconfig"]`, `targets  = ["openconfig"]`).Replace(text)
}

// edited is a text after edits.
func edited(t testing.TB, text string, edits []Edit) string {
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

// A Change is a fabric before and after.
type Change struct{ Name, Before, After string }

// Changes returns the changes of a year, as the texts before and after.
func (y Year) Changes(t testing.TB) (all []Change) {
	text := y.Text
	edited := func(edits ...Edit) string { return edited(t, text, edits) }
	add := func(name, before, after string) {
		all = append(all, Change{name, before, after})
	}
	fewer, more := cmp.Or(y.fewer, text), cmp.Or(y.more, text)
	if y.rack != nil {
		more = edited(y.rack...)
	}
	add("add switches or ports", fewer, more)
	add("remove them", more, fewer)
	add("longer cables", text, edited(y.cables...))
	add("shorter cables", edited(y.cables...), text)
	add("next NIC", text, edited(y.nic...))
	const second = "traffic_class \"second\" {\n  dscp = [18]\n  queue = 4\n  pfc = 4\n  weight = 10\n  congestion_control = dcqcn\n}\n"
	rest := edited(Edit{`(dscp +=) rest\n((?:.*\n)*?) +weight = (\d)0\n`, "$1 rest\n$2  weight = 10\n"})
	admitted := strings.Replace(rest, "marking {\n", "marking {\n  rule { dscp = 18 }\n", 1)
	add("second lossless class", rest, admitted+second)
	add("DSCP moves", text, edited(y.dscp...))
	add("alpha and curve", text, edited(Edit{`congestion_control( +)= "?dcqcn"?`, "congestion_control = dcqcn\n  alpha = \"1/16\"\n  ecn {\n    kmin = \"40KB\"\n    kmax = \"80KB\"\n    pmax = \"10%\"\n  }"}))
	if strings.Contains(text, "pfc_watchdog") {
		add("watchdog", text, edited(Edit{`restoration( +)= "400ms"`, `restoration$1= "600ms"`}))
	} else {
		add("watchdog", text, text+"pfc_watchdog {\n  detection = \"300ms\"\n  restoration = \"600ms\"\n  poll = \"100ms\"\n}\n")
	}
	if strings.HasPrefix(y.System, "sonic") {
		released := func(release string) string {
			return edited(Edit{`os( +)= "?sonic"?`, "os$1= sonic\n  release = \"" + release + "\""})
		}
		add("release upgrade", released("202405"), released("202511"))
	}
	return all
}

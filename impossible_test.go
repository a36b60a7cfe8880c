package roceplan_test

import (
	"context"
	"slices"
	"strings"
	"testing"

	"github.com/roceplan/roceplan"
	"github.com/roceplan/roceplan/diag"
	"github.com/roceplan/roceplan/internal/testing/must"
)

// possible is a fabric of two tiers that can be built.
const possible = `fabric "pod" {
  mtu            = "9216B"
  lossless_frame = "4200B"
  targets {
    usual_latency = "40us"
  }
}
traffic_class "cnp" {
  dscp       = [48]
  queue      = 6
  scheduling = strict
  max_rate   = "2Gbps"
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
nic "gpu" {
  model = "connectx-7"
}
switch "leaf-[1..2]" {
  chip  = "tomahawk5"
  os    = "sonic"
  hwsku = "Arista-7060X6-64PE-B-O128"
  port_group "gpus" {
    ports  = "Ethernet[0..60/4]"
    speed  = "400Gbps"
    cable  = "3m"
    medium = dac
    peer   = nic.gpu
  }
  port_group "spines" {
    ports  = "Ethernet[256..284/4]"
    speed  = "400Gbps"
    cable  = "100m"
    medium = fiber
    peer   = switch.spine-1
  }
}
switch "spine-1" {
  chip = "tomahawk5"
  os   = "eos"
  port_group "leaves" {
    ports  = "Ethernet[1..8]/[1,5]"
    speed  = "400Gbps"
    cable  = "100m"
    medium = fiber
    peer   = switch.leaf
  }
}
`

// What cannot be built, or cannot be lossless, is refused at the line that says so: one of
// those that an edit writes.
func TestImpossible(t *testing.T) {
	for name, edit := range map[string][2]string{
		"76.8T on a chip of 51.2T":             {"\"Ethernet[1..8]/[1,5]\"\n    speed  = \"400Gbps\"", "\"Ethernet[1..96]/1\"\n    speed  = \"800Gbps\""},
		"four 400G ports on eight lanes":       {`"Ethernet[1..8]/[1,5]"`, `"Ethernet[1..4]/[1,3,5,7]"`},
		"a NIC of 100G on 400G":                {`model = "connectx-7"`, `model = "connectx-5"`},
		"500 m of direct-attach copper":        {`cable  = "3m"`, `cable  = "500m"`},
		"1.6T on a chip that has none":         {`speed  = "400Gbps"`, `speed  = "1.6Tbps"`},
		"a HwSKU of another chip":              {`hwsku = "Arista-7060X6-64PE-B-O128"`, `hwsku = "Arista-7050CX3-32S-C32"`},
		"a HwSKU that the platform lacks":      {`hwsku = "Arista-7060X6-64PE-B-O128"`, "platform = \"x86_64-nvidia_sn5600-r0\"\n  hwsku = \"Arista-7060X6-64PE-B-O128\""},
		"an optical cable of 2 km, active":     {"cable  = \"3m\"\n    medium = dac", "cable  = \"2km\"\n    medium = aoc"},
		"twisted pairs of 150 m":               {"cable  = \"3m\"\n    medium = dac", "cable  = \"150m\"\n    medium = copper"},
		"a speed that no Ethernet has":         {`speed  = "400Gbps"`, `speed  = "300Gbps"`},
		"a port beyond the box":                {`"Ethernet[0..60/4]"`, `"Ethernet[1024..1084/4]"`},
		"a name that no port of the box has":   {`"Ethernet[0..60/4]"`, `"Ethernet[1..61/4]"`},
		"a port twice":                         {`"Ethernet[256..284/4]"`, `"Ethernet[60..88/4]"`},
		"more senders than ports":              {`speed  = "400Gbps"`, "fan_in = 64\n    speed  = \"400Gbps\""},
		"a cable with two speeds":              {"\"Ethernet[1..8]/[1,5]\"\n    speed  = \"400Gbps\"", "\"Ethernet[1..8]/1\"\n    speed  = \"800Gbps\""},
		"a peer that is not there":             {`switch.spine-1`, `switch.core-1`},
		"a chip that is not made":              {`chip = "tomahawk5"`, `chip = "tomahawk9"`},
		"frames above what the NOS takes":      {`mtu            = "9216B"`, `mtu            = "16KiB"`},
		"lossless frames above the MTU":        {`lossless_frame = "4200B"`, `lossless_frame = "9400B"`},
		"packets above the lossless frame":     {`model = "connectx-7"`, "model = \"connectx-7\"\n  roce_mtu = \"8192B\""},
		"a queue that switches lack":           {`queue              = 3`, `queue              = 9`},
		"a priority that PFC lacks":            {`pfc                = 3`, `pfc                = 8`},
		"a code point of two classes":          {`dscp               = [26]`, `dscp               = [26, 48]`},
		"a strict queue that takes the port":   {`max_rate   = "2Gbps"`, `max_rate   = "400Gbps"`},
		"a shared queue without a weight":      {"\"rest\" {\n  dscp   = rest\n  queue  = 0\n  weight = 40\n", "\"rest\" {\n  dscp   = rest\n  queue  = 0\n"},
		"40 km of lossless fibre":              {"cable  = \"100m\"\n    medium = fiber\n    peer   = switch.spine-1", "cable  = \"40km\"\n    medium = fiber\n    peer   = switch.spine-1"},
		"latency below that of the path":       {`usual_latency = "40us"`, `usual_latency = "500ns"`},
		"Kmin above Kmax":                      {"congestion_control = dcqcn\n", "ecn {\n    kmin = \"900kB\"\n    kmax = \"100kB\"\n  }\n"},
		"thresholds finer than a cell":         {"congestion_control = dcqcn\n", "ecn {\n    kmin = \"10B\"\n    kmax = \"100kB\"\n  }\n"},
		"a lossless class without code points": {`dscp               = [26]`, `dscp               = []`},
		"a negative cable":                     {`cable  = "3m"`, `cable  = "-3m"`},
		"packets of a lossless class cut":      {"congestion_control = dcqcn\n", "trimming {\n    size = \"256B\"\n    dscp = 48\n  }\n"},
	} {
		t.Run(name, func(t *testing.T) {
			before, after, ok := strings.Cut(possible, edit[0])
			if !ok {
				t.Fatalf("the fabric has no %s", edit[0])
			}
			first, last := strings.Count(before, "\n")+1, strings.Count(before+edit[1], "\n")+1
			found := check(t, before+edit[1]+after)
			within := func(r diag.Range) bool { return r.Start.Line >= first && r.Start.Line <= last }
			at := func(d diag.Diagnostic) bool { // of two lines that contradict each other, one is a note
				return d.Severity == diag.Error && (within(d.Subject) || slices.ContainsFunc(d.Related, func(n diag.Note) bool { return within(n.Range) }))
			}
			if !slices.ContainsFunc(found, at) {
				t.Errorf("lines %d to %d are not refused: %v", first, last, found)
			}
		})
	}
}

// What nothing is written into is not refused.
func TestPossible(t *testing.T) {
	if found := check(t, possible); found.HasErrors() {
		t.Error(found)
	}
}

func check(t *testing.T, text string) diag.List {
	t.Helper()
	found := must.Get(roceplan.Check(context.Background(), roceplan.Load(roceplan.Input{Files: []roceplan.Source{{Name: "fabric.hcl", Text: []byte(text)}}})))(t)
	return found
}

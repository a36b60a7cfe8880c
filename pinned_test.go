package roceplan_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/roceplan/roceplan"
	"github.com/roceplan/roceplan/chips"
	"github.com/roceplan/roceplan/diag"
	"github.com/roceplan/roceplan/internal/testing/must"
	"github.com/roceplan/roceplan/plan"
)

const anyPins = `
fabric "pod" {
  mtu = "9216B"
}
traffic_class "rdma" {
  dscp   = [26]
  queue  = 3
  pfc    = 3
  weight = 50
}
traffic_class "rest" {
  dscp   = rest
  queue  = 0
  weight = 50
}
switch "leaf-1" {
  chip     = "%s"
  os       = "%s"
  %s
  port_group "hosts" {
    ports = %s
    speed = "100Gbps"
    cable = "5m"
    %s
  }
  pinned {
    %s
  }
}
`

// Whatever is pinned on whatever system, compile writes it or says at its line or at the block why it does not.
func TestEveryPinOnEverySystem(t *testing.T) {
	parts := map[string][]plan.Attribute{
		"": append(plan.PortAttributes(), plan.PhysicalAttributes()...), `priority_group "3"`: plan.PGAttributes(), `priority_group "5"`: plan.PGAttributes(),
		`queue "3"`: plan.QueueAttributes(), `queue "6"`: plan.QueueAttributes(), `pool "ingress_lossless_pool"`: plan.PoolAttributes(), `pool "other"`: plan.PoolAttributes(),
		`port_pool "other"`: plan.PortPoolAttributes(), "watchdog": plan.WatchdogAttributes(),
	}
	written := map[string]string{"bool": "true", "units.Bytes": `"254000B"`, "plan.Limit": `"508000B"`, "units.BitRate": `"8Gbps"`, "units.Time": `"600ms"`, "units.Ratio": `"7%"`,
		"int64": "7", "string": `"ingress_lossless_pool"`, "plan.WatchdogAction": "forward", "plan.Direction": "egress", "plan.Priorities": "[2, 3]", "plan.FEC": "fc",
		"plan.PerCent": "60", "plan.Rewrite": `{ "0-2" = 7, "3" = 26 }`, "plan.Levels": `"0% at 55%, 100% at 90%"`}
	c, _ := chips.Load()
	for _, system := range []struct{ os, chip, more, ports, lanes string }{
		{"sonic", "trident3", "", `"Ethernet[0,4]"`, "lanes = 4\nfirst_lane = 1"}, {"sonic", "spectrum4", "", `"Ethernet[0,4]"`, "lanes = 4\nfirst_lane = 1"},
		{"eos", "tomahawk4", "", `"Ethernet[1..2]/1"`, ""}, {"cumulus", "spectrum3", "", `"swp[1..2]"`, ""}, {"openconfig", "tomahawk3", "", `"Ethernet[1..2]"`, ""},
		{"junos", "tomahawk5", "", `"et-0/0/[1..2]"`, ""}, {"srlinux", "tomahawk4", "", `"ethernet-1/[1..2]"`, ""},
	} {
		compiles := 0
		for block, all := range parts {
			lines := []string{"configured = false"}
			if block == "" {
				lines = []string{"qos = false", `tc_to_pg = { "5" = 3 }`, `pfc_to_queue = { "3" = 15 }`}
			}
			for _, a := range all {
				if a.Pin != "" {
					lines = append(lines, a.Pin+" = "+written[fmt.Sprintf("%T", a.Zero)])
				}
			}
			for _, line := range lines {
				if block != "" {
					line = block + " {\n" + line + "\n}"
				}
				text := fmt.Sprintf(anyPins, system.chip, system.os, system.more, system.ports, system.lanes, line)
				f := roceplan.Load(roceplan.Input{Files: []roceplan.Source{{Name: "fabric.hcl", Text: []byte(text)}}, Catalogue: c})
				if found := f.Findings(); found.HasErrors() {
					t.Fatalf("%s: %v", line, found)
				}
				compiled, err := roceplan.Compile(t.Context(), f, roceplan.CompileOptions{})
				if err != nil {
					t.Errorf("%s: %s: %v", system.os, line, err)
					continue
				}
				if len(compiled.Shapes) > 0 {
					compiles++
				}
				for _, d := range compiled.Findings {
					if d.Severity == diag.Error && d.Subject.Filename != "fabric.hcl" {
						t.Errorf("%s: %s: %v", system.os, line, d)
					}
					if d.Severity == diag.Error && strings.Contains(d.Fix, "fault of the compiler") {
						t.Errorf("%s: %s is a fault of the compiler: %v", system.os, line, d)
					}
				}
			}
		}
		if compiles < 30 {
			t.Errorf("%s on %s: %d of all pins compile", system.os, system.chip, compiles)
		}
	}
}

// What a system has a line for comes out as it is pinned, and what EOS is to decide has no line.
func TestPinsInTheFiles(t *testing.T) {
	c, _ := chips.Load()
	for _, one := range []struct{ os, chip, ports, pins, has, lacks string }{
		{"junos", "tomahawk5", `"et-0/0/[1..2]"`, `priority_group "3" { mru = "2500B" }`, "mru 2500;", "mru 9216;"},
		{"junos", "tomahawk5", `"et-0/0/[1..2]"`, `queue "3" { fill_levels = "0% at 55%, 100% at 90%" }`, "fill-level [ 55 90 ];", "drop-probability [ 0 5 ];"},
		{"junos", "tomahawk5", `"et-0/0/[1..2]"`, `queue "0" { fill_levels = "drop 0% at 0%, 100% at 20%" }`, "drop-probability [ 0 100 ];", "x"},
		{"eos", "tomahawk4", `"Ethernet[1..2]/1"`, `queue "0,3" { limit = "0B" }`, "egress unicast queue 0 reserved", "egress unicast queue 0 threshold"},
		{"junos", "tomahawk5", `"et-0/0/[1..2]"`, "pool \"ingress-lossless\" {\nshare = 61\nheadroom_share = 28\n}\npool \"ingress-lossy\" { share = 11 }", "percent 61;", "percent 10;"},
		{"cumulus", "spectrum3", `"swp[1..2]"`, `pool "ingress-0" { share = 37 }`, "memory-percent: 37", "x"},
	} {
		text := fmt.Sprintf(anyPins, one.chip, one.os, "", one.ports, "", one.pins)
		f := roceplan.Load(roceplan.Input{Files: []roceplan.Source{{Name: "fabric.hcl", Text: []byte(text)}}, Catalogue: c})
		compiled, err := roceplan.Compile(t.Context(), f, roceplan.CompileOptions{})
		if err != nil || len(compiled.Shapes) != 1 {
			t.Errorf("%s: %v %v", one.pins, err, compiled.Findings)
			continue
		}
		if got := string(compiled.Shapes[0].Files[0].Body.AppendFor(nil, "leaf-1")); !strings.Contains(got, one.has) || strings.Contains(got, one.lacks+"\n") || strings.Contains(got, one.lacks+" ") {
			t.Errorf("%s: not %q, or %q, in\n%s", one.pins, one.has, one.lacks, got)
		}
	}
}

const runningFabric = `
fabric "pod" {
  mtu             = "9216B"
  running         = true
  headroom_method = "table"
  headroom_table  = "100000 5m 1500 1300 9000 1 2500\n"
}
traffic_class "rdma" {
  dscp   = [26]
  queue  = 3
  pfc    = 3
  weight = 50
  ecn {
    kmin = "100001B"
    kmax = "900001B"
    pmax = "5%"
  }
}
traffic_class "rest" {
  dscp   = rest
  queue  = 0
  weight = 50
}
switch "leaf-1" {
  chip            = "trident3"
  os              = "sonic"
  one_egress_pool = true
  lossy_alpha     = "1/4"
  shared_pool     = "20000001B"
  headroom_pool   = "3000001B"
  port_group "near" {
    ports      = "Ethernet[0,4]"
    speed      = "100Gbps"
    cable      = "5m"
    fec        = none
    lanes      = 4
    first_lane = 1
  }
  port_group "far" {
    ports      = "Ethernet[8,12]"
    speed      = "100Gbps"
    cable      = "40m"
    lanes      = 4
    first_lane = 9
  }
}
`

// A fabric that runs has the values that it gives, not rounded to cells of 256 B; the table has all of a profile, and no
// group where it has no row, as SONiC's buffermgrd does. Headroom that is too small is a warning.
func TestFabricThatRuns(t *testing.T) {
	c, _ := chips.Load()
	compile := func(text string) (*roceplan.Compiled, string) {
		f := roceplan.Load(roceplan.Input{Files: []roceplan.Source{{Name: "fabric.hcl", Text: []byte(text)}}, Catalogue: c})
		if f.Findings().HasErrors() {
			t.Fatal(f.Findings())
		}
		compiled := must.Get(roceplan.Compile(t.Context(), f, roceplan.CompileOptions{}))(t)
		var said strings.Builder
		for _, d := range compiled.Findings {
			fmt.Fprintf(&said, "%d %s[%s] %s\n", d.Subject.Start.Line, d.Severity, d.Code, d.Message)
		}
		return compiled, said.String()
	}
	compiled, said := compile(runningFabric)
	if len(compiled.Shapes) != 1 {
		t.Fatal(said)
	}
	if want := "6 warning[pinned-breaks] headroom is pinned to 9000B"; !strings.Contains(said, want) {
		t.Errorf("not %q in\n%s", want, said)
	}
	sw := compiled.Plan.Switches[0]
	for _, p := range sw.Ports {
		near := p.Group == "near"
		if got := p.FEC == "none"; got != near {
			t.Errorf("%s: FEC %q", p.Name, p.FEC)
		}
		lossless := false
		for _, g := range p.QoS.PGs {
			switch g.ID {
			case 3:
				lossless = true
				if g.Reserved.Value != 1500 || g.XOn.Value != 1300 || g.Headroom.Value != 9000 || g.XOnOffset.Value != 2500 || g.Limit.Value != (plan.Limit{Dynamic: true, Alpha: 1}) {
					t.Errorf("%s: %+v", p.Name, g)
				}
			case 0:
				must.Equalf(t, g.Limit.Value, plan.Limit{Dynamic: true, Alpha: -2}, "%s: lossy limit", p.Name)
			}
		}
		must.Equalf(t, lossless, near, "%s: PG 3 is configured:", p.Name)
		for _, q := range p.QoS.Queues {
			if q.Pool != plan.LosslessQueues || q.ID == 3 && near && (q.ECN.KMin.Value != 100001 || q.ECN.KMax.Value != 900001) {
				t.Errorf("%s: %+v", p.Name, q)
			}
		}
	}
	for _, p := range sw.Pools {
		if p.Name == plan.LossyQueues || p.Name == plan.LosslessPool && (p.Size.Value != 20000001 || p.Headroom.Value != 3000001) {
			t.Errorf("%+v", p)
		}
	}
	if sw.Maps.TCToPG[7] != 7 { // qos_config.j2, generate_tc_to_pg_map
		t.Errorf("traffic class 7 has priority group %d", sw.Maps.TCToPG[7])
	}
	given := strings.Replace(runningFabric, "cable      = \"5m\"", "cable      = \"5m\"\nheadroom   = \"9000B\"", 1)
	given = strings.Replace(given, "headroom_method = \"table\"\n  headroom_table  = \"100000 5m 1500 1300 9000 1 2500\\n\"", "", 1)
	if _, said := compile(given); !strings.Contains(said, "34 warning[pinned-breaks] as it runs: the headroom given to port group") || strings.Contains(said, "error[") {
		t.Errorf("given headroom that runs:\n%s", said)
	}
	if _, said := compile(strings.Replace(given, "running         = true", "", 1)); !strings.Contains(said, "34 error[headroom-short]") {
		t.Errorf("given headroom of a fabric that is to be built:\n%s", said)
	}
}

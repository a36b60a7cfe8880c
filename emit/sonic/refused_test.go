package sonic_test

import (
	"strings"
	"testing"

	"github.com/roceplan/roceplan/diag"
	"github.com/roceplan/roceplan/emit/sonic"
	"github.com/roceplan/roceplan/internal/testing/must"
	"github.com/roceplan/roceplan/plan"
	"github.com/roceplan/roceplan/units"
)

// source stands for the file that the ranges of a plan point into.
const source = `switch "tor-[01..02]" {
  port_group "servers" { ports = "Ethernet[0..7]" }
  marking { udp_port = 4791 }
  pmax = "0.5%"
}
`

// line returns the range of a line of the source.
func line(n int) diag.Range {
	r := diag.Range{Filename: "fabric.hcl"}
	r.Start.Line, r.Start.Column = n, 1
	for i, l := range strings.SplitAfter(source, "\n")[:n] {
		if i == n-1 {
			indent := len(l) - len(strings.TrimLeft(l, " "))
			r.Start.Byte += indent
			r.Start.Column += indent
			r.End = r.Start
			r.End.Byte += len(strings.TrimSpace(l))
			r.End.Column += len(strings.TrimSpace(l))
			return r
		}
		r.Start.Byte += len(l)
	}
	panic("no such line")
}

// refused are plans that SONiC cannot have as they are.
var refused = []struct {
	name   string
	change func(sw *plan.Switch)
}{
	{"lanes", func(sw *plan.Switch) {
		for i := range sw.Ports[:8] {
			sw.Ports[i].Lanes = nil
		}
	}},
	{"one lane", func(sw *plan.Switch) { sw.Ports[9].Lanes = nil }},
	{"probability", func(sw *plan.Switch) {
		sw.Ports[0].QoS.Queues[1].ECN.PMax = plan.Of(units.Percent/2, &plan.Why{Range: line(4)})
	}},
	{"curve", func(sw *plan.Switch) { sw.Ports[0].QoS.Queues[1].ECN.KMax = of(units.Bytes(1)) }},
	{"weight", func(sw *plan.Switch) { sw.Ports[0].QoS.Queues[0].Scheduler.Weight = of(int64(101)) }},
	{"cap", func(sw *plan.Switch) { sw.Ports[0].QoS.Queues[2].Scheduler.MaxRate = of(units.BitRate(12)) }},
	{"alpha", func(sw *plan.Switch) { sw.Ports[0].QoS.PGs[1].Limit = alpha(8) }},
	{"mtu", func(sw *plan.Switch) { sw.Ports[0].MTU = 9239 }},
	{"speed", func(sw *plan.Switch) { sw.Ports[0].Speed = units.Kbps }},
	{"name", func(sw *plan.Switch) { sw.Ports[0].Name = "Ethernet|0" }},
	{"alias", func(sw *plan.Switch) { sw.Ports[0].Alias = strings.Repeat("x", 129) }},
	{"pool", func(sw *plan.Switch) { sw.Ports[0].QoS.PGs[0].Pool = "ingress_lossy_pool" }},
	{"watchdog", func(sw *plan.Switch) {
		sw.Watchdog.Detection, sw.Watchdog.Poll, sw.Watchdog.Action = of(units.Millisecond), of(1500*units.Microsecond), ""
	}},
	{"map", func(sw *plan.Switch) { sw.Maps.DSCPToTC[0] = 8 }},
	{"priority group", func(sw *plan.Switch) { sw.Maps.PFCToPG[5], sw.Maps.TCToPG[5] = 4, 4 }},
	{"calculator", func(sw *plan.Switch) { sw.BufferModel = plan.DynamicModel }},
	{"static limit of a computed PG", func(sw *plan.Switch) {
		sw.BufferModel, sw.Calculator = plan.DynamicModel, &plan.Calculator{LosslessFrame: of(units.Bytes(1500))}
		sw.Ports[0].QoS.PGs[1].Limit = static(100)
	}},
	{"same speed and length", func(sw *plan.Switch) {
		other := torQoS(100 * 256)
		sw.Ports[7].QoS = other
	}},
	{"untrusted without marking", func(sw *plan.Switch) { sw.Ports[0].QoS.Trust = plan.TrustNone }},
	{"udp port", marking(plan.Marking{Rules: []plan.MarkRule{{UDPPort: 4791, DSCP: 46, TC: 5}}, DefaultTC: 2})},
	{"udp ports", marking(plan.Marking{Rules: []plan.MarkRule{{UDPPort: 4791, DSCP: 46, TC: 5}, {UDPPort: 4792, DSCP: 46, TC: 6}}, DefaultTC: 2})},
	{"two DSCPs", marking(plan.Marking{Rules: []plan.MarkRule{{DSCP: 46, TC: 5}, {DSCP: 26, TC: 5}}, DefaultTC: 2})},
	{"admitted to the default", marking(plan.Marking{Rules: []plan.MarkRule{{DSCP: 10, TC: 2}}, DefaultTC: 2})},
	{"marking", marking(plan.Marking{Rules: []plan.MarkRule{{DSCP: 64, TC: 8}}, DefaultTC: 9, Default: 64})},
	{"virtual output queues", func(sw *plan.Switch) { sw.VOQ = true }},
	{"trimming on a chip of which nothing is published", trimming("trident3", 256)},
	{"trimming on a chip with one size", trimming("tomahawk5", 256)},
	{"trimming on a chip with few sizes", trimming("spectrum4", 128)},
	{"trimming on a chip that does not cut", trimming("spectrum2", 256)},
	{"load balancing", func(sw *plan.Switch) { sw.LoadBalancing, sw.LoadBalancingAt = "spray", sw.Range }},
}

func trimming(chip string, size units.Bytes) func(*plan.Switch) {
	return func(sw *plan.Switch) {
		sw.Chip, sw.Trim = chip, &plan.Trim{Size: of(size), DSCP: 48, TC: 6, Queue: 6, Range: line(3)}
	}
}

func marking(m plan.Marking) func(*plan.Switch) {
	return func(sw *plan.Switch) {
		m.Range = line(3)
		sw.Marking = &m
	}
}

// What SONiC cannot be told is said at the line that asks for it.
func TestRefused(t *testing.T) {
	var out strings.Builder
	for _, test := range refused {
		sw := tor()
		sw.Range = line(1)
		for i := range sw.Ports {
			sw.Ports[i].Range = line(2)
		}
		test.change(sw)
		files, found := sonic.Emit(sw)
		if len(found) == 0 {
			t.Errorf("%s: nothing is found", test.name)
		}
		if found.HasErrors() != (len(files) == 0) {
			t.Errorf("%s: %d files with %v", test.name, len(files), found)
		}
		out.WriteString("# " + test.name + "\n")
		must.Do(t, (diag.Text{Sources: diag.Sources{"fabric.hcl": []byte(source)}}).Write(&out, found))
	}
	compare(t, "refused.txt", []byte(out.String()))
}

// What is left of the same plan is not faulted.
func TestNotRefused(t *testing.T) {
	for name, sw := range realistic {
		sw := sw()
		if _, found := sonic.Emit(sw); len(unexpected(sw, found)) > 0 {
			t.Errorf("%s: %v", name, found)
		}
	}
}

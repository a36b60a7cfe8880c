package fabric

import (
	"strings"
	"testing"

	"github.com/roceplan/roceplan/chips"
	"github.com/roceplan/roceplan/internal/testing/must"
	"github.com/roceplan/roceplan/model/sim"
	"github.com/roceplan/roceplan/plan"
	"github.com/roceplan/roceplan/units"
)

// What hosts do is what the plan's class says; what is assumed is noted.
func TestHosts(t *testing.T) {
	catalogue, _ := chips.Load()
	for _, c := range []struct {
		control, transport string
		algorithm          sim.Algorithm
		service            sim.Service
		notes              []string // beside that of the cut
	}{
		{"dcqcn", "", sim.UseDCQCN, sim.RC, []string{"assumed of DCQCN at nic nic (cx)"}},
		{"dcqcn", "dc", sim.UseDCQCN, sim.DC, []string{"assumed: each end of a DC connection takes 1.55us", "assumed of DCQCN at nic nic (cx)"}},
		{"dcqcn", "xrc", sim.UseDCQCN, sim.XRC, []string{"assumed of DCQCN at nic nic (cx)"}},
		{"timely", "", sim.UseTIMELY, sim.RC, nil},
		{"hpcc", "", sim.UseHPCC, sim.RC, nil},
		{"dctcp", "", sim.UseDCTCP, sim.RC, nil},
		{"swift", "", sim.UseSwift, sim.RC, []string{"assumed: Swift with the constants of htsim"}},
		{"rttcc", "", sim.UseRTTCC, sim.RC, []string{"assumed: RTT-based control"}},
		{"none", "", sim.NoControl, sim.RC, nil},
	} {
		p := pair()
		p.Hosts[0].CNPDSCP = 48
		for i := range p.Switches[0].Classes {
			switch class := &p.Switches[0].Classes[i]; class.Name {
			case "rdma":
				class.CongestionControl, class.Transport = c.control, c.transport
			case "cnp":
				class.DSCPs = []uint8{48}
			}
		}
		net := must.Get(New(p, catalogue.Find, Options{Size: Size{Edges: 8, HostsPerEdge: 2}}))(t)
		sc := &net.Scenario
		if sc.Congestion.Algorithm != c.algorithm || sc.Transport.Service != c.service {
			t.Errorf("%s %s: algorithm %d, service %d", c.control, c.transport, sc.Congestion.Algorithm, sc.Transport.Service)
		}
		if cnps := c.algorithm == sim.UseDCQCN; sc.Transport.CNPPackets != cnps || cnps && sc.Transport.CNPClass != net.classes["cnp"] {
			t.Errorf("%s: CNPs as packets %v, of class %d", c.control, sc.Transport.CNPPackets, sc.Transport.CNPClass)
		}
		own := net.Notes[1 : len(net.Notes)-1] // the last one is of the chip's latency
		for i, want := range c.notes {
			if len(own) <= i || !strings.HasPrefix(own[i], want) {
				t.Errorf("%s %s: notes %q, want %q", c.control, c.transport, own, c.notes)
			}
		}
		must.Equalf(t, len(own), len(c.notes), "%s %s: notes %q:", c.control, c.transport, own)
	}
}

// Constants that the user gives are taken; the rule is still assumed.
func TestGivenRTTCC(t *testing.T) {
	catalogue, _ := chips.Load()
	given := rttcc(25 * units.Gbps)
	given.Target = 7 * units.Microsecond
	net, err := New(pair(), catalogue.Find, Options{Size: Size{Edges: 8, HostsPerEdge: 2}, CongestionControl: "rttcc", RTTCC: &given})
	if err != nil || net.Scenario.Congestion.RTTCC != given || !strings.HasSuffix(net.Notes[1], "its constants are given") {
		t.Errorf("%v, %+v, notes %q", err, net.Scenario.Congestion.RTTCC, net.Notes)
	}
}

// Targets of Swift that the user gives are taken, each apart; the range of flow scaling follows the fabric's, 5 times.
func TestGivenSwift(t *testing.T) {
	catalogue, _ := chips.Load()
	us := units.Microsecond
	for _, c := range []struct{ given, want Swift }{
		{Swift{}, Swift{20 * us, 20 * us * 100 / 655, 20 * us}},
		{Swift{Target: 30 * us}, Swift{30 * us, 20 * us * 100 / 655, 20 * us}},
		{Swift{PerHop: us, Endpoint: 100 * us}, Swift{20 * us, us, 100 * us}},
	} {
		net := must.Get(New(pair(), catalogue.Find, Options{Size: Size{Edges: 8, HostsPerEdge: 2}, CongestionControl: "swift", Swift: &c.given}))(t)
		got := net.Scenario.Congestion.Swift
		if got.Base != c.want.Target || got.PerHop != c.want.PerHop || got.Endpoint != c.want.Endpoint || got.ScalingRange != 5*c.want.Target {
			t.Errorf("%+v: %+v", c.given, got)
		}
	}
}

// A lossless class that names another congestion control has it, and its windows; a scenario that asks for
// one control has it in all classes. DCQCN's least rate is the NIC's rpg_min_rate (pair's: 1 Mb/s), not that of the others.
func TestControlsOfClasses(t *testing.T) {
	catalogue, _ := chips.Load()
	p := pair()
	var second plan.Class
	for i := range p.Switches[0].Classes {
		if c := &p.Switches[0].Classes[i]; c.Name == "rdma" {
			c.CongestionControl = "dcqcn"
			second = *c
		}
	}
	second.Name, second.Queue, second.PG, second.CongestionControl = "storage", 5, 5, "hpcc"
	p.Switches[0].Classes = append(p.Switches[0].Classes, second)
	for _, asked := range []string{"", "swift"} {
		net := must.Get(New(p, catalogue.Find, Options{Size: Size{Edges: 8, HostsPerEdge: 2}, CongestionControl: asked}))(t)
		sc, own := &net.Scenario, net.Scenario.Classes[net.classes["storage"]]
		switch {
		case asked == "" && (sc.Congestion.Algorithm != sim.UseDCQCN || sc.Transport.Window != sim.NoWindow || own == nil ||
			own.Algorithm != sim.UseHPCC || own.Window != sim.PathBDP || own.MinRate != 100*units.Mbps || sc.Congestion.MinRate != units.Mbps):
			t.Errorf("classes run %+v and %+v", sc.Congestion, own)
		case asked != "" && (sc.Congestion.Algorithm != sim.UseSwift || own != nil):
			t.Errorf("with %s for all: %+v and %+v", asked, sc.Congestion, own)
		}
	}
}

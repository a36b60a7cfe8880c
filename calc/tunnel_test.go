package calc_test

import (
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/roceplan/roceplan/chips"
	"github.com/roceplan/roceplan/internal/testing/must"
	"github.com/roceplan/roceplan/internal/testing/plantest"
)

// The maps of a tunnel are those of SONiC doc/qos/tunnel_dscp_remapping.md rev 0.2, section
// 5.1.1, for classes like its own: queues 3 and 4 sent back in 2 and 6, DSCP 33 kept.
func TestTunnelMapsAreThePublishedOnes(t *testing.T) {
	catalogue, _ := chips.Load()
	archive := must.Get(txtar.ParseFile("../golden/script/dual-tor.txtar"))(t)
	_, p := plantest.Text(t, catalogue, string(archive.Files[0].Data))
	leaf, tor := p.Switches[0], p.Switches[1]
	if leaf.Tunnel != nil || tor.Tunnel == nil {
		t.Fatalf("leaf: %v, ToR: %v", leaf.Tunnel, tor.Tunnel)
	}
	got := tor.Tunnel
	must.Equalf(t, got.TCToPG, [8]uint8{0, 0, 0, 2, 6, 0, 0, 0}, "priority groups out of the tunnel")
	must.Equalf(t, got.TCToQueue, [8]uint8{0, 1, 1, 2, 6, 5, 1, 7}, "queues into the tunnel")
	if want := [8]uint8{8, 0, 0, 2, 6, 46, 0, 48}; got.Outer.TCs != 0xff || got.Outer.DSCP != want {
		t.Errorf("code points outside %v of %08b, want %v", got.Outer.DSCP, got.Outer.TCs, want)
	}
	if !slices.Equal(got.Kept, []uint8{33}) {
		t.Errorf("kept are %v", got.Kept)
	}
	published := map[int]uint8{3: 3, 4: 4, 8: 0, 46: 5, 48: 7} // all else 1; 33 is class 8, carried as 1
	for dscp, tc := range got.DSCPToTC {
		want, other := published[dscp]
		if !other {
			want = 1
		}
		must.Equalf(t, tc, want, "DSCP %d comes out in traffic class", dscp)
	}
}

// What is sent back is lossless where it passes alone, and hosts cannot get into its queues.
func TestSentBackWhereItPasses(t *testing.T) {
	catalogue, _ := chips.Load()
	archive := must.Get(txtar.ParseFile("../golden/script/dual-tor.txtar"))(t)
	_, p := plantest.Text(t, catalogue, string(archive.Files[0].Data))
	for _, sw := range p.Switches {
		for i := range sw.Ports {
			port := &sw.Ports[i]
			back := sw.Role == "tor" == (port.Group == "up")
			pfc, tc := uint8(1<<3|1<<4), uint8(1)
			if back {
				pfc, tc = pfc|1<<2|1<<6, 2
			}
			if port.QoS.PFC != pfc || sw.ClassifiedBy(port.QoS)[2] != tc {
				t.Fatalf("%s of %s has PFC %08b and DSCP 2 in traffic class %d, want %08b and %d", port.Name, sw.Names[0], port.QoS.PFC, sw.ClassifiedBy(port.QoS)[2], pfc, tc)
			}
		}
	}
}

// A class in which packets are sent back is held against the ports alone that carry it: the alpha
// of its groups and what they need follow from the slower ports up, here, and not from those of
// the servers.
func TestSentBackIsCheckedWhereItPasses(t *testing.T) {
	catalogue, _ := chips.Load()
	archive := must.Get(txtar.ParseFile("../golden/script/dual-tor.txtar"))(t)
	const fast, slow = "speed     = \"100Gbps\"\n    cable     = \"40m\"\n    sent_back = true", "speed     = \"40Gbps\"\n    cable     = \"40m\"\n    sent_back = true"
	text := strings.ReplaceAll(string(archive.Files[0].Data), fast, slow)
	// In a fabric for requests a further group needs Kmax, with any NIC.
	_, p := plantest.Text(t, catalogue, strings.Replace(text, "fabric \"pairs\" {\n", "fabric \"pairs\" {\n  purpose = requests\n", 1))
	tor := p.Switches[1]
	kmax := map[uint8]string{} // of what is sent back, by queue, on the ports up
	for i := range tor.Ports {
		for _, q := range tor.Ports[i].QoS.Queues {
			if tor.Ports[i].Group == "up" && q.ECN != nil {
				kmax[q.ID] = q.ECN.KMax.Value.String()
			}
		}
	}
	ofPorts := []string{"pg-before-queue", "xon-below-xoff", "ecn-before-pfc", "overshoot-before-pfc", "xoff-time"}
	for class, queue := range map[string]uint8{"storage-back": 2, "rdma-back": 6} {
		seen := map[string]bool{}
		for _, check := range tor.Checks {
			switch {
			case slices.Contains(ofPorts, check.ID) && strings.HasSuffix(check.Where, "class "+class):
				seen[check.ID] = true
				if !strings.HasPrefix(check.Where, "up at 40Gbps") {
					t.Errorf("%s is checked at %s", check.ID, check.Where)
				}
			case check.ID == "newcomer-guarantee" && strings.HasPrefix(check.Where, "class "+class+","):
				if got := check.Left.Value.String(); got != kmax[queue] || got == "" {
					t.Errorf("a further group of %s needs %s, want Kmax of the ports up, %s", class, got, kmax[queue])
				}
				seen[check.ID] = true
			}
		}
		must.Equalf(t, len(seen), len(ofPorts)+1, "of %s only %v are checked:", class, seen)
	}
}

// A switch that nothing sent back passes has no queues for it: no code point leads to them.
func TestNoQueuesWhereNothingIsSentBack(t *testing.T) {
	catalogue, _ := chips.Load()
	archive := must.Get(txtar.ParseFile("../golden/script/dual-tor.txtar"))(t)
	_, p := plantest.Text(t, catalogue, string(archive.Files[0].Data)+`
switch "spine-1" {
  chip  = "trident3"
  os    = sonic
  hwsku = "Arista-7050CX3-32S-C32"
  role  = "spine"
  port_group "down" {
    ports = "Ethernet[0..124/4]"
    speed = "100Gbps"
    cable = "100m"
  }
}
`)
	for _, sw := range p.Switches {
		var queues []uint8
		for _, q := range sw.Ports[0].QoS.Queues {
			queues = append(queues, q.ID)
		}
		want := []uint8{0, 1, 2, 3, 4, 5, 6, 7}
		if sw.Role == "spine" {
			want = []uint8{0, 1, 3, 4, 5, 7}
		}
		if !slices.Equal(queues, want) {
			t.Errorf("%s has queues %v, want %v", sw.Names[0], queues, want)
		}
		for _, check := range sw.Checks {
			if sw.Role == "spine" && strings.Contains(check.Where, "-back") {
				t.Errorf("%s is checked at %s of %s", check.ID, check.Where, sw.Names[0])
			}
		}
	}
}

// Classes that ports send from queues of others: those of servers' ports as sonic-buildimage has them
// for Broadcom (TC_TO_QUEUE_MAP AZURE beside AZURE_UPLINK, which is the identity).
func TestQueuesOfServersPorts(t *testing.T) {
	catalogue, _ := chips.Load()
	archive := must.Get(txtar.ParseFile("../golden/script/queue-maps.txtar"))(t)
	_, p := plantest.Text(t, catalogue, string(archive.Files[0].Data))
	for _, sw := range p.Switches {
		for i := range sw.Ports {
			port, want := &sw.Ports[i], [8]uint8{0, 1, 2, 3, 4, 5, 6, 7}
			if port.Group == "servers" {
				want[2], want[6] = 1, 1
			}
			if got := *sw.QueuesOf(port.QoS); got != want || port.Server != (port.Group == "servers") {
				t.Fatalf("%s of %s sends from queues %v, want %v; to servers of a pair: %v", port.Name, sw.Names[0], got, want, port.Server)
			}
		}
	}
}

package calc_test

import (
	"slices"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/roceplan/roceplan/chips"
	"github.com/roceplan/roceplan/internal/plantest"
)

// The maps of a tunnel are those of SONiC doc/qos/tunnel_dscp_remapping.md rev 0.2, section
// 5.1.1, for classes like its own: queues 3 and 4 sent back in 2 and 6, DSCP 33 kept.
func TestTunnelMapsAreThePublishedOnes(t *testing.T) {
	catalogue, _ := chips.Load()
	archive, err := txtar.ParseFile("../golden/script/dual-tor.txtar")
	if err != nil {
		t.Fatal(err)
	}
	_, p := plantest.Text(t, catalogue, string(archive.Files[0].Data))
	leaf, tor := p.Switches[0], p.Switches[1]
	if leaf.Tunnel != nil || tor.Tunnel == nil {
		t.Fatalf("leaf: %v, ToR: %v", leaf.Tunnel, tor.Tunnel)
	}
	got := tor.Tunnel
	if want := [8]uint8{0, 0, 0, 2, 6, 0, 0, 0}; got.TCToPG != want {
		t.Errorf("priority groups out of the tunnel %v, want %v", got.TCToPG, want)
	}
	if want := [8]uint8{0, 1, 1, 2, 6, 5, 1, 7}; got.TCToQueue != want {
		t.Errorf("queues into the tunnel %v, want %v", got.TCToQueue, want)
	}
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
		if tc != want {
			t.Errorf("DSCP %d comes out in traffic class %d, want %d", dscp, tc, want)
		}
	}
}

// What is sent back is lossless where it passes alone, and hosts cannot get into its queues.
func TestSentBackWhereItPasses(t *testing.T) {
	catalogue, _ := chips.Load()
	archive, err := txtar.ParseFile("../golden/script/dual-tor.txtar")
	if err != nil {
		t.Fatal(err)
	}
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

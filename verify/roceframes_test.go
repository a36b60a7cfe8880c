package verify

import (
	"strings"
	"testing"

	"github.com/roceplan/roceplan/units"
)

// The largest frame of RoCEv2 is a payload of 4,096 B between IPv6 40, UDP 8, BTH 12, XRCETH 4, RETH 16,
// ImmDt 4, ICRC 4, and an Ethernet header with a tag of 18 B and an FCS of 4 B: 4,206 B.
func TestLargestRoCEFrame(t *testing.T) {
	if largestRoCE != 4096+40+8+12+4+16+4+4+18+4 {
		t.Errorf("%v", units.Bytes(largestRoCE))
	}
}

// A port takes frames of 9,122 B, and no NIC sends such for RoCE. A file whose headroom is short of
// them by less than the difference is not refuted, unless somebody says that lossless frames are so large.
func TestFramesThatRoCEDoesNotSend(t *testing.T) {
	const name = "DS3000@x86_64-cel_ds3000-r0.json"
	s := judge(t, Options{}, shippedFile(t, name)).Switches[0]
	told := ""
	for _, c := range s.Conditions {
		told += c.Assumes + "\n"
	}
	if s.Verdict != Conditional || !strings.Contains(told, "lossless frames are those of RoCEv2, of at most 4206B") || !strings.Contains(told, "with the largest frames of the ports") {
		t.Errorf("%v, because %s; %s", s.Verdict, reasons(s), told)
	}
	if large := judge(t, Options{Peers: Peers{LosslessFrame: 9122}}, shippedFile(t, name)).Switches[0]; large.Verdict != Refuted {
		t.Errorf("with frames of 9122B: %v", large.Verdict)
	}
}

// At 100 Gb/s over 40 m two frames of RoCE and a pause leave 71.3 ns of this file's headroom for the layers of the
// switch and the response of the peer. The fastest that is published takes 84.5 ns for one passage of each direction, and
// there are two: no condition makes up for that. With 5 m of cable, 350 ns less, 421.3 ns are left, which is a condition.
func TestHeadroomBelowAnyImplementation(t *testing.T) {
	s := judge(t, Options{Peers: Peers{LosslessFrame: largestRoCE}}, shippedFile(t, "Quanta-IX8-56X@x86_64-quanta_ix8_rglbmc-r0.json")).Switches[0]
	verdicts := map[string]Verdict{}
	for _, g := range s.Groups {
		verdicts[g.Where] = g.Verdict
	}
	if near, far := verdicts["Ethernet48 (4 × 100Gbps, 5m), PG 3"], verdicts["Ethernet52 (4 × 100Gbps, 40m), PG 3"]; near != Conditional || far != Refuted {
		t.Errorf("%v and %v: %v", near, far, verdicts)
	}
}

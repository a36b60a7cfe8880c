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
	const name = "Quanta-IX8-56X@x86_64-quanta_ix8_rglbmc-r0.json"
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

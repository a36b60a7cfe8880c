package read

import (
	"strconv"

	"github.com/roceplan/roceplan/units"
)

// LargestRoCE is the largest IP packet of RoCEv2: a payload of 4,096 B, the largest path MTU
// of InfiniBand, between IPv6 40, UDP 8, BTH 12, XRCETH 4, RETH 16, ImmDt 4 and ICRC 4.
const LargestRoCE units.Bytes = 40 + 8 + 12 + 4 + 16 + 4 + 4096 + 4

// LargestRoCESource says where the size of the largest packets of RoCEv2 comes from.
const LargestRoCESource = "InfiniBand Architecture Specification 1.7, 9.2 and Annex A17: the largest path MTU is 4,096 B"

// FrameHeader is what an MTU of frames counts around a packet: an Ethernet header, 14 B, and a VLAN
// tag, 4 B. None counts the FCS.
const FrameHeader units.Bytes = 6 + 6 + 4 + 2

// DropsRoCE reports whether an MTU is too small for the largest packets of RoCEv2, or is no number.
// around is 0 for an MTU of IP, and [FrameHeader] for one of frames.
func DropsRoCE(mtu string, around units.Bytes) bool {
	n, err := strconv.ParseInt(mtu, 10, 64)
	return err != nil || units.Bytes(n) < LargestRoCE+around
}

package read

import "github.com/roceplan/roceplan/units"

// LargestRoCE is the largest IP packet of RoCEv2: a payload of 4,096 B, the largest path MTU
// of InfiniBand, between IPv6 40, UDP 8, BTH 12, XRCETH 4, RETH 16, ImmDt 4 and ICRC 4
// (InfiniBand Architecture Specification 1.7, 9.2; Annex A17). An MTU of IP that is not
// smaller drops none of them.
const LargestRoCE units.Bytes = 40 + 8 + 12 + 4 + 16 + 4 + 4096 + 4

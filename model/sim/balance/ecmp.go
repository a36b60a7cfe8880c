package balance

import "math/bits"

// Key holds the fields that ECMP hashes: IPv4 addresses and ports.
type Key struct {
	Src, Dst         uint32
	SrcPort, DstPort uint16
}

// Reversed returns the key of what comes back.
func (k Key) Reversed() Key { return Key{k.Dst, k.Src, k.DstPort, k.SrcPort} }

// Hash is MurmurHash3 (32 bit) of the key's twelve bytes, with the node's number as
// seed, so that different switches choose independently. The HPCC simulator's
// SwitchNode::EcmpHash differs from it in one step: h*5 is written as h + (h<<2).
func (k Key) Hash(seed uint32) uint32 {
	h := seed
	for _, word := range [3]uint32{k.Src, k.Dst, uint32(k.SrcPort) | uint32(k.DstPort)<<16} {
		h ^= bits.RotateLeft32(word*0xcc9e2d51, 15) * 0x1b873593
		h = bits.RotateLeft32(h, 13)*5 + 0xe6546b64
	}
	h ^= 12
	h ^= h >> 16
	h *= 0x85ebca6b
	h ^= h >> 13
	h *= 0xc2b2ae35
	return h ^ h>>16
}

// Of returns the next hop of a flow at a node.
func (k Key) Of(hops []int32, node int32) int32 {
	return hops[k.Hash(uint32(node))%uint32(len(hops))]
}

package sim

import "math/bits"

// flowKey is what ECMP hashes: addresses and ports.
type flowKey struct {
	src, dst         uint32
	srcPort, dstPort uint16
}

// address is a node's IPv4 address in the HPCC simulator: 11.x.y.1.
func address(node int) uint32 { return 0x0b000001 + uint32(node/256)<<16 + uint32(node%256)<<8 }

func (f *Flow) key() flowKey {
	return flowKey{address(f.Src), address(f.Dst), f.SrcPort, f.DstPort}
}

func (k flowKey) reversed() flowKey { return flowKey{k.dst, k.src, k.dstPort, k.srcPort} }

// hash is MurmurHash3 (32 bit) of the key's twelve bytes, with the node's number as
// seed, so that different switches choose independently. The HPCC simulator's
// SwitchNode::EcmpHash differs from it in one step: h*5 is written as h + (h<<2).
func (k flowKey) hash(seed uint32) uint32 {
	h := seed
	for _, word := range [3]uint32{k.src, k.dst, uint32(k.srcPort) | uint32(k.dstPort)<<16} {
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

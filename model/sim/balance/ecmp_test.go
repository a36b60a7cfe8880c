package balance

import "testing"

// MurmurHash3 of twelve bytes as A. Appleby's reference has it, byte by byte.
func TestECMPHash(t *testing.T) {
	reference := func(data []byte, h uint32) uint32 {
		rotl := func(x uint32, r uint) uint32 { return x<<r | x>>(32-r) }
		for i := 0; i < len(data); i += 4 {
			k := uint32(data[i]) | uint32(data[i+1])<<8 | uint32(data[i+2])<<16 | uint32(data[i+3])<<24
			k *= 0xcc9e2d51
			k = rotl(k, 15)
			k *= 0x1b873593
			h ^= k
			h = rotl(h, 13)
			h = h*5 + 0xe6546b64
		}
		h ^= uint32(len(data))
		h ^= h >> 16
		h *= 0x85ebca6b
		h ^= h >> 13
		h *= 0xc2b2ae35
		h ^= h >> 16
		return h
	}
	for seed := range uint32(20) {
		k := Key{Src: 0x0b000001 + seed<<8, Dst: 0x0b012c01 - seed<<8, SrcPort: uint16(40000 + seed), DstPort: 4791}
		data := []byte{
			byte(k.Src), byte(k.Src >> 8), byte(k.Src >> 16), byte(k.Src >> 24), byte(k.Dst), byte(k.Dst >> 8), byte(k.Dst >> 16), byte(k.Dst >> 24),
			byte(k.SrcPort), byte(k.SrcPort >> 8), byte(k.DstPort), byte(k.DstPort >> 8),
		}
		if got, want := k.Hash(seed), reference(data, seed); got != want {
			t.Errorf("%+v: %x, want %x", k, got, want)
		}
		if r := k.Reversed(); r.Src != k.Dst || r.Dst != k.Src || r.SrcPort != 4791 || r.DstPort != k.SrcPort {
			t.Errorf("%+v", r)
		}
		hops := []int32{10, 11, 12}
		if got, want := k.Of(hops, int32(seed)), hops[reference(data, seed)%3]; got != want {
			t.Errorf("%+v takes %d, want %d", k, got, want)
		}
	}
}

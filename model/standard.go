package model

import "github.com/roceplan/roceplan/units"

// StandardSource is the clause of StandardResponse.
const StandardSource = "IEEE 802.3-2018 31B.3.7"

// quantum is the unit of pause times in bit times: IEEE 802.3 31B.2.
const quantum = 512

// responses are the pause responses that IEEE 802.3-2018 31B.3.7 allows, in quanta, as sonic-swss
// cfgmgr/buffer_headroom_mellanox.lua lists them. For 800G that file has 400G's 905 again; what
// 802.3df and 802.3dj say of 800G and 1.6T has not been found in public, so neither is here.
var responses = []struct {
	rate   units.BitRate
	quanta int64
}{
	{100 * units.Mbps, 1}, {units.Gbps, 2}, {10 * units.Gbps, 67}, {25 * units.Gbps, 80}, {40 * units.Gbps, 118},
	{50 * units.Gbps, 147}, {100 * units.Gbps, 394}, {200 * units.Gbps, 453}, {400 * units.Gbps, 905},
}

// StandardResponse returns the longest that IEEE 802.3 lets a station take from the end of a pause frame
// until it begins no further frame, counted at its connector. It returns false for a speed without
// a known time.
func StandardResponse(rate units.BitRate) (units.Time, bool) {
	for _, r := range responses {
		if r.rate == rate {
			return units.Time(units.CeilMulDiv(r.quanta*quantum, int64(units.Second), int64(rate))), true
		}
	}
	return 0, false
}

// InterfaceSource is the source of InterfaceDelay's figures.
const InterfaceSource = "IEEE 802.3 delay constraints of the sublayers, as summed in Gupta and Mazurek, Detecting, Troubleshooting, and Preventing Congestion in Storage Networks, Cisco Press 2023, chapter 7 (10G, 25G, 40G, 100G); other speeds assumed"

// InterfaceDelay returns the longest that the layers below the MAC of a conforming station take
// of a pause frame on the way out and of data on the way in, together. Sums for 10G, 25G,
// 40G and 100G are published; assumed are those of 50G, as twice the bits of 25G, and of
// 200G and faster, as the time of 40G, 614.4 ns. Below 10G it is that of 10G in bits.
func InterfaceDelay(rate units.BitRate) units.Time {
	bits := int64(122_880)
	switch {
	case rate <= 0:
		return 0
	case rate <= 10*units.Gbps:
		bits = 8192
	case rate <= 25*units.Gbps:
		bits = 6144
	case rate <= 40*units.Gbps:
		bits = 24_576
	case rate <= 50*units.Gbps:
		bits = 12_288
	case rate > 100*units.Gbps:
		return 614_400 * units.Picosecond
	}
	return units.Time(units.CeilMulDiv(bits, int64(units.Second), int64(rate)))
}

// FastestLayers is the least that the layers of a station are known to take, out and in together: 84.5 ns
// of MAC and PCS of the low-latency design at 50 Gb/s (AMD PG211, 40G/50G High Speed Ethernet Subsystem
// v3.2, Latency, table 1), without transceivers and without error correction, which would take more. No
// faster station has been published at any speed; a fabric that has one declares it.
const FastestLayers = 84_500 * units.Picosecond

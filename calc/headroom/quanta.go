package headroom

import "github.com/roceplan/roceplan/units"

// A pauseQuantum is 512 bit times: IEEE 802.3 31B.2.
const (
	quantumBits  = 512
	quantumBytes = units.Bytes(quantumBits / 8)
)

const quantaSource = "IEEE 802.3-2018 31B.3.7, as sonic-swss cfgmgr/buffer_headroom_mellanox.lua lists it"

// pauseQuanta returns how many quanta a station may take from a pause frame at its
// MDI to the last frame that it starts: the limit of IEEE 802.3 31B.3.7. The figure
// for 800G is that for 400G again, as SONiC has it; 802.3df has not been checked.
func pauseQuanta(speed units.BitRate) (int64, bool) {
	switch speed {
	case 100 * units.Mbps:
		return 1, true
	case 1 * units.Gbps:
		return 2, true
	case 10 * units.Gbps:
		return 67, true
	case 25 * units.Gbps:
		return 80, true
	case 40 * units.Gbps:
		return 118, true
	case 50 * units.Gbps:
		return 147, true
	case 100 * units.Gbps:
		return 394, true
	case 200 * units.Gbps:
		return 453, true
	case 400 * units.Gbps, 800 * units.Gbps:
		return 905, true
	}
	return 0, false
}

// responseBytes returns what arrives while the peer responds to a pause: the given
// response time if there is one, the limit of the standard otherwise.
func (in *Input) responseBytes() (units.Bytes, error) {
	if in.PeerResponse > 0 {
		return in.Speed.CeilBytes(in.PeerResponse), nil
	}
	quanta, known := pauseQuanta(in.Speed)
	if !known {
		return 0, &NoResponse{in.Speed}
	}
	return units.Bytes(quanta) * quantumBytes, nil
}

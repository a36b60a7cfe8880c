package headroom

import (
	"fmt"

	"github.com/roceplan/roceplan/plan"
	"github.com/roceplan/roceplan/units"
)

// A pauseQuantum is 512 bit times: IEEE 802.3 31B.2.
const (
	quantumBits  = 512
	quantumBytes = units.Bytes(quantumBits / 8)
)

const quantaSource = "IEEE 802.3-2018 31B.3.7, as sonic-swss cfgmgr/buffer_headroom_mellanox.lua lists it"

// quanta are the limits of IEEE 802.3 31B.3.7, ascending by speed: how many quanta a
// station may take from a pause frame at its MDI to the last frame that it starts.
var quanta = [...]struct {
	speed  units.BitRate
	quanta int64
}{
	{100 * units.Mbps, 1}, {1 * units.Gbps, 2}, {10 * units.Gbps, 67}, {25 * units.Gbps, 80}, {40 * units.Gbps, 118},
	{50 * units.Gbps, 147}, {100 * units.Gbps, 394}, {200 * units.Gbps, 453}, {400 * units.Gbps, 905},
}

// pauseQuanta returns the limit of IEEE 802.3 31B.3.7 for a speed; false where none is
// published.
func pauseQuanta(speed units.BitRate) (int64, bool) {
	for _, q := range quanta {
		if q.speed == speed {
			return q.quanta, true
		}
	}
	return 0, false
}

// sonicQuanta is pauseQuanta as SONiC has it, with the figure for 400G again for 800G.
func sonicQuanta(speed units.BitRate) (int64, bool) {
	if speed == 800*units.Gbps {
		speed = 400 * units.Gbps
	}
	return pauseQuanta(speed)
}

// standardResponse returns the longest that a conforming station responds to a pause, in time, and who
// says so. The values of 802.3df for 800G and of 802.3dj for 1.6T are not public: there, and for
// other speeds without a figure, the longer time of the two neighbouring speeds is assumed, beyond
// the fastest that of the fastest. The times do not fall with the speed from 200G on, where the
// same error correction takes its share of them: 1.16 us.
func standardResponse(speed units.BitRate) (response units.Time, source string) {
	var below units.Time
	for _, q := range quanta {
		at := q.speed.CeilTime(units.Bytes(q.quanta) * quantumBytes)
		switch {
		case q.speed == speed:
			return at, quantaSource
		case q.speed > speed:
			return max(below, at), fmt.Sprintf("assumed: none is published for %v, so the longer time of the speeds around it; %s", speed, quantaSource)
		}
		below = at
	}
	return below, fmt.Sprintf("assumed: none is public for %v (IEEE 802.3df, 802.3dj), so the time of 400Gbps; %s", speed, quantaSource)
}

// responseBytes returns what arrives while the peer responds to a pause: the given
// response time if there is one, the limit of the standard otherwise.
func (in *Input) responseBytes() units.Bytes {
	if in.PeerResponse > 0 {
		return in.Speed.CeilBytes(in.PeerResponse)
	}
	response, _ := standardResponse(in.Speed) // whole picoseconds, and so no byte too many
	return in.Speed.CeilBytes(response)
}

// explainResponse returns the node of the peer's response in bytes.
func explainResponse(in *Input, response units.Bytes) *plan.Why {
	if in.PeerResponse > 0 {
		return formula("response-bytes", "bytes while the peer responds", response, term("rate", given("speed", in.Speed)), term("response", given("peer_response", in.PeerResponse)))
	}
	_, source := standardResponse(in.Speed)
	return standard("bytes while the peer responds", response, source)
}

// explainResponseTime returns the node of the peer's response in time.
func explainResponseTime(in *Input) *plan.Why {
	if in.PeerResponse > 0 {
		return given("peer_response", in.PeerResponse)
	}
	response, source := standardResponse(in.Speed)
	return standard("longest response of a conforming peer", response, source)
}

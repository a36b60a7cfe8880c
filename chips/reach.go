package chips

import "github.com/roceplan/roceplan/units"

// A Reach is the greatest length of cables of a kind, by the demands of the clauses of IEEE 802.3 on a channel.
type Reach struct {
	Lane   units.BitRate // up to this rate of each lane
	Length units.Length
	Source string
}

// Twinax returns the reaches of direct-attach copper, the slowest lanes first. The first is the longest that any
// clause knows, and cables are sold up to it.
func Twinax() []Reach {
	return []Reach{
		{10 * units.Gbps, 7 * units.Metre, "40GBASE-CR4, IEEE 802.3 clause 85, and SFF-8431: 7 m"},
		{25 * units.Gbps, 5 * units.Metre, "25GBASE-CR and 100GBASE-CR4, IEEE 802.3 clauses 110 and 92: 5 m"},
		{50 * units.Gbps, 3 * units.Metre, "50GBASE-CR to 200GBASE-CR4, IEEE 802.3 clause 136: 3 m"},
		{100 * units.Gbps, 2 * units.Metre, "100GBASE-CR1 to 400GBASE-CR4, IEEE 802.3ck clause 162: 2 m"},
		{200 * units.Gbps, 1 * units.Metre, "200GBASE-CR1 to 1.6TBASE-CR8, IEEE 802.3dj: 1 m"},
	}
}

// TwinaxAt returns the reach at lanes of a rate; false where they are faster than any that a clause knows.
func TwinaxAt(lane units.BitRate) (Reach, bool) {
	for _, r := range Twinax() {
		if lane <= r.Lane {
			return r, true
		}
	}
	return Reach{}, false
}

package proof

import (
	"fmt"
	"slices"

	"github.com/roceplan/roceplan/internal/natural"
)

// Kinds of conditions.
const (
	PeerResponse = "peer-response"  // the peer is silent within a time that IEEE 802.3 does not demand of it
	PacketMix    = "packet-mix"     // packets are not all of the size that fills cells fastest
	ChipDatum    = "chip-datum"     // the catalogue does not know a datum of the chip
	AssumedDatum = "assumed-datum"  // the catalogue assumes a datum of the chip
	PausedGroups = "paused-at-once" // only so many priority groups are paused at once
)

// A Condition is an assumption of an obligation that neither the fabric declares nor a standard
// demands. An obligation with conditions holds if all of them do.
type Condition struct {
	ID      string `json:"id"`      // its kind: PeerResponse, …
	Where   string `json:"where"`   // whose: "gpus (64 × 400Gbps, 5m)", "chip trident3"
	Assumes string `json:"assumes"` // "the peer is silent within 1.2us of a pause"
	Declare string `json:"declare"` // the attribute that would declare it: "pause_response of port group gpus, or of its NIC"
	// The obligation holds up to Bound; a standard, or the worst case, allows Worst. Both
	// are 0 where the condition is not a quantity.
	Bound int64  `json:"bound,omitempty"`
	Worst int64  `json:"worst,omitempty"`
	Unit  string `json:"unit,omitempty"` // of both
	// Layers is the part that the switch's own layers may take by the standard, in ps, where the bound is on
	// them and the response together. Frame is the largest packet where the bound is a share of packets, in B.
	Layers int64 `json:"layers,omitempty"`
	Frame  int64 `json:"frame,omitempty"`
	// Short is the amount by which the obligation fails without the condition, in the obligation's
	// unit: the worth of the condition.
	Short int64 `json:"short,omitempty"`
	// Perhaps is set where it is not known whether the obligation needs the condition: that depends on
	// an order of packets that was neither found nor excluded.
	Perhaps bool `json:"perhaps,omitempty"`
	// Terms are those terms of the obligation that have another value under the condition.
	Terms []Term `json:"terms,omitempty"`
}

// PausedAtOnce returns the condition that the fabric assumes by sharing headroom: that a pool which is
// for fewer groups is never asked for more.
func PausedAtOnce(where string, groups int) Condition {
	return Condition{
		ID: PausedGroups, Where: where, Bound: int64(groups), Assumes: fewPausedText(int64(groups)),
		Declare: "no headroom_sharing, so that every group has headroom of its own",
	}
}

// pausedText returns the assumption of a headroom pool that is too small for all of its groups.
func pausedText(fits, groups int64) string {
	return fmt.Sprintf("at most %d of the %s of the pool in this part of the buffer are paused or have packets in it at once", fits, natural.Count(int(groups), "priority group", "priority groups"))
}

func fewPausedText(groups int64) string {
	return fmt.Sprintf("at most %s are paused at once", natural.Count(int(groups), "group", "groups"))
}

// ActiveAtOnce returns the condition that a buffer holds only what comes in at so many of the ports with lossless
// groups at once, by figures that are assumed; short is the amount that an obligation lacks without it.
func ActiveAtOnce(where string, ports, all int, short int64) Condition {
	return Condition{
		ID: PausedGroups, Where: where, Bound: int64(ports), Worst: int64(all), Short: short,
		Assumes: activeText(int64(ports), int64(all)), Declare: "nothing: it depends on the network",
	}
}

func activeText(ports, all int64) string {
	return fmt.Sprintf("at most %d of the %s have packets in the buffer at once, by figures that are assumed", ports, natural.Count(int(all), "lossless port", "lossless ports"))
}

// same reports whether two conditions ask for the same thing, up to whatever bound.
func (c *Condition) same(other *Condition) bool {
	return c.ID == other.ID && c.Where == other.Where && c.Declare == other.Declare
}

// perhaps marks the conditions of an obligation as ones that it may do without.
func (o *Obligation) perhaps() {
	for i := range o.Conditions {
		o.Conditions[i].Perhaps = true
	}
}

// Conditions returns the assumptions of the report's obligations on lossless packets, each once,
// with the strictest bound, in the order of the obligations.
func (r *Report) Conditions() (all []Condition) {
	for i := range r.Obligations {
		if !r.Obligations[i].Lossless {
			continue
		}
		for _, c := range r.Obligations[i].Conditions {
			at := slices.IndexFunc(all, func(known Condition) bool { return known.same(&c) })
			switch {
			case at < 0:
				all = append(all, c)
			case c.Bound < all[at].Bound:
				c.Perhaps = c.Perhaps && all[at].Perhaps
				all[at] = c
			default:
				all[at].Perhaps = all[at].Perhaps && c.Perhaps
			}
		}
	}
	return all
}

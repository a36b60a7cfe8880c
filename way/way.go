// Package way proves the way of a rollout: every state that the order of its steps allows.
//
// A step changes devices in any order, so that while it is carried out each of them has the state before it, the one
// after it, or on SONiC one of the states between its patches and the commands of its scripts. The two ends of a cable are in any two of these states. The
// package proves
//
//   - each state of each device, with the cables and the peers that it can meet while it lasts, by package verify;
//   - each pair of states that the two ends of a cable can be in: every lossless code point that is under way leaves the
//     sender by queues that the receiver stops, and nothing else fills its priority group.
//
// Devices that pass through the same states are one [Chain], ports that look alike in all of them are one [Kind], and cables
// between the same kinds one [Link]: a thousand switches of three shapes have a handful of each.
//
// The result is a [Way]. It is the certificate too: [Way.Evaluate] computes all pairs from what it has.
package way

import (
	"slices"

	"github.com/roceplan/roceplan/model/proof"
	"github.com/roceplan/roceplan/plan"
	"github.com/roceplan/roceplan/units"
)

// Schema is the version of the form, which docs/certificates.md describes.
const Schema = "roceplan/way/1"

// A Way is all states of a rollout. Steps count from 1; the state before them has the number 0.
type Way struct {
	Schema  string        `json:"schema"`
	Verdict proof.Verdict `json:"verdict"` // the worst of all
	Moments []Moment      `json:"moments"` // one for each step, while it is carried out
	Before  []int         `json:"before"`  // code points that are lossless in the old plan
	After   []int         `json:"after"`   // and in the new one
	Drained []Drained     `json:"drained,omitempty"`
	Stopped []int         `json:"stopped,omitempty"` // code points whose packets are stopped all the way: no order keeps them lossless
	Assumed []string      `json:"assumed,omitempty"` // the assumptions about traffic, in words
	Chains  []Chain       `json:"chains"`
	Views   []View        `json:"views"`
	Links   []Link        `json:"links"`
	Pairs   []Pairs       `json:"pairs"`
	Proofs  Proofs        `json:"proofs"`
}

// Proofs are the certificates of the states, in a file of their own, in the form of roceplan/certificates/2.
type Proofs struct {
	File   string `json:"file"`
	SHA256 string `json:"sha256"`
}

// A Moment is a step while it is carried out.
type Moment struct {
	Step     string      `json:"step"`             // "01-grow"
	Lossless []int       `json:"lossless"`         // code points whose packets are lossless, and under way
	Silent   []int       `json:"silent,omitempty"` // code points that no host sends meanwhile
	Frame    units.Bytes `json:"frame"`            // the largest of lossless packets
}

// Drained are devices that carry no traffic while a step changes them. The states between its two ends are left out.
type Drained struct {
	Step    int      `json:"step"`
	Devices []string `json:"devices"`
	Because string   `json:"because"`
}

// A Chain is devices that pass through the same states.
type Chain struct {
	Devices []string `json:"devices"` // or the kind of NICs
	NIC     bool     `json:"nic,omitempty"`
	States  []State  `json:"states"` // in the order in which they are passed through
	Kinds   []Kind   `json:"ports"`
}

// A State is the configuration of a device from a step on.
type State struct {
	Step  int         `json:"step"`
	Phase string      `json:"phase,omitempty"` // of a state within the step
	Gone  bool        `json:"gone,omitempty"`  // the device is not there any more
	Proof string      `json:"proof,omitempty"` // the name of its certificate; none of NICs
	Sends []int       `json:"sends,omitempty"` // of NICs, the code points of lossless packets
	Frame units.Bytes `json:"frame,omitempty"` // of NICs, the largest lossless frame that they send
}

// A Kind is ports of a chain that look alike in all states.
type Kind struct {
	Ports []string `json:"names"`
	Views []int    `json:"views"` // by state; -1: there is no such port
}

// A Link is cables between two kinds of ports.
type Link struct {
	A     [2]int         `json:"a"` // chain and kind
	B     [2]int         `json:"b"`
	Links int            `json:"links"`
	Ends  [2]string      `json:"ends"`  // the ends of one of the cables: "leaf-1 Ethernet0"
	Cable []units.Length `json:"cable"` // by step, the longest that it has meanwhile; 0: there is none
	// Lossy are code points from A to B, and back, that both ends have lossless in one of the plans, and their link does not keep so in it.
	Lossy [][]int `json:"lossy,omitempty"`
}

// Pairs are the pairs of states that the ends of a link can be in during a step.
type Pairs struct {
	Link    int           `json:"link"`
	Step    int           `json:"step"`
	Pairs   int           `json:"pairs"`
	Verdict proof.Verdict `json:"verdict"`
	Down    int           `json:"down,omitempty"` // of these, pairs whose ends disagree on speed or FEC: nothing passes
	Fails   []Failure     `json:"fails,omitempty"`
}

// A Failure is a pair of states in which lossless packets can be lost.
type Failure struct {
	A       int    `json:"a"` // state of each end
	B       int    `json:"b"`
	DSCP    int    `json:"dscp"`
	Because string `json:"because"`
}

// A View has the properties of a port, or of a NIC, that matter for lossless packets over its cable.
type View struct {
	Speed    units.BitRate `json:"speed,omitempty"` // 0: that of the other end
	FEC      string        `json:"fec,omitempty"`
	Frame    units.Bytes   `json:"frame"`    // the largest that it takes
	PFC      uint8         `json:"pfc"`      // priorities, as bits
	Lossless uint8         `json:"lossless"` // priority groups, as bits; of NICs, priorities
	Groups   [8]uint8      `json:"groups"`   // which a priority pauses
	Queues   [8]uint8      `json:"queues"`   // which a pause of a priority stops
	In       Sets          `json:"in"`       // priority groups, as bits, by code point: only of those that enter a lossless one
	Out      Sets          `json:"out"`      // queues, as bits, by code point
}

// Sets are bits by code point.
type Sets [64]uint16

// live returns the states that a chain can be in during a step, by number.
func (c *Chain) live(step int) (all []int) {
	last := -1
	for i, s := range c.States {
		switch {
		case s.Step < step:
			last = i
		case s.Step == step:
			all = append(all, i)
		}
	}
	if last >= 0 {
		all = append([]int{last}, all...)
	}
	return all
}

// until returns the last step during which a chain can be in a state; steps is the number of all.
func (c *Chain) until(state, steps int) int {
	for _, s := range c.States[state+1:] {
		if s.Phase == "" && s.Step > 0 {
			return s.Step
		}
	}
	return steps
}

// ends returns the first and the last state of a chain that is there, -1 where none is.
func (c *Chain) ends() (first, last int) {
	there := func(s State) bool { return !s.Gone }
	first = slices.IndexFunc(c.States, there)
	for last = len(c.States) - 1; last >= 0 && c.States[last].Gone; last-- {
	}
	return first, last
}

// excluded reports whether a state is left out: the chain is drained during its step, and it is none of its ends.
func (w *Way) excluded(c *Chain, s *State) bool {
	return s.Phase != "" && slices.ContainsFunc(w.Drained, func(d Drained) bool {
		return d.Step == s.Step && !slices.ContainsFunc(c.Devices, func(name string) bool { return !slices.Contains(d.Devices, name) })
	})
}

func bitsOf(all []int) (set uint64) {
	for _, d := range all {
		set |= 1 << (d & 63)
	}
	return set
}

func listed(set uint64) (all []int) {
	for d := range 64 {
		if set>>d&1 == 1 {
			all = append(all, d)
		}
	}
	return all
}

// Counts returns the states of all chains, and the pairs of all links.
func (w *Way) Counts() (states, pairs int) {
	for _, c := range w.Chains {
		states += len(c.States)
	}
	for _, p := range w.Pairs {
		pairs += p.Pairs
	}
	return states, pairs
}

// end returns a switch of a plan by the name of one device, nil where it has none.
func end(p *plan.Plan, device string) *plan.Switch {
	for _, sw := range p.Switches {
		if slices.Contains(sw.Names, device) {
			return sw
		}
	}
	return nil
}

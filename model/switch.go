package model

import (
	"slices"

	"github.com/roceplan/roceplan/chips"
	"github.com/roceplan/roceplan/model/mmu"
	"github.com/roceplan/roceplan/plan"
	"github.com/roceplan/roceplan/units"
)

// A Switch is the silicon's view of a plan, with its links: the input of the prover and of the
// adversary.
type Switch struct {
	Config *mmu.Config
	Ports  []Port // in the order of the plan
}

// A Port describes the surroundings of one port of the Config.
type Port struct {
	Name string `json:"name"`
	Link Link   `json:"link"`
	// Pausable has bit g set where a pause for priority group g reaches the peer: PFC is
	// on for a priority of that group.
	Pausable uint8 `json:"pausable"`
	// Queues that packets of each priority group leave from: bit q of Queues[g]. They are those of
	// ports with Map 0, as all are unless some have maps of queues of their own, or servers of a pair
	// of switches; others have Other[Map-1].
	Queues [mmu.MaxPGs]uint16   `json:"queues"`
	Map    int                  `json:"queue_map,omitempty"`
	Other  [][mmu.MaxPGs]uint16 `json:"other_queues,omitempty"`
}

// Feeds returns the set of queues of one port by which packets leave that came into a priority group of
// another.
func (s *Switch) Feeds(in, group, out int) uint16 {
	if m := s.Ports[out].Map; m > 0 && m <= len(s.Ports[in].Other) {
		return s.Ports[in].Other[m-1][group]
	}
	return s.Ports[in].Queues[group]
}

// NewSwitch builds it, with the ports in the slices of the worst case. declared returns the
// declared facts on a port's peer and traffic. The error is that of Buffer.
func NewSwitch(sw *plan.Switch, chip *chips.Chip, declared func(*plan.Port) plan.Assumed) (*Switch, error) {
	config, err := bufferOf(sw, chip, worst(sw, chip))
	if err != nil {
		return nil, err
	}
	out := &Switch{Config: config, Ports: make([]Port, len(sw.Ports))}
	leave := leavings(sw)
	for i := range sw.Ports {
		port := &sw.Ports[i]
		own := Port{Name: port.Name, Link: newLink(port, sw.MTU.Value, declared(port), chip), Pausable: pausable(port, &sw.Maps)}
		own.Queues = routes(sw, port.QoS, leave[0])
		for _, by := range leave[1:] {
			own.Other = append(own.Other, routes(sw, port.QoS, by))
		}
		if len(leave) > 1 {
			own.Map = slices.Index(leave, leavingOf(sw, port))
		}
		out.Ports[i] = own
	}
	return out, nil
}

func newLink(port *plan.Port, mtu units.Bytes, declared plan.Assumed, chip *chips.Chip) Link {
	l := NewLink(port, mtu, declared)
	l.Interface = chip.PauseDelay.Or(l.Interface)
	return l
}

// A leaving describes the packets that leave by a port: the queue of each traffic class, and
// whether the port leads to a server of a pair of switches, to which no packet is sent back.
type leaving struct {
	queues [8]uint8
	server bool
}

func leavingOf(sw *plan.Switch, port *plan.Port) leaving {
	return leaving{*sw.QueuesOf(port.QoS), port.Server && sw.Tunnel != nil}
}

// leavings returns the leavings of the ports, each once.
func leavings(sw *plan.Switch) (all []leaving) {
	for i := range sw.Ports {
		if l := leavingOf(sw, &sw.Ports[i]); !slices.Contains(all, l) {
			all = append(all, l)
		}
	}
	return all
}

// routes returns by the maps which queues a priority group of a port feeds, of ports by which
// packets leave as said. Maps that are all zero are those of a file that says nothing: number to
// number then.
//
// By ports to servers of a pair leaves neither what is put into the tunnel nor what shows code
// points that are outside of it: that is taken out here, and goes on in the class inside.
func routes(sw *plan.Switch, qos *plan.PortQoS, by leaving) (queues [mmu.MaxPGs]uint16) {
	m, classes := &sw.Maps, sw.ClassifiedBy(qos)
	if *m == (plan.Maps{}) {
		for g := range queues {
			queues[g] = 1 << g
		}
		return queues
	}
	used := [8]bool{}
	for _, tc := range classes {
		used[tc&7] = true
	}
	if qos != nil && qos.Trust == plan.TrustNone && sw.Marking != nil {
		used[sw.Marking.DefaultTC&7] = true
		for _, rule := range sw.Marking.Rules { // they say the class of what comes in there
			used[rule.TC&7] = true
		}
	}
	for tc := range used {
		if used[tc] || *classes == [64]uint8{} {
			t := sw.Tunnel
			shown := t != nil && outside(t, classes, uint8(tc))
			if !shown || !by.server {
				queues[m.TCToPG[tc]&7] |= 1 << (by.queues[tc] & 15)
			}
			if t != nil && !shown && !by.server { // put into the tunnel
				queues[m.TCToPG[tc]&7] |= 1 << (t.TCToQueue[tc] & 15)
			}
		}
	}
	if t := sw.Tunnel; t != nil { // taken out of it
		for _, tc := range t.DSCPToTC {
			queues[t.TCToPG[tc&7]&7] |= 1 << (by.queues[tc&7] & 15)
		}
	}
	return queues
}

// outside reports whether packets show the code points of a traffic class outside a tunnel
// alone, under which those of another class went in: they are taken out here, and do not go
// in again.
func outside(t *plan.Tunnel, classes *[64]uint8, tc uint8) bool {
	shown := map[int]bool{}
	for other, dscp := range t.Outer.DSCP {
		if t.Outer.TCs>>other&1 == 1 && uint8(other) != tc {
			shown[int(dscp)] = true
		}
	}
	any := false
	for dscp, to := range classes {
		if to == tc {
			if any = true; !shown[dscp] {
				return false
			}
		}
	}
	return any
}

func pausable(port *plan.Port, m *plan.Maps) (groups uint8) {
	if port.QoS == nil {
		return 0
	}
	for p := range m.PFCToPG {
		if port.QoS.PFC>>p&1 == 0 {
			continue
		}
		if m.PFCToPG == [8]uint8{} {
			groups |= 1 << p
		} else {
			groups |= 1 << (m.PFCToPG[p] & 7)
		}
	}
	return groups
}

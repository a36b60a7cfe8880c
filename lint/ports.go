package lint

import (
	"fmt"
	"slices"

	"github.com/roceplan/roceplan/internal/natural"
	"github.com/roceplan/roceplan/plan"
	"github.com/roceplan/roceplan/units"
)

// usualPorts is the number of ports that must agree before one that differs is called odd.
const usualPorts = 7

// portOdd warns of the one port whose queues are set otherwise than those of all other ports of its
// speed.
func portOdd(s *subject) {
	type alike struct {
		kinds []kind
		ports []int
	}
	of := map[units.BitRate]*alike{}
	for _, k := range s.kinds {
		count := map[units.BitRate]int{}
		for _, port := range k.ports {
			count[port.Speed]++
		}
		for speed, n := range count {
			if of[speed] == nil {
				of[speed] = &alike{}
			}
			a := of[speed]
			a.kinds, a.ports = append(a.kinds, k), append(a.ports, n)
		}
	}
	for speed, a := range of {
		if len(a.kinds) != 2 || speed == 0 {
			continue
		}
		odd := 0
		if a.ports[1] == 1 {
			odd = 1
		}
		if a.ports[odd] == 1 && a.ports[1-odd] >= usualPorts {
			s.odd(a.kinds[odd], a.kinds[1-odd], speed, a.ports[1-odd])
		}
	}
}

// odd compares the queues of one port with those of so many others of its speed.
func (s *subject) odd(own, usual kind, speed units.BitRate, others int) {
	for i := range own.qos.Queues {
		q := &own.qos.Queues[i]
		other := usual.qos.Queue(q.ID)
		if other == nil {
			continue
		}
		var what string
		at := first(q.Range, q.Scheduler.Range, own.pfcAt())
		switch {
		case !sameScheduler(&q.Scheduler, &other.Scheduler):
			what = "scheduled"
		case !sameCurve(q.ECN, other.ECN):
			what = "marked"
		case q.Limit.Value != other.Limit.Value || q.Reserved.Value != other.Reserved.Value:
			what = "bounded"
		default:
			continue
		}
		name := own.ports[0].Name
		for _, port := range own.ports {
			if port.Speed == speed {
				name = port.Name
			}
		}
		s.found.Warnf(PortOdd, at, "queue %d of %s is not %s like that of all %d other ports at %v", q.ID, name, what, others, speed).
			Fixf("check whether the port should differ").Notef(first(other.Range, usual.pfcAt()), "the queue of the others")
	}
}

func sameScheduler(a, b *plan.Scheduler) bool {
	return a.Strict == b.Strict && a.Weight.Value == b.Weight.Value && a.MaxRate.Value == b.MaxRate.Value
}

// mtuUneven warns of ports with RDMA that take smaller frames than others: they drop larger frames
// from the others, lossless or not. Ports that are not in the file are reported together: that none
// of them is in use is as likely.
func mtuUneven(s *subject) {
	var largest *plan.Port
	for _, k := range s.kinds {
		for _, port := range k.ports {
			if s.roce(k) && port.MTU != 0 && (largest == nil || port.MTU > largest.MTU) {
				largest = port
			}
		}
	}
	var silent []*plan.Port
	for _, k := range s.kinds {
		for _, port := range k.ports {
			switch {
			case !s.roce(k) || port.MTU == 0 || port.MTU >= largest.MTU:
			case port.MTURange.Filename == "":
				silent = append(silent, port)
			default:
				s.smaller(port, largest, port.Name+" accepts")
			}
		}
	}
	switch others := len(silent) - 1; {
	case others == 0:
		s.smaller(silent[0], largest, silent[0].Name+" accepts")
	case others > 0:
		s.smaller(silent[0], largest, fmt.Sprintf("%s and %s without an MTU accept", silent[0].Name, natural.Count(others, "other port", "other ports")))
	}
}

func (s *subject) smaller(port, largest *plan.Port, takes string) {
	s.found.Warnf(MTUUneven, first(port.MTURange, port.Range), "%s frames of %v, but %s, which carries RDMA too, of %v: larger frames that leave by %s are dropped", takes, port.MTU, largest.Name, largest.MTU, port.Name).
		Fixf("give all ports with lossless classes one MTU").Notef(first(largest.MTURange, largest.Range), "the larger one")
}

// pam4 is the least rate of a lane that has four levels: IEEE 802.3cd, 50 Gb/s.
const pam4 units.BitRate = 50 * units.Gbps

// correctedFrom is the rate from which on every link has RS-FEC: IEEE 802.3bs, clause 119.
const correctedFrom units.BitRate = 200 * units.Gbps

// fecMissing finds ports that need the code that corrects their errors, and do without.
func fecMissing(s *subject) {
	for _, k := range s.kinds {
		for _, port := range k.ports {
			if why := needsRS(port); why != "" && s.roce(k) {
				s.found.Errorf(FECMissing, port.Range, "%s runs at %v with FEC %q: %s; without it the link loses packets, lossless ones too, or stays down", port.Name, port.Speed, port.FEC, why).
					Fixf("set fec to rs at both ends")
				break
			}
		}
	}
}

// needsRS says why a port needs RS-FEC and has another code or none; empty where that is not known.
// BASE-R FEC is for links of 10 to 50 Gb/s (IEEE 802.3 clause 74); at 100 Gb/s copper has RS-FEC
// (IEEE 802.3 table 92-1, 100GBASE-CR4).
func needsRS(port *plan.Port) string {
	copper := port.Medium == "dac" || port.Medium == "copper"
	switch {
	case port.FEC != "none" && port.FEC != "fc":
		return ""
	case perLane(port) >= pam4 || port.Speed >= correctedFrom:
		return fmt.Sprintf("a link needs RS-FEC from %v on, and with lanes of %v", correctedFrom, pam4)
	case port.Speed >= hundred && port.FEC == "fc":
		return fmt.Sprintf("from %v on, RS-FEC is the only code", hundred)
	case port.Speed >= hundred && copper:
		return fmt.Sprintf("from %v on, a copper link needs RS-FEC", hundred)
	}
	return ""
}

const hundred = 100 * units.Gbps

// speedNotOnChip checks speeds against the catalogue: another chip was meant, another speed, or
// more lanes.
func speedNotOnChip(s *subject) {
	if s.chip == nil {
		return
	}
	speeds, err := s.chip.PortSpeeds.Get()
	lane := s.chip.LaneRate.Or(0)
	for i := range s.sw.Ports {
		port := &s.sw.Ports[i]
		switch {
		case port.Speed == 0:
		case err == nil && !slices.Contains(speeds, port.Speed):
			s.found.Warnf(SpeedNotOnChip, port.Range, "%s runs at %v, a speed that the catalogue does not list for %s", port.Name, port.Speed, s.chip.Title).
				Fixf("check --chip")
			return
		case lane != 0 && perLane(port) > lane:
			s.found.Warnf(SpeedNotOnChip, port.Range, "%s runs at %v over %d lanes, but a lane of %s carries only %v", port.Name, port.Speed, len(port.Lanes), s.chip.Title, lane).
				Fixf("give it all of its lanes, or a lower speed")
			return
		}
	}
}

// perLane returns the rate of each lane of a port; 0 where the file has no lanes.
func perLane(port *plan.Port) units.BitRate {
	if len(port.Lanes) == 0 {
		return 0
	}
	return port.Speed / units.BitRate(len(port.Lanes))
}

// cableUnknown warns of lossless ports without a length. Only SONiC has lengths.
func cableUnknown(s *subject) {
	if s.sw.OS != "sonic" {
		return
	}
	for _, k := range s.kinds {
		for _, port := range k.ports {
			if port.Cable == 0 && k.lossless() {
				s.found.Warnf(CableUnknown, first(port.CableRange, port.Range), "%s is lossless, but CABLE_LENGTH has no length for it", port.Name).
					Fixf("give it the length of its cable; 0m means that the switch computes no headroom")
			}
		}
	}
}

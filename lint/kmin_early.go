package lint

import (
	"github.com/roceplan/roceplan/plan"
	"github.com/roceplan/roceplan/units"
)

// packetsBeforeMarking is how many full RoCE packets a queue holds before marking costs no
// throughput, and gentleTime and gentlePmax a slope that costs none with a single one:
// docs/marking-study.md.
const (
	packetsBeforeMarking = 3
	gentleTime           = 8 * units.Microsecond
	gentlePmax           = 5 * units.Percent
)

// kminEarly warns of curves that begin so early that the port runs idle.
func kminEarly(s *subject) {
	for _, k := range s.kinds {
		packet := fullPacket(k.ports[0].MTU)
		for _, q := range k.qos.Queues {
			e := q.ECN
			if e == nil || e.KMin.Why == nil || e.KMin.Value < k.ports[0].MTU || e.KMin.Value >= e.KMax.Value {
				continue // below a frame, and above Kmax, other rules say what is wrong
			}
			if e.KMin.Value >= packetsBeforeMarking*packet {
				continue
			}
			for _, port := range k.ports {
				if !gentle(e, port.Speed) {
					s.found.Warnf(KminEarly, at(e.KMin, k.ports[0].Range), "Kmin of queue %d of %s is %v, less than %d full RoCE packets of %v: flows that are marked so early leave the port idle", q.ID, port.Name, e.KMin.Value, packetsBeforeMarking, packet).
						Fixf("set Kmin to %v, or to three packets of the servers' RoCE MTU if that is smaller", packetsBeforeMarking*packet)
					break
				}
			}
		}
	}
}

// roceHeaders is what a packet of RoCE has besides its payload: Ethernet 14, IPv4 20, UDP 8,
// BTH 12, ICRC 4, FCS 4.
const roceHeaders units.Bytes = 62

// fullPacket is the largest RoCE packet that a port takes, with an MTU of InfiniBand. It is 0 if
// none fits, and the smallest of the study where the file has no MTU.
func fullPacket(frame units.Bytes) units.Bytes {
	if frame <= 0 {
		return 1024 + roceHeaders
	}
	for mtu := units.Bytes(4096); mtu >= 256; mtu /= 2 {
		if mtu+roceHeaders <= frame {
			return mtu + roceHeaders
		}
	}
	return 0
}

// gentle reports whether a curve rises so slowly that a small Kmin is forgiven. Where the
// speed is not known, it may be.
func gentle(e *plan.ECN, speed units.BitRate) bool {
	return e.PMax.Value <= gentlePmax && (speed <= 0 || e.KMax.Value-e.KMin.Value >= speed.FloorBytes(gentleTime))
}

package lint

import (
	"github.com/roceplan/roceplan/units"
)

// pam4 is the least rate of a lane that has four levels: IEEE 802.3cd, 50 Gb/s.
const pam4 units.BitRate = 50 * units.Gbps

// correctedFrom is the rate from which on every link has RS-FEC: IEEE 802.3bs, clause 119.
const correctedFrom units.BitRate = 200 * units.Gbps

// fecMissing finds ports that need the code that corrects their errors, and do without.
func fecMissing(s *subject) {
	for _, k := range s.kinds {
		for _, port := range k.ports {
			if (port.FEC == "none" || port.FEC == "fc") && (perLane(port) >= pam4 || port.Speed >= correctedFrom) && s.roce(k) {
				s.found.Errorf(FECMissing, port.Range, "%s runs at %v with FEC %q: from %v on, and with lanes of %v, a link needs RS-FEC, and without it loses packets, lossless ones too, or is down", port.Name, port.Speed, port.FEC, correctedFrom, pam4).
					Fixf("set fec to rs on both ends")
				break
			}
		}
	}
}

package lint

import (
	"fmt"

	"github.com/roceplan/roceplan/plan"
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

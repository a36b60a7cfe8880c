package verify

import (
	"cmp"
	"fmt"

	"github.com/roceplan/roceplan/diag"
	"github.com/roceplan/roceplan/internal/natural"
	"github.com/roceplan/roceplan/lint"
	"github.com/roceplan/roceplan/plan"
)

// nothing says that no lossless group was read. It is an error where there should be one: by the
// fabric, or by PFC on a port. A switch that has ports and no PFC may well be one without RoCE.
func (s *Switch) nothing(planned *plan.Switch) {
	at := diag.Top(s.shape.First())
	ports := natural.Count(s.Coverage.Ports, "port", "ports")
	without, where, buffers := s.withoutHeadroom()
	if without == "" {
		s.because(NotJudged, at, nil, "no lossless priority group was read")
		if planned == nil && s.Coverage.Ports > 0 {
			s.lossy = len(s.shape.Found) == 0
			s.Findings.Warnf(NothingLossless, at, "in this file none of %s has PFC or a lossless priority group, so nothing is proved", ports).
				Fixf("leave the file out if the switch carries no RoCE; otherwise give the file that sets PFC and buffers")
			return
		}
	} else {
		s.because(NotJudged, where, nil, "%s", without)
	}
	s.Findings.Errorf(NothingLossless, at, "no lossless priority group was found for %s, so nothing is proved", ports).
		Fixf("give %s, or leave this file out", cmp.Or(buffers, "the file that sets PFC and buffers"))
}

// withoutHeadroom says which ports have PFC whose groups have no headroom, where it is turned on, and which file has
// the groups, where the device may add them. All is empty where no port has PFC.
func (s *Switch) withoutHeadroom() (without string, where diag.Range, buffers string) {
	var first *plan.Port
	paused, ports := uint8(0), 0
	for i := range s.Plan.Ports {
		port := &s.Plan.Ports[i]
		if port.QoS == nil || port.QoS.PFC == 0 {
			continue
		}
		ports++
		paused |= uint8(port.QoS.PFC)
		first = cmp.Or(first, port)
		for p := range uint8(8) {
			if port.QoS.PFC&(1<<p) != 0 && port.QoS.PG(s.Plan.Maps.PFCToPG[p]) == nil {
				buffers = s.shape.Format.Adds
			}
		}
	}
	if first == nil {
		return "", where, ""
	}
	without = fmt.Sprintf("%s has PFC", first.Name)
	if ports > 1 {
		without = fmt.Sprintf("%s and %s have PFC", first.Name, natural.Count(ports-1, "more port", "more ports"))
	}
	without += fmt.Sprintf(" for %s, and the file gives no priority group headroom", lint.Priorities(paused))
	if buffers != "" {
		without += ": it is in " + buffers
	}
	return without, cmp.Or(first.QoS.Range, first.Range, diag.Top(s.shape.First())), buffers
}

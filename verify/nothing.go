package verify

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/roceplan/roceplan/diag"
	"github.com/roceplan/roceplan/internal/natural"
	"github.com/roceplan/roceplan/lint"
	"github.com/roceplan/roceplan/model/proof"
	"github.com/roceplan/roceplan/plan"
	"github.com/roceplan/roceplan/read"
)

// nothing says that no lossless group was read. It is an error where there should be one: by the
// fabric, or by PFC on a port. A switch that has ports and no PFC may well be one without RoCE.
func (s *Switch) nothing(planned *plan.Switch) {
	at := diag.Top(s.shape.First())
	ports := natural.Count(s.Coverage.Ports, "port", "ports")
	without, where, buffers := s.withoutHeadroom()
	if without == "" {
		s.because(NotJudged, at, nil, "no lossless priority group was read")
		unread := s.shape.Ledger.Unmodelled()
		if i := slices.IndexFunc(unread, func(of read.Statement) bool { return of.Why != "" }); i >= 0 { // such as a range of ports, whose lines say it
			s.because(NotJudged, unread[i].At, nil, "%q is not modelled: %s", unread[i].Text, unread[i].Why)
		}
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
	if without, where = s.paused(func(*plan.PG, uint8) bool { return true }); without == "" {
		return "", where, ""
	}
	without += ", and the file gives no priority group headroom"
	if missing, _ := s.paused(func(pg *plan.PG, _ uint8) bool { return pg == nil }); missing != "" && s.shape.Format.Adds != "" {
		buffers = s.shape.Format.Adds
		without += ": it is in " + buffers
	}
	return without, where, buffers
}

// partly finds ports with PFC whose packets come into a group that drops, on a switch with groups that do not.
func (s *Switch) partly() {
	drops, where := s.paused(func(pg *plan.PG, id uint8) bool {
		used := func(c plan.Class) bool { return c.PG == id && len(c.DSCPs) > 0 }
		return (pg != nil || s.shape.Format.Adds == "") && (pg == nil || !pg.Lossless) && slices.ContainsFunc(s.Plan.Classes, used)
	})
	if drops != "" {
		s.because(NotJudged, where, func(*Group) bool { return false }, "%s, and the priority group there has no headroom", drops)
	}
}

// added returns the condition that a device adds groups that are not in its file, on a switch with others; none where it
// adds none.
func (s *Switch) added() (c proof.Condition, ok bool) {
	missing, _ := s.paused(func(pg *plan.PG, _ uint8) bool { return pg == nil })
	adds := s.shape.Format.Adds
	return proof.Condition{ID: Taken, Where: "whole switch", Assumes: missing + ", and the file has no priority group for it: the device adds one with enough headroom, and leaves the other groups theirs", Declare: adds}, missing != "" && adds != ""
}

// paused says which ports have PFC for priorities whose group holds, and where it is turned on. A group may be nil.
func (s *Switch) paused(holds func(pg *plan.PG, id uint8) bool) (text string, where diag.Range) {
	var first *plan.Port
	if s.shape.pass && s.Coverage.Groups > 0 {
		return "", where
	}
	priorities, ports := uint8(0), 0
	for i := range s.Plan.Ports {
		port := &s.Plan.Ports[i]
		mine := uint8(0)
		for p := range uint8(8) {
			if id := s.Plan.Maps.PFCToPG[p]; port.QoS != nil && port.QoS.PFC&(1<<p) != 0 && holds(port.QoS.PG(id), id) {
				mine |= 1 << p
			}
		}
		if mine != 0 {
			ports++
			priorities |= mine
			first = cmp.Or(first, port)
		}
	}
	if first == nil {
		return "", where
	}
	text = fmt.Sprintf("%s has PFC", first.Name)
	if ports > 1 {
		text = fmt.Sprintf("%s and %s have PFC", first.Name, natural.Count(ports-1, "more port", "more ports"))
	}
	return text + " for " + lint.Priorities(priorities), cmp.Or(first.QoS.Range, first.Range, diag.Top(s.shape.First()))
}

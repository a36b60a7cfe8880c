package verify

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/roceplan/roceplan/internal/stable"
	"github.com/roceplan/roceplan/model"
	"github.com/roceplan/roceplan/model/proof"
	"github.com/roceplan/roceplan/plan"
	"github.com/roceplan/roceplan/units"
)

// activeAtOnce makes a condition of how many groups have packets at once, where a device that
// divides and fills the buffer by figures that are assumed cannot hold those of all: the most that
// it holds, whichever they are. Nothing is refuted by such figures as long as it holds the fewest that
// congest a port.
func (v *Verifier) activeAtOnce(s *Switch) error {
	if !s.Proof.LosesPackets() {
		return nil
	}
	order := neediestFirst(s.Plan)
	low, high := 0, len(order) // holds low, if that is not 0, and not high
	var held *proof.Report
	lost := s.Proof
	for high-low > 1 {
		middle := (low + high) / 2
		report, err := proof.Prove(withActive(s.Plan, order[:middle]), s.chip, v.context)
		if err != nil {
			return err
		}
		if short(report) {
			high, lost = middle, report
		} else {
			low, held = middle, report
		}
	}
	if low < proof.FewestAtOnce {
		return nil
	}
	for i := range s.Proof.Obligations {
		o := &s.Proof.Obligations[i]
		if o.Lossless && o.Verdict == proof.Fails {
			under := tightest(held, o.ID)
			if under == nil {
				continue
			}
			o.Verdict = proof.Conditional
			o.Under = under.Read()
			o.Conditions = append(o.Conditions, proof.ActiveAtOnce(o.Where, low, len(order), -o.Slack()))
		}
	}
	s.AtOnce, s.Drops = low, dropsAt(lost, high)
	return nil
}

// dropsAt says where packets are lost first when one port more has some.
func dropsAt(r *proof.Report, ports int) string {
	for i := range r.Obligations {
		if o := &r.Obligations[i]; o.Lossless && o.Verdict != proof.Unjudged && o.Slack() < 0 {
			return fmt.Sprintf("drops at %s (%s): %s, if %d lossless ports have packets in the buffer at once", o.Where, o.ID, Amount(-o.Slack(), o.Unit), ports)
		}
	}
	return ""
}

// tightest returns the obligation of a kind that has the least slack; nil if there is none, or if one of
// the kind is open.
func tightest(r *proof.Report, id string) (least *proof.Obligation) {
	for i := range r.Obligations {
		o := &r.Obligations[i]
		switch {
		case o.ID != id || !o.Lossless:
		case o.Verdict == proof.Unjudged:
			return nil
		case least == nil || o.Slack() < least.Slack():
			least = o
		}
	}
	return least
}

// short reports whether an obligation of losslessness does not hold without conditions.
func short(r *proof.Report) bool {
	return slices.ContainsFunc(r.Obligations, func(o proof.Obligation) bool {
		return o.Lossless && o.Verdict != proof.Unjudged && o.Slack() < 0
	})
}

// neediestFirst returns the ports with lossless groups, those first over whose links most comes in
// after a pause.
func neediestFirst(sw *plan.Switch) (ports []int) {
	wire := map[int]units.Bytes{}
	for i := range sw.Ports {
		port := &sw.Ports[i]
		if port.QoS == nil || groupsOf(port.QoS) == 0 {
			continue
		}
		declared := plan.Assumed{}
		if port.Assumed != nil {
			declared = *port.Assumed
		}
		if link := model.NewLink(port, sw.MTU.Value, declared); link.Unknown(port.Name) == "" {
			wire[i] = link.Bytes()
		}
		ports = append(ports, i)
	}
	stable.Sort(ports, func(a, b int) int { return cmp.Compare(wire[b], wire[a]) })
	return ports
}

// withActive returns the switch when lossless packets come in at some ports alone. They may leave by
// all.
func withActive(sw *plan.Switch, active []int) *plan.Switch {
	in := map[int]bool{}
	for _, i := range active {
		in[i] = true
	}
	own := *sw
	own.Ports = append([]plan.Port(nil), sw.Ports...)
	idle := map[*plan.PortQoS]*plan.PortQoS{}
	for i := range own.Ports {
		qos := own.Ports[i].QoS
		if in[i] || qos == nil {
			continue
		}
		if idle[qos] == nil {
			clone := *qos
			clone.PFC, clone.PGs = 0, append([]plan.PG(nil), qos.PGs...)
			for k := range clone.PGs {
				if pg := &clone.PGs[k]; pg.Lossless {
					*pg = plan.PG{ID: pg.ID, Pool: pg.Pool}
				}
			}
			idle[qos] = &clone
		}
		own.Ports[i].QoS = idle[qos]
	}
	return &own
}

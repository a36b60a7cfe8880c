package verify

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/roceplan/roceplan/chips"
	"github.com/roceplan/roceplan/diag"
	"github.com/roceplan/roceplan/internal/natural"
	"github.com/roceplan/roceplan/lint"
	"github.com/roceplan/roceplan/model"
	"github.com/roceplan/roceplan/plan"
	"github.com/roceplan/roceplan/read"
	"github.com/roceplan/roceplan/units"
)

// complete adds declared facts that the file cannot hold: the chip, the cables, the fabric's ports
// and their peers. It overrides nothing in the file, and adds nothing that was computed.
// Switch.Declared lists what was added.
func (v *Verifier) complete(s *Switch, planned *plan.Switch) {
	s.chip = v.Chip
	known, contradictions := v.Cables.fill(s.Plan)
	if known > 0 {
		s.declares("cables of %s", natural.Count(known, "port", "ports"))
	}
	s.Findings = append(s.Findings, contradictions...)
	if planned != nil {
		s.chip, _ = v.Catalogue.Find(planned.Chip)
		s.fromFabric(planned)
	}
	own, told := v.Catalogue.ChipOf(s.Plan.Platform, s.Plan.HwSKU)
	inferred := told && s.chip == nil
	switch {
	case inferred:
		s.chip = own
	case told && own.Name != s.chip.Name:
		s.Findings.Errorf(ChipDiffers, s.Plan.Range, "by its platform and HwSKU the switch has %s, but it is judged as %s", own.Title, s.chip.Title).
			Fixf("check which of the two is right")
	}
	if s.chip == nil {
		v.byPorts(s)
	}
	v.namesAgree(s)
	if planned != nil && s.Plan.HwSKU != "" {
		v.layout(s, planned)
	}
	if s.chip != nil {
		useChip(s.Plan, s.chip)
		s.Chip = s.chip.Name
		s.Declared = append(s.Declared, chipDeclared(s.chip.Name))
		if inferred {
			s.declares("%s", v.inferredBy(s.Plan))
		}
		if s.shape.Format.Silent == "" {
			s.unfilled = s.ownHeadroom(v.Catalogue)
			s.lossyDefaults()
			s.bothSides()
			var taken []read.Assumption
			if s.unfilled == nil {
				s.divided, taken, s.unfilled = fillBuffers(s.Plan, s.chip)
			}
			s.shown = planned != nil && s.unfilled == nil && s.shape.Format.OwnPools && s.shownPools(planned)
			s.taken = append(s.taken, taken...)
			if e := (*exceeded)(nil); errors.As(s.unfilled, &e) {
				s.Findings.Errorf(MemoryExceeded, e.at, "%v", e).Fixf("reduce reserves and headroom to at most the memory of the chip")
			}
		}
	}
	v.declarePeers(s)
	s.respondAs400G()
	v.divideHeadroom(s, planned)
}

// byPorts infers the chip where only one box runs the ports of the file.
func (v *Verifier) byPorts(s *Switch) {
	if s.shape.Format.Chips == nil || groupsIn(s.Plan) == 0 {
		return
	}
	possible := s.shape.Format.Chips(s.Plan)
	if len(possible) != 1 {
		return
	}
	if s.chip, _ = v.Catalogue.Find(possible[0]); s.chip != nil {
		s.taken = append(s.taken, read.Assumption{
			Where: "whole switch", Declare: "the chip, by --chip or a fabric file",
			Assumes: fmt.Sprintf("assumed: the chip is %s, which is in the only box with %s and ports of these speeds", s.chip.Name, s.Title()),
		})
	}
}

func groupsIn(sw *plan.Switch) (n int) {
	for i := range sw.Ports {
		if qos := sw.Ports[i].QoS; qos != nil {
			n += bits8(groupsOf(qos))
		}
	}
	return n
}

// respondAs400G assumes a response for undeclared peers, at speeds without a public standard, where
// the device computes headroom itself: without one there is nothing to compare with.
func (s *Switch) respondAs400G() {
	if s.shape.Format.Computed == "" || s.chip == nil {
		return
	}
	response := responseAt400G()
	var ports []string
	for i := range s.Plan.Ports {
		port := &s.Plan.Ports[i]
		if _, standard := model.StandardResponse(port.Speed); standard || port.Speed == 0 || port.QoS == nil || groupsOf(port.QoS) == 0 || port.Assumed != nil && port.Assumed.Declared {
			continue
		}
		own := plan.Assumed{}
		if port.Assumed != nil {
			own = *port.Assumed
		}
		own.Declared, own.Response = true, plan.Of(response, nil)
		port.Assumed, ports = &own, append(ports, port.Name)
	}
	if len(ports) > 0 {
		s.taken = append(s.taken, read.Assumption{
			Where: plan.Abbreviate(ports), Declare: "pause_response in a fabric file, or --response",
			Assumes: fmt.Sprintf("assumed: peers respond to a pause within %v, the limit of IEEE 802.3 at 400 Gb/s; no limit is published for their speed, and SONiC's calculator uses half of this one", response),
		})
	}
}

// responseAt400G returns the response that IEEE 802.3 allows at the fastest speed with a published response:
// 1158.4 ns, at 200 Gb/s 1159.68 ns.
func responseAt400G() units.Time {
	response, _ := model.StandardResponse(400 * units.Gbps)
	return response
}

// namesAgree finds a HwSKU that only boxes with another chip than that of the platform can be
// used as.
func (v *Verifier) namesAgree(s *Switch) {
	box, ok := v.Catalogue.Box(s.Plan.Platform)
	if !ok || s.Plan.HwSKU == "" || box.Chip == "" || box.Has(s.Plan.HwSKU) {
		return
	}
	others := v.Catalogue.BoxesOf(s.Plan.HwSKU)
	if len(others) == 0 || slices.ContainsFunc(others, func(b *chips.Box) bool { return b.Chip == "" || b.Chip == box.Chip }) {
		return
	}
	s.Findings.Errorf(ChipDiffers, s.Plan.Range, "the platform is %s with %s, but the HwSKU is one of %s with %s", box.Name, box.Chip, others[0].Name, others[0].Chip).
		Fixf("check which of the two is right")
}

// layout reports a HwSKU in a file that does not make the ports of the fabric, where the fabric does not name it too. A HwSKU
// with a hwsku.json lets the configuration break cages out otherwise; the default one of a box is made to be broken out.
func (v *Verifier) layout(s *Switch, planned *plan.Switch) {
	layouts := v.Catalogue.Layouts(cmp.Or(s.Plan.Platform, planned.Platform), s.Plan.HwSKU)
	i := slices.IndexFunc(layouts, func(l chips.Layout) bool { return strings.EqualFold(l.HwSKU, s.Plan.HwSKU) })
	if i < 0 || strings.EqualFold(s.Plan.HwSKU, planned.HwSKU) || layouts[i].Flexible && layouts[i].Default {
		return
	}
	for k := range planned.Ports {
		p := &planned.Ports[k]
		if len(p.Lanes) == 0 || layouts[i].Makes(p.Name, len(p.Lanes), p.Speed) {
			continue
		}
		made := "no port of that name"
		if row, ok := layouts[i].Port(p.Name); ok {
			made = fmt.Sprintf("it with %s", natural.Count(len(row.Lanes), "lane", "lanes"))
			if row.Speed != 0 {
				made += fmt.Sprintf(" and %v", row.Speed)
			}
		}
		add := s.Findings.Errorf
		if layouts[i].Flexible {
			add = s.Findings.Warnf
		}
		add(lint.FabricPortDiffers, s.Plan.Range, "in the fabric, %s has %s and %v, and the HwSKU %s in the file makes %s", p.Name, natural.Count(len(p.Lanes), "lane", "lanes"), p.Speed, layouts[i].HwSKU, made).
			Fixf("set the HwSKU of the fabric, or describe the ports of this one there")
		return
	}
}

// inferredBy says how the chip of a file is known that names its box.
func (v *Verifier) inferredBy(sw *plan.Switch) string {
	if v.Catalogue.ChipAssumed(sw.Platform, sw.HwSKU) {
		return "the chip by the platform or HwSKU in the file, which is assumed: no source says which chip this box has"
	}
	return "the chip by the platform or HwSKU in the file"
}

func (s *Switch) declares(format string, args ...any) {
	s.Declared = append(s.Declared, fmt.Sprintf(format, args...))
}

func chipDeclared(name string) string { return "chip " + name }

// fromFabric takes what the fabric declares of ports.
func (s *Switch) fromFabric(planned *plan.Switch) {
	byName := make(map[string]*plan.Port, len(planned.Ports))
	for i := range planned.Ports {
		byName[planned.Ports[i].Name] = &planned.Ports[i]
	}
	var speeds, cables, frames, gearboxes, lanes int
	var peers []string
	for i := range s.Plan.Ports {
		port := &s.Plan.Ports[i]
		from := byName[port.Name]
		if from == nil {
			continue
		}
		port.Group = from.Group
		setIfZero(&port.Peer, from.Peer)
		setIfZero(&port.Medium, from.Medium)
		speeds += setIfZero(&port.Speed, from.Speed)
		cables += setIfZero(&port.Cable, from.Cable)
		frames += setIfZero(&port.MTU, from.MTU)
		gearboxes += setIfZero(&port.Gearbox, from.Gearbox)
		if len(port.Lanes) == 0 && len(from.Lanes) > 0 {
			port.Lanes = from.Lanes
			lanes++
		}
		if port.Assumed == nil {
			port.Assumed, port.Server = from.Assumed, port.Server || from.Server
			peers = append(peers, peerText(from)...)
		}
	}
	setIfZero(&s.Plan.MTU.Value, planned.MTU.Value)
	if setIfZero(&s.Plan.PausedPGs, planned.PausedPGs) > 0 {
		s.declares("at most %s of a part of the buffer paused at once", natural.Count(planned.PausedPGs, "group", "groups"))
	}
	for _, f := range []struct {
		n    int
		what string
	}{{speeds, "speeds"}, {cables, "lengths of cables"}, {frames, "largest frames"}, {gearboxes, "delays of gearboxes"}, {lanes, "serdes lanes"}} {
		if f.n > 0 {
			s.declares("%s of %s", f.what, natural.Count(f.n, "port", "ports"))
		}
	}
	slices.Sort(peers)
	s.Declared = append(s.Declared, slices.Compact(peers)...)
}

// peerText says what is declared of the peer of a port and of its packets.
func peerText(port *plan.Port) (texts []string) {
	a := port.Assumed
	if a == nil {
		return nil
	}
	if a.Declared {
		texts = append(texts, fmt.Sprintf("peers of %s respond to a pause within %v", port.Group, a.Response.Value))
	}
	if f := a.LosslessFrame.Value; f > 0 && f < port.MTU {
		texts = append(texts, fmt.Sprintf("lossless frames of %s have %v at most", port.Group, f))
	}
	if share := a.SmallPackets.Value; share > 0 && share < units.One {
		texts = append(texts, fmt.Sprintf("of the packets that %s takes in after a pause at most %v are of the smallest size", port.Group, share))
	}
	return texts
}

// setIfZero returns 1 where it set something.
func setIfZero[T comparable](to *T, from T) int {
	var zero T
	if *to == zero && from != zero {
		*to = from
		return 1
	}
	return 0
}

// declarePeers gives ports that nothing is declared of what the caller declares of all
// peers. A frame alone leaves the response to the standard.
func (v *Verifier) declarePeers(s *Switch) {
	p := v.Peers
	var single []string
	for i := range s.Plan.Ports {
		if port := &s.Plan.Ports[i]; port.Assumed == nil {
			port.Assumed = p.Of[plan.LinkEnd{Switch: s.Names[0], Port: port.Name}]
			single = append(single, peerText(port)...)
		}
	}
	slices.Sort(single)
	s.Declared = append(s.Declared, slices.Compact(single)...)
	if p.Response == nil && p.LosslessFrame == 0 {
		return
	}
	if p.Response != nil {
		s.declares("every peer responds to a pause within %v", *p.Response)
	}
	if p.LosslessFrame > 0 {
		s.declares("lossless frames have %v at most", p.LosslessFrame)
	}
	all := p.assumed()
	for i := range s.Plan.Ports {
		if port := &s.Plan.Ports[i]; port.Assumed == nil {
			port.Assumed = all
		}
	}
}

// assumed returns the declarations of the caller; the standard fills in for those it leaves out.
func (p Peers) assumed() *plan.Assumed {
	a := &plan.Assumed{Declared: p.Response != nil, LosslessFrame: plan.Of(p.LosslessFrame, nil)}
	if p.Response != nil {
		a.Response = plan.Of(*p.Response, nil)
	}
	return a
}

// blamed reports whether an error says already what is wrong with a line.
func blamed(found diag.List, at diag.Range) bool {
	return slices.ContainsFunc(found, func(d diag.Diagnostic) bool { return d.Severity == diag.Error && d.Subject == at })
}

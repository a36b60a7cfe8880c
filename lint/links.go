package lint

import (
	"fmt"

	"github.com/roceplan/roceplan/diag"
	"github.com/roceplan/roceplan/plan"
	"github.com/roceplan/roceplan/units"
)

// Links checks the two ends of every link against each other. find gives the switch of a device,
// nil where nothing was read of it: such links are skipped. Links whose ends have the same settings
// are judged once, under the first one's name.
func Links(links []plan.Link, find func(device string) *plan.Switch) diag.List {
	return Joints(links, find, func(*plan.Link, *Joint) {})
}

// Joints is [Links], and calls visit with what the two files of each link say of each other.
func Joints(links []plan.Link, find func(device string) *plan.Switch, visit func(*plan.Link, *Joint)) diag.List {
	s := &survey{find: find, ports: map[*plan.Switch]map[string]*plan.Port{}, kinds: map[*plan.Switch][]*admission{}, seen: map[[2]port]*Joint{}}
	for i := range links {
		if joint := s.link(links[i]); joint != nil {
			visit(&links[i], joint)
		}
	}
	return once(s.found)
}

// linkRules returns all rules for a link.
func linkRules() []func(*joined) {
	return []func(*joined){linkPFCDiffers, linkDSCPDiffers, linkMTUDiffers, linkSpeedDiffers, linkCableDiffers, linkFECDiffers, linkCNPDiffers, pausesIgnored}
}

type survey struct {
	find  func(string) *plan.Switch
	ports map[*plan.Switch]map[string]*plan.Port
	kinds map[*plan.Switch][]*admission
	seen  map[[2]port]*Joint
	found diag.List
}

// A port is all that link rules look at.
type port struct {
	sw    *plan.Switch
	qos   *plan.PortQoS
	speed units.BitRate
	cable units.Length
	mtu   units.Bytes
	frame units.Bytes // largest of lossless classes
	fec   string
}

func portKey(sw *plan.Switch, p *plan.Port) port {
	return port{sw, p.QoS, p.Speed, p.Cable, p.MTU, losslessFrame(p), p.FEC}
}

// losslessFrame returns the largest frame of lossless classes that is declared for a port; 0: none.
func losslessFrame(p *plan.Port) units.Bytes {
	if p.Assumed == nil {
		return 0
	}
	return p.Assumed.LosslessFrame.Value
}

// link compares the ends of a link. It returns nil where there is nothing to compare.
func (s *survey) link(link plan.Link) *Joint {
	if link.A.Switch == "" || link.B.Switch == "" {
		return nil
	}
	a, b := s.end(link.A, link.B), s.end(link.B, link.A)
	if a == nil || b == nil {
		return s.portless(link, a, b)
	}
	if a.port.QoS == nil || b.port.QoS == nil {
		return nil
	}
	key := [2]port{portKey(a.sw, a.port), portKey(b.sw, b.port)}
	if joint := s.seen[key]; joint != nil {
		return joint
	}
	j := &joined{s: s, a: a, b: b, joint: &Joint{}}
	s.seen[key] = j.joint
	for _, judge := range linkRules() {
		judge(j)
	}
	return j.joint
}

// portless returns a link of which the file of one end does not have the port.
func (s *survey) portless(link plan.Link, a, b *end) *Joint {
	missing := link.B
	if a == nil {
		missing = link.A
	}
	sw := s.find(missing.Switch)
	if a == b || sw == nil { // neither has its port, or nothing was read of one
		return nil
	}
	return &Joint{Denied: []Denial{{OfB: a == nil, Text: "has no port " + missing.Port, At: sw.Range}}}
}

// end finds one end; nil where nothing is known of it, or it is missing.
func (s *survey) end(at, peer plan.LinkEnd) *end {
	sw := s.find(at.Switch)
	if sw == nil {
		return nil
	}
	ports := s.ports[sw]
	if ports == nil {
		ports = sw.PortsByName()
		s.ports[sw] = ports
	}
	p := ports[at.Port]
	if p == nil {
		s.linkPortMissing(sw, at.Switch, at.Port, peer)
		return nil
	}
	return &end{device: at.Switch, sw: sw, port: p}
}

// joined is a link with both ends.
type joined struct {
	s     *survey
	a, b  *end
	joint *Joint
}

func (l *joined) errorf(code diag.Code, a, b diag.Range, format string, args ...any) *diag.Diagnostic {
	return l.s.found.Errorf(code, a, format, args...).Notef(b, "the other end")
}

// An end is one port of one device.
type end struct {
	device string
	sw     *plan.Switch
	port   *plan.Port
}

func (e *end) String() string { return e.device + " " + e.port.Name }

// silent reports whether the file of the switch cannot say anything of PFC.
func (e *end) silent() bool { return e.sw.OS == "openconfig" }

func (e *end) pfc() uint8 { return e.port.QoS.PFC }

func (e *end) pfcAt() diag.Range { return first(e.port.QoS.Range, e.port.Range, e.sw.Range) }

func (e *end) dscpAt(dscp uint8) diag.Range {
	return first(e.sw.Places.DSCPToTC[dscp&63], e.port.QoS.Range, e.port.Range, e.sw.Range)
}

// A priority is a PFC priority, or lossy.
type priority uint8

const lossy priority = 255

func (p priority) String() string {
	if p == lossy {
		return "lossy"
	}
	return fmt.Sprintf("lossless with priority %d", uint8(p))
}

// class returns the traffic class of a code point that comes in at this end.
func (e *end) class(dscp uint8) uint8 { return admittedBy(e.sw, e.port.QoS).classes[dscp&63] & 7 }

// priority returns the priority that pauses a code point that comes in at this end.
func (e *end) priority(dscp uint8) priority { return e.pauses(e.class(dscp)) }

// pauses returns the priority of a traffic class at this end.
func (e *end) pauses(tc uint8) priority {
	m := &e.sw.Maps
	pg := m.TCToPG[tc]
	for p := range uint8(8) {
		if e.pfc()&(1<<p) != 0 && m.PFCToPG[p] == pg {
			return priority(p)
		}
	}
	return lossy
}

// leaves returns the code point with which a packet leaves this end that came in by a port of a kind.
func (e *end) leaves(in *admission, dscp uint8) uint8 {
	out := dscp
	if in.rules != nil {
		out = in.rules.Writes(dscp)
	}
	return e.port.QoS.Rewrite.Of(in.classes[dscp&63]&7, out)
}

// cnpQueue returns the queue of CNPs, nil where the file does not schedule it.
func (e *end) cnpQueue() *plan.Queue {
	q := e.port.QoS.Queue(e.sw.QueuesOf(e.port.QoS)[e.class(CNPDSCP)])
	if q == nil || !q.Scheduler.Strict && q.Scheduler.Weight.Value == 0 {
		return nil
	}
	return q
}

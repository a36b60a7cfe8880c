package verify

import (
	"fmt"
	"slices"
	"strings"

	"github.com/roceplan/roceplan/diag"
	"github.com/roceplan/roceplan/internal/natural"
	"github.com/roceplan/roceplan/internal/stable"
	"github.com/roceplan/roceplan/lint"
	"github.com/roceplan/roceplan/plan"
)

// This file holds the verdict on each switch against the files of its neighbours. A verdict assumes
// that peers obey pauses, and that both ends of a link agree. Where the peer's file is among those
// that are judged, it confirms or denies that.

// A Peering is the assumptions of a verdict about peers that their files confirm.
type Peering struct {
	Ports []string `json:"ports"` // with such peers, in natural order
	Files []string `json:"files"` // of the peers, in natural order
	Agree []string `json:"agree"` // what all of them bear out: "pauses of priority 3 are obeyed"
}

// A denied is an assumption of the verdict on a device that a peer's file denies.
type denied struct {
	port, peer string
	of         *Switch // the peer
	lint.Denial
}

// neighbours gathers what files of neighbours say, by device and by switch.
type neighbours struct {
	of     map[string]*Switch
	denied map[string][]denied
	borne  map[*Switch]*borne
}

// borne is what a switch has in common with its peers.
type borne struct {
	ports, files map[string]bool
	facts        lint.Facts
}

// links compares both ends of all links of the fabric, and lets the files of peers confirm or deny
// the assumptions of verdicts. Devices of one shape whose peers say different things are of
// different switches in what it returns.
func (v *Verifier) links(all []*Switch) ([]*Switch, diag.List) {
	n := &neighbours{of: byDevice(all), denied: map[string][]denied{}, borne: map[*Switch]*borne{}}
	found := lint.Joints(v.Fabric.Plan.Links, n.plan, n.visit)
	var apart []*Switch
	for _, s := range all {
		apart = append(apart, n.apart(s)...)
	}
	return apart, found
}

// byDevice finds what was read of a device. Where several files describe it, the one that has
// lossless classes is taken.
func byDevice(all []*Switch) map[string]*Switch {
	of := map[string]*Switch{}
	for _, s := range all {
		for _, name := range s.Names {
			if was := of[name]; was == nil || s.Coverage.Groups > 0 {
				of[name] = s
			}
		}
	}
	return of
}

func (n *neighbours) plan(device string) *plan.Switch {
	if s := n.of[device]; s != nil {
		return s.Plan
	}
	return nil
}

// visit notes what the two files of a link say of each other.
func (n *neighbours) visit(link *plan.Link, joint *lint.Joint) {
	n.bear(link.A, link.B, joint, false)
	n.bear(link.B, link.A, joint, true)
}

func (n *neighbours) bear(own, peer plan.LinkEnd, joint *lint.Joint, isB bool) {
	s, of := n.of[own.Switch], n.of[peer.Switch]
	some := false
	for _, d := range joint.Denied {
		if d.OfB == isB {
			some = true
			n.denied[own.Switch] = append(n.denied[own.Switch], denied{own.Port, peer.Switch, of, d})
		}
	}
	if some || joint.Agreed&lint.Pauses == 0 {
		return
	}
	b := n.borne[s]
	if b == nil {
		b = &borne{map[string]bool{}, map[string]bool{}, joint.Agreed}
		n.borne[s] = b
	}
	b.ports[own.Port] = true
	b.files[of.fileOf(peer.Switch)] = true
	b.facts &= joint.Agreed
}

// fileOf returns the file of one of the devices of a switch.
func (s *Switch) fileOf(device string) string { return s.Files[slices.Index(s.Names, device)] }

// borneOut says in words what both files say alike.
var borneOut = []struct {
	fact lint.Facts
	text string
}{
	{lint.Classes, "code points are in the same classes"}, {lint.Frame, "the largest frame is the same"},
	{lint.Speed, "the speed is the same"}, {lint.Cable, "the cable has the same length"},
	{lint.FEC, "the error correction is the same"},
}

func (b *borne) peering(sw *plan.Switch) *Peering {
	if b == nil {
		return nil
	}
	p := &Peering{Agree: []string{pausesObeyed(sw, b.ports)}}
	for _, one := range borneOut {
		if b.facts&one.fact != 0 {
			p.Agree = append(p.Agree, one.text)
		}
	}
	for port := range b.ports {
		p.Ports = append(p.Ports, port)
	}
	for file := range b.files {
		p.Files = append(p.Files, file)
	}
	stable.Sort(p.Ports, natural.Compare)
	stable.Sort(p.Files, natural.Compare)
	return p
}

// pausesObeyed names the priorities of some ports.
func pausesObeyed(sw *plan.Switch, ports map[string]bool) string {
	set := uint8(0)
	for i := range sw.Ports {
		if port := &sw.Ports[i]; ports[port.Name] && port.QoS != nil {
			set |= port.QoS.PFC
		}
	}
	return fmt.Sprintf("pauses of %s are obeyed", lint.Priorities(set))
}

// String returns the peering in words.
func (p *Peering) String() string {
	return fmt.Sprintf("%s of the peers of %s: %s", severalFiles(p.Files), plan.Abbreviate(p.Ports), strings.Join(p.Agree, ", "))
}

// severalFiles names few files, or the first and how many more there are.
func severalFiles(files []string) string {
	if len(files) <= 2 {
		return strings.Join(files, " and ")
	}
	return fmt.Sprintf("%s and %s", files[0], natural.Count(len(files)-1, "more file", "more files"))
}

// apart divides a switch into devices with the same denials.
func (n *neighbours) apart(s *Switch) (parts []*Switch) {
	at := map[string]*Switch{}
	for i, name := range s.Names {
		list := n.denied[name]
		if n.of[name] != s {
			list = nil
		}
		key := fmt.Sprint(denials(list))
		part := at[key]
		if part == nil {
			part = s.part()
			at[key] = part
			parts = append(parts, part)
			part.Peers = n.borne[s].peering(s.Plan)
			part.deny(list)
		}
		part.Names, part.Files = append(part.Names, name), append(part.Files, s.Files[i])
		part.seen = append(part.seen, s.seen[i])
	}
	for _, part := range parts {
		own := *part.Plan
		own.Names = part.Names
		part.Plan = &own
	}
	return parts
}

// part returns the switch without its devices.
func (s *Switch) part() *Switch {
	own := *s
	own.Names, own.Files, own.seen = nil, nil, nil
	own.Groups, own.Because, own.open = slices.Clone(s.Groups), slices.Clone(s.Because), slices.Clone(s.open)
	return &own
}

// denials are those of a device in words, each once.
func denials(list []denied) (texts []string) {
	for _, d := range list {
		texts = append(texts, d.String())
	}
	return texts
}

func (d *denied) String() string {
	return fmt.Sprintf("%s, the peer of %s, %s", d.peer, d.port, d.Text)
}

// deny worsens the verdict by what peers deny.
func (s *Switch) deny(list []denied) {
	for _, d := range list {
		verdict := NotJudged
		if d.Loses {
			verdict = Refuted
		}
		at := d.At
		at.Filename = d.of.fileOf(d.peer)
		at.Start.Line = max(1, at.Start.Line)
		s.because(verdict, at, func(g *Group) bool { return slices.Contains(g.Ports, d.port) }, "%s", d.String())
	}
}

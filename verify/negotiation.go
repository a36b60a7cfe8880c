package verify

import (
	"slices"
	"strings"

	"github.com/roceplan/roceplan/diag"
	"github.com/roceplan/roceplan/plan"
	"github.com/roceplan/roceplan/read"
)

// An ending is what a file says of the end of a link, by the kind of statement.
type ending map[string][]*read.Way

// loopbackApart returns the name of the first loopback if it is in a routing instance of its own: then its address is not the
// identity of the switch.
func (s *Switch) loopbackApart() string {
	for i := range s.shape.Ledger.Ways {
		w := &s.shape.Ledger.Ways[i]
		first := slices.Contains([]string{"Loopback0", "loopback0", "lo", "system0"}, w.Port) || strings.HasSuffix(w.Text, " lo0.0")
		if first && w.Why == read.WayInstance && !strings.EqualFold(w.Value, "default") {
			return w.Port
		}
	}
	return ""
}

// endings returns what files say of the ends of links, and of switches, whose port is empty, and the ends in the order of files.
func endings(all []*Switch) (says map[plan.LinkEnd]ending, order []plan.LinkEnd, files map[string]diag.Range) {
	says, files = map[plan.LinkEnd]ending{}, map[string]diag.Range{}
	of := func(end plan.LinkEnd) ending {
		if says[end] == nil {
			says[end], order = ending{}, append(order, end)
		}
		return says[end]
	}
	for _, s := range all {
		for _, name := range s.Names {
			files[name] = s.Plan.Range
		}
		in, ends := s.loopbackApart(), s.shape.Ledger.Ends
		for i := range ends {
			w := &ends[i]
			port := w.Port
			if w.Why == read.Loopback {
				port = in
			}
			for _, name := range s.Names {
				says := of(plan.LinkEnd{Switch: name, Port: port})
				says[w.Why] = append(says[w.Why], w)
				if (w.Why == read.Addressed || w.Why == read.Probes) && w.Port != "" {
					of(plan.LinkEnd{Switch: name})[w.Why] = []*read.Way{w} // one suffices: the file has addresses
				}
			}
		}
	}
	return says, order, files
}

// linkEnds compares what the files of both ends of a link say of it. It reports two statements once, on however
// many links they are.
func (v *Verifier) linkEnds(all []*Switch, says map[plan.LinkEnd]ending, order []plan.LinkEnd, speakers map[plan.LinkEnd]*speaker, files map[string]diag.Range) (found diag.List) {
	for _, s := range all {
		found = append(found, v.split(s)...)
	}
	found = append(found, v.twice(all, says, order)...)
	reported := map[[2]diag.Range]bool{}
	for _, link := range v.Fabric.Plan.Links {
		_, readA := files[link.A.Switch]
		_, readB := files[link.B.Switch]
		if !readA || !readB {
			continue
		}
		for _, d := range slices.Concat(v.negotiation(link, says), uneven(link, says, files), sessions(speakers[link.A], speakers[link.B], files), v.apartFrom(link, says, files)) {
			if places := [2]diag.Range{d.Subject, d.Related[0].Range}; !reported[places] {
				reported[places] = true
				found = append(found, d)
			}
		}
	}
	return found
}

// negotiation reports a link if one end negotiates the speed, and the file of the other end turns that off.
func (v *Verifier) negotiation(link plan.Link, says map[plan.LinkEnd]ending) (found diag.List) {
	for _, ends := range [][2]plan.LinkEnd{{link.A, link.B}, {link.B, link.A}} {
		on, off := says[ends[0]][read.Negotiated], says[ends[1]][read.Forced]
		if len(on) == 0 || len(off) == 0 || v.optical(link.A) {
			continue
		}
		found.Errorf(NegotiationDiffers, on[0].At, "%s %s %s, and its peer %s %s %s: the link stays down, or has another speed or FEC than the files say", ends[0].Switch, ends[0].Port, read.Negotiated, ends[1].Switch, ends[1].Port, read.Forced).
			Fixf("negotiate at both ends, or at none").Notef(off[0].At, "the other end")
	}
	return found
}

// uneven reports what is to be at both ends of a link and is at one, or has other tags at the other one.
func uneven(link plan.Link, says map[plan.LinkEnd]ending, files map[string]diag.Range) (found diag.List) {
	for _, c := range []struct{ why, then string }{
		{read.Trained, "the link stays down, or runs with more errors"},
		{read.Bundled, "LACP leaves the link out, or the peer does not expect packets of the bundle from this port"},
		{read.Tagged, "a port without the tag drops tagged packets, and a port that trusts the tag gives them another class"},
	} {
		for _, ends := range [][2]plan.LinkEnd{{link.A, link.B}, {link.B, link.A}} {
			peers := says[ends[1]][c.why]
			i := slices.IndexFunc(says[ends[0]][c.why], func(w *read.Way) bool {
				return !slices.ContainsFunc(peers, func(peer *read.Way) bool {
					return c.why == read.Bundled || peer.Value == w.Value || peer.Value == "" || w.Value == ""
				})
			})
			if i < 0 {
				continue
			}
			w, other := says[ends[0]][c.why][i], files[ends[1].Switch]
			if len(peers) > 0 {
				other = peers[0].At
			}
			tag := ""
			if w.Value != "" {
				tag = " " + w.Value
			}
			found.Errorf(LinkEndsDiffer, w.At, "%s %s %s%s, but the file of its peer %s %s does not say so: %s", ends[0].Switch, ends[0].Port, c.why, tag, ends[1].Switch, ends[1].Port, c.then).
				Fixf("set the same at both ends").Notef(other, "the other end")
		}
	}
	return found
}

// optical reports whether the fabric says that a port has a fibre, over which nothing is negotiated.
func (v *Verifier) optical(end plan.LinkEnd) bool {
	sw := v.planned[end.Switch]
	return sw != nil && slices.ContainsFunc(sw.Ports, func(p plan.Port) bool {
		return p.Name == end.Port && (p.Medium == "fiber" || p.Medium == "aoc")
	})
}

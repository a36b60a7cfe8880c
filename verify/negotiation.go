package verify

import (
	"slices"
	"strings"

	"github.com/roceplan/roceplan/diag"
	"github.com/roceplan/roceplan/plan"
	"github.com/roceplan/roceplan/read"
)

// An ending is what a file says of the end of a link: lists of statements of one kind each.
type ending [][]*read.Way

// of returns the statements of a kind. A nil ending has none.
//
//go:noinline
func (e *ending) of(why string) []*read.Way {
	if e != nil {
		for _, alike := range *e {
			if alike[0].Why == why {
				return alike
			}
		}
	}
	return nil
}

//go:noinline
func (e *ending) add(w *read.Way) {
	for i, alike := range *e {
		if alike[0].Why == w.Why {
			(*e)[i] = append(alike, w)
			return
		}
	}
	*e = append(*e, []*read.Way{w})
}

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
func endings(all []*Switch) (says map[plan.LinkEnd]*ending, order []plan.LinkEnd, files map[string]diag.Range) {
	says, files = map[plan.LinkEnd]*ending{}, map[string]diag.Range{}
	of := func(end plan.LinkEnd) *ending {
		e := says[end]
		if e == nil {
			e = &ending{}
			says[end], order = e, append(order, end)
		}
		return e
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
				of(plan.LinkEnd{Switch: name, Port: port}).add(w)
				if (w.Why == read.Addressed || w.Why == read.Probes) && w.Port != "" {
					if device := of(plan.LinkEnd{Switch: name}); len(device.of(w.Why)) == 0 {
						device.add(w) // one suffices: the file has addresses
					}
				}
			}
		}
	}
	return says, order, files
}

// linkEnds compares what files say of links, of both ends, and of addresses.
func (v *Verifier) linkEnds(all []*Switch, says map[plan.LinkEnd]*ending, order []plan.LinkEnd, speakers []speaker, files map[string]diag.Range) (diag.List, error) {
	return v.inParallel(
		func() (found diag.List) {
			for _, s := range all {
				found = append(found, v.split(s)...)
			}
			return found
		},
		func() diag.List { return v.twice(all, says, order) },
		func() diag.List { return v.bothEnds(speakers, files) },
	)
}

// bothEnds compares what the files of both ends of a link say of it. It reports two statements once, on however
// many links they are.
func (v *Verifier) bothEnds(speakers []speaker, files map[string]diag.Range) (found diag.List) {
	reported := map[[2]diag.Range]bool{}
	for i := 0; i < len(speakers); i += 2 {
		a, b := &speakers[i], &speakers[i+1]
		_, readA := files[a.Switch]
		_, readB := files[b.Switch]
		if !readA || !readB {
			continue
		}
		for _, d := range slices.Concat(v.negotiation(a), v.negotiation(b), uneven(a, b, files), sessions(a, b, files), v.apartFrom(a, b, files)) {
			if places := [2]diag.Range{d.Subject, d.Related[0].Range}; !reported[places] {
				reported[places] = true
				found = append(found, d)
			}
		}
	}
	return found
}

// negotiation reports an end of a link that negotiates the speed, if the file of the other end turns that off.
func (v *Verifier) negotiation(own *speaker) (found diag.List) {
	on, off := own.port.of(read.Negotiated), own.peer.port.of(read.Forced)
	if len(on) == 0 || len(off) == 0 || v.optical(own.LinkEnd) || v.optical(own.peer.LinkEnd) {
		return nil
	}
	found.Errorf(NegotiationDiffers, on[0].At, "%v %s, and its peer %v %s: the link stays down, or has another speed or FEC than the files say", own, read.Negotiated, own.peer, read.Forced).
		Fixf("negotiate at both ends, or at none").Notef(off[0].At, "the other end")
	return found
}

// uneven reports what is to be at both ends of a link and is at one, or has other tags at the other one.
func uneven(a, b *speaker, files map[string]diag.Range) (found diag.List) {
	for _, c := range []struct{ why, then string }{
		{read.Trained, "the link stays down, or runs with more errors"},
		{read.Bundled, "LACP leaves the link out, or the peer does not expect packets of the bundle from this port"},
		{read.Tagged, "a port without the tag drops tagged packets, and a port that trusts the tag gives them another class"},
	} {
		for _, own := range []*speaker{a, b} {
			said, peers := own.port.of(c.why), own.peer.port.of(c.why)
			i := slices.IndexFunc(said, func(w *read.Way) bool {
				return !slices.ContainsFunc(peers, func(peer *read.Way) bool {
					return c.why == read.Bundled || peer.Value == w.Value || peer.Value == "" || w.Value == ""
				})
			})
			if i < 0 {
				continue
			}
			w, other := said[i], files[own.peer.Switch]
			if len(peers) > 0 {
				other = peers[0].At
			}
			tag := ""
			if w.Value != "" {
				tag = " " + w.Value
			}
			found.Errorf(LinkEndsDiffer, w.At, "%v %s%s, but the file of its peer %v does not say so: %s", own, c.why, tag, own.peer, c.then).
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

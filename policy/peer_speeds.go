package policy

import (
	"slices"

	"github.com/roceplan/roceplan/diag"
)

// checkPeerSpeeds refuses port groups whose peers have no ports of their speed: a cable has one,
// with or without a link block that says which ports it joins.
func (w *wiring) checkPeerSpeeds(d *decoder) {
	called := map[string][]*template{} // by what switch.NAME may say
	for _, t := range w.templates {
		for i := range t.devices {
			for _, name := range t.devices[i].refs {
				if list := called[name]; len(list) == 0 || list[len(list)-1] != t {
					called[name] = append(list, t)
				}
			}
		}
	}
	for _, t := range w.templates {
		for _, g := range t.groups {
			if g.peer.Set && g.peer.Value.block == "switch" && g.Speed.Set {
				checkPeerSpeed(d, called, t, g)
			}
		}
	}
}

// checkPeerSpeed looks for ports that a group may be joined with: those that name its switch, and
// those that name no peer. The later of two groups in the file is at fault.
func checkPeerSpeed(d *decoder, called map[string][]*template, t *template, g *groupDecl) {
	var other *groupDecl
	for _, far := range called[g.peer.Value.name] {
		for _, h := range far.groups {
			back := h.peer.Set && h.peer.Value.block == "switch" && slices.Contains(called[h.peer.Value.name], t)
			switch {
			case h.peer.Set && !back:
			case !h.Speed.Set || h.Speed.Value == g.Speed.Value:
				return
			case back && other == nil:
				other = h
			}
		}
	}
	if other != nil && diag.CompareRanges(other.Speed.Range, g.Speed.Range) < 0 {
		d.errorf(LinkSpeed, g.Speed.Range, "port group %q of %s has %v, and the ports of its peer that lead back have %v", g.Name, t.Label, g.Speed.Value, other.Speed.Value).
			Fixf("give both ends of the cables one speed").Notef(other.Speed.Range, "%v is here", other.Speed.Value)
	}
}

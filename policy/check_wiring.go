package policy

import (
	"fmt"
	"strings"

	"github.com/roceplan/roceplan/diag"
	"github.com/roceplan/roceplan/internal/forest"
	"github.com/roceplan/roceplan/internal/natural"
	"github.com/roceplan/roceplan/internal/stable"
)

// checkWiring warns of cables that are missing. Other errors of a fabric may be the reason, so it
// checks none then.
func (w *wiring) checkWiring(d *decoder, f *Fabric) {
	if !d.diags.HasErrors() {
		w.checkPeersWired(d)
		w.checkParts(d, f)
	}
}

// checkPeersWired warns of ports that a port group joins to a switch and no link does, once for
// each line that says so. It is no error, since spare ports are usual. Those of the upper tier of a
// clos block are room for more lower switches, and are not reported while some are in use.
func (w *wiring) checkPeersWired(d *decoder) {
	found := map[diag.Range]*unwired{}
	var order []*unwired
	for i := range w.devices {
		t := w.devices[i].template
		for port, j := range w.jacks[t] {
			g := t.groups[j.group]
			if !g.peer.Set || g.peer.Value.block != "switch" {
				continue
			}
			u := found[g.peer.Range]
			if u == nil {
				u = &unwired{group: g}
				found[g.peer.Range] = u
				order = append(order, u)
			}
			if u.ports++; w.wireAt(end{int32(i), int32(port)}) == nil {
				u.without = append(u.without, end{int32(i), int32(port)})
			}
		}
	}
	for _, u := range order {
		if len(u.without) == u.ports || len(u.without) > 0 && !w.room[u.group] {
			u.report(d, w)
		}
	}
}

// roomFor notes the port groups of an upper tier.
func (w *wiring) roomFor(upper []post) {
	for _, p := range upper {
		w.room[w.group(end{p.device, p.ports[0]})] = true
	}
}

// unwired is the ports of one line that names a switch as their peer.
type unwired struct {
	group   *groupDecl
	ports   int
	without []end // in natural order of devices
}

func (u *unwired) report(d *decoder, w *wiring) {
	peer := "switch." + u.group.peer.Value.name
	which := w.name(u.without[0])
	if more := len(u.without) - 1; more > 0 {
		which += " and " + natural.Count(more, "more", "more")
	}
	fix := "add a clos or link block that joins them, or put unused ports into a group without peer"
	clos, joined := w.asked[u.group]
	if ports := len(u.group.Ports); joined && ports%clos.uppers == 0 {
		fix = fmt.Sprintf("write links_per_pair = %d, or put unused ports into a group without peer", ports/clos.uppers)
	}
	found := d.diags.Warnf(PeerUnwired, u.group.peer.Range, "%d of the %d ports of %q whose peer is %s have no cable to it: %s. Their ends are not compared, and the search for deadlocks leaves them out",
		len(u.without), u.ports, u.group.Name, peer, which).
		Fixf("%s", fix)
	if joined {
		found.Notef(clos.at, "the links are here")
	}
}

// checkParts warns of switches that no way of cables joins to the others, once for all of them.
// Servers with NICs at several switches join these: their GPUs reach one another inside the server.
func (w *wiring) checkParts(d *decoder, f *Fabric) {
	u := forest.New(len(w.devices))
	joined := false
	for _, x := range w.wires {
		if x.b.device != none {
			u.Join(x.a.device, x.b.device)
			joined = true
		}
	}
	for _, s := range f.Servers {
		for _, nic := range s.NICs {
			u.Join(w.byName[s.NICs[0].Switch], w.byName[nic.Switch])
		}
	}
	if list := u.Parts(); joined && len(list) > 1 {
		w.reportParts(d, list)
	}
}

// reportParts names the largest parts, and blames the second one.
func (w *wiring) reportParts(d *decoder, list [][]int32) {
	stable.Sort(list, func(a, b []int32) int { return len(b) - len(a) })
	var texts []string
	for _, part := range list[:min(4, len(list))] {
		text := w.devices[part[0]].name
		if more := len(part) - 1; more > 0 {
			text += fmt.Sprintf(" and %d more", more)
		}
		texts = append(texts, text)
	}
	if more := len(list) - len(texts); more > 0 {
		texts = append(texts, natural.Count(more, "more part", "more parts"))
	}
	d.diags.Warnf(FabricParts, w.devices[list[1][0]].template.Range, "no cable joins the %d parts of the fabric: %s", len(list), strings.Join(texts, "; ")).
		Fixf("add the links that are missing; where servers join the parts, describe them by a server block").
		Notef(w.devices[list[0][0]].template.Range, "%s is here", w.devices[list[0][0]].name)
}

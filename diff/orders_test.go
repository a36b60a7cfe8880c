package diff

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/roceplan/roceplan/internal/testing/diagtest"
	"github.com/roceplan/roceplan/internal/testing/must"
	"github.com/roceplan/roceplan/internal/testing/plantest"
	"github.com/roceplan/roceplan/plan"
	"github.com/roceplan/roceplan/units"
)

// twoTiers is a plan of two leaves with NICs and a spine, cabled where links is set.
func twoTiers(links bool) *plan.Plan {
	p := populated()
	spine := populated().Switches[0]
	spine.Names = []string{"spine-1"}
	p.Switches = append(p.Switches, spine)
	p.Links = nil
	for i, sw := range p.Switches[:2] {
		sw.Ports[0].Peer = "nic"
		if links {
			p.Links = append(p.Links, plan.Link{A: plan.LinkEnd{Switch: sw.Names[0], Port: "Ethernet4"}, B: plan.LinkEnd{Switch: "spine-1", Port: spine.Ports[i].Name}})
		}
	}
	return p
}

// Two changes at once, of one switch or of a leaf and the spine: in which steps, with which reasons,
// what each of them changes and what has to be stopped. That such orders lose nothing is for
// TestOrder to say; the golden file shows which of them it is.
func TestOrdersOfTwoChanges(t *testing.T) {
	matters := regexp.MustCompile(`^(Hosts.0.|Switches.0.\.(MTU|Maps|Watchdog|Chip|Tunnel|Marking|Names|Pools.0.\.(Size|Headroom)|Ports.0.\.(Speed|Cable|MTU|QoS\.(PFC|Trust|PGs.1.|Queues.1.|PGs one|Queues one))|Ports one))`)
	var all []plantest.Edit
	for _, e := range plantest.Edits(twoTiers(true)) {
		if matters.MatchString(e.Path + " " + e.How) {
			all = append(all, e)
		}
	}
	// elsewhere makes an edit of the spine, which is alone in its plan's place of the first switch.
	elsewhere := func(e plantest.Edit, p *plan.Plan) *plan.Plan {
		p.Switches[0], p.Switches[2] = p.Switches[2], p.Switches[0]
		p = e.Edited(p)
		slices.SortFunc(p.Switches, func(a, b *plan.Switch) int {
			return strings.Compare(strings.Join(a.Names, ""), strings.Join(b.Names, ""))
		})
		return p
	}
	var out strings.Builder
	tell := func(name string, before, after *plan.Plan) {
		r := Compare(before, after)
		fmt.Fprintf(&out, "%s\n", name)
		for _, s := range r.Rollout.Steps {
			var changes []string
			for _, c := range s.Changes {
				changes = append(changes, strings.TrimSpace(c.Name()+" "+c.Values()))
			}
			var told []string
			for _, to := range s.Told {
				told = append(told, fmt.Sprint(strings.Join(to.Devices, " "), " ", to.Switch != nil))
			}
			fmt.Fprintf(&out, "    %v %v, as %v: %s (%s)\n", s.Action, s.Devices, s.Why, strings.Join(changes, "; "), strings.Join(told, ", "))
		}
		for _, q := range r.Rollout.Quiet {
			fmt.Fprintf(&out, "    without traffic of %v from %s to %s\n", q.DSCPs, q.A, q.B)
		}
		if r.Rollout.Uncabled {
			fmt.Fprintln(&out, "    not cabled")
		}
	}
	for i, e := range all {
		other := all[(i*37+11)%len(all)]
		if strings.HasPrefix(e.Path, "Hosts") && strings.HasPrefix(other.Path, "Hosts") { // which the first may have taken away
			other = all[0]
		}
		links := i%5 != 0
		after := elsewhere(other, e.Edited(twoTiers(links)))
		name := fmt.Sprintf("%s %s; at the spine %s %s", e.Path, e.How, other.Path, other.How)
		tell(name, twoTiers(links), after)
		tell("  back", after, twoTiers(links))
	}
	for i, c := range []func(p *plan.Plan){
		func(p *plan.Plan) { p.Links = p.Links[:1] },
		func(p *plan.Plan) { p.Links[0].B.Switch = "elsewhere" },
		func(p *plan.Plan) { p.Links[0].A.Switch = "elsewhere"; p.Switches[2].MTU.Value = 4500 },
		func(p *plan.Plan) { p.Links[0].A, p.Links[0].B = p.Links[0].B, p.Links[0].A },
		func(p *plan.Plan) { p.Links = p.Links[1:]; p.Switches = p.Switches[1:] },
		func(p *plan.Plan) { p.Switches[0].Ports[1].Cable = 50 * units.Metre },
		func(p *plan.Plan) { p.Switches[2].Ports[0].Cable = 50 * units.Metre },
		func(p *plan.Plan) {
			p.Switches[0].Ports[1].Cable, p.Switches[0].Ports[1].QoS.PGs[1].Headroom.Value = 50*units.Metre, 50800
		},
		func(p *plan.Plan) {
			p.Switches[0].Ports[1].Cable, p.Switches[0].Ports[1].QoS.PGs[1].Headroom.Value = units.Metre, 12700
		},
		func(p *plan.Plan) {
			p.Switches[0].Ports[0].Cable, p.Hosts[0].Buffer.Value = 50*units.Metre, 256_000
		},
		func(p *plan.Plan) { p.Switches[0].Ports[0].Cable, p.Hosts[0].Buffer.Value = units.Metre, 64_000 },
		func(p *plan.Plan) { p.Hosts[0].MTU, p.Switches[0].Ports[0].MTU = 4500, 4500 },
		func(p *plan.Plan) { p.Switches[1].Ports[0].Peer, p.Hosts = "", nil },
	} {
		after := twoTiers(true)
		c(after)
		tell(fmt.Sprint("cables ", i), twoTiers(true), after)
		tell("  back", after, twoTiers(true))
		r := Compare(twoTiers(true), after)
		text := must.Get(json.Marshal(r))(t)
		fmt.Fprintf(&out, "%s%s%s\n", r.Text(), r.Markdown(), text)
	}
	diagtest.Golden(t, filepath.Join("..", "golden", "diff-orders.txt"), out.String())
}

package verify

import (
	"fmt"
	"slices"
	"strings"

	"github.com/roceplan/roceplan/diag"
	"github.com/roceplan/roceplan/internal/natural"
	"github.com/roceplan/roceplan/plan"
	"github.com/roceplan/roceplan/read"
)

// askFiles takes the verdict on deadlocks back for switches whose files may lead packets elsewhere than
// the search lets them go.
func (d *Deadlock) askFiles(p *plan.Plan, all []*Switch) (found diag.List) {
	joined := joints(p)
	files := 0
	for _, s := range all {
		if !slices.ContainsFunc(s.Names, func(name string) bool { return joined[name] != nil }) {
			continue
		}
		files += len(s.Names)
		told := map[string]int{} // of one kind, the first with the number of others
		var kinds []read.Way
		for _, w := range s.leads(joined) {
			if told[w.Why]++; told[w.Why] == 1 {
				kinds = append(kinds, w)
			}
		}
		for _, w := range kinds {
			more := ""
			if n := told[w.Why] - 1; n > 0 {
				more = fmt.Sprintf(", and %s like it", natural.Count(n, "statement", "statements"))
			}
			text := fmt.Sprintf("of %s: %q%s: %s", severalSwitches(s.Names), w.Text, more, w.Why)
			d.NotJudged = append(d.NotJudged, Reason{text, w.At, lineOf(w.At)})
			found.Warnf(DeadlockNotJudged, w.At, "what is said of deadlocks does not hold for %s: %q%s: %s", severalSwitches(s.Names), w.Text, more, w.Why).
				Fixf("see whether packets can go down and up again, or wait for each other, on the ways that it leads them")
		}
	}
	if len(d.NotJudged) == 0 {
		d.Routing += fmt.Sprintf("; no statement in files of %d of %s is known to lead them elsewhere", files, natural.Count(d.Devices, "switch", "switches"))
	} else {
		d.Routing += "; statements of files may lead them elsewhere"
	}
	return found
}

// joints are the ports of each switch of which a cable leads to another switch.
func joints(p *plan.Plan) map[string]map[string]bool {
	switches := map[string]bool{}
	for _, sw := range p.Switches {
		for _, name := range sw.Names {
			switches[name] = true
		}
	}
	all := map[string]map[string]bool{}
	for _, link := range p.Links {
		for _, end := range []plan.LinkEnd{link.A, link.B} {
			if !switches[link.A.Switch] || !switches[link.B.Switch] {
				continue
			}
			if all[end.Switch] == nil {
				all[end.Switch] = map[string]bool{}
			}
			all[end.Switch][end.Port] = true
		}
	}
	return all
}

// leads are the statements of a switch that lead packets between switches elsewhere. What only bridged packets
// feel is none where no port to another switch bridges.
func (s *Switch) leads(joined map[string]map[string]bool) (all []read.Way) {
	bridges := false
	for _, w := range s.shape.Ledger.Ways {
		if w.Port != "" && slices.ContainsFunc(s.Names, func(name string) bool { return joined[name][w.Port] }) {
			bridges = true
			all = append(all, w)
		} else if w.Port == "" && !w.Bridged {
			all = append(all, w)
		}
	}
	for _, w := range s.shape.Ledger.Ways {
		if bridges && w.Port == "" && w.Bridged {
			all = append(all, w)
		}
	}
	return all
}

func severalSwitches(names []string) string {
	if len(names) <= 2 {
		return strings.Join(names, " and ")
	}
	return fmt.Sprintf("%s and %s", names[0], natural.Count(len(names)-1, "other", "others"))
}

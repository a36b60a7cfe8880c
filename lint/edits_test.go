package lint_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/roceplan/roceplan/chips"
	"github.com/roceplan/roceplan/internal/diagtest"
	"github.com/roceplan/roceplan/internal/plantest"
	"github.com/roceplan/roceplan/lint"
	"github.com/roceplan/roceplan/plan"
)

// What the rules say of a compiled switch when one value of it is another one: nothing where
// the compiler is right, and the golden file has the rest. A rule that no line of it names is
// shown by its own input in golden/diag/lint.
func TestRulesOnEdits(t *testing.T) {
	catalogue, _ := chips.Load()
	var out strings.Builder
	for _, example := range []string{"tomahawk5-ai-pod", "tomahawk-eos-pod", "spectrum4-storage"} {
		_, p := plantest.Folder(t, catalogue, "../examples/"+example)
		p.Switches = p.Switches[:1]
		p.Switches[0].Ports = p.Switches[0].Ports[:2]
		chip, _ := catalogue.Find(p.Switches[0].Chip)
		before := saidOf(p, p, chip)
		fmt.Fprintf(&out, "%s as it is: %v\n", example, before)
		for _, e := range plantest.Edits(p) {
			if !strings.HasPrefix(e.Path, "Switches[0].") && !strings.HasPrefix(e.Path, "Hosts[0].") {
				continue
			}
			for _, line := range saidOf(e.Edited(p), p, chip) {
				if !slices.Contains(before, line) {
					fmt.Fprintf(&out, "%s %s: %s\n", e.Path, e.How, line)
				}
			}
		}
	}
	diagtest.Golden(t, "../golden/lint-edits.txt", out.String())
}

// saidOf is what is said of a switch that was edited: alone, with its hosts, over a cable to one
// that was not, and beside that.
func saidOf(edited, p *plan.Plan, chip *chips.Chip) (said []string) {
	sw, peer := edited.Switches[0], p.Switches[0]
	found := slices.Concat(lint.Switch(sw, chip), lint.Hosts(sw, edited.Hosts), lint.Agree(sw, peer))
	if len(sw.Ports) > 0 {
		cable := plan.Link{A: plan.LinkEnd{Switch: "edited", Port: sw.Ports[0].Name}, B: plan.LinkEnd{Switch: "peer", Port: peer.Ports[0].Name}}
		found = append(found, lint.Links([]plan.Link{cable}, func(device string) *plan.Switch {
			return map[string]*plan.Switch{"edited": sw, "peer": peer}[device]
		})...)
	}
	for _, d := range found {
		said = append(said, fmt.Sprintf("%s %.100s", d.Code, d.Message))
	}
	return said
}

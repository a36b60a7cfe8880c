package lint_test

import (
	"cmp"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/roceplan/roceplan/chips"
	"github.com/roceplan/roceplan/diag"
	"github.com/roceplan/roceplan/internal/testing/diagtest"
	"github.com/roceplan/roceplan/internal/testing/must"
	"github.com/roceplan/roceplan/internal/testing/plantest"
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

// saidOf returns the findings about a switch that was edited: alone, with its hosts, over a cable to one
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

// The rule that an input of golden/diag/lint breaks, when one value of it is another one: which
// edits make the finding go, and what else it says then. Each line is one value that the rule
// looks at, and each bound is crossed by some.
func TestRulesOnEditedInputs(t *testing.T) {
	paths, err := filepath.Glob(filepath.Join(badInputs, "*.txtar"))
	if err != nil || len(paths) < 50 {
		t.Fatalf("%d inputs, %v", len(paths), err)
	}
	var all strings.Builder
	for _, path := range paths {
		all.WriteString(editedInput(t, path, strings.TrimSuffix(filepath.Base(path), ".txtar")))
	}
	diagtest.Golden(t, "../golden/lint-edited-inputs.txt", all.String())
}

// editedInput returns the outcome of the finding of one input.
func editedInput(t *testing.T, path, code string) string {
	archive := must.Get(txtar.ParseFile(path))(t)
	var out strings.Builder
	fmt.Fprintf(&out, "%s\n", code)
	chip, switches := chipOf(archive), switchesOf(t, archive)
	before := messagesOf(code, ruled(code, switches, chip))
	for which, sw := range switches {
		p := &plan.Plan{Switches: []*plan.Switch{sw}}
		for _, e := range plantest.Edits(p) {
			if e.Path == "Switches" || strings.HasSuffix(e.Path, ".Speed") && sw.Ports[0].Speed == 0 {
				continue // there is always a switch, and no port of 1 bit per second
			}
			edited := slices.Clone(switches)
			edited[which] = e.Edited(p).Switches[0]
			if now := messagesOf(code, ruled(code, edited, chip)); now != before {
				fmt.Fprintf(&out, "  %s %s: %s\n", strings.Replace(e.Path, "[0]", fmt.Sprintf("[%d]", which), 1), e.How, now)
			}
		}
	}
	return out.String()
}

// messagesOf are those of the findings of one code with their lines, "nothing" if there is none.
func messagesOf(code string, found diag.List) string {
	var said []string
	for _, d := range found {
		if string(d.Code) == code {
			said = append(said, fmt.Sprintf("%d: %s", d.Subject.Start.Line, d.Message))
		}
	}
	return cmp.Or(strings.Join(said, "; "), "nothing")
}

package proof_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/roceplan/roceplan/chips"
	"github.com/roceplan/roceplan/internal/testing/diagtest"
	"github.com/roceplan/roceplan/internal/testing/plantest"
	"github.com/roceplan/roceplan/model/proof"
	"github.com/roceplan/roceplan/plan"
)

// What becomes of the proof of a compiled switch when one value of it is another one. Larger
// headroom never makes an obligation of headroom fail, less of it does; the golden file has
// the numbers of both sides.
func TestProofOnEdits(t *testing.T) {
	var out strings.Builder
	for _, example := range []string{"tomahawk5-ai-pod", "ucloud-pod", "tomahawk-eos-pod"} {
		_, p := plantest.Folder(t, catalogue(t), examples+"/"+example)
		p.Switches = p.Switches[:1]
		p.Switches[0].Ports = p.Switches[0].Ports[:2]
		chip, _ := catalogue(t).Find(p.Switches[0].Chip)
		before := proved(p, chip)
		fmt.Fprintf(&out, "%s as it is\n    %s\n", example, strings.Join(before, "\n    "))
		for _, e := range plantest.Edits(p) {
			if !strings.HasPrefix(e.Path, "Switches[0].") {
				continue
			}
			after := proved(e.Edited(p), chip)
			if changed := slices.DeleteFunc(slices.Clone(after), func(line string) bool { return slices.Contains(before, line) }); len(changed) > 0 {
				fmt.Fprintf(&out, "%s %s: %d differ\n    %s\n", e.Path, e.How, len(changed), strings.Join(changed[:min(len(changed), 3)], "\n    "))
			}
			if strings.HasSuffix(e.Path, ".Headroom") && strings.Contains(e.Path, ".PGs") {
				holdHeadroom(t, example+" "+e.Path, e.How, after)
			}
		}
	}
	diagtest.Golden(t, "../../golden/proof/edits.txt", out.String())
}

// holdHeadroom expects of what is compiled with no more headroom than is needed, up to a cell
// and the fabric's margin, that it fails without any.
func holdHeadroom(t *testing.T, where, how string, lines []string) {
	fails := slices.ContainsFunc(lines, func(line string) bool { return strings.HasPrefix(line, "headroom ") && strings.Contains(line, "fails") })
	if how == "zero" && !fails || (how == "more" || how == "double") && fails {
		t.Errorf("%s %s: fails is %v", where, how, fails)
	}
}

func proved(p *plan.Plan, chip *chips.Chip) (lines []string) {
	report, err := proof.Prove(p.Switches[0], chip, proof.Context{})
	if err != nil {
		return []string{err.Error()}
	}
	for _, o := range report.Obligations {
		line := fmt.Sprintf("%s %s: %v %d %d %s", o.ID, o.Where, o.Verdict, o.Left.Value, o.Right.Value, o.Unit)
		if o.Verdict == proof.Unjudged {
			line = fmt.Sprintf("%s %s: %v %.60s", o.ID, o.Where, o.Verdict, o.Because)
		}
		lines = append(lines, line)
	}
	return lines
}

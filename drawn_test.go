package roceplan_test

import (
	"os"
	"strings"
	"testing"

	"github.com/roceplan/roceplan"
	"github.com/roceplan/roceplan/chips"
	"github.com/roceplan/roceplan/internal/testing/anyfabric"
	"github.com/roceplan/roceplan/internal/testing/must"
	"github.com/roceplan/roceplan/internal/testing/smallswitch"
	"github.com/roceplan/roceplan/model/proof"
	"github.com/roceplan/roceplan/plan"
	"github.com/roceplan/roceplan/units"
)

// Of a hundred fabrics that are drawn at least ninety are proved without conditions, for at most 8 % more
// headroom than they would have if their chips were known to decide to pause with a packet's first byte. Ports
// of 800G declare a response: no public standard bounds it.
func TestDrawnFabricsAreProved(t *testing.T) {
	usual, _ := chips.Load()
	first := smallswitch.Deciding(t, "start", usual.Names())
	var proved int
	var paid, known units.Bytes
	for seed := uint64(1); seed <= 100; seed++ {
		text := strings.ReplaceAll(anyfabric.Draw(seed).Text, `= "800Gbps"`, "= \"800Gbps\"\n    pause_response = \"1158ns\"")
		p := planned(t, usual, text)
		holds := true
		for i := range p.Switches {
			sw := p.Switches[i]
			chip, _ := usual.Find(sw.Chip)
			report := must.Get(proof.Prove(sw, chip, proof.Context{}))(t)
			holds = holds && report.Holds() && len(report.Conditional())+len(report.Unjudged()) == 0
		}
		if holds {
			proved++
		} else {
			t.Logf("not proved: seed %d, %s", seed, anyfabric.Draw(seed).About)
		}
		paid, known = paid+headroom(p), known+headroom(planned(t, first, text))
	}
	more := 100 * float64(paid-known) / float64(known)
	t.Logf("%d of 100 are proved, for %.1f %% more headroom", proved, more)
	if proved < 90 || more > 8 {
		t.Errorf("%d of 100 are proved, for %.1f %% more headroom", proved, more)
	}
}

// Examples whose files hold everything that the proof asks for are proved without conditions.
func TestExamplesAreProved(t *testing.T) {
	for _, name := range []string{"spectrum4-storage", "tomahawk5-ai-pod"} {
		in := must.Get(roceplan.In(os.DirFS("examples"), name))(t)
		p := must.Sound(roceplan.Load(in).Plan())(t)
		catalogue, _ := chips.Load()
		for _, sw := range p.Switches {
			chip, _ := catalogue.Find(sw.Chip)
			report, err := proof.Prove(sw, chip, proof.Context{})
			if err != nil || !report.Holds() || len(report.Conditional())+len(report.Unjudged()) > 0 {
				t.Errorf("%s: %s is not proved: %v", name, sw.Names, err)
			}
		}
	}
}

func planned(t *testing.T, catalogue *chips.Catalogue, text string) *plan.Plan {
	t.Helper()
	p := must.Sound(roceplan.Load(roceplan.Input{Catalogue: catalogue, Files: []roceplan.Source{{Name: "drawn.hcl", Text: []byte(text)}}}).Plan())(t)
	return p
}

// headroom is that of all ports of a plan's shapes.
func headroom(p *plan.Plan) (sum units.Bytes) {
	for _, sw := range p.Switches {
		for _, port := range sw.Ports {
			for _, pg := range port.QoS.PGs {
				sum += pg.Headroom.Value
			}
		}
	}
	return sum
}

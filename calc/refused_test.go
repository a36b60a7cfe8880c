package calc_test

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/roceplan/roceplan/plan"
)

// An alpha that is not the step of the menu nearest to 1/√n says which inequality the next step breaks, and no other
// alpha does.
func TestAlphaSaysWhatRefusedTheNextStep(t *testing.T) {
	refused := 0
	for _, name := range examples(t) {
		p, _ := example(t, name)
		for _, sw := range p.Switches {
			for _, port := range sw.Ports {
				for _, pg := range port.QoS.PGs {
					why := pg.Limit.Why
					if why == nil || why.ID != "isolating-alpha" {
						continue
					}
					terms := map[string]*plan.Why{}
					for _, term := range why.Terms {
						terms[term.Symbol] = term.Why
					}
					n, menu := float64(terms["stuck"].Value.(plan.Count)), strings.Fields(terms["menu"].Value.String())
					at, nearest, least := -1, -1, math.Inf(1)
					for i, text := range menu {
						var num, den float64 = 0, 1
						_, _ = fmt.Sscanf(text, "%f/%f", &num, &den)
						if text == why.Value.String() {
							at = i
						}
						if away := math.Abs(math.Log(num / den * math.Sqrt(n))); away <= least*(1+1e-9) {
							nearest, least = i, away
						}
					}
					one := terms["refused"]
					switch {
					case (one != nil) != (at != nearest):
						t.Errorf("%s %s: alpha %v, nearest %s, refused: %v", name, sw.Names[0], why.Value, menu[nearest], one)
					case one != nil:
						refused++
						if next := menu[at+(nearest-at)/max(1, int(math.Abs(float64(nearest-at))))]; one.Value.String() != next || len(one.Terms) != 2 {
							t.Errorf("%s: %s is refused, and the next step is %s", name, one.Value, next)
						}
					}
				}
			}
		}
	}
	if refused == 0 {
		t.Error("no example refuses a step")
	}
}

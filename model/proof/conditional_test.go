package proof_test

import (
	"encoding/json"
	"regexp"
	"slices"
	"testing"

	"github.com/roceplan/roceplan/chips"
	"github.com/roceplan/roceplan/internal/testing/must"
	"github.com/roceplan/roceplan/model/proof"
	"github.com/roceplan/roceplan/plan"
)

// conditionals are switches that hold on conditions of each kind.
func conditionals(t *testing.T) map[string]*proof.Certificate {
	undeclared := func(sw *plan.Switch, chip *chips.Chip) (*plan.Switch, *chips.Chip) {
		for i := range sw.Ports {
			sw.Ports[i].Assumed.Declared = false
		}
		return sw, chip
	}
	share := func(sw *plan.Switch, chip *chips.Chip) (*plan.Switch, *chips.Chip) {
		for i := range sw.Ports {
			sw.Ports[i].MTU, sw.Ports[i].Assumed.LosslessFrame.Value = 280, 280
		}
		return sw, chip
	}
	datum := func(name, value, confidence string) string {
		return name + " {\n value = \"" + value + "\"\n confidence = \"" + confidence + "\"\n source = \"a test\"\n }\n"
	}
	all := map[string]*proof.Certificate{}
	of := func(what string) func(sw *plan.Switch, chip *chips.Chip) {
		return func(sw *plan.Switch, chip *chips.Chip) {
			all[what] = proof.Certify(prove(t, sw, chip, proof.Context{}), sw.Names, chip.Name, nil)
		}
	}
	of("response of a group")(undeclared(queued(t, true, 40, 1000)))
	of("layers of a group")(queued(t, false, 10, 1000))
	of("response of a queue")(undeclared(queued(t, true, 60, 240)))
	of("byte that decides")(queued(t, true, 20, 223))
	of("mix of a queue")(share(queued(t, true, 20, 225, datum("xoff_decided", "start", "published"))))
	of("mix of a group")(share(queued(t, true, 5, 1000, datum("xoff_decided", "start", "published"))))
	of("memory")(undeclared(queued(t, true, 60, 1<<20, datum("usable_buffer", "87360B", "published"))))
	of("memory that is assumed")(pair(t, datum("usable_buffer", "20800B", "assumed")))
	of("memory that is assumed, and enough")(pair(t, datum("usable_buffer", "83200B", "assumed")))
	return all
}

// Every number of the obligations of a conditional certificate, one more or one less, is refused. Not so what
// changes neither side.
func TestEveryNumberOfAConditionalCertificate(t *testing.T) {
	indices := regexp.MustCompile(`/\d+`)
	passes, tried := map[string]bool{}, 0
	for what, c := range conditionals(t) {
		if errs := proof.Recheck(c, nil); c.Verdict != proof.Conditional || errs != nil {
			t.Errorf("%s: %v, %v", what, c.Verdict, errs)
			continue
		}
		written := document(t, c)
		proof.ChangeNumbers(written["obligations"], "", func(path string) {
			changed := must.Get(json.Marshal(written))(t)
			read, err := proof.ParseCertificate(changed)
			if tried++; err == nil && len(proof.Recheck(read, nil)) == 0 {
				passes[indices.ReplaceAllString(path, "")] = true
			}
		})
	}
	var got []string
	for path := range passes {
		got = append(got, path)
	}
	slices.Sort(got)
	// A picosecond more, or an account that finds no cell, lets no more cells in; a bound may be wider by what leaves both sides.
	if want := []string{"/conditions/bound", "/fills/accounts", "/terms/i", "/terms/t", "/under/fills/accounts"}; !slices.Equal(got, want) || tried < 400 {
		t.Errorf("of %d these are not refused: %q, want %q", tried, got, want)
	}
}

// Each obligation of a certificate that is left out, is said to hold without its conditions, or to be of something else, is
// missed.
func TestEveryObligationOfACertificate(t *testing.T) {
	for what, c := range conditionals(t) {
		whole := c.Obligations
		for i := range whole {
			for how, forge := range map[string]func(o *proof.Claim){
				"elsewhere":       func(o *proof.Claim) { o.Where = "slice 9" },
				"of another kind": func(o *proof.Claim) { o.ID = proof.LossyShare },
				"without conditions": func(o *proof.Claim) {
					if o.Conditions = nil; o.Verdict != proof.Conditional {
						o.Where = "" // it has none
					}
				},
				"held": func(o *proof.Claim) {
					if o.Verdict == proof.Holds {
						o.Where = ""
					}
					o.Verdict = proof.Holds
				},
				"judged without figures": func(o *proof.Claim) { o.Sides = proof.Sides{} },
				"of more than it has":    func(o *proof.Claim) { o.Right = 1_000_000 },
			} {
				c.Obligations = slices.Clone(whole)
				forge(&c.Obligations[i])
				if len(proof.Recheck(c, nil)) == 0 {
					t.Errorf("%s: %s, %s: %s, and no problem", what, whole[i].ID, whole[i].Where, how)
				}
			}
			if c.Obligations = slices.Delete(slices.Clone(whole), i, i+1); len(proof.Recheck(c, nil)) == 0 {
				t.Errorf("%s: without %s, %s there is no problem", what, whole[i].ID, whole[i].Where)
			}
		}
		c.Obligations = whole
	}
}

package proof_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/roceplan/roceplan/model/proof"
	"github.com/roceplan/roceplan/units"
)

// forgeries are changes of a certificate after which it would say more than was proved. Each is
// made so that arithmetic alone finds nothing: derived terms and both sides are as their
// expressions say. The switch is one whose headroom is too short.
var forgeries = []struct {
	what  string
	forge func(c *proof.Certificate)
}{
	{"the verdict is better", func(c *proof.Certificate) { c.Verdict = proof.Holds }},
	{"what fails is said to hold", func(c *proof.Certificate) {
		every(c, proof.Headroom, func(o *proof.Obligation) { o.Verdict = proof.Holds })
	}},
	{"what fails is said not to be about lossless packets", func(c *proof.Certificate) {
		every(c, "", func(o *proof.Obligation) { o.Lossless = o.Lossless && o.Verdict != proof.Fails })
		c.Verdict = proof.Holds
	}},
	{"what fails is gone", func(c *proof.Certificate) {
		c.Obligations = slices.DeleteFunc(c.Obligations, func(o proof.Obligation) bool { return o.Verdict == proof.Fails })
		c.Verdict = proof.Holds
	}},
	{"the headroom is larger", func(c *proof.Certificate) { given(c, "H", 100_000) }},
	{"the cable is shorter", func(c *proof.Certificate) { given(c, "L", 1) }},
	{"the port is slower", func(c *proof.Certificate) { given(c, "R", 1_000_000_000) }},
	{"the peer is faster", func(c *proof.Certificate) { given(c, "t", 0) }},
	{"the switch is faster", func(c *proof.Certificate) { given(c, "i", 0) }},
	{"frames are smaller", func(c *proof.Certificate) { given(c, "A", 84) }},
	{"lossless frames are smaller", func(c *proof.Certificate) { given(c, "F", 64) }},
	{"light is faster", func(c *proof.Certificate) { given(c, "v", 0) }},
	{"cells are larger", func(c *proof.Certificate) { given(c, "C", 9000) }},
	{"the shared part is smaller", func(c *proof.Certificate) { given(c, "B0", 1000) }},
	{"many cells are below the threshold", func(c *proof.Certificate) { given(c, "q", 100_000) }},
	{"no frame is beside the window", func(c *proof.Certificate) { given(c, "e", 0) }},
	{"PFC is on where it is off", func(c *proof.Certificate) {
		c.Model.Ports[0].Pausable = 0
	}},
	{"a group of which one port has no headroom", func(c *proof.Certificate) {
		c.Model.Config.Ports[1].PGs[3].HeadroomCells = 0
	}},
	{"the pool of headroom is larger", func(c *proof.Certificate) {
		every(c, proof.HeadroomPool, func(o *proof.Obligation) { o.Right.Expr, o.Right.Value = "1000000", 1_000_000 })
	}},
	{"an expression is a number", func(c *proof.Certificate) {
		every(c, proof.Headroom, func(o *proof.Obligation) { o.Left.Expr, o.Left.Value, o.Verdict = "0", 0, proof.Holds })
		c.Verdict = proof.Holds
	}},
	{"a condition that changes the headroom", func(c *proof.Certificate) {
		every(c, proof.Headroom, func(o *proof.Obligation) {
			o.Verdict, o.Conditions = proof.Conditional, []proof.Condition{{ID: proof.PeerResponse, Terms: []proof.Term{{Symbol: "H", Value: 1_000_000}}}}
		})
		c.Verdict = proof.Conditional
	}},
	{"a condition of another inequality", func(c *proof.Certificate) {
		every(c, proof.Headroom, func(o *proof.Obligation) {
			o.Verdict, o.Conditions = proof.Conditional, []proof.Condition{{ID: proof.PeerResponse}}
			o.Under = &proof.Inequality{Left: proof.Side{Expr: "0"}, Right: proof.Side{Expr: "1", Value: 1}}
		})
		c.Verdict = proof.Conditional
	}},
	{"what fails is said not to be judged for a reason", func(c *proof.Certificate) {
		every(c, proof.Headroom, func(o *proof.Obligation) {
			o.Verdict, o.Left, o.Right, o.Terms = proof.Holds, proof.Side{}, proof.Side{}, nil
		})
		c.Verdict = proof.Holds
	}},
	{"the certificate is of a file of another digest", func(c *proof.Certificate) {
		for name := range c.Files {
			c.Files[name] = strings.Repeat("0", 64)
		}
	}},
	{"the certificate names no file", func(c *proof.Certificate) { clear(c.Files) }},
	{"a group without ports", func(c *proof.Certificate) { c.Groups[0].Ports = nil }},
	{"the model has more headroom", func(c *proof.Certificate) { c.Model.Config.Ports[0].PGs[3].HeadroomCells *= 2 }},
	{"a group of the model is lossy", func(c *proof.Certificate) { c.Model.Config.Ports[0].PGs[3].Lossless = false }},
	{"two obligations of one name", func(c *proof.Certificate) {
		every(c, proof.Headroom, func(o *proof.Obligation) {
			good := *o
			good.Left, good.Right, good.Verdict = proof.Side{Expr: "0"}, proof.Side{Expr: "0"}, proof.Holds
			o.ID = "headroom-once"
			c.Obligations = append(c.Obligations, good)
		})
	}},
}

// every changes the obligations of one ID, or all.
func every(c *proof.Certificate, id string, change func(o *proof.Obligation)) {
	for i := range slices.Clone(c.Obligations) {
		if id == "" || c.Obligations[i].ID == id {
			change(&c.Obligations[i])
		}
	}
}

// given changes a given term wherever it stands, and then claims that everything holds.
func given(c *proof.Certificate, symbol string, value int64) {
	every(c, "", func(o *proof.Obligation) {
		for i := range o.Terms {
			if o.Terms[i].Symbol == symbol {
				o.Terms[i].Value = value
			}
		}
	})
	proof.Rework(c)
}

// A certificate whose figures were changed is refused, however consistently: that of a switch
// whose headroom is far too short, and that of one which is conditional. Where a change is no
// gain, it may pass on one of them.
func TestRecheckIsNotFooled(t *testing.T) {
	files := map[string][]byte{"leaf-01/config_db.json": []byte("{}")}
	bases := map[proof.Verdict][]byte{}
	for want, less := range map[proof.Verdict]func(needed units.Bytes) units.Bytes{
		proof.Fails:       func(units.Bytes) units.Bytes { return 25_400 }, // 100 cells
		proof.Conditional: func(needed units.Bytes) units.Bytes { return needed - 5*254 },
	} {
		sw, chip := leaf(t, "tomahawk5-ai-pod", "leaf")
		for _, o := range prove(t, sw, chip, proof.Context{}).Obligations {
			for i := range sw.Ports {
				port := &sw.Ports[i]
				if o.ID != proof.Headroom || !strings.HasPrefix(o.Where, port.Group+" ") {
					continue
				}
				for k := range port.QoS.PGs {
					if port.QoS.PGs[k].Lossless {
						port.QoS.PGs[k].Headroom.Value = less(units.Bytes(o.Left.Value) * 254)
					}
				}
			}
		}
		c := proof.Certify(prove(t, sw, chip, proof.Context{}), sw.Names, sw.Chip, files)
		if errs := proof.Recheck(c, files); c.Verdict != want || len(errs) > 0 {
			t.Fatalf("the switch is %v, want %v: %v", c.Verdict, want, errs)
		}
		text, err := c.Marshal()
		if err != nil {
			t.Fatal(err)
		}
		bases[want] = text
	}
	for _, f := range forgeries {
		refused := false
		for was, text := range bases {
			c, err := proof.ParseCertificate(text)
			if err != nil {
				t.Fatal(err)
			}
			f.forge(c)
			if len(proof.Recheck(c, files)) > 0 {
				refused = true
			} else if c.Verdict != was && c.Verdict != proof.Fails {
				t.Errorf("%s: what is %v passes as %v", f.what, was, c.Verdict)
			}
		}
		if !refused {
			t.Errorf("%s: no problem", f.what)
		}
	}
}

package proof

import (
	"math/big"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/roceplan/roceplan/model"
	"github.com/roceplan/roceplan/model/mmu"
)

// The text of a certificate is that of docs/certificates.md, with signs as they are.
func TestTextOfACertificate(t *testing.T) {
	m := &model.Switch{
		Config: &mmu.Config{CellBytes: 100, Slices: 1, IngressPools: []mmu.Pool{{Name: "in", SharedCells: 7, HeadroomCells: 3}}, EgressPools: []mmu.Pool{{Name: "out", SharedCells: 9}}, Ports: []mmu.Port{{
			PGs: []mmu.PG{{Lossless: true, ReservedCells: 1, HeadroomCells: 2, HeadroomPooled: true, Limit: mmu.DynamicLimit(-1)}}, Queues: []mmu.Queue{{Limit: mmu.StaticLimit(8)}},
			Ingress: []mmu.Bound{{Limit: mmu.StaticLimit(6)}},
		}}},
		Ports: []model.Port{{Name: "a<b", Link: model.Link{Rate: 1, Cable: 2, Response: 3, PortFrame: 4, LosslessFrame: 5}, Pausable: 1, Queues: [mmu.MaxPGs]uint16{1}}},
	}
	c := Certify(&Report{Model: m, Obligations: []Obligation{{ID: "headroom", Where: "x", Lossless: true, Verdict: Unjudged, Because: "unknown"}}, Groups: []Group{{Where: "x", Ports: []string{"a<b"}}}}, []string{"s"}, "chip", nil)
	const want = `{"switches":["s"],"chip":"chip","verdict":"cannot be judged","files":{},` +
		`"model":{"cell":100,"slices":1,"admission":"with_cell","pause":"when_full","resume":"below_pause_level","decided":"start","ingress":{"in":{"shared":7,"headroom":3}},"egress":{"out":{"shared":9}},` +
		`"ports":[{"name":"a<b","link":{"rate":1,"cable":2,"response":3,"frame":4,"lossless":5},"pausable":1,` +
		`"groups":[{"pool":"in","reserved":1,"limit":{"dynamic":true,"alpha":-1},"lossless":true,"pooled":true,"headroom":2}],"queues":[{"pool":"out","limit":{"cells":8}}],` +
		`"ingress":{"in":{"cells":6}},"feeds":[1,0,0,0,0,0,0,0]}]},` +
		`"obligations":[{"id":"headroom","where":"PG 0 of a<b","verdict":"cannot be judged","because":"unknown"}],` +
		`"coverage":{"ports":0,"lossless_ports":0,"groups":0,"classes":0,"lossless_classes":0,"modelled":0,"neutral":0,"not_modelled":0},"declared":null}` + "\n"
	text, err := c.MarshalJSON()
	if err != nil || string(text) != want {
		t.Errorf("%v: %s", err, text)
	}
	again, err := ParseCertificate(text)
	if err != nil || again.Verdict != Unjudged || len(again.Obligations) != 1 || !reflect.DeepEqual(certifiedOf(again.Model), certifiedOf(m)) {
		t.Errorf("%v: %+v", err, again)
	}
	m.Config.Rules.Admission = 99
	if _, err := c.MarshalJSON(); err == nil {
		t.Error("a rule that there is not is written")
	}
	for text, fault := range map[string]string{
		strings.Replace(want, `"chip":`, `"proved":1,"chip":`, 1):     `this is not a certificate: json: unknown field "proved"`,
		strings.Replace(want, `"verdict":"cannot be judged",`, "", 1): "this is not a certificate: a verdict is missing",
		`{"verdict": "holds"}`:                                  "this is not a certificate: it has no model",
		strings.Replace(want, `"pool":"in"`, `"pool":"out"`, 1): `the model has no pool "out"`,
		strings.Replace(want, `"decided":"start",`, "", 1):      "the model does not say how the chip compares",
		`{"verdict": ""}`:                                       `this is not a certificate: "" is none of [holds conditional fails cannot be judged]`,
		`{`:                                                     `this is not a certificate: unexpected EOF`,
	} {
		if c, err := ParseCertificate([]byte(text)); err == nil || err.Error() != fault {
			t.Errorf("%s: %v, %v, want %s", text, c, err, fault)
		}
	}
}

// What is wrong with files, in words.
func TestWordsOfFiles(t *testing.T) {
	const one, two = "6b86b273ff34fce19d6b804eff5a3f5747ada4eaa22f1d49c01e52ddb7875b4b", "d4735e3a265e16eee03f59718b9b5d03019c07d8b6c51f90da3a666eec13ab35" // of "1" and "2"
	c := &Certificate{Files: map[string]string{"a": one, "b": two}}
	for _, tt := range []struct {
		files map[string][]byte
		want  []string
	}{
		{map[string][]byte{"a": []byte("1"), "b": []byte("2")}, nil}, {map[string][]byte{"a": []byte("1")}, []string{"file b was certified, but is not given"}},
		{map[string][]byte{"a": []byte("2"), "b": []byte("2")}, []string{"file a has SHA-256 " + two + ", certified was " + one + ": it has changed"}},
		{map[string][]byte{"d": nil, "b": []byte("2"), "c": nil}, []string{"file a was certified, but is not given", "file c is given, but was not certified", "file d is given, but was not certified"}},
	} {
		var got []string
		for _, err := range recheckFiles(c, tt.files) {
			got = append(got, err.Error())
		}
		if !slices.Equal(got, tt.want) {
			t.Errorf("%v: %q, want %q", tt.files, got, tt.want)
		}
	}
}

// Each thing that is wrong with an obligation, by arithmetic: b is three times a, and no more than a and 4.
func TestEachFaultOfAnObligation(t *testing.T) {
	good := func() *Obligation {
		return &Obligation{ID: "x", Terms: []Term{given("a", "", 2, ""), step("b", "", 6, "", "3 * a")}, Left: Side{"b", 6}, Right: Side{"a + 4", 6}}
	}
	conditional := func(left int64) func(o *Obligation) {
		return func(o *Obligation) {
			o.Verdict, o.Conditions = Conditional, []Condition{{Terms: []Term{given("a", "", left, "")}}}
			o.Terms[0].Value, o.Terms[1].Value, o.Left.Value, o.Right.Value = 3, 9, 9, 7
		}
	}
	for _, c := range []struct {
		what   string
		change func(o *Obligation)
		want   []string
	}{
		{"as it is", func(*Obligation) {}, nil},
		{"a term of one more", func(o *Obligation) { o.Terms[1].Value = 7 }, []string{"b = 3 * a is 6, certified was 7", "left side = b is 7, certified was 6"}},
		{"a given term of one more", func(o *Obligation) { o.Terms[0].Value = 3 }, []string{"b = 3 * a is 9, certified was 6", "right side = a + 4 is 7, certified was 6"}},
		{"a left side of one less", func(o *Obligation) { o.Left.Value = 5 }, []string{"left side = b is 6, certified was 5"}},
		{"a right side of one more", func(o *Obligation) { o.Right.Value = 7 }, []string{"right side = a + 4 is 6, certified was 7"}},
		{"it fails", func(o *Obligation) { o.Verdict = Fails }, []string{`6 ≤ 6, and the verdict is "fails"`}},
		{"it is not judged", func(o *Obligation) { o.Verdict = Unjudged }, nil},
		{"it is not judged, and a side is wrong", func(o *Obligation) { o.Verdict, o.Left.Value = Unjudged, 5 }, []string{"left side = b is 6, certified was 5"}},
		{"nothing was evaluated", func(o *Obligation) { o.Verdict, o.Left, o.Terms[1].Value = Unjudged, Side{}, 99 }, nil},
		{"nothing was evaluated, and it holds", func(o *Obligation) { o.Left = Side{} }, []string{`in "": a number, a symbol or a function is missing at byte 0`}},
		{"more than it may be", func(o *Obligation) { o.Right = Side{"a + 3", 5} }, []string{`6 ≤ 5, and the verdict is "holds"`}},
		{"more than it may be, and it fails", func(o *Obligation) { o.Right, o.Verdict = Side{"a + 3", 5}, Fails }, nil},
		{"more than it may be, and it is not judged", func(o *Obligation) { o.Right, o.Verdict = Side{"a + 3", 5}, Unjudged }, nil},
		{"on no condition", func(o *Obligation) { o.Verdict = Conditional }, []string{`the verdict is "conditional" and no condition is given`}},
		{"on a condition under which it holds", conditional(2), nil},
		{"on a condition under which it fails", conditional(4), []string{`under its conditions 12 ≤ 8, and the verdict is "conditional"`}},
		{"a condition of what holds is not looked at", func(o *Obligation) { o.Conditions = []Condition{{Terms: []Term{given("a", "", 9, "")}}} }, nil},
		{"a term twice", func(o *Obligation) { o.Terms = append(o.Terms, given("a", "", 2, "")) }, []string{`term "a" occurs twice`}},
		{"a term before it is given", func(o *Obligation) { slices.Reverse(o.Terms) }, []string{`in "3 * a": there is no term "a"`}},
		{"an unknown term", func(o *Obligation) { o.Right.Expr = "a + z" }, []string{`in "a + z": there is no term "z"`}},
	} {
		o := good()
		c.change(o)
		var got []string
		for _, err := range recheck(o, map[string]*big.Int{}) {
			got = append(got, err.Error())
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%s: %q, want %q", c.what, got, c.want)
		}
	}
}

// A condition with an expression that cannot be computed gives that fault alone.
func TestFaultOfACondition(t *testing.T) {
	o := &Obligation{
		Verdict: Conditional, Terms: []Term{given("N", "", 9, ""), given("H", "", 8, "")}, Left: Side{"N", 9}, Right: Side{"H", 8},
		Conditions: []Condition{{Terms: []Term{step("N", "", 8, "", "z")}}},
	}
	if errs := recheck(o, map[string]*big.Int{}); len(errs) != 1 || errs[0].Error() != `in "z": there is no term "z"` {
		t.Error(errs)
	}
	o.Terms[1].Value, o.Right.Value, o.Conditions[0].Terms[0] = 7, 7, given("H", "", -1, "") // left and right are otherwise as they were
	if errs := recheck(o, map[string]*big.Int{}); len(errs) != 1 || !strings.HasPrefix(errs[0].Error(), "under its conditions 9 ≤ -1") {
		t.Error(errs)
	}
}

// Under its conditions an obligation has the same given figures, but for those that one of them changes, and none that it
// does not have otherwise, but these; and what was given is not derived.
func TestGivenUnderConditions(t *testing.T) {
	for _, symbol := range []string{"h", "Q", "k", "o", "V", "r", "S", "B0"} {
		for _, id := range []string{PeerResponse, PacketMix, ChipDatum, AssumedDatum, ""} {
			for _, how := range []string{"same", "other", "new", "derived"} {
				o := &Obligation{
					Verdict: Conditional, Conditions: []Condition{{ID: ""}}, Terms: []Term{given("x", "", 5, ""), given(symbol, "", 4, "")}, Left: Side{"x", 5}, Right: Side{symbol, 4},
					Under: &Inequality{Terms: []Term{given("x", "", 5, ""), given(symbol, "", 6, "")}, Left: Side{"5", 5}, Right: Side{symbol, 6}},
				}
				if o.Conditions[0].ID = AssumedDatum; id != "" {
					o.Conditions = append(o.Conditions, Condition{ID: id})
				}
				changes := symbol == "V" || slices.Contains([]string{"h", "Q", "k", "o"}, symbol) && id != "" && id != AssumedDatum
				want := how == "same" || changes
				switch under := &o.Under.Terms[1]; how {
				case "same":
					under.Value, o.Under.Left, o.Under.Right.Value = 4, Side{"4", 4}, 4
				case "new":
					o.Terms, o.Right = o.Terms[:1], Side{"4", 4}
				case "derived":
					under.Expr = "6"
				}
				if errs := recheck(o, map[string]*big.Int{}); (errs == nil) != want {
					t.Errorf("%s, %s, %q: %v", symbol, how, id, errs)
				}
			}
		}
	}
}

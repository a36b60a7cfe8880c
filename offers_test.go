package roceplan_test

import (
	"context"
	"fmt"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/roceplan/roceplan"
	"github.com/roceplan/roceplan/chips"
	"github.com/roceplan/roceplan/diag"
	"github.com/roceplan/roceplan/internal/testing/anyfabric"
	"github.com/roceplan/roceplan/internal/testing/must"
	"github.com/roceplan/roceplan/model/proof"
	"github.com/roceplan/roceplan/verify"
)

// Each edit that is offered for a condition, applied blind, compiles to files whose verdict has the condition no
// more, and that are worse in nothing. A condition without an edit says what is needed.
func TestOffersProve(t *testing.T) {
	usual, _ := chips.Load()
	var inputs []roceplan.Input
	var names []string
	entries := must.Get(os.ReadDir("examples"))(t)
	for _, e := range entries {
		if in, err := roceplan.In(os.DirFS("."), "examples/"+e.Name()); err == nil {
			in.Traces = false
			in = undeclared(in)
			inputs, names = append(inputs, in), append(names, e.Name())
		}
	}
	for seed := uint64(1); seed <= 60; seed++ {
		inputs, names = append(inputs, drawnInput(anyfabric.Draw(seed).Text)), append(names, fmt.Sprintf("seed %d", seed))
	}
	edits, conditions, open := 0, 0, map[string]int{}
	for i, in := range inputs {
		in.Catalogue = usual
		before := compiledOf(t, in)
		offers := must.Get(roceplan.Offers(context.Background(), in))(t)
		for _, s := range before.Shapes {
			if s.Verdict == nil {
				continue
			}
			for k := range s.Verdict.Conditions {
				c := &s.Verdict.Conditions[k]
				conditions++
				o := roceplan.OfferFor(offers, s.Switch.Names[0], c)
				if o == nil {
					t.Errorf("%s: nothing is said of %s: %s", names[i], s.Switch.Names[0], c.Assumes)
					continue
				}
				for _, w := range []*roceplan.Way{o.Declare, o.Pay} {
					if w != nil {
						edits++
						provesMore(t, names[i], in, w, s.Switch.Names[0], c, before)
					}
				}
				if o.Declare == nil && o.Pay == nil {
					open[c.ID]++
					if strings.Contains(c.Declare, "in a fabric file") {
						t.Errorf("%s: %s: a fabric can declare it, but no edit is offered: %s", names[i], s.Switch.Names[0], c.Declare)
					}
					if !strings.Contains(o.Why, "needed") && !strings.Contains(o.Why, "would do") {
						t.Errorf("%s: %s: %q", names[i], c.Assumes, o.Why)
					}
				} else if o.Why != "" {
					t.Errorf("%s: an edit, and %q", names[i], o.Why)
				}
			}
		}
	}
	t.Logf("%d conditions, %d edits; without one, by kind: %v", conditions, edits, open)
	if edits < 30 {
		t.Errorf("only %d edits were offered", edits)
	}
	if open[proof.PeerResponse] > 0 || open[proof.PacketMix] > 0 {
		t.Errorf("what an author can declare is not offered: %v", open)
	}
}

// undeclared is an example without what its author declares of responses, so that there is something to offer.
func undeclared(in roceplan.Input) roceplan.Input {
	in.Files = slices.Clone(in.Files)
	for i := range in.Files {
		in.Files[i].Text = regexp.MustCompile(`(?m)^\s*pause_response = .*\n`).ReplaceAll(in.Files[i].Text, nil)
	}
	return in
}

func drawnInput(text string) roceplan.Input {
	return roceplan.Input{Files: []roceplan.Source{{Name: "drawn.hcl", Text: []byte(text)}}}
}

func compiledOf(t *testing.T, in roceplan.Input) *roceplan.Compiled {
	t.Helper()
	c := must.Get(roceplan.Compile(context.Background(), roceplan.Load(in), roceplan.CompileOptions{}))(t)
	return c
}

// edited is a fabric with edits.
func edited(in roceplan.Input, edits []diag.Edit) roceplan.Input {
	in.Files = slices.Clone(in.Files)
	for i, src := range in.Files {
		in.Files[i].Text = diag.Apply(src.Name, src.Text, edits)
	}
	return in
}

// provesMore holds a way against the fabric without it.
func provesMore(t *testing.T, name string, in roceplan.Input, w *roceplan.Way, device string, c *proof.Condition, before *roceplan.Compiled) {
	t.Helper()
	after := compiledOf(t, edited(in, w.Edits))
	if after.Findings.HasErrors() || after.Verdict() > before.Verdict() {
		t.Errorf("%s: with %s it is %v: %v", name, w.Text, after.Verdict(), after.Findings)
	}
	for _, s := range after.Shapes {
		if slices.Contains(s.Switch.Names, device) && slices.ContainsFunc(s.Verdict.Conditions, func(now proof.Condition) bool {
			return now.ID == c.ID && now.Where == c.Where && now.Declare == c.Declare
		}) {
			t.Errorf("%s: with %s %s still needs: %s", name, w.Text, device, c.Assumes)
		}
	}
}

// Of a peer at 800G no standard says how long it may send on: the edit declares the bound that the verdict
// names, above it a comment says what the author has to know, and with both ends declared all is proved.
func TestOfferDeclares(t *testing.T) {
	usual, _ := chips.Load()
	in := must.Get(roceplan.In(os.DirFS("."), "examples/tomahawk5-ai-pod"))(t)
	in = undeclared(in)
	in.Catalogue = usual
	for round := 1; ; round++ {
		offers := must.Get(roceplan.Offers(context.Background(), in))(t)
		at := slices.IndexFunc(offers, func(o roceplan.Offer) bool { return o.Declare != nil })
		if at < 0 {
			break
		}
		if round > 2 {
			t.Fatalf("two declarations leave %s", offers[at].Lines())
		}
		text := offers[at].Declare.Edits[0].Text
		if !strings.Contains(text, "# Keep this only if it is so") || !strings.Contains(text, `pause_response = "1780ns"`) {
			t.Errorf("the edit is %q", text) // 1780.02 ns by the verdict
		}
		in = edited(in, offers[at].Declare.Edits)
	}
	must.Equalf(t, compiledOf(t, in).Verdict(), verify.Proved, "with both ends declared the verdict is")
}

// What UCloud's method lacks of the time that IEEE 802.3 allows is paid for by a margin: 4 cells of 256 B for
// each of 32 ports of a ToR at 25G, and as many for its 8 uplinks. The pool is that much smaller.
func TestOfferPays(t *testing.T) {
	in := must.Get(roceplan.In(os.DirFS("."), "examples/ucloud-pod"))(t)
	offers := must.Get(roceplan.Offers(context.Background(), in))(t)
	at := slices.IndexFunc(offers, func(o roceplan.Offer) bool { return strings.HasPrefix(o.Where, "servers ") })
	pay := offers[at].Pay
	if !strings.Contains(pay.Text, `headroom_margin = "1024B"`) {
		t.Errorf("the offer is %s", pay)
	}
	if c := pay.Costs[1]; c.Cells != 4*(32+8) || c.Headroom != 4*(32+8)*256 || c.Shared != c.Headroom || !slices.Contains(c.Switches, "tor-01") {
		t.Errorf("it costs %+v", pay.Costs)
	}
}

// A margin in per cent stays, and an amount is added: 1 % makes 99 cells of 98, so that 3 are lacking. Headroom
// that is shared among 8 groups is no longer where every group gets its own.
func TestOfferKeepsWhatIsSaid(t *testing.T) {
	for _, c := range []struct{ says, where, pay string }{
		{`headroom_margin = "1%"`, "servers ", `: headroom_margin = ["1%", "768B"]`},
		{`headroom_sharing = "8 groups"`, "slice 0, pool ", ": leave out headroom_sharing"},
	} {
		in := must.Get(roceplan.In(os.DirFS("."), "examples/ucloud-pod"))(t)
		in.Files[0].Text = []byte(strings.Replace(string(in.Files[0].Text), `headroom_method =`, c.says+"\n  headroom_method =", 1))
		offers := must.Get(roceplan.Offers(context.Background(), in))(t)
		at := slices.IndexFunc(offers, func(o roceplan.Offer) bool { return strings.HasPrefix(o.Where, c.where) && o.Switches[0] == "tor-01" })
		if at < 0 {
			t.Fatalf("%s: no offer is on %s", c.says, c.where)
		}
		if pay := offers[at].Pay; pay == nil || !strings.HasSuffix(pay.Text, c.pay) {
			t.Errorf("%s: the offer is %s", c.says, offers[at].Lines())
		}
	}
}

// Headroom that the author gives is raised where it is: within the 533 ns that a peer may take longer than this
// headroom lets it, 80 packets of 84 B come in at 100 Gb/s, each of which takes a cell of 256 B.
func TestOfferRaisesGivenHeadroom(t *testing.T) {
	in := must.Get(roceplan.In(os.DirFS("."), "examples/ucloud-pod"))(t)
	in.Files[0].Text = []byte(strings.Replace(string(in.Files[0].Text), `port_group "tors" {`, "port_group \"tors\" {\n    headroom = \"147968B\"", 1))
	offers := must.Get(roceplan.Offers(context.Background(), in))(t)
	at := slices.IndexFunc(offers, func(o roceplan.Offer) bool { return strings.HasPrefix(o.Where, "tors ") })
	if pay := offers[at].Pay; pay == nil || !strings.HasSuffix(pay.Text, fmt.Sprintf(`: headroom = "%dB"`, 147968+80*256)) {
		t.Errorf("the offer is %s", offers[at].Lines())
	}
}

// An edit may leave less headroom: its costs have the sign in bytes and in cells.
func TestOfferMayCostLess(t *testing.T) {
	text := `fabric "fabric" {
  mtu = "9238B"
}

traffic_class "cnp" {
  dscp       = [48, 49, 50, 51, 52, 53, 54, 55]
  queue      = 6
  scheduling = strict
}

traffic_class "rdma" {
  dscp   = [24, 25, 26, 27, 28, 29, 30, 31]
  queue  = 3
  pfc    = 3
  weight = 50
  alpha  = "1"

  ecn {
    kmin = "150000B"
    kmax = "1500000B"
    pmax = "100%"
  }
}

traffic_class "rest" {
  dscp   = rest
  queue  = 0
  weight = 50

  ecn {
    kmin = "150000B"
    kmax = "1500000B"
    pmax = "100%"
  }
}

pfc_watchdog {
  enabled = false
}

switch "leaf01" {
  chip        = "spectrum4"
  os          = "cumulus"

  port_group "ports-400g" {
    ports = "swp[1..4]"
    speed = "400Gbps"
    cable = "100m"
  }

  pinned {
    dscp_to_tc   = { "8-15" = 1, "16-23" = 2, "32-39" = 4, "40-47" = 5, "56-63" = 7 }
    tc_to_queue  = { "1-2,4-5,7" = 0 }
    pfc_to_queue = { "1-2,4-5,7" = 0 }
    pool "ingress-1" { dynamic = true }
    pool "egress-0" { share = 10 }
    pool "ingress-0" { share = 10 }
    pool "ingress-1" { share = 90 }
    queue "6" { max_rate = "0bps" }
  }
}
`
	offers := must.Get(roceplan.Offers(context.Background(), drawnInput(text)))(t)
	less := 0
	for _, o := range offers {
		for _, w := range []*roceplan.Way{o.Declare, o.Pay} {
			for i := range wayCosts(w) {
				c := w.Costs[i]
				if (c.Headroom < 0) != (c.Cells < 0) {
					t.Errorf("%s costs %v in %d cells", w.Text, c.Headroom, c.Cells)
				}
				if c.Headroom < 0 {
					less++
				}
			}
		}
	}
	if less == 0 {
		t.Errorf("no edit leaves less headroom: %+v", offers)
	}
}

func wayCosts(w *roceplan.Way) []roceplan.Cost {
	if w == nil {
		return nil
	}
	return w.Costs
}

package calc_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/roceplan/roceplan/calc"
	"github.com/roceplan/roceplan/chips"
	"github.com/roceplan/roceplan/diag"
	"github.com/roceplan/roceplan/internal/testing/must"
	"github.com/roceplan/roceplan/policy"
)

// one is a switch with ports of one kind and two lossless classes.
const one = `fabric "one" {
  mtu             = "9216B"
  lossless_frame  = "4200B"
  expected_delay  = "10us"
  tolerable_delay = "40us"
  %s
}
traffic_class "cnp" {
  dscp       = [48]
  queue      = 6
  scheduling = strict
  max_rate   = "2Gbps"
}
traffic_class "a" {
  dscp   = [26]
  queue  = 3
  pfc    = 3
  weight = 40
}
traffic_class "b" {
  dscp   = [28]
  queue  = 4
  %s
  weight = 20
}
nic "cx7" {
  model = "connectx-7"
}
switch "sw" {
  chip = "tomahawk5"
  os   = "sonic"
  port_group "p" {
    ports  = "Ethernet[0..504/8]"
    speed  = "800Gbps"
    cable  = "%dm"
    fan_in = %d
  }
}
`

func designOf(t *testing.T, text string) calc.Design {
	t.Helper()
	catalogue, _ := chips.Load()
	f := must.Sound(policy.Load(policy.Options{Files: []policy.Source{{Name: "fabric.hcl", Text: []byte(text)}}, Catalogue: catalogue}))(t)
	list := calc.Designs(f)
	if len(list) != 1 {
		t.Fatalf("%d designs", len(list))
	}
	return list[0]
}

// Each answer about a fabric that does not compile is written into its text and compiles,
// and the next step does not.
func TestDesignsAreCompiled(t *testing.T) {
	const far, pfc = 1500, "pfc = 4"
	d := designOf(t, fmt.Sprintf(one, "", pfc, far, 63))
	if d.Fits || len(d.Trades) != 3 || d.Classes != 0 || d.FanIn != 0 {
		t.Fatalf("%+v", d)
	}
	compiles := func(what string, want bool, text string) {
		t.Helper()
		if _, found := compute(t, text, ""); found.HasErrors() == want {
			t.Errorf("%s: compiles: %v, want %v: %v", what, !want, want, found)
		}
	}
	for _, trade := range d.Trades {
		sharing := ""
		if trade.Ratio > 1 {
			sharing = fmt.Sprintf("headroom_sharing = \"%d:1\"", trade.Ratio)
		}
		for i, second := range []string{"", pfc} {
			metres := int64(trade.Cables[0].Longest[i]) / 1000
			what := fmt.Sprintf("%d classes at %d:1 and %d m", i+1, trade.Ratio, metres)
			if metres == 0 {
				t.Errorf("%s: nothing fits", what)
			}
			compiles(what, true, fmt.Sprintf(one, sharing, second, metres, 63))
			compiles(what+" and one more", false, fmt.Sprintf(one, sharing, second, metres+1, 63))
		}
	}
	near := designOf(t, fmt.Sprintf(one, "", pfc, 100, 63))
	if !near.Fits || near.Classes < 2 || near.FanIn < 1 || near.FanIn > 63 {
		t.Fatalf("%+v", near)
	}
	// Of 64 ports with two groups each the two parts of the buffer hold 64, and half and a quarter of them.
	for i, want := range []int{64, 32, 16} {
		if near.Trades[i].Held != want || d.Trades[i].Held != 0 {
			t.Errorf("at %d:1 a part holds %d groups, want %d; where it does not fit %d", near.Trades[i].Ratio, near.Trades[i].Held, want, d.Trades[i].Held)
		}
	}
	compiles("the largest fan-in", true, fmt.Sprintf(one, "", pfc, 100, near.FanIn))
	if near.FanIn < 63 {
		compiles("one more", false, fmt.Sprintf(one, "", pfc, 100, near.FanIn+1))
	}
}

// Where groups own their headroom nothing is traded, and a kind of port without lossless groups needs no
// cable for them.
func TestDesignWithoutAPool(t *testing.T) {
	text := strings.NewReplacer(`"tomahawk5"`, `"spectrum4"`, "Ethernet[0..504/8]", "Ethernet[0..56/8]", "800Gbps", "400Gbps", "fan_in = 5\n  }", `fan_in = 5
  }
  port_group "lossy" {
    ports    = "Ethernet[64..72/8]"
    speed    = "400Gbps"
    lossless = false
  }`).Replace(fmt.Sprintf(one, "", "", 10, 5))
	d := designOf(t, text)
	if !d.Fits || len(d.Trades) != 1 || d.Trades[0].Ratio != 1 || len(d.Trades[0].Cables) != 1 || d.Trades[0].Cables[0].Group != "p" || len(d.Trades[0].Cables[0].Longest) != 2 {
		t.Errorf("%+v", d)
	}
}

// A method that there is not is an error that names those that there are, and the one that is near.
func TestMethodThatThereIsNot(t *testing.T) {
	for method, fix := range map[string]string{"xgz": "did you mean xgs?", "by hand": "write one of them"} {
		_, found := compute(t, fmt.Sprintf(one, fmt.Sprintf("headroom_method = %q", method), "", 10, 5), "")
		i := slices.IndexFunc(found, func(d diag.Diagnostic) bool { return d.Code == calc.HeadroomMethod })
		if i < 0 || found[i].Fix != fix || !strings.Contains(found[i].Message, "worst-case") || found[i].Subject.Start.Line != 6 {
			t.Errorf("%s: %v", method, found)
		}
	}
}

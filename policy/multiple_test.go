package policy

import (
	"slices"
	"testing"

	"github.com/roceplan/roceplan/diag"
)

// A goal that is a multiple is a number from 1 to a million, in thousandths; what is left out has its default, or is none.
func TestMultiples(t *testing.T) {
	for value, want := range map[string]string{
		"1": "1", "2.5": "2.5", "2.345": "2.345", "1.0005": "1.001", "10": "10", "1000000": "1000000", "7/2": "3.5",
		"0": "", "0.99": "", "-3": "", "1000001": "", `"10"`: "", `"10%"`: "", "true": "",
	} {
		f, found := Load(Options{Files: []Source{{Name: "f", Text: []byte("fabric \"f\" {\n targets {\n slowdown = " + value + "\n }\n}\n")}}})
		refused := slices.ContainsFunc(found, func(d diag.Diagnostic) bool { return d.Code == OutOfRange || d.Code == WrongType })
		if refused != (want == "") || !refused && f.Targets.Slowdown.Value.String() != want {
			t.Errorf("%s is %v, refused: %t, %v", value, f.Targets.Slowdown.Value, refused, found)
		}
	}
	f, _ := Load(Options{Files: []Source{{Name: "f", Text: []byte("fabric \"f\" {\n targets {\n }\n}\n")}}})
	if g := f.Targets; g.Slowdown.Set || g.Slowdown.Value != 0 || g.SlowdownP99.Value != 100*once || g.Steps.Value != 5*once {
		t.Errorf("%+v", g)
	}
}

// Events repeat as blocks of traffic do, and blocks of traffic have names.
func TestEventsThatRepeat(t *testing.T) {
	f, found := Load(Options{Files: []Source{{Name: "f", Text: []byte(`fabric "f" {
}
scenario "s" {
  incast {
    name    = "bursts"
    senders = 2
  }
  pfc_storm {
    for_each = { a = "10us", b = "20us" }
    at       = each.value
  }
  slow_receiver {
    count = 3
    rate  = "1Gbps"
  }
}
`)}}})
	s := f.Scenarios[0]
	var at []string
	for _, e := range s.Events {
		at = append(at, e.Kind+" "+e.At.Value.String())
	}
	want := []string{"pfc_storm 10us", "pfc_storm 20us", "slow_receiver 0ps", "slow_receiver 0ps", "slow_receiver 0ps"}
	if !slices.Equal(at, want) || s.Traffic[0].Name.Value != "bursts" {
		t.Errorf("%v, %+v, %v", at, s.Traffic[0].Name, found)
	}
}

package main

import "testing"

// Functions against the page, by hand.
func TestCells(t *testing.T) {
	dynamic := func(alpha int64) []limit { return []limit{{Dynamic: true, Alpha: alpha}} }
	both := []limit{{Cells: 4}, {Cells: 2}}
	for what, c := range map[string][2]int64{
		"half of -3":                       {scaled(-3, -1), -2},
		"-7 halves":                        {over(2, -7, 1), -4},
		"one of 64 B in 84 B of wire":      {packed(84, 100, 0, 300), 1},
		"one of 101 B in two cells":        {packed(121, 100, 0, 300), 2},
		"two of 64 B, and two more of 300": {mixed(168, 100, 0, 300, 500000000, 2), 2},
		"1 of 3, as more is not free":      {after(3, 0, dynamic(0), 1), 2},
		"2, as it is asked before":         {after(3, 2, dynamic(0), 1), 1},
		"two that take 2 each":             {after(9, 0, both, 2), 5},
		"the largest two":                  {most([]int64{3, 9, 4}, 2), 13},
	} {
		if c[0] != c[1] {
			t.Errorf("%s: %d, and not %d", what, c[0], c[1])
		}
	}
}

// What comes in over 1 m at 10 Gb/s: 984 B of frame and gap and 84 B of pause are 854.49 ns with a slow clock, and there and back the
// cable takes 10 ns. That is 1080 B: eight packets of 101 B in two cells, a ninth of 84 B of wire, and one of 3 cells.
func TestComesIn(t *testing.T) {
	m := &model{Cell: 100}
	if got := m.comesIn(link{Rate: 1e10, Cable: 1000, Frame: 964, Lossless: 280}); got != 8*2+1+3 {
		t.Errorf("%d cells", got)
	}
}

func TestLimitsThatAreNoNarrower(t *testing.T) {
	a, b := limit{Dynamic: true, Alpha: 1}, limit{Cells: 5}
	for i, c := range []struct {
		limits, than []limit
		want         bool
	}{{[]limit{a}, []limit{a, b}, true}, {[]limit{b}, []limit{a, b}, true}, {[]limit{a, b}, []limit{a}, false}, {[]limit{a, b}, []limit{a, b}, true}, {[]limit{b}, []limit{a}, false}, {[]limit{{Cells: 4}}, []limit{b}, false}} {
		if got := noNarrower(c.limits, c.than); got != c.want {
			t.Errorf("%d: %v", i, got)
		}
	}
}

// Certificates of older versions are refused by their number, and what is not listed by its name.
func TestForm(t *testing.T) {
	for text, want := range map[string]string{
		`{"schema": "roceplan/certificates/1", "x": 1}`:           `its schema is "roceplan/certificates/1", and this program reads "roceplan/certificates/2"`,
		`{"schema": "roceplan/certificates/2", "x": 1}`:           `json: unknown field "x"`,
		`{"schema": "roceplan/certificates/2"} {}`:                "something follows the last brace",
		`{"schema": "roceplan/certificates/2", "devices": ["a"]}`: "",
	} {
		if _, err := parse([]byte(text)); (err == nil) != (want == "") || err != nil && err.Error() != want {
			t.Errorf("%s: %v", text, err)
		}
	}
}

package read

import (
	"flag"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/roceplan/roceplan/internal/packed"
	"github.com/roceplan/roceplan/internal/testing/must"
)

// A statement may be of several kinds, where the row of the first allows it.
func TestWaysOfSeveralKinds(t *testing.T) {
	kinds := NewWayKinds([]WayKind{{Path: "group & neighbor @ !also", Why: "in"}, {Path: "group * neighbor @ as &", Why: "as"}, {Path: "group *", Why: "no"}})
	got := kinds.Of(strings.Fields("group up neighbor n as 7"))
	if want := []Way{{Why: "in", Value: "up", Bundle: "n"}, {Why: "as", Value: "7", Bundle: "n"}}; !slices.Equal(got, want) {
		t.Errorf("%+v, want %+v", got, want)
	}
}

// A statement is of the first kind whose words it begins with; a kind without a reason is none.
func TestWayKinds(t *testing.T) {
	kinds := NewWayKinds([]WayKind{
		{Path: "ip|ipv6 route vrf mgmt"}, {Path: "ip|ipv6 route", Why: "static"}, {Path: "no ip routing $", Why: "off"},
		{Path: "router … neighbor * allowas-in", Why: "own"}, {Path: "interface % … switched", Why: "bridged"},
		{Path: "aging 1..299 !bridged", Why: "forgotten"},
	})
	for text, want := range map[string]Way{
		"ip route 10.0.0.0/8 Null0":            {Why: "static"},
		"ipv6 route vrf blue ::/0 fe80::1":     {Why: "static"},
		"ip route vrf mgmt 0.0.0.0/0 10.0.0.1": {},
		"ip":                                   {},
		"no ip routing":                        {Why: "off"},
		"no ip routing vrf mgmt":               {},
		"router bgp 1 vrf a neighbor 10.0.0.2 allowas-in": {Why: "own"},
		"router neighbor x allowas-in 3":                  {Why: "own"},
		"router bgp 1 neighbor allowas-in":                {},
		"interface e1 unit 0 switched":                    {Why: "bridged", Port: "e1"},
		"interface e1 switched":                           {Why: "bridged", Port: "e1"},
		"interface e1 unit 0":                             {},
		"aging 299":                                       {Why: "forgotten", Bridged: true},
		"aging 300":                                       {},
		"aging 0":                                         {},
		"aging never":                                     {},
		"":                                                {},
	} {
		got := Way{}
		if all := kinds.Of(strings.Fields(text)); len(all) > 0 {
			got = all[0]
		}
		must.Equalf(t, got, want, "%q:", text)
	}
}

var update = flag.Bool("update", false, "write ways.bin")

// The program has the rows of the folder ways, and each has a reason that there is.
func TestWaysFile(t *testing.T) {
	file := must.Get(packed.PackFiles(os.DirFS("."), "ways/*.txt"))(t)
	if *update {
		must.Do(t, os.WriteFile("ways.bin", file, 0o644))
		return
	}
	n := 0
	for name, text := range packed.Files(string(file)) {
		if wayFiles()[name] != text {
			t.Errorf("the program has other rows of %s: go test ./read -run WaysFile -update", name)
		}
		for row := range strings.SplitSeq(text, "\n") {
			why, path, ok := strings.Cut(row, " ")
			if n++; row != "" && why != "#" && (!ok || path == "" || why != "-" && whys[why] == "") {
				t.Errorf("%s: %q has no path, or a reason that there is not", name, row)
			}
		}
	}
	if n < 300 {
		t.Errorf("%d rows", n)
	}
}

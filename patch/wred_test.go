package patch_test

import (
	"fmt"
	"strconv"
	"strings"
	"testing"

	"github.com/roceplan/roceplan/patch"
)

// A curve whose maximum lies below its minimum is refused by the switch: whichever way
// both move, and by however much, the patch passes through no such curve.
func TestCurvesStayInOrder(t *testing.T) {
	curve := func(low, high int) patch.DB {
		return running(t, fmt.Appendf(nil, `{
			"PORT": {"Ethernet0": {"lanes": "1", "speed": "100000"}},
			"WRED_PROFILE": {"AZURE": {"ecn": "ecn_all",
				"green_min_threshold": "%[1]d", "green_max_threshold": "%[2]d",
				"yellow_min_threshold": "%[1]d", "yellow_max_threshold": "%[2]d",
				"red_min_threshold": "%[1]d", "red_max_threshold": "%[2]d"}}}`, low, high)).DB
	}
	curves := [][2]int{{1000, 2000}, {2000, 2000}, {2000, 9000}, {3000, 9000}, {9000, 10000}, {99, 100}}
	for _, from := range curves {
		for _, to := range curves {
			steps, hazard := patch.Between(curve(from[0], from[1]), curve(to[0], to[1]))
			if hazard != "" {
				t.Errorf("%v to %v: %s", from, to, hazard)
			}
			at := map[string]int{}
			for _, colour := range []string{"green", "yellow", "red"} {
				at[colour+"_min"], at[colour+"_max"] = from[0], from[1]
			}
			for _, op := range (&patch.Patch{Steps: steps}).Operations() {
				field := strings.TrimSuffix(op.Path[strings.LastIndex(op.Path, "/")+1:], "_threshold")
				value, _ := op.Value.(patch.Value)
				n, err := strconv.Atoi(value.Text)
				if _, known := at[field]; !known || err != nil {
					t.Fatalf("%v to %v: %+v", from, to, op)
				}
				at[field] = n
				for _, colour := range []string{"green", "yellow", "red"} {
					if at[colour+"_min"] > at[colour+"_max"] {
						t.Errorf("%v to %v: after %s the curve of %s is from %d to %d", from, to, op.Path, colour, at[colour+"_min"], at[colour+"_max"])
					}
				}
			}
			for _, colour := range []string{"green", "yellow", "red"} {
				if at[colour+"_min"] != to[0] || at[colour+"_max"] != to[1] {
					t.Errorf("%v to %v ends at %v", from, to, at)
				}
			}
		}
	}
}

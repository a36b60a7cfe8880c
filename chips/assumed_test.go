package chips_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/roceplan/roceplan/chips"
	"github.com/roceplan/roceplan/internal/testing/diagtest"
)

// worth is what an assumed datum decides, and to which side an error of it goes.
var worth = map[string]string{
	"admission":              "the moment of a pause, to a cell",
	"alphas":                 "which steps a file may have; a step that the chip lacks is refused by the device",
	"cell_size":              "all amounts, which are rounded to cells, and headroom, which is counted in them",
	"ecn_granularity":        "Kmin and Kmax by less than a step",
	"headroom_fixed":         "headroom by xgs alone; worst-case is a floor beside it",
	"headroom_method":        "which vendor's formula is the floor beside worst-case",
	"headroom_pool":          "whether groups may share headroom; false only costs memory",
	"headroom_response":      "headroom by xgs alone; worst-case is a floor beside it",
	"headroom_responses":     "headroom by xgs alone; worst-case is a floor beside it",
	"headroom_speed_classes": "headroom by xgs alone; worst-case is a floor beside it",
	"headroom_wire_per_cell": "headroom by xgs alone; worst-case is a floor beside it",
	"latency":                "base latency of the path: the delay at Kmax of each queue is less by this; no headroom",
	"marking_lag":            "alpha from below: as much of a queue as a port sends in it; no headroom",
	"marking_steps":          "Pmax, which the chip would round to another step",
	"max_packet":             "whether a frame is refused",
	"packet_buffer":          "all sizes of pools: too large a value would be refused by the device, or lose packets; the verdict is conditional on it",
	"packet_metadata":        "cells of each packet: a cell of headroom for packets that just fit",
	"pause":                  "the moment of a pause, to a packet",
	"pg_reserve":             "what groups own; too small a value costs shared memory alone",
	"pool_size":              "what a pool's size in a SONiC file means: wrong, and pools are larger than the memory by the headroom",
	"port_speeds":            "whether a speed is refused",
	"queue_reserve":          "what queues own; too small a value costs shared memory alone",
	"slices":                 "into how many parts memory is cut; more than there are costs memory, fewer would lose packets",
	"xon_offset":             "how often a group pauses; no headroom",
}

// golden/assumed.txt has all that the catalogue assumes, and what it is worth; -update rewrites it.
func TestAssumedDataAreListed(t *testing.T) {
	catalogue, _ := chips.Load()
	of := map[string][]string{}
	used, sum := map[string]bool{}, 0
	var names []string
	for _, chip := range catalogue.Chips() {
		for _, f := range chip.Facts() {
			if f.Confidence != chips.Assumed.String() {
				continue
			}
			if worth[f.Name] == "" {
				t.Errorf("%s of %s is assumed, and nothing says what it is worth", f.Name, chip.Name)
			}
			if sum++; !used[f.Name] {
				used[f.Name] = true
				names = append(names, f.Name)
			}
			of[f.Name] = append(of[f.Name], fmt.Sprintf("    %-18s %s: %s", chip.Name, short(f.Text), f.Source))
		}
	}
	for name := range worth {
		if !used[name] {
			t.Errorf("%s is assumed nowhere any more", name)
		}
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%d data of the catalogue are assumed: no document and no measurement has them. What each\ndecides, and of which chips it is; `roceplan chips show` prints them beside the others.\n", sum)
	for _, name := range names {
		fmt.Fprintf(&b, "\n%s: %s\n%s\n", name, worth[name], strings.Join(of[name], "\n"))
	}
	diagtest.Golden(t, "../golden/assumed.txt", b.String())
}

// short cuts a list that is long.
func short(text string) string {
	if len(text) > 60 {
		return text[:57] + "..."
	}
	return text
}

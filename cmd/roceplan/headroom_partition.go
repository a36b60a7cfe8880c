package main

import (
	"fmt"

	"github.com/roceplan/roceplan/plan"
	"github.com/roceplan/roceplan/units"
	"github.com/roceplan/roceplan/verify"
)

// printPartitions says how far the headroom goes that a device computes itself.
func printPartitions(t *terminal, s *verify.Switch) {
	for _, p := range s.Partitions {
		t.printf("  headroom partition, as on %s: %d %% of the shared buffer, %v, of which each of %d parts has %d cells\n", p.Chip, p.Percent, p.Size, p.Parts, p.Cells)
		var rows table
		rows.add("    PORTS", "SPEED", "PG", "QUEUE", "CABLE", "FRAME", "RESERVED", "NEEDED", "HOLDS AT ONCE", "LONGEST CABLE", "IF ALL PAUSE")
		for _, g := range p.Groups {
			speed := g.Speed.String()
			if g.Possible {
				speed += "?"
			}
			rows.add("    "+plan.Abbreviate(g.Ports), speed, fmt.Sprint(g.PG), fmt.Sprint(g.Queue), andTold(g.Cable, g.Told), andTold(g.Frame, g.MRU),
				fmt.Sprintf("%d cells", g.Reserves), fmt.Sprintf("%d cells", g.Needs), fmt.Sprintf("%d of %d", min(g.AtOnce, g.InPart), g.InPart),
				reach(g.LongestOwn), reach(g.LongestAll))
		}
		t.printf("%s", rows)
		for _, text := range p.DropsAt() {
			t.printf("    %s\n", text)
		}
	}
	if s.Drops != "" {
		t.printf("    %s\n", s.Drops)
	}
}

// andTold is a figure, and in brackets what the device computes with where that is another.
func andTold[T interface {
	comparable
	String() string
}](real, computed T) string {
	if real == computed {
		return real.String()
	}
	return fmt.Sprintf("%v (told %v)", real, computed)
}

// reach returns the longest cable.
func reach(cable *units.Length) string {
	if cable == nil {
		return "none"
	}
	return cable.String()
}

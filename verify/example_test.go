package verify_test

import (
	"fmt"
	"os"

	"github.com/roceplan/roceplan/chips"
	"github.com/roceplan/roceplan/units"
	"github.com/roceplan/roceplan/verify"
)

// A file of a SONiC switch, whose peers have been measured.
func ExampleJudge() {
	catalogue, _ := chips.Load()
	chip, _ := catalogue.Find("trident3")
	response := 1500 * units.Nanosecond
	report, err := verify.Judge(
		[]verify.File{verify.In(os.DirFS("testdata"), "config_db.json")},
		verify.Options{Catalogue: catalogue, Chip: chip, Peers: verify.Peers{Response: &response}})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, s := range report.Switches {
		fmt.Println(s.Names[0], s.Verdict)
		for _, g := range s.Groups {
			fmt.Println(g.Where, g.Verdict)
		}
		for _, fact := range s.Declared {
			fmt.Println("declared:", fact)
		}
	}
	// Output:
	// leaf-1 proved
	// Ethernet0 (2 × 100Gbps, 100m), PG 5 proved
	// declared: chip trident3
	// declared: every peer responds to a pause within 1.5us
}

package policy_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/roceplan/roceplan/chips"
	"github.com/roceplan/roceplan/internal/testing/must"
	"github.com/roceplan/roceplan/policy"
	"github.com/roceplan/roceplan/units"
)

// Boxes of sonic-buildimage with all the ports of their port_config.ini are not too much
// for their chips, except for line cards of Jericho: those list ports into the fabric.
func TestBoxesAreWithinTheirChips(t *testing.T) {
	catalogue, _ := chips.Load()
	checked := 0
	for _, box := range catalogue.Boxes() {
		for _, sku := range box.HwSKUs {
			chip, ok := catalogue.ChipOf(box.Name, sku)
			if !ok || chip.Family == chips.DNX || chip.Capacity.Fact() == nil || catalogue.ChipsIn(box.Name, sku) > 1 {
				continue
			}
			var rates []units.BitRate
			for _, port := range catalogue.Ports(box, sku) {
				rates = append(rates, port.Speed)
			}
			checked++
			must.Equalf(t, tooMuch(t, catalogue, chip.Name, rates), "", "%s of %s:", sku, box.Name)
		}
	}
	if checked < 300 {
		t.Errorf("only %d HwSKUs have been checked", checked)
	}
}

// tooMuch returns the message about the capacity of a switch with ports of these rates.
func tooMuch(t *testing.T, catalogue *chips.Catalogue, chip string, rates []units.BitRate) string {
	var b strings.Builder
	fmt.Fprintf(&b, "fabric \"f\" {}\nswitch \"s\" {\n  chip = %q\n  os = sonic\n", chip)
	for i, rate := range rates {
		fmt.Fprintf(&b, "  port_group \"g%d\" {\n    ports = \"Ethernet%d\"\n    speed = \"%v\"\n  }\n", i, i, rate)
	}
	b.WriteString("}\n")
	_, found := policy.Load(policy.Options{Files: []policy.Source{{Name: "f.hcl", Text: []byte(b.String())}}, Catalogue: catalogue})
	for _, d := range found {
		if d.Code == policy.ChipCapacity {
			return d.Message
		}
	}
	return ""
}

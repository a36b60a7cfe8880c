package verify

import (
	"strings"
	"testing"

	"github.com/roceplan/roceplan/model/proof"
)

// Whatever a fabric is for, all packets are marked before the first pause by what the files say, static limits
// included. Junos marks by levels of a queue's fill, and EOS bounds lossy groups by an alpha that the author gives.
func TestPurposesMarkBeforePauses(t *testing.T) {
	for _, kind := range networkKinds() {
		switch kind.target {
		case "junos":
			continue
		case "eos":
			kind.more += "\n  lossy_alpha = \"1/64\""
		}
		kind.servers = strings.NewReplacer("[1..8]", "[1..28]", "[0..7]", "[0..27]", "[0..56/8]", "[0..216/8]").Replace(kind.servers)
		for _, purpose := range []string{"training", "storage", "requests", "mixed"} {
			text := strings.Replace(kind.text(), "  expected_delay  = \"10us\"\n  tolerable_delay = \"40us\"\n", "  purpose = \""+purpose+"\"\n", 1)
			r := compiledNetwork(t, kind.target, text).edited(t, "", nil)
			for _, sw := range r.Switches {
				judged := false
				for _, one := range sw.Obligations {
					judged = judged || one.ID == proof.MarkingBefore
					if one.ID == proof.MarkingBefore && one.Slack() < 0 {
						t.Errorf("%s for %s: %v: %v", kind.target, purpose, sw.Names, one.String())
					}
				}
				if !judged {
					t.Errorf("%s for %s: nothing is judged of the marks of %v", kind.target, purpose, sw.Names)
				}
			}
		}
	}
}

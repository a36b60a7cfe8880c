package diff

import (
	"regexp"
	"strings"
	"testing"

	"github.com/roceplan/roceplan/internal/testing/plantest"
	"github.com/roceplan/roceplan/plan"
)

// notRun are parts of a switch that Running takes from the fabric.
var notRun = regexp.MustCompile(`^Switches.0.\.(Names|Chip|Cell|OS|Targets|Role|Release|Classes.*\.(Name|CongestionControl|Transport|Range|TrafficClass)|Ports.*\.(Name|Medium|Peer|Alias)|Pools.*\.Percent|Ports.*\.P(Gs|ools).*\.(ID|Pool)|Ports.*Queues.*\.ID|Pools.*\.Name)\b`)

// Where a device runs anything else than the fabric has, Running has that, and changes nothing else.
func TestRunning(t *testing.T) {
	tried := 0
	for _, e := range plantest.Edits(populated()) {
		name := e.Path + " " + e.How
		have := e.Edited(populated())
		if !strings.HasPrefix(name, "Switches[0]") || notRun.MatchString(name) || !Compare(populated(), have).Any() {
			continue
		}
		tried++
		of, want := populated().Switches[0], populated().Switches[0]
		for _, sw := range []*plan.Switch{of, want, have.Switches[0]} {
			for i := range sw.Pools { // no fabric has shares
				sw.Pools[i].Percent, sw.Pools[i].HeadroomPercent = 0, 0
			}
		}
		got := Running(of, want, have.Switches[0])
		if r := Compare(&plan.Plan{Switches: []*plan.Switch{got}}, &plan.Plan{Switches: have.Switches[:1]}); r.Any() {
			t.Errorf("%s: what runs is not taken:\n%s", name, r.Text())
		}
		if r := Compare(&plan.Plan{Switches: []*plan.Switch{of}}, &plan.Plan{Switches: []*plan.Switch{want}}); r.Any() {
			t.Errorf("%s: the switch of the fabric was changed:\n%s", name, r.Text())
		}
	}
	if tried < 100 {
		t.Errorf("%d edits tried", tried)
	}
}

package verify

import (
	"strings"
	"testing"

	"github.com/roceplan/roceplan/model/proof"
)

// Each obligation that can fail says what to change. The figures: 130 cells are needed where
// there are 100, 30 too few.
func TestRepairs(t *testing.T) {
	figures := map[string]string{
		proof.PauseReaches: "PFC at", proof.Headroom: "130 cells", proof.Resume: "30 cells", proof.HeadroomPool: "30 cells",
		proof.QueueHolds: "30 cells", proof.PortHolds: "30 cells", proof.EgressHolds: "30 cells", proof.Memory: "30 cells", proof.LossyShare: "30 cells",
		proof.MarkingOrder: "100 cells", proof.MarkingQueue: "100 cells", proof.MarkingBefore: "100 cells", proof.Starvation: "100 cells",
		proof.WatchdogPause: "130 cells", proof.WatchdogPoll: "130 cells",
	}
	for id, figure := range figures {
		o := &proof.Obligation{ID: id, Unit: proof.InCells, Left: proof.Side{Value: 130}, Right: proof.Side{Value: 100}}
		if got := repairOf(o); !strings.Contains(got, figure) {
			t.Errorf("%s: %q has no %q", id, got, figure)
		}
	}
	if got := repairOf(&proof.Obligation{ID: "new", Unit: proof.InCells}); got != "" {
		t.Errorf("of what it does not know it says %q", got)
	}
}

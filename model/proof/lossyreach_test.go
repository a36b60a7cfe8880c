package proof_test

import (
	"slices"
	"testing"

	"github.com/roceplan/roceplan/model/proof"
	"github.com/roceplan/roceplan/plan"
)

// partly takes the lossless class from half of the ports of a leaf, as from ports that what is sent back
// between two ToRs does not pass: they classify its code points as the rest, and keep its queue, to which
// other ports may send.
func partly(sw *plan.Switch) {
	own := *sw.Ports[0].QoS
	rest := sw.Maps.DSCPToTC[0]
	classifier := sw.Maps.DSCPToTC
	for dscp, tc := range classifier {
		if tc == 3 {
			classifier[dscp] = rest
		}
	}
	own.DSCPToTC, own.PFC = &classifier, 0
	own.PGs = slices.DeleteFunc(slices.Clone(own.PGs), func(g plan.PG) bool { return g.Lossless })
	for i := range len(sw.Ports) / 2 {
		sw.Ports[i].QoS = &own
	}
}

// Lossy traffic takes no buffer through queues that no lossy group feeds, also where the port of such
// a queue has no lossless group that feeds it.
func TestLossyTrafficStaysInItsQueues(t *testing.T) {
	for _, c := range []struct {
		name  string
		do    func(*plan.Switch)
		fails bool
	}{
		{"half of the ports do not carry the class", partly, false},
		{"and lossy traffic leaves by its queue", func(sw *plan.Switch) {
			partly(sw)
			sw.Maps.TCToQueue[sw.Maps.DSCPToTC[0]] = 3
		}, true},
	} {
		sw, chip := leaf(t, "tomahawk5-ai-pod", "leaf")
		c.do(sw)
		report := prove(t, sw, chip, proof.Context{})
		fails := slices.ContainsFunc(report.Failing(), func(o *proof.Obligation) bool { return o.ID == proof.LossyShare })
		if fails != c.fails {
			t.Errorf("%s: %s fails: %v, want %v: %v", c.name, proof.LossyShare, fails, c.fails, report.Failing())
		}
		for _, err := range proof.Recheck(proof.Certify(report, sw.Names, sw.Chip, nil), nil) {
			t.Errorf("%s: %v", c.name, err)
		}
	}
}

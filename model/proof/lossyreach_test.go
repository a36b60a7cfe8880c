package proof_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/roceplan/roceplan/model/proof"
	"github.com/roceplan/roceplan/plan"
	"github.com/roceplan/roceplan/units"
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

// A port on which the lossless class was forgotten sends what comes in there to the queue of the
// lossless groups of all other ports. A queue that is just long enough for them drops then, and
// does not without that port.
func TestLossyTrafficInALosslessQueue(t *testing.T) {
	for _, forgotten := range []bool{false, true} {
		sw, chip := leaf(t, "tomahawk5-ai-pod", "leaf")
		own := *sw.Ports[0].QoS
		own.PGs = slices.Clone(own.PGs)
		if forgotten {
			for i := range own.PGs {
				own.PGs[i].Lossless, own.PGs[i].Limit = false, own.PGs[0].Limit // group 0 takes all that there is
			}
			own.PFC = 0
		}
		sw.Ports[0].QoS = &own
		of := func(o proof.Obligation) bool {
			return o.ID == proof.QueueHolds && strings.HasPrefix(o.Where, "slice 1,")
		}
		most := int64(0) // in the part of the buffer to which that port writes; the other holds more
		for _, o := range prove(t, sw, chip, proof.Context{}).Obligations {
			if of(o) {
				most = max(most, o.Left.Value)
			}
		}
		queues(sw, func(q *plan.Queue) {
			if q.ID == 3 {
				q.Limit.Value = plan.Limit{Static: units.Bytes(most+1) * 254 * 2} // two parts of cells of 254 B
			}
		})
		for _, o := range prove(t, sw, chip, proof.Context{}).Obligations {
			if of(o) && (o.Verdict == proof.Unjudged) != forgotten {
				t.Errorf("a port without the class: %v, and %v", forgotten, o)
			}
		}
	}
}

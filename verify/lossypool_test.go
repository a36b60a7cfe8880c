package verify

import (
	"slices"
	"strings"
	"testing"

	"github.com/roceplan/roceplan/diag"
	"github.com/roceplan/roceplan/internal/testing/must"
	"github.com/roceplan/roceplan/model/proof"
	"github.com/roceplan/roceplan/plan"
)

// What bounds lossy traffic in a plan is the size of the pool of lossy queues, and EOS has no
// line for it: the device divides its memory itself. So compile's inequalities hold and the
// file's do not, and both are right: with the pools of the plan, the thresholds that the file
// has are enough. NVUE tells per cent of its pools, and nothing is warned of.
func TestLossyPoolIsNotTold(t *testing.T) {
	inequalities := []string{proof.LossyShare, proof.MarkingBefore}
	codes := []diag.Code{proofCode(proof.LossyShare), proofCode(proof.MarkingBefore)}
	for _, c := range []struct {
		file string
		told bool // the sizes of pools
	}{
		{"tomahawk-eos-pod/leaf-1/eos.cfg", false}, {"tomahawk-eos-pod/spine-1/eos.cfg", false},
		{"cumulus-storage/leaf-1/nvue.yaml", true}, {"cumulus-storage/spine-1/nvue.yaml", true},
	} {
		s := redSubjectOf(t, c.file)
		_, name, _ := strings.Cut(c.file, "/")
		r := judge(t, s.options[1], Text(name, []byte(s.text)))
		warned := slices.ContainsFunc(r.Findings, func(d diag.Diagnostic) bool { return slices.Contains(codes, d.Code) })
		if warned == c.told {
			t.Errorf("%s: that lossy traffic takes the buffer is warned of: %v, want %v", c.file, warned, !c.told)
		}
		if c.told {
			continue
		}
		of := r.Switches[0]
		planned := plannedSwitch(t, s.options[1].Fabric.Plan, of.Names[0])
		sw := cloneSwitch(of.Plan)
		sw.Pools = planned.Pools
		for _, qos := range kindsOf(sw) {
			for i := range qos.PGs {
				qos.PGs[i].Pool = planned.Ports[0].QoS.PGs[0].Pool
			}
			for i := range qos.Queues {
				j := slices.IndexFunc(planned.Ports[0].QoS.Queues, func(q plan.Queue) bool { return q.ID == qos.Queues[i].ID })
				qos.Queues[i].Pool = planned.Ports[0].QoS.Queues[j].Pool
			}
		}
		report := must.Get(proof.Prove(sw, of.chip, proof.ContextOf(planned)))(t)
		held := 0
		for i := range report.Obligations {
			o := &report.Obligations[i]
			if !slices.Contains(inequalities, o.ID) {
				continue
			}
			if held++; o.Left.Value > o.Right.Value {
				t.Errorf("%s: with the pools of the plan: %v", c.file, o)
			}
		}
		if held == 0 {
			t.Errorf("%s: no such inequality is evaluated", c.file)
		}
	}
}

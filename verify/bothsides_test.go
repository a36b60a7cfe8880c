package verify

import (
	"strings"
	"testing"

	"github.com/roceplan/roceplan/model/proof"
)

// Pools that a file names from both sides are judged on Teralynx, and on no other chip. That a queue of Teralynx does not drop before its groups pause is a condition, with the
// tests that found it.
func TestPoolsOfBothSides(t *testing.T) {
	teralynx := shippedFile(t, "dbmvtx9180_64osfp_64x800G@x86_64-marvell_dbmvtx9180-r0.json")
	s := judge(t, Options{}, teralynx).Switches[0]
	named := false
	for _, c := range s.Conditions {
		named = named || c.ID == Taken && strings.Contains(c.Assumes, "the limit of 22798336B that queues have in ingress_lossless_pool")
	}
	if s.Verdict != Conditional || !named {
		t.Errorf("Teralynx: %v, %+v", s.Verdict, s.Conditions)
	}
	for _, o := range s.Obligations {
		if o.ID == proof.Headroom && o.Right.Value != 247424/128 && o.Right.Value != 285312/128 { // in words: sonic-mgmt, b_w_s of tl10
			t.Errorf("%s: a headroom of %d", o.Where, o.Right.Value)
		}
	}
	read, _ := teralynx.Read()
	text := strings.ReplaceAll(string(read), "x86_64-marvell_dbmvtx9180-r0", "x86_64-arista_7060_cx32s")
	if s := judge(t, Options{}, Text(teralynx.Name, []byte(text))).Switches[0]; s.Verdict != NotJudged || s.Chip != "tomahawk" {
		t.Errorf("on %s: %v, %v", s.Chip, s.Verdict, s.Because)
	}
}

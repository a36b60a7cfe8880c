package proof_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/roceplan/roceplan/model/proof"
	"github.com/roceplan/roceplan/plan"
	"github.com/roceplan/roceplan/units"
)

// A port whose queues hold less than those of others has an obligation of its own: a certificate
// that has the others' alone is not complete, though both are of one queue of one slice.
func TestEachKindOfQueueIsDemanded(t *testing.T) {
	sw, chip := leaf(t, "tomahawk5-ai-pod", "leaf")
	last := &sw.Ports[len(sw.Ports)-1]
	qos := *last.QoS
	qos.Queues = slices.Clone(qos.Queues)
	for i := range qos.Queues {
		qos.Queues[i].Limit.Value.Static /= 2
	}
	last.QoS = &qos
	files := map[string][]byte{"leaf-01/config_db.json": []byte("{}")}
	certificate := func() *proof.Certificate {
		return proof.Certify(prove(t, sw, chip, proof.Context{}), sw.Names, sw.Chip, files)
	}
	lacks := func(c *proof.Certificate) bool {
		return slices.ContainsFunc(proof.Recheck(c, files), func(err error) bool { return strings.Contains(err.Error(), "the certificate lacks") })
	}
	whole := certificate()
	if lacks(whole) {
		t.Fatalf("a whole one: %v", proof.Recheck(whole, files))
	}
	byQueue := map[string][]string{} // where, by slice and queue
	for i := range whole.Obligations {
		if o := &whole.Obligations[i]; o.ID == proof.QueueHolds {
			queue, _, _ := strings.Cut(o.Where, " of ")
			byQueue[queue] = append(byQueue[queue], o.Where)
		}
	}
	several := 0
	for queue, wheres := range byQueue {
		if len(wheres) < 2 {
			continue
		}
		several++
		for _, where := range wheres {
			c := certificate()
			c.Obligations = slices.DeleteFunc(c.Obligations, func(o proof.Claim) bool { return o.Where == where })
			if !lacks(c) {
				t.Errorf("%s: without that of %s it is complete", queue, where)
			}
		}
	}
	if several == 0 {
		t.Errorf("no queue has two obligations: %v", byQueue)
	}
}

// A thousand switches of different shapes with 64 ports each: ns/op is for all of them.
func BenchmarkProveThousandShapes(b *testing.B) {
	sw, chip := leaf(b, "spectrum4-storage", "spine")
	shapes := make([]*plan.Switch, 1000)
	for i := range shapes {
		own := *sw
		own.Ports = append([]plan.Port(nil), sw.Ports...)
		for j := range own.Ports {
			own.Ports[j].Cable = units.Length(i+1) * units.Metre
		}
		shapes[i] = &own
	}
	b.ReportAllocs()
	for b.Loop() {
		for _, own := range shapes {
			prove(b, own, chip, proof.Context{})
		}
	}
}

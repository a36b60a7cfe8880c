package sim

import (
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"

	"github.com/roceplan/roceplan/internal/testing/must"
	"github.com/roceplan/roceplan/units"
)

// A router finds what [Scenario.Passages] finds with all messages at hand, also of hosts at one switch, and refuses hosts with two links.
func TestRouter(t *testing.T) {
	sc := leafSpine(4, 8, 3)
	random := rand.New(rand.NewPCG(1, 2))
	for i := range 500 {
		src := random.IntN(32)
		sc.Flows = append(sc.Flows, Flow{Src: src, Dst: (src + 1 + random.IntN(31)) % 32, SrcPort: uint16(i), DstPort: 4791, Class: 3, Bytes: units.Bytes(1 + random.IntN(100_000))})
	}
	want, _, err := sc.Passages()
	must.Do(t, err)
	r, err := NewRouter(sc)
	must.Do(t, err)
	var got Passage
	for i := range sc.Flows {
		if err := r.Passage(&sc.Flows[i], &got); err != nil || !reflect.DeepEqual(got, want[i]) {
			t.Fatalf("%+v, want %+v, %v", got, want[i], err)
		}
	}
	sc.Links = append(sc.Links, Link{A: 0, B: len(sc.Nodes) - 1, Rate: 100 * units.Gbps})
	if _, err := NewRouter(sc); err == nil || !strings.Contains(err.Error(), "2 links") {
		t.Errorf("%v", err)
	}
}

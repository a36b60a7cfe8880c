package proof

import (
	"math/big"
	"slices"
	"strings"
	"testing"

	"github.com/roceplan/roceplan/model"
	"github.com/roceplan/roceplan/model/mmu"
)

// Memory of a slice is what the model has, or less where a condition of its obligation says that the catalogue has less.
func TestCatalogueMemory(t *testing.T) {
	of := func(id string, conditions ...Condition) Obligation { return Obligation{ID: id, Conditions: conditions} }
	for _, c := range []struct {
		obligations []Obligation
		want        int64
	}{
		{nil, 100},
		{[]Obligation{of(Memory)}, 100},
		{[]Obligation{of(Memory, Condition{ID: AssumedDatum, Bound: 80, Worst: 100})}, 80},
		{[]Obligation{of(Memory, Condition{ID: AssumedDatum, Bound: 120, Worst: 100})}, 100}, // nobody has more than the model
		{[]Obligation{of(Memory, Condition{ID: AssumedDatum, Bound: 80, Worst: 101})}, 100},  // another quantity
		{[]Obligation{of(Memory, Condition{ID: ChipDatum, Bound: 80, Worst: 100})}, 100},
		{[]Obligation{of(Headroom, Condition{ID: AssumedDatum, Bound: 80, Worst: 100})}, 100},
		{[]Obligation{of(Headroom), of(Memory, Condition{ID: PausedGroups}, Condition{ID: AssumedDatum, Bound: 80, Worst: 100})}, 80},
	} {
		got := catalogueMemory(&Certificate{Model: &model.Switch{Config: &mmu.Config{SliceCells: 100}}, Obligations: c.obligations})
		if got != c.want {
			t.Errorf("%+v: %d, want %d", c.obligations, got, c.want)
		}
	}
}

// complete are the obligations that a certificate of threePorts demands, by hand: of its two groups, of both slices, and of
// the queues of each kind, of which ports a and b have one and port c another.
var complete = [][2]string{
	{PauseReaches, "x"}, {Headroom, "x"}, {Memory, "slice 0"}, {EgressHolds, "slice 0, pool out"}, {QueueHolds, "slice 0, queue 0 of x, 1 sender"}, {QueueHolds, "slice 0, queue 0 of y, 2 senders"},
	{PauseReaches, "y"}, {Headroom, "y"}, {Memory, "slice 1"}, {EgressHolds, "slice 1, pool out"}, {QueueHolds, "slice 1, queue 0 of x, 1 sender"},
}

func unjudgedCertificate(names ...[2]string) *Certificate {
	sw := threePorts().m
	sw.Config.Ports[2].Queues = []mmu.Queue{{ReservedCells: 1}}
	c := &Certificate{Model: sw, Groups: []Group{{Where: "x", Ports: []string{"a", "b"}, PG: 1}, {Where: "y", Ports: []string{"c"}, PG: 1}}}
	for i, name := range []string{"a", "b", "c"} {
		sw.Ports[i].Name, sw.Config.Ports[i].PGs[2].HeadroomCells = name, 0
	}
	for _, name := range names {
		c.Obligations = append(c.Obligations, Obligation{ID: name[0], Where: name[1], Title: meanings[name[0]].title, Lossless: true, Verdict: Unjudged})
	}
	return c
}

// A certificate has every obligation that its inputs demand, each once where they are told once.
func TestDemandsOfACertificate(t *testing.T) {
	told := func(c *Certificate) (all []string) {
		for _, err := range recheckComplete(c, map[string]*big.Int{}) {
			all = append(all, err.Error())
		}
		return all
	}
	if got := told(unjudgedCertificate(complete...)); got != nil {
		t.Errorf("a whole one: %q", got)
	}
	for i, name := range complete {
		want := name[0] + ", " + name[1] + ": the inputs demand this obligation, and the certificate lacks it"
		switch {
		case name[0] == QueueHolds && strings.HasPrefix(name[1], "slice 0"):
			want = QueueHolds + ", slice 0, queue 0 of : the inputs demand 2 of these obligations, one for ports of each kind, and the certificate lacks 1"
		case name[0] == QueueHolds:
			want = QueueHolds + ", slice 1, queue 0 of : the inputs demand this obligation, and the certificate lacks it"
		}
		if got := told(unjudgedCertificate(slices.Delete(slices.Clone(complete), i, i+1)...)); !slices.Equal(got, []string{want}) {
			t.Errorf("without %v: %q", name, got)
		}
		if got := told(unjudgedCertificate(append(slices.Delete(slices.Clone(complete), i, i+1), [2]string{name[0], "other"})...)); !slices.Equal(got, []string{want}) {
			t.Errorf("with %v elsewhere: %q", name, got)
		}
	}
	for _, c := range []struct {
		what   string
		change func(c *Certificate)
		want   []string
	}{
		{"a level at which it resumes", func(c *Certificate) { c.Model.Config.Ports[2].PGs[1].XonCells = 1 }, []string{Resume + ", y"}},
		{"that at the end of an unknown cable", func(c *Certificate) {
			c.Model.Config.Ports[2].PGs[1].XonCells, c.Model.Ports[2].Link.Cable = 1, 0
		}, nil},
		{"that of an unknown speed", func(c *Certificate) {
			c.Model.Config.Ports[2].PGs[1].XonCells, c.Model.Ports[2].Link.Rate = 1, 0
		}, nil},
		{"a pool of headroom", func(c *Certificate) {
			c.Model.Config.Ports[1].PGs[1].HeadroomPooled, c.Model.Config.IngressPools[0].HeadroomCells = true, 9
		}, []string{HeadroomPool + ", slice 0, pool in"}},
		{"a bound of a port", func(c *Certificate) {
			c.Model.Config.Ports[1].Egress = []mmu.Bound{{Limit: mmu.StaticLimit(5)}}
		}, []string{PortHolds + ", slice 0, pool out of ", PortHolds + ", slice 1, pool out of "}},
		{"a lossless group that no group has", func(c *Certificate) { c.Model.Config.Ports[1].PGs[2].Lossless = true }, []string{"priority group 2 of b is lossless, and no group has it"}},
		{"a port that no group has", func(c *Certificate) { c.Groups[0].Ports = []string{"a"} }, []string{"priority group 1 of b is lossless, and no group has it"}},
		{"groups of another number", func(c *Certificate) { c.Groups[1].PG = 2 }, []string{"priority group 1 of c is lossless, and no group has it"}},
		{"no buffer", func(c *Certificate) { c.Model.Config = nil }, []string{"the model has ports and no buffer"}},
		{"no pool", func(c *Certificate) { c.Model.Config.EgressPools = nil }, []string{"the files say nothing of buffer pools"}},
		{"no ports", func(c *Certificate) { c.Model.Ports = c.Model.Ports[:2] }, []string{"the model has 2 ports and 3 of the buffer"}},
		{"a failing memory", func(c *Certificate) { c.Obligations[2].Verdict, c.Obligations[2].Lossless = Fails, false }, []string{Memory + ", slice 0: it fails, and no obligation says whether packets are lost by that", Memory + ", slice 0: a side is \"\"", Memory + ", slice 0: a side is \"\""}},
		// What is evaluated is compared with the inputs: what is not judged too, if it has sides, and what has none and is.
		{"sides of what is not judged", func(c *Certificate) { c.Obligations[3].Left.Expr, c.Obligations[3].Unit = "0", InCells }, []string{EgressHolds + ", slice 0, pool out: a side is \"0\"", EgressHolds + ", slice 0, pool out: a side is \"\"", EgressHolds + ", slice 0, pool out: \"0\" is no sum of what groups hold"}},
		{"what holds without sides", func(c *Certificate) { c.Obligations[3].Verdict = Holds }, []string{EgressHolds + ", slice 0, pool out: a side is \"\"", EgressHolds + ", slice 0, pool out: a side is \"\"", EgressHolds + ", slice 0, pool out: \"\" is no sum of what groups hold"}},
		{"what was refuted", func(c *Certificate) { c.Obligations[3].Verdict, c.Obligations[3].Source = Fails, counterexample }, nil},
	} {
		whole := unjudgedCertificate(complete...)
		c.change(whole)
		got := told(whole)
		if !slices.EqualFunc(got, c.want, strings.HasPrefix) {
			t.Errorf("%s: %q, want %q", c.what, got, c.want)
		}
	}
}

// Without a model each obligation that needs a buffer is said not to be judged.
func TestDemandsWithoutAModel(t *testing.T) {
	c := &Certificate{}
	for _, id := range bufferIDs {
		c.Obligations = append(c.Obligations, Obligation{ID: id, Verdict: Unjudged})
	}
	if errs := recheckComplete(c, map[string]*big.Int{}); errs != nil {
		t.Error(errs)
	}
	for i := range c.Obligations {
		for what, forge := range map[string]func(o *Obligation){"judged": func(o *Obligation) { o.Verdict = Holds }, "another": func(o *Obligation) { o.ID = "x" }} {
			own := Certificate{Obligations: slices.Clone(c.Obligations)}
			forge(&own.Obligations[i])
			if errs := recheckComplete(&own, map[string]*big.Int{}); len(errs) != 1 || errs[0].Error() != "there is no buffer to judge "+bufferIDs[i]+" by, and no obligation says so" {
				t.Errorf("%s is %s: %v", bufferIDs[i], what, errs)
			}
		}
	}
}

// Ports of one kind have an obligation of their queues, and of what bounds them as a whole: those with the same map, queue
// and bound.
func TestKindsOfPorts(t *testing.T) {
	for _, c := range []struct {
		what          string
		change        func(sw *model.Switch)
		queues, ports int // kinds, of slice 1
	}{
		{"alike", func(*model.Switch) {}, 1, 1},
		{"another queue", func(sw *model.Switch) { sw.Config.Ports[1].Queues = []mmu.Queue{{ReservedCells: 1}} }, 2, 2},
		{"another queue that is not fed", func(sw *model.Switch) { sw.Config.Ports[1].Queues = []mmu.Queue{{}, {}} }, 1, 2},
		{"another map", func(sw *model.Switch) {
			sw.Ports[1].Map = 1
			for i := range sw.Ports {
				sw.Ports[i].Other = [][mmu.MaxPGs]uint16{{1: 1}}
			}
		}, 2, 2},
		{"another bound", func(sw *model.Switch) { sw.Config.Ports[1].Egress[0].Limit = mmu.StaticLimit(6) }, 1, 2},
		{"no bound", func(sw *model.Switch) { sw.Config.Ports[1].Egress = nil }, 1, 1},
	} {
		r := threePorts()
		r.kinds = map[demand][]int{}
		for i := range r.m.Config.Ports {
			r.m.Config.Ports[i].Egress = []mmu.Bound{{Limit: mmu.StaticLimit(5)}}
		}
		c.change(r.m)
		r.queues(2, 1)
		queues, ports := r.kinds[demand{QueueHolds, "slice 1, queue 0 of ", true}], r.kinds[demand{PortHolds, "slice 1, pool out of ", true}]
		if len(queues) != c.queues || len(ports) != c.ports {
			t.Errorf("%s: %v and %v", c.what, queues, ports)
		}
	}
}

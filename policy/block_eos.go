package policy

import (
	"slices"
	"strconv"
	"strings"

	"github.com/hashicorp/hcl/v2/hclsyntax"

	"github.com/roceplan/roceplan/diag"
	"github.com/roceplan/roceplan/units"
)

// EOS holds the settings for switches with EOS alone: an eos block.
type EOS struct {
	Range        diag.Range
	FlowSetSize  Opt[int]
	QueueMonitor Opt[bool]
	DCBX         Opt[[]string] // port groups
	Cluster      *Cluster
}

// Cluster is load balancing by EOS over the flows of all hosts: a cluster block.
type Cluster struct {
	Hosts        Opt[[]string] // port groups
	Destinations Opt[string]
	FlowLimit    Opt[int64] // flows of one port
	Aging        Opt[units.Time]
}

// EOS forgets flows after 30 s to 2³¹−1 s (aristanetworks/avd, load_balance schema @05a1f145:
// source_learning_aging_timeout), of which a time of a plan, in picoseconds, does not hold the
// most; so many milliseconds are 24 days.
const leastAging, mostAging = 30 * units.Second, 2_147_483_647 * units.Millisecond

var clusterBlock = &block[Cluster]{
	name: "cluster", doc: "EOS's cluster load balancing. It spreads flows of hosts over uplinks in turn, by the group of their destination. `sim` does not model it.",
	fields: []field[Cluster]{
		opt("hosts", listOf("a list of port groups, `[\"gpus\"]`", textKind("a port group", "gpus")), func(c *Cluster) *Opt[[]string] { return &c.Hosts }, "port groups to which hosts are connected").must(),
		opt("destinations", textKind("how they are grouped", "prefix length 24").where(isGrouping), func(c *Cluster) *Opt[string] { return &c.Destinations },
			"rule that groups destinations: `BGP field-set`, `vtep` or `prefix length N`, 0 to 32").must(),
		opt("flow_limit", whole[int64](1, 4_294_967_295), func(c *Cluster) *Opt[int64] { return &c.FlowLimit }, "most flows of a host's port").otherwise("EOS's default"),
		opt("aging", between(timeKind(), leastAging, mostAging), func(c *Cluster) *Opt[units.Time] { return &c.Aging },
			"time after which EOS forgets an idle flow, in whole seconds").otherwise("EOS's default"),
	},
}

// isGrouping admits what EOS groups destinations by: aristanetworks/avd, load_balance schema
// @05a1f145. It takes lengths up to 129 for either family; the cluster that is printed forwards
// IPv4, whose addresses have 32 bits.
func isGrouping(s string) *problem {
	if s == "BGP field-set" || s == "vtep" {
		return nil
	}
	length, is := strings.CutPrefix(s, "prefix length ")
	n, err := strconv.Atoi(length)
	switch {
	case !is || err != nil || strconv.Itoa(n) != length: // printed as it is
		return problemf(UnknownValue, "EOS does not group destinations by %q", clip(s)).fixf(`write "BGP field-set", "vtep" or "prefix length 24"`)
	case n < 0 || n > 32:
		return problemf(OutOfRange, "a prefix of %d bits is too long: the cluster forwards IPv4, whose prefixes have 0 to 32 bits", n).fixf(`write a length up to 32, as in "prefix length 24"`)
	}
	return nil
}

var eosBlock = &block[EOS]{
	name: "eos", doc: "Settings of EOS alone. No number of the plan depends on them. At most one block.",
	fields: []field[EOS]{
		opt("flow_set_size", whole(1, 7), func(e *EOS) *Opt[int] { return &e.FlowSetSize },
			"size of flowlet sets, with `load_balancing = flowlet`: 1 allows 128 ECMP groups of 256 flowlets each; each step halves the groups and doubles their flowlets; 7 allows 2 groups of 16384").otherwise("EOS's default"),
		optDefault("queue_monitor", boolKind(), func(e *EOS) *Opt[bool] { return &e.QueueMonitor }, false, "whether EOS records queue lengths (LANZ)"),
		opt("dcbx", listOf("a list of port groups, `[\"gpus\"]`", textKind("a port group", "gpus")), func(e *EOS) *Opt[[]string] { return &e.DCBX },
			"port groups that announce PFC to their peers by IEEE DCBX").otherwise("none, EOS's default"),
	},
	nested: []nested[EOS]{inner(clusterBlock, true, func(d *decoder, e *EOS, b *hclsyntax.Block) {
		e.Cluster = &Cluster{}
		clusterBlock.decode(d, b.Body, b.TypeRange, e.Cluster)
		if a := e.Cluster.Aging; a.Set && a.Value%units.Second != 0 {
			d.errorf(OutOfRange, a.Range, "aging: EOS takes whole seconds, not %v", a.Value).Fixf("write %q", a.Value/units.Second*units.Second)
		}
	})},
}

// checkEOS demands that what an eos block asks for can be given.
func (s *switchDecl) checkEOS(d *decoder) {
	e := s.EOS
	if e == nil {
		return
	}
	if !slices.Contains(s.Targets.Value, "eos") {
		d.errorf(ValueUnused, e.Range, "nothing is written for EOS on switch %s, so the eos block has no effect", s.Label).
			Fixf(`remove it, or set targets = ["eos"]`)
	}
	s.checkGroups(d, e.DCBX)
	if e.Cluster != nil {
		s.checkGroups(d, e.Cluster.Hosts)
	}
}

// checkGroups demands that port groups of these names exist.
func (s *switchDecl) checkGroups(d *decoder, wanted Opt[[]string]) {
	names := s.groupNames()
	for _, name := range wanted.Value {
		if !slices.Contains(names, name) {
			d.errorf(UnknownName, wanted.Range, "switch %s has no port group %q", s.Label, clip(name)).
				Repaired(diag.Rename(name, names, "it has "+strings.Join(names, ", ")))
		}
	}
}

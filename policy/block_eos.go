package policy

import (
	"slices"
	"strings"

	"github.com/roceplan/roceplan/diag"
)

// EOS is what switches with EOS alone are asked for: an eos block.
type EOS struct {
	Range        diag.Range
	FlowSetSize  Opt[int]
	QueueMonitor Opt[bool]
	DCBX         Opt[[]string] // port groups
}

var eosBlock = &block[EOS]{
	name: "eos", doc: "What EOS alone has, and no number of the plan depends on. At most one block.",
	fields: []field[EOS]{
		opt("flow_set_size", whole(1, 7), func(e *EOS) *Opt[int] { return &e.FlowSetSize },
			"of flowlets, with `load_balancing = flowlet`: 1 allows 128 ECMP groups of 256 flowlets each, every step half as many groups of twice as many, 7 two of 16384").otherwise("what EOS has"),
		optDefault("queue_monitor", boolKind(), func(e *EOS) *Opt[bool] { return &e.QueueMonitor }, false, "record how long queues are (LANZ)"),
		opt("dcbx", listOf("a list of port groups, `[\"gpus\"]`", textKind("a port group", "gpus")), func(e *EOS) *Opt[[]string] { return &e.DCBX },
			"port groups whose peers are told of PFC by DCBX, as IEEE has it").otherwise("none, as EOS has it by itself"),
	},
}

// checkEOS demands that what an eos block asks for can be given.
func (s *switchDecl) checkEOS(d *decoder) {
	e := s.EOS
	if e == nil {
		return
	}
	if !slices.Contains(s.Targets.Value, "eos") {
		d.errorf(ValueUnused, e.Range, "nothing is written for EOS on switch %s, so nobody is told what the eos block says", s.Label).
			Fixf(`remove it, or set targets = ["eos"]`)
	}
	for _, name := range e.DCBX.Value {
		var names []string
		for _, g := range s.groups {
			names = append(names, g.Name)
		}
		if !slices.Contains(names, name) {
			d.errorf(UnknownName, e.DCBX.Range, "switch %s has no port group %q", s.Label, clip(name)).
				Repaired(diag.Rename(name, names, "it has "+strings.Join(names, ", ")))
		}
	}
}

package tune

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/roceplan/roceplan/policy"
	"github.com/roceplan/roceplan/units"
)

// Constants are the searched constants of a NIC; a zero is as the fabric has it.
type Constants struct {
	CNPInterval      units.Time    // cnp_interval
	TimeReset        units.Time    // rpg_time_reset
	AIRate           units.BitRate // rpg_ai_rate
	HAIRate          units.BitRate // rpg_hai_rate
	Threshold        int           // rpg_threshold
	GD               int           // rpg_gd
	MinDecFac        units.Ratio   // rpg_min_dec_fac
	AlphaInterval    units.Time    // dce_tcp_rtt
	DecreaseInterval units.Time    // rate_reduce_monitor_period
	ClampTarget      string        // clamp_tgt_rate: "true" or "false"
}

// A register is a constant that is given: its name in the language, its value as HCL, and how a block nic takes it.
type register struct {
	name, value string
	write       func(*policy.NIC)
}

// cnpInterval is the one register outside of the block dcqcn.
const cnpInterval = "cnp_interval"

// registers returns the constants that are given.
func (c Constants) registers() (list []register) {
	give(&list, cnpInterval, c.CNPInterval, quoted(c.CNPInterval), func(n *policy.NIC) *policy.Opt[units.Time] { return &n.CNPInterval })
	give(&list, "dce_tcp_rtt", c.AlphaInterval, quoted(c.AlphaInterval), func(n *policy.NIC) *policy.Opt[units.Time] { return &n.Reaction.AlphaInterval })
	give(&list, "rate_reduce_monitor_period", c.DecreaseInterval, quoted(c.DecreaseInterval), func(n *policy.NIC) *policy.Opt[units.Time] { return &n.Reaction.DecreaseInterval })
	give(&list, "rpg_time_reset", c.TimeReset, quoted(c.TimeReset), func(n *policy.NIC) *policy.Opt[units.Time] { return &n.Reaction.TimeReset })
	give(&list, "rpg_ai_rate", c.AIRate, quoted(c.AIRate), func(n *policy.NIC) *policy.Opt[units.BitRate] { return &n.Reaction.AIRate })
	give(&list, "rpg_hai_rate", c.HAIRate, quoted(c.HAIRate), func(n *policy.NIC) *policy.Opt[units.BitRate] { return &n.Reaction.HAIRate })
	give(&list, "rpg_threshold", c.Threshold, strconv.Itoa(c.Threshold), func(n *policy.NIC) *policy.Opt[int] { return &n.Reaction.Threshold })
	give(&list, "rpg_gd", c.GD, strconv.Itoa(c.GD), func(n *policy.NIC) *policy.Opt[int] { return &n.Reaction.GD })
	give(&list, "rpg_min_dec_fac", c.MinDecFac, quoted(c.MinDecFac), func(n *policy.NIC) *policy.Opt[units.Ratio] { return &n.Reaction.MinDecFac })
	if c.ClampTarget != "" {
		list = append(list, register{"clamp_tgt_rate", c.ClampTarget, func(n *policy.NIC) { set(&n.Reaction.ClampTarget, c.ClampTarget == "true", n) }})
	}
	return list
}

// give adds a register whose value is not zero.
func give[T comparable](list *[]register, name string, v T, text string, of func(*policy.NIC) *policy.Opt[T]) {
	var none T
	if v != none {
		*list = append(*list, register{name, text, func(n *policy.NIC) { set(of(n), v, n) }})
	}
}

// set writes a value as the block of the NIC would.
func set[T any](to *policy.Opt[T], v T, n *policy.NIC) {
	*to = policy.Opt[T]{Value: v, Set: true, Range: n.Range}
}

func quoted(v fmt.Stringer) string { return strconv.Quote(v.String()) }

// hcl returns the body of a block nic.
func (c Constants) hcl() string {
	outer, inner, wide := "", "", 0
	for _, r := range c.registers() {
		if r.name != cnpInterval {
			wide = max(wide, len(r.name))
		}
	}
	for _, r := range c.registers() {
		if r.name == cnpInterval {
			outer = fmt.Sprintf("  %s = %s\n", r.name, r.value)
			continue
		}
		inner += fmt.Sprintf("    %-*s = %s\n", wide, r.name, r.value)
	}
	if inner != "" {
		inner = "  dcqcn {\n" + inner + "  }\n"
	}
	return apart(outer, inner)
}

// String is short, for a table.
func (c Constants) String() string {
	var parts []string
	for _, r := range c.registers() {
		parts = append(parts, r.name+" "+strings.Trim(r.value, `"`))
	}
	if parts == nil {
		return "as they are"
	}
	return strings.Join(parts, ", ")
}

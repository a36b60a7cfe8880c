package lint_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/roceplan/roceplan/chips"
	"github.com/roceplan/roceplan/internal/testing/diagtest"
	"github.com/roceplan/roceplan/internal/testing/plantest"
	"github.com/roceplan/roceplan/lint"
	"github.com/roceplan/roceplan/plan"
)

// At which value of each number of a compiled switch and its NIC which rule begins to speak and
// which falls silent, to the unit: the golden file has each rule exactly at its bound.
func TestLimitsOfNumbers(t *testing.T) {
	catalogue, _ := chips.Load()
	var out strings.Builder
	for _, example := range []string{"tomahawk5-ai-pod", "tomahawk-eos-pod", "spectrum4-storage", "ucloud-pod"} {
		compiled := func() *plan.Plan {
			_, p := plantest.Folder(t, catalogue, "../examples/"+example)
			p.Switches, p.Hosts = p.Switches[:1], p.Hosts[:min(1, len(p.Hosts))]
			p.Switches[0].Ports = p.Switches[0].Ports[:2]
			for i := range p.Switches[0].Ports {
				qos := *p.Switches[0].Ports[i].QoS
				qos.PGs, qos.Queues, qos.Pools = slices.Clone(qos.PGs), slices.Clone(qos.Queues), slices.Clone(qos.Pools)
				p.Switches[0].Ports[i].QoS = &qos
			}
			return p
		}
		p, peer := compiled(), compiled()
		chip, _ := catalogue.Find(p.Switches[0].Chip)
		fmt.Fprintf(&out, "%s\n", example)
		for _, n := range plantest.Numbers(p) {
			if !strings.HasPrefix(n.Path, "Switches[0].") && !strings.HasPrefix(n.Path, "Hosts[0].") || strings.Contains(n.Path, "Ports[1]") || strings.HasSuffix(n.Path, ".Index") {
				continue
			}
			for _, line := range n.Limits(func() []string { return codesOf(p, peer, chip) }) {
				fmt.Fprintf(&out, "  %s %s\n", n.Path, line)
			}
		}
	}
	diagtest.Golden(t, "../golden/lint-limits.txt", out.String())
}

// codesOf returns the rules that speak of a switch alone, with its NIC, and over a cable and beside a peer.
func codesOf(p, peer *plan.Plan, chip *chips.Chip) (codes []string) {
	sw, other := p.Switches[0], peer.Switches[0]
	cable := plan.Link{A: plan.LinkEnd{Switch: "edited", Port: sw.Ports[0].Name}, B: plan.LinkEnd{Switch: "peer", Port: other.Ports[0].Name}}
	found := slices.Concat(lint.Switch(sw, chip), lint.Hosts(sw, p.Hosts), lint.Agree(sw, other), lint.Links([]plan.Link{cable}, func(device string) *plan.Switch {
		return map[string]*plan.Switch{"edited": sw, "peer": other}[device]
	}))
	for _, d := range found {
		codes = append(codes, string(d.Code))
	}
	return codes
}

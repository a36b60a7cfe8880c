package lint_test

import (
	"strings"
	"testing"

	"github.com/roceplan/roceplan/chips"
	"github.com/roceplan/roceplan/diag"
	"github.com/roceplan/roceplan/internal/testing/plantest"
	"github.com/roceplan/roceplan/lint"
	"github.com/roceplan/roceplan/units"
)

// Ports that a file gives an MTU are told one by one, those that have the default of their device
// together.
func TestPortsWithoutAnMTU(t *testing.T) {
	catalogue, _ := chips.Load()
	for _, c := range []struct {
		mtus []int // of the first ports; 0 below: the file gives none, and it is 1,518 B
		want string
	}{
		{[]int{9216, 9216, 9216}, ""}, {[]int{9216, 9000, 9001}, "A accepts frames of 9000B; A accepts frames of 9001B"}, {[]int{9216, 0}, "A accepts frames of 1518B"},
		{[]int{9216, 0, 0}, "A and 1 other port without an MTU accept frames of 1518B"}, {[]int{9216, 0, 0, 0, 9000}, "A accepts frames of 9000B; A and 2 other ports without an MTU accept frames of 1518B"}, {[]int{0, 0}, ""},
	} {
		_, p := plantest.Folder(t, catalogue, "../examples/tomahawk5-ai-pod")
		sw := p.Switches[0]
		sw.Ports = sw.Ports[:len(c.mtus)]
		for i, mtu := range c.mtus {
			port := &sw.Ports[i]
			port.MTU, port.MTURange = units.Bytes(mtu), diag.Range{Filename: "f"}
			port.MTURange.Start.Line = i + 1
			if port.Range = port.MTURange; mtu == 0 {
				port.MTU, port.MTURange = 1518, diag.Range{}
			}
		}
		var got []string
		for _, d := range lint.Switch(sw, nil) {
			if d.Code == lint.MTUUneven {
				text, _, _ := strings.Cut(d.Message, ", but ")
				_, rest, _ := strings.Cut(text, " ")
				got = append(got, "A "+rest)
			}
		}
		wanted := strings.Split(c.want, "; ")
		if c.want == "" {
			wanted = nil
		}
		if len(got) != len(wanted) {
			t.Errorf("%v: %q, want %q", c.mtus, got, wanted)
			continue
		}
		for _, want := range wanted {
			if !strings.Contains(strings.Join(got, "\n")+"\n", want+"\n") {
				t.Errorf("%v: %q, want %q", c.mtus, got, want)
			}
		}
	}
}

package roceplan

import (
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/roceplan/roceplan/diag"
	"github.com/roceplan/roceplan/internal/testing/must"
	"github.com/roceplan/roceplan/plan"
)

// What does not stand up is not rendered: here the files of a switch that has a tenth of the
// headroom which the fabric's plan computed.
func TestNothingIsRenderedThatFails(t *testing.T) {
	in := must.Get(In(os.DirFS("examples"), "ucloud-pod"))(t)
	f := Load(in)
	p := must.Sound(f.Plan())(t)
	sw := *p.Switches[slices.IndexFunc(p.Switches, func(s *plan.Switch) bool { return s.Role == "tor" })]
	sw.Ports = slices.Clone(sw.Ports)
	for i := range sw.Ports {
		qos := *sw.Ports[i].QoS
		qos.PGs = slices.Clone(qos.PGs)
		for k := range qos.PGs {
			qos.PGs[k].Headroom.Value /= 10
		}
		sw.Ports[i].QoS = &qos
	}
	r := NewRenderer(f, CompileOptions{})
	if _, err := r.Switch(&sw); err == nil || !r.Findings().HasErrors() {
		t.Errorf("a tenth of the headroom is rendered: %v", r.Findings())
	}
	if !slices.ContainsFunc(r.Findings(), func(d diag.Diagnostic) bool {
		return d.Code == "proof-headroom" && strings.HasPrefix(d.Message, "config_db.json would be written for tor-01")
	}) {
		t.Errorf("found %v", r.Findings())
	}
}

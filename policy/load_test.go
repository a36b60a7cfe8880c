package policy_test

import (
	"os"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/roceplan/roceplan/chips"
	"github.com/roceplan/roceplan/diag"
	"github.com/roceplan/roceplan/internal/testing/must"
	"github.com/roceplan/roceplan/policy"
	"github.com/roceplan/roceplan/units"
)

// catalogue returns the embedded one.
func catalogue(t testing.TB) policy.Catalogue {
	t.Helper()
	c, found := chips.Load()
	if found.HasErrors() {
		t.Fatalf("the chip catalogue has errors: %v", found[0].Message)
	}
	return c
}

// render prints findings as a person sees them.
func render(list diag.List, files ...policy.Source) string {
	sources := diag.Sources{}
	for _, f := range files {
		sources[f.Name] = f.Text
	}
	var out strings.Builder
	diag.Text{Sources: sources}.Write(&out, list)
	return out.String()
}

// load reads a text that must be right.
func load(t *testing.T, text string, files fstest.MapFS) *policy.Fabric {
	t.Helper()
	src := policy.Source{Name: "fabric.hcl", Text: []byte(text)}
	f, found := policy.Load(policy.Options{Files: []policy.Source{src}, Root: files, Catalogue: catalogue(t)})
	if found.HasErrors() {
		t.Fatalf("unexpected findings:\n%s", render(found, src))
	}
	return f
}

func TestUCloudPod(t *testing.T) {
	text := must.Get(os.ReadFile("testdata/ucloud.hcl"))(t)
	src := policy.Source{Name: "ucloud.hcl", Text: text}
	f, found := policy.Load(policy.Options{Files: []policy.Source{src}, Catalogue: catalogue(t)})
	if len(found) > 0 {
		t.Fatalf("unexpected findings:\n%s", render(found, src))
	}
	if len(f.Switches) != 2 || len(f.Switches[0].Names) != 8 || len(f.Switches[1].Names) != 16 {
		t.Fatalf("want the shapes of 8 leaves and 16 ToRs, got %d shapes", len(f.Switches))
	}
	tor := f.Switches[1]
	servers, uplinks := tor.Groups[0], tor.Groups[1]
	if servers.FanIn.Value != 39 || len(servers.Ports)+len(uplinks.Ports) != 40 {
		t.Errorf("fan-in %d of %d ports, want 39 of 40", servers.FanIn.Value, len(servers.Ports)+len(uplinks.Ports))
	}
	if uplinks.Cable.Value != 100*units.Metre || servers.Cable.Value != 15*units.Metre {
		t.Errorf("cables %v and %v, want 100m and 15m", uplinks.Cable.Value, servers.Cable.Value)
	}
	if uplinks.PeerSwitch != f.Switches[0] || uplinks.PeerPorts != f.Switches[0].Groups[0] || servers.PeerNIC != f.NICs[0] {
		t.Error("peers do not point to the leaf and to the NIC")
	}
	must.Equalf(t, len(f.Links), 16*8, "links:")
	if !f.Classes[0].CNP || f.Classes[2].CNP || len(f.Classes[1].DSCPs.Value) != 62 {
		t.Error("cnp carries CNPs, and default the 62 remaining code points")
	}
}

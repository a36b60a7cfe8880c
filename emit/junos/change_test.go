package junos_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/roceplan/roceplan/emit/junos"
	"github.com/roceplan/roceplan/internal/testing/anyplan"
	"github.com/roceplan/roceplan/internal/testing/diagtest"
	"github.com/roceplan/roceplan/internal/testing/fakedevice"
)

// A change leads exactly from one random configuration to another: twice the 100 that rapid draws.
func TestChangeLeadsThere(t *testing.T) {
	rapid.Check(t, leadsThere)
	rapid.Check(t, leadsThere)
}

func leadsThere(t *rapid.T) {
	from, to := anyplan.Switch(t, want()), anyplan.Switch(t, want())
	to.Names = from.Names
	before, found := junos.EmitSet(from)
	after, more := junos.EmitSet(to)
	if found.HasErrors() || more.HasErrors() {
		t.Skip("Junos does not support one of them:", found, more)
	}
	is := string(before[0].Body.AppendFor(nil, "x"))
	wanted := linesOf(fakedevice.SetCommands(string(after[0].Body.AppendFor(nil, "x")), ""))
	change, _ := junos.EmitChange(from, to)
	script := ""
	if len(change) > 0 {
		script = string(change[0].Body.AppendFor(nil, "x"))
	}
	if diff := cmp.Diff(wanted, linesOf(fakedevice.SetCommands(is, script))); diff != "" {
		t.Fatalf("-wanted +is:\n%s\n%s", diff, script)
	}
}

// linesOf returns the sorted lines of a configuration.
func linesOf(config string) []string { return slices.Sorted(strings.Lines(config)) }

// A port that goes keeps what others have on it: what we have set is deleted leaf by leaf.
func TestPortStays(t *testing.T) {
	fewer := leaf()
	gone := fewer.Ports[len(fewer.Ports)-1].Name
	fewer.Ports = fewer.Ports[:len(fewer.Ports)-1]
	files, _ := junos.EmitChange(leaf(), fewer)
	text := string(files[0].Body.AppendFor(nil, "leaf-1"))
	if strings.Contains(text, "delete interfaces "+gone+"\n") || !strings.Contains(text, "delete interfaces "+gone+" mtu\n") {
		t.Errorf("%s", text)
	}
}

// A switch that stays as it is has no change.
func TestNoChange(t *testing.T) {
	if files, _ := junos.EmitChange(leaf(), leaf()); len(files) > 0 {
		t.Errorf("there is a change: %s", files[0].Body.AppendFor(nil, "x"))
	}
	other := leaf()
	other.Ports[0].Cable *= 2
	other.Classes[0].Lossless, other.Ports[1].QoS.PFC = true, 0
	files, _ := junos.EmitChange(leaf(), other)
	diagtest.Golden(t, "testdata/change.set", string(files[0].Body.AppendFor(nil, "leaf-1")))
}

package junos_test

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/roceplan/roceplan/emit/junos"
	"github.com/roceplan/roceplan/internal/testing/anyplan"
)

// A device holds a configuration as Junos does, as far as the change needs it: leaves by
// path, where a leaf with one value is replaced, and one with a list collects.
type device map[string]map[string]bool

// Leaves whose values collect, and those that are words without a value.
var (
	collects = []string{"code-points", "fill-level", "drop-probability"}
	flags    = []string{"pfc", "no-loss", "explicit-congestion-notification", "per-packet", "ipv4", "ipv6", "pfc-watchdog"}
)

// leaves splits a command into leaf paths with values: a line of several options says one
// leaf each.
func leaves(words []string) (all [][2]string) {
	for i := 0; i < len(words); i++ {
		if words[i] == "class" && i+1 < len(words) {
			head := strings.Join(words[:i+2], " ")
			for j := i + 2; j < len(words); j++ {
				if slices.Contains(flags, words[j]) || j+1 == len(words) {
					all = append(all, [2]string{head + " " + words[j], ""})
					continue
				}
				all = append(all, [2]string{head + " " + words[j], words[j+1]})
				j++
			}
			return all
		}
	}
	last := len(words) - 1
	if slices.Contains(flags, words[last]) {
		return [][2]string{{strings.Join(words, " "), ""}}
	}
	return [][2]string{{strings.Join(words[:last], " "), words[last]}}
}

func (d device) run(script string) {
	for line := range strings.Lines(script) {
		words := strings.Fields(line)
		switch {
		case len(words) == 0 || strings.HasPrefix(words[0], "#"):
		case words[0] == "delete":
			d.remove(strings.Join(words[1:], " "))
		default:
			for _, leaf := range leaves(words[1:]) {
				name := leaf[0][strings.LastIndexByte(leaf[0], ' ')+1:]
				if d[leaf[0]] == nil || !slices.Contains(collects, name) {
					d[leaf[0]] = map[string]bool{}
				}
				d[leaf[0]][leaf[1]] = true
			}
		}
	}
}

// remove deletes a leaf, one value of it, or all below a path.
func (d device) remove(path string) {
	maps.DeleteFunc(d, func(leaf string, _ map[string]bool) bool { return leaf == path || strings.HasPrefix(leaf, path+" ") })
	if i := strings.LastIndexByte(path, ' '); i > 0 && d[path[:i]][path[i+1:]] {
		delete(d[path[:i]], path[i+1:])
	}
}

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
		t.Skip("Junos cannot be told one of them:", found, more)
	}
	is, wanted := device{}, device{}
	is.run(string(before[0].Body.AppendFor(nil, "x")))
	wanted.run(string(after[0].Body.AppendFor(nil, "x")))
	change, _ := junos.EmitChange(from, to)
	script := ""
	if len(change) > 0 {
		script = string(change[0].Body.AppendFor(nil, "x"))
	}
	is.run(script)
	maps.DeleteFunc(is, func(_ string, values map[string]bool) bool { return len(values) == 0 })
	if diff := cmp.Diff(wanted, is); diff != "" {
		t.Fatalf("-wanted +is:\n%s\n%s", diff, script)
	}
}

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
	golden(t, "testdata/change.set", string(files[0].Body.AppendFor(nil, "leaf-1")))
}

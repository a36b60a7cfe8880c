package nvue

import (
	"fmt"
	"strings"
	"testing"

	"github.com/roceplan/roceplan/internal/testing/must"
)

// tree is an object of lines: "a b=1" is a leaf b below a with the number 1, "a b:on" one with a word, "a b" one
// without a value.
func tree(lines ...string) *object {
	o := &object{}
	for _, line := range lines {
		if path, value, ok := strings.Cut(line, "="); ok {
			var n int64
			fmt.Sscan(value, &n)
			o.count(n, strings.Fields(path)...)
		} else if path, value, ok := strings.Cut(line, ":"); ok {
			o.word(value, strings.Fields(path)...)
		} else {
			o.at(strings.Fields(line)...)
		}
	}
	return o
}

// Ports without breakout that follow each other are a range; nothing else is.
func TestListsOfInstances(t *testing.T) {
	for keys, want := range map[string]string{
		"swp1": "swp1", "swp1 swp2": "swp1-2", "swp1 swp2 swp3 swp5": "swp1-3,swp5", "swp9 swp10": "swp9-10", "swp2 swp1": "swp2,swp1", "swp1 swp1": "swp1,swp1", "swp1s0 swp1s1": "swp1s0,swp1s1", "swp1 swp2s0 swp3": "swp1,swp2s0,swp3",
		"1 2 3": "1,2,3", "swp99999999999999999999 swp1": "swp99999999999999999999,swp1", "swp1 swp99999999999999999999": "swp1,swp99999999999999999999",
	} {
		must.Equalf(t, list(strings.Fields(keys)), want, "%s:", keys)
	}
}

// What instances are told alike is told once, in whatever order they have it.
func TestCommandsOfInstances(t *testing.T) {
	for _, c := range []struct {
		o    *object
		want string
	}{
		{tree("a b:on", "a c=7", "d"), "nv a b on\nnv a c 7\nnv d\n"},
		{tree("interface swp1 x:on", "interface swp2 x:on", "interface swp2 y=2"), "nv interface swp1-2 x on\nnv interface swp2 y 2\n"},
		{tree("interface swp1 x=1", "interface swp2 x:1"), "nv interface swp1 x 1\nnv interface swp2 x 1\n"}, // a number is no word
		{tree("interface swp1 x=1", "interface swp2 x=2"), "nv interface swp1 x 1\nnv interface swp2 x 2\n"},
		{tree("dscp 1 switch-priority 3", "dscp 2 switch-priority 3"), "nv dscp 1,2 switch-priority 3\n"},
		{tree("other 1 x=3", "other 2 x=3"), "nv other 1 x 3\nnv other 2 x 3\n"},
	} {
		var out strings.Builder
		c.o.commands(&out, "nv")
		must.Equal(t, out.String(), c.want)
	}
}

// What one tree has and another has not, and what is gone; a leaf with another value is there and differs.
func TestDifferencesOfTrees(t *testing.T) {
	for _, c := range []struct {
		a, b          *object
		equal         bool
		without, gone string // as commands
	}{
		{tree("a b=1"), tree("a b=1"), true, "", ""},
		{tree("a b=1", "a c=2"), tree("a c=2", "a b=1"), true, "", ""},
		{tree("a b=1"), tree("a b=2"), false, "nv a b 1\n", ""},
		{tree("a b=1"), tree("a b:1"), false, "", ""},
		{tree("a b=1"), tree("a"), false, "nv a b 1\n", "nv a b\n"},
		{tree("a"), tree("a b=1"), false, "nv a\n", ""},
		{tree("a"), tree("a"), true, "", ""},
		{tree("a b=1", "d:x"), tree("d:x"), false, "nv a b 1\n", "nv a\n"},
		{tree("a b=1", "a c=2"), tree("a b=1"), false, "nv a c 2\n", "nv a c\n"},
		{tree("a b=1"), tree("c b=1"), false, "nv a b 1\n", "nv a\n"},
		{tree(), tree("a"), false, "", ""},
	} {
		if c.a.equal(c.b) != c.equal || c.b.equal(c.a) != c.equal {
			t.Errorf("%+v, %+v: equal is %v", c.a, c.b, !c.equal)
		}
		text := func(o *object) string {
			var out strings.Builder
			if o != nil && len(o.keys) > 0 {
				o.commands(&out, "nv")
			}
			return out.String()
		}
		if without, gone := text(c.a.without(c.b)), text(c.a.gone(c.b)); without != c.without || gone != c.gone {
			t.Errorf("%q and %q, want %q and %q", without, gone, c.without, c.gone)
		}
	}
	if o := tree("a=1"); o.without(nil) != o {
		t.Error("without nothing it is another")
	}
}

// A change unsets and sets, and ends by showing what is staged.
func TestTextOfAChange(t *testing.T) {
	const head = "#!/bin/sh\n# Stages what is different on leaf-1. What is staged takes effect by: nv config apply --confirm 10m\n# It goes back by itself after that time. To keep it: nv config apply --confirm-yes\n" +
		"# Back: nv config apply REVISION, with the one of before from nv config history; where others have applied\n# theirs since, the change in the other direction\nset -e\n"
	to := leaf()
	to.Ports[0].MTU, to.Watchdog = 5022, nil
	for i := range to.Ports {
		to.Ports[i].QoS.Watchdog = false
	}
	for _, c := range []struct {
		text string
		back bool
	}{
		{head + "nv unset qos pfc-watchdog\nnv unset interface swp1-4 qos pfc-watchdog\nnv set interface swp1 link mtu 5000\nnv config diff\n", false},
		{head + "nv set qos pfc-watchdog polling-interval 100\nnv set qos pfc-watchdog robustness 2\nnv set interface swp1-4 qos pfc-watchdog state enable\nnv set interface swp1 link mtu 9194\nnv config diff\n", true},
	} {
		a, b := leaf(), to
		if c.back {
			a, b = b, a
		}
		files, found := EmitChange(a, b)
		if len(files) != 1 || files[0].Path != "nvue-change.sh" || string(files[0].Body.AppendFor(nil, "leaf-1")) != c.text {
			t.Errorf("%s, %v", files[0].Body.AppendFor(nil, "leaf-1"), found)
		}
	}
}

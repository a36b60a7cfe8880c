package openconfig

import "testing"

// Profiles are called like the port group that uses them first; a group that has one already, or
// has no name, gives a number.
func TestKindName(t *testing.T) {
	b := &builder{}
	for _, c := range []struct{ group, want string }{{"gpus", "gpus"}, {"gpus", "kind-2"}, {"", "kind-3"}, {"spines", "spines"}, {"spines", "kind-5"}, {"kind-7", "kind-7"}, {"gpus", "kind-8"}} {
		got := b.kindName(c.group)
		if got != c.want {
			t.Errorf("%q is the kind %q, want %q", c.group, got, c.want)
		}
		b.kinds = append(b.kinds, &kind{name: got})
	}
}

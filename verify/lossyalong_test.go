package verify

import (
	"os"
	"testing"

	"github.com/roceplan/roceplan/internal/testing/must"
	"github.com/roceplan/roceplan/internal/testing/oracle"
)

// A switch without PFC proves nothing, so alone it does not pass. Among others it may well be one without RoCE: the others decide,
// unless every switch must be proved.
func TestSwitchWithoutRoCE(t *testing.T) {
	leaf := Text("leaf1.conf", must.Get(os.ReadFile(oracle.Data(t, "junos/leaf1_qfx5240-64od.conf")))(t))
	lossy := Text("mgmt-1.cfg", []byte("! device: mgmt-1 (DCS-7050TX3-48C8, EOS-4.30.1F)\nhostname mgmt-1\ninterface Ethernet1\n   mtu 9214\n"))
	odd := Text("mgmt-2.cfg", []byte("! device: mgmt-2 (DCS-7050TX3-48C8, EOS-4.30.1F)\nhostname mgmt-2\nqos odd statement\ninterface Ethernet1\n   mtu 9214\n"))
	for _, c := range []struct {
		name   string
		files  []File
		passes bool
	}{
		{"RoCE", []File{leaf}, true},
		{"one without RoCE", []File{lossy}, false},
		{"two, one of them without RoCE", []File{leaf, lossy}, true},
		{"a statement that may be PFC", []File{leaf, odd}, false},
		{"none with RoCE", []File{lossy, Text("mgmt-3.cfg", []byte("! device: mgmt-3 (DCS-7050TX3-48C8, EOS-4.30.1F)\nhostname mgmt-3\ninterface Ethernet1\n"))}, false},
	} {
		r := judge(t, Options{}, c.files...)
		if r.Passes(false) != c.passes || r.Passes(true) {
			t.Errorf("%s: passes %t, strictly %t, want %t and false", c.name, r.Passes(false), r.Passes(true), c.passes)
			for _, s := range r.Switches {
				t.Log(s.Names, s.Verdict, s.Because)
			}
			t.Log(r.Findings)
		}
	}
}

package eos_test

import (
	"testing"

	"github.com/roceplan/roceplan/internal/testing/readtest"
	"github.com/roceplan/roceplan/read"
	"github.com/roceplan/roceplan/read/eos"
	"github.com/roceplan/roceplan/units"
)

// The MTU of all ports is that of a port which says none; how a switch divides its tables touches no
// buffer.
func TestInterfaceDefaults(t *testing.T) {
	const file = `hostname a
load-interval default 5
hardware tcam
   system profile vxlan-routing
interface defaults
   ethernet
      no shutdown
   mtu 9000
interface Ethernet1/1
   no switchport
interface Ethernet2/1
   mtu 9214
`
	sw, _ := readtest.Switch(eos.Format(), "a.cfg", []byte(file))
	for i, want := range []units.Bytes{9000 + 18, 9214 + 18} {
		if p := sw.Ports[i]; p.MTU != want {
			t.Errorf("%s has frames of up to %v, want %v", p.Name, p.MTU, want)
		}
	}
	for _, s := range eos.Format().Read("a.cfg", []byte(file), read.Options{}).Ledger.Statements {
		if s.Sort == read.Unmodelled {
			t.Errorf("%s is not modelled: %s", s.Text, s.Why)
		}
	}
	other := "interface defaults\n   mtu 9000\n   dhcp server\nno interface defaults\n"
	count := 0
	for _, s := range eos.Format().Read("a.cfg", []byte(other), read.Options{}).Ledger.Statements {
		if s.Sort == read.Unmodelled {
			count++
		}
	}
	if count != 2 {
		t.Errorf("%d lines are not modelled, want that of a server and the one that takes all back", count)
	}
}

package nxos_test

import (
	"strings"
	"testing"

	"github.com/roceplan/roceplan/internal/testing/readtest"
	"github.com/roceplan/roceplan/read"
	"github.com/roceplan/roceplan/read/nxos"
)

// What is read of each line of a file with every statement, of changes to it, and of texts that say things in
// other ways.
func TestReader(t *testing.T) {
	readtest.HoldReader(t, nxos.Format(), "everything.cfg", func(line string) []string {
		at := len(line) - len(strings.TrimLeft(line, " "))
		if rest, ok := strings.CutPrefix(line[at:], "no "); ok {
			return []string{line[:at] + rest}
		}
		return []string{line[:at] + "no " + line[at:]}
	})
}

// A line names 1,024 ports at most, in all of its ranges together; a port has three digits. What is
// refused has named the ports before it.
func TestPortsOfALine(t *testing.T) {
	for line, c := range map[string]struct {
		ports   int
		refused bool
	}{
		"Ethernet1/1-999": {999, false}, "Ethernet1/1-1000": {0, true}, "Ethernet1/1-600,Ethernet2/1-424": {1024, false}, "Ethernet1/1-600,Ethernet2/1-425": {600, true}, "Ethernet1/5-5": {1, false}, "Ethernet1/5-4": {0, true},
		"Ethernet1/2, Ethernet1/4/1-2": {3, false}, "Ethernet1/1/1/1": {0, true}, "Ethernet1/1,port-channel2": {1, true},
	} {
		r := nxos.Format().Read("x", []byte("interface "+line+"\n  no switchport\n"), read.Options{})
		if len(r.Switch.Ports) != c.ports || r.Found.HasErrors() != c.refused {
			t.Errorf("%s: %d ports, want %d; %v", line, len(r.Switch.Ports), c.ports, r.Found)
		}
	}
}

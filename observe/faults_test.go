package observe

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// A fault has a life: it is raised, its numbers move without a word, another assumption is to blame,
// it is cleared, and raised again. What is not read any more is not cleared.
func TestFaultsLive(t *testing.T) {
	log, now := NewLog(), time.Date(2026, 1, 2, 3, 0, 0, 0, time.UTC)
	group, port := onGroup("Ethernet0"), Object{Kind: Port, Name: "Ethernet0"}
	drops := func(n uint64) Row { return reading("leaf-1", group, GroupDropped, 0, n) }
	for i, step := range []struct {
		why    string
		rows   []Row
		silent []string
		events string
		raised int
	}{
		{"nothing is wrong", []Row{drops(0)}, nil, "", 0},
		{"packets are lost", []Row{drops(7)}, nil, "raised error[observe-drop] leaf-1 Ethernet0 PG 3", 1},
		{"more are lost", []Row{drops(9)}, nil, "", 1},
		{"PFC is off, it turns out", []Row{drops(9), reading("leaf-1", port, PFCSent(3), 0, 0)}, nil, "changed error[observe-drop] leaf-1 Ethernet0 PG 3", 1},
		{"the device is silent", nil, []string{"leaf-1"}, "", 1},
		{"the counter is not there", []Row{reading("leaf-1", port, PFCSent(3), 0, 0)}, nil, "", 1},
		{"the other is not there", []Row{drops(0)}, nil, "", 1},
		{"both are read, and nothing is wrong", []Row{drops(0), reading("leaf-1", port, PFCSent(3), 0, 0)}, nil, "cleared error[observe-drop] leaf-1 Ethernet0 PG 3 after 6m0s", 0},
		{"nothing is wrong still", []Row{drops(0), reading("leaf-1", port, PFCSent(3), 0, 0)}, nil, "", 0},
		{"packets are lost again", []Row{drops(3)}, nil, "raised again (2 times) error[observe-drop] leaf-1 Ethernet0 PG 3", 1},
	} {
		r := check(t, pod2, step.rows...)
		var events []string
		for _, e := range log.Update(now.Add(time.Duration(i)*time.Minute), r.Faults(), r, step.silent) {
			text, _, _ := strings.Cut(e.String(), ": ")
			events = append(events, text)
		}
		if got := strings.Join(events, "; "); got != step.events {
			t.Errorf("%s: %s, want %s", step.why, got, step.events)
		}
		if got := log.at(); i > 0 && !cmp.Equal(got, map[string]int{`{device="leaf-1",port="Ethernet0",fault="observe-drop"}`: step.raised}) {
			t.Errorf("%s: %v, want %d", step.why, got, step.raised)
		}
	}
	// Both assumptions were to blame once, and each falls to 0 by itself.
	want := map[string]int{`{device="leaf-1",assumption="unknown"}`: 1, `{device="leaf-1",assumption="pfc"}`: 0}
	if got := log.contradictions(); !cmp.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
}

// A fault that rests on no counter is cleared once its device answers without it.
func TestFaultWithoutCounters(t *testing.T) {
	log, now := NewLog(), time.Unix(0, 0)
	fault := []Fault{{Code: Elsewhere, Device: "leaf-1", Message: "a name\nwith \x1b[31m"}}
	empty := check(t, pod2)
	if events := log.Update(now, fault, empty, nil); len(events) != 1 || strings.ContainsAny(events[0].String(), "\n\x1b") {
		t.Errorf("%v", events)
	}
	if events := log.Update(now, nil, empty, []string{"LEAF-1.example.org"}); len(events) != 0 {
		t.Errorf("the device did not answer: %v", events)
	}
	if events := log.Update(now, nil, empty, nil); len(events) != 1 || events[0].Change != Cleared {
		t.Errorf("the device answered: %v", events)
	}
}

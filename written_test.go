package roceplan_test

import (
	"os"
	"testing"

	"github.com/roceplan/roceplan"
	"github.com/roceplan/roceplan/internal/testing/must"
	"github.com/roceplan/roceplan/units"
)

// Junos and SR Linux have no line for lossy priority groups, and Junos gives a curve in shares of what
// nobody publishes. The device has both. Without the former the simulated switch drops each CNP, without the
// latter it marks nothing, and in either case no sender slows down: the pauses of two senders to one go on
// for the whole run, as 400 Gb/s too many are held back by nothing else. So as many CNPs are sent as
// are not dropped, and packets are marked.
func TestWhatAFileLeavesToTheDevice(t *testing.T) {
	for _, example := range []string{"junos-rail", "srlinux-rail"} {
		in := must.Get(roceplan.In(os.DirFS("examples/"+example), "."))(t)
		run := must.Get(roceplan.Simulate(t.Context(), roceplan.Load(in), roceplan.SimulateOptions{
			Scenarios: []string{"incast-2", "tcp-burst-beside-storage"}, Time: 500 * units.Microsecond,
		}))(t)
		incast, tcp := run.Outcomes[0], run.Outcomes[1]
		if incast.Pattern != "incast-2" {
			incast, tcp = tcp, incast
		}
		if incast.Marks == 0 || incast.CNPs == 0 || incast.Drops > 0 {
			t.Errorf("%s: %d marks, %d CNPs, %d drops", example, incast.Marks, incast.CNPs, incast.Drops)
		}
		if tcp.Unfinished > 0 {
			t.Errorf("%s: %d messages of TCP are not finished", example, tcp.Unfinished)
		}
	}
}

package eos

import (
	"bytes"
	"fmt"
	"hash/fnv"

	"github.com/roceplan/roceplan/diag"
	"github.com/roceplan/roceplan/emit"
	"github.com/roceplan/roceplan/plan"
)

// SessionFile is the path of the session script below the device's folder.
const SessionFile = "eos-session.txt"

// CommitTimer is the time for which a committed session stays without confirmation before EOS takes
// it back, as `commit timer` wants it.
const CommitTimer = "00:10:00"

// EmitSession prints the lines of [Emit] as a script for the CLI: they are collected in a
// configuration session, their difference to the running-config is shown, and they are committed at
// once, to be taken back by EOS itself unless they are confirmed in time. The device's name is left
// as it is. Lines that an earlier script gave and this one does not are not removed.
//
// Sources: EOS user manual, Configure Session (configure session, commit timer,
// configure session NAME commit, show session-config diffs).
func EmitSession(s *plan.Switch) ([]emit.File, diag.List) {
	return emit.Print(s, SessionFile, compose, func(v *view) []byte { return session(v.running()) })
}

func session(running []byte) []byte {
	name := sessionName(running)
	var out bytes.Buffer
	fmt.Fprintf(&out, "! for %s\n", emit.Mark)
	fmt.Fprintf(&out, "! EOS takes this back after %s unless it is confirmed: configure session %s commit\n", CommitTimer, name)
	fmt.Fprintf(&out, "! to take it back at once: configure session %s abort\n", name)
	fmt.Fprintf(&out, "configure session %s\n", name)
	for line := range bytes.Lines(running) {
		if !bytes.HasPrefix(line, []byte("hostname ")) && !bytes.Equal(line, []byte("end\n")) {
			out.Write(line)
		}
	}
	fmt.Fprintf(&out, "show session-config diffs\ncommit timer %s\n", CommitTimer)
	return out.Bytes()
}

// sessionName names a session by what it says: EOS keeps sessions by name, and another
// configuration must not go into one that waits to be confirmed.
func sessionName(running []byte) string {
	sum := fnv.New32a()
	sum.Write(running)
	return fmt.Sprintf("roceplan-%08x", sum.Sum32())
}

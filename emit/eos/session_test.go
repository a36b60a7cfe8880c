package eos

import (
	"regexp"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/roceplan/roceplan/plan"
)

// sessionShapes are the lines that a session has beside those of a running-config.
// Evidence: EOS user manual, Configure Session; an exclamation mark begins a comment.
var sessionShapes = []*regexp.Regexp{
	regexp.MustCompile(`^! .*`),
	regexp.MustCompile(`^configure session roceplan-[0-9a-f]{8}$`),
	regexp.MustCompile(`^show session-config diffs$`),
	regexp.MustCompile(`^commit timer \d\d:\d\d:\d\d$`),
}

func renderSession(t interface{ Fatalf(string, ...any) }, s *plan.Switch) string {
	files, list := EmitSession(s)
	if list.HasErrors() {
		t.Fatalf("refused: %v", list)
	}
	return string(files[0].Body.AppendFor(nil, s.Names[0]))
}

// TestSessionSaysWhatTheConfigurationSays: between its frame stand the lines of the
// running-config, except for the name of the device and the end.
func TestSessionSaysWhatTheConfigurationSays(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := holdable(t)
		var frame, body []string
	lines:
		for line := range strings.Lines(renderSession(t, s)) {
			line = strings.TrimSuffix(line, "\n")
			for _, shape := range sessionShapes {
				if shape.MatchString(line) {
					frame = append(frame, line)
					continue lines
				}
			}
			body = append(body, line)
		}
		running := strings.Replace(render(t, s), "hostname "+s.Names[0]+"\n", "", 1)
		running = strings.TrimSuffix(running, "end\n")
		if got := strings.Join(body, "\n") + "\n"; got != running {
			t.Fatalf("the session says\n%s\nand the configuration\n%s", got, running)
		}
		if n := len(frame); n != 6 || !strings.HasPrefix(frame[3], "configure session ") || !strings.HasPrefix(frame[n-1], "commit timer ") {
			t.Fatalf("the session is framed by %q", frame)
		}
		name := strings.TrimPrefix(frame[3], "configure session ")
		if !strings.Contains(frame[1], "configure session "+name+" commit") || !strings.Contains(frame[2], "configure session "+name+" abort") {
			t.Fatalf("how to confirm and how to abort is not said of session %s: %q", name, frame)
		}
	})
}

// TestSessionsOfOtherConfigurationsHaveOtherNames: one that waits to be confirmed must
// not take in the lines of another. All devices of a shape have one name for it.
func TestSessionsOfOtherConfigurationsHaveOtherNames(t *testing.T) {
	name := func(s *plan.Switch) string {
		return regexp.MustCompile(`(?m)^configure session (.*)$`).FindStringSubmatch(renderSession(t, s))[1]
	}
	other := leaf()
	other.Ports[0].QoS.PGs[1].Headroom.Value += other.Cell
	other.Ports[2].QoS.PGs[1].Headroom.Value += other.Cell
	if name(leaf()) == name(other) {
		t.Error("two configurations have one session")
	}
	renamed := leaf()
	renamed.Names = []string{"leaf-9"}
	if name(leaf()) != name(renamed) {
		t.Error("two devices of a shape have sessions of different names")
	}
}

package main

import (
	"bytes"
	"strings"
	"testing"
)

// Nobody's fabric is cut unasked: what the whole of it takes too long for is refused with what to say, and the rest is of
// the whole. 512 hosts at 400G send 51 GB in 2 ms, in 12 million packets of 4,178 B with gap; with as many
// acknowledgements over four links that is 98 million packet-hops of most of the library's scenarios, of which there are
// about sixty; at 25G it is a sixteenth of the bytes in packets of 1,106 B.
func TestWholeFabric(t *testing.T) {
	sim := func(example string, args ...string) (code int, stdout, stderr string) {
		var out, bad bytes.Buffer
		code = run(append([]string{"sim", "../../examples/" + example + "/fabric.hcl"}, args...), nil, &out, &bad, func(string) string { return "" })
		return code, out.String(), bad.String()
	}
	code, stdout, stderr := sim("tomahawk5-ai-pod")
	if want := " runs of 512 hosts are about "; code != exitTrouble || !strings.Contains(stderr, want) || !strings.Contains(stderr, "or say --size all") || stdout != "" {
		t.Errorf("exit code %d: %s\n%s", code, stdout, stderr)
	}
	code, stdout, stderr = sim("ucloud-pod", "--pattern", "neighbours", "--time", "1us")
	if code != exitFine || strings.Contains(stdout, "cut to") || !strings.Contains(stdout, "neighbours  1     512 ") {
		t.Errorf("exit code %d: %s\n%s", code, stdout, stderr)
	}
	code, stdout, stderr = sim("ucloud-pod", "--pattern", "neighbours", "--time", "1us", "--size", "4x16")
	if code != exitFine || !strings.Contains(stdout, "note: cut to 64 of 512 hosts") {
		t.Errorf("exit code %d: %s\n%s", code, stdout, stderr)
	}
}

package main

import (
	"os"
	"strings"
	"testing"
)

// Every command of roceplan on the page stands in the script that runs the page, in the same
// order.
func TestAdoptPageIsRun(t *testing.T) {
	page, err := os.ReadFile("../../docs/adopt.md")
	if err != nil {
		t.Fatal(err)
	}
	script, err := os.ReadFile("../../golden/script/adopt.txtar")
	if err != nil {
		t.Fatal(err)
	}
	rest := string(script)
	commands := 0
	for line := range strings.SplitSeq(string(page), "\n") {
		command, ok := strings.CutPrefix(line, "    roceplan ")
		if !ok {
			continue
		}
		commands++
		_, after, found := strings.Cut(rest, " roceplan "+command+"\n")
		if !found {
			t.Errorf("the script does not run, after what stands before it: roceplan %s", command)
			continue
		}
		rest = after
	}
	if commands < 6 {
		t.Errorf("the page has %d commands", commands)
	}
}

package main

import (
	"os"
	"strings"
	"testing"
)

// Every command of roceplan on a page stands in the script that runs the page, in the same
// order; findings that the page shows stand there as they are.
func TestPagesAreRun(t *testing.T) {
	for name, least := range map[string]struct{ commands, findings int }{"adopt": {6, 2}, "observe": {4, 2}} {
		t.Run(name, func(t *testing.T) { pageIsRun(t, name, least.commands, least.findings) })
	}
}

func pageIsRun(t *testing.T, name string, leastCommands, leastFindings int) {
	page, err := os.ReadFile("../../docs/" + name + ".md")
	if err != nil {
		t.Fatal(err)
	}
	script, err := os.ReadFile("../../golden/script/" + name + ".txtar")
	if err != nil {
		t.Fatal(err)
	}
	rest := string(script)
	commands, findings := 0, 0
	for line := range strings.SplitSeq(string(page), "\n") {
		if strings.Contains(line, ": warning[") || strings.Contains(line, ": error[") {
			findings++
			if finding := strings.TrimSpace(line); !strings.Contains(string(script), "\n"+finding+"\n") {
				t.Errorf("the script does not print: %s", finding)
			}
		}
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
	if commands < leastCommands || findings < leastFindings {
		t.Errorf("the page has %d commands and %d findings", commands, findings)
	}
}

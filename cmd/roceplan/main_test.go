package main

import (
	"bufio"
	"errors"
	"flag"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/roceplan/roceplan/internal/testing/oracle"
)

var update = flag.Bool("update", false, "write the golden files of examples and scripts again")

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){"roceplan": checkedMain, "fleet": fleetMain})
}

// The scripts use the program as a person does. They are its manual.
func TestScripts(t *testing.T) {
	if os.Getenv("CI") != "" { // elsewhere the scripts that need them are skipped
		oracle.Command(t, "bash", "bash")
		oracle.Command(t, "git", "git")
	}
	shipped, err := filepath.Abs("../../" + examples)
	check(t, err)
	testscript.Run(t, testscript.Params{
		Dir: "../../golden/script",
		Setup: func(env *testscript.Env) error {
			env.Setenv("EXAMPLES", shipped)
			return nil
		},
		UpdateScripts:       *update,
		RequireUniqueNames:  true,
		RequireExplicitExec: true,
		Cmds:                map[string]func(*testscript.TestScript, bool, []string){"exits": exits, "podscript": podScript},
	})
}

// exits runs a command and demands an exit code: exits 2 roceplan compile.
func exits(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: exits CODE COMMAND…")
	}
	want, err := strconv.Atoi(args[0])
	ts.Check(err)
	got := 0
	if err := ts.Exec(args[1], args[2:]...); err != nil {
		var exit *exec.ExitError
		if !errors.As(err, &exit) {
			ts.Fatalf("%v", err)
		}
		got = exit.ExitCode()
	}
	if got != want {
		ts.Fatalf("exit code %d, want %d", got, want)
	}
}

// Who asks a command for help gets something to type.
func TestEveryCommandHasAnExample(t *testing.T) {
	var line commandLine
	parser := newParser(&line, &terminal{out: bufio.NewWriter(io.Discard), err: io.Discard}, func(int) {})
	for _, command := range parser.Model.Leaves(true) {
		if !strings.Contains(command.Detail, "    roceplan ") && !strings.Contains(command.Detail, `"roceplan"`) { // as an editor is told to call it
			t.Errorf("%s has no example in its help", command.FullPath())
		}
		if command.Help == "" {
			t.Errorf("%s does not say in a line what it does", command.FullPath())
		}
	}
}

package main

import (
	"bufio"
	"bytes"
	"cmp"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"
	"golang.org/x/tools/txtar"

	"github.com/roceplan/roceplan/internal/disk"
	"github.com/roceplan/roceplan/internal/testing/must"
	"github.com/roceplan/roceplan/internal/testing/oracle"
)

var update = flag.Bool("update", false, "write the golden files of examples and scripts again")

func TestMain(m *testing.M) {
	logInterval = time.Hour // a loaded machine is no reason for a line that no golden file has
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
		Files: inside(t, glob(t, "../../golden/script/*.txtar")),
		Setup: func(env *testscript.Env) error {
			env.Setenv("EXAMPLES", shipped)
			return nil
		},
		UpdateScripts:       *update,
		RequireUniqueNames:  true,
		RequireExplicitExec: true,
		Cmds:                map[string]func(*testscript.TestScript, bool, []string){"exits": exits, "run": runInside, "podscript": podScript},
	})
}

// called is a line of a script that calls the program, which sets nothing up for it.
var called = regexp.MustCompile(`(?m)^((?:\[.*\] )?(?:! )?)(?:exec|exits (\d+)) roceplan (.*[^&\n])$`)

// inside copies scripts and has them run the program in this process, which takes less than half of the time of a process of
// its own. Calls with an environment or with an input have one, and so have those of shells. What -update writes goes
// back.
func inside(t *testing.T, scripts []string) (copies []string) {
	dir := t.TempDir()
	for _, path := range scripts {
		archive, err := txtar.ParseFile(path)
		check(t, err)
		written, to := archive.Comment, filepath.Join(dir, filepath.Base(path))
		if !bytes.Contains(written, []byte("\nenv ")) {
			var lines []string
			for line := range strings.Lines(string(written)) {
				if m := called.FindStringSubmatch(line); m != nil && (lines == nil || !strings.HasPrefix(lines[len(lines)-1], "stdin ")) {
					line = fmt.Sprintf("%srun %s %s\n", m[1], cmp.Or(m[2], "0"), m[3])
				}
				lines = append(lines, line)
			}
			archive.Comment = []byte(strings.Join(lines, ""))
		}
		check(t, os.WriteFile(to, txtar.Format(archive), 0o666))
		copies = append(copies, to)
		t.Cleanup(func() {
			if after, err := txtar.ParseFile(to); *update && err == nil && !slices.EqualFunc(after.Files, archive.Files, sameFile) {
				check(t, os.WriteFile(path, txtar.Format(&txtar.Archive{Comment: written, Files: after.Files}), 0o666))
			}
		})
	}
	return copies
}

func sameFile(a, b txtar.File) bool { return a.Name == b.Name && bytes.Equal(a.Data, b.Data) }

// running is held while the program runs in this process, whose folder is that of one script at a time.
var running sync.Mutex

// runInside runs the program and demands an exit code: run 2 compile.
func runInside(ts *testscript.TestScript, neg bool, args []string) {
	want, err := strconv.Atoi(args[0])
	ts.Check(err)
	out, told := ts.Stdout(), ts.Stderr()
	running.Lock()
	defer running.Unlock()
	here, err := os.Getwd()
	ts.Check(err)
	ts.Check(os.Chdir(ts.MkAbs(".")))
	got := checkedRun(args[1:], strings.NewReader(""), out, told, ts.Getenv)
	ts.Check(os.Chdir(here))
	if (got == want) == neg {
		ts.Fatalf("exit code %d", got)
	}
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

// closedPipe is a reader that has gone.
type closedPipe struct{}

func (closedPipe) Write([]byte) (int, error) {
	return 0, &os.PathError{Op: "write", Path: "|1", Err: syscall.EPIPE}
}

// A reader that has seen enough is not a fault: nothing is said of it, and the exit code is
// that of the command.
func TestClosedPipe(t *testing.T) {
	folder := t.TempDir()
	fabric, out := filepath.Join(folder, "fabric.hcl"), filepath.Join(folder, "out")
	var quiet strings.Builder
	none := func(string) string { return "" }
	if code := run([]string{"init", fabric}, strings.NewReader(""), &quiet, &quiet, none); code != exitFine {
		t.Fatal(quiet.String())
	}
	for _, test := range []struct {
		args []string
		want int
	}{
		{[]string{"chips"}, exitFine},
		{[]string{"compile", "--check", fabric, "-o", out}, exitFindings},
		{[]string{"compile", fabric, "-o", out}, exitFine},
		{[]string{"explain", fabric, "tor-01", "--json"}, exitFine},
	} {
		var said strings.Builder
		if code := run(test.args, strings.NewReader(""), closedPipe{}, &said, none); code != test.want || strings.Contains(said.String(), "roceplan:") {
			t.Errorf("%v: exit %d, want %d\n%s", test.args, code, test.want, said.String())
		}
	}
}

// On a terminal init asks, and writes what new writes for the answers; without a number of GPUs it is the small fabric.
func TestInitAsks(t *testing.T) {
	for _, c := range []struct{ name, answers, want string }{
		{"answered", "64\n\nspectrum4\nsonic\n", "# 64 GPUs with a NIC of 400Gbps each: one switch."},
		{"defaults", "64\n\n\n\n", `chip     = "tomahawk5"`},
		{"nothing", "\n", string(startingFile)},
	} {
		t.Run(c.name, func(t *testing.T) {
			var out, asked bytes.Buffer
			file := filepath.Join(t.TempDir(), "fabric.hcl")
			term := &terminal{Context: t.Context(), in: strings.NewReader(c.answers), out: bufio.NewWriter(&out), err: &asked, tty: &asked, disk: disk.System{}, asks: true}
			must.Do(t, (initCmd{file}).Run(term))
			text, err := os.ReadFile(file)
			check(t, err)
			if !strings.Contains(string(text), c.want) {
				t.Errorf("%q is not in\n%s", c.want, text)
			}
			if !strings.HasPrefix(asked.String(), "How many GPUs") {
				t.Errorf("asked %q", asked.String())
			}
		})
	}
}

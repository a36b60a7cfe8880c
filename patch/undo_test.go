package patch_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/roceplan/roceplan/internal/testing/must"
	"github.com/roceplan/roceplan/internal/testing/oracle"
	"github.com/roceplan/roceplan/patch"
	"github.com/roceplan/roceplan/plan"
)

// A change that stops after any step is taken back by the undo of what was done: it ends
// at the configuration before it, and on the way no paused priority group lacks headroom.
func TestUndoLeadsBack(t *testing.T) {
	draw := rapid.Custom(func(t *rapid.T) *plan.Switch { return fabric(t, false) })
	stopped := 0
	for seed := range 12 {
		src, to := full(t, draw.Example(seed)), draw.Example(1000+seed)
		p, found := patch.Make(to, "leaf-01", running(t, src), nil)
		if p == nil {
			t.Logf("seed %d: %v", seed, found)
			continue
		}
		ends := []document{parse(t, src), parse(t, full(t, to))}
		needs := needed(ends)
		for stop := 1; stop <= len(p.Steps); stop++ {
			now := parse(t, src)
			for _, step := range p.Steps[:stop] {
				for _, op := range step.Operations {
					now.take(t, op)
				}
			}
			for _, step := range slices.Backward(p.Steps[:stop]) {
				for _, op := range step.Undo {
					now.take(t, op)
					if wrong := faults(now, ends, needs); len(wrong) > 0 {
						t.Fatalf("seed %d, after the undo %s %s of %q: %v", seed, op.Op, op.Path, step.Title, wrong)
					}
				}
			}
			if diff := cmp.Diff(parse(t, src), now); diff != "" {
				t.Fatalf("seed %d, stopped after %d steps (-before +after):\n%s", seed, stop, diff)
			}
			stopped++
		}
	}
	if stopped < 50 {
		t.Errorf("only %d changes were stopped", stopped)
	}
}

// The script takes a step that fails back, and those before it, newest first, whichever command
// fails; no checkpoint is left where the switch is as it was or as it shall be.
func TestStepsScript(t *testing.T) {
	pool := []patch.Operation{{Op: "replace", Path: "/BUFFER_POOL/p/size", Value: patch.Value{Text: "1"}}}
	p := &patch.Patch{Steps: []patch.Step{{Title: "a"}, {Title: "b", Past: true, Operations: pool, Undo: pool}, {Title: "c"}}}
	a := []string{"checkpoint roceplan-01-a", "apply-patch 01-a.json", "delete-checkpoint roceplan-01-a"}
	b := []string{"load -y load/02-b.json"}
	for _, c := range []struct {
		fails string // pattern of the command that fails
		code  int
		want  []string
	}{
		{"nothing", 0, slices.Concat(a, b, []string{"checkpoint roceplan-03-c", "apply-patch 03-c.json", "delete-checkpoint roceplan-03-c"})},
		{"apply-patch 03*", 1, slices.Concat(a, b, []string{
			"checkpoint roceplan-03-c", "apply-patch 03-c.json", "rollback roceplan-03-c", "delete-checkpoint roceplan-03-c",
			"load -y load/undo/02-b.json", "apply-patch undo/01-a.json",
		})},
		{"load -y load/02*", 1, slices.Concat(a, b, []string{"load -y load/undo/02-b.json", "apply-patch undo/01-a.json"})},
		{"checkpoint roceplan-03*", 1, slices.Concat(a, b, []string{"checkpoint roceplan-03-c", "load -y load/undo/02-b.json", "apply-patch undo/01-a.json"})},
		{"load*02*", 2, slices.Concat(a, b, []string{"load -y load/undo/02-b.json"})},
		{"[ar][po]*03*", 2, slices.Concat(a, b, []string{"checkpoint roceplan-03-c", "apply-patch 03-c.json", "rollback roceplan-03-c"})},
	} {
		code, calls := runScript(t, p, c.fails)
		if diff := cmp.Diff(c.want, calls); code != c.code || diff != "" {
			t.Errorf("%s fails: exit code %d (-want +called):\n%s", c.fails, code, diff)
		}
	}
}

func TestScriptsAreSound(t *testing.T) {
	check := oracle.Command(t, "shellcheck", "shellcheck")
	if out, err := exec.Command(check, "steps.sh").CombinedOutput(); err != nil {
		t.Errorf("%s", out)
	}
}

// runScript runs the script of a patch with a config command that fails where its
// arguments match a pattern, and says how it was called.
func runScript(t *testing.T, p *patch.Patch, fails string, args ...string) (code int, calls []string) {
	dir := t.TempDir()
	for _, f := range p.Files() {
		write(t, filepath.Join(dir, f.Path), string(f.Text), 0o666)
	}
	stub := fmt.Sprintf("#!/bin/sh\necho \"$*\" >> %s/calls\ncase \"$*\" in %s) exit 1 ;; esac\n", dir, strings.ReplaceAll(fails, " ", `\ `))
	write(t, filepath.Join(dir, "bin/config"), stub, 0o777)
	write(t, filepath.Join(dir, "bin/pfcwd"), stub, 0o777)
	write(t, filepath.Join(dir, "bin/sonic-db-cli"), stub, 0o777)
	cmd := exec.Command("sh", append([]string{filepath.Join(dir, patch.Script)}, args...)...)
	cmd.Env = append(os.Environ(), "PATH="+filepath.Join(dir, "bin")+":"+os.Getenv("PATH"))
	err := cmd.Run()
	if exit, ok := err.(*exec.ExitError); ok {
		code = exit.ExitCode()
	} else if err != nil {
		t.Fatal(err)
	}
	if text, err := os.ReadFile(filepath.Join(dir, "calls")); err == nil {
		calls = strings.Split(strings.TrimSpace(string(text)), "\n")
	}
	return code, calls
}

func write(t *testing.T, path, text string, mode os.FileMode) {
	must.Do(t, os.MkdirAll(filepath.Dir(path), 0o777))
	must.Do(t, os.WriteFile(path, []byte(text), mode))
}

package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/roceplan/roceplan/internal/testing/oracle"
)

// The array of examples/cluster runs on a real Slurm of one node, eight tasks of which each leaves its part, and merge
// finds them whole: the result is what one run of all gives.
func TestSlurm(t *testing.T) {
	for _, program := range []struct{ name, from string }{{"slurmctld", "slurmctld"}, {"slurmd", "slurmd"}, {"sbatch", "slurm-client"}, {"munged", "munge"}} {
		oracle.Command(t, program.name, program.from)
	}
	if os.Getuid() != 0 {
		oracle.Missing(t, "Slurm is started as root")
	}
	up := oracle.Shared(t, "tools/slurm-up")
	state, err := os.MkdirTemp("", "slurm") // every folder above must be open to the user of munge
	check(t, err)
	t.Cleanup(func() {
		_ = exec.Command(up, "-d", state).Run()
		_ = os.RemoveAll(state)
	})
	told, err := exec.Command(up, state).CombinedOutput()
	if err != nil {
		t.Fatalf("%v: %s", err, told)
	}
	_, conf, _ := strings.Cut(strings.TrimSpace(string(told)), "export SLURM_CONF=")
	archive, err := txtar.ParseFile("../../golden/script/cluster.txtar")
	check(t, err)
	work := t.TempDir()
	for _, f := range archive.Files {
		if f.Name == "fabric/fabric.hcl" {
			check(t, os.WriteFile(filepath.Join(work, "fabric.hcl"), f.Data, 0o666))
		}
	}
	script, err := filepath.Abs("../../examples/cluster/slurm-sim.sh")
	check(t, err)
	run := func(name string, args ...string) string {
		t.Helper()
		cmd := exec.Command(name, args...)
		cmd.Dir = work
		cmd.Env = append(os.Environ(), "SLURM_CONF="+conf)
		out, err := cmd.Output()
		if err != nil {
			logs, _ := filepath.Glob(filepath.Join(work, "slurm-*.out"))
			for _, log := range logs {
				text, _ := os.ReadFile(log)
				t.Logf("%s: %s", filepath.Base(log), text)
			}
			t.Fatalf("%s %v: %v\n%s", name, args, err, out)
		}
		return string(out)
	}
	flags := []string{"--pattern", "incast-2", "--pattern", "permutation", "--time", "20us"}
	// Tasks of one core each, so that it is two at a time on a machine of two.
	run("sbatch", append([]string{"--wait", "--cpus-per-task=1", "--mem=200M", script}, flags...)...)
	parts, err := filepath.Glob(filepath.Join(work, "results", "sim-*.jsonl"))
	if check(t, err); len(parts) != 8 {
		t.Fatalf("%d parts: %v", len(parts), parts)
	}
	merged := run("roceplan", append([]string{"merge"}, parts...)...)
	whole := run("roceplan", append([]string{"sim", "fabric.hcl", "--seeds", "10"}, flags...)...)
	if merged != whole || strings.Count(merged, "\npermutation ") != 10 {
		t.Errorf("merged:\n%s\nin one run:\n%s", merged, whole)
	}
}

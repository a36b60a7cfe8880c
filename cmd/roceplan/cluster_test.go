package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
	"go.yaml.in/yaml/v4"
	"golang.org/x/tools/txtar"

	"github.com/roceplan/roceplan/internal/testing/oracle"
)

// A manifest is what the cluster's scripts need of a document of Kubernetes.
type manifest struct {
	APIVersion string `yaml:"apiVersion"`
	Kind       string
	Spec       struct {
		CompletionMode string `yaml:"completionMode"`
		Completions    int
		Template       struct {
			Spec struct {
				Containers []struct {
					Command, Args []string
					Env           []struct{ Name, Value string }
					VolumeMounts  []struct {
						Name      string
						MountPath string `yaml:"mountPath"`
					} `yaml:"volumeMounts"`
				}
				Volumes []struct{ Name string }
			}
		}
	}
}

// podScript writes what the one container of the one Job of a manifest runs:
// podscript MANIFEST FILE. It demands that the Job is indexed, has as many completions as
// its script has parts, and mounts the folders that its variables name.
func podScript(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: podscript MANIFEST FILE")
	}
	job, err := readJob(args[0])
	ts.Check(err)
	pod := &job.Spec.Template.Spec
	if len(pod.Containers) != 1 || len(pod.Containers[0].Args) != 1 {
		ts.Fatalf("%s: one container with one argument is expected", args[0])
	}
	c := &pod.Containers[0]
	script := c.Args[0]
	if parts := fmt.Sprintf(`"$JOB_COMPLETION_INDEX/%d"`, job.Spec.Completions); job.Spec.CompletionMode != "Indexed" || !strings.Contains(script, parts) {
		ts.Fatalf("%s: %d completions, mode %q, and the script\n%s", args[0], job.Spec.Completions, job.Spec.CompletionMode, script)
	}
	for _, v := range c.Env {
		mounted := false
		for _, m := range c.VolumeMounts {
			for _, volume := range pod.Volumes {
				mounted = mounted || m.MountPath == v.Value && m.Name == volume.Name
			}
		}
		if !mounted {
			ts.Fatalf("%s: nothing is mounted at %s, which is %s", args[0], v.Value, v.Name)
		}
	}
	ts.Check(os.WriteFile(ts.MkAbs(args[1]), []byte("# "+strings.Join(c.Command, " ")+"\nset -eu\n"+script), 0o666))
}

// readJob reads all documents of a manifest and returns the Job.
func readJob(path string) (job *manifest, err error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	for docs := yaml.NewDecoder(bytes.NewReader(text)); ; {
		var m manifest
		switch err := docs.Decode(&m); {
		case errors.Is(err, io.EOF) && job == nil:
			return nil, fmt.Errorf("%s holds no Job of batch/v1", path)
		case errors.Is(err, io.EOF):
			return job, nil
		case err != nil:
			return nil, fmt.Errorf("%s: %w", path, err)
		case m.Kind == "" || m.APIVersion == "":
			return nil, fmt.Errorf("%s: a document has no kind or apiVersion", path)
		case m.Kind == "Job" && m.APIVersion == "batch/v1":
			job = &m
		}
	}
}

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
	start := func() ([]byte, error) {
		state, err := os.MkdirTemp("", "slurm") // every folder above must be open to the user of munge
		check(t, err)
		t.Cleanup(func() {
			_ = exec.Command(up, "-d", state).Run()
			_ = os.RemoveAll(state)
		})
		return exec.Command(up, state).CombinedOutput()
	}
	told, err := start()
	if err != nil { // it chooses ports at random, which another test may have
		told, err = start()
	}
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

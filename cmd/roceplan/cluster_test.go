package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/rogpeppe/go-internal/testscript"
	"go.yaml.in/yaml/v4"
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

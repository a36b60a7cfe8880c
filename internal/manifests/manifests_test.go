// Package manifests holds the manifests of examples/cluster against the types that Kubernetes publishes. It is a module
// of its own, so that nothing of Kubernetes comes near the program:
//
//	go -C internal/manifests test
package manifests

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	batch "k8s.io/api/batch/v1"
	core "k8s.io/api/core/v1"
	"sigs.k8s.io/yaml"
)

// Every field of the manifests is one that its type has, and a field that is written otherwise is found.
func TestManifests(t *testing.T) {
	manifests, err := filepath.Glob("../../examples/cluster/*.yaml")
	if err != nil || len(manifests) < 2 {
		t.Fatal(manifests, err)
	}
	for _, path := range manifests {
		text, err := os.ReadFile(path)
		if err == nil {
			err = check(text)
		}
		if err != nil {
			t.Errorf("%s: %v", path, err)
		}
	}
	first, _ := os.ReadFile(manifests[0])
	for was, is := range map[string]string{"completionMode:": "completionmode_:", "completions: 8": "completions: many", "volumeMounts:": "mounts:"} {
		err := check(bytes.Replace(first, []byte(was), []byte(is), 1))
		if err == nil || !strings.HasPrefix(err.Error(), "document 1: ") {
			t.Errorf("%s: %v", is, err)
		}
	}
}

// check reads each document of a file as the type that it declares.
func check(text []byte) error {
	for i, doc := range bytes.Split(text, []byte("\n---\n")) {
		var of struct{ APIVersion, Kind string }
		if err := yaml.Unmarshal(doc, &of); err != nil {
			return err
		}
		known := map[string]any{
			"batch/v1 Job":             &batch.Job{},
			"v1 PersistentVolumeClaim": &core.PersistentVolumeClaim{},
		}
		as, ok := known[of.APIVersion+" "+of.Kind]
		if !ok {
			return fmt.Errorf("document %d is %s of %s, which is not checked", i+1, of.Kind, of.APIVersion)
		}
		if err := yaml.UnmarshalStrict(doc, as); err != nil {
			return fmt.Errorf("document %d: %w", i+1, err)
		}
	}
	return nil
}

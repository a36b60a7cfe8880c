// Command manifests holds manifests of Kubernetes against its published types, where every field must be one that there is:
//
//	go -C internal/manifests run . ../../examples/cluster/kubernetes-sim.yaml
//
// It is a module of its own, so that nothing of Kubernetes comes near the program.
package main

import (
	"bytes"
	"fmt"
	"os"

	batch "k8s.io/api/batch/v1"
	core "k8s.io/api/core/v1"
	"sigs.k8s.io/yaml"
)

func main() {
	failed := len(os.Args) < 2
	for _, path := range os.Args[1:] {
		if err := check(path); err != nil {
			fmt.Fprintf(os.Stderr, "%s: %v\n", path, err)
			failed = true
		}
	}
	if failed {
		os.Exit(1)
	}
}

// check reads each document of a file as the type that it says it is.
func check(path string) error {
	text, err := os.ReadFile(path)
	if err != nil {
		return err
	}
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

package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// nfpm makes packages for Debian and RPM. Later versions need a module that the proxy does not have.
const nfpm = "github.com/goreleaser/nfpm/v2/cmd/nfpm@v2.43.0"

// packages makes deb and rpm as packaging/nfpm.yaml says.
func (r *release) packages(linux []built) error {
	if err := r.run("go", []string{"GOBIN=" + r.work, "GOFLAGS="}, "install", "-trimpath", nfpm); err != nil {
		return err
	}
	config, err := filepath.Abs(filepath.Join(r.source, "packaging", "nfpm.yaml"))
	if err != nil {
		return err
	}
	for _, b := range linux {
		stage, err := r.stage(b)
		if err != nil {
			return err
		}
		for _, kind := range []string{"deb", "rpm"} {
			c := exec.Command(filepath.Join(r.work, "nfpm"), "package", "--config", config, "--packager", kind, "--target", r.out)
			c.Dir = stage
			c.Env = append(os.Environ(), "ARCH="+b.arch, "VERSION="+r.stamp.version, fmt.Sprintf("SOURCE_DATE_EPOCH=%d", r.stamp.at.Unix()))
			if out, err := c.CombinedOutput(); err != nil {
				return fmt.Errorf("nfpm: %w\n%s", err, out)
			}
		}
	}
	return nil
}

// stage lays out the files that nfpm.yaml names, as old as the revision.
func (r *release) stage(b built) (string, error) {
	stage := filepath.Join(r.work, "stage-"+b.arch)
	files := append([]file{{path: "roceplan", executable: true, data: b.data}}, r.extra...)
	for _, f := range files {
		if strings.HasPrefix(f.path, "man/") {
			data, err := gzipped(f.data)
			if err != nil {
				return "", err
			}
			f.path, f.data = f.path+".gz", data
		}
		path := filepath.Join(stage, filepath.FromSlash(f.path))
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			return "", err
		}
		if err := os.WriteFile(path, f.data, 0o666); err != nil {
			return "", err
		}
		if err := os.Chtimes(path, r.stamp.at, r.stamp.at); err != nil {
			return "", err
		}
	}
	return stage, nil
}

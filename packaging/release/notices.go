package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime/debug"
)

// notice matches the names of files with the terms of a module.
var notice = regexp.MustCompile(`(?i)^(LICEN[CS]E|COPYING|NOTICE|PATENTS)([.-].*)?$`)

// notices gathers the terms of all modules that are in the program, as they ask for, with the place
// of their source.
func (r *release) notices(info *debug.BuildInfo) ([]byte, error) {
	out := bytes.NewBufferString("The program is made of these modules beside its own; each can be had as source from its place.\n")
	goroot, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		return nil, err
	}
	if err := terms(out, "Go "+info.GoVersion+", https://go.dev", string(bytes.TrimSpace(goroot))); err != nil {
		return nil, err
	}
	for _, m := range info.Deps {
		c := exec.Command("go", "mod", "download", "-json", m.Path+"@"+m.Version)
		c.Dir = r.source
		answer, err := c.Output()
		if err != nil {
			return nil, fmt.Errorf("go mod download %s: %w", m.Path, err)
		}
		var module struct{ Dir string }
		if err := json.Unmarshal(answer, &module); err != nil {
			return nil, err
		}
		if err := terms(out, fmt.Sprintf("%s %s, https://pkg.go.dev/%[1]s@%[2]s", m.Path, m.Version), module.Dir); err != nil {
			return nil, err
		}
	}
	return out.Bytes(), nil
}

// terms writes the files with the terms of a module; that there are none is an error.
func terms(out *bytes.Buffer, title, dir string) error {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return err
	}
	found := false
	for _, e := range entries {
		if e.IsDir() || !notice.MatchString(e.Name()) {
			continue
		}
		text, err := os.ReadFile(filepath.Join(dir, e.Name()))
		if err != nil {
			return err
		}
		fmt.Fprintf(out, "\n%s\n%s\n%s\n\n%s\n", title, e.Name(), "----", bytes.TrimSpace(text))
		found = true
	}
	if !found {
		return fmt.Errorf("%s: there is no licence in %s", title, dir)
	}
	return nil
}

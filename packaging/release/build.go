package main

import (
	"bytes"
	"debug/buildinfo"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"time"
)

const program = "./cmd/roceplan"

type platform struct{ os, arch string }

// exe returns the ending of a program's name.
func (p platform) exe() string {
	if p.os == "windows" {
		return ".exe"
	}
	return ""
}

// A built is the program for a platform.
type built struct {
	platform
	data []byte
	info *debug.BuildInfo
}

// A stamp is the build information that Go wrote into the program: the revision that it was built from.
type stamp struct {
	version  string // without the v: "1.2.3"
	revision string
	at       time.Time // of the commit
}

// tagged is the version of a revision that has a tag and no changes.
var tagged = regexp.MustCompile(`^v\d+\.\d+\.\d+(-[0-9A-Za-z]+(\.[0-9A-Za-z]+)*)?$`)

// pseudo is the version that Go gives to a revision without a tag: base, time and digest.
var pseudo = regexp.MustCompile(`\d{14}-[0-9a-f]{12}$`)

// path returns the path of the program for a platform.
func (r *release) path(p platform) string { return filepath.Join(r.work, p.os+"-"+p.arch) }

// build builds the program. Nothing is taken from the environment that would show in it.
func (r *release) build(p platform) (built, error) {
	if p == r.native.platform {
		return r.native, nil
	}
	env := []string{"GOOS=" + p.os, "GOARCH=" + p.arch, "CGO_ENABLED=0", "GOFLAGS=", "GOAMD64=v1", "GOARM64=v8.0", "GOEXPERIMENT="}
	if err := r.run("go", env, "build", "-trimpath", "-buildvcs=true", "-mod=readonly", "-ldflags=-s -w -buildid=", "-o", r.path(p), program); err != nil {
		return built{}, err
	}
	data, err := os.ReadFile(r.path(p))
	if err != nil {
		return built{}, err
	}
	info, err := buildinfo.Read(bytes.NewReader(data))
	return built{p, data, info}, err
}

// prepare builds the program for this machine, and asks it for its version, pages and completions.
func (r *release) prepare() error {
	b, err := r.build(platform{runtime.GOOS, runtime.GOARCH})
	if err != nil {
		return err
	}
	r.native = b
	native, info := r.path(b.platform), b.info
	if r.stamp, err = stampOf(info); err != nil {
		return err
	}
	version := info.Main.Version
	if !r.snapshot && (!tagged.MatchString(version) || pseudo.MatchString(version)) {
		return fmt.Errorf("the version is %s: a release is of a revision with a tag such as v1.2.3, without changes", version)
	}
	for _, name := range []string{"LICENSE", "README.md", "CHANGELOG.md"} {
		data, err := os.ReadFile(filepath.Join(r.source, name))
		if err != nil {
			return err
		}
		r.extra = append(r.extra, file{path: name, data: data})
	}
	notices, err := r.notices(info)
	if err != nil {
		return err
	}
	r.extra = append(r.extra, file{path: "THIRD-PARTY.txt", data: notices})
	for shell, name := range map[string]string{"bash": "roceplan.bash", "zsh": "_roceplan", "fish": "roceplan.fish"} {
		script, err := exec.Command(native, "completion", shell).Output()
		if err != nil {
			return err
		}
		r.extra = append(r.extra, file{path: "completion/" + name, data: script})
	}
	if err := r.pages(native); err != nil {
		return err
	}
	slices.SortFunc(r.extra, func(a, b file) int { return strings.Compare(a.path, b.path) })
	return nil
}

// pages makes the manual.
func (r *release) pages(native string) error {
	folder := filepath.Join(r.work, "man1")
	if err := exec.Command(native, "man", folder).Run(); err != nil {
		return err
	}
	names, err := filepath.Glob(filepath.Join(folder, "*.1"))
	if err != nil {
		return err
	}
	for _, name := range names {
		data, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		r.extra = append(r.extra, file{path: "man/man1/" + filepath.Base(name), data: data})
	}
	return nil
}

func stampOf(info *debug.BuildInfo) (s stamp, err error) {
	s.version = strings.TrimPrefix(info.Main.Version, "v")
	for _, set := range info.Settings {
		switch set.Key {
		case "vcs.revision":
			s.revision = set.Value
		case "vcs.time":
			s.at, err = time.Parse(time.RFC3339, set.Value)
		}
	}
	if err == nil && s.at.IsZero() {
		err = errors.New("no revision is stamped into the program: the source is not in a git repository")
	}
	return s, err
}

// run runs a command in the repository.
func (r *release) run(name string, env []string, args ...string) error {
	c := exec.Command(name, args...)
	c.Dir, c.Env = r.source, append(os.Environ(), env...)
	if out, err := c.CombinedOutput(); err != nil {
		return fmt.Errorf("%s %s: %w\n%s", name, strings.Join(args, " "), err, out)
	}
	return nil
}

// Command release makes what a release consists of: for each platform an archive and a bill of
// materials; for Linux packages for Debian and RPM, and one container image; and the digests of all.
// Nothing of the machine that it runs on is in them: two runs on one revision, with one version of
// Go, give the same bytes.
//
//	git tag v1.2.3 && go run ./packaging/release -o dist
//
// The version is the tag of the revision: Go stamps it into the program, and everything else is named
// after what the program says.
package main

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

const everywhere = "linux/amd64,linux/arm64,darwin/amd64,darwin/arm64,windows/amd64,windows/arm64"

func main() {
	var r release
	flag.StringVar(&r.source, "C", ".", "root of the repository")
	flag.StringVar(&r.out, "o", "dist", "folder to write; it must not hold anything")
	flag.BoolVar(&r.snapshot, "snapshot", false, "take a revision without a tag, or with changes that are not committed")
	platforms := flag.String("platforms", everywhere, "OS/ARCHITECTURE, several with commas")
	flag.Parse()
	for _, name := range strings.Split(*platforms, ",") {
		os, arch, _ := strings.Cut(name, "/")
		r.platforms = append(r.platforms, platform{os, arch})
	}
	if err := r.make(); err != nil {
		fmt.Fprintf(os.Stderr, "release: %v\n", err)
		os.Exit(1)
	}
}

// A release is one run.
type release struct {
	source, out string
	snapshot    bool
	platforms   []platform

	work   string // a temporary folder
	native built  // for the machine that makes the release
	stamp  stamp
	extra  []file // files packed with the program, on every platform
}

// A file is one of an archive or an image.
type file struct {
	path       string // with slashes, relative
	executable bool
	data       []byte
}

// mode returns the file's permissions.
func (f file) mode() int64 {
	if f.executable {
		return 0o755
	}
	return 0o644
}

func (r *release) make() (err error) {
	if old, _ := os.ReadDir(r.out); len(old) > 0 {
		return fmt.Errorf("%s holds files already", r.out)
	}
	if r.work, err = os.MkdirTemp("", "release-"); err != nil {
		return err
	}
	defer os.RemoveAll(r.work)
	if r.out, err = filepath.Abs(r.out); err != nil {
		return err
	}
	if err := os.MkdirAll(r.out, 0o777); err != nil {
		return err
	}
	if err := r.prepare(); err != nil {
		return err
	}
	var linux []built
	for _, p := range r.platforms {
		b, err := r.build(p)
		if err != nil {
			return err
		}
		if err := errors.Join(r.archive(b), r.bill(b)); err != nil {
			return err
		}
		if p.os == "linux" {
			linux = append(linux, b)
		}
	}
	if len(linux) > 0 {
		if err := errors.Join(r.packages(linux), r.image(linux)); err != nil {
			return err
		}
	}
	return r.sums()
}

// put writes a file of the release.
func (r *release) put(name string, data []byte) error {
	return os.WriteFile(filepath.Join(r.out, name), data, 0o666)
}

package outdir

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"github.com/roceplan/roceplan/cmd/roceplan/whole"
	"github.com/roceplan/roceplan/internal/disk"
	"github.com/roceplan/roceplan/internal/regular"
)

// A Difference is a file of a directory that is not what its manifest lists.
type Difference struct {
	Path string // of the file, below the directory
	What string // "is missing", "was changed"
}

func (d Difference) String() string { return d.Path + " " + d.What }

// Intact compares a directory with its manifest. Nothing is compared where there is no manifest, or
// one without digests. The error is of files that cannot be read.
func Intact(d disk.FS, dir string) (list []Difference, err error) {
	m, err := readManifest(d, dir)
	if err != nil {
		return nil, err
	}
	unfinished, err := whole.Unfinished(d, dir, ManifestName)
	if err != nil {
		return nil, err
	}
	if unfinished != "" {
		list = append(list, Difference{filepath.Base(unfinished), "is of a run that has not ended"})
	}
	for _, name := range slices.Sorted(maps.Keys(m.Digests)) {
		path := filepath.FromSlash(name)
		if !filepath.IsLocal(path) {
			continue // anybody can edit a manifest
		}
		text, err := read(d, dir, path)
		switch {
		case errors.Is(err, fs.ErrNotExist):
			list = append(list, Difference{path, "is missing"})
		case err != nil:
			return nil, err
		case digest(text) != m.Digests[name]:
			list = append(list, Difference{path, "was changed"})
		}
	}
	return list, nil
}

func read(d disk.FS, dir, path string) ([]byte, error) {
	if err := whole.Direct(d, dir, path); err != nil {
		return nil, err
	}
	return disk.Text(d, filepath.Join(dir, path), regular.Most)
}

// Sum says in one line what is different, of many files the first ones.
func Sum(list []Difference) string {
	const most = 3
	var all []string
	for _, d := range list[:min(len(list), most)] {
		all = append(all, d.String())
	}
	if more := len(list) - most; more > 0 {
		all = append(all, fmt.Sprintf("and %d more", more))
	}
	return strings.Join(all, ", ")
}

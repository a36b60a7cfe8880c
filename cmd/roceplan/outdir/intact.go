package outdir

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/roceplan/roceplan/cmd/roceplan/whole"
	"github.com/roceplan/roceplan/internal/disk"
	"github.com/roceplan/roceplan/internal/parallel"
)

// A Difference is a file of a directory that is not what its manifest lists.
type Difference struct {
	Path string // of the file, below the directory
	What string // "is missing", "was changed", "is not listed"
}

func (d Difference) String() string { return d.Path + " " + d.What }

// Intact compares a directory with its manifest. Nothing is compared where there is no manifest, or
// one without digests. At most limit files are read at a time. Of others, files below the directory
// that may be taken for the fabric's, those that the manifest does not list are different too. The
// error is of files that cannot be read.
func Intact(ctx context.Context, d disk.FS, dir string, limit int, others ...string) (list []Difference, err error) {
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
	names := slices.Sorted(maps.Keys(m.Digests))
	found := make([]string, len(names))
	buffers := sync.Pool{New: func() any { return new([64 << 10]byte) }}
	err = parallel.Each(ctx, limit, len(names), func(i int) error {
		path := filepath.FromSlash(names[i])
		if !filepath.IsLocal(path) {
			return nil // anybody can edit a manifest
		}
		sum, err := digestOf(d, dir, path, &buffers)
		switch {
		case errors.Is(err, fs.ErrNotExist):
			found[i] = "is missing"
		case err != nil:
			return err
		case sum != m.Digests[names[i]]:
			found[i] = "was changed"
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	for i, what := range found {
		if what != "" {
			list = append(list, Difference{filepath.FromSlash(names[i]), what})
		}
	}
	return append(list, m.beyond(others)...), nil
}

// beyond returns the files that a manifest with digests does not list.
func (m manifest) beyond(files []string) (list []Difference) {
	for _, name := range files {
		if _, listed := m.Digests[filepath.ToSlash(name)]; !listed && len(m.Digests) > 0 {
			list = append(list, Difference{name, "is not listed"})
		}
	}
	return list
}

// digestOf returns the digest of a file below a directory. It keeps one buffer of the file in memory.
func digestOf(d disk.FS, dir, path string, buffers *sync.Pool) (string, error) {
	if err := whole.Direct(d, dir, path); err != nil {
		return "", err
	}
	f, err := d.Open(filepath.Join(dir, path))
	if err != nil {
		return "", err
	}
	defer f.Close()
	buffer := buffers.Get().(*[64 << 10]byte)
	defer buffers.Put(buffer)
	sum := sha256.New()
	if _, err := io.CopyBuffer(sum, struct{ io.Reader }{f}, buffer[:]); err != nil {
		return "", err
	}
	return hex.EncodeToString(sum.Sum(nil)), nil
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

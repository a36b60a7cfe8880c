// Package outdir keeps a directory of compiled files, one folder for each device, in
// step with a plan: all or nothing.
//
// A tree is first written to a staging folder on the same file system. Only when every byte of it
// is on disk does it replace the old tree, by the one rename of [whole.Stage]. The next run removes
// the remains of a power failure.
//
// A file that already says what it should is not touched. Files that are not ours stay: the
// manifest says which are, and those of devices that the plan no longer has are removed. A file
// that is not ours in the place of one of ours stops the writing, unless it says the same already.
package outdir

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/roceplan/roceplan/cmd/roceplan/whole"
	"github.com/roceplan/roceplan/emit"
	"github.com/roceplan/roceplan/internal/disk"
)

// A Tree is the intended content of a directory.
type Tree struct {
	Fabric string
	Shapes []Shape
	// Links are the cables between the devices, to be kept with the files; in an order that
	// does not change.
	Links []string
	// Force: files that are in the way and not ours are replaced.
	Force bool

	// Disk is the file system to which the tree is written; nil: the system's.
	Disk disk.FS
}

func (t Tree) disk() disk.FS {
	if t.Disk == nil {
		return disk.System{}
	}
	return t.Disk
}

// A Shape is devices whose files differ only by the device's name.
type Shape struct {
	Names []string
	// Render gives the files. It is called once, possibly on another goroutine than
	// other shapes' Render, and what it gives is dropped as soon as it is written:
	// a fabric in which every switch differs need not fit in memory.
	Render func() ([]emit.File, error)
}

// Changes counts files.
type Changes struct {
	Created   int `json:"created"`
	Changed   int `json:"changed"`
	Unchanged int `json:"unchanged"`
	Removed   int `json:"removed"`
}

// Any reports whether the directory differed from the tree.
func (c Changes) Any() bool { return c.Created+c.Changed+c.Removed > 0 }

func (c Changes) String() string {
	return fmt.Sprintf("%d created, %d changed, %d unchanged, %d removed", c.Created, c.Changed, c.Unchanged, c.Removed)
}

func (c *Changes) add(d Changes) {
	c.Created += d.Created
	c.Changed += d.Changed
	c.Unchanged += d.Unchanged
	c.Removed += d.Removed
}

// Foreign is the error of files in the places of ours, with other contents, and that the manifest
// does not list.
type Foreign struct{ Paths []string } // sorted

func (f *Foreign) Error() string {
	more := ""
	if n := len(f.Paths) - 1; n == 1 {
		more = " and another file"
	} else if n > 1 {
		more = fmt.Sprintf(" and %d other files", n)
	}
	return fmt.Sprintf("%s%s would be overwritten, but %s does not list it as written by roceplan; nothing was written: move it away, or replace it with --force", f.Paths[0], more, ManifestName)
}

// checkNames refuses names that would lead out of the directory, and two devices of
// one name.
func (t Tree) checkNames() error {
	seen := make(map[string]bool)
	for _, shape := range t.Shapes {
		for _, name := range shape.Names {
			if !isFolderName(name) {
				return fmt.Errorf("%q cannot be the name of a folder for files", name)
			}
			if seen[name] {
				return fmt.Errorf("two devices have the name %q", name)
			}
			seen[name] = true
		}
	}
	return nil
}

// isFolderName refuses what is not one plain component of a path. Names that begin
// with a dot are refused too: the staging folder and the manifest have such names.
func isFolderName(name string) bool {
	return filepath.IsLocal(name) && filepath.Base(name) == name && name[0] != '.' && !strings.Contains(name, "/")
}

// A rendering is the files of one shape while devices wait for them.
type rendering struct {
	shape Shape
	paths []string // below a device's folder, in the system's spelling; stay when files are dropped

	once  sync.Once
	files []emit.File
	err   error
	left  atomic.Int64 // devices that still need the files
}

func (t Tree) renderings() []*rendering {
	all := make([]*rendering, len(t.Shapes))
	for i, shape := range t.Shapes {
		all[i] = &rendering{shape: shape}
		all[i].left.Store(int64(len(shape.Names)))
	}
	return all
}

func (r *rendering) get() ([]emit.File, error) {
	r.once.Do(func() {
		r.files, r.err = r.shape.Render()
		for _, f := range r.files {
			path := filepath.FromSlash(f.Path)
			if !filepath.IsLocal(path) {
				r.err = fmt.Errorf("%q cannot be the name of an output file", f.Path)
			}
			r.paths = append(r.paths, path)
		}
	})
	return r.files, r.err
}

// release is called once for each device when it needs the files no more.
func (r *rendering) release() {
	if r.left.Add(-1) == 0 {
		r.files = nil
	}
}

// stale lists the files of the old manifest that the tree no longer has and that are
// still there, as paths below the directory, sorted.
func stale(d disk.FS, dir string, old manifest, now []*rendering) ([]string, error) {
	keep := make(map[string]bool)
	for _, r := range now {
		for _, name := range r.shape.Names {
			for _, path := range r.paths {
				keep[filepath.Join(name, path)] = true
			}
		}
	}
	return gone(d, dir, old, keep)
}

// gone lists the files of a manifest that are not to be kept and are there, sorted.
func gone(d disk.FS, dir string, old manifest, keep map[string]bool) (list []string, err error) {
	for path := range old.files() {
		if keep[path] {
			continue
		}
		if err := whole.Direct(d, dir, path); err != nil {
			return nil, err
		}
		switch _, err := d.Lstat(filepath.Join(dir, path)); {
		case err == nil:
			list = append(list, path)
		case !errors.Is(err, fs.ErrNotExist):
			return nil, err
		}
	}
	slices.Sort(list)
	return list, nil
}

// Package outdir keeps a directory of compiled files, one folder for each device, in
// step with a plan: all or nothing.
//
// A tree is first written beside what is there, into a staging folder on the same file
// system; only when every byte of it is on disk is it renamed into place. A rename that
// fails is followed by the undoing of those before it. What a power failure in the
// middle of the renames leaves behind, the next run repairs.
//
// A file that already says what it should is not touched. Files that are not ours stay:
// the manifest says which are, and those of devices that the plan no longer has are
// removed.
package outdir

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"github.com/roceplan/roceplan/emit"
)

// A Tree is what a directory should hold.
type Tree struct {
	Fabric string
	Shapes []Shape
}

// A Shape is devices whose files differ only by the device's name.
type Shape struct {
	Names []string
	Files []emit.File
}

// Changes counts files.
type Changes struct {
	Created   int `json:"created"`
	Changed   int `json:"changed"`
	Unchanged int `json:"unchanged"`
	Removed   int `json:"removed"`
}

// Any tells whether the directory differed from the tree.
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

// A device is one folder: a name and the files that its shape has.
type device struct {
	name  string
	files []emit.File
}

// devices lists all folders in the order of the shapes, and refuses names that would
// lead out of the directory, two devices of one name, and paths that are not local.
func (t Tree) devices() ([]device, error) {
	var all []device
	seen := make(map[string]bool)
	for _, shape := range t.Shapes {
		for _, f := range shape.Files {
			if !filepath.IsLocal(filepath.FromSlash(f.Path)) {
				return nil, fmt.Errorf("%q cannot be the name of an output file", f.Path)
			}
		}
		for _, name := range shape.Names {
			if !isFolderName(name) {
				return nil, fmt.Errorf("%q cannot be the name of a folder, so its files have no place", name)
			}
			if seen[name] {
				return nil, fmt.Errorf("two devices are called %q", name)
			}
			seen[name] = true
			all = append(all, device{name, shape.Files})
		}
	}
	return all, nil
}

// isFolderName refuses what is not one plain component of a path. Names that begin
// with a dot are refused too: the staging folder and the manifest have such names.
func isFolderName(name string) bool {
	return filepath.IsLocal(name) && filepath.Base(name) == name && name[0] != '.' && !slices.Contains([]byte(name), '/')
}

// stale lists the files of the old manifest that the tree no longer has and that are
// still there, as paths below the directory, sorted.
func (t Tree) stale(dir string, old manifest) ([]string, error) {
	keep := make(map[string]bool)
	for _, shape := range t.Shapes {
		for _, name := range shape.Names {
			for _, f := range shape.Files {
				keep[filepath.Join(name, filepath.FromSlash(f.Path))] = true
			}
		}
	}
	var gone []string
	for path := range old.paths() {
		if keep[path] {
			continue
		}
		switch _, err := os.Lstat(filepath.Join(dir, path)); {
		case err == nil:
			gone = append(gone, path)
		case !errors.Is(err, fs.ErrNotExist):
			return nil, err
		}
	}
	slices.Sort(gone)
	return gone, nil
}

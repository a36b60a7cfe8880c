package whole

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"

	"github.com/roceplan/roceplan/internal/disk"
)

// A Stage is a run that changes a folder. Its files are in a staging folder of the same file system
// until Commit: next to the folder where the two can be exchanged, else in it.
type Stage struct {
	// Fresh reports whether the folder is not there yet.
	Fresh bool

	d       disk.FS
	dir     string
	whole   string // dir as an absolute path
	last    string // file that is put after all others
	root    string // the staging folder
	inside  atomic.Bool
	keep    bool // the staging folder has files of the user's that could not be put back
	release func()
}

// Parts of a staging folder.
const (
	tree  = "tree" // the files that are put
	plan  = "plan" // the pending work of Commit: without it the folder is not complete
	attic = "old"  // the replaced and removed files, until all is done
)

// Open begins to change a folder. No other run changes it until Close.
// last is the file that Commit puts into its place after all others, where it cannot exchange
// folders; "" where there is none.
func Open(d disk.FS, dir, last string) (*Stage, error) {
	dir = filepath.Clean(dir)
	if err := disk.MkdirAll(d, filepath.Dir(dir)); err != nil {
		return nil, unwritable(dir, err)
	}
	if err := disk.Direct(d, dir); err != nil {
		return nil, err
	}
	whole, err := filepath.Abs(dir)
	if err != nil {
		return nil, err
	}
	release, held, err := lock(d, dir, whole)
	if err != nil {
		return nil, err
	}
	s := &Stage{d: d, dir: dir, whole: whole, last: last, release: release}
	if held { // else it is not known which runs are alive
		err = s.sweep()
	}
	if err == nil {
		err = unwritable(dir, s.make())
	}
	if err != nil {
		s.Close()
		return nil, err
	}
	return s, nil
}

// Close removes what is left of the staging folder, and lets other runs in.
func (s *Stage) Close() error {
	var err error
	if s.root != "" && !s.keep {
		err = disk.RemoveAll(s.d, s.root)
	}
	s.release()
	return err
}

// make makes the staging folder.
func (s *Stage) make() error {
	info, err := s.d.Lstat(s.dir)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		s.Fresh = true
	case err != nil:
		return err
	case !info.IsDir():
		return fmt.Errorf("%s is a file; the output goes to a directory", s.dir)
	}
	if err := s.makeRoot(); err != nil {
		return err
	}
	return s.mkdirLike("")
}

// makeRoot makes the staging folder next to the folder, or in it where it cannot be exchanged.
func (s *Stage) makeRoot() (err error) {
	if s.Fresh || !s.inUse() && s.d.Movable(s.dir) {
		if s.root, err = s.newRoot(filepath.Dir(s.dir)); s.Fresh || !errors.Is(err, fs.ErrPermission) {
			return err
		}
	}
	s.inside.Store(true)
	s.root, err = s.newRoot(s.dir)
	return err
}

// newRoot makes a folder that is named after its original. It has the permissions that the user's
// umask leaves.
func (s *Stage) newRoot(parent string) (string, error) {
	for try := 0; ; try++ {
		path := filepath.Join(parent, fmt.Sprintf("%s%d-%d", s.prefix(), os.Getpid(), try))
		err := s.d.Mkdir(path)
		switch {
		case err == nil:
			return path, nil
		case !errors.Is(err, fs.ErrExist) || try == 1000:
			return "", err
		}
	}
}

// prefix returns the beginning of the names of all staging folders of a folder.
func (s *Stage) prefix() string { return ".roceplan-" + filepath.Base(s.whole) + "." }

// inUse reports whether the program was started in the folder: a shell there would stay in the
// folder that is taken away.
func (s *Stage) inUse() bool {
	here, err := os.Getwd()
	if err != nil {
		return true
	}
	below, err := filepath.Rel(s.whole, here)
	return err == nil && filepath.IsLocal(below)
}

// free reports whether nothing has a path.
func (s *Stage) free(path string) (bool, error) {
	_, err := s.d.Lstat(path)
	if errors.Is(err, fs.ErrNotExist) {
		return true, nil
	}
	return false, err
}

// at returns a path in the staging folder.
func (s *Stage) at(parts ...string) string {
	return filepath.Join(append([]string{s.root}, parts...)...)
}

// Put stages a file. Several goroutines may call it.
func (s *Stage) Put(f Text) error {
	if !filepath.IsLocal(f.Path) {
		return fmt.Errorf("%q leads out of the folder %s", f.Path, s.dir)
	}
	if err := s.direct(f.Path); err != nil {
		return err
	}
	if err := s.folder(filepath.Dir(f.Path)); err != nil {
		return err
	}
	return disk.Put(s.d, s.at(tree, f.Path), f.Text, cmp.Or(f.Mode, 0o666))
}

// folder makes a staged folder.
func (s *Stage) folder(path string) error {
	if path == "." {
		return nil
	}
	if free, err := s.free(s.at(tree, path)); !free {
		return err
	}
	if err := s.folder(filepath.Dir(path)); err != nil {
		return err
	}
	if err := s.mkdirLike(path); !errors.Is(err, fs.ErrExist) {
		return err
	}
	return nil
}

// mkdirLike makes a staged folder as the one that it is to replace. Where that cannot be, folders
// are not exchanged.
func (s *Stage) mkdirLike(path string) error {
	model := filepath.Join(s.dir, path)
	free, err := s.free(model)
	if err != nil {
		return err
	}
	if s.inside.Load() || free {
		return s.d.Mkdir(s.at(tree, path))
	}
	err = s.d.MkdirLike(s.at(tree, path), model)
	if errors.Is(err, errors.ErrUnsupported) {
		s.inside.Store(true)
		return nil
	}
	return err
}

func (s *Stage) direct(path string) error { return Direct(s.d, s.dir, path) }

// Direct refuses a file below a folder if a folder on the way to it is a symbolic link: through
// one, a file in another place would be written or removed.
func Direct(d disk.FS, dir, path string) error {
	for folder := filepath.Dir(path); folder != "."; folder = filepath.Dir(folder) {
		whole := filepath.Join(dir, folder)
		if info, err := d.Lstat(whole); err == nil && info.Mode()&fs.ModeSymlink != 0 {
			return fmt.Errorf("%s is a symbolic link; put a folder in its place", whole)
		}
	}
	return nil
}

// staged lists the files that were put, the last one last.
func (s *Stage) staged() (paths []string, err error) {
	if paths, err = s.below(tree, ""); err != nil {
		return nil, err
	}
	slices.Sort(paths)
	if i := slices.Index(paths, s.last); i >= 0 {
		paths = append(slices.Delete(paths, i, i+1), s.last)
	}
	return paths, nil
}

// below lists the files below a folder of the staging folder.
func (s *Stage) below(part, folder string) (paths []string, err error) {
	entries, err := s.d.ReadDir(s.at(part, folder))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	for _, e := range entries {
		path := filepath.Join(folder, e.Name())
		if !e.IsDir() {
			paths = append(paths, path)
			continue
		}
		more, failed := s.below(part, path)
		paths, err = append(paths, more...), errors.Join(err, failed)
	}
	return paths, err
}

// unwritable says of the folder, rather than of a staging folder that the user did not name, that the
// system does not let it be written.
func unwritable(dir string, err error) error {
	var refused *fs.PathError
	if errors.As(err, &refused) && !errors.Is(err, disk.ErrLink) && !errors.Is(err, disk.ErrNotRegular) {
		return fmt.Errorf("the directory %s cannot be written: %w", dir, refused.Err)
	}
	return err
}

// ordinary reports whether a path can be one that was put: nothing else is moved by what a staging
// folder says, which may come from anywhere.
func (s *Stage) ordinary(path string) bool {
	if !filepath.IsLocal(path) {
		return false
	}
	return path == s.last || !strings.HasPrefix(path, ".") && !strings.Contains(path, string(filepath.Separator)+".")
}

package whole

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"path/filepath"
	"slices"

	"github.com/roceplan/roceplan/internal/disk"
)

// A change is the pending work of Commit, in the file plan of the staging folder.
type change struct {
	Exchange bool     `json:"exchange"` // the folders; else file by file
	Put      []string `json:"put"`
	Gone     []string `json:"gone"`
}

// Commit puts all files into their places, and removes those of gone, which are below the folder.
// folders are the ones below it that are known: where there are others, or the file system cannot
// exchange two folders, files are renamed one after another, and a reader in between finds some of
// before and some of after. When Commit returns an error, the folder is as it was, or all of it is
// done and its names may be lost by a power failure.
func (s *Stage) Commit(gone []string, folders map[string]bool) error {
	if s.Fresh {
		return s.appear()
	}
	put, err := s.staged()
	if err != nil || len(put)+len(gone) == 0 {
		return err
	}
	c := change{Exchange: true, Put: put, Gone: gone}
	steps := len(put)+len(gone) > 1
	if !steps && len(put) == 1 { // a rename alone, unless its folder has to be made too
		if steps, err = s.free(filepath.Join(s.dir, filepath.Dir(put[0]))); err != nil {
			return err
		}
	}
	if steps && !s.inside.Load() {
		if err := s.exchange(c, folders); !errors.Is(err, errors.ErrUnsupported) {
			return err
		}
	}
	c.Exchange = false
	if err := s.seal(c); err != nil {
		return err
	}
	return s.replace(c)
}

// appear puts the folder where there was none.
func (s *Stage) appear() error {
	if err := s.d.SyncTree(s.at(tree)); err != nil {
		return err
	}
	if err := s.d.Rename(s.at(tree), s.dir); err != nil {
		return err
	}
	return s.d.Sync(filepath.Dir(s.dir))
}

// seal writes what is about to be done, and returns when no power failure can take it away. All
// files that it names are synced before.
func (s *Stage) seal(c change) error {
	text, err := json.Marshal(c)
	if err != nil {
		panic(err) // strings and a bool always encode
	}
	if err := s.d.SyncTree(s.root); err != nil {
		return err
	}
	if err := disk.RemoveAll(s.d, s.at(plan)); err != nil {
		return err
	}
	if err := disk.PutSynced(s.d, s.at(plan), text); err != nil {
		return err
	}
	if err := s.d.Sync(s.root); err != nil {
		return err
	}
	return s.d.Sync(filepath.Dir(s.root))
}

// exchange completes what is staged with the files that stay, and swaps it with the folder.
func (s *Stage) exchange(c change, folders map[string]bool) error {
	gone := map[string]bool{}
	for _, path := range c.Gone {
		gone[path] = true
	}
	if err := s.mirror("", gone, folders); err != nil {
		return err
	}
	if err := s.seal(c); err != nil {
		return err
	}
	if err := s.d.Exchange(s.at(tree), s.dir); err != nil {
		return err
	}
	err := errors.Join(s.d.Sync(filepath.Dir(s.dir)), s.d.Sync(s.root))
	if s.reclaim(c) != nil {
		s.keep = true // the next run tries again
	}
	return err
}

// mirror gives the files of a folder that are neither put nor gone a name among what is staged.
func (s *Stage) mirror(folder string, gone, folders map[string]bool) error {
	entries, err := s.d.ReadDir(filepath.Join(s.dir, folder))
	if err != nil {
		return err
	}
	for _, e := range entries {
		path := filepath.Join(folder, e.Name())
		switch {
		case e.IsDir() && folders[path]:
			err = s.mirror(path, gone, folders)
		case e.IsDir():
			err = &fs.PathError{Op: "link", Path: path, Err: errors.ErrUnsupported}
		case !gone[path]:
			err = s.link(path)
		}
		if err == nil && s.inside.Load() {
			err = errors.ErrUnsupported // a folder that could not be made as the other is
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// link gives a file a name among what is staged, unless another file takes its place.
func (s *Stage) link(path string) error {
	if free, err := s.free(s.at(tree, path)); !free {
		return err
	}
	if err := s.folder(filepath.Dir(path)); err != nil {
		return err
	}
	return s.d.Link(filepath.Join(s.dir, path), s.at(tree, path))
}

// reclaim removes what is staged, which is the folder as it was before or as it was to become. A
// file that was made or changed during the run is moved into the folder.
func (s *Stage) reclaim(c change) error {
	left, err := s.below(tree, "")
	if err != nil {
		return err
	}
	known := map[string]bool{}
	for _, path := range slices.Concat(c.Put, c.Gone) {
		known[path] = true
	}
	for _, path := range left {
		if !known[path] {
			if err := s.rescue(path); err != nil {
				return err
			}
		}
	}
	return disk.RemoveAll(s.d, s.at(tree))
}

// rescue moves a file into the folder, unless that has it, or a newer one.
func (s *Stage) rescue(path string) error {
	old, err := s.d.Lstat(s.at(tree, path))
	if err != nil {
		return err
	}
	place := filepath.Join(s.dir, path)
	now, err := s.d.Lstat(place)
	switch {
	case err == nil && (s.d.SameFile(now, old) || !old.ModTime().After(now.ModTime())):
		return nil
	case err != nil && !errors.Is(err, fs.ErrNotExist):
		return err
	case !s.ordinary(path) || s.direct(path) != nil:
		return fmt.Errorf("%s is not roceplan's, and has no place in %s; move it away", s.at(tree, path), s.dir)
	}
	if err := disk.MkdirAll(s.d, filepath.Dir(place)); err != nil {
		return err
	}
	return s.d.Rename(s.at(tree, path), place)
}

// replace renames file by file. When one step fails, those before it are undone.
func (s *Stage) replace(c change) error {
	m := moves{Stage: s, touched: map[string]bool{}}
	err := m.all(c)
	if err == nil {
		return m.sync()
	}
	if undo := m.undo(); undo != nil {
		s.keep = true
		if kept := s.root + ".kept"; s.d.Rename(s.root, kept) == nil { // the next run is not to take it for its own
			s.root = kept
		}
		return fmt.Errorf("%w; and what was there could not be put back, it is in %s: %w", err, s.at(attic), undo)
	}
	return err
}

// moves remembers how to undo what was done.
type moves struct {
	*Stage
	back    []func() error
	touched map[string]bool // folders with other names than before
}

func (m *moves) all(c change) error {
	if err := m.d.Mkdir(m.at(attic)); err != nil && !errors.Is(err, fs.ErrExist) {
		return err
	}
	for _, path := range c.Put {
		if path != m.last {
			if err := m.put(path); err != nil {
				return err
			}
		}
	}
	for _, path := range c.Gone {
		if err := m.retire(path); err != nil {
			return err
		}
	}
	if slices.Contains(c.Put, m.last) {
		return m.put(m.last)
	}
	return nil
}

// put renames a staged file into its place; a run before may have done that.
func (m *moves) put(path string) error {
	if free, err := m.free(m.at(tree, path)); free || err != nil {
		return err
	}
	place, kept := filepath.Join(m.dir, path), m.at(attic, path)
	if err := m.folder(filepath.Dir(path)); err != nil {
		return err
	}
	m.touched[filepath.Dir(place)] = true
	free, err := m.free(place)
	if err != nil {
		return err
	}
	if free {
		m.back = append(m.back, func() error { return absent(m.d.Remove(place)) })
	} else if err := m.save(place, kept); err != nil {
		return err
	}
	return m.d.Rename(m.at(tree, path), place)
}

// save keeps the file of a place for undo, where it can without a moment in which the place is empty.
func (m *moves) save(place, kept string) error {
	if err := disk.MkdirAll(m.d, filepath.Dir(kept)); err != nil {
		return err
	}
	if err := disk.RemoveAll(m.d, kept); err != nil {
		return err
	}
	m.restore(kept, place)
	err := m.d.Link(place, kept)
	if errors.Is(err, errors.ErrUnsupported) {
		err = m.d.Rename(place, kept)
	}
	return err
}

// restore has undo put a kept file back. A call that fails may have done its work, so what is to be
// undone is noted before it.
func (m *moves) restore(kept, place string) {
	m.back = append(m.back, func() error {
		if free, err := m.free(kept); free || err != nil {
			return err
		}
		if err := disk.MkdirAll(m.d, filepath.Dir(place)); err != nil {
			return err
		}
		return m.d.Rename(kept, place)
	})
}

// absent forgives that there is nothing to remove.
func absent(err error) error {
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}

// folder makes a folder below the one that is changed.
func (m *moves) folder(path string) error {
	whole := filepath.Join(m.dir, path)
	if path == "." {
		return nil
	}
	if free, err := m.free(whole); !free {
		return err
	}
	if err := m.folder(filepath.Dir(path)); err != nil {
		return err
	}
	m.touched[filepath.Dir(whole)] = true
	m.back = append(m.back, func() error { return absent(m.d.Remove(whole)) })
	return m.d.Mkdir(whole)
}

// retire moves a file to the attic, and its folder goes with its last file; one that holds
// anything else stays.
func (m *moves) retire(path string) error {
	place, kept := filepath.Join(m.dir, path), m.at(attic, path)
	if free, err := m.free(place); free || err != nil {
		return err
	}
	if err := disk.MkdirAll(m.d, filepath.Dir(kept)); err != nil {
		return err
	}
	m.touched[filepath.Dir(place)] = true
	m.restore(kept, place)
	if err := m.d.Rename(place, kept); err != nil {
		return err
	}
	if folder := filepath.Dir(place); folder != m.dir && m.d.Remove(folder) == nil {
		delete(m.touched, folder)
		m.touched[filepath.Dir(folder)] = true
	}
	return nil
}

func (m *moves) undo() error {
	var failed []error
	for _, back := range slices.Backward(m.back) {
		failed = append(failed, back())
	}
	return errors.Join(failed...)
}

// sync returns when no power failure can undo the renames. A folder that went with its last file has
// nothing to sync.
func (m *moves) sync() error {
	for _, folder := range slices.Sorted(maps.Keys(m.touched)) {
		if err := absent(m.d.Sync(folder)); err != nil {
			return err
		}
	}
	return nil
}

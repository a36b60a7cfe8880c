package outdir

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// attic is the folder in the staging folder that takes what is replaced and removed,
// until all is done. It is made when all is staged: a staging folder that has one is
// complete.
const attic = ".old"

// commit renames what was staged into place, takes away what is gone and sets the
// manifest last. When one step fails, those before it are undone.
func (s *staging) commit(gone []string) error {
	if err := os.Mkdir(filepath.Join(s.stage, attic), 0o777); err != nil {
		return err
	}
	m := moves{rename: s.rename}
	err := s.move(&m, gone)
	if err == nil {
		return nil
	}
	if undo := m.undo(); undo != nil {
		s.keep = true
		os.Remove(filepath.Join(s.stage, marker)) // the next run is not to take it for its own
		return fmt.Errorf("%w; and what was there could not be put back, it lies in %s: %w", err, filepath.Join(s.stage, attic), undo)
	}
	return err
}

func (s *staging) move(m *moves, gone []string) error {
	for _, r := range s.all {
		for _, name := range r.shape.Names {
			if err := s.moveDevice(m, name, r.paths); err != nil {
				return err
			}
		}
	}
	for _, path := range gone {
		if err := s.retire(m, path); err != nil {
			return err
		}
		// The folder goes with its last file; a folder that holds anything else stays.
		if folder := filepath.Join(s.dir, filepath.Dir(path)); os.Remove(folder) == nil {
			m.removed = append(m.removed, folder)
		}
	}
	return s.replace(m, ManifestName)
}

// moveDevice moves a whole folder where there was none, else file by file.
func (s *staging) moveDevice(m *moves, name string, paths []string) error {
	staged := filepath.Join(s.stage, name)
	if _, err := os.Lstat(staged); errors.Is(err, fs.ErrNotExist) {
		return nil // nothing of this device changed
	}
	if _, err := os.Lstat(filepath.Join(s.dir, name)); errors.Is(err, fs.ErrNotExist) {
		return m.move(staged, filepath.Join(s.dir, name))
	}
	for _, path := range paths {
		if err := s.replace(m, filepath.Join(name, path)); err != nil {
			return err
		}
	}
	return nil
}

// replace puts a staged file, if there is one, into its place.
func (s *staging) replace(m *moves, path string) error {
	staged := filepath.Join(s.stage, path)
	if _, err := os.Lstat(staged); errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err := s.retire(m, path); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return m.move(staged, filepath.Join(s.dir, path))
}

// retire moves a file of the directory to the attic.
func (s *staging) retire(m *moves, path string) error {
	kept := filepath.Join(s.stage, attic, path)
	if err := os.MkdirAll(filepath.Dir(kept), 0o777); err != nil {
		return err
	}
	return m.move(filepath.Join(s.dir, path), kept)
}

// moves remembers what was renamed, to undo it.
type moves struct {
	rename  func(from, to string) error
	done    [][2]string // from, to
	removed []string    // empty folders that are gone
}

func (m *moves) move(from, to string) error {
	rename := m.rename
	if rename == nil {
		rename = os.Rename
	}
	if err := rename(from, to); err != nil {
		return err
	}
	m.done = append(m.done, [2]string{from, to})
	return nil
}

func (m *moves) undo() error {
	var failed []error
	for _, folder := range m.removed {
		failed = append(failed, os.MkdirAll(folder, 0o777))
	}
	for i := len(m.done) - 1; i >= 0; i-- {
		failed = append(failed, os.Rename(m.done[i][1], m.done[i][0]))
	}
	return errors.Join(failed...)
}

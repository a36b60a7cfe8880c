package outdir

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// marker is the file in a staging folder that says for which directory it is. It is there
// from the folder's first moment on.
const marker = ".staging-of"

func mark(stage, dir string) error {
	whole, err := filepath.Abs(dir)
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(stage, marker), []byte(whole), 0o666)
}

// sweep ends what killed runs began. It may only be called while the lock of dir is held:
// then nobody is alive who stages for dir, and a folder whose marker names dir is dead. One
// without a marker is not known to be ours, and stays. Where the run was killed between its
// renames, the rest of them are made; else what it staged is removed.
func sweep(parent, dir string) error {
	whole, err := filepath.Abs(dir)
	if err != nil {
		return err
	}
	if marks(dir, whole) { // killed between the renaming of the whole and this
		if err := os.Remove(filepath.Join(dir, marker)); err != nil {
			return err
		}
	}
	found, err := filepath.Glob(filepath.Join(parent, ".roceplan-[0-9]*-[0-9]*"))
	if err != nil {
		return nil // a name that is not a pattern; what is left there stays
	}
	for _, stage := range found {
		if info, err := os.Lstat(stage); err != nil || !info.IsDir() || !marks(stage, whole) {
			continue
		}
		if _, err := os.Lstat(filepath.Join(stage, attic)); err == nil {
			s := staging{dir: dir, stage: stage}
			if err := s.resume(); err != nil {
				return fmt.Errorf("a run that was killed left %s, and its work cannot be ended: %w", stage, err)
			}
		}
		if err := os.RemoveAll(stage); err != nil {
			return err
		}
	}
	return nil
}

func marks(stage, dir string) bool {
	path := filepath.Join(stage, marker)
	if info, err := os.Lstat(path); err != nil || !info.Mode().IsRegular() || info.Size() != int64(len(dir)) {
		return false
	}
	text, err := os.ReadFile(path)
	return err == nil && string(text) == dir
}

// resume makes the renames that are left of a staging that is complete, the manifest last.
func (s *staging) resume() error {
	var m moves
	staged, err := s.staged()
	if err != nil {
		return err
	}
	for _, path := range staged {
		if err := throughLink(s.dir, path); err != nil {
			return err
		}
		if err := os.MkdirAll(filepath.Dir(filepath.Join(s.dir, path)), 0o777); err != nil {
			return err
		}
		if err := s.replace(&m, path); err != nil {
			return err
		}
	}
	if _, err := os.Lstat(filepath.Join(s.stage, ManifestName)); errors.Is(err, fs.ErrNotExist) {
		return nil // the files that are listed are the same as before
	}
	gone, err := s.unlisted()
	if err != nil {
		return err
	}
	for _, path := range gone {
		if err := s.retire(&m, path); err != nil {
			return err
		}
		os.Remove(filepath.Join(s.dir, filepath.Dir(path))) // if that was its last file
	}
	return s.replace(&m, ManifestName)
}

// staged lists the files of devices that wait for their renaming.
func (s *staging) staged() (paths []string, err error) {
	err = filepath.WalkDir(s.stage, func(path string, d fs.DirEntry, err error) error {
		below, _ := filepath.Rel(s.stage, path)
		switch {
		case err != nil:
			return err
		case below == attic:
			return filepath.SkipDir
		case !d.IsDir() && below != marker && below != ManifestName:
			paths = append(paths, below)
		}
		return nil
	})
	return paths, err
}

// unlisted are the files that the staged manifest lists no more.
func (s *staging) unlisted() ([]string, error) {
	next, err := readManifest(s.stage)
	if err != nil {
		return nil, err
	}
	old, err := readManifest(s.dir)
	if err != nil {
		return nil, err
	}
	keep := map[string]bool{}
	for path := range next.files() {
		keep[path] = true
	}
	return gone(s.dir, old, keep)
}

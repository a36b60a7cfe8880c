package outdir

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
)

// marker is the file in a staging folder that says for which directory it is. It is there
// from the folder's first moment until what was staged is in place.
const marker = ".staging-of"

func mark(stage, dir string) error {
	whole, err := filepath.Abs(dir)
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(stage, marker), []byte(whole), 0o666)
}

// sweep removes staging folders that killed runs left behind. It may only be called while
// the lock of dir is held: then nobody is alive who stages for dir, and a folder whose
// marker names dir is dead. One without a marker is not known to be ours, and one with an
// attic may hold the only copy of a file: both stay.
func sweep(parent, dir string) error {
	whole, err := filepath.Abs(dir)
	if err != nil {
		return err
	}
	found, err := filepath.Glob(filepath.Join(parent, ".roceplan-[0-9]*-[0-9]*"))
	if err != nil {
		return nil // a name that is no pattern; what is left there stays
	}
	for _, stage := range found {
		info, err := os.Lstat(stage)
		if err != nil || !info.IsDir() || !marks(stage, whole) {
			continue
		}
		if _, err := os.Lstat(filepath.Join(stage, attic)); !errors.Is(err, fs.ErrNotExist) {
			continue
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

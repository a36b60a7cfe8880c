package outdir

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"
)

// workers is how many folders are written at once. Two keep one in the kernel's copy
// while the other renders; more gain nothing, since the file system's journal is one.
const workers = 2

// Write makes dir say what the tree says and tells what it had to change. When it
// returns an error, dir is as it was. Progress, if not nil, is called after each
// device, from several goroutines.
func (t Tree) Write(ctx context.Context, dir string, progress func()) (Changes, error) {
	devices, err := t.devices()
	if err != nil {
		return Changes{}, err
	}
	old, err := readManifest(dir)
	if err != nil {
		return Changes{}, err
	}
	stage, fresh, err := newStage(dir)
	if err != nil {
		return Changes{}, err
	}
	s := staging{dir: dir, stage: stage, fresh: fresh, progress: progress}
	err = s.run(ctx, t, devices, old)
	if !s.keep {
		err = errors.Join(err, os.RemoveAll(stage))
	}
	if err != nil {
		return Changes{}, err
	}
	return s.changes, nil
}

// newStage makes the staging folder: inside dir where that exists, so that both are on
// one file system whatever is mounted there, else beside it.
func newStage(dir string) (stage string, fresh bool, err error) {
	info, err := os.Stat(dir)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		parent := filepath.Dir(filepath.Clean(dir))
		if err := os.MkdirAll(parent, 0o777); err != nil {
			return "", false, err
		}
		stage, err = mkdirTemp(parent)
		return stage, true, err
	case err != nil:
		return "", false, err
	case !info.IsDir():
		return "", false, fmt.Errorf("%s is a file; the output goes to a directory", dir)
	}
	stage, err = mkdirTemp(dir)
	return stage, false, err
}

// mkdirTemp is os.MkdirTemp with the permissions that the user's umask leaves, since
// the folder may become the output directory itself.
func mkdirTemp(parent string) (string, error) {
	for try := 0; ; try++ {
		path := filepath.Join(parent, fmt.Sprintf(".roceplan-%d-%d", os.Getpid(), try))
		err := os.Mkdir(path, 0o777)
		if err == nil || !errors.Is(err, fs.ErrExist) || try == 1000 {
			return path, err
		}
	}
}

// A staging is one run of Write.
type staging struct {
	dir, stage string
	fresh      bool // dir is not there yet
	progress   func()

	changes Changes
	keep    bool // the staging folder holds files of the user that could not be put back
}

func (s *staging) run(ctx context.Context, t Tree, devices []device, old manifest) error {
	if err := s.fill(ctx, devices); err != nil {
		return err
	}
	// An equal manifest is left alone, like any other file.
	if text := t.manifest().encode(); !bytes.Equal(text, old.text) {
		if err := os.WriteFile(filepath.Join(s.stage, ManifestName), text, 0o666); err != nil {
			return err
		}
	}
	if s.fresh {
		return os.Rename(s.stage, s.dir)
	}
	gone, err := t.stale(s.dir, old)
	if err != nil {
		return err
	}
	s.changes.Removed = len(gone)
	return s.commit(devices, gone)
}

// fill writes into the staging folder all files that dir does not have yet or has
// otherwise. It stops at the first error and when ctx is done.
func (s *staging) fill(ctx context.Context, devices []device) error {
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	var next atomic.Int64
	var group sync.WaitGroup
	var lock sync.Mutex // of s.changes
	for range workers {
		group.Go(func() {
			w := writer{staging: s}
			for ctx.Err() == nil {
				i := int(next.Add(1)) - 1
				if i >= len(devices) {
					break
				}
				if err := w.device(devices[i]); err != nil {
					stop(err)
				}
				if s.progress != nil {
					s.progress()
				}
			}
			lock.Lock()
			defer lock.Unlock()
			s.changes.add(w.changes)
		})
	}
	group.Wait()
	return context.Cause(ctx)
}

// A writer is one worker of fill. Its buffers serve all files that it writes.
type writer struct {
	*staging
	changes    Changes
	text, have []byte
}

func (w *writer) device(d device) error {
	made := ""
	for _, f := range d.files {
		w.text = f.Body.AppendFor(w.text[:0], d.name)
		path := filepath.Join(d.name, filepath.FromSlash(f.Path))
		same, exists, err := w.compare(path)
		if err != nil {
			return err
		}
		switch {
		case same:
			w.changes.Unchanged++
			continue
		case exists:
			w.changes.Changed++
		default:
			w.changes.Created++
		}
		target := filepath.Join(w.stage, path)
		if folder := filepath.Dir(target); folder != made {
			if err := os.MkdirAll(folder, 0o777); err != nil {
				return err
			}
			made = folder
		}
		if err := os.WriteFile(target, w.text, 0o666); err != nil {
			return err
		}
	}
	return nil
}

// compare tells whether the file of dir holds w.text already.
func (w *writer) compare(path string) (same, exists bool, err error) {
	if w.fresh {
		return false, false, nil
	}
	f, err := os.Open(filepath.Join(w.dir, path))
	if errors.Is(err, fs.ErrNotExist) {
		return false, false, nil
	}
	if err != nil {
		return false, false, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return false, false, err
	}
	if info.IsDir() {
		return false, false, fmt.Errorf("%s is a directory; a file of that name has to be written", f.Name())
	}
	if info.Size() != int64(len(w.text)) {
		return false, true, nil
	}
	w.have = append(w.have[:0], make([]byte, len(w.text))...)
	if _, err := io.ReadFull(f, w.have); err != nil {
		return false, true, err
	}
	return bytes.Equal(w.have, w.text), true, nil
}

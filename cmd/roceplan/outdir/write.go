package outdir

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/roceplan/roceplan/emit"
)

// workers is how many folders are written at once. Two keep one in the kernel's copy
// while the other renders; more gain nothing, since the file system's journal is one.
const workers = 2

// Write makes dir say what the tree says and says what it had to change. When it
// returns an error, dir is as it was. Progress, if not nil, is called after each
// device, from several goroutines.
func (t Tree) Write(ctx context.Context, dir string, progress func()) (Changes, error) {
	if err := t.checkNames(); err != nil {
		return Changes{}, err
	}
	if err := os.MkdirAll(filepath.Dir(filepath.Clean(dir)), 0o777); err != nil {
		return Changes{}, unwritable(dir, err)
	}
	release, held, err := lock(dir)
	if err != nil {
		return Changes{}, err
	}
	defer release()
	if held { // else nobody knows who is alive
		for _, parent := range []string{dir, filepath.Dir(filepath.Clean(dir))} {
			if err := sweep(parent, dir); err != nil {
				return Changes{}, err
			}
		}
	}
	stage, fresh, err := newStage(dir)
	if err != nil {
		return Changes{}, unwritable(dir, err)
	}
	if err := mark(stage, dir); err != nil {
		return Changes{}, errors.Join(unwritable(dir, err), os.RemoveAll(stage))
	}
	s := staging{dir: dir, stage: stage, fresh: fresh, force: t.Force, progress: progress, all: t.renderings(), rename: t.rename}
	err = s.run(ctx, t)
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

// unwritable says of the directory, rather than of a staging folder that nobody asked
// for, that the system does not let it be written.
func unwritable(dir string, err error) error {
	var refused *fs.PathError
	if errors.As(err, &refused) {
		return fmt.Errorf("the directory %s cannot be written: %w", dir, refused.Err)
	}
	return err
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
	force      bool // foreign files are replaced
	progress   func()
	all        []*rendering
	ours       map[string]bool // files of the manifest that was there
	rename     func(from, to string) error

	changes Changes
	foreign []string
	keep    bool // the staging folder holds files of the user that could not be put back
}

func (s *staging) run(ctx context.Context, t Tree) error {
	old, err := readManifest(s.dir)
	if err != nil {
		return err
	}
	s.ours = maps.Collect(func(yield func(string, bool) bool) {
		old.files()(func(path string) bool { return yield(path, true) })
	})
	if err := s.fill(ctx); err != nil {
		return err
	}
	if s.foreign != nil {
		slices.Sort(s.foreign)
		return &Foreign{s.foreign}
	}
	// An equal manifest is left alone, like any other file.
	if text := t.manifest(s.all).encode(); !bytes.Equal(text, old.text) {
		if err := os.WriteFile(filepath.Join(s.stage, ManifestName), text, 0o666); err != nil {
			return err
		}
	}
	if s.fresh {
		if err := (&moves{rename: s.rename}).move(s.stage, s.dir); err != nil {
			return err
		}
		return os.Remove(filepath.Join(s.dir, marker))
	}
	gone, err := stale(s.dir, old, s.all)
	if err != nil {
		return err
	}
	s.changes.Removed = len(gone)
	return s.commit(gone)
}

// A job is some devices of one shape.
type job struct {
	*rendering
	names []string
}

// jobs cuts the shapes into pieces that keep all workers busy.
func jobs(all []*rendering) []job {
	const most = 64
	var list []job
	for _, r := range all {
		for names := range slices.Chunk(r.shape.Names, most) {
			list = append(list, job{r, names})
		}
	}
	return list
}

// fill writes into the staging folder all files that dir does not have yet or has
// otherwise. A shape that cannot be rendered does not stop the rendering of others, so
// that all their faults are told; it stops the writing. Any other error, and the end
// of ctx, stops both.
func (s *staging) fill(ctx context.Context) error {
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	var (
		list       = jobs(s.all)
		next       atomic.Int64
		unrendered atomic.Bool
		group      sync.WaitGroup
		lock       sync.Mutex // of s.changes and s.foreign
	)
	for range workers {
		group.Go(func() {
			w := writer{staging: s}
			for ctx.Err() == nil {
				i := int(next.Add(1)) - 1
				if i >= len(list) {
					break
				}
				if _, err := list[i].get(); err != nil {
					unrendered.Store(true)
				}
				if unrendered.Load() {
					continue
				}
				if err := w.job(list[i]); err != nil {
					stop(err)
				}
			}
			lock.Lock()
			defer lock.Unlock()
			s.changes.add(w.changes)
			s.foreign = append(s.foreign, w.foreign...)
		})
	}
	group.Wait()
	if err := context.Cause(ctx); err != nil {
		return err
	}
	for _, r := range s.all {
		if r.err != nil {
			return r.err
		}
	}
	return nil
}

// A writer is one worker of fill. Its buffers serve all files that it writes.
type writer struct {
	*staging
	changes    Changes
	foreign    []string // files in the way that are not ours
	text, have []byte
}

func (w *writer) job(j job) error {
	for _, name := range j.names {
		if err := w.device(name, j.files); err != nil {
			return err
		}
		j.release()
		if w.progress != nil {
			w.progress()
		}
	}
	return nil
}

func (w *writer) device(name string, files []emit.File) error {
	made := ""
	for _, f := range files {
		w.text = f.Body.AppendFor(w.text[:0], name)
		path := filepath.Join(name, filepath.FromSlash(f.Path))
		if err := throughLink(w.dir, path); err != nil {
			return err
		}
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
			if !w.force && !w.ours[path] {
				w.foreign = append(w.foreign, filepath.Join(w.dir, path))
			}
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

// compare reports whether the file of dir holds w.text already.
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
		return false, false, fmt.Errorf("%s is a directory; a file of that name must be written", f.Name())
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

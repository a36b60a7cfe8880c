package outdir

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"path/filepath"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/roceplan/roceplan/cmd/roceplan/whole"
	"github.com/roceplan/roceplan/emit"
	"github.com/roceplan/roceplan/internal/disk"
)

// workers is the number of folders that are written at once. Two keep one in the kernel's copy
// while the other renders; more gain nothing, since the file system's journal is one.
const workers = 2

// Write makes dir say what the tree says and says what it had to change. When it
// returns an error, dir is as it was. Progress, if not nil, is called after each
// device, from several goroutines.
func (t Tree) Write(ctx context.Context, dir string, progress func()) (c Changes, err error) {
	if err := t.checkNames(); err != nil {
		return Changes{}, err
	}
	stage, err := whole.Open(t.disk(), dir, ManifestName)
	if err != nil {
		return Changes{}, err
	}
	defer func() { err = errors.Join(err, stage.Close()) }()
	s := staging{Stage: stage, d: t.disk(), dir: dir, force: t.Force, progress: progress, all: t.renderings(), digests: map[string]string{}}
	if err := s.run(ctx, t); err != nil {
		return Changes{}, err
	}
	return s.changes, nil
}

// A staging is one run of Write.
type staging struct {
	*whole.Stage
	d        disk.FS
	dir      string
	force    bool // foreign files are replaced
	progress func()
	all      []*rendering
	ours     map[string]bool // files of the manifest that was there

	changes Changes
	foreign []string
	digests map[string]string
}

func (s *staging) run(ctx context.Context, t Tree) error {
	old, err := readManifest(s.d, s.dir)
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
	if text := t.manifest(s.all, s.digests).encode(); !bytes.Equal(text, old.text) {
		if err := s.Put(whole.Text{Path: ManifestName, Text: text}); err != nil {
			return err
		}
	}
	gone, err := stale(s.d, s.dir, old, s.all)
	if err != nil {
		return err
	}
	s.changes.Removed = len(gone)
	return s.Commit(gone, s.folders(old))
}

// folders returns the folders with files of ours, before or after.
func (s *staging) folders(old manifest) map[string]bool {
	known := map[string]bool{}
	for path := range old.files() {
		for folder := filepath.Dir(path); folder != "." && !known[folder]; folder = filepath.Dir(folder) {
			known[folder] = true
		}
	}
	for _, r := range s.all {
		for _, name := range r.shape.Names {
			for _, path := range r.paths {
				for folder := filepath.Dir(filepath.Join(name, path)); folder != "." && !known[folder]; folder = filepath.Dir(folder) {
					known[folder] = true
				}
			}
		}
	}
	return known
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

// fill writes into the staging folder all files that dir does not have yet or has otherwise. A
// shape that cannot be rendered does not stop the rendering of others, so that all faults are
// reported; it stops the writing. Any other error, and the end of ctx, stops both.
func (s *staging) fill(ctx context.Context) error {
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	var (
		list       = jobs(s.all)
		next       atomic.Int64
		unrendered atomic.Bool
		group      sync.WaitGroup
		lock       sync.Mutex // of s.changes, s.foreign and s.digests
	)
	for range workers {
		group.Go(func() {
			w := writer{staging: s, digests: map[string]string{}}
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
			maps.Copy(s.digests, w.digests)
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
	digests    map[string]string
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
	for _, f := range files {
		w.text = f.Body.AppendFor(w.text[:0], name)
		path := filepath.Join(name, filepath.FromSlash(f.Path))
		w.digests[filepath.ToSlash(path)] = digest(w.text)
		same, exists, err := w.compare(path)
		switch {
		case err != nil:
			return err
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
		if err := w.Put(whole.Text{Path: path, Text: w.text}); err != nil {
			return err
		}
	}
	return nil
}

// compare reports whether the file of dir holds w.text already.
func (w *writer) compare(path string) (same, exists bool, err error) {
	if w.Stage != nil && w.Fresh {
		return false, false, nil
	}
	if err := whole.Direct(w.d, w.dir, path); err != nil {
		return false, false, err
	}
	path = filepath.Join(w.dir, path)
	info, err := w.d.Lstat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return false, false, nil
	case err != nil:
		return false, false, err
	case info.IsDir():
		return false, false, fmt.Errorf("%s is a directory; a file of that name must be written", path)
	case !info.Mode().IsRegular() || info.Size() != int64(len(w.text)):
		return false, true, nil
	}
	f, err := w.d.Open(path)
	if err != nil {
		return false, true, err
	}
	defer f.Close()
	w.have = append(w.have[:0], make([]byte, len(w.text))...)
	if _, err := io.ReadFull(f, w.have); err != nil {
		return false, true, err
	}
	return bytes.Equal(w.have, w.text), true, nil
}

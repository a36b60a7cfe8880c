package outdir

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"path/filepath"

	"github.com/aymanbagabas/go-udiff"

	"github.com/roceplan/roceplan/emit"
	"github.com/roceplan/roceplan/internal/regular"
)

// nothing names the side of a unified diff that has no file.
const nothing = "/dev/null"

// Diff writes what [Tree.Write] would change, as a unified diff that `patch -p0`
// understands, and leaves dir alone.
func (t Tree) Diff(ctx context.Context, dir string, w io.Writer, progress func()) (Changes, error) {
	if err := t.checkNames(); err != nil {
		return Changes{}, err
	}
	old, err := readManifest(t.disk(), dir)
	if err != nil {
		return Changes{}, err
	}
	c := writer{staging: &staging{d: t.disk(), dir: dir, progress: progress, all: t.renderings()}}
	if err := c.diffShapes(ctx, w); err != nil {
		return Changes{}, err
	}
	gone, err := stale(t.disk(), dir, old, c.all)
	if err != nil {
		return Changes{}, err
	}
	for _, path := range gone {
		path = filepath.Join(dir, path)
		was, err := regular.Read(path)
		if err != nil {
			return Changes{}, err
		}
		if err := unified(w, path, nothing, string(was), ""); err != nil {
			return Changes{}, err
		}
	}
	c.changes.Removed = len(gone)
	return c.changes, nil
}

// diffShapes compares shape by shape. After one that cannot be rendered the others are rendered
// too, so that all faults are reported.
func (w *writer) diffShapes(ctx context.Context, out io.Writer) error {
	var unrendered error
	for _, r := range w.all {
		files, err := r.get()
		if err != nil && unrendered == nil {
			unrendered = err
		}
		if unrendered != nil {
			continue
		}
		for _, name := range r.shape.Names {
			if ctx.Err() != nil {
				return context.Cause(ctx)
			}
			if err := w.diffDevice(out, name, files); err != nil {
				return err
			}
			r.release()
			if w.progress != nil {
				w.progress()
			}
		}
	}
	return unrendered
}

func (w *writer) diffDevice(out io.Writer, name string, files []emit.File) error {
	for _, f := range files {
		w.text = f.Body.AppendFor(w.text[:0], name)
		path := filepath.Join(name, filepath.FromSlash(f.Path))
		same, _, err := w.compare(path)
		if err != nil {
			return err
		}
		if same {
			w.changes.Unchanged++
			continue
		}
		path = filepath.Join(w.dir, path)
		from := path
		was, err := regular.Read(path)
		switch {
		case errors.Is(err, fs.ErrNotExist):
			w.changes.Created++
			from = nothing
		case err != nil:
			return err
		default:
			w.changes.Changed++
		}
		if err := unified(out, from, path, string(was), string(w.text)); err != nil {
			return err
		}
	}
	return nil
}

func unified(w io.Writer, from, to, was, is string) error {
	text, err := udiff.ToUnified(from, to, was, lineEdits(was, is), udiff.DefaultContextLines)
	if err != nil {
		return err
	}
	_, err = io.WriteString(w, text)
	return err
}

package outdir

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/aymanbagabas/go-udiff"
)

// nothing is how a unified diff names the side that has no file.
const nothing = "/dev/null"

// Diff writes what [Tree.Write] would change, as a unified diff that `patch -p0`
// understands, and leaves dir alone.
func (t Tree) Diff(ctx context.Context, dir string, w io.Writer, progress func()) (Changes, error) {
	var changes Changes
	devices, err := t.devices()
	if err != nil {
		return changes, err
	}
	old, err := readManifest(dir)
	if err != nil {
		return changes, err
	}
	c := writer{staging: &staging{dir: dir}}
	for _, d := range devices {
		if err := ctx.Err(); err != nil {
			return changes, context.Cause(ctx)
		}
		if err := c.diffDevice(w, d); err != nil {
			return changes, err
		}
		if progress != nil {
			progress()
		}
	}
	gone, err := t.stale(dir, old)
	if err != nil {
		return changes, err
	}
	for _, path := range gone {
		was, err := os.ReadFile(filepath.Join(dir, path))
		if err != nil {
			return changes, err
		}
		if err := unified(w, filepath.Join(dir, path), nothing, string(was), ""); err != nil {
			return changes, err
		}
	}
	c.changes.Removed = len(gone)
	return c.changes, nil
}

func (w *writer) diffDevice(out io.Writer, d device) error {
	for _, f := range d.files {
		w.text = f.Body.AppendFor(w.text[:0], d.name)
		path := filepath.Join(d.name, filepath.FromSlash(f.Path))
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
		was, err := os.ReadFile(path)
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
	_, err := io.WriteString(w, udiff.Unified(from, to, was, is))
	return err
}

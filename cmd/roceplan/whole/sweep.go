package whole

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/roceplan/roceplan/internal/disk"
)

// staging is the end of a staging folder's name.
var staging = regexp.MustCompile(`^[0-9]+-[0-9]+$`)

// sweep ends what killed runs began. No other run stages for the folder: the lock is held.
// Where a run was killed between its renames, the rest of them are made; else what it staged is
// removed.
func (s *Stage) sweep() error {
	for _, left := range s.left() {
		if err := left.end(); err != nil {
			return fmt.Errorf("a run that was killed left %s, and its work cannot be ended: %w", left.root, err)
		}
	}
	return nil
}

// left returns the staging folders of a folder.
func (s *Stage) left() (all []*Stage) {
	for _, parent := range []string{s.dir, filepath.Dir(s.dir)} {
		entries, err := s.d.ReadDir(parent)
		if err != nil {
			continue // it is not there, or a later step reports it
		}
		for _, e := range entries {
			number, ours := strings.CutPrefix(e.Name(), s.prefix())
			if e.IsDir() && ours && staging.MatchString(number) {
				all = append(all, &Stage{d: s.d, dir: s.dir, whole: s.whole, last: s.last, root: filepath.Join(parent, e.Name())})
			}
		}
	}
	return all
}

// Unfinished returns the staging folder of a run that renames file by file, and that goes on or was
// killed between two of its renames; "" where there is none.
func Unfinished(d disk.FS, dir, last string) (string, error) {
	whole, err := filepath.Abs(dir)
	if err != nil {
		return "", err
	}
	for _, left := range (&Stage{d: d, dir: filepath.Clean(dir), whole: whole, last: last}).left() {
		if c, err := left.sealed(); err != nil || !c.Exchange && len(c.Put)+len(c.Gone) > 0 {
			return left.root, err
		}
	}
	return "", nil
}

// end ends a run that left its staging folder.
func (s *Stage) end() error {
	c, err := s.sealed()
	switch {
	case err != nil || len(c.Put)+len(c.Gone) == 0:
	case c.Exchange:
		err = s.reclaim(c)
	default:
		err = s.resume(c)
	}
	if err != nil {
		return err
	}
	return disk.RemoveAll(s.d, s.root)
}

// sealed reads what a run was about to do; nothing where it had not come so far.
func (s *Stage) sealed() (c change, err error) {
	text, err := disk.Text(s.d, s.at(plan), 64<<20)
	if errors.Is(err, fs.ErrNotExist) {
		return c, nil
	}
	if err != nil {
		return c, err
	}
	if json.Unmarshal(text, &c) != nil {
		return change{}, nil // it was never complete
	}
	for _, path := range slices.Concat(c.Put, c.Gone) {
		if !s.ordinary(path) {
			return c, fmt.Errorf("%q is not a file that roceplan writes", path)
		}
		// The staging folder may come from a repository: behind a link in it are files of others.
		if err := errors.Join(s.direct(path), Direct(s.d, s.root, filepath.Join(tree, path)), Direct(s.d, s.root, filepath.Join(attic, path))); err != nil {
			return c, err
		}
	}
	return c, nil
}

// resume makes the renames that are left.
func (s *Stage) resume(c change) error {
	m := moves{Stage: s, touched: map[string]bool{}}
	return errors.Join(m.all(c), m.sync())
}

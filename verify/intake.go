package verify

import (
	"bytes"
	"errors"
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/roceplan/roceplan/diag"
	"github.com/roceplan/roceplan/internal/regular"
	"github.com/roceplan/roceplan/read"
	"github.com/roceplan/roceplan/read/systems"
)

// MaxFile bounds a file that is read: more than any reader takes. Readers say what they
// refuse.
const MaxFile = regular.Most

// A File is a configuration file that is not read yet. It is read twice if many files are alike, so
// that the texts of ten thousand switches need not be in memory at once.
type File struct {
	// Name is what findings call it. The last folder of it names the device where the text
	// does not and the file is called as such files are on every device.
	Name string
	Read func() ([]byte, error)
}

// Text is a file whose text is given.
func Text(name string, text []byte) File {
	return File{Name: name, Read: func() ([]byte, error) { return text, nil }}
}

// In is a file of a file system. Only regular files are read, of [MaxFile] bytes at most.
func In(fsys fs.FS, name string) File {
	return File{Name: name, Read: func() ([]byte, error) { return regular.ReadFS(fsys, name) }}
}

// Below lists the files of a folder, and of those below it, that look like configuration.
// others are names of files that do and are none. Hidden files and folders are skipped.
// A folder that is a link is an error: it would be judged twice, or lead out of the tree.
func Below(fsys fs.FS, root string, others ...string) (files []File, err error) {
	taken, _, err := below(fsys, root, others)
	for _, name := range taken {
		files = append(files, In(fsys, name))
	}
	return files, err
}

// below lists the files that look like configuration, and those that do not.
func below(fsys fs.FS, root string, others []string) (taken, rest []string, err error) {
	usual := usualNames(Formats())
	err = fs.WalkDir(fsys, root, func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		hidden := name != root && strings.HasPrefix(d.Name(), ".")
		switch {
		case d.IsDir() && hidden:
			return fs.SkipDir
		case d.IsDir() || hidden || slices.Contains(others, d.Name()):
			return nil
		case d.Type()&fs.ModeSymlink != 0:
			if info, err := fs.Stat(fsys, name); err == nil && info.IsDir() {
				return &fs.PathError{Op: "read", Path: name, Err: errors.New("this folder is a link; name the folder that it leads to")}
			}
		}
		if slices.Contains([]string{".json", ".cfg", ".conf", ".cli", ".set", ".config"}, path.Ext(name)) || slices.Contains(usual, d.Name()) {
			taken = append(taken, name)
		} else {
			rest = append(rest, name)
		}
		return nil
	})
	return taken, rest, err
}

// Beside reports files in the folder of a configuration file that are not named like one but hold
// one: their settings are not judged. Its parameters are those of [Below].
func Beside(fsys fs.FS, root string, others ...string) (found diag.List, err error) {
	taken, rest, err := below(fsys, root, others)
	folders := map[string]bool{}
	for _, name := range taken {
		folders[path.Dir(name)] = true
	}
	all := Formats()
	for _, name := range rest {
		if !folders[path.Dir(name)] {
			continue
		}
		text, err := In(fsys, name).Read()
		if err != nil {
			continue // it is no text, or larger than any configuration
		}
		if by := recognize(all, bytes.TrimPrefix(text, byteOrderMark)); by.title() != "" {
			found.Errorf(FileIgnored, diag.Top(name), "%s contains configuration of %s, but was not judged, because its name is not one of such a file", path.Base(name), by.title()).
				Fixf("name the file itself, or remove it from the folder")
		}
	}
	return found, err
}

// byteOrderMark may be before a text in UTF-8 and means nothing.
var byteOrderMark = []byte("\ufeff")

// A recognition is the format of a text, and the evidence for it.
type recognition struct {
	format *read.Format // without a name where no reader recognizes the text; nil where none was asked
	// system is the one that the text is of, where it has a reader or not; nil: no line or key of
	// the text is of one system alone.
	system *systems.System
	sure   bool   // what shows it is in files of no other system
	at     int    // byte of the text
	shown  string // the text there
}

// Recognizes reports whether a text is a configuration: of a format that is read, or of a system
// that has no reader.
func Recognizes(text []byte) bool {
	r := recognize(Formats(), bytes.TrimPrefix(text, byteOrderMark))
	return r.title() != ""
}

// title is whose the text is, as people call it; empty where that is not known.
func (r *recognition) title() string {
	if r.format.Title == "" && r.system != nil {
		return r.system.Title
	}
	return r.format.Title
}

// foreign reports whether the text is of a system that has no reader.
func (r *recognition) foreign() bool { return r.system != nil && r.system.Format == "" }

// recognize says whose a text is. Lines that running-configs of several systems have count only
// where it has none that is of one system alone.
func recognize(all []read.Format, text []byte) (r recognition) {
	r.format = new(read.Format)
	text = text[:min(len(text), 64<<10)]
	head := bytes.TrimLeft(text, " \t\r\n")
	if r.ask(all, text, head, false) {
		return r
	}
	e, ok := systems.Of(head)
	if !ok {
		r.ask(all, text, head, true)
		return r
	}
	r.system, r.sure, r.at, r.shown = e.System, true, len(text)-len(head)+e.At, string(head[e.At:e.End])
	for i := range all {
		if all[i].Name == e.System.Format {
			r.format = &all[i]
		}
	}
	return r
}

// ask asks the formats whose files look like no other, or the others.
func (r *recognition) ask(all []read.Format, text, head []byte, alike bool) bool {
	for i := range all {
		f := &all[i]
		if f.Alike != alike {
			continue
		}
		if shown := f.Recognize(head); shown != nil {
			r.format, r.sure, r.at, r.shown = f, !alike, bytes.Index(text, shown), string(shown)
			return true
		}
	}
	return false
}

// UsualNames returns the names by which files are called on every device.
func UsualNames() []string { return usualNames(Formats()) }

// usualNames are files that are in a folder with the name of their device.
func usualNames(all []read.Format) (names []string) {
	for _, f := range all {
		names = append(names, f.Files...)
	}
	return names
}

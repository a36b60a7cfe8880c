// Package goldentest reads what the examples compile to, golden/EXAMPLE. A folder
// there holds the files of the first device of each shape. The manifest beside them,
// .roceplan.json, is itself compiled: it names the devices of each shape. The files of the
// other devices are those of the first with the device's name in place of the first one's,
// so that a change is reviewed once for each shape, and every file of every device is still
// compared to the byte. Only tests import this package.
package goldentest

import (
	"encoding/json"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path"
	"regexp"
)

const manifestName = ".roceplan.json"

// Files are the files of a folder by their path below it, with slashes.
type Files map[string]string

// ReadAll reads all files of a folder and of those below it.
func ReadAll(folder string) (Files, error) {
	files, root := Files{}, os.DirFS(folder)
	return files, fs.WalkDir(root, ".", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		text, err := fs.ReadFile(root, path)
		files[path] = string(text)
		return err
	})
}

// Whole reads golden/EXAMPLE and returns the files of all devices. A file that the manifest
// lists for the first device of a shape and that is missing is an error, and so is one of
// another device.
func Whole(folder string) (Files, error) {
	stored, err := ReadAll(folder)
	if err != nil {
		return nil, err
	}
	whole := maps.Clone(stored)
	err = stored.others(func(first, other, file string) error {
		lead, have := stored[path.Join(first, file)]
		if !have {
			return fmt.Errorf("%s: the file is missing: the manifest lists %s for %s", folder, file, first)
		}
		name := path.Join(other, file)
		if _, have := stored[name]; have {
			return fmt.Errorf("%s: %s is stored twice: the manifest says that it is the file of %s", folder, name, first)
		}
		whole[name] = renamed(lead, first, other)
		return nil
	})
	return whole, err
}

// Folded returns the files that golden/EXAMPLE holds of a compiled folder: all but those of
// devices that are not the first of their shape.
func (f Files) Folded() (Files, error) {
	folded := maps.Clone(f)
	return folded, f.others(func(_, other, file string) error {
		delete(folded, path.Join(other, file))
		return nil
	})
}

// others calls do for each file of each device that is not the first of its shape.
func (f Files) others(do func(first, other, file string) error) error {
	var m struct {
		Shapes []struct{ Files, Switches []string }
	}
	if err := json.Unmarshal([]byte(f[manifestName]), &m); err != nil {
		return fmt.Errorf("%s: %w", manifestName, err)
	}
	for _, shape := range m.Shapes {
		if len(shape.Switches) == 0 || len(shape.Files) == 0 {
			return fmt.Errorf("%s: a shape needs files and switches: %v", manifestName, shape)
		}
		for _, other := range shape.Switches[1:] {
			for _, file := range shape.Files {
				if err := do(shape.Switches[0], other, file); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// renamed returns the text with one device's name for another's, where it stands as a whole: in
// "leaf-1 leaf-10 my-leaf-1" it stands once.
func renamed(text, from, to string) string {
	const inName = `[0-9A-Za-z_-]`
	names := regexp.MustCompile(inName + `*` + regexp.QuoteMeta(from) + inName + `*`)
	return names.ReplaceAllStringFunc(text, func(name string) string {
		if name == from {
			return to
		}
		return name
	})
}

package lsp

import (
	"path/filepath"
	"regexp"
	"slices"

	"github.com/roceplan/roceplan/internal/stable"
)

// begins is the line of a fabric block.
var begins = regexp.MustCompile(`(?m)^fabric[ \t]*["{a-z]`)

// heads returns the files of a folder that have a fabric block. The text of a single file does not matter.
func (s *server) heads(folder string) (heads []string) {
	files := s.files(folder)
	if len(files) < 2 {
		return nil
	}
	for _, path := range files {
		if text, err := s.text(path); err == nil && begins.Match(text) {
			heads = append(heads, path)
		}
	}
	return heads
}

// fabricOf names the fabric that a file is part of: its folder, or, where several files of that have a fabric block, the
// file with the block. Files without one are then part of each, and their findings come with the first.
func (s *server) fabricOf(path string) string { return among(s.heads(filepath.Dir(path)), path) }

// among is fabricOf where the heads of the file's folder are known: to find them reads the folder.
func among(heads []string, path string) string {
	switch {
	case len(heads) < 2:
		return filepath.Dir(path)
	case slices.Contains(heads, path):
		return path
	}
	return heads[0]
}

// concerned returns the fabrics that a change of a file concerns: its own; where it is part of several, or the folder
// is divided otherwise than it was, all of the folder that have an open file. Those that are gone are dropped.
func (s *server) concerned(path string) (list []*folder) {
	folder := filepath.Dir(path)
	heads := s.heads(folder)
	all := len(heads) > 1 && !slices.Contains(heads, path)
	for name, f := range s.folders {
		if rootOf(name) == folder && (name == folder) == (len(heads) > 1) {
			s.abandon(f, failure{contentModified, "the text has changed since"})
			delete(s.folders, name)
			all = true
		}
	}
	list = append(list, s.folder(path))
	for file := range s.open {
		if !all || filepath.Dir(file) != folder {
			continue
		}
		if f := s.folder(file); !slices.Contains(list, f) {
			list = append(list, f)
		}
	}
	return list
}

// filesOf lists the files of a fabric.
func (s *server) filesOf(name string) []string {
	heads := s.heads(filepath.Dir(name))
	if !slices.Contains(heads, name) || len(heads) < 2 {
		return s.files(name)
	}
	return stable.Delete(s.files(filepath.Dir(name)), func(file string) bool { return file != name && slices.Contains(heads, file) })
}

// rootOf returns the folder of a fabric.
func rootOf(name string) string {
	if filepath.Ext(name) == ".hcl" {
		return filepath.Dir(name)
	}
	return name
}

// Package packed holds texts that the program carries, compressed: a quarter or a fifth of their size.
package packed

import (
	"bytes"
	"compress/flate"
	"fmt"
	"io"
	"io/fs"
	"iter"
	"strings"
)

// Pack compresses a text. The same text gives the same bytes with one version of Go.
func Pack(text string) ([]byte, error) {
	var out bytes.Buffer
	w, err := flate.NewWriter(&out, flate.BestCompression)
	if err != nil {
		return nil, err
	}
	if _, err := io.WriteString(w, text); err != nil {
		return nil, err
	}
	if err := w.Close(); err != nil {
		return nil, err
	}
	return out.Bytes(), nil
}

// PackFiles compresses the files that match a pattern together, in the order of their names: see Files.
func PackFiles(fsys fs.FS, pattern string) ([]byte, error) {
	names, err := fs.Glob(fsys, pattern)
	if err == nil && len(names) == 0 {
		err = fmt.Errorf("no file matches %s", pattern)
	}
	var all strings.Builder
	for _, name := range names {
		text, failed := fs.ReadFile(fsys, name)
		if failed != nil {
			return nil, failed
		}
		all.WriteString(Entry(name, string(text)))
	}
	if err != nil {
		return nil, err
	}
	return Pack(all.String())
}

// Text returns the text that Pack compressed. The text is part of the program: Text panics if it is damaged.
func Text(file string) string {
	text, err := io.ReadAll(flate.NewReader(strings.NewReader(file)))
	if err != nil {
		panic(err)
	}
	return string(text)
}

// Entry returns a file as one of several that are packed together: a byte of 0, its name and the end of a line
// before it. Neither may have such a byte.
func Entry(name, text string) string { return "\x00" + name + "\n" + text }

// Files returns the names and texts of entries that were packed together.
func Files(file string) iter.Seq2[string, string] {
	return func(yield func(name, text string) bool) {
		_, entries, _ := strings.Cut(Text(file), "\x00")
		for entry := range strings.SplitSeq(entries, "\x00") {
			if name, text, ok := strings.Cut(entry, "\n"); ok && !yield(name, text) {
				return
			}
		}
	}
}

package main

import (
	"archive/tar"
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestWithoutGit(t *testing.T) {
	t.Setenv("PATH", t.TempDir())
	err := checkout(&terminal{Context: context.Background()}, "HEAD", ".", t.TempDir())
	if want := "--git needs the program git, which is not installed"; err == nil || err.Error() != want {
		t.Errorf("%v, want %s", err, want)
	}
}

// An archive cannot write outside of its folder.
func TestUnpackStaysInside(t *testing.T) {
	for _, headers := range [][]tar.Header{
		{{Name: "../out", Typeflag: tar.TypeReg, Size: 1}},
		{{Name: "link", Typeflag: tar.TypeSymlink, Linkname: ".."}, {Name: "link/out", Typeflag: tar.TypeReg, Size: 1}},
	} {
		var archive bytes.Buffer
		w := tar.NewWriter(&archive)
		for _, h := range headers {
			h.Mode = 0o644
			if err := w.WriteHeader(&h); err != nil {
				t.Fatal(err)
			}
			if _, err := w.Write([]byte("x")[:h.Size]); err != nil {
				t.Fatal(err)
			}
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		parent := t.TempDir()
		into := filepath.Join(parent, "in")
		if err := os.Mkdir(into, 0o777); err != nil {
			t.Fatal(err)
		}
		if err := unpack(archive.Bytes(), into); err == nil || !strings.Contains(err.Error(), "escapes") {
			t.Errorf("%s: %v", headers[0].Name, err)
		}
		if _, err := os.Stat(filepath.Join(parent, "out")); err == nil {
			t.Errorf("%s got out", headers[0].Name)
		}
	}
}

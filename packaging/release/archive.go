package main

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"fmt"
	"io"
	"os"
	"path"
	"path/filepath"
	"strings"
	"time"
)

// archive packs the program with all that goes with it: a zip for Windows, else a tar.
func (r *release) archive(b built) error {
	name := fmt.Sprintf("roceplan_%s_%s_%s", r.stamp.version, b.os, b.arch)
	files := []file{{path: name + "/roceplan" + b.exe(), executable: true, data: b.data}}
	for _, f := range r.extra {
		f.path = name + "/" + f.path
		files = append(files, f)
	}
	if b.os == "windows" {
		data, err := zipped(files, r.stamp.at)
		if err != nil {
			return err
		}
		return r.put(name+".zip", data)
	}
	data, err := tarred(files, r.stamp.at)
	if err != nil {
		return err
	}
	data, err = gzipped(data)
	if err != nil {
		return err
	}
	return r.put(name+".tar.gz", data)
}

// tarred packs files with the folders that they are in, all of root and of one time.
func tarred(files []file, at time.Time) ([]byte, error) {
	var out bytes.Buffer
	w := tar.NewWriter(&out)
	made := map[string]bool{".": true}
	for _, f := range files {
		for _, dir := range folders(f.path) {
			if made[dir] {
				continue
			}
			made[dir] = true
			if err := w.WriteHeader(&tar.Header{Typeflag: tar.TypeDir, Name: dir + "/", Mode: 0o755, ModTime: at}); err != nil {
				return nil, err
			}
		}
		if err := w.WriteHeader(&tar.Header{Typeflag: tar.TypeReg, Name: f.path, Mode: f.mode(), ModTime: at, Size: int64(len(f.data))}); err != nil {
			return nil, err
		}
		if _, err := w.Write(f.data); err != nil {
			return nil, err
		}
	}
	err := w.Close()
	return out.Bytes(), err
}

// folders returns the folders above a path, the outermost first.
func folders(name string) (list []string) {
	for dir := path.Dir(name); dir != "."; dir = path.Dir(dir) {
		list = append([]string{dir}, list...)
	}
	return list
}

func zipped(files []file, at time.Time) ([]byte, error) {
	var out bytes.Buffer
	w := zip.NewWriter(&out)
	for _, f := range files {
		h := &zip.FileHeader{Name: f.path, Method: zip.Deflate, Modified: at.UTC()}
		h.SetMode(os.FileMode(f.mode()))
		part, err := w.CreateHeader(h)
		if err != nil {
			return nil, err
		}
		if _, err := part.Write(f.data); err != nil {
			return nil, err
		}
	}
	err := w.Close()
	return out.Bytes(), err
}

// gzipped compresses without a name or a time.
func gzipped(data []byte) ([]byte, error) {
	var out bytes.Buffer
	w, err := gzip.NewWriterLevel(&out, gzip.BestCompression)
	if err != nil {
		return nil, err
	}
	if _, err := io.Copy(w, bytes.NewReader(data)); err != nil {
		return nil, err
	}
	err = w.Close()
	return out.Bytes(), err
}

// sums writes the digests of all files, in the form that sha256sum --check reads.
func (r *release) sums() error {
	entries, err := os.ReadDir(r.out)
	if err != nil {
		return err
	}
	var out strings.Builder
	for _, e := range entries {
		data, err := os.ReadFile(filepath.Join(r.out, e.Name()))
		if err != nil {
			return err
		}
		fmt.Fprintf(&out, "%x  %s\n", sha256.Sum256(data), e.Name())
	}
	return r.put("SHA256SUMS", []byte(out.String()))
}

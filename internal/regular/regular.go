// Package regular reads files that are files: a pipe would wait for a writer, a device may never
// end.
package regular

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
)

// Most bounds a file of input: a fabric of 200,000 blocks has some 20 MB.
const Most = 64 << 20

// Read reads a regular file of [Most] bytes at most.
func Read(name string) ([]byte, error) {
	file, err := Open(name)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	return bounded(file, name, sizeOf(file))
}

// ReadFS is [Read] in a file system.
func ReadFS(fsys fs.FS, name string) ([]byte, error) {
	file, err := OpenFS(fsys, name)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	return bounded(file, name, sizeOf(file))
}

// OpenFS is [Open] in a file system.
func OpenFS(fsys fs.FS, name string) (fs.File, error) {
	info, err := fs.Stat(fsys, name)
	if err == nil {
		err = check(info, name)
	}
	if err != nil {
		return nil, err
	}
	return fsys.Open(name)
}

// Several reads files that are one input: together they have [Most] bytes at most. The zero value is
// ready to use.
type Several struct{ read int64 }

// Read is [Read].
func (s *Several) Read(name string) ([]byte, error) {
	text, err := Read(name)
	return s.count(name, text, err)
}

// ReadFS is [ReadFS].
func (s *Several) ReadFS(fsys fs.FS, name string) ([]byte, error) {
	text, err := ReadFS(fsys, name)
	return s.count(name, text, err)
}

func (s *Several) count(name string, text []byte, err error) ([]byte, error) {
	if s.read += int64(len(text)); err == nil && s.read > Most {
		return nil, &fs.PathError{Op: "read", Path: name, Err: fmt.Errorf("the files up to this one have more than %d bytes together", Most)}
	}
	return text, err
}

// Open opens a regular file.
func Open(name string) (*os.File, error) {
	info, err := os.Stat(name)
	if err == nil {
		err = check(info, name)
	}
	if err != nil {
		return nil, err
	}
	file, err := os.OpenFile(name, os.O_RDONLY|patient, 0)
	if err != nil {
		return nil, err
	}
	if info, err = file.Stat(); err == nil { // it may be another one by now
		err = check(info, name)
	}
	if err != nil {
		file.Close()
		return nil, err
	}
	return file, nil
}

// Folder opens a folder, below which files can be read.
func Folder(name string) (*os.Root, error) {
	info, err := os.Stat(name)
	if err == nil && !info.IsDir() {
		err = &fs.PathError{Op: "read", Path: name, Err: errors.New("this is not a folder")}
	}
	if err != nil {
		return nil, err
	}
	return os.OpenRoot(name)
}

// Stream reads all of a stream, [Most] bytes at most; name is for the error.
func Stream(from io.Reader, name string) ([]byte, error) { return bounded(from, name, 0) }

func check(info fs.FileInfo, name string) error {
	if info.Mode().IsRegular() {
		return nil
	}
	return &fs.PathError{Op: "read", Path: name, Err: errors.New("this is not a regular file")}
}

// sizeOf returns the size in bytes that a file reports, 0 where it reports none.
func sizeOf(file interface{ Stat() (fs.FileInfo, error) }) int64 {
	info, err := file.Stat()
	if err != nil {
		return 0
	}
	return info.Size()
}

// bounded reads what there is; a buffer of its size is made at once.
func bounded(file io.Reader, name string, size int64) ([]byte, error) {
	text := bytes.NewBuffer(make([]byte, 0, min(size, Most)+bytes.MinRead))
	_, err := text.ReadFrom(io.LimitReader(file, Most+1))
	if err == nil && text.Len() > Most {
		err = &fs.PathError{Op: "read", Path: name, Err: fmt.Errorf("there are more than %d bytes", Most)}
	}
	return text.Bytes(), err
}

// Package filelock takes the kernel's lock of a file. It is gone with its process, however
// that ended, so that nobody waits for a process that ended.
package filelock

import "os"

// Take opens a file, which is made if need be, and locks it. taken is false where another
// process has the lock; the file is open then too, to be read. The path still names the file
// when Take returns: its last holder may have moved it away in between.
func Take(path string) (f *os.File, taken bool, err error) {
	for {
		f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o666)
		if err != nil {
			return nil, false, err
		}
		taken, err := Try(f)
		if err != nil {
			f.Close()
			return nil, false, err
		}
		if !taken || names(path, f) {
			return f, taken, nil
		}
		f.Close()
	}
}

// names reports whether a path is that of a file.
func names(path string, f *os.File) bool {
	have, err1 := f.Stat()
	named, err2 := os.Stat(path)
	return err1 == nil && err2 == nil && os.SameFile(have, named)
}

//go:build !unix

package disk

import (
	"io/fs"
	"os"
)

// Locks reports whether Lock keeps others out: there is no lock here that goes with its process.
const Locks = false

const direct = 0

func rename(from, to string) error { return os.Rename(from, to) }

func lock(*os.File) (taken bool, err error) { return true, nil }

func secondName(*os.File) bool { return false }

func unsupported(err error) error { return err }

func cannotSync(error) error { return nil }

func alike(string, fs.FileInfo, string, fs.FileInfo) bool { return false }

func oneDevice(fs.FileInfo, fs.FileInfo) bool { return false }

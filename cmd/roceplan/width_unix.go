//go:build unix

package main

import (
	"os"

	"golang.org/x/sys/unix"
)

// widthOf returns the number of characters in a line of a terminal; 0 where a stream is none.
func widthOf(stream any) int {
	f, ok := stream.(*os.File)
	if !ok {
		return 0
	}
	size, err := unix.IoctlGetWinsize(int(f.Fd()), unix.TIOCGWINSZ)
	if err != nil {
		return 0
	}
	return int(size.Col)
}

package main

import (
	"os"

	"golang.org/x/sys/windows"
)

// widthOf returns the number of characters in a line of a terminal; 0 where a stream is none.
func widthOf(stream any) int {
	f, ok := stream.(*os.File)
	if !ok {
		return 0
	}
	var info windows.ConsoleScreenBufferInfo
	if err := windows.GetConsoleScreenBufferInfo(windows.Handle(f.Fd()), &info); err != nil {
		return 0
	}
	return int(info.Window.Right-info.Window.Left) + 1
}

// Command roceplan compiles the description of a RoCE fabric into the configuration
// of its switches, and explains every number in it.
package main

import (
	"os"
	"os/signal"
	"syscall"
)

func main() {
	// A closed pipe is reported as a failed write, not by the death of the process: an
	// output directory may be half staged.
	signal.Ignore(syscall.SIGPIPE)
	os.Exit(run(os.Args[1:], os.Stdin, os.Stdout, os.Stderr, os.Getenv))
}

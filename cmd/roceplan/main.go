// Command roceplan compiles the description of a RoCE fabric into the configuration
// of its switches, and explains every number in it.
package main

import (
	"io"
	"log"
	"os"
	"os/signal"
	"syscall"
)

func main() {
	// A closed pipe is reported as a failed write, not by the death of the process: an
	// output directory may be half staged.
	signal.Ignore(syscall.SIGPIPE)
	// Of the program nothing logs. net/http does, about what devices send that are asked.
	log.SetOutput(io.Discard)
	os.Exit(run(os.Args[1:], os.Stdin, os.Stdout, os.Stderr, os.Getenv))
}

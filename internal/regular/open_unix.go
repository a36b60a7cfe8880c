//go:build unix

package regular

import "syscall"

// patient has the kernel open a pipe without waiting for its other end.
const patient = syscall.O_NONBLOCK

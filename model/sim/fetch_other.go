//go:build !amd64 || purego

package sim

// fetches says that [fetch] is not there.
const fetches = false

func fetch(*entry, int, *port, *packet) {}

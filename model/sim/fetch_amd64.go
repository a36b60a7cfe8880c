//go:build !purego

package sim

import "unsafe"

// fetches says that [fetch] is there.
const fetches = true

// fetch asks the processor for the lines of the ports and packets of entries that are not chained, and does not wait for
// them: Go has no word for that instruction. A read instead holds up what is behind it until its line has come. Nothing
// is read or written, so that what an entry names need not exist.
//
//go:noescape
func fetch(entries *entry, n int, ports *port, packets *packet)

// Assumptions of the instructions.
var (
	_ [unsafe.Sizeof(port{})]byte   = [64]byte{}
	_ [unsafe.Sizeof(packet{})]byte = [32]byte{}
	_ [placeBits]byte               = [31]byte{}
	_ [portBits]byte                = [20]byte{}
)

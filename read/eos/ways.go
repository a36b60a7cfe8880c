package eos

import (
	"sync"

	"github.com/roceplan/roceplan/read"
)

// ways are the rows of read/ways/eos.txt.
var ways = sync.OnceValue(func() read.WayKinds { return read.Ways("eos") })

// bridges notes a port that does not route, unless the bundle that it is in does.
func (b *assembler) bridges(own *port, routed bool) {
	if c := b.channels[own.channel]; own.channel != "" && c != nil {
		routed = b.isRouted(c)
	}
	if !routed {
		b.ways = append(b.ways, read.Way{At: own.at, Text: "interface " + own.name, Why: read.WayBridged, Port: own.name})
	}
}

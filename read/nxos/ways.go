package nxos

import (
	"sync"

	"github.com/roceplan/roceplan/read"
)

// ways are the rows of read/ways/nxos.txt.
var ways = sync.OnceValue(func() read.WayKinds { return read.Ways("nxos") })

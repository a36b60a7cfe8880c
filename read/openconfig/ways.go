package openconfig

import (
	"sync"

	"github.com/roceplan/roceplan/read"
)

// ways are the rows of read/ways/openconfig.txt.
var ways = sync.OnceValue(func() read.WayKinds { return read.Ways("openconfig") })

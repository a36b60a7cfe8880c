package nvue

import (
	"sync"

	"github.com/roceplan/roceplan/read"
)

// ways are the rows of read/ways/nvue.txt.
var ways = sync.OnceValue(func() read.WayKinds { return read.Ways("nvue") })

// lead notes what of a statement leads packets elsewhere.
func (st *statement) lead(l *read.Ledger) {
	for _, n := range st.live {
		if n.said == st {
			l.Lead(ways(), append(n.words(), n.value), st.at)
		}
	}
}

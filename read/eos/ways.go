package eos

import (
	"slices"
	"strings"
	"sync"

	"github.com/roceplan/roceplan/internal/stable"
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

// filtered notes which lists of a port drop nothing, and whether that of the processor drops BGP, or BFD that is asked for. A
// list that is not in the file is not known.
func (r *reader) filtered(l *read.Ledger, filters read.Filters) {
	for i := range r.ledger {
		s := &r.ledger[i]
		if words := strings.Fields(s.Text); s.Sort == read.Unmodelled && len(words) == 4 && words[1] == "access-group" {
			if f := filters[words[0]+" "+words[2]]; f != nil && f.Passes && !f.Drops {
				*s = read.Statement{At: s.At, Text: s.Text, Sort: read.Neutral, Rule: "list-passes"}
			}
		}
	}
	watches := slices.ContainsFunc(l.Ends, func(w read.Way) bool { return w.Why == read.Watches })
	l.Ways = stable.Delete(l.Ways, func(w read.Way) bool {
		if w.Why != read.WayHeld {
			return false
		}
		f := filters["ip "+w.Value]
		return f == nil || f.BGP == read.Accept && (f.BFD == read.Accept || !watches)
	})
}

package posjson

import (
	"sort"

	"github.com/hashicorp/hcl/v2"

	"github.com/roceplan/roceplan/diag"
)

// A File turns offsets of its text into lines and columns.
type File struct {
	Name string
	// lines are the offsets of the first byte of each line.
	lines []int32
	// wide are the tokens in which a column is not a byte, in their order. Places are between tokens,
	// so nothing else is needed to count columns, and a file that is one line of megabytes costs no
	// more than others.
	wide []wide
}

// wide says how many bytes of the text before an offset begin no column.
type wide struct{ end, excess int32 }

// Between returns the range from one offset to another.
func (f *File) Between(start, end int32) diag.Range {
	return diag.Range{Filename: f.Name, Start: f.pos(start), End: f.pos(end)}
}

func (f *File) pos(at int32) hcl.Pos {
	line := sort.Search(len(f.lines), func(i int) bool { return f.lines[i] > at })
	start := f.lines[line-1]
	return hcl.Pos{Line: line, Column: int(at - start - f.excess(at) + f.excess(start) + 1), Byte: int(at)}
}

func (f *File) excess(at int32) int32 {
	i := sort.Search(len(f.wide), func(i int) bool { return f.wide[i].end > at })
	if i == 0 {
		return 0
	}
	return f.wide[i-1].excess
}

// widen notes that a token which ends at an offset has so many bytes more than columns.
func (f *File) widen(end, more int32) {
	f.wide = append(f.wide, wide{end, f.excess(end) + more})
}

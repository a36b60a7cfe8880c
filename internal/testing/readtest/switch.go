package readtest

import (
	"github.com/roceplan/roceplan/diag"
	"github.com/roceplan/roceplan/plan"
	"github.com/roceplan/roceplan/read"
	"github.com/roceplan/roceplan/units"
)

// Switch reads a file of a format, and returns what it tells the switch and what is wrong
// with it. cell is the size of the chip's cells, for formats that count in them.
func Switch(f read.Format, name string, text []byte, cell ...units.Bytes) (*plan.Switch, diag.List) {
	var o read.Options
	if len(cell) > 0 {
		o.Cell = cell[0]
	}
	result := f.Read(name, text, o)
	return result.Switch, result.Found
}

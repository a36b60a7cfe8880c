package diag

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"github.com/roceplan/roceplan/internal/stable"
)

// An Edit puts a text in the place of a stretch of a file.
type Edit struct {
	Range Range
	Text  string
}

// Apply returns the text of a file with the edits of it. Edits must not overlap.
func Apply(name string, text []byte, edits []Edit) []byte {
	ordered := slices.Clone(edits)
	stable.Sort(ordered, func(a, b Edit) int { return b.Range.Start.Byte - a.Range.Start.Byte })
	for _, e := range ordered {
		if e.Range.Filename == name {
			text = slices.Concat(text[:e.Range.Start.Byte], []byte(e.Text), text[e.Range.End.Byte:])
		}
	}
	return text
}

// Shown says what the edit makes of the lines that it touches: "line 79: cable = \"40m\"". Lines that
// it takes away are named.
func (e Edit) Shown(text []byte) string {
	from := bytes.LastIndexByte(text[:e.Range.Start.Byte], '\n') + 1
	end := len(text)
	if i := bytes.IndexByte(text[e.Range.End.Byte:], '\n'); i >= 0 {
		end = e.Range.End.Byte + i
	}
	now := string(text[from:e.Range.Start.Byte]) + e.Text + string(text[e.Range.End.Byte:end])
	var lines []string
	for line := range strings.Lines(now) {
		if line = strings.TrimSpace(line); line != "" {
			lines = append(lines, line)
		}
	}
	first, last := e.Range.Start.Line, e.Range.End.Line
	switch {
	case e.Text == "" && last-first > 1:
		return fmt.Sprintf("remove lines %d to %d", first, last-1)
	case e.Text == "" && last > first:
		return fmt.Sprintf("remove line %d", first)
	}
	return fmt.Sprintf("line %d: %s", first, strings.Join(lines, " ⏎ "))
}

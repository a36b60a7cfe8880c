package main

import (
	"strings"
	"unicode/utf8"
)

// A table is rows of text in columns that line up. Where lines have a width, columns that do not fit are in further lines
// below those of their row.
type table struct {
	rows  [][]string
	width int // 0: of any
}

// add adds a row. It has many callers, and is smaller as a call.
//
//go:noinline
func (t *table) add(cells ...string) { t.rows = append(t.rows, cells) }

// String sets columns two spaces apart, with no space at the end of a line.
func (t table) String() string {
	var widths []int
	for _, row := range t.rows {
		for i, cell := range row {
			if i == len(widths) {
				widths = append(widths, 0)
			}
			widths[i] = max(widths[i], utf8.RuneCountInString(cell))
		}
	}
	var out strings.Builder
	for _, row := range t.rows {
		var line strings.Builder
		used, end := 0, ""
		for i, cell := range row {
			if used > 0 && t.width > 0 && used+widths[i] > t.width {
				out.WriteString(end + strings.TrimRight(line.String(), " "))
				line.Reset()
				line.WriteString(further)
				used, end = len(further), "\n"
			}
			line.WriteString(cell)
			line.WriteString(strings.Repeat(" ", widths[i]-utf8.RuneCountInString(cell)+2))
			used += widths[i] + 2
		}
		if text := strings.TrimRight(line.String(), " "); text != "" {
			out.WriteString(end + text)
		}
		out.WriteByte('\n')
	}
	return out.String()
}

// further is before columns that are in a further line.
const further = "      "

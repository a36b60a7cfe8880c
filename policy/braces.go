package policy

import (
	"bytes"
	"strings"

	"github.com/hashicorp/hcl/v2"
)

// An opened is a line that opens a block.
type opened struct {
	indent int
	at     hcl.Range // of the line without its blanks
}

// missingBrace finds where a block most likely lacks its closing brace, by how lines are indented: a
// parser notices it at the end of the file. behind is the last line of the block.
func missingBrace(file string, text []byte) (behind, block hcl.Range, ok bool) {
	var open []opened
	last, start := hcl.Range{}, 0
	for number, line := range bytes.Split(text, []byte("\n")) {
		code, indent := codeOf(string(line))
		at := lineRange(file, number+1, start+indent, indent, len(code))
		start += len(line) + 1
		if code == "" {
			continue
		}
		closes, opens := strings.HasPrefix(code, "}"), strings.HasSuffix(code, "{")
		if top := len(open) - 1; top >= 0 {
			switch mine := open[top].indent; {
			case closes && indent < mine, opens && !closes && indent <= mine:
				return last, open[top].at, true
			case closes:
				open = open[:top]
			}
		}
		if opens {
			open = append(open, opened{indent, at})
		}
		last = at
	}
	if top := len(open) - 1; top >= 0 {
		return last, open[top].at, true
	}
	return last, block, false
}

// codeOf returns a line without its blanks and its remark, and how far it is indented.
func codeOf(line string) (code string, indent int) {
	code = strings.TrimLeft(line, " \t")
	indent = len(line) - len(code)
	if i := strings.Index(code, "#"); i >= 0 && strings.Count(code[:i], `"`)%2 == 0 {
		code = code[:i]
	}
	return strings.TrimRight(code, " \t\r"), indent
}

// lineRange returns a stretch of one line.
func lineRange(file string, line, from, column, length int) hcl.Range {
	r := hcl.Range{Filename: file}
	r.Start = hcl.Pos{Line: line, Column: column + 1, Byte: from}
	r.End = hcl.Pos{Line: line, Column: column + 1 + length, Byte: from + length}
	return r
}

// lastOf returns the last sign of a text that is no blank.
func lastOf(text []byte, file string) hcl.Range {
	text = bytes.TrimRight(text, " \t\r\n")
	from := bytes.LastIndexByte(text, '\n') + 1
	at := max(0, len(text)-1)
	return lineRange(file, bytes.Count(text, []byte("\n"))+1, at, at-from, 1)
}

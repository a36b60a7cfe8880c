package explain

import (
	"strings"

	"github.com/roceplan/roceplan/diag"
)

// remark returns the file author's comment on a given value: the comment above its line, or above
// the block without a name that it is in. That is how settings that were searched name the runs
// behind them, as `roceplan tune --point` writes it; "" where there is none. A comment above a
// block with a name is about the whole block.
func (e Explanation) remark(at diag.Range) string {
	lines := strings.Split(string(e.Sources[at.Filename]), "\n")
	if at.Start.Line < 1 || at.Start.Line > len(lines) || e.named(at) != "" {
		return ""
	}
	k := at.Start.Line - 1
	if header(lines[k]) {
		return ""
	}
	if text := above(lines, k); text != "" {
		return text
	}
	own := indent(lines[k])
	for k--; k >= 0; k-- {
		if strings.TrimSpace(lines[k]) == "" || indent(lines[k]) >= own {
			continue
		}
		if header(lines[k]) {
			return ""
		}
		return above(lines, k)
	}
	return ""
}

// header reports whether a line begins a block with a name.
func header(line string) bool {
	line = strings.TrimSpace(line)
	return strings.HasSuffix(line, "{") && strings.Contains(line, `"`)
}

// above returns the comment that ends in the line before a line, without its marks.
func above(lines []string, k int) string {
	var said []string
	for k--; k >= 0; k-- {
		text, is := strings.CutPrefix(strings.TrimSpace(lines[k]), "#")
		if !is {
			break
		}
		said = append([]string{strings.TrimSpace(text)}, said...)
	}
	return strings.Join(said, " ")
}

func indent(line string) int { return len(line) - len(strings.TrimLeft(line, " \t")) }

package cli

import "slices"

// A Trail knows the lines that open the modes around a line.
type Trail []section

type section struct {
	indent int
	words  []string
}

// Words returns the words of the lines above a line that it belongs to, and its own; "no" is one of them.
func (t *Trail) Words(l Line) []string {
	above := *t
	for len(above) > 0 && above[len(above)-1].indent >= l.Indent {
		above = above[:len(above)-1]
	}
	words := l.Words
	if l.Undo == No {
		words = append([]string{"no"}, words...)
	}
	if len(above) > 0 {
		words = slices.Concat(above[len(above)-1].words, words)
	}
	*t = append(above, section{l.Indent, words})
	return words
}

// Package typist changes a text as somebody does who writes a fabric: digits, words, lines, slips
// and what is taken back. Only tests import it.
package typist

import (
	"math/rand/v2"
	"slices"
	"strings"
)

// A Typist has a text before them.
type Typist struct {
	draw         *rand.Rand
	first        string
	text, before string
}

// New is a typist whose edits a source of chance decides.
func New(draw *rand.Rand, text string) *Typist {
	return &Typist{draw: draw, first: text, text: text, before: text}
}

// Type makes one edit and returns the text.
func (t *Typist) Type() string {
	t.before = t.text
	edits := []func(string) string{t.digit, t.digit, t.digit, t.remark, t.space, t.slip, t.drop, t.twice, t.swap, t.block, t.afresh}
	for t.text == t.before {
		t.text = edits[t.draw.IntN(len(edits))](t.text)
	}
	return t.text
}

// Undo takes the last edit back.
func (t *Typist) Undo() { t.text = t.before }

// digit changes, adds or removes a digit.
func (t *Typist) digit(text string) string {
	var at []int
	for i, c := range text {
		if '0' <= c && c <= '9' {
			at = append(at, i)
		}
	}
	i := at[t.draw.IntN(len(at))]
	digit := string(rune('0' + t.draw.IntN(10)))
	return text[:i] + []string{digit, digit, digit + text[i:i+1], ""}[t.draw.IntN(4)] + text[i+1:]
}

// slip is a letter or a sign too many or too few.
func (t *Typist) slip(text string) string {
	i := t.draw.IntN(len(text))
	signs := `abx"{}[]=.,-# ` + "\n"
	at := t.draw.IntN(len(signs))
	return text[:i] + []string{"", signs[at : at+1], signs[at:at+1] + text[i:i+1]}[t.draw.IntN(3)] + text[i+1:]
}

// inLines edits the lines of the text.
func inLines(text string, edit func([]string) []string) string {
	return strings.Join(edit(strings.Split(text, "\n")), "\n")
}

func (t *Typist) remark(text string) string {
	return inLines(text, func(l []string) []string { return slices.Insert(l, t.draw.IntN(len(l)), "# a remark") })
}

func (t *Typist) space(text string) string {
	return inLines(text, func(l []string) []string {
		l[t.draw.IntN(len(l))] += " "
		return l
	})
}

func (t *Typist) drop(text string) string {
	return inLines(text, func(l []string) []string {
		i := t.draw.IntN(len(l))
		return slices.Delete(l, i, i+1)
	})
}

func (t *Typist) twice(text string) string {
	return inLines(text, func(l []string) []string {
		i := t.draw.IntN(len(l))
		return slices.Insert(l, i, l[i])
	})
}

// swap exchanges two lines that follow each other.
func (t *Typist) swap(text string) string {
	return inLines(text, func(l []string) []string {
		i := t.draw.IntN(len(l) - 1)
		l[i], l[i+1] = l[i+1], l[i]
		return l
	})
}

// block puts a block of the top level at the end: what follows it moves up.
func (t *Typist) block(text string) string {
	blocks := strings.SplitAfter(text, "\n}\n")
	i := t.draw.IntN(len(blocks))
	return strings.Join(slices.Delete(slices.Clone(blocks), i, i+1), "") + blocks[i]
}

// afresh begins with the first text again.
func (t *Typist) afresh(string) string { return t.first }

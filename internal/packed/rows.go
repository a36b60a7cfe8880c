package packed

import (
	"slices"
	"strconv"
	"strings"
)

// predicted marks a field that continues the row before.
const predicted = "~"

// FoldRows shortens rows of fields between tabs. A field that continues the last row with the same first field becomes
// "~": each of its numbers has grown by as much as between the two rows before, and all else is equal. Tables of ports
// take half the space so. No field of the text may be "~".
func FoldRows(text string) string {
	return eachField(text, func(out *strings.Builder, c *column, field string) {
		if string(c.next()) == field {
			out.WriteString(predicted)
			c.advance()
		} else {
			out.WriteString(field)
			c.take(field)
		}
	})
}

// UnfoldRows gives back what FoldRows folded.
func UnfoldRows(text string) string {
	return eachField(text, func(out *strings.Builder, c *column, field string) {
		if field == predicted {
			out.Write(c.next())
			c.advance()
		} else {
			out.WriteString(field)
			c.take(field)
		}
	})
}

// eachField writes all fields but the first of each row anew, by what the rows before had in the same column.
func eachField(text string, write func(*strings.Builder, *column, string)) string {
	var out strings.Builder
	out.Grow(2 * len(text))
	kinds := map[string][]column{}
	for line := range strings.Lines(text) {
		row, ended := strings.CutSuffix(line, "\n")
		kind, rest, more := strings.Cut(row, "\t")
		out.WriteString(kind)
		columns := kinds[kind]
		for i := 0; more; i++ {
			var field string
			field, rest, more = strings.Cut(rest, "\t")
			if i == len(columns) {
				columns = append(columns, column{})
			}
			out.WriteByte('\t')
			write(&out, &columns[i], field)
		}
		kinds[kind] = columns
		if ended {
			out.WriteByte('\n')
		}
	}
	return out.String()
}

// A column is the last field of one, cut into what is a number and what is not.
type column struct {
	words, spare []word
	built        []byte // by next, kept to be used again
}

// A word is a number with the text before it.
type word struct {
	before       string
	number, step int
	none         bool // there is no number
}

// next returns the field that continues a column, until it is asked again.
func (c *column) next() []byte {
	c.built = c.built[:0]
	for _, w := range c.words {
		c.built = append(c.built, w.before...)
		if !w.none {
			c.built = strconv.AppendInt(c.built, int64(w.number+w.step), 10)
		}
	}
	return c.built
}

// advance makes the field that continues a column its last.
func (c *column) advance() {
	for i := range c.words {
		c.words[i].number += c.words[i].step
	}
}

// take makes a field the last of its column. Numbers have steps where the text around them is that of the field before.
func (c *column) take(field string) {
	last, words := c.words, c.spare[:0]
	for field != "" {
		begin := strings.IndexAny(field, "0123456789")
		if begin < 0 {
			words = append(words, word{before: field, none: true})
			break
		}
		end := begin
		for end < len(field) && '0' <= field[end] && field[end] <= '9' {
			end++
		}
		number, _ := strconv.Atoi(field[begin:end]) // a number that does not fit continues no range
		words = append(words, word{before: field[:begin], number: number})
		field = field[end:]
	}
	if slices.EqualFunc(words, last, func(a, b word) bool { return a.before == b.before && a.none == b.none }) {
		for i := range words {
			words[i].step = words[i].number - last[i].number
		}
	}
	c.words, c.spare = words, last
}

package typist

import (
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
)

// A Mistake is an edit of a fabric after which it is wrong.
type Mistake struct {
	Group string // typing, units, boards, wiring or physics
	Kind  string
	Text  string // of the whole file
	Lines []int  // that were changed, from 1; of lines that were taken out those around and the block's first
}

// At reports whether a line is one of those of the mistake.
func (m *Mistake) At(line int) bool { return slices.Contains(m.Lines, line) }

// A slip makes one kind of mistake in what matches. It returns what matched as it was where it can make none.
type slip struct {
	group, kind string
	in          *regexp.Regexp
	make        func(r *rand.Rand, m []string) string // of what in matches, and its groups
}

// Draw makes a mistake in a text: first its group is drawn, then its kind, then its place. A kind without
// a place in the text is drawn again.
func Draw(r *rand.Rand, text string) Mistake {
	groups := byGroup()
	for {
		of := groups[r.IntN(len(groups))]
		s := of[r.IntN(len(of))]
		places := s.in.FindAllStringSubmatchIndex(text, -1)
		if len(places) == 0 {
			continue
		}
		at := places[r.IntN(len(places))]
		var m []string
		for i := 0; i < len(at); i += 2 {
			m = append(m, text[max(at[i], 0):max(at[i+1], 0)])
		}
		wrong := text[:at[0]] + s.make(r, m) + text[at[1]:]
		lines := changed(strings.Split(text, "\n"), strings.Split(wrong, "\n"))
		if wrong == text || !strings.Contains(text, "clos \"") && s.kind == "more switches" || !strings.Contains(text, "hwsku") && s.kind == "layout reversed" {
			continue // such a fabric is right
		}
		if in, _, _ := strings.Cut(m[0], "\n"); len(m) > 2 && m[2] == "" && s.group == "physics" && twice(wrong, lines) && in != "" {
			continue // another kind of mistake
		}
		return Mistake{s.group, s.kind, wrong, lines}
	}
}

var assigned = regexp.MustCompile(`^ +([a-z_]+) +=`)

// twice reports whether a block has an attribute of a line twice.
func twice(text string, lines []int) bool {
	all := strings.Split(text, "\n")
	for _, n := range lines {
		m := assigned.FindStringSubmatch(all[n-1])
		if m == nil {
			continue
		}
		indent := all[n-1][:strings.Index(all[n-1], m[1])] + m[1]
		first := header(all, n-1)
		for k := first; k < len(all) && all[k] != indent[:max(0, len(indent)-len(m[1])-2)]+"}"; k++ {
			if rest, ok := strings.CutPrefix(all[k], indent); ok && k != n-1 && strings.HasPrefix(strings.TrimLeft(rest, " "), "=") {
				return true
			}
		}
	}
	return false
}

// Kinds returns the names of all mistakes, each after its group.
func Kinds() (names []string) {
	for _, of := range byGroup() {
		for _, s := range of {
			names = append(names, s.group+": "+s.kind)
		}
	}
	return names
}

// changed returns the lines of a text, from 1, that another one has not. Where lines are only missing, they
// are those around them, and the first line of the block in which they were.
func changed(before, after []string) (lines []int) {
	common := make([][]int, len(before)+1) // lines that the rests of both have
	for i := range common {
		common[i] = make([]int, len(after)+1)
	}
	for i := len(before) - 1; i >= 0; i-- {
		for j := len(after) - 1; j >= 0; j-- {
			if common[i][j] = max(common[i+1][j], common[i][j+1]); before[i] == after[j] {
				common[i][j] = common[i+1][j+1] + 1
			}
		}
	}
	var missing []int
	both := func(at int) { // of two equal lines each is the one too many
		for _, k := range []int{at - 1, at, at + 1} {
			if k >= 0 && k < len(after) && after[k] == after[at] {
				lines = append(lines, k+1)
			}
		}
	}
	for i, j := 0, 0; i < len(before) || j < len(after); {
		switch {
		case i < len(before) && j < len(after) && before[i] == after[j]:
			i, j = i+1, j+1
		case i == len(before) || j < len(after) && common[i][j+1] >= common[i+1][j]:
			both(j)
			j++
		default:
			missing = append(missing, j, j+1, header(before, i)+j-i)
			i++
		}
	}
	if len(lines) == 0 {
		return missing
	}
	return lines
}

// header returns the number of the first line of the block around a line.
func header(text []string, i int) int {
	indent := func(line string) int { return len(line) - len(strings.TrimLeft(line, " ")) }
	for k := i - 1; k >= 0; k-- {
		if strings.HasSuffix(text[k], "{") && indent(text[k]) < max(indent(text[i]), 1) {
			return k + 1
		}
	}
	return i
}

func byGroup() [][]slip {
	return [][]slip{typing(), inUnits(), boards(), wiring(), physics()}
}

// word makes mistakes in the second of three groups of an expression.
func word(group, kind, in string, edit func(r *rand.Rand, word string) string) slip {
	return slip{group, kind, regexp.MustCompile("(?m)" + in), func(r *rand.Rand, m []string) string { return m[1] + edit(r, m[2]) + m[3] }}
}

// instead are other words.
func instead(values ...string) func(*rand.Rand, string) string {
	return func(r *rand.Rand, _ string) string { return values[r.IntN(len(values))] }
}

// called writes one word for another one.
func called(names map[string][]string) func(*rand.Rand, string) string {
	return func(r *rand.Rand, w string) string {
		if of := names[w]; len(of) > 0 {
			return of[r.IntN(len(of))]
		}
		return w
	}
}

func without(*rand.Rand, string) string { return "" }

// misspell exchanges, drops, doubles or mistakes a letter inside a word.
func misspell(r *rand.Rand, word string) string {
	i := 1
	if len(word) > 3 {
		i += r.IntN(len(word) - 2)
	}
	switch next := min(i+1, len(word)-1); r.IntN(4) {
	case 0:
		return word[:i] + word[next:next+1] + word[i:i+1] + word[min(next+1, len(word)):]
	case 1:
		return word[:i] + word[i+1:]
	case 2:
		return word[:i] + beside(r, word[i]) + word[i+1:]
	}
	return word[:i] + word[i:i+1] + word[i:]
}

// beside is a letter that is beside another one on a keyboard.
func beside(r *rand.Rand, c byte) string {
	for _, row := range []string{"qwertyuiop", "asdfghjkl", "zxcvbnm"} {
		if i := strings.IndexByte(row, c); i >= 0 {
			k := min(max(i-1+2*r.IntN(2), 0), len(row)-1)
			return row[k : k+1]
		}
	}
	return string(c)
}

// letters misspells the part of a word before its first digit.
func letters(r *rand.Rand, word string) string {
	i := strings.IndexAny(word, "0123456789")
	if i < 4 {
		return word
	}
	return misspell(r, word[:i]) + word[i:]
}

// digits changes, drops or doubles a digit of a word.
func digits(r *rand.Rand, word string) string {
	var at []int
	for i, c := range word {
		if '0' <= c && c <= '9' {
			at = append(at, i)
		}
	}
	if len(at) == 0 {
		return word
	}
	i := at[r.IntN(len(at))]
	return word[:i] + []string{"", word[i:i+1] + word[i:i+1], string('0' + (word[i]-'0'+1)%10)}[r.IntN(3)] + word[i+1:]
}

// plural adds or takes away an s.
func plural(_ *rand.Rand, word string) string {
	if s := strings.TrimSuffix(word, "s"); s != word {
		return s
	}
	return word + "s"
}

// cased writes a word in other letters.
func cased(r *rand.Rand, word string) string {
	return []string{strings.ToUpper(word), strings.ToUpper(word[:1]) + word[1:]}[r.IntN(2)]
}

// joined writes words that a low line joins in another way.
func joined(r *rand.Rand, word string) string {
	parts := strings.Split(word, "_")
	camel := parts[0]
	for _, p := range parts[1:] {
		camel += strings.ToUpper(p[:1]) + p[1:]
	}
	return []string{camel, strings.Join(parts, "-"), strings.Join(parts, "")}[r.IntN(3)]
}

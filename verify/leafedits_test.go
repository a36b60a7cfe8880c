package verify

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/roceplan/roceplan/diag"
	"github.com/roceplan/roceplan/internal/posjson"
)

// A leaf is a value of a configuration, or a line without one.
type leaf struct {
	kind       string // the words that lead to it, with # for each number
	from, to   int    // of the value; equal where it has none
	start, end int    // of the text to delete with it
	value      string
}

// A leafEdit is a text with one leaf changed.
type leafEdit struct {
	how, text string // "deleted", "half", "twice", "another"
	line      int    // of the leaf, from 1
}

// leavesOf lists the leaves of a file.
func leavesOf(t *testing.T, text string) []leaf {
	if strings.HasPrefix(text, "{") {
		return jsonLeaves(t, text)
	}
	return lineLeaves(text)
}

var (
	digits  = regexp.MustCompile(`[0-9]+`)
	several = regexp.MustCompile(`#( #)+`)
)

func kindOf(words []string) string {
	return several.ReplaceAllString(digits.ReplaceAllString(strings.Join(words, " "), "#"), "#…")
}

func jsonLeaves(t *testing.T, text string) (all []leaf) {
	dialect := posjson.Dialect{MaxSize: 1 << 30, MaxDepth: 100, MaxNodes: 1 << 30}
	var found diag.List
	_, root := dialect.Parse("x", []byte(text), &found)
	if len(found) > 0 {
		t.Fatal(found)
	}
	var walk func(n *posjson.Node, words []string, start, end int)
	walk = func(n *posjson.Node, words []string, start, end int) {
		for i := range n.Members {
			m := &n.Members[i]
			from, to := apart(text, int(m.Start), int(m.Value.End))
			walk(&m.Value, append(words[:len(words):len(words)], m.Key), from, to)
		}
		for i := range n.Items {
			from, to := apart(text, int(n.Items[i].Start), int(n.Items[i].End))
			walk(&n.Items[i], words, from, to)
		}
		if len(n.Members)+len(n.Items) > 0 {
			return
		}
		l := leaf{kind: kindOf(words), from: int(n.Start), to: int(n.End), start: start, end: end}
		if n.Kind == posjson.Text {
			l.from, l.to = l.from+1, l.to-1
		}
		if n.Kind == posjson.Text || n.Kind == posjson.Other {
			l.value = text[l.from:l.to]
		} else {
			l.to = l.from
		}
		all = append(all, l)
	}
	walk(root, nil, 0, len(text))
	return all
}

// apart returns the text to delete with an element of an object or a list: a comma next to it too.
func apart(text string, start, end int) (int, int) {
	for i := end; i < len(text); i++ {
		if text[i] == ',' {
			return start, i + 1
		}
		if !strings.ContainsRune(" \t\n", rune(text[i])) {
			break
		}
	}
	for i := start - 1; i >= 0; i-- {
		if text[i] == ',' {
			return i, end
		}
		if !strings.ContainsRune(" \t\n", rune(text[i])) {
			break
		}
	}
	return start, end
}

var word = regexp.MustCompile(`[^\s;{}\[\]'"]+`)

// lineLeaves are those of running-configs, of Junos' and of YAML: each word of a line that is a number,
// and its last one; a line goes with the lines that are deeper.
func lineLeaves(text string) (all []leaf) {
	type open struct {
		depth int
		words string
	}
	var above []open
	lines := strings.SplitAfter(text, "\n")
	offset := 0
	for i, line := range lines {
		at := offset
		offset += len(line)
		depth := len(line) - len(strings.TrimLeft(line, " "))
		bare := strings.TrimSpace(line)
		if bare == "" || strings.HasPrefix(bare, "!") || strings.HasPrefix(bare, "#") || strings.HasPrefix(bare, "/*") || bare == "}" || bare == "end" {
			continue
		}
		for len(above) > 0 && above[len(above)-1].depth >= depth {
			above = above[:len(above)-1]
		}
		end := offset
		for j := i + 1; j < len(lines); j++ {
			deeper := len(lines[j]) - len(strings.TrimLeft(lines[j], " "))
			if closing := strings.TrimSpace(lines[j]) == "}"; deeper < depth || deeper == depth && !closing || strings.TrimSpace(lines[j]) == "" {
				break
			} else if end += len(lines[j]); deeper == depth {
				break
			}
		}
		var words []string
		for _, o := range above {
			words = append(words, o.words)
		}
		found := word.FindAllStringIndex(line, -1)
		for k, w := range found {
			value := line[w[0]:w[1]]
			_, isNumber := number(value)
			last := k == len(found)-1 && k > 0
			if !isNumber && !last || len(found) == 1 {
				continue
			}
			own := append(append(words[:len(words):len(words)], strings.Join(word.FindAllString(line[:w[0]], -1), " ")), "·", strings.Join(word.FindAllString(line[w[1]:], -1), " "))
			all = append(all, leaf{kind: strings.TrimSpace(kindOf(own)), from: at + w[0], to: at + w[1], start: at, end: end, value: value})
			if k < len(found)-1 {
				all[len(all)-1].start, all[len(all)-1].end = 0, 0
			}
		}
		if len(found) == 1 {
			all = append(all, leaf{kind: kindOf(append(words[:len(words):len(words)], bare)), from: at, to: at, start: at, end: end})
		}
		above = append(above, open{depth, strings.Join(word.FindAllString(line, -1), " ")})
	}
	return all
}

// number splits a value into the number that it begins with and its unit.
func number(value string) (n int64, ok bool) {
	i := 0
	for i < len(value) && value[i] >= '0' && value[i] <= '9' {
		i++
	}
	if i == 0 || i > 15 || strings.ContainsAny(value[i:], ",-/|[:x") || i > 1 && value[0] == '0' {
		return 0, false
	}
	n, err := strconv.ParseInt(value[:i], 10, 64)
	return n, err == nil
}

// edits returns the changes of one leaf: deleted, half, twice, and another value of its kind in the file.
func (l leaf) edits(text string, others []string) (all []leafEdit) {
	line := 1 + strings.Count(text[:l.from], "\n")
	with := func(how, value string) {
		if value != l.value {
			all = append(all, leafEdit{how, text[:l.from] + value + text[l.to:], line})
		}
	}
	if l.end > l.start {
		all = append(all, leafEdit{"deleted", text[:l.start] + text[l.end:], line})
	}
	if l.from == l.to {
		return all
	}
	if n, ok := number(l.value); ok {
		unit := strings.TrimLeft(l.value, "0123456789")
		with("half", fmt.Sprint(n/2)+unit)
		with("twice", fmt.Sprint(2*n)+unit)
	}
	for _, other := range others {
		if other != l.value {
			with("another", other)
			break
		}
	}
	return all
}

// ofKind lists the different values of each kind.
func ofKind(leaves []leaf) map[string][]string {
	of, have := map[string][]string{}, map[string]bool{}
	for _, l := range leaves {
		if key := l.kind + "\x00" + l.value; l.value != "" && !have[key] && len(of[l.kind]) < 2 {
			have[key] = true
			of[l.kind] = append(of[l.kind], l.value)
		}
	}
	return of
}

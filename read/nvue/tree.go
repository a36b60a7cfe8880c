package nvue

import (
	"errors"
	"regexp"
	"strconv"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"go.yaml.in/yaml/v4"

	"github.com/roceplan/roceplan/diag"
)

// maxSize bounds a file: the whole configuration of a switch has some 100 kB.
const maxSize = 4 << 20

// A node is a part of the document. The zero node is one that is not there, and all that
// lies below it is not there either.
type node struct {
	r *reader
	y *yaml.Node
}

func (n node) there() bool { return n.y != nil }

// get returns what lies at a path.
func (n node) get(path ...string) node {
	for _, key := range path {
		next := node{r: n.r}
		n.each(func(k string, kid node) {
			if k == key {
				next = kid
			}
		})
		n = next
	}
	return n
}

// each calls f for every key of a mapping.
func (n node) each(f func(key string, kid node)) {
	if n.y == nil || n.y.Kind != yaml.MappingNode {
		return
	}
	for i := 0; i+1 < len(n.y.Content); i += 2 {
		f(n.y.Content[i].Value, node{n.r, n.y.Content[i+1]})
	}
}

// at is the place of a node.
func (n node) at() diag.Range {
	if n.y == nil {
		return diag.Range{}
	}
	return n.r.rangeOf(n.y.Line, n.y.Column, len(n.y.Value))
}

func (r *reader) rangeOf(line, column, length int) diag.Range {
	line, column = max(line, 1), max(column, 1)
	offset := r.offset(line) + column - 1
	offset = min(offset, r.size)
	end := min(offset+length, r.size)
	return diag.Range{
		Filename: r.file,
		Start:    hcl.Pos{Line: line, Column: column, Byte: offset},
		End:      hcl.Pos{Line: line, Column: column + end - offset, Byte: end},
	}
}

func (r *reader) offset(line int) int {
	if line > len(r.lines) {
		return r.size
	}
	return r.lines[line-1]
}

// parse finds the tree below `set`.
func (r *reader) parse(src []byte) node {
	var doc yaml.Node
	if err := yaml.Load(src, &doc); err != nil {
		line := 1
		text := firstLine(err)
		if m := lineIn.FindStringSubmatch(text); m != nil {
			line, _ = strconv.Atoi(m[1])
		}
		_, why, _ := strings.Cut(text, ": ")
		r.list.Errorf(YAML, r.rangeOf(line, 1, 0), "this is not YAML: %s", why)
		return node{}
	}
	root := &doc
	if root.Kind == yaml.DocumentNode && len(root.Content) == 1 {
		root = root.Content[0]
	}
	found := node{}
	r.unique(root)
	if root.Kind != yaml.SequenceNode {
		r.list.Errorf(Shape, r.rangeOf(root.Line, root.Column, 0), "this is not a list of operations; NVUE's YAML begins with - set:")
		return found
	}
	for _, item := range root.Content {
		set := node{r, item}.get("set")
		if found.there() && set.there() {
			r.list.Errorf(Shape, set.at(), "there is a second set; one document has one").Fixf("join them")
		} else if set.there() {
			found = set
		}
	}
	if !found.there() {
		r.list.Errorf(Shape, r.rangeOf(1, 1, 0), "no operation of the file is a set")
	}
	return found
}

// unique tells of keys that stand twice in one mapping.
func (r *reader) unique(n *yaml.Node) {
	seen := make(map[string]bool)
	for i, kid := range n.Content {
		if n.Kind == yaml.MappingNode && i%2 == 0 {
			if seen[kid.Value] {
				r.list.Errorf(Duplicate, node{r, kid}.at(), "the key %q stands here a second time", clip(kid.Value))
			}
			seen[kid.Value] = true
		}
		r.unique(kid)
	}
}

var lineIn = regexp.MustCompile(`\bL(\d+)\b`)

func firstLine(err error) string {
	var several *yaml.LoadErrors
	if errors.As(err, &several) && len(several.Errors) > 0 {
		err = several.Errors[0]
	}
	text, _, _ := strings.Cut(err.Error(), "\n")
	return text
}

// number reads a leaf between two bounds, a default where it is not there.
func (n node) number(least, most, otherwise int64) int64 {
	if !n.there() {
		return otherwise
	}
	v, err := strconv.ParseInt(n.y.Value, 10, 64)
	if n.y.Kind != yaml.ScalarNode || err != nil || v < least || v > most {
		n.r.list.Errorf(Number, n.at(), "%q is not a number from %d to %d", clip(n.y.Value), least, most)
		return otherwise
	}
	return v
}

// word reads a leaf that is one of some words, the first where it is not there.
func (n node) word(words ...string) string {
	if !n.there() {
		return words[0]
	}
	for _, w := range words {
		if n.y.Value == w {
			return w
		}
	}
	n.r.list.Errorf(Word, n.at(), "%q is none of %s", clip(n.y.Value), strings.Join(words, ", "))
	return words[0]
}

// on tells whether a switch of NVUE is on, in the words of any release.
func (n node) on() bool {
	switch n.word("", "on", "off", "enable", "disable", "enabled", "disabled", "true", "false") {
	case "on", "enable", "enabled", "true":
		return true
	}
	return false
}

// instances calls f for each number that is a key, such as switch-priority '3'. A key
// may be a list, 0-3,5.
func (n node) instances(most int64, f func(i int, kid node)) {
	n.each(func(key string, kid node) {
		for _, part := range strings.Split(key, ",") {
			first, last, isRange := strings.Cut(part, "-")
			if !isRange {
				last = first
			}
			from, err1 := strconv.ParseInt(first, 10, 64)
			to, err2 := strconv.ParseInt(last, 10, 64)
			if err1 != nil || err2 != nil || from < 0 || to < from || to > most {
				n.r.list.Errorf(Number, kid.at(), "%q is not a number from 0 to %d", clip(key), most)
				continue
			}
			for i := from; i <= to; i++ {
				f(int(i), kid)
			}
		}
	})
}

func clip(s string) string {
	const most = 60
	if len(s) <= most {
		return s
	}
	return strings.ToValidUTF8(s[:most], "") + "…"
}

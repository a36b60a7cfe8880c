package nvue

import (
	"bytes"
	"errors"
	"regexp"
	"slices"
	"sort"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/hashicorp/hcl/v2"
	"go.yaml.in/yaml/v4"

	"github.com/roceplan/roceplan/diag"
)

// Bounds of a file. The whole configuration of a switch has some 100 kB and some thousand
// statements; lists of instances count with each.
const (
	maxSize  = 4 << 20
	maxNodes = 1 << 18
	maxDepth = 40
)

var byteOrderMark = []byte("\xef\xbb\xbf")

// A statement is what one line of the file sets or takes away.
type statement struct {
	at     diag.Range
	text   string  // "qos pfc x tx enable": as a command says it
	live   []*node // where it was when it was read; nodes know what is there now
	stands int     // at how many of them it still does
	gone   string  // ID of the neutral rule by which it is nowhere
	done   bool    // it is modelled, wherever it is
	doubt  string  // why a script may do something else with it; empty: it does not
}

// load reads the operations of a file, one after the other, into the switch's settings.
func (r *reader) load(src []byte) {
	if len(src) > maxSize {
		r.list.Errorf(YAML, r.rangeOf(1, 1, 0), "the file has %d bytes; more than %d are not read", len(src), maxSize).Fixf("give roceplan the configuration of one switch at a time")
		return
	}
	if rest, ok := bytes.CutPrefix(src, byteOrderMark); ok {
		src, r.before = rest, len(byteOrderMark)
	}
	r.src, r.lines = src, []int{0}
	for i, c := range src {
		if c == '\n' {
			r.lines = append(r.lines, i+1)
		}
	}
	if isCommands(src) {
		r.commands = true
		r.loadCommands(src)
	} else {
		r.loadYAML(bytes.ToValidUTF8(src, []byte("?")))
	}
	r.set.prune()
	if r.nodes > maxNodes {
		r.list.Errorf(Shape, r.rangeOf(1, 1, 0), "the file has more than %d settings, with each entry of its lists; the rest is not read", maxNodes).Fixf("give roceplan the configuration of one switch at a time, without unused settings")
	}
}

func (r *reader) loadYAML(src []byte) {
	var doc yaml.Node
	if err := yaml.Load(src, &doc); err != nil {
		line := 1
		text := firstLine(err)
		if m := lineIn.FindStringSubmatch(text); m != nil {
			line, _ = strconv.Atoi(m[1])
		}
		if _, why, ok := strings.Cut(text, ": "); ok {
			text = why
		}
		r.list.Errorf(YAML, r.rangeOf(line, 1, 0), "this is not YAML: %s", text).Fixf("give the output of `nv config show` as it is")
		return
	}
	root := &doc
	if root.Kind == yaml.DocumentNode && len(root.Content) == 1 {
		root = root.Content[0]
	}
	r.unique(root)
	if root.Kind != yaml.SequenceNode {
		r.list.Errorf(Shape, r.rangeOf(root.Line, root.Column, 0), "this is not a list of operations; NVUE's YAML begins with - set:").Fixf("give the output of `nv config show`: a list that begins with - set:")
		return
	}
	sets := 0
	for _, item := range root.Content {
		sets += r.operations(item)
	}
	if sets == 0 {
		r.list.Errorf(Shape, r.rangeOf(1, 1, 0), "no operation of the file is a set").Fixf("give the output of `nv config show`: a list that begins with - set:")
	}
}

// operations does the operations of one item, and returns how many of them set something.
func (r *reader) operations(item *yaml.Node) (sets int) {
	if item.Kind != yaml.MappingNode {
		r.list.Errorf(Shape, r.rangeOf(item.Line, item.Column, len(item.Value)), "this is not an operation: header, set and unset are").Fixf("write - set: with the settings below it")
		return 0
	}
	for pair := range slices.Chunk(item.Content, 2) {
		if r.nodes > maxNodes {
			break
		}
		key, value := pair[0], pair[1]
		switch key.Value {
		case "set":
			sets++
			r.walk([]*node{r.set}, value, nil, r.say)
		case "unset":
			r.walk([]*node{r.set}, value, nil, r.unsay)
		case "header":
			r.walk([]*node{r.header.child("header")}, value, []string{"header"}, r.say)
		default:
			r.list.Errorf(Shape, r.rangeOf(key.Line, key.Column, len(key.Value)), "%q is not an operation: header, set and unset are", clip(key.Value)).Fixf("write set or unset, with the settings below it")
		}
	}
	return sets
}

// walk goes through the leaves of a value, and does with each what the operation does.
// Several nodes are walked at once where a key lists instances.
func (r *reader) walk(into []*node, y *yaml.Node, path []string, do func(into []*node, st *statement, y *yaml.Node)) {
	if y.Kind == yaml.AliasNode {
		y = y.Alias
	}
	if slices.Contains(r.open, y) {
		r.list.Errorf(Shape, r.rangeOf(y.Line, y.Column, 0), "an alias within this mapping refers to the mapping itself").Fixf("write the values in place of the alias")
		return
	}
	r.open = append(r.open, y)
	defer func() { r.open = r.open[:len(r.open)-1] }()
	switch {
	case len(path) > maxDepth:
		r.list.Errorf(Shape, r.rangeOf(y.Line, y.Column, 0), "this is nested deeper than %d levels", maxDepth).Fixf("give the output of `nv config show` as it is")
		return
	case y.Kind == yaml.ScalarNode && y.Tag == "!!null":
		return
	case y.Kind != yaml.MappingNode:
		r.list.Errorf(Shape, r.rangeOf(y.Line, y.Column, len(y.Value)), "an operation has a mapping, but this is not one").Fixf("write the settings below the operation as KEY: VALUE")
		return
	}
	for i := 0; i+1 < len(y.Content) && r.nodes <= maxNodes; i += 2 {
		key, value := y.Content[i], y.Content[i+1]
		if value.Kind == yaml.AliasNode {
			value = value.Alias
		}
		kids := r.kids(into, path, key.Value)
		for _, kid := range kids {
			kid.key = r.rangeOf(key.Line, key.Column, len(key.Value))
		}
		below := append(path[:len(path):len(path)], key.Value)
		if value.Kind == yaml.MappingNode && len(value.Content) != 0 {
			r.walk(kids, value, below, do)
			continue
		}
		do(kids, r.statement(key, value, below), value)
	}
}

// kids returns the nodes that a key names.
func (r *reader) kids(into []*node, path []string, key string) (kids []*node) {
	last := ""
	if len(path) > 0 {
		last = path[len(path)-1]
	}
	names := instanceNames(last, key)
	for _, n := range into {
		for _, name := range names {
			if kid := n.child(name); kid != nil {
				kids = append(kids, kid)
			}
		}
	}
	return kids
}

// statement notes a leaf of the document.
func (r *reader) statement(key, value *yaml.Node, path []string) *statement {
	text := strings.Join(path, " ")
	from := r.rangeOf(key.Line, key.Column, len(key.Value))
	if value.Kind == yaml.ScalarNode && value.Line > 0 && value.Line >= key.Line {
		if to := r.rangeOf(value.Line, value.Column, len(value.Value)); to.Start.Byte >= from.End.Byte {
			from.End = to.End
		}
		text += " " + value.Value
	}
	st := &statement{at: from, text: strings.Join(strings.Fields(text), " ")}
	r.said = append(r.said, st)
	return st
}

// say records a statement at nodes.
func (r *reader) say(into []*node, st *statement, y *yaml.Node) {
	r.order++
	for _, n := range into {
		if r.nodes++; r.nodes > maxNodes {
			return
		}
		n.retract(ruleOverridden)
		n.said, n.kind, n.value, n.order, n.place = st, y.Kind, y.Value, r.order, st.at
		if y.Kind == yaml.ScalarNode && y.Value != "" {
			n.place = r.rangeOf(y.Line, y.Column, len(y.Value))
		}
		st.live = append(st.live, n)
		st.stands++
	}
}

// unsay removes nodes and everything below.
func (r *reader) unsay(into []*node, st *statement, _ *yaml.Node) {
	st.gone = ruleUnsetNothing
	for _, n := range into {
		if n.retractAll() {
			st.done = true
		}
	}
}

// retract removes the statement of a node itself, and reports whether there was one.
func (n *node) retract(rule string) bool {
	st := n.said
	if st == nil {
		return false
	}
	n.said = nil
	if st.stands--; st.stands == 0 {
		st.gone = rule
	}
	return true
}

func (n *node) retractAll() bool {
	some := n.retract(ruleUnset)
	for _, kid := range n.kids {
		some = kid.retractAll() || some
	}
	return some
}

// prune removes nodes without statements on them or below.
func (n *node) prune() bool {
	for _, kid := range slices.Clone(n.kids) {
		if kid.prune() {
			n.remove(kid)
		}
	}
	return n.said == nil && len(n.kids) == 0
}

// unique reports keys that occur twice in one mapping.
func (r *reader) unique(n *yaml.Node) {
	seen := make(map[string]bool)
	for i, kid := range n.Content {
		if n.Kind == yaml.MappingNode && i%2 == 0 {
			if seen[kid.Value] {
				r.list.Errorf(Duplicate, r.rangeOf(kid.Line, kid.Column, len(kid.Value)), "the key %q occurs twice here", clip(kid.Value)).Fixf("remove one of the two")
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

// rangeOf is a place of the file by what yaml counts: lines and characters from 1.
func (r *reader) rangeOf(line, column, length int) diag.Range {
	line, column = max(line, 1), max(column, 1)
	start := r.offset(line, column)
	end := min(start+length, len(r.src))
	return diag.Range{
		Filename: r.file,
		Start:    hcl.Pos{Line: line, Column: column, Byte: r.before + start},
		End:      hcl.Pos{Line: line, Column: column + end - start, Byte: r.before + end},
	}
}

// offset returns the byte at which a character of a line begins.
func (r *reader) offset(line, column int) int {
	if line > len(r.lines) {
		return len(r.src)
	}
	at := r.lines[line-1]
	for ; column > 1 && at < len(r.src); column-- {
		_, size := utf8.DecodeRune(r.src[at:])
		at += size
	}
	return at
}

// lineAt returns the line of a byte.
func (r *reader) lineAt(at int) int { return sort.SearchInts(r.lines, at+1) }

package eos

import (
	"bytes"
	"slices"
	"strings"

	"github.com/roceplan/roceplan/diag"
	"github.com/roceplan/roceplan/emit"
	row "github.com/roceplan/roceplan/format/eos"
	"github.com/roceplan/roceplan/plan"
)

// ChangeFile is the path of a change below the device's folder.
const ChangeFile = "eos-change.txt"

// EmitChange prints a session script, as [EmitSession] does, of what is different between
// two configurations of a switch: lines that are new or say something else, then those
// that go, with `no` before them, which takes any line of a running-config back (EOS user
// manual, Command-Line Interface). A session is committed as one, so the switch never
// runs half of it. No file: nothing is different.
func EmitChange(from, to *plan.Switch) ([]emit.File, diag.List) {
	return emit.PrintChange(from, to, ChangeFile, compose, func(old, next *view) []byte {
		was, will := parseBlocks(old.running()), parseBlocks(next.running())
		var body bytes.Buffer
		written(&body, was, will, "")
		taken(&body, was, will, "")
		if body.Len() == 0 {
			return nil
		}
		const after = "! to take it back after that: the change in the other direction, in the same way\n"
		return append([]byte(after), session(body.Bytes())...)
	})
}

// A block is a line with those below it.
type block struct {
	line string
	kids []*block
}

func (b *block) named(line string) *block {
	i := slices.IndexFunc(b.kids, func(k *block) bool { return k.line == line })
	if i < 0 {
		return nil
	}
	return b.kids[i]
}

// keyed finds a line that the given one would take the place of.
func (b *block) keyed(line string) *block {
	i := slices.IndexFunc(b.kids, func(k *block) bool { return key(k.line) == key(line) })
	if i < 0 {
		return nil
	}
	return b.kids[i]
}

// parseBlocks reads a running-config that we have printed.
func parseBlocks(running []byte) *block {
	root := &block{}
	stack := []*block{root}
	depth := []int{-1}
	for text := range bytes.Lines(running) {
		line := strings.TrimSpace(string(text))
		if line == "" || line == "!" || line == "end" || strings.HasPrefix(line, "hostname ") {
			continue
		}
		indent := len(text) - len(bytes.TrimLeft(text, " "))
		for depth[len(depth)-1] >= indent {
			stack, depth = stack[:len(stack)-1], depth[:len(depth)-1]
		}
		b := &block{line: line}
		parent := stack[len(stack)-1]
		parent.kids = append(parent.kids, b)
		stack, depth = append(stack, b), append(depth, indent)
	}
	return root
}

// written prints what the second has and the first has not.
func written(out *bytes.Buffer, was, will *block, indent string) {
	for _, b := range will.kids {
		var before *block
		if was != nil {
			before = was.named(b.line)
		}
		if before == nil {
			out.WriteString(indent + b.line + "\n")
			written(out, nil, b, indent+"   ")
			continue
		}
		var below bytes.Buffer
		written(&below, before, b, indent+"   ")
		if below.Len() > 0 {
			out.WriteString(indent + b.line + "\n" + below.String())
		}
	}
}

// taken takes back what the first has and the second has nothing for. Interfaces stay: the lines
// below them go.
func taken(out *bytes.Buffer, was, will *block, indent string) {
	for _, b := range was.kids {
		after := will.named(b.line)
		isPort := strings.HasPrefix(b.line, "interface ")
		if after == nil && !isPort {
			if will.keyed(b.line) == nil {
				out.WriteString(indent + negated(b.line) + "\n")
			}
			continue
		}
		if after == nil {
			after = &block{}
		}
		var below bytes.Buffer
		taken(&below, b, after, indent+"   ")
		if below.Len() > 0 {
			out.WriteString(indent + b.line + "\n" + below.String())
		}
	}
}

func negated(line string) string {
	if rest, was := strings.CutPrefix(line, "no "); was {
		return rest
	}
	return "no " + line
}

// anyCode are the maps of code points: every line of them is over-written by the others,
// which together name all code points.
const anyCode = "qos map dscp"

// key returns the words by which a line is known: another line with the same takes its place. Those of lines without
// a row are all their words.
func key(line string) string {
	words := strings.Fields(strings.TrimPrefix(line, "no "))
	if strings.HasPrefix(line, anyCode) {
		return anyCode
	}
	for i := range row.Rows[1:] {
		pattern := strings.Fields(row.Rows[1+i].Path)
		if len(words) >= len(pattern) && slices.EqualFunc(words[:len(pattern)], pattern, func(word, want string) bool {
			return word == want || want == "N" && strings.Trim(word, "0123456789") == ""
		}) {
			return strings.Join(words[:len(pattern)], " ")
		}
	}
	return strings.Join(words, " ")
}

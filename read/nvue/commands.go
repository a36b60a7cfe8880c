package nvue

import (
	"bytes"
	"regexp"
	"slices"
	"strings"

	"go.yaml.in/yaml/v4"

	"github.com/roceplan/roceplan/diag"
)

// firstCommand is the head of a file of commands: comments, the settings of a shell, and
// the first command.
var firstCommand = regexp.MustCompile(`^(\s*(#[^\n]*|set [^\n]*)?\n)*\s*(\S+\$ )?nv (set|unset|config) `)

// isCommands reports whether a file is what `nv config show -o commands` prints.
func isCommands(src []byte) bool { return firstCommand.Match(src[:min(len(src), 4096)]) }

// loadCommands reads `nv set` and `nv unset`. Other lines of a script that applies them set
// nothing.
func (r *reader) loadCommands(src []byte) {
	for at := 0; at < len(src) && r.nodes <= maxNodes; {
		line := quotedLines(src[at:])
		text := strings.TrimSpace(string(bytes.ToValidUTF8(line, []byte("?"))))
		if _, command, ok := strings.Cut(text, "$ nv "); ok {
			text = "nv " + command // the prompt of a session
		}
		words, special := shellWords(text)
		if len(words) > 0 {
			r.command(words, special, r.lineRange(at, line))
		}
		at += len(line)
	}
	r.unapplied()
}

// quotedLines returns the first line of a text, with those that follow until its quotes end: a banner has
// several.
func quotedLines(src []byte) []byte {
	const most = 64
	first, end := 0, 0
	for range most {
		n := bytes.IndexByte(src[end:], '\n') + 1
		if n == 0 {
			n = len(src) - end
		}
		end += n
		if first == 0 {
			first = end
		}
		if _, special := shellWords(string(src[:end])); special != "'" && special != `"` {
			return src[:end]
		}
		if end == len(src) {
			break
		}
	}
	return src[:first]
}

// command executes a line. Its statement records the part that is not modelled.
func (r *reader) command(words []string, special string, at diag.Range) {
	st := &statement{at: at, text: strings.TrimPrefix(strings.Join(words, " "), "nv set ")}
	r.said = append(r.said, st)
	st.doubt = shellDoubt(words, special)
	switch {
	case st.doubt != "":
	case len(words) > 2 && words[0] == "nv" && words[1] == "set":
		r.say(r.path(words[2:]), st, &yaml.Node{})
	case len(words) > 2 && words[0] == "nv" && words[1] == "unset":
		r.unsay(r.path(words[2:]), st, nil)
	case len(words) > 1 && words[0] == "nv" && words[1] == "config":
		st.gone, st.doubt = ruleScript, configDoubt(words[2:])
		if applies(words[2:]) {
			r.applied = len(r.said)
		}
	case slices.Contains([]string{"set", "echo", "printf", "sleep"}, words[0]), len(words) > 1 && words[0] == "nv" && words[1] == "show":
		st.gone = ruleScript
	default:
		r.list.Errorf(Shape, st.at, "this is not a command of NVUE: nv set, nv unset and nv config are").Fixf("begin the line with nv set, nv unset or nv config")
	}
}

// unapplied doubts what follows the last apply of a script. A file without any is a list
// of commands, such as `nv config show -o commands` prints.
func (r *reader) unapplied() {
	if r.applied == 0 {
		return
	}
	for _, st := range r.said[r.applied:] {
		if sets := len(st.live) > 0 || st.done || st.gone == ruleUnsetNothing; sets && st.doubt == "" {
			st.doubt = "it is staged after the last nv config apply, so it is not applied"
		}
	}
}

// path returns the nodes that the words of a command lead to.
func (r *reader) path(words []string) []*node {
	into := []*node{r.set}
	for i, word := range words {
		into = r.kids(into, words[:i], word)
	}
	return into
}

func (r *reader) lineRange(at int, line []byte) diag.Range {
	trimmed := bytes.TrimLeft(line, " \t")
	column := len(line) - len(trimmed) + 1
	return r.rangeOf(r.lineAt(at), column, len(bytes.TrimRight(trimmed, " \t\r\n")))
}

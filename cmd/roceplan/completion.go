package main

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/alecthomas/kong"

	"github.com/roceplan/roceplan/chips"
	"github.com/roceplan/roceplan/docs"
	"github.com/roceplan/roceplan/internal/target"
	"github.com/roceplan/roceplan/policy"
)

type completionCmd struct {
	Shell string `arg:"" enum:"bash,zsh,fish" help:"bash, zsh or fish."`
}

func (completionCmd) Help() string {
	return `In bash, for the shell that runs:

    source <(roceplan completion bash)

In zsh, for all sessions:

    roceplan completion zsh >"${fpath[1]}/_roceplan"

In fish, for all sessions:

    roceplan completion fish >~/.config/fish/completions/roceplan.fish`
}

// Run prints a script that completes commands and flags. Where neither fits, the shell
// completes names of files.
func (c completionCmd) Run(t *terminal, call *kong.Context) error {
	all := stops(call.Model.Node)
	switch c.Shell {
	case "bash":
		t.printf("%s", bashCompletion(all))
	case "zsh":
		t.printf("%s", zshCompletion(all))
	case "fish":
		t.printf("%s", fishCompletion(all))
	}
	return nil
}

// A stop is a place in the command line: after a command, what may follow.
type stop struct {
	path  string // " chips show": the commands so far, each after a space
	words []candidate
	flags []candidate
}

// A candidate is a word that fits; if it is a flag, values are those that it takes, as far as
// they are known.
type candidate struct {
	word, help string
	values     []string
}

// stops walks the commands, parents first.
func stops(root *kong.Node) []stop {
	var all []stop
	var walk func(n *kong.Node, path string)
	walk = func(n *kong.Node, path string) {
		here := stop{path: path}
		for _, child := range n.Children {
			if !child.Hidden {
				here.words = append(here.words, candidate{word: child.Name, help: child.Help})
			}
		}
		for _, positional := range n.Positional {
			for _, word := range values(positional) {
				here.words = append(here.words, candidate{word: word})
			}
		}
		for _, group := range n.AllFlags(true) {
			for _, flag := range group {
				here.flags = append(here.flags, candidate{"--" + flag.Name, flag.Help, values(flag.Value)})
			}
		}
		all = append(all, here)
		for _, child := range n.Children {
			if !child.Hidden {
				walk(child, path+" "+child.Name)
			}
		}
	}
	walk(root, "")
	return all
}

// values are those of an enumeration, or, where a tag complete says of what, all that there
// are in the program's own library and catalogue.
func values(v *kong.Value) (list []string) {
	switch v.Tag.Get("complete") {
	case "scenario":
		for _, s := range policy.Library() {
			list = append(list, s.Name)
		}
	case "chip":
		catalogue, _ := chips.Load()
		list = catalogue.Names()
	case "nic":
		catalogue, _ := chips.Load()
		for _, n := range catalogue.NICs() {
			list = append(list, n.Name)
		}
	case "target":
		list = target.Names()
	case "code":
		list = append([]string{"language", "chips", "commands"}, docs.Codes()...)
	case "schema":
		list = slices.Sorted(maps.Keys(outputs()))
	default:
		list = strings.FieldsFunc(v.Enum, func(r rune) bool { return r == ',' })
	}
	return list
}

func names(list []candidate) string {
	words := make([]string, len(list))
	for i, c := range list {
		words[i] = c.word
	}
	return strings.Join(words, " ")
}

// paths is the alternatives of a shell's case that are commands.
func paths(all []stop) string {
	quoted := make([]string, 0, len(all))
	for _, s := range all[1:] {
		quoted = append(quoted, fmt.Sprintf("%q", s.path))
	}
	return strings.Join(quoted, "|")
}

func bashCompletion(all []stop) string {
	var out strings.Builder
	fmt.Fprintf(&out, `_roceplan() {
  local current=${COMP_WORDS[COMP_CWORD]} at="" words flags i
  for ((i = 1; i < COMP_CWORD; i++)); do
    case "$at ${COMP_WORDS[i]}" in
      %s) at="$at ${COMP_WORDS[i]}" ;;
    esac
  done
  case "$at" in
`, paths(all))
	for _, s := range all {
		fmt.Fprintf(&out, "    %q) words=%q flags=%q ;;\n", s.path, names(s.words), names(s.flags))
	}
	out.WriteString("  esac\n  [[ $current == -* ]] && words=$flags\n  case \"$at ${COMP_WORDS[COMP_CWORD - 1]}\" in\n")
	eachValued(all, func(place string, c candidate) {
		fmt.Fprintf(&out, "    %q) words=%q ;;\n", place, strings.Join(c.values, " "))
	})
	out.WriteString(`  esac
  mapfile -t COMPREPLY < <(compgen -W "$words" -- "$current")
}
complete -o bashdefault -o default -F _roceplan roceplan
`)
	return out.String()
}

// eachValued calls a function for each flag whose values are known, with the commands and the
// flag as the place.
func eachValued(all []stop, visit func(place string, flag candidate)) {
	for _, s := range all {
		for _, c := range s.flags {
			if len(c.values) > 0 {
				visit(s.path+" "+c.word, c)
			}
		}
	}
}

func zshCompletion(all []stop) string {
	var out strings.Builder
	fmt.Fprintf(&out, `#compdef roceplan
_roceplan() {
  local at="" i
  local -a candidates options
  for ((i = 2; i < CURRENT; i++)); do
    case "$at ${words[i]}" in
      %s) at="$at ${words[i]}" ;;
    esac
  done
  case "$at" in
`, paths(all))
	for _, s := range all {
		fmt.Fprintf(&out, "    %q) candidates=(%s) options=(%s) ;;\n", s.path, zshList(s.words), zshList(s.flags))
	}
	out.WriteString("  esac\n  case \"$at ${words[CURRENT-1]}\" in\n")
	eachValued(all, func(place string, c candidate) {
		fmt.Fprintf(&out, "    %q) compadd -- %s; return ;;\n", place, strings.Join(c.values, " "))
	})
	out.WriteString(`  esac
  if [[ $PREFIX == -* ]]; then
    _describe option options
  elif (( $#candidates )); then
    _describe command candidates
  else
    _files
  fi
}
if [[ $funcstack[1] == _roceplan ]]; then
  _roceplan "$@"
else
  compdef _roceplan roceplan
fi
`)
	return out.String()
}

func zshList(list []candidate) string {
	items := make([]string, len(list))
	for i, c := range list {
		items[i] = singleQuoted(strings.TrimSuffix(c.word+":"+strings.ReplaceAll(c.help, ":", `\:`), ":"))
	}
	return strings.Join(items, " ")
}

func fishCompletion(all []stop) string {
	var out strings.Builder
	// A condition is the commands so far, without flags and other words.
	fmt.Fprintf(&out, `function __roceplan_at
    set -l at ""
    for word in (commandline -opc)[2..]
        contains -- "$at $word" %s; and set at "$at $word"
    end
    test "$at" = "$argv[1]"
end
`, strings.ReplaceAll(paths(all), "|", " "))
	for _, s := range all {
		if len(s.words) > 0 {
			fmt.Fprintf(&out, "complete -c roceplan -n '__roceplan_at %q' -f\n", s.path)
		}
		for _, c := range s.words {
			fmt.Fprintf(&out, "complete -c roceplan -n '__roceplan_at %q' -a %s -d %s\n", s.path, c.word, singleQuoted(c.help))
		}
		for _, c := range s.flags {
			own := ""
			if len(c.values) > 0 {
				own = " -x -a " + singleQuoted(strings.Join(c.values, " "))
			}
			fmt.Fprintf(&out, "complete -c roceplan -n '__roceplan_at %q' -l %s -d %s%s\n", s.path, strings.TrimPrefix(c.word, "--"), singleQuoted(c.help), own)
		}
	}
	return out.String()
}

// singleQuoted quotes for a POSIX shell, zsh and fish alike: a quote within is left
// by closing, escaping and opening again.
func singleQuoted(s string) string { return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'" }

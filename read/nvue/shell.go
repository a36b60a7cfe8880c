package nvue

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// A line of a script is read if it has words alone, in quotes or not. A shell does more with
// some lines: it runs several commands, or none, or makes words of variables and of what other
// commands print. Such a line is not modelled.

// shellWords splits a line at blanks, but not within quotes, and leaves out a remark behind
// them. special is what a shell takes for more than a word; empty where there is none.
func shellWords(line string) (words []string, special string) {
	var word strings.Builder
	quote, inside := rune(0), false
	flush := func() {
		if inside {
			words = append(words, word.String())
		}
		word.Reset()
		inside = false
	}
	for _, c := range line {
		if special == "" && isSpecial(c, quote) {
			special = string(c)
		}
		switch {
		case quote != 0 && c == quote:
			quote = 0
		case quote == 0 && (c == '\'' || c == '"'):
			quote, inside = c, true
		case quote == 0 && (c == ' ' || c == '\t'):
			flush()
		case quote == 0 && c == '#' && !inside:
			return words, special
		default:
			word.WriteRune(c)
			inside = true
		}
	}
	flush()
	if quote != 0 && special == "" {
		special = string(quote)
	}
	return words, special
}

// isSpecial reports whether a character is more than a part of a word within a quote, 0 for
// none: POSIX.1-2017, Shell Command Language, 2.2 Quoting; braces are bash's. Patterns of file
// names are left: no file is called like a path of NVUE.
func isSpecial(c, quote rune) bool {
	switch quote {
	case '\'':
		return false
	case '"':
		return strings.ContainsRune("$`\\", c)
	}
	return strings.ContainsRune(";|&<>$`\\(){}", c)
}

// assignment is a variable before a command, reserved the words that make one command of
// several (POSIX.1-2017, Shell Command Language, 2.4).
var (
	assignment = regexp.MustCompile(`^\w+=`)
	reserved   = []string{"!", "if", "then", "else", "elif", "fi", "for", "while", "until", "do", "done", "case", "esac", "exit", "return", "exec", "eval", "source", "."}
	settings   = regexp.MustCompile(`^set( -[eux]*o pipefail| -[eux]+)+$`)
)

// shellDoubt says why a line is not modelled; empty where its words are all of it.
func shellDoubt(words []string, special string) string {
	switch {
	case special != "":
		return fmt.Sprintf("a shell expands %q", special)
	case assignment.MatchString(words[0]) || slices.Contains(reserved, words[0]):
		return fmt.Sprintf("a shell uses %q to decide whether and how a command runs", words[0])
	case words[0] == "set" && !settings.MatchString(strings.Join(words, " ")):
		return "a shell may run the rest differently, or not at all"
	}
	return ""
}

// configDoubt says why the words behind `nv config` may change what a script sets; empty where
// they apply, save or show it (NVUE command reference, Config Commands).
func configDoubt(words []string) string {
	if len(words) == 0 {
		return "nv config has no command"
	}
	switch words[0] {
	case "save", "show", "diff", "history", "revision", "find":
		return ""
	case "apply":
		return applyDoubt(words[1:])
	case "replace", "patch":
		return "it uses the settings of another file"
	case "detach", "delete":
		return "staged settings are dropped"
	}
	return "its effect on the configuration is not known"
}

func applyDoubt(words []string) string {
	for i := 0; i < len(words); i++ {
		switch words[i] {
		case "-y", "--y", "--yes", "--assume-yes", "--confirm-yes", "--confirm-status":
		case "-m", "--message":
			i++
		case "--assume-no":
			return "a prompt is answered with no, and then nothing is applied"
		case "--confirm":
			return "the configuration is taken back unless it is confirmed"
		default:
			return fmt.Sprintf("the revision or option %q replaces staged settings, and is not in this file", clip(words[i]))
		}
	}
	return ""
}

// applies reports whether words behind `nv config` apply what is staged.
func applies(words []string) bool {
	return len(words) > 0 && words[0] == "apply" && !slices.Contains(words, "--confirm-status") && !slices.Contains(words, "--confirm-yes")
}

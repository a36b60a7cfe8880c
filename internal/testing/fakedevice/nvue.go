package fakedevice

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"go.yaml.in/yaml/v4"
)

// NVUE is a switch with Cumulus Linux (user guide and command reference of 5.14, NVUE CLI): nv set and
// nv unset change a pending revision, which begins as a copy of what is applied; nv config apply
// applies it, with --confirm for a time, after which it is rolled back unless --confirm-yes comes;
// nv config detach forgets it.
type NVUE struct {
	store
	t       testing.TB
	pending map[string]any    // nil: there is none
	leaves  map[string]string // statements that have a value, by their path, and of which type
}

// NewNVUE is a switch that applied a configuration. It knows the statements of that and of the others.
func NewNVUE(t testing.TB, config []byte, others ...[]byte) *NVUE {
	n := &NVUE{t: t, leaves: map[string]string{}}
	for _, text := range append(others, config) {
		n.learn("", parseNVUE(t, string(text)))
	}
	n.store = newStore(nvueText(t, parseNVUE(t, string(config))), `(?m)^( +mtu: )(\d+)$`)
	return n
}

func parseNVUE(t testing.TB, text string) map[string]any {
	t.Helper()
	var doc []map[string]map[string]any
	check(t, yaml.Unmarshal([]byte(text), &doc))
	for _, part := range doc {
		if part["set"] != nil {
			return part["set"]
		}
	}
	return map[string]any{}
}

func nvueText(t testing.TB, tree map[string]any) string {
	t.Helper()
	text, err := yaml.Marshal([]map[string]any{{"set": tree}})
	check(t, err)
	return string(text)
}

// instance is a word of a path that names one of many: a port, a number.
var instance = regexp.MustCompile(`^(swp\d+(s\d+)?|\d+)$`)

// profiles are the paths whose entries have names that users give.
var profiles = []string{" qos pfc", " qos congestion-control", " qos egress-scheduler", " qos egress-shaper", " qos mapping", " qos remark"}

func step(path, word string) string {
	if instance.MatchString(word) || slices.Contains(profiles, path) {
		word = "*"
	}
	return path + " " + word
}

func (n *NVUE) learn(path string, tree map[string]any) {
	for key, value := range tree {
		if below, ok := value.(map[string]any); ok {
			n.learn(step(path, key), below)
		} else if value != nil {
			n.leaves[step(path, key)] = fmt.Sprintf("%T", value)
		}
	}
}

// ranged lists the words of a word with ranges, such as swp1-4,swp6.
func ranged(word string) (all []string) {
	for part := range strings.SplitSeq(word, ",") {
		from, to, ok := strings.Cut(part, "-")
		first, err1 := strconv.Atoi(strings.TrimPrefix(from, "swp"))
		last, err2 := strconv.Atoi(to)
		if !ok || err1 != nil || err2 != nil {
			all = append(all, part)
			continue
		}
		for i := first; i <= last; i++ {
			all = append(all, strings.TrimSuffix(from, strconv.Itoa(first))+strconv.Itoa(i))
		}
	}
	return all
}

// set carries out nv set below a path.
func (n *NVUE) set(tree map[string]any, path string, words []string) error {
	if len(words) == 0 {
		return nil
	}
	if kind, leaf := n.leaves[step(path, words[0])]; leaf && len(words) == 2 {
		return n.value(tree, words[0], words[1], kind)
	}
	for _, key := range ranged(words[0]) {
		below, ok := tree[key].(map[string]any)
		if !ok {
			below = map[string]any{}
			tree[key] = below
		}
		if err := n.set(below, step(path, key), words[1:]); err != nil {
			return err
		}
	}
	return nil
}

func (n *NVUE) value(tree map[string]any, key, word, kind string) error {
	switch kind {
	case "int":
		number, err := strconv.Atoi(word)
		if err != nil {
			return refuse("Error: %s is not a number", word)
		}
		tree[key] = number
	case "bool":
		tree[key] = word == "true"
	default:
		tree[key] = word
	}
	return nil
}

// unset removes a path, and what is left empty above it.
func unset(tree map[string]any, words []string) {
	for _, key := range ranged(words[0]) {
		below, ok := tree[key].(map[string]any)
		if ok && len(words) > 1 {
			if unset(below, words[1:]); len(below) > 0 {
				continue
			}
		}
		delete(tree, key)
	}
}

// Exec runs a command, or a script of commands, one on each line, that ends with the first that fails.
func (n *NVUE) Exec(command, input string) (output, errors string, code int) {
	n.lock.Lock()
	defer n.lock.Unlock()
	lines := []string{command}
	if command == "sh -s" {
		lines = strings.Split(strings.TrimSuffix(input, "\n"), "\n")
	}
	var out strings.Builder
	for _, line := range lines {
		if err := n.command(&out, line); err != nil {
			return out.String(), err.Error() + "\n", 1
		}
	}
	return out.String(), "", 0
}

func (n *NVUE) command(out *strings.Builder, line string) error {
	words := strings.Fields(line)
	switch {
	case line == "set -e":
	case line == `test -z "$(nv config diff)"`:
		if n.pending != nil {
			return fmt.Errorf("there is a pending revision")
		}
	case len(words) > 3 && words[0] == "nv" && (words[1] == "set" || words[1] == "unset"):
		if n.refused() {
			return refuse("Error: '%s' is not one of the choices", words[len(words)-1])
		}
		if n.pending == nil {
			n.pending = parseNVUE(n.t, n.running)
		}
		if words[1] == "set" {
			return n.set(n.pending, "", words[2:])
		}
		unset(n.pending, words[2:])
	case line == "nv config show -o yaml":
		out.WriteString(n.running)
	case line == "nv config detach":
		n.pending = nil
	case line == "nv config save":
		n.saved = n.running
	case line == "nv config apply --confirm-status":
		if n.waiting == "" {
			out.WriteString("No pending confirmation\n")
		} else {
			out.WriteString("0:09:12\n")
		}
	case line == "nv config apply --confirm-yes", line == "nv config apply --confirm-no":
		return n.end("apply", strings.HasSuffix(line, "yes"))
	case strings.HasPrefix(line, "nv config apply --confirm ") && words[len(words)-1] == "-y":
		if n.pending == nil || n.waiting != "" {
			return refuse("Error: there is nothing to apply, or something waits to be confirmed")
		}
		n.try(nvueText(n.t, n.pending), "apply")
		n.pending = nil
	default:
		return refuse("Error: %q is not a command", line)
	}
	return nil
}

// Restart forgets the pending revision.
func (n *NVUE) Restart() {
	n.store.Restart()
	n.lock.Lock()
	defer n.lock.Unlock()
	n.pending = nil
}

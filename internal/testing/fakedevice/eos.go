package fakedevice

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// EOS is a switch with Arista EOS. Its command line has configuration sessions (EOS user manual,
// Configure Session): a session begins as a copy of what runs; commit timer lets it run, and takes it
// back unless the session is committed by its name in time; abort takes it back at once; one that was
// committed cannot be entered again. A line that is not understood is answered by "% Invalid input".
type EOS struct {
	store
	sessions  map[string]*block
	completed map[string]bool
}

// NewEOS is a switch that runs a configuration.
func NewEOS(config []byte) *EOS {
	return &EOS{store: newStore(readBlocks(string(config)).text(), `(?m)^(   mtu )(\d+)$`), sessions: map[string]*block{}, completed: map[string]bool{}}
}

// A block is a line with those below it.
type block struct {
	line, name string
	kids       []*block
}

func newBlock(line string) *block { return &block{line: line, name: name(line)} }

func readBlocks(config string) *block {
	root := &block{}
	root.enter(strings.Split(config, "\n"))
	return root
}

func (b *block) text() string {
	var out strings.Builder
	b.write(&out, "")
	return out.String()
}

func (b *block) write(out *strings.Builder, indent string) {
	for _, k := range b.kids {
		out.WriteString(indent + k.line + "\n")
		k.write(out, indent+"   ")
	}
}

// enter takes lines, each below the one before it that is indented less.
func (b *block) enter(lines []string) {
	at, depth := []*block{b}, []int{-1}
	for _, text := range lines {
		line := strings.TrimSpace(text)
		if line == "" || strings.HasPrefix(line, "!") || line == "end" {
			continue
		}
		indent := len(text) - len(strings.TrimLeft(text, " "))
		for depth[len(depth)-1] >= indent {
			at, depth = at[:len(at)-1], depth[:len(depth)-1]
		}
		at, depth = append(at, at[len(at)-1].take(line)), append(depth, indent)
	}
}

// oneOf are commands that a block has once with these first words: the next one replaces it. N is a
// number. (EOS user manual, Quality of Service, Priority Flow Control, Interface Configuration.)
var oneOf = []string{
	"ingress headroom", "ingress resume", "ingress priority-group N reserved", "ingress priority-group N threshold",
	"egress unicast queue N reserved", "egress unicast queue N threshold", "platform trident mmu headroom-pool limit",
	"qos trust", "priority", "bandwidth percent", "bandwidth guaranteed percent", "shape rate", "random-detect ecn minimum-threshold",
	"priority-flow-control priority N", "mtu", "service-profile", "hostname", "speed",
	"qos map traffic-class N to tx-queue", "qos tx-queue N name", "qos traffic-class N name",
	"priority-flow-control pause watchdog default timeout", "priority-flow-control pause watchdog default recovery-time",
	"priority-flow-control pause watchdog default polling-interval", "priority-flow-control pause watchdog action",
	"set dscp", "set traffic-class", "match", "switchport",
}

// name returns the first words by which a command is known.
func name(line string) string {
	words := strings.Fields(strings.TrimPrefix(line, "no "))
	for _, one := range oneOf {
		pattern := strings.Fields(one)
		if len(words) >= len(pattern) && slices.EqualFunc(words[:len(pattern)], pattern, func(word, want string) bool {
			_, err := strconv.Atoi(word)
			return word == want || want == "N" && err == nil
		}) {
			return strings.Join(words[:len(pattern)], " ")
		}
	}
	return strings.Join(words, " ")
}

// stated are lines of a running-config that begin with no: they turn off a setting that is on by default.
var stated = []string{"no priority", "no qos trust", "no switchport"}

// take executes a line, and returns the block that the lines below it go to.
func (b *block) take(line string) *block {
	if codes, to, ok := dscpMap(line); ok {
		return b.classify(codes, to)
	}
	if i := slices.IndexFunc(b.kids, func(k *block) bool { return k.line == line }); i >= 0 {
		return b.kids[i]
	}
	gone, off := strings.CutPrefix(line, "no ")
	if off && !slices.Contains(stated, line) {
		b.kids = slices.DeleteFunc(b.kids, func(k *block) bool { return k.line == gone })
		return &block{}
	}
	made := newBlock(line)
	same := slices.IndexFunc(b.kids, func(k *block) bool { return k.name == made.name })
	switch {
	case line == "switchport":
		b.kids = slices.DeleteFunc(b.kids, func(k *block) bool { return k.line == "no switchport" })
		return &block{}
	case same >= 0:
		b.kids[same] = made
		return made
	}
	b.kids = append(b.kids, made)
	return made
}

// dscpMap reads the line that maps code points to a traffic class.
func dscpMap(line string) (codes []string, class string, ok bool) {
	rest, ok := strings.CutPrefix(line, "qos map dscp ")
	if !ok {
		return nil, "", false
	}
	words, class, ok := strings.Cut(rest, " to traffic-class ")
	return strings.Fields(words), class, ok
}

// classify moves code points to a traffic class.
func (b *block) classify(codes []string, to string) *block {
	var all []*block
	for _, k := range b.kids {
		if had, class, ok := dscpMap(k.line); ok {
			left := slices.DeleteFunc(had, func(code string) bool { return slices.Contains(codes, code) })
			if class == to {
				codes = append(left, codes...)
				continue
			}
			if len(left) == 0 {
				continue
			}
			k = newBlock("qos map dscp " + strings.Join(left, " ") + " to traffic-class " + class)
		}
		all = append(all, k)
	}
	b.kids = append(all, newBlock("qos map dscp "+strings.Join(codes, " ")+" to traffic-class "+to))
	return &block{}
}

// Exec returns the shell of the user, which is EOS's command line.
func (e *EOS) Exec(command, input string) (output, errors string, code int) {
	e.lock.Lock()
	defer e.lock.Unlock()
	lines := strings.Split(strings.TrimSuffix(input, "\n"), "\n")
	if command != "" || lines[0] != "enable" {
		return "% This is not an EOS command\n", "", 0
	}
	var out strings.Builder
	say := func(err error) {
		if err != nil {
			out.WriteString("% " + err.Error() + "\n")
		}
	}
	session := "" // the open one
	var edits []string
	for _, line := range lines[1:] {
		switch words := append(strings.Fields(line), "", "", "", ""); {
		case session != "" && words[0] == "commit" && words[1] == "timer":
			e.sessions[session].enter(edits)
			e.try(e.sessions[session].text(), session)
			delete(e.sessions, session)
			session = ""
		case session != "" && line == "show session-config diffs":
			e.sessions[session].enter(edits)
			edits = nil
		case session != "" && words[0] != "show":
			if !strings.HasPrefix(strings.TrimSpace(line), "!") && e.refused() {
				say(refuse("Invalid input (at token 0: '%s')", words[0]))
				continue
			}
			edits = append(edits, line)
		case line == "show running-config":
			out.WriteString("! Command: show running-config\n" + e.running + "end\n")
		case line == "show configuration sessions":
			for name := range e.sessions {
				fmt.Fprintf(&out, "  %s   pending\n", name)
			}
			if e.waiting != "" {
				fmt.Fprintf(&out, "  %s   pendingCommitTimer\n", e.waiting)
			}
		case words[0] == "configure" && words[1] == "session" && words[3] == "commit":
			if err := e.end(words[2], true); err != nil {
				say(err)
			} else {
				e.completed[words[2]] = true
			}
		case words[0] == "configure" && words[1] == "session" && words[3] == "abort":
			if e.sessions[words[2]] != nil {
				delete(e.sessions, words[2])
			} else {
				say(e.end(words[2], false))
			}
		case words[0] == "configure" && words[1] == "session" && (e.completed[words[2]] || e.waiting != ""):
			say(refuse("Cannot enter session %s: another is not confirmed, or this one is completed", words[2]))
		case words[0] == "configure" && words[1] == "session":
			if session = words[2]; e.sessions[session] == nil {
				e.sessions[session] = readBlocks(e.running)
			}
		case line == "copy running-config startup-config":
			e.saved = e.running
		default:
			say(refuse("Invalid input: %s", line))
		}
	}
	return out.String(), "", 0
}

// Restart discards sessions.
func (e *EOS) Restart() {
	e.store.Restart()
	e.lock.Lock()
	defer e.lock.Unlock()
	e.sessions = map[string]*block{}
}

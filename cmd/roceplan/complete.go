package main

import (
	"maps"
	"slices"
	"strings"

	"github.com/alecthomas/kong"

	"github.com/roceplan/roceplan/chips"
	"github.com/roceplan/roceplan/design"
	"github.com/roceplan/roceplan/explain"
	"github.com/roceplan/roceplan/internal/natural"
	"github.com/roceplan/roceplan/internal/stable"
	"github.com/roceplan/roceplan/internal/target"
	"github.com/roceplan/roceplan/plan"
	"github.com/roceplan/roceplan/policy"
)

// completeCmd answers the scripts of completion.go: words of a command line in, what the last one
// may become out, one a line, with a tab before what it means.
type completeCmd struct {
	Words []string `arg:"" optional:"" help:"The words after the program's name; the last one is completed, and may be empty."`
}

// Run never fails: a shell that completes has no place for a message.
func (c completeCmd) Run(t *terminal, call *kong.Context) error {
	if len(c.Words) == 0 {
		return nil
	}
	last := len(c.Words) - 1
	l := readLine(call.Model.Node, c.Words[:last])
	for _, fits := range l.complete(c.Words[last]) {
		t.printf("%s\n", strings.TrimSuffix(fits.word+"\t"+fits.help, "\t"))
	}
	return nil
}

// A candidate is a word that fits, and what it means where that is known.
type candidate struct{ word, help string }

// A line is a command line as far as it was typed.
type line struct {
	at      *kong.Node
	pending *kong.Flag          // the flag whose value comes next
	given   map[string][]string // values of flags and arguments so far, by name
	taken   int                 // arguments so far
}

// readLine follows the words through the commands.
func readLine(root *kong.Node, words []string) *line {
	l := &line{at: root, given: map[string][]string{}}
	for _, word := range words {
		switch {
		case l.pending != nil:
			l.give(l.pending.Value, word)
			l.pending = nil
		case strings.HasPrefix(word, "-") && word != "-":
			name, value, has := strings.Cut(word, "=")
			if flag := l.flag(name); flag != nil && has {
				l.give(flag.Value, value)
			} else if flag != nil && !flag.IsBool() && !flag.IsCounter() {
				l.pending = flag
			}
		default:
			l.argument(word)
		}
	}
	return l
}

func (l *line) give(v *kong.Value, word string) { l.given[v.Name] = append(l.given[v.Name], word) }

// argument takes a word that is neither a flag nor its value.
func (l *line) argument(word string) {
	if i := slices.IndexFunc(l.at.Children, func(n *kong.Node) bool { return n.Name == word }); i >= 0 && l.taken == 0 {
		l.at = l.at.Children[i]
		return
	}
	if v := l.next(); v != nil {
		l.give(v, word)
	}
	l.taken++
}

// next returns the argument whose turn it is; nil where there are enough.
func (l *line) next() *kong.Value {
	all := l.at.Positional
	if last := len(all) - 1; last >= 0 && l.taken > last && all[last].IsCumulative() {
		return all[last]
	}
	if l.taken < len(all) {
		return all[l.taken]
	}
	return nil
}

// flag finds a flag by the name with its dashes.
func (l *line) flag(name string) *kong.Flag {
	for _, group := range l.at.AllFlags(false) {
		for _, flag := range group {
			if name == "--"+flag.Name || flag.Short != 0 && name == "-"+string(flag.Short) {
				return flag
			}
		}
	}
	return nil
}

// complete lists what a word that was begun may become.
func (l *line) complete(begun string) (fits []candidate) {
	name, _, assigned := strings.Cut(begun, "=")
	flag := l.flag(name)
	switch {
	case l.pending != nil:
		fits = worded("", l.values(l.pending.Value, begun))
	case assigned && flag != nil:
		fits = worded(name+"=", l.values(flag.Value, begun[len(name)+1:]))
	case strings.HasPrefix(begun, "-"):
		fits = l.flags()
	default:
		if l.taken == 0 {
			fits = commands(l.at)
		}
		if v := l.next(); v != nil {
			fits = append(fits, worded("", l.values(v, begun))...)
		}
	}
	return stable.Delete(fits, func(c candidate) bool { return !strings.HasPrefix(c.word, begun) })
}

func worded(before string, words []string) (list []candidate) {
	for _, word := range words {
		list = append(list, candidate{word: before + word})
	}
	return list
}

func commands(n *kong.Node) (list []candidate) {
	for _, child := range n.Children {
		if !child.Hidden {
			list = append(list, candidate{child.Name, child.Help})
		}
	}
	return list
}

func (l *line) flags() (list []candidate) {
	for _, group := range l.at.AllFlags(true) {
		for _, flag := range group {
			list = append(list, candidate{"--" + flag.Name, flag.Help})
		}
	}
	return list
}

// values returns the values of an enumeration. Where a tag complete names a set instead, it returns
// all members of that in the program's library, the catalogue with the chips of the line, and the
// fabric of the line.
func (l *line) values(v *kong.Value, begun string) (list []string) {
	switch v.Tag.Get("complete") {
	case "scenario":
		list = l.scenarios()
	case "chip":
		list = l.catalogue().Names()
	case "nic":
		for _, n := range l.catalogue().NICs() {
			list = append(list, n.Name)
		}
	case "preset":
		for _, p := range design.Presets() {
			list = append(list, p.Name)
		}
	case "published":
		list = []string{"all"}
		for _, c := range l.catalogue().Configurations() {
			list = append(list, c.Name)
		}
	case "platform":
		for _, b := range l.catalogue().Boxes() {
			list = append(list, b.Name)
		}
	case "target":
		list = target.Names()
	case "topic":
		list = helpTopics(root(l.at))
	case "schema":
		list = slices.Sorted(maps.Keys(outputs()))
	case "switch":
		for _, sw := range l.plan().Switches {
			list = append(list, sw.Names...)
		}
		slices.SortFunc(list, natural.Compare)
	case "what":
		list = explain.Continuations(l.plan(), begun)
	case "host":
		for _, h := range l.plan().Hosts {
			list = append(list, h.Name)
		}
	default:
		list = strings.FieldsFunc(v.Enum, func(r rune) bool { return r == ',' })
	}
	return list
}

func root(n *kong.Node) *kong.Node {
	for n.Parent != nil {
		n = n.Parent
	}
	return n
}

// catalogue returns the built-in one with the chips that the line names, as far as they can be read.
func (l *line) catalogue() *chips.Catalogue {
	if catalogue, _, _, err := loadChips(l.given["chips"]); err == nil {
		return catalogue
	}
	catalogue, _ := chips.Load()
	return catalogue
}

// fabric returns the one that the line names; nil where there is none, or it cannot be read, or only
// from standard input.
func (l *line) fabric() *loaded {
	files := slices.Concat(l.given["file"], l.given["fabric"])
	if len(files) == 0 || slices.Contains(files, "-") {
		return nil
	}
	source := sourceFlags{VarFile: l.given["var-file"], Chips: l.given["chips"], Var: map[string]string{}}
	for _, set := range l.given["var"] {
		name, value, _ := strings.Cut(set, "=")
		source.Var[name] = value
	}
	read, err := source.load(nil, files)
	if err != nil {
		return nil
	}
	return read
}

// plan returns the plan of the fabric; empty where there is none.
func (l *line) plan() *plan.Plan {
	f := l.fabric()
	if f == nil {
		return &plan.Plan{}
	}
	p, _ := f.Plan()
	return p
}

// scenarios returns the scenarios of the fabric, and the library's.
func (l *line) scenarios() (names []string) {
	all := policy.Library()
	if f := l.fabric(); f != nil && f.Policy != nil {
		all = append(all, f.Policy.Scenarios...)
	}
	for _, s := range all {
		names = append(names, s.Name)
	}
	slices.Sort(names)
	return slices.Compact(names)
}

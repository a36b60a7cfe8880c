package main

import (
	"slices"

	"github.com/alecthomas/kong"

	"github.com/roceplan/roceplan/chips"
	"github.com/roceplan/roceplan/diag"
	"github.com/roceplan/roceplan/docs"
	"github.com/roceplan/roceplan/policy"
)

type helpCmd struct {
	Topic []string `arg:"" optional:"" complete:"topic" help:"A command, language, chips, commands, or the code of a finding."`
}

func (helpCmd) Help() string {
	return "What a finding means, an example and what to do, by the code in its brackets:\n\n    roceplan help headroom-below-8023\n\n" +
		"Every block, attribute and function of a fabric file:\n\n    roceplan help language\n\n" +
		"Every datum of a chip file, for chips and platforms of your own (the --help of a command describes it):\n\n    roceplan help chips\n\n" +
		"Every command, argument and flag on one page:\n\n    roceplan help commands"
}

// Run prints the reference of the language, of chip files or of the command line, the page of a finding, or what
// --help of a command prints.
func (c helpCmd) Run(t *terminal, call *kong.Context) error {
	if len(c.Topic) == 1 {
		switch c.Topic[0] {
		case "language":
			t.printf("%s", policy.Reference())
			return nil
		case "chips":
			t.printf("%s", chips.Reference())
			return nil
		case "commands":
			t.printf("%s", commandReference(call.Model))
			return nil
		}
		if page, ok := docs.Page(c.Topic[0]); ok {
			t.printf("%s", page)
			return nil
		}
		if topics := helpTopics(call.Model.Node); !slices.Contains(topics, c.Topic[0]) {
			near := diag.Nearest(c.Topic[0], topics)
			if near != "" {
				near = "; did you mean " + near + "?"
			}
			return misusef("there is no command, page or finding %q%s", c.Topic[0], near)
		}
	}
	return dispatch(append(c.Topic, "--help"), t)
}

// helpTopics returns all words that help has a page of.
func helpTopics(program *kong.Node) (words []string) {
	for _, c := range commands(program) {
		words = append(words, c.word)
	}
	return append(append(words, "language", "commands"), docs.Codes()...)
}

package main

import (
	"github.com/roceplan/roceplan/chips"
	"github.com/roceplan/roceplan/policy"
)

type helpCmd struct {
	Topic []string `arg:"" optional:"" help:"A command, language, or chips."`
}

func (helpCmd) Help() string {
	return "Every block, attribute and function of a fabric file:\n\n    roceplan help language\n\n" +
		"Every datum of a chip file, for chips and platforms of your own (what a command does is told by its --help):\n\n    roceplan help chips"
}

// Run prints the reference of the language or of chip files, or what --help of a command
// prints.
func (c helpCmd) Run(t *terminal) error {
	if len(c.Topic) == 1 {
		switch c.Topic[0] {
		case "language":
			t.printf("%s", policy.Reference())
			return nil
		case "chips":
			t.printf("%s", chips.Reference())
			return nil
		}
	}
	return dispatch(append(c.Topic, "--help"), t)
}

package main

import (
	"github.com/roceplan/roceplan/policy"
)

type helpCmd struct {
	Topic []string `arg:"" optional:"" help:"A command, or language."`
}

func (helpCmd) Help() string {
	return "Every block, attribute and function of a fabric file:\n\n    roceplan help language"
}

// Run prints the reference of the language, or what --help of a command prints.
func (c helpCmd) Run(t *terminal) error {
	if len(c.Topic) == 1 && c.Topic[0] == "language" {
		t.printf("%s", policy.Reference())
		return nil
	}
	return dispatch(append(c.Topic, "--help"), t)
}

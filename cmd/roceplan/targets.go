package main

import (
	"strings"

	"github.com/roceplan/roceplan/diag"
	"github.com/roceplan/roceplan/emit"
	"github.com/roceplan/roceplan/internal/target"
)

type targetsCmd struct {
	Name     string `arg:"" optional:"" complete:"target" help:"A target, to show its data."`
	Markdown bool   `help:"Print the matrix as a table of Markdown."`
}

func (targetsCmd) Help() string {
	return `The settings of plans, and the targets that support them:

    roceplan targets

The settings that one target supports, with sources, and the forms of its output:

    roceplan targets eos

Yes: the files have it. Part: on some chips or for some values; elsewhere compile has a finding, which is an error if lossless traffic depends on it. No: compile has a finding.`
}

// Run prints the matrix, or one column of it.
func (c targetsCmd) Run(t *terminal) error {
	shown := target.All()
	if c.Name != "" {
		one, ok := target.Find(c.Name)
		if !ok {
			return misusef("there is no target %q; there are %s", c.Name, strings.Join(target.Names(), ", "))
		}
		shown = []emit.Target{one}
	}
	switch {
	case t.json:
		return t.printJSON(jsonTargets(shown))
	case c.Markdown:
		t.printf("%s", matrixMarkdown(shown))
	case c.Name != "":
		t.printf("%s", targetText(shown[0]))
	default:
		t.printf("%s", matrixText(shown))
	}
	return nil
}

// jsonTarget is a target as --json shows it.
type jsonTarget struct {
	Name  string     `json:"name"`
	Title string     `json:"title"`
	Forms []jsonForm `json:"forms"`
	Can   []jsonCan  `json:"capabilities"`
}

type jsonForm struct {
	Name string `json:"name"`
	File string `json:"file"`
	Help string `json:"help"`
}

type jsonCan struct {
	Intent   emit.Intent  `json:"intent"`
	Title    string       `json:"title"`
	Support  emit.Support `json:"support"`
	Note     string       `json:"note,omitempty"`
	Codes    []diag.Code  `json:"codes,omitempty"`
	Evidence string       `json:"evidence"`
}

func jsonTargets(shown []emit.Target) []jsonTarget {
	var out []jsonTarget
	for _, t := range shown {
		j := jsonTarget{Name: t.Name, Title: t.Title}
		for _, f := range t.Forms {
			j.Forms = append(j.Forms, jsonForm{f.Name, f.File, f.Help})
		}
		for _, i := range emit.Intents() {
			c := t.Of(i.Intent)
			j.Can = append(j.Can, jsonCan{i.Intent, i.Title, c.Support, c.Note, c.Codes, c.Evidence})
		}
		out = append(out, j)
	}
	return out
}

// matrixText has a line for each intent and a column for each target.
func matrixText(shown []emit.Target) string {
	var rows table
	head := []string{"INTENT"}
	for _, t := range shown {
		head = append(head, strings.ToUpper(t.Name))
	}
	rows.add(append(head, "WHAT IT IS")...)
	for _, i := range emit.Intents() {
		row := []string{string(i.Intent)}
		for _, t := range shown {
			row = append(row, t.Of(i.Intent).Support.String())
		}
		rows.add(append(row, i.Title)...)
	}
	return rows.String()
}

// matrixMarkdown returns the table of the README.
func matrixMarkdown(shown []emit.Target) string {
	var out strings.Builder
	out.WriteString("| what a plan asks for |")
	for _, t := range shown {
		out.WriteString(" " + t.Title + " |")
	}
	out.WriteString("\n|---|" + strings.Repeat("---|", len(shown)) + "\n")
	for _, i := range emit.Intents() {
		out.WriteString("| " + i.Title + " |")
		for _, t := range shown {
			c := t.Of(i.Intent)
			out.WriteString(" " + c.Support.String())
			if c.Note != "" {
				out.WriteString(": " + c.Note)
			}
			out.WriteString(" |")
		}
		out.WriteByte('\n')
	}
	return out.String()
}

// targetText describes one target.
func targetText(t emit.Target) string {
	var out strings.Builder
	out.WriteString(t.Name + ", " + t.Title + "\n\nforms, for compile --form:\n")
	var forms table
	for _, f := range t.Forms {
		forms.add("  "+f.Name, f.File, f.Help)
	}
	out.WriteString(forms.String())
	for _, i := range emit.Intents() {
		c := t.Of(i.Intent)
		out.WriteString("\n" + string(i.Intent) + ", " + i.Title + ": " + c.Support.String())
		if c.Note != "" {
			out.WriteString(", " + c.Note)
		}
		out.WriteByte('\n')
		for _, code := range c.Codes {
			out.WriteString("    compile tells: " + string(code) + "\n")
		}
		out.WriteString("    source: " + c.Evidence + "\n")
	}
	return out.String()
}

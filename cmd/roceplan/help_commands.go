package main

import (
	"fmt"
	"strings"

	"github.com/alecthomas/kong"
)

// commandReference renders the command line as Markdown: every command with what it takes, from the
// structs that kong reads. Flags that every command has are listed once.
func commandReference(root *kong.Application) string {
	var out strings.Builder
	out.WriteString("# The commands of roceplan\n\nThis page is generated from the command line itself: `roceplan help commands` prints it.\n\n## Everywhere\n\n" + description + "\n")
	writeFlags(&out, root.Flags)
	for _, n := range root.Children {
		writeCommand(&out, n)
	}
	return out.String()
}

// writeCommand renders a command, and those below it.
func writeCommand(out *strings.Builder, n *kong.Node) {
	if n.Hidden {
		return
	}
	fmt.Fprintf(out, "\n## roceplan %s\n\n%s\n\n    roceplan %s\n", n.Path(), n.Help, n.Summary())
	if n.Detail != "" {
		fmt.Fprintf(out, "\n%s\n", strings.Trim(n.Detail, "\n"))
	}
	if len(n.Positional) > 0 {
		out.WriteString("\n| argument | meaning |\n|---|---|\n")
		for _, p := range n.Positional {
			fmt.Fprintf(out, "| `%s` | %s |\n", p.Summary(), inCell(p.Help))
		}
	}
	writeFlags(out, n.Flags)
	for _, child := range n.Children {
		writeCommand(out, child)
	}
}

func writeFlags(out *strings.Builder, flags []*kong.Flag) {
	head := "\n| flag | meaning |\n|---|---|\n"
	for _, f := range flags {
		if f.Hidden {
			continue
		}
		fmt.Fprintf(out, "%s| `%s` | %s |\n", head, inCell(flagName(f)), inCell(f.Help))
		head = ""
	}
}

// flagName returns a flag with its short form and what it takes.
func flagName(f *kong.Flag) string {
	if f.Tag.Negatable != "" {
		return strings.Replace(f.String(), "--", "--[no-]", 1)
	}
	return f.String()
}

// inCell returns a text in a cell of a table, in which a bar would end it.
func inCell(text string) string { return strings.ReplaceAll(text, "|", `\|`) }

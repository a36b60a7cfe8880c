package main

import (
	"fmt"
	"path/filepath"
	"strings"
	"time"

	"github.com/alecthomas/kong"

	"github.com/roceplan/roceplan/cmd/roceplan/whole"
	"github.com/roceplan/roceplan/internal/natural"
)

type manCmd struct {
	Folder string `arg:"" help:"Folder to write to; it is created if missing."`
}

func (manCmd) Help() string {
	return `Writes a page for the program and one for each command, as --help has them. For yourself:

    roceplan man ~/.local/share/man/man1
    man roceplan-verify

Packages bring the pages with them.`
}

// writtenFiles is the output of man --json.
type writtenFiles struct {
	Written []string `json:"written"`
}

// Run writes the pages.
func (c manCmd) Run(t *terminal, call *kong.Context) error {
	done := writtenFiles{Written: []string{}}
	var pages []whole.Text
	put := func(name, text string) {
		done.Written = append(done.Written, filepath.Join(c.Folder, name+".1"))
		pages = append(pages, whole.Text{Path: name + ".1", Text: []byte(text)})
	}
	put("roceplan", programPage(call.Model))
	for _, n := range call.Model.Children {
		if n.Hidden {
			continue
		}
		put("roceplan-"+n.Name, commandPage(n))
	}
	if err := whole.Files(t.disk, c.Folder, pages); err != nil {
		return err
	}
	if t.json {
		return t.printJSON(done)
	}
	t.linef("wrote %s to %s", natural.Count(len(done.Written), "page", "pages"), c.Folder)
	return nil
}

// A manPage is text in the macros of man(7).
type manPage struct {
	strings.Builder
	headed bool // a section was begun and is still empty: its first paragraph needs no mark
}

func newPage(name, about string) *manPage {
	v := stampedVersion()
	day := ""
	if at, err := time.Parse(time.RFC3339, v.time); err == nil {
		day = at.UTC().Format(time.DateOnly)
	}
	p := &manPage{}
	p.line(".TH %s 1 %q %q %q", strings.ToUpper(name), day, "roceplan "+v.Version, "roceplan")
	p.section("NAME")
	p.text("%s - %s", name, strings.TrimSuffix(about, "."))
	return p
}

func programPage(root *kong.Application) string {
	// The first paragraph says what the program is, the others how it ends.
	about, codes, _ := strings.Cut(description, "\n\n")
	p := newPage("roceplan", "compiles, explains and proves the buffers of RoCE fabrics")
	p.section("SYNOPSIS")
	p.text("roceplan COMMAND ...")
	p.section("DESCRIPTION")
	p.prose(about)
	p.section("COMMANDS")
	for _, n := range root.Children {
		if !n.Hidden {
			p.item("roceplan-"+n.Name+"(1)", n.Help)
		}
	}
	p.flags(root.Flags)
	p.section("EXIT STATUS")
	p.prose(strings.TrimPrefix(codes, "Exit codes: "))
	p.section("SEE ALSO")
	p.prose("roceplan help language, roceplan help CODE\n\n" + home)
	return p.String()
}

func commandPage(n *kong.Node) string {
	p := newPage("roceplan-"+n.Name, n.Help)
	p.section("SYNOPSIS")
	p.text("roceplan %s", n.Summary())
	p.section("DESCRIPTION")
	p.body(n)
	p.flags(n.Flags)
	for _, child := range n.Leaves(true) {
		if child == n {
			continue
		}
		p.section(strings.ToUpper("roceplan " + child.Path()))
		p.text("roceplan %s", child.Summary())
		p.prose(child.Help)
		p.body(child)
		p.flags(child.Flags)
	}
	p.section("SEE ALSO")
	p.text("roceplan(1)")
	return p.String()
}

// body writes the description of a command, and of its arguments.
func (p *manPage) body(n *kong.Node) {
	p.prose(n.Detail)
	for _, v := range n.Positional {
		p.item(v.Summary(), v.Help)
	}
}

func (p *manPage) flags(all []*kong.Flag) {
	head := ".SH OPTIONS"
	for _, f := range all {
		if f.Hidden {
			continue
		}
		if head != "" {
			p.line("%s", head)
			head = ""
		}
		p.item(flagName(f), f.Help)
	}
}

func (p *manPage) line(format string, args ...any) {
	fmt.Fprintf(p, format+"\n", args...)
	p.headed = false
}

func (p *manPage) section(name string) {
	p.line(".SH %s", roff(name))
	p.headed = true
}

func (p *manPage) text(format string, args ...any) { p.line("%s", roff(fmt.Sprintf(format, args...))) }

func (p *manPage) item(name, meaning string) {
	p.line(".TP\n.B %s\n%s", roff(name), roff(meaning))
}

// prose lays out paragraphs; those that are indented stay as they are, line by line.
func (p *manPage) prose(text string) {
	for _, paragraph := range strings.Split(strings.Trim(text, "\n"), "\n\n") {
		if paragraph == "" {
			continue
		}
		if !p.headed {
			p.line(".PP")
		}
		if !strings.HasPrefix(paragraph, "    ") {
			p.line("%s", roff(paragraph))
			continue
		}
		p.line(".nf\n.RS 4")
		for _, verbatim := range strings.Split(paragraph, "\n") {
			p.line("%s", roff(strings.TrimPrefix(verbatim, "    ")))
		}
		p.line(".RE\n.fi")
	}
}

// roff writes text so that none of it is an instruction: not the backslash, not a dot or an
// apostrophe at the start of a line. Hyphens and quotes stay those of ASCII, so that what is copied
// from the page works.
func roff(text string) string {
	text = strings.NewReplacer(`\`, `\e`, "-", `\-`, "'", `\(aq`, "`", `\(ga`, "^", `\(ha`, "~", `\(ti`).Replace(text)
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		if strings.HasPrefix(line, ".") {
			lines[i] = `\&` + line
		}
	}
	return strings.Join(lines, "\n")
}

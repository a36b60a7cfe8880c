package main

import (
	"encoding/json"
	"fmt"
	"os/exec"
	"strings"

	"github.com/roceplan/roceplan/chips"
	"github.com/roceplan/roceplan/docs"
	"github.com/roceplan/roceplan/policy"
)

func language() page {
	p := pageOf("reference/language", "LANGUAGE.md", policy.Reference())
	p.weight, p.about = 1, "The blocks, attributes and functions of a fabric file, with ranges and defaults."
	return p
}

func chipFiles() page {
	p := pageOf("reference/chip-files", "CHIPS.md", chips.Reference())
	p.weight, p.about = 7, "How to define chips, platforms and NICs."
	return p
}

// fromProgram asks roceplan for what only its command line knows: the commands, and the targets.
func fromProgram(program string) ([]page, error) {
	commands, err := exec.Command(program, "help", "commands").Output()
	if err != nil {
		return nil, err
	}
	matrix, err := exec.Command(program, "targets", "--markdown").Output()
	if err != nil {
		return nil, err
	}
	text, err := exec.Command(program, "targets", "--json").Output()
	if err != nil {
		return nil, err
	}
	var targets []target
	if err := json.Unmarshal(text, &targets); err != nil {
		return nil, err
	}
	pages := []page{commandPage(string(commands)), {at: "reference/targets/", title: "Targets", weight: 5,
		about: "The settings that each target supports.",
		body:  "\nYes: the files contain the setting. Part: the files contain it on some chips or for some values. No: the files do not contain it. Compile reports each setting that is missing from the files, as an error if lossless traffic depends on it.\n\n" + string(matrix)}}
	for i := range targets {
		pages = append(pages, targets[i].page(i))
	}
	return pages, nil
}

func commandPage(text string) page {
	p := pageOf("reference/commands", "", text)
	p.weight, p.about = 2, "The commands, arguments and flags."
	return p
}

// A target is as `roceplan targets --json` prints it.
type target struct {
	Name, Title string
	Forms       []struct{ Name, File, Help string }
	Can         []struct {
		Title, Support, Note, Evidence string
		Codes                          []string
	} `json:"capabilities"`
}

func (t *target) page(place int) page {
	var out strings.Builder
	out.WriteString("\n## Forms\n\n| `--form` | file | what |\n|---|---|---|\n")
	for _, f := range t.Forms {
		fmt.Fprintf(&out, "| `%s` | `%s` | %s |\n", f.Name, f.File, cell(f.Help))
	}
	out.WriteString("\n## Supported settings\n\n| setting | support | findings | source |\n|---|---|---|---|\n")
	for _, c := range t.Can {
		support := c.Support
		if c.Note != "" {
			support += ": " + c.Note
		}
		var codes []string
		for _, code := range c.Codes {
			codes = append(codes, findingLink(code))
		}
		fmt.Fprintf(&out, "| %s | %s | %s | %s |\n", c.Title, cell(support), strings.Join(codes, " "), cell(c.Evidence))
	}
	return page{at: "reference/targets/" + t.Name, title: t.Title, weight: place + 1, about: "`" + t.Name + "`", body: out.String()}
}

// findingLink returns a code that leads to its page.
func findingLink(code string) string { return fmt.Sprintf("[%s](/reference/findings/%s/)", code, code) }

// findingPages returns one page for each code.
func findingPages() []page {
	pages := []page{{at: "reference/findings/", from: "docs/findings.md", title: "Findings", weight: 3,
		about: "The meaning of each finding, with an example and a fix. `roceplan help CODE` prints the same text."}}
	for _, code := range docs.Codes() {
		text, ok := docs.Page(code)
		if !ok {
			panic("no page for " + code) // the list is made of the pages
		}
		p := pageOf("reference/findings/"+code, "docs/lint/"+code+".md", text)
		p.about = firstSentence(p.body)
		pages = append(pages, p)
	}
	return pages
}

// firstSentence returns the first sentence of a page.
func firstSentence(body string) string {
	text := strings.Join(strings.Fields(strings.SplitN(strings.TrimSpace(body), "\n\n", 2)[0]), " ")
	if sentence, _, cut := strings.Cut(text, ". "); cut {
		return sentence + "."
	}
	return text
}

// cell returns a text in a cell of a Markdown table.
func cell(text string) string { return strings.ReplaceAll(text, "|", `\|`) }

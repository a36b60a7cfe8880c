package policy

import (
	"bytes"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"

	"github.com/roceplan/roceplan/diag"
	"github.com/roceplan/roceplan/internal/stable"
)

// HCL gives its findings no code: only their summaries differ.
const (
	unclosedLine    = "Invalid multi-line string" // a line that ends within quotes
	unclosedText    = "Unterminated template string"
	crowdedBlock    = "Invalid single-argument block definition"
	templateInLabel = "Invalid string literal"
	unclosedBlock   = "Unclosed configuration block"
	missingComma    = "Missing item separator"
	noBody          = "Invalid block definition"
	badNumber       = "Invalid number literal"
)

// syntaxFaults returns the faults that HCL found in a text that does not parse; the frequent ones
// are in the words of this language.
func syntaxFaults(text []byte, found hcl.Diagnostics) diag.List {
	first := firstFaults(found)
	list := diag.FromHCL(first)
	for i, f := range first {
		restate(&list[i], f, text)
	}
	return list
}

func restate(d *diag.Diagnostic, f *hcl.Diagnostic, text []byte) {
	switch f.Summary {
	case unclosedBlock:
		if behind, block, ok := missingBrace(f.Subject.Filename, text); ok {
			d.Message, d.Fix = "a block that begins above needs its closing } behind this line", "add the closing }"
			d.Subject = behind
			d.Notef(block, "the block begins here")
		}
	case missingComma:
		if end := lastOf(text[:f.Subject.Start.Byte], f.Subject.Filename); end.Start.Line < f.Subject.Start.Line {
			d.Message, d.Fix = "the list does not end on this line, and no comma follows", "add ] where the list ends, or a comma"
			d.Subject = end
		}
	case unclosedLine:
		d.Message, d.Fix = "the text in quotes does not end on this line", `add the closing "`
	case noBody:
		d.Fix = "write { behind the name, or = where this is an attribute"
	case badNumber:
		d.Fix = "write digits alone; a list of numbers from 0 to 7 is range(0, 8)"
	case crowdedBlock:
		d.Message, d.Fix = "a block on one line holds one attribute", "write each attribute on a line of its own"
	case templateInLabel:
		if line := lineAt(text, f.Subject.Start.Byte); strings.Contains(line, "${") || strings.Contains(line, "%{") {
			d.Message, d.Fix = "a label takes no ${…}", labelHint(line)
		}
	}
}

// firstFaults keeps the first finding on each line of a text that does not parse, and nothing
// after a string that is not closed: from there on the parser takes texts for names and names
// for texts.
func firstFaults(found hcl.Diagnostics) hcl.Diagnostics {
	inOrder := slices.Clone(found)
	stable.Sort(inOrder, func(a, b *hcl.Diagnostic) int { return a.Subject.Start.Byte - b.Subject.Start.Byte })
	var kept hcl.Diagnostics
	for _, f := range inOrder {
		if n := len(kept); n > 0 && kept[n-1].Subject.Start.Line == f.Subject.Start.Line {
			continue
		}
		kept = append(kept, f)
		if f.Summary == unclosedLine || f.Summary == unclosedText {
			break
		}
	}
	return kept
}

// lineAt returns the line of a text that a byte is on.
func lineAt(text []byte, at int) string {
	at = min(at, len(text))
	start := bytes.LastIndexByte(text[:at], '\n') + 1
	line, _, _ := bytes.Cut(text[start:], []byte("\n"))
	return string(line)
}

var labelled = regexp.MustCompile(`^\s*(\w+)\s+("(?:[^"\\]|\\.)*")`)

// labelHint names the place for an expression that a label cannot hold: only a switch has names
// next to its label.
func labelHint(line string) string {
	m := labelled.FindStringSubmatch(line)
	if m == nil || m[1] != "switch" {
		return "write a plain label"
	}
	plain := stem(strings.Trim(m[2], `"`))
	if plain == "" || strings.Contains(plain, "$") {
		plain = "leaf"
	}
	return fmt.Sprintf("give the block a plain label and write the names in it: switch %q { name = %s … }", plain, m[2])
}

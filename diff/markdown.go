package diff

import (
	"fmt"
	"strings"

	"github.com/roceplan/roceplan/internal/natural"
	"github.com/roceplan/roceplan/internal/plain"
)

// Markdown writes the difference as a comment of a pull request: a summary, a table of
// causes, the steps, and all changes folded away.
func (r *Result) Markdown() string {
	var out strings.Builder
	fmt.Fprintf(&out, "### roceplan: %s\n", escape(r.Summary()))
	for i, line := range r.beginning() {
		if i == 0 {
			out.WriteString("\n")
		}
		fmt.Fprintf(&out, "- %s\n", escape(line))
	}
	if !r.Any() {
		return out.String()
	}
	groups := byCause(r.Changes)
	out.WriteString("\n| Cause | Line | Effect |\n| --- | --- | --- |\n")
	for _, group := range groups {
		causes, places := markdownCauses(group[0].Causes)
		fmt.Fprintf(&out, "| %s | %s | %s |\n", causes, places, markdownEffect(group))
	}
	if len(r.Rollout.Steps) > 0 {
		out.WriteString("\n**Order of the change**\n\n")
	}
	for i, s := range r.Rollout.Steps {
		var why []string
		for _, rule := range s.Why {
			why = append(why, rule.Text())
		}
		fmt.Fprintf(&out, "%d. **%s** (%s)\n", i+1, escape(s.Title()), escape(strings.Join(why, "; ")))
		for _, line := range s.what() {
			fmt.Fprintf(&out, "   - %s\n", escape(line))
		}
	}
	for _, note := range r.Rollout.Notes() {
		fmt.Fprintf(&out, "\n> [!WARNING]\n> %s.\n", escape(note))
	}
	out.WriteString("\n<details>\n<summary>All differences</summary>\n\n| Quantity | Old | New | Difference | Where |\n| --- | --- | --- | --- | --- |\n")
	for _, group := range groups {
		for _, c := range group {
			fmt.Fprintf(&out, "| %s | %s | %s | %s | %s |\n", escape(c.Name()), code(c.Old), code(c.New), c.Delta, escape(c.Place()))
		}
	}
	out.WriteString("\n</details>\n")
	return out.String()
}

func markdownCauses(causes []Cause) (text, places string) {
	if len(causes) == 0 {
		return "without a derivation", ""
	}
	var all, at []string
	for _, c := range causes {
		all, at = append(all, escape(c.Values())), append(at, code(c.Place()))
	}
	return strings.Join(all, "<br>"), strings.Join(at, "<br>")
}

// markdownEffect prints the first change that is not the cause itself, and counts the others.
func markdownEffect(group []Change) string {
	c := group[0]
	for _, other := range group {
		if c.rank() == 0 && other.rank() > 0 {
			c = other
		}
	}
	text := fmt.Sprintf("%s %s on %s", escape(c.Name()), escape(c.Values()), amount(&c))
	if more := len(group) - 1; more > 0 {
		text += fmt.Sprintf(", and %d more", more)
	}
	return text
}

// amount counts the ports of a change, or its switches.
func amount(c *Change) string {
	if n := c.Ports(); n > 0 {
		return natural.Count(n, "port", "ports")
	}
	return escape(c.Place())
}

func escape(s string) string { return plain.Markdown(s) }

func code(s string) string { return plain.Code(s) }

package junos

import (
	"bytes"
	"regexp"
	"slices"
	"strings"

	"github.com/roceplan/roceplan/read"
)

// Format is the configuration of Junos Evolved, in braces or as set commands.
func Format() read.Format {
	// Sections at the left margin that only Junos has, or a set command in them.
	sections := []string{"class-of-service", "interfaces", "system", "chassis", "forwarding-options", "routing-options", "protocols", "policy-options", "firewall"}
	others := []string{"groups", "apply-groups", "version"}
	all := strings.Join(slices.Concat(sections, others), "|")
	// EOS has lines such as "system l1", which end without a brace.
	begins := regexp.MustCompile(`(?m)^(?:/\*.*?\*/\s*)*((` + all + `)( [^\n{]*)?( \{|;)|(` + all + `)$|set (` + all + `) )`)
	possible := read.ByLine(slices.Concat(sections, others, []string{"set ", "/*"})) // costs a tenth, and most texts are not of Junos
	return read.Format{
		Name: "junos", Title: "Junos Evolved", Files: []string{"junos.conf", "junos.set"},
		Alike: true, Recognize: func(head []byte) []byte {
			if possible(head) == nil {
				return nil
			}
			return bytes.TrimSpace(begins.Find(head))
		},
		Device: func(text []byte) (string, int) {
			return hostName(text)
		},
		Read:     Read,
		Cells:    true,
		Complete: Complete,
		Chips:    chipsOf,
		Computed: "the length of the cable and the largest frame, by a rule that Juniper does not publish",
		Neutral:  neutralRules(),
	}
}

var host = regexp.MustCompile(`(?:^([ \t]*)|^set system |[{};] )host-name "?([\w.-]+)`)

// usualIndent is the margin of a statement of the section system, as Junos prints it.
const usualIndent = 4

// hostName finds the name of a device. The last one counts, but one of a group, which is deeper, only where there is no
// other.
func hostName(text []byte) (name string, at int) {
	text = text[:min(len(text), 1<<20)]
	depth := -1
	for i := 0; ; i++ {
		next := bytes.Index(text[i:], []byte("host-name "))
		if next < 0 {
			return name, at
		}
		i += next
		from := max(bytes.LastIndexByte(text[:i], '\n')+1, i-64)
		m := host.FindSubmatchIndex(text[from:min(len(text), i+300)])
		if m == nil {
			continue
		}
		before := text[bytes.LastIndexByte(text[:i], '\n')+1 : i]
		if depth >= 0 && (bytes.Contains(before, []byte("groups")) || bytes.Contains(before, []byte("inactive:"))) {
			continue
		}
		if deep := m[3] - m[2]; depth < 0 || deep <= usualIndent && deep <= depth {
			depth, name, at = deep, string(text[from+m[4]:from+m[5]]), from+m[4]
		}
	}
}

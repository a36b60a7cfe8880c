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
	begins := regexp.MustCompile(`(?m)^((` + all + `)( [^\n{]*)?( \{|;)|(` + all + `)$|set (` + all + `) )`)
	possible := read.ByLine(slices.Concat(sections, others, []string{"set "})) // costs a tenth, and most texts are not of Junos
	host := regexp.MustCompile(`(?m)^(?:\s*|set system )host-name "?([\w.-]+)`)
	return read.Format{
		Name: "junos", Title: "Junos Evolved", Files: []string{"junos.conf", "junos.set"},
		Alike: true, Recognize: func(head []byte) []byte {
			if possible(head) == nil {
				return nil
			}
			return bytes.TrimSpace(begins.Find(head))
		},
		Device: func(text []byte) (string, int) {
			m := host.FindSubmatchIndex(text[:min(len(text), 1<<20)])
			if m == nil {
				return "", 0
			}
			return string(text[m[2]:m[3]]), m[2]
		},
		Read:     Read,
		Cells:    true,
		Complete: Complete,
		Chips:    chipsOf,
		Computed: "the length of the cable and the largest frame, by a rule that Juniper does not publish",
		Neutral:  neutralRules(),
	}
}

package junos

import (
	"bytes"
	"regexp"
	"slices"
	"strings"

	"github.com/roceplan/roceplan/read"
)

// Format returns the configuration of Junos Evolved, in braces or as set commands.
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
		Shows: "`show version` names the box",
		Alike: true, Recognize: func(head []byte) []byte {
			if possible(head) == nil {
				return nil
			}
			return bytes.TrimSpace(begins.Find(head))
		},
		Device: hostName,
		Read:   Read,
		Cells:  true,
		// Understanding the Advertisement of Multiple Paths to a Single Destination in BGP: it selects a single best path;
		// multipath: without multiple-as only paths of the same neighbouring AS are used
		OnePath:  "by multipath in BGP, and by a policy with load-balance per-packet that routing-options forwarding-table exports",
		ByPolicy: true, OneAS: true, Exports: true,
		Complete: Complete,
		Chips:    chipsOf,
		Computed: "the length of the cable and the largest frame, by a rule that Juniper does not publish",
		Neutral:  neutralRules(),
	}
}

var host = regexp.MustCompile(`(?:^([ \t]*)|^set system |[{};] )host-name "?([\w.-]+)`)

// usualIndent is the margin of a statement of the section system, as Junos prints it.
const usualIndent = 4

// Around a host-name, in a line of any length: the words before it that the pattern asks for, and its value, of which RFC 1035
// allows 255 characters.
const (
	beforeName = 64
	afterName  = 300
)

// hostName finds the name of a device. The last one counts, but one of a group, which is deeper, only where there is no
// other. In a line that has a group or something inactive before it, a later name may be of that.
func hostName(text []byte) (name string, at int) {
	text = text[:min(len(text), 1<<20)]
	depth, line, apart := -1, 0, false
	for i, from := 0, 0; ; from = i + 1 {
		next := bytes.Index(text[from:], []byte("host-name "))
		if next < 0 {
			return name, at
		}
		passed := text[from : from+next]
		i = from + next
		if end := bytes.LastIndexByte(passed, '\n'); end >= 0 {
			line, apart, passed = from+end+1, false, passed[end+1:]
		}
		apart = apart || bytes.Contains(passed, []byte("groups")) || bytes.Contains(passed, []byte("inactive:"))
		begin := max(line, i-beforeName)
		m := host.FindSubmatchIndex(text[begin:min(len(text), i+afterName)])
		if m == nil || depth >= 0 && apart {
			continue
		}
		if deep := m[3] - m[2]; depth < 0 || deep <= usualIndent && deep <= depth {
			depth, name, at = deep, string(text[begin+m[4]:begin+m[5]]), begin+m[4]
		}
	}
}

package srlinux

import (
	"bytes"
	"regexp"

	"github.com/roceplan/roceplan/read"
)

// Format is a document of Nokia's models.
func Format() read.Format {
	host := regexp.MustCompile(`"host-name"\s*:\s*"([\w.-]+)"|(?m:^\s*(?:set */ *system name )?host-name "?([\w.-]+))`)
	return read.Format{
		Name: "srlinux", Title: "Nokia SR Linux", Files: []string{"srlinux.json"},
		Shows: "`show platform chassis` names the box",
		Recognize: func(head []byte) []byte {
			switch {
			case !isJSON(head):
				if line := firstSet(head); line != nil {
					return line
				}
				return bytes.TrimSpace(nested.Find(head))
			case head[0] == '{' && bytes.Contains(head, []byte(`"srl_nokia-`)), isEnvelope(head):
				return nokias.Find(head)
			}
			return nil
		},
		Device: func(text []byte) (string, int) {
			m := host.FindSubmatchIndex(text[:min(len(text), 1<<20)])
			if m == nil {
				return "", 0
			}
			at := max(m[2], m[4]) // of the form that is not there it is -1
			return string(text[at:max(m[3], m[5])]), at
		},
		Read:     func(name string, text []byte, _ read.Options) read.Result { return readFile(name, text) },
		OnePath:  "by maximum-paths", // srl_nokia-bgp: the default is 1
		Exports:  true,
		Complete: Complete, OwnPools: true,
		OwnQueue: "SR Linux then has a threshold by the chip, which is not published for boxes with PFC",
		Neutral:  neutralRules(),
	}
}

package srlinux

import (
	"bytes"
	"regexp"

	"github.com/roceplan/roceplan/read"
)

// Format is a document of Nokia's models.
func Format() read.Format {
	host := regexp.MustCompile(`"host-name"\s*:\s*"([\w.-]+)"`)
	return read.Format{
		Name: "srlinux", Title: "Nokia SR Linux", Files: []string{"srlinux.json"},
		Recognize: func(head []byte) bool {
			return len(head) > 0 && head[0] == '{' && bytes.Contains(head, []byte(`"srl_nokia-`))
		},
		Device: func(text []byte) (string, int) {
			m := host.FindSubmatchIndex(text[:min(len(text), 1<<20)])
			if m == nil {
				return "", 0
			}
			return string(text[m[2]:m[3]]), m[2]
		},
		Read:     func(name string, text []byte, _ read.Options) read.Result { return readFile(name, text) },
		Complete: Complete,
		Neutral:  neutralRules(),
	}
}

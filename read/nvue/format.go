package nvue

import (
	"regexp"

	"github.com/roceplan/roceplan/read"
)

// Format is the YAML of NVUE.
func Format() read.Format {
	// The first operation, after comments and the start of a document; and where our
	// files, and those of a switch, say whose they are.
	begins := regexp.MustCompile(`^(#[^\n]*\n|---[^\n]*\n|\s*\n)*-\s+(set|unset|header):`)
	host := regexp.MustCompile(`(?m)\A# QoS of ([\w.-]*\w)|^ +hostname: +"?([\w.-]+)`)
	return read.Format{
		Name: "nvue", Title: "NVUE", Files: []string{"nvue.yaml"},
		Recognize: func(head []byte) bool { return begins.Match(head[:min(len(head), 4096)]) },
		Device: func(text []byte) (string, int) {
			m := host.FindSubmatchIndex(text)
			if m == nil {
				return "", 0
			}
			at := max(m[2], m[4]) // -1 is none
			return string(text[at:m[1]]), at
		},
		Read: func(name string, text []byte, _ read.Options) read.Result {
			return readFile(name, text)
		},
		Neutral: neutralRules(),
	}
}

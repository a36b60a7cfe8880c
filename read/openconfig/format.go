package openconfig

import (
	"bytes"
	"regexp"

	"github.com/roceplan/roceplan/read"
)

// Format is a document of the OpenConfig models. It never names its device.
func Format() read.Format {
	leaf := regexp.MustCompile(`"openconfig-[^"]*"?`)
	return read.Format{
		Name: "openconfig", Title: "OpenConfig", Files: []string{"openconfig.json"},
		Silent: "OpenConfig has no PFC and no headroom",
		Recognize: func(head []byte) []byte {
			if !bytes.HasPrefix(head, []byte("{")) {
				return nil
			}
			return leaf.Find(head)
		},
		Device: func([]byte) (string, int) { return "", 0 },
		Read: func(name string, text []byte, _ read.Options) read.Result {
			return readFile(name, text)
		},
		Neutral: neutralRules(),
	}
}

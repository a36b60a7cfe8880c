package openconfig

import (
	"bytes"

	"github.com/roceplan/roceplan/read"
)

// Format is a document of the OpenConfig models. It never names its device.
func Format() read.Format {
	return read.Format{
		Name: "openconfig", Title: "OpenConfig", Files: []string{"openconfig.json"},
		Silent: "OpenConfig has no PFC and no headroom",
		Recognize: func(head []byte) bool {
			return bytes.HasPrefix(head, []byte("{")) && bytes.Contains(head, []byte(`"openconfig-`))
		},
		Device: func([]byte) (string, int) { return "", 0 },
		Read: func(name string, text []byte, _ read.Options) read.Result {
			return readFile(name, text)
		},
		Neutral: neutralRules(),
	}
}

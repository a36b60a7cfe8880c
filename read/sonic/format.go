package sonic

import (
	"bytes"
	"regexp"

	schema "github.com/roceplan/roceplan/emit/sonic"
	"github.com/roceplan/roceplan/read"
)

// Format is the ConfigDB of SONiC.
func Format() read.Format {
	return read.Format{
		Name: "sonic", Title: "SONiC", Files: []string{"config_db.json", "overlay.json"},
		Recognize: func(head []byte) bool { return bytes.HasPrefix(head, []byte("{")) && !request.Match(head) },
		Device:    device,
		Read:      func(name string, text []byte, _ read.Options) read.Result { return readFile(name, text) },
		Uncut:     schema.UncutBy,
		Neutral:   neutralRules(),
	}
}

// request begins what is sent by gNMI or JSON-RPC: no table is called so.
var request = regexp.MustCompile(`^\{\s*"(update|replace|delete|updates|jsonrpc|source)"\s*:`)

// device finds the hostname of DEVICE_METADATA without parsing the file.
func device(text []byte) (name string, at int) {
	key := []byte(`"hostname"`)
	i := bytes.Index(text, key)
	if i < 0 {
		return "", 0
	}
	rest := text[i+len(key) : min(len(text), i+512)]
	before, value, ok := bytes.Cut(rest, []byte(`"`))
	value, _, closed := bytes.Cut(value, []byte(`"`))
	if !ok || !closed || string(bytes.TrimSpace(before)) != ":" {
		return "", 0
	}
	return string(value), i + len(key) + len(before) + 1
}
